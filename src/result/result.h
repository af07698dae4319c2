/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The finished result: every number that a format prints, computed once, with all readings of all
 * runs. Formats print these numbers and compute nothing.
 */
#ifndef PSTAT_RESULT_RESULT_H
#define PSTAT_RESULT_RESULT_H

#include "base/num.h"
#include "count/reading.h"
#include "event/event.h"
#include "metric/metric.h"
#include "result/series.h"
#include "stats/summary.h"

struct result_row {
	const struct event *event;
	const struct row *row; /* its first, where several are merged */
	const struct place *place; /* of its rows */
	const struct opening *opening; /* of its event */
	char *name; /* owned: the user's spelling, with what pstat changed of it */
	enum count_state state; /* of the runs together */
	struct summary
		count; /* over the runs that counted it, in the event's own unit; with median */
	size_t runs_n; /* in which it was to be counted */
	struct summary in_unit; /* the same in event->unit */
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

/* How long one run of several took. */
struct result_time {
	uint64_t elapsed_ns;
	double over_ns; /* than the mean; negative where it took less */
	double over_percent; /* of elapsed_ns */
};

/* The result of a series, or of one of its intervals. */
struct result {
	const struct series *series; /* has to outlive the result */
	const struct interval *interval; /* of -I: this one alone; NULL: the whole series */
	const struct run *runs; /* of the series, or the run of the interval */
	size_t runs_n;
	char *command; /* owned: the command with its arguments, or what was counted in its place */
	struct result_row *rows; /* owned */
	size_t rows_n;
	struct summary elapsed_ns, user_ns, system_ns; /* over the runs, with median */
	struct result_time *times; /* owned: one for each run */
	bool has_cgroups; /* some event is counted in a cgroup */
	bool is_series; /* of several measurements: counts have a spread */
	bool ratio_withheld; /* a ratio was left out: its counts were not taken together */
	struct withheld *withheld; /* owned: the metrics of -M that were left out, each once */
	size_t withheld_n;
};

/* interval: the part of the series; NULL: all of it. 0 or -ENOMEM. */
int result_build(struct result *result, const struct series *series,
		 const struct interval *interval);
void result_release(struct result *result);

/*
 * What the row of an event is called: as the event, with perf's mark where it was narrowed to user
 * mode. To be freed; NULL: out of memory.
 */
char *result_row_name(const struct event *event, const struct opening *opening);

/* The value of one of the result's rows in the run of that index. */
struct series_value result_value(const struct result *result, const struct result_row *row,
				 size_t run);

/* The number of runs whose max_rss may be that of pstat, see max_rss_floor_kib. */
size_t result_floors(const struct result *result);

/*
 * The text in place of a missing count: "<not supported>" or "<not counted>". NULL
 * for one that is.
 */
const char *result_absent(enum count_state state);

/*
 * The metric of that unit in each run, at a row of the result. The result itself has the metric of the
 * mean counts (the ratio of means); tests need the runs. values: one number for each run; a NAN is
 * replaced if the run has a value, other numbers are kept. 0 or -ENOMEM.
 */
int result_metric_by_run(const struct result *result, const struct result_row *row,
			 const char *unit, double *values);

#endif
