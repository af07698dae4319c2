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
	uint64_t address; /* as linked; a position-independent file is loaded elsewhere */
	uint64_t offset; /* in the file, for a uprobe; 0 for a variable that is not in the file */
	uint64_t size; /* bytes; 0 if the file does not have it */
	bool old; /* not the default version of the name */
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

struct symbol_query {
	const char *path; /* of the ELF file */
	/* if path is below this root (--sysroot), usr/lib/debug is, too; "" is this machine */
	const char *root;
	/*
	 * A glob (fnmatch(3)) without a version: it matches the default version of a name, or all
	 * versions if the name has no default.
	 */
	const char *pattern;
	enum symbol_kind kind;
};

/*
 * Fill the empty list with the defined symbols that match the query. Symbols come from the symbol
 * table, the dynamic symbol table, and a separate debug file (found by build ID or debug link).
 *
 * Indirect functions (STT_GNU_IFUNC) are left out: the loader runs their code only once, to choose
 * the function that is called. Of several symbols with the same address, only one is kept. The list
 * is sorted by name.
 *
 * 0; with why: -ENOENT if nothing is left or the pattern is the name of an indirect function;
 * another -errno if the file cannot be read as ELF. After an error the list is empty.
 */
int symbol_find(const struct symbol_query *query, struct symbol_list *list, struct why *why);

void symbol_list_release(struct symbol_list *list);

#endif
