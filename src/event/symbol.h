/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find functions and variables in an ELF file. The first call loads libelf. */
#ifndef PSTAT_EVENT_SYMBOL_H
#define PSTAT_EVENT_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct why;

struct symbol {
	char *name; /* owned: without the version */
	/* owned: "@@V" for the default version of the name, "@V" for another; NULL: none */
	char *version;
	uint64_t address; /* as linked; a position-independent file is loaded elsewhere */
	uint64_t offset; /* in the file, for a uprobe; 0 for a variable that is not in the file */
	uint64_t size; /* bytes; 0 if the file does not have it */
	bool indirect; /* an indirect function; symbol_find() never returns one */
};

/* All zero is a valid empty list. */
struct symbol_list {
	struct symbol *v;
	size_t n, size;
	bool position_independent;
	uint64_t entry; /* the entry point of the file as linked */
};

enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_VARIABLE };

/*
 * Fill the empty list with the defined symbols of a kind whose names match the pattern, a glob
 * (fnmatch(3)). Symbols come from the symbol table, the dynamic symbol table, and a separate debug
 * file (found by build ID or debug link).
 *
 * "NAME@VERSION" and "NAME@@VERSION" match that version of NAME. The version may be a glob, too. A
 * pattern without a version matches the default version of a name, or all versions if the name has
 * no default.
 *
 * Indirect functions (STT_GNU_IFUNC) are left out: the loader runs their code only once, to choose
 * the function that is called. Of several symbols with the same address, only one is kept. The list
 * is sorted by name.
 *
 * 0; with why: -ENOENT if nothing is left or the pattern is the name of an indirect function;
 * another -errno if path cannot be read as ELF. After an error the list is empty.
 */
int symbol_find(const char *path, const char *pattern, enum symbol_kind kind,
		struct symbol_list *list, struct why *why);

void symbol_list_release(struct symbol_list *list);

#endif
