/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an event is: the text of --explain. */
#ifndef PSTAT_FORMAT_EXPLAIN_H
#define PSTAT_FORMAT_EXPLAIN_H

#include <stdio.h>

#include "event/event.h"

struct explanation {
	const struct event *event;
	struct perf_event_attr attr; /* as it is opened for a command */
	const char *group; /* the group's name or place; NULL for an event alone */
	const char *kernel; /* what the kernel says to it */
	bool refused; /* the kernel refuses it */
	const char *first_only; /* why new tasks do not inherit it; NULL: they do */
};

enum explain_format {
	EXPLAIN_TEXT, /* one "key value" line for each field, the last one in words */
	EXPLAIN_JSON, /* one object of the same fields, on one line */
};

/* 0 or -errno. */
int explain_write(const struct explanation *e, enum explain_format format, FILE *out);

#endif
