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

/*
 * Why the kernel guards the memory of a task that executes a program (PR_SET_DUMPABLE in prctl(2)).
 * The kernel then removes all perf events from the task, even those of root (begin_new_exec() in
 * fs/exec.c).
 */
enum program_guard {
	PROGRAM_OPEN, /* nothing */
	PROGRAM_UNREADABLE, /* the user may execute the file but not read it */
	PROGRAM_SET_ID, /* set-user-ID or set-group-ID, of another user or group */
	PROGRAM_CAPABILITIES, /* the file has capabilities that the user does not have */
};

/* Judged by the file. The kernel may ignore the last two, for example under a debugger. */
enum program_guard program_guard(const char *path);

#endif
