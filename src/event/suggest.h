/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggestions for a name that no source knows. */
#ifndef PSTAT_EVENT_SUGGEST_H
#define PSTAT_EVENT_SUGGEST_H

#include <stddef.h>

#include "event/source.h"

struct str;

/*
 * Append the names of at most three events whose names are nearest to the n bytes at name: "'a',
 * 'b' or 'c'". The names that other tools have for an event are compared, too. Append nothing if no
 * name is near. 0 or -ENOMEM.
 */
int suggest_names(const struct machine *m, const struct event_source *const *sources,
		  size_t sources_n, const char *name, size_t n, struct str *out);

/*
 * The edit distance of two names in tenths (optimal string alignment: insert, delete, replace, swap
 * neighbours). A different letter costs 10; upper or lower case, or another one of the separators
 * "_-.:", costs 1; an 's' at the end costs 2. The result is limit + 1 for all greater distances.
 */
unsigned int suggest_distance(const char *a, size_t a_n, const char *b, size_t b_n,
			      unsigned int limit);

#endif
