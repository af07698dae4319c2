/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events there are: the text of --list. */
#ifndef PSTAT_FORMAT_LISTING_H
#define PSTAT_FORMAT_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "event/event.h"

struct str;

/* An event of the list. */
struct listed {
	const char *name;
	const char *source;
	const char *pmu;
	const char *description; /* "" for none */
	bool present;
	const struct event *encoded; /* resolved; NULL if its encoding is not shown */
};

/* A listing in progress; all zero but out and json at the start. */
struct listing {
	FILE *out;
	bool json; /* one array of objects, one a line; else lines below a heading for each PMU */
	size_t n; /* how many were listed */
	char *pmu; /* owned: the heading they stand under */
};

/* 0 or -errno of the write. */
int listing_add(struct listing *l, const struct listed *event);

/* End the listing. 0 or -errno. */
int listing_end(struct listing *l);

#endif
