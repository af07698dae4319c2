/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of --list: all events. */
#ifndef PSTAT_FORMAT_TERMINAL_LISTING_H
#define PSTAT_FORMAT_TERMINAL_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "event/event.h"

struct str;

/* One event. */
struct listed {
	const char *name;
	const char *source;
	const char *pmu;
	const char *description; /* "" if there is none */
	bool present;
	const struct event *encoded; /* resolved; NULL: its encoding is not shown */
};

/* A listing in progress. Set out and json, and the rest to zero. */
struct listing {
	FILE *out;
	/* an array with an object on each line; otherwise lines, with a heading for each PMU */
	bool json;
	size_t n; /* the number of events so far */
	char *pmu; /* owned: the PMU of the last heading */
};

/* 0 or -errno of the write. */
int listing_add(struct listing *l, const struct listed *event);

/* Write the end. 0 or -errno. */
int listing_end(struct listing *l);

#endif
