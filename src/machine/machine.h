/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine is, read from /sys and /proc. Every path goes through one root prefix, so that a
 * recorded machine (or another machine's file system, mounted) can be looked at in its place.
 */
#ifndef PSTAT_MACHINE_MACHINE_H
#define PSTAT_MACHINE_MACHINE_H

#include <stdbool.h>

struct str_list;
struct why;

struct machine {
	char *root; /* owned; "" stands for this machine itself */
	char *program; /* owned: of the target, as execvp(3) takes it; NULL: unknown */
	bool mixed_abis; /* the programs of the compared commands have different ABIs */
};

/*
 * root: a folder with sys/ and proc/ below it, or NULL for this machine. 0; -errno, with why, when
 * root is given and is not a folder that can be read or has no sys/ below it.
 */
int machine_init(struct machine *m, const char *root, struct why *why);
void machine_release(struct machine *m);

/* Whether m is this machine (no root was given): only then may its events be opened. */
bool machine_is_here(const struct machine *m);

/* A path below the root, as printf makes it, for what the functions below do not do. The caller's to
 * free; NULL: no memory. */
char *machine_path(const struct machine *m, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Read a regular file, at most its first 64 KiB: NUL-terminated, without trailing white space.
 * path is absolute, formatted as by printf. The caller frees *text. 0; -EINVAL: neither a
 * regular file nor a folder; -errno.
 */
int machine_read(const struct machine *m, char **text, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* A file that holds one decimal number. 0, -errno, or -EINVAL when it holds anything else. */
int machine_read_int(const struct machine *m, int *value, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* The names in a folder, sorted, without those that begin with a dot, added to list. 0 or -errno. */
int machine_list(const struct machine *m, struct str_list *list, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

bool machine_has(const struct machine *m, const char *path, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether /proc and /sys are mounted. If not, everything in them seems not to exist. */
bool machine_has_proc(const struct machine *m);
bool machine_has_sysfs(const struct machine *m);

#endif
