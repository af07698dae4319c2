/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A measure: a named quantity with its value in each run. It is the only thing that pstat prints,
 * compares, exports and keeps in a history: a count of an event, a metric of -M, or what pstat
 * itself measures of each run.
 *
 * A table (result/table.h) builds and owns measures. All numbers are computed there, once; formats
 * compute nothing.
 */
#ifndef PSTAT_RESULT_MEASURE_H
#define PSTAT_RESULT_MEASURE_H

#include <math.h>

#include "count/reading.h"
#include "event/event.h"
#include "metric/metric.h"
#include "metric/metric_list.h"
#include "result/series.h"
#include "stats/summary.h"

struct str;

enum measure_kind {
	OF_EVENT,
	OF_METRIC, /* of -M */
	OF_RUN, /* what pstat itself measures of a run, see enum tool_event */
};

/* Which direction of a change is better. */
enum better {
	BETTER_LESS, /* counts and times */
	BETTER_MORE, /* instructions per cycle, a frequency */
};

struct measure {
	enum measure_kind kind;
	char *name; /* owned: as the user wrote it, with the modifiers that pstat added */
	const char *unit; /* "" for a plain number */
	/* converts counts to unit, above 0: 1e-6 for a clock, counted in ns and shown in msec */
	double factor;
	const struct place *place; /* its label is "" for the whole target */
	const char *cgroup; /* NULL: none */
	size_t copy; /* how many earlier measures have the same name, place and cgroup */

	struct series_value *runs; /* owned by the table: one for each of its runs */
	size_t runs_n; /* the runs that should have a value */
	enum count_state state; /* of all runs together */
	struct summary summary; /* over the runs with a value, in unit; with median */
	/* The mean of the runs, in unit. A metric is computed from the mean counts instead. Ignore
	 * value and its intervals if summary.n is 0. */
	long double value;
	int decimals; /* of value */
	enum better better;
	/* The estimator of the runs; ESTIMATOR_MODEL if the counts of some sampled runs have an
	 * interval. */
	enum estimator estimator;
	long double half_width; /* of the 95 % interval around value; 0: exact; NAN: unknown */
	/* The part of half_width due to the estimates alone. NAN: unknown. 0 for a metric of
	 * several estimates: its events were on the PMU together, so their errors largely cancel.
	 */
	double estimate_error;
	struct series_bounds bounds; /* value ± half_width; known only if there is a value */
	const struct rank_summary *ranks; /* NULL: not of the ranks of a job, or a metric */

	/* Results of equal commands and options list the same measures. Of what pstat itself
	 * measures, only times and max_rss are listed, unless they were not measured or are an
	 * event. */
	bool listed;
	enum tool_event tool; /* OF_RUN, and of an event that pstat itself measures */

	/* ---- OF_METRIC */
	const struct metric_request *metric;
	bool defined; /* the mean counts give a value */
	enum metric_level level; /* of value, if it is defined */

	/* ---- OF_EVENT */
	const struct event *event; /* of a metric: the event at which it is shown */
	size_t index; /* of row in the rows of the series */
	const struct row *row; /* the first row, if several are merged */
	size_t counters; /* the number of tasks or CPUs, see series_counters() */
	const struct opening *opening; /* of event */
	struct summary count; /* like summary, in the event's own unit */
	long double truncated; /* the mean of the counts, of which each scaled one is truncated */
	double spread_percent; /* the standard error of the mean, in percent of the mean */
	bool shows_error; /* scaled; the half-width is shown, or ± ? if it is unknown */
	uint64_t running_ns; /* mean over the runs */
	double running_percent;
	bool too_short; /* some run is left out: the counter ran for less than --min-running */
	/* perf's column: METRICS_DERIVED_MAX derived ones, then those of -M. A metric that is both
	 * is listed once. */
	struct metric *metrics; /* owned */
	size_t metrics_n, metrics_size;
};

/* Whether the value is an estimate without an interval. */
static inline bool measure_is_unbounded(const struct measure *m)
{
	return m->state == SCALED && !m->bounds.known;
}

/* How a value that is not a reading was computed: exact, from estimates, or scaled. */
static inline enum estimator measure_estimator(enum count_state state, double half_width)
{
	if (state != SCALED)
		return ESTIMATOR_EXACT;
	return isnan(half_width) ? ESTIMATOR_SCALING : ESTIMATOR_MODEL;
}

/*
 * The name of an event: as the user wrote it, with the modifier u if the event was restricted to
 * user mode. The caller frees it. NULL: out of memory.
 */
char *measure_event_name(const struct event *event, const struct opening *opening);

/* Append the name with the place, the cgroup and, for a copy, its number: "cs CPU0 web #2". */
void measure_add_name(struct str *out, const struct measure *m);

/* The mean over the runs. For a metric, m->value is another number: that of the mean counts. */
static inline long double measure_mean(const struct measure *m)
{
	return m->metric && m->summary.n > 0 ? m->summary.mean : m->value;
}

/* An interval around measure_mean() with the relative width of m->bounds. */
struct series_bounds measure_bounds_of_mean(const struct measure *m);

/* The standard error of the mean in percent of the value. */
double measure_spread_percent(const struct measure *m);

/* Whether there is a finite value. */
bool measure_is_known(const struct measure *m);

/* The 95 % interval around measure_mean(), from the spread of the runs or, if there is one run,
 * from its estimate. Unknown for one exact run. */
struct series_bounds measure_interval(const struct measure *m);

/* The half-width in percent of the value; NAN: unknown, or the value is 0. */
double measure_error_percent(const struct measure *m);

/* The number of decimals that people see in a half-width in percent. */
enum { MEASURE_ERROR_DECIMALS = 1 };

/* The half-width in percent of the value, as people see it: never rounded down to 0, because an
 * estimate is not exact. 0: unknown. */
double measure_shown_error(const struct measure *m);

/*
 * The text in place of a missing count: "<not supported>" or "<not counted>". NULL if the count is
 * not missing.
 */
const char *measure_absent(enum count_state state);

/* The decimals of an event's value for people: a small mean that is not whole needs two. */
int measure_shown_decimals(const struct measure *m);

/* The value of an event as perf prints it: the scaled count of each run is truncated. */
long double measure_perf_value(const struct measure *m);

#endif
