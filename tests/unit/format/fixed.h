/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of counting that are always the same, for tests of what prints or saves them: their counts
 * stand in the code, and none of them was measured. */
#ifndef PSTAT_UNIT_REPORT_FIXED_H
#define PSTAT_UNIT_REPORT_FIXED_H

#include "event/event.h"
#include "format/format.h"
#include "result/result.h"

enum { FIXED_METRIC_EVENTS_MAX = 16 };

struct fixed {
	struct event_list events;
	struct opening *openings; /* owned: one for each event */
	struct row *rows; /* owned, with their labels: place by place one for each event */
	size_t places_n;
	struct run *runs; /* owned */
	struct interval *intervals; /* owned; NULL: no -I */
	struct metric_request_list metrics;
	size_t metric_events[FIXED_METRIC_EVENTS_MAX];
	struct result_input input; /* of all of it; with intervals, of what follows them */
};

struct fixed_result {
	const char *name;
	void (*make)(struct fixed *f);
};

/* Ends in one whose name is NULL. */
extern const struct fixed_result fixed_result[];

/* Make one of them, to be released. The test fails where it cannot. */
void fixed_make(struct fixed *f, const struct fixed_result *result);
void fixed_release(struct fixed *f);

/* What the i-th block alone is made of. */
struct result_input fixed_interval(const struct fixed *f, size_t i);

/*
 * Print it as pstat would, blocks as they come and then the rest: the text, to be freed. Of style, what
 * is said of headers and summaries is set here.
 */
char *fixed_print(const struct fixed *f, const struct format *format, struct format_style style);

#endif
