/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved documents that the command line names. */
#ifndef PSTAT_JOB_LOADING_H
#define PSTAT_JOB_LOADING_H

#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "document/load.h"

/* All zero is empty. */
struct loading {
	const char *const *paths; /* of each document; they belong to the command line */
	struct saved *v; /* owned */
	size_t n;
};

/* Read an open file. 0; -errno after a message that begins with option. */
int loading_stream(struct saved *saved, const char *option, const char *name, FILE *in);

/* Read one file; "-" is standard input. 0; -errno after a message that begins with option. */
int loading_file(struct saved *saved, const char *option, const char *path);

/*
 * Call these functions before and after a file is read. They wait until no pstat writes to the
 * file, and detect whether another program has written to it. 0; -EAGAIN after a message that
 * begins with option.
 */
void loading_begin(FILE *in, struct stat *before);
int loading_end(FILE *in, const struct stat *before, const char *option, const char *name);

/* Whether at most one of paths is standard input. 0; -EINVAL after a message. */
int loading_check_stdin(const char *option, char *const *paths);

/*
 * Read all files of paths, which ends with NULL. One of them may be standard input. 0; -errno after
 * a message. The caller releases loading in any case.
 */
int loading_all(struct loading *loading, const char *option, char *const *paths);

void loading_release(struct loading *loading);

/*
 * For comparisons, whose rows are those of names: add up the processes of each document by name,
 * unless it has sums by name already. 0; -ENOMEM after a message.
 */
int loading_add_up_processes(struct saved *saved);

#endif
