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

#endif
