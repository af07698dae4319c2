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
#include "stats/metric_list.h"
#include "stats/scale.h"
#include "stats/summary.h"

struct report_row {
	const struct event *event;
	const struct row *row; /* its first, where several are merged */
	const struct opening *opening; /* of its event */
	char *name; /* owned: the user's spelling, with what pstat changed of it */
	enum count_state state; /* of the runs together */
	struct summary count; /* over the runs that counted it, in the event's own unit */
	size_t runs_n; /* in which it was to be counted */
	long double value; /* the mean in event->unit */
	int decimals; /* of value */
	double spread_percent; /* the standard error of the mean */
	uint64_t running_ns; /* mean over the runs */
	double running_percent;
	bool too_short; /* it ran for less than --min-running in some run, which is not counted */
	struct metric_result metrics;
};

/* A metric of -M that has no value somewhere. */
struct withheld {
	const char *metric;
	enum { WITHHELD_ABSENT, WITHHELD_APART, WITHHELD_UNDEFINED } reason;
	const char *
		event; /* that has no count, or was not counted together with the first; else NULL */
};

struct report {
	const char *subject; /* what was counted: "'CMD ARG'", "'system wide'", "process id '1'" */
	time_t started;
	const struct run *runs;
	size_t runs_n;
	struct report_row *rows; /* owned */
	size_t rows_n;
	struct summary elapsed_ns, user_ns, system_ns;
	enum where_kind split;
	bool has_cgroups; /* some event is counted in a cgroup */
	size_t passes_n; /* how many runs one measurement takes; 0: no question of that */
	bool is_series; /* of several measurements: counts have a spread */
	bool has_usage; /* user_ns and system_ns are known: a command was counted */
	bool is_block; /* of -I: an interval alone, that ended at at_ns */
	uint64_t at_ns;
	bool null_run; /* no counters were asked for */
	bool ratio_withheld; /* a ratio was left out: its counts were not taken together */
	struct withheld *withheld; /* owned: the metrics of -M that were left out, each once */
	size_t withheld_n;
};

/* How to print it. */
struct report_style {
	struct num_style numbers; /* for people; machine formats do not use it */
	const char *separator; /* of fields, for formats that have one */
	bool header; /* of blocks: name the columns before this one */
	bool is_summary; /* what follows the blocks of -I */
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
	const char *subject;
	time_t started;
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	const struct row *rows; /* place by place one for each event */
	size_t rows_n;
	enum where_kind split;
	bool only_counted; /* leave out the rows without a count */
	const size_t *passes; /* of each group, see struct opener; NULL: one pass */
	size_t passes_n;
	const struct run *runs;
	size_t runs_n;
	const struct block *block; /* of -I, and then its run is the only one; else NULL */
	enum scaling scaling;
	double min_running; /* percent */
	const struct metric_request_list *metrics; /* of -M; NULL for none */
	const size_t *metric_events; /* of each metric in turn: the indices of its events */
	size_t cgroups_n; /* the events are repeated for each of so many cgroups; 1 where not */
	double cpus; /* how many are counted, or are online */
	bool has_usage;
	bool null_run;
};

/* 0 or -ENOMEM. */
int report_build(struct report *report, const struct report_input *input);
void report_release(struct report *report);

/* The text that stands for a count that is not there: "<not supported>" or "<not counted>". NULL for
 * one that is. */
const char *report_absent(enum count_state state);

#endif
