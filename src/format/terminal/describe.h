/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of --explain and of --list: what an event is, and the names of events. */
#ifndef PSTAT_FORMAT_TERMINAL_DESCRIBE_H
#define PSTAT_FORMAT_TERMINAL_DESCRIBE_H

#include <stdio.h>

#include "base/json.h"
#include "event/event.h"

struct metric_definition;

enum describe_format {
	/* of --explain: a line "key value" for each field that people need. Of --list: a line for
	 * each event, with a heading for each PMU */
	DESCRIBE_TEXT,
	/* of --explain: a line for each field */
	DESCRIBE_ALL,
	/* of --explain: one object with the same fields, on one line. Of --list: an array with an
	 * object on each line */
	DESCRIBE_JSON,
};

/* ---- --explain. */

struct explanation {
	const struct event *event;
	struct perf_event_attr attr; /* as for counting a command */
	const char *group; /* the group's name or number; NULL: the event is not in a group */
	const char *meaning; /* one phrase; "" if it is unknown */
	const char *kernel; /* the kernel's answer to the event */
	bool refused; /* the kernel refused it */
	const char *first_only; /* the reason why new tasks do not inherit it; NULL: they do */
	int columns; /* of the terminal that shows the text; 0: lines have any length */
};

/* Write what an event is. 0 or -errno. */
int describe_event(const struct explanation *e, enum describe_format format, FILE *out);

/* A metric. Members that are NULL are left out. */
struct described_metric {
	const char *name, *meaning, *groups, *expression, *threshold;
	size_t counters; /* that it needs at once; 0: none, or unknown */
	const char *here; /* whether it can be counted; "": unknown */
};

/* Write what a metric is; its events follow. 0 or -errno. */
int describe_metric(const struct described_metric *metric, enum describe_format format, FILE *out);

/* ---- --list. */

/* One event. */
struct listed {
	const char *name;
	const char *source;
	const char *pmu;
	const char *description; /* "" if there is none */
	bool present;
	const struct event *encoded; /* resolved; NULL: its encoding is not shown */
};

/* A listing in progress, see describe_list_begin(). */
struct listing {
	struct json_out json; /* its text also takes the lines of DESCRIBE_TEXT */
	enum describe_format format;
	size_t n; /* the number of events so far */
	char *pmu; /* owned: the PMU of the last heading */
};

/* describe_list_end() must follow. */
void describe_list_begin(struct listing *l, FILE *out, enum describe_format format);

/* 0 or -errno of the write. */
int describe_list_add(struct listing *l, const struct listed *event);

/* Write the end, and release l. 0 or -errno. */
int describe_list_end(struct listing *l);

#endif
