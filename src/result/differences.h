/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences between two results in how they were measured. They may explain why the counts
 * differ. */
#ifndef PSTAT_RESULT_DIFFERENCES_H
#define PSTAT_RESULT_DIFFERENCES_H

#include <stddef.h>

#include "base/str.h"
#include "result/series.h"
#include "result/table.h"

/* All strings are owned. */
struct difference {
	char *what; /* "kernel", "event slow" */
	char *reference, *other; /* the two values, for people */
};

/* All zero is an empty list. */
struct differences {
	struct difference *v; /* owned */
	size_t n, size;
};

/*
 * Append the facts that both results know and that differ: the machine, the settings, and the
 * meaning of the event and metric names that both results have. Returns 0 or -ENOMEM. The caller
 * releases the list in either case.
 */
int differences_find(struct differences *list, const struct table *reference,
		     const struct table *other);

/* Append what an event counts, apart from its name: "cpu/config=0x3c/ exclude_kernel". */
void differences_add_event(struct str *text, const struct event *event,
			   const struct opening *opening);

void differences_release(struct differences *list);

#endif
