/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a result goes: standard error, a descriptor, or a file, which is replaced only when all of
 * the result has been written. */
#ifndef PSTAT_REPORT_OUTPUT_H
#define PSTAT_REPORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct why;

enum output_mode {
	OUTPUT_REPLACE, /* when all is written */
	OUTPUT_APPEND,
	OUTPUT_AS_IT_COMES, /* emptied at the start: what was written is there, whatever happens */
};

struct output {
	FILE *stream; /* owned; NULL until output_begin() */
	int fd; /* owned: opened beforehand, or -1 */
	const char *name; /* for messages, the caller's; NULL for the descriptor log_fd */
	int log_fd;
	bool truncate; /* fd: its file is emptied by output_begin() */
	char *path; /* owned: what is replaced at the end, links resolved; NULL for nothing */
	char *temporary; /* owned: what is written meanwhile */
};

/*
 * Look, before anything runs, whether the result can be put there. path: a file, or NULL for fd,
 * which stays the caller's (a copy of it is written to). 0; -errno with why.
 */
int output_open(struct output *o, const char *path, enum output_mode mode, int fd, struct why *why);

/* Open o->stream. 0; -errno with why. */
int output_begin(struct output *o, struct why *why);

/* All was printed to o->stream: see that it is written, and put the file in its place. 0; -errno with
 * why, and an old file is as it was. */
int output_finish(struct output *o, struct why *why);

/* Say that the result could not be written, and where. Returns error. */
int output_failed(const struct output *o, int error, struct why *why);

/* What is left unfinished is removed. */
void output_release(struct output *o);

#endif
