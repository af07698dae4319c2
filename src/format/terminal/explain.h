/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of --explain: one event. */
#ifndef PSTAT_FORMAT_TERMINAL_EXPLAIN_H
#define PSTAT_FORMAT_TERMINAL_EXPLAIN_H

#include <stdio.h>

#include "event/event.h"

struct metric_definition;

struct explanation {
	const struct event *event;
	struct perf_event_attr attr; /* as for counting a command */
	const char *group; /* the group's name or number; NULL: the event is not in a group */
	const char *meaning; /* one phrase; "" if it is unknown */
	const char *kernel; /* the kernel's answer to the event */
	bool refused; /* the kernel refused it */
	const char *first_only; /* the reason why new tasks do not inherit it; NULL: they do */
};

enum explain_format {
	EXPLAIN_TEXT, /* a line "key value" for each field; the first ones are for people */
	EXPLAIN_JSON, /* one object with the same fields, on one line */
};

/* Write what an event is. 0 or -errno. */
int explain_write(const struct explanation *e, enum explain_format format, FILE *out);

/* Write what a metric is; its events follow. 0 or -errno. */
int explain_write_metric(const struct metric_definition *metric, enum explain_format format,
			 FILE *out);

#endif
