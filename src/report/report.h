/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The finished result: every number that a format prints, computed once, and every sample of every
 * run behind it. The formats print what stands here and compute nothing.
 */
#ifndef PSTAT_REPORT_REPORT_H
#define PSTAT_REPORT_REPORT_H

#include <stdio.h>
#include <time.h>

#include "base/num.h"
#include "count/reading.h"
#include "event/event.h"
#include "stats/metric.h"
#include "stats/scale.h"
#include "stats/summary.h"

struct report_row {
	const struct event *event;
	const struct row *row; /* its first, where several are merged */
	struct where where;
	char *name; /* owned: the user's spelling, with what pstat changed of it */
	enum count_state state; /* of the runs together */
	struct summary count; /* over the runs that counted it, in the event's own unit */
	long double value; /* the mean in event->unit */
	int decimals; /* of value */
	double spread_percent; /* the standard error of the mean */
	uint64_t running_ns; /* mean over the runs */
	double running_percent;
	struct metric_result metrics;
};

struct report {
	const char *command; /* the words of the command, joined */
	time_t started;
	const struct run *runs;
	size_t runs_n;
	struct report_row *rows; /* owned */
	size_t rows_n;
	struct summary elapsed_ns, user_ns, system_ns;
	bool null_run; /* no counters were asked for */
	bool ratio_withheld; /* a ratio was left out: its counts were not taken together */
};

/* How to print it. */
struct report_style {
	struct num_style numbers; /* for people; machine formats do not use it */
	const char *separator; /* of fields, for formats that have one */
};

struct report_format {
	const char *name;
	/* 0 or -errno of the write. Formats what the report holds, computes nothing. */
	int (*write)(const struct report *report, const struct report_style *style, FILE *out);
};

extern const struct report_format report_table;
extern const struct report_format report_perf_csv;

/* What the result is made of; all of it has to outlive the report. */
struct report_input {
	const char *command;
	time_t started;
	const struct event_list *events;
	const struct row *rows;
	size_t rows_n;
	const struct run *runs;
	size_t runs_n;
	enum scaling scaling;
	bool null_run;
};

/* 0 or -ENOMEM. */
int report_build(struct report *report, const struct report_input *input);
void report_release(struct report *report);

/* The text that stands for a count that is not there: "<not supported>" or "<not counted>". NULL for
 * one that is. */
const char *report_absent(enum count_state state);

#endif
