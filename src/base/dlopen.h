/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared libraries that are loaded only when they are needed (dlopen(3)). The relocations of a
 * linked library would slow down every start of pstat. Loading a library twice is cheap. Libraries
 * are never unloaded, so the addresses of their functions stay valid.
 */
#ifndef PSTAT_BASE_DLOPEN_H
#define PSTAT_BASE_DLOPEN_H

#include <stddef.h>
#include <stdint.h>

struct why;

struct dlopen_library {
	const char *soname; /* "libelf.so.1": without a path, only system folders are searched */
	const char *name; /* for messages */
	const char *package; /* the Debian package */
};

/*
 * Define a static struct dlopen_library, and an ELF note about the library for packagers:
 * https://uapi-group.org/specifications/specs/elf_dlopen_metadata/. feature: a short name of what
 * the library makes possible. purpose: one line that explains it. All are string literals.
 */
#define DLOPEN_LIBRARY(variable, soname_, name_, package_, feature, purpose)                       \
	static const struct dlopen_library variable = { (soname_), (name_), (package_) };          \
	DLOPEN_NOTE(variable##_note,                                                               \
		    "[{\"feature\":\"" feature "\",\"description\":\"" purpose                     \
		    "\",\"priority\":\"recommended\",\"soname\":[\"" soname_ "\"]}]")

/*
 * An ELF note (elf(5)). The alignment is 4 bytes in 64-bit files, too. The size of the struct is
 * therefore a multiple of 4: the last note of a section has to be padded like the others.
 */
#define DLOPEN_NOTE(variable, json)                                                                \
	static const struct {                                                                      \
		uint32_t name_size, json_size, type;                                               \
		char name[sizeof("FDO")];                                                          \
		_Alignas(4) char text[sizeof(json)];                                               \
	} variable __attribute__((used, section(".note.dlopen"), aligned(4))) = {                  \
		sizeof("FDO"), sizeof(json), 0x407c0c0a, "FDO", json                               \
	}

/* A function of a library. */
struct dlopen_function {
	const char *name;
	void *pointer; /* the address of the function pointer that is set */
};

/* The entry for a function whose pointer is the member with the same name in the structure. */
#define DLOPEN_FUNCTION(structure, name)                                                           \
	{                                                                                          \
#		name, &(structure)->name                                                          \
	}

/*
 * Load the library and find n functions in it or in the libraries it is linked with. 0; -ELIBACC
 * with why: the library is not installed or does not have one of the functions.
 */
int dlopen_load(const struct dlopen_library *library, const struct dlopen_function *functions,
		size_t n, struct why *why);

#endif
