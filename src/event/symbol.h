/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the functions and variables of an ELF file are. libelf is loaded when this is first asked. */
#ifndef PSTAT_EVENT_SYMBOL_H
#define PSTAT_EVENT_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct why;

struct symbol {
	char *name; /* owned: without its version */
	uint64_t
		address; /* as linked; where it runs, too, unless the file is position-independent */
	uint64_t
		offset; /* in the file, what a uprobe takes; 0 for a variable that is not in the file */
	uint64_t size; /* bytes, 0 where the file does not say */
};

/* All zero is a valid empty list. */
struct symbol_list {
	struct symbol *v;
	size_t n, size;
	bool position_independent;
	uint64_t entry; /* the file's entry point, as linked */
};

enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_VARIABLE };

/*
 * Append the defined symbols of that kind whose name matches the pattern (fnmatch(3); "name@VERSION"
 * takes that version alone, otherwise all versions match), from the symbol table, the dynamic symbol
 * table and a separate debug file (by build ID or debug link). One symbol an address, sorted by name.
 * 0; with why: -ENOENT when nothing matches, another -errno when path cannot be read as ELF.
 */
int symbol_find(const char *path, const char *pattern, enum symbol_kind kind,
		struct symbol_list *list, struct why *why);

void symbol_list_release(struct symbol_list *list);

#endif
