/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count/environment.h"

#define ITERATION "PSTAT_ITERATION="
#define PADDING "PSTAT_PADDING="

enum {
	ITERATION_SIZE = sizeof(ITERATION) + 20, /* the digits of 64 bits */
	PADDING_SIZE = sizeof(PADDING) + ENVIRONMENT_PADDING_MAX,
};

static bool is_ours(const char *variable)
{
	return strncmp(variable, ITERATION, strlen(ITERATION)) == 0 ||
	       strncmp(variable, PADDING, strlen(PADDING)) == 0;
}

int environment_init(struct environment *e, unsigned int parts)
{
	size_t n = 0;

	*e = (struct environment){ 0 };
	while (environ && environ[n])
		n++;
	e->v = calloc(n + 3, sizeof(*e->v));
	if (parts & ENVIRONMENT_ITERATION)
		e->iteration = calloc(1, ITERATION_SIZE);
	if (parts & ENVIRONMENT_PADDING)
		e->padding = calloc(1, PADDING_SIZE);
	if (!e->v || (parts & ENVIRONMENT_ITERATION && !e->iteration) ||
	    (parts & ENVIRONMENT_PADDING && !e->padding))
		return -ENOMEM;
	n = 0;
	for (char **variable = environ; variable && *variable; variable++)
		if (!is_ours(*variable))
			e->v[n++] = *variable;
	if (e->iteration)
		e->v[n++] = e->iteration;
	if (e->padding) {
		memset(stpcpy(e->padding, PADDING), 'x', ENVIRONMENT_PADDING_MAX);
		e->v[n++] = e->padding;
	}
	environment_set(e, 0, 0);
	return 0;
}

void environment_set(struct environment *e, size_t iteration, size_t padding_n)
{
	if (e->iteration)
		snprintf(e->iteration, ITERATION_SIZE, ITERATION "%zu", iteration);
	if (!e->padding)
		return;
	e->padding[strlen(PADDING) + e->padding_n] = 'x';
	e->padding[strlen(PADDING) + padding_n] = '\0';
	e->padding_n = padding_n;
}

void environment_release(struct environment *e)
{
	free(e->v);
	free(e->iteration);
	free(e->padding);
	*e = (struct environment){ 0 };
}
