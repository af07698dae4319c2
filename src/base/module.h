/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared libraries that are loaded when something needs them and not before: their relocations would cost
 * every start of pstat. Loading twice is cheap, the dynamic linker sees that it was done; nothing is
 * unloaded, so that what was found stays valid. See dlopen(3).
 */
#ifndef PSTAT_BASE_MODULE_H
#define PSTAT_BASE_MODULE_H

#include <stddef.h>

struct why;

struct module {
	const char *
		soname; /* "libelf.so.1": no path, so that only the system's folders are searched */
	const char *name; /* for a message */
	const char *package; /* of Debian, that has it */
};

/* A function of a library. */
struct module_function {
	const char *name;
	void *pointer; /* the address of the pointer that gets the function's */
};

/* The function that a structure's member is named after. */
#define MODULE_FUNCTION(structure, name)                                                           \
	{                                                                                          \
#		name, &(structure)->name                                                          \
	}

/*
 * Load the library and find the n functions in it, or in what it is linked with. 0; -ELIBACC with why: it
 * is not installed, or has no such function.
 */
int module_load(const struct module *module, const struct module_function *functions, size_t n,
		struct why *why);

#endif
