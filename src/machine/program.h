/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program of a command: its file, its ABI, the libraries that it loads, and whether the kernel
 * guards its memory.
 */
#ifndef PSTAT_MACHINE_PROGRAM_H
#define PSTAT_MACHINE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

struct why;

/*
 * Find the program as execvp(3) would: a name with a slash is a path, and other names are searched
 * in PATH. One search serves all runs of a command. The caller frees *path. 0; with why: -ENOENT if
 * there is no such file, -EACCES if it is not executable, -EISDIR; -ENOMEM.
 */
int program_find(const char *name, char **path, struct why *why);

/* Whether path is a file that pstat's effective user may execute. 0 or -errno. */
int program_check_file(const char *path);

/*
 * The fields of an ELF header that differ between ABIs. x86-64, x32 (32-bit class, x86-64 machine)
 * and i386 all differ. The loader loads only libraries of the program's ABI.
 */
struct program_abi {
	unsigned char class; /* ELFCLASS32 or ELFCLASS64 */
	unsigned char data; /* the byte order */
	uint16_t machine; /* in the byte order of the file */
};

/* The ABI of a command's program. The ABI of a script is that of its interpreter. 0 or -errno. */
int program_abi_of_command(const char *name, struct program_abi *abi);

bool program_abi_equal(const struct program_abi *a, const struct program_abi *b);

/*
 * Why the kernel guards the memory of a task that executes a program (PR_SET_DUMPABLE in prctl(2)).
 * If it does, it also removes all perf events from the task, even those of root (begin_new_exec()
 * in fs/exec.c).
 */
enum program_guard {
	PROGRAM_OPEN, /* not guarded */
	PROGRAM_UNREADABLE, /* the user may execute the file but not read it */
	PROGRAM_SET_ID, /* set-user-ID or set-group-ID, of another user or group */
	PROGRAM_CAPABILITIES, /* the file has capabilities that the user does not have */
};

/* Judge by the file alone. The kernel may ignore the last two, for example under a debugger. */
enum program_guard program_guard(const char *path);

bool program_gains_privileges(enum program_guard guard);

/*
 * Find the file of a library ("libc.so.6") that the target of m would load. The search uses
 * LD_LIBRARY_PATH (unless pstat has raised privileges), the cache of the loader, and the default
 * folders of the loader (ld.so(8)). Files with another ABI than the target are skipped. The cache
 * and the default folders are those below the root of m; LD_LIBRARY_PATH applies to this machine
 * only.
 *
 * The caller frees *path. 0; -ENOENT; -ENOMEM; -ENOTUNIQ: the compared commands have different
 * ABIs.
 */
int program_find_library(const struct machine *m, const char *name, char **path);

#endif
