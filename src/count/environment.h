/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment of a command where it is more than pstat's own: the number of the run in
 * PSTAT_ITERATION, and in PSTAT_PADDING as many letters as are to move the command's stack.
 */
#ifndef PSTAT_COUNT_ENVIRONMENT_H
#define PSTAT_COUNT_ENVIRONMENT_H

#include <stddef.h>

/* The most letters of padding: all offsets within a page of 4096 bytes. */
enum { ENVIRONMENT_PADDING_MAX = 4095 };

enum environment_parts {
	ENVIRONMENT_ITERATION = 1,
	ENVIRONMENT_PADDING = 2,
};

/* All zero is pstat's own environment, and owns nothing. */
struct environment {
	char **v; /* owned, for execve(2); but for what follows the strings are those of environ */
	char *iteration; /* owned; NULL: not asked for */
	char *padding; /* owned; NULL: not asked for */
	size_t padding_n; /* letters of it */
};

/*
 * Take pstat's own environment as it is now, without what a pstat around this one has put there, and
 * make room for these parts, of enum environment_parts. What environ points to has to stay as it is for
 * as long as e is used. 0 or -ENOMEM; e is to be released in any case.
 */
int environment_init(struct environment *e, unsigned int parts);

/* For the next run: its number, and 0 … ENVIRONMENT_PADDING_MAX letters; each where it was asked for. */
void environment_set(struct environment *e, size_t iteration, size_t padding_n);

void environment_release(struct environment *e);

#endif
