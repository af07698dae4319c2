/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine as /sys and /proc describe it. All paths go through one root prefix, so that a
 * recorded machine, or the mounted file system of another machine, can take its place.
 */
#ifndef PSTAT_MACHINE_MACHINE_H
#define PSTAT_MACHINE_MACHINE_H

#include <stdbool.h>

struct perf_tables;
struct str_list;
struct why;

struct machine {
	char *root; /* owned; "" is this machine */
	/* owned: the program of the target, an argument of execvp(3); NULL: unknown */
	char *program;
	struct perf_tables *tables; /* owned: machine/perf_tables.h */
	bool mixed_abis; /* the programs of the compared commands have different ABIs */
};

/*
 * root: a folder that holds sys/ and proc/, or NULL for this machine. 0; -errno with why if the
 * root is not a readable folder or has no sys/.
 */
int machine_init(struct machine *m, const char *root, struct why *why);
void machine_release(struct machine *m);

/* Whether m is this machine (no root was given). Only its events can be opened. */
bool machine_is_here(const struct machine *m);

/*
 * A path below the root, formatted as by printf(3), for callers that the functions below do not
 * serve. The caller frees it. NULL: out of memory.
 */
char *machine_path(const struct machine *m, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Read the first 64 KiB of a regular file as a string, without trailing white space. path is
 * absolute, formatted as by printf(3). The caller frees *text. 0; -EISDIR: a folder; -EINVAL: any
 * other file that is not regular; another -errno.
 */
int machine_read(const struct machine *m, char **text, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Read a file that holds one decimal number. 0; -EINVAL: the file holds anything else; another
 * -errno.
 */
int machine_read_int(const struct machine *m, int *value, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* Append the sorted names in a folder, without names that begin with a dot. 0 or -errno. */
int machine_list(const struct machine *m, struct str_list *list, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

bool machine_has(const struct machine *m, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether /proc and /sys are mounted. If not, nothing in them seems to exist. */
bool machine_has_proc(const struct machine *m);
bool machine_has_sysfs(const struct machine *m);

#endif
