/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that --list prints, as text or as JSON. */
#ifndef PSTAT_FORMAT_TERMINAL_LISTING_H
#define PSTAT_FORMAT_TERMINAL_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "event/event.h"

/* One event. */
struct listed {
	const char *name;
	const char *source;
	const char *pmu;
	const char *description; /* "" if there is none */
	bool present;
	const struct event *encoded; /* resolved; NULL: its encoding is not shown */
};

enum listing_format {
	LISTING_TEXT, /* lines, with a heading for each PMU */
	LISTING_JSON, /* an array with an object on each line */
};

/* A listing in progress, see listing_begin(). */
struct listing {
	FILE *out;
	struct json_out json; /* only for LISTING_JSON */
	enum listing_format format;
	size_t n; /* the number of events so far */
	char *pmu; /* owned: the PMU of the last heading */
};

/* listing_end() must follow. */
void listing_begin(struct listing *l, FILE *out, enum listing_format format);

/* 0 or -errno of the write. */
int listing_add(struct listing *l, const struct listed *event);

/* Write the end, and release l. 0 or -errno. */
int listing_end(struct listing *l);

#endif
