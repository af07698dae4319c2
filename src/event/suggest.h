/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names nearest to one that nobody knows. */
#ifndef PSTAT_EVENT_SUGGEST_H
#define PSTAT_EVENT_SUGGEST_H

#include <stddef.h>

#include "event/source.h"

struct str;

/*
 * Append at most three names of the sources' events that are nearest to the n bytes at name, or are called
 * so elsewhere: "'a', 'b' or 'c'"; nothing where no name is near. 0 or -ENOMEM.
 */
int suggest(const struct machine *m, const struct event_source *const *sources, size_t sources_n,
	    const char *name, size_t n, struct str *out);

/*
 * The edit distance of two names (optimal string alignment: insert, delete, replace, swap
 * neighbours), in tenths: another letter costs 10; case, and which of "_-.:" stands, 1; an 's' at
 * the end 2. At most limit + 1: a greater distance is not told apart.
 */
unsigned int suggest_distance(const char *a, size_t a_n, const char *b, size_t b_n,
			      unsigned int limit);

#endif
