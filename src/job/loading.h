/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved documents that the command line names. */
#ifndef PSTAT_JOB_LOADING_H
#define PSTAT_JOB_LOADING_H

#include <stddef.h>
#include <stdio.h>

#include "document/load.h"

struct why;

/* All zero is empty. */
struct loading {
	const char *const *paths; /* of each document; they belong to the command line */
	struct saved *v; /* owned */
	size_t n;
};

/* Reads an open file into a struct of the caller. 0; -errno with why. */
typedef int loading_reader(FILE *in, void *into, struct why *why);

/*
 * Read one file with this function; "-" is standard input. Waits until no pstat writes to the file,
 * and detects whether another program has written to it. 0; -errno with why, which begins with the
 * option and the path.
 */
int loading_read(const char *option, const char *path, loading_reader *reader, void *into,
		 struct why *why);

/* Read one document with loading_read(). */
int loading_file(struct saved *saved, const char *option, const char *path, struct why *why);

/* Whether at most one of paths is standard input. 0; -EINVAL with why. */
int loading_check_stdin(const char *option, char *const *paths, struct why *why);

/*
 * Read all files of paths, which ends with NULL. One of them may be standard input. 0; -errno with
 * why. The caller releases loading in any case.
 */
int loading_all(struct loading *loading, const char *option, char *const *paths, struct why *why);

void loading_release(struct loading *loading);

/*
 * For comparisons, whose rows are those of names: add up the processes of each document by name,
 * unless it has sums by name already. 0 or -ENOMEM.
 */
int loading_add_up_processes(struct saved *saved);

#endif
