/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The finished result: every number that a format prints, computed once, and the readings of all
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

struct result_metrics {
	struct metric *v; /* owned */
	size_t n, size;
};

struct result_row {
	const struct event *event;
	size_t index; /* of row in the rows of the series */
	const struct row *row; /* the first row, if several are merged */
	const struct place *place; /* the place of row */
	const struct opening *opening; /* the opening of event */
	char *name; /* owned: the name that the user wrote, with the modifiers that pstat added */
	enum count_state state; /* of all runs together */
	struct summary count; /* over the runs with a count, in the event's own unit; with median */
	size_t runs_n; /* the runs that should have counted it */
	struct summary in_unit; /* the same in event->unit */
	long double value; /* the mean in event->unit */
	long double truncated; /* the mean of the counts, of which each scaled one is truncated */
	int decimals; /* of value */
	double spread_percent; /* the standard error of the mean */
	/* The estimator of the runs; ESTIMATOR_MODEL if the counts of some sampled runs have an
	 * interval. */
	enum estimator estimator;
	bool sampled; /* every scaled run was sampled, so an interval was asked for */
	long double half_width; /* of the 95 % interval around value; 0: exact; NAN: unknown */
	double estimate_error; /* the part of half_width due to the estimates alone; NAN: unknown */
	struct series_bounds bounds; /* of value; known only if there is a value */
	uint64_t running_ns; /* mean over the runs */
	double running_percent;
	bool too_short; /* some run is left out: the counter ran for less than --min-running */
	struct result_metrics metrics; /* of perf's column, then the others of -M */
};

/* A metric of -M without a value at some place. */
struct withheld {
	const char *metric;
	enum { WITHHELD_ABSENT, WITHHELD_APART, WITHHELD_MODE, WITHHELD_UNDEFINED } reason;
	const char *event; /* the event that is the cause; NULL: none */
};

/* The time of one run, compared with the mean of the runs. */
struct result_time {
	uint64_t elapsed_ns;
	double over_ns; /* longer than the mean; negative: shorter */
	double over_percent; /* of elapsed_ns */
};

/* The result of a series, or of one of its intervals. */
struct result {
	const struct series *series; /* has to outlive the result */
	const struct interval *interval; /* of -I: only this interval; NULL: the whole series */
	const struct run *runs; /* of the series, or the run of the interval */
	size_t runs_n;
	char *command; /* owned: the command with its arguments, or another target */
	struct result_row *rows; /* owned */
	size_t rows_n;
	struct summary elapsed_ns, user_ns, system_ns; /* over the runs, with median */
	struct result_time *times; /* owned: one for each run */
	bool has_cgroups; /* some event is counted in a cgroup */
	/* The max_rss of some run may be that of pstat, see max_rss_floor_kib. It is then unknown
	 * in every run, because leaving out only the low values would bias the mean. */
	bool max_rss_unknown;
	bool is_series; /* there are several measurements, so counts have a spread */
	bool ratio_withheld; /* a ratio was left out: its two events were not counted together */
	struct withheld *withheld; /* owned: the metrics of -M that were left out, each once */
	size_t withheld_n;
};

/* interval: the part of the series; NULL: all of it. 0 or -ENOMEM. */
int result_build(struct result *result, const struct series *series,
		 const struct interval *interval);
void result_release(struct result *result);

/*
 * The name of an event's row: the name of the event, with the modifier u if the event was
 * restricted to user mode. The caller frees it. NULL: out of memory.
 */
char *result_row_name(const struct event *event, const struct opening *opening);

/* The half-width in percent of the value; NAN: unknown, or the value is 0. */
double result_error_percent(const struct result_row *row);

/* The number of decimals that people see in a half-width in percent. */
enum { RESULT_ERROR_DECIMALS = 1 };

/* A half-width in percent, as it is shown: never rounded down to 0. */
double result_least_shown(double percent);

/* The half-width in percent of the value, as people see it: never rounded down to 0, because an
 * estimate is not exact. 0: unknown. */
double result_shown_error(const struct result_row *row);

/* The value of a row of the result in one run. run: index into result->runs. */
struct series_value result_value(const struct result *result, const struct result_row *row,
				 size_t run);

/* The number of runs whose max_rss may be that of pstat, see max_rss_floor_kib. */
size_t result_floors(const struct result *result);

/*
 * The text in place of a missing count: "<not supported>" or "<not counted>". NULL if the count is
 * not missing.
 */
const char *result_absent(enum count_state state);

/* The decimals of a row's value for people: a small mean that is not whole needs two. */
int result_shown_decimals(const struct result_row *row);

/* The value of a row as perf prints it: the scaled count of each run is truncated. */
long double result_perf_value(const struct result_row *row);

/* A metric of -M in one run. */
struct metric_value {
	double value; /* NAN: there is none */
	double error; /* as in struct metric */
};

/* The 95 % interval around the value of a metric with this error. */
struct series_bounds result_metric_bounds(double value, double error);

/* How the value of a metric with this error was computed: exact, from estimates, or scaled. */
enum estimator result_metric_estimator(double error);

/*
 * The values in each run of the metric of -M with this name at the row. Statistical tests need
 * them, because the value of struct metric is computed from the mean counts (the ratio of means).
 * values: one for each run. A NAN is replaced if the run has a value; other values do not change. 0
 * or -ENOMEM.
 */
int result_metric_by_run(const struct result *result, const struct result_row *row,
			 const char *name, struct metric_value *values);

/* The multiplexed counts of a metric of -M, which are all estimates. */
struct metric_estimates {
	size_t n; /* 0: the metric is exact */
	bool unbounded; /* one of them has no interval */
	double error; /* of the last one: estimate_error as a share of value; NAN: unknown */
};

/* Add the estimates of the metric with this name, which is at the row. */
void result_metric_estimates(const struct result *result, const struct result_row *row,
			     const char *name, struct metric_estimates *estimates);

#endif
