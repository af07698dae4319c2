/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a result goes: standard error, a descriptor, or a file, which is replaced only when all of
 * the result has been written. */
#ifndef PSTAT_BASE_OUTPUT_H
#define PSTAT_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct why;

enum output_mode {
	OUTPUT_REPLACE, /* when all is written */
	OUTPUT_APPEND,
	OUTPUT_AS_IT_COMES, /* emptied at the start: what was written is there, whatever happens */
};

struct output {
	FILE *stream; /* owned; it keeps what is printed; NULL until output_begin() */
	char *text; /* owned: what was printed and not written yet */
	size_t len;
	int fd; /* owned: what is written to; -1: a file that is replaced */
	enum output_mode mode;
	bool is_ours; /* fd was opened here, and is no copy of the caller's */
	const char *name; /* for messages, the caller's; NULL for the descriptor log_fd */
	int log_fd;
};

/*
 * Look, before anything runs, whether the result can be put there. path: a file, or NULL for fd,
 * which stays the caller's (a copy of it is written to). A path that names a descriptor, as /dev/fd/N
 * and /dev/stdout, is that descriptor. 0; -errno with why.
 */
int output_open(struct output *o, const char *path, enum output_mode mode, int fd, struct why *why);

/* Open o->stream. What is replaced as a whole may be begun again after it was finished. 0; -errno with
 * why. */
int output_begin(struct output *o, struct why *why);

/* Write what was printed so far, in one piece: a interval or a line that is not cut in two. What is
 * replaced as a whole waits for output_finish(). 0 or -errno. */
int output_flush(struct output *o);

/* All was printed to o->stream: see that it is written, and put the file in its place. 0; -errno with
 * why, and an old file is as it was. */
int output_finish(struct output *o, struct why *why);

/* Say that the result could not be written, and where. Returns error. */
int output_failed(const struct output *o, int error, struct why *why);

/* What was not written is dropped. */
void output_release(struct output *o);

#endif
