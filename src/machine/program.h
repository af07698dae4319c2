/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the program that a command names. */
#ifndef PSTAT_MACHINE_PROGRAM_H
#define PSTAT_MACHINE_PROGRAM_H

struct why;

/*
 * The file that name stands for, as execvp(3) looks for it (a name with a slash is a path, others are
 * looked up in PATH), once for all runs of a command. *path is the caller's to free. 0; with why:
 * -ENOENT when there is none, -EACCES when there is one that is not executable, -EISDIR, -ENOMEM.
 */
int program_find(const char *name, char **path, struct why *why);

#endif
