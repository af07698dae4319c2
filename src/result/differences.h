/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What two results were measured differently in: a difference of their counts may be of that. */
#ifndef PSTAT_RESULT_DIFFERENCES_H
#define PSTAT_RESULT_DIFFERENCES_H

#include "result/result.h"

/* All strings are owned. */
struct difference {
	char *what; /* "kernel", "event slow" */
	char *reference, *other; /* its two values, as a person reads them */
};

/* All zero is none. */
struct differences {
	struct difference *v; /* owned */
	size_t n, size;
};

/*
 * Append what is known of both and is not the same: where and of what they were measured, and what stands
 * behind the names of events and metrics that both have. What only one of them says is no difference. 0 or
 * -ENOMEM. To be released in any case.
 */
int differences_find(struct differences *list, const struct result *reference,
		     const struct result *other);

void differences_release(struct differences *list);

#endif
