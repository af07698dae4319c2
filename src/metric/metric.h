/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics, and those that perf stat derives for its '#' column (tools/perf/util/stat-shadow.c).
 */
#ifndef PSTAT_METRIC_METRIC_H
#define PSTAT_METRIC_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "stats/summary.h"

struct measure;

/* Each kind has its own number of decimals. */
enum metric_kind {
	METRIC_RATE, /* "0.514 CPUs utilized", "3.201 GHz", "57.358 K/sec" */
	METRIC_RATIO, /* "1.23 insn per cycle" */
	METRIC_PERCENT, /* "2.31% of all branches" */
	METRIC_PERCENT_FINE, /* "12.345 % of all cache refs" */
	METRIC_PART, /* "31.3% Retiring" */
	METRIC_OF_USER, /* "0.0000213 misses": three decimals, a small value has more */
};

/* The limits above which perf highlights a metric. */
enum metric_limits {
	LIMITS_NONE,
	LIMITS_FRONTEND, /* idle cycles of the front end */
	LIMITS_BACKEND,
	LIMITS_MISSES, /* misses of caches and branches */
	LIMITS_N,
};

/* How far a metric is above its limits. */
enum metric_level {
	LEVEL_USUAL,
	LEVEL_RAISED,
	LEVEL_HIGH,
	LEVEL_SEVERE,
};

struct metric {
	enum metric_kind kind;
	enum metric_level level;
	double value;
	const char *unit; /* not owned: a static string, or the name of a metric of -M */
	/* not owned: a unit that stands before the name in perf's forms, such as "%"; NULL: none */
	const char *scale;
	/* of -M, not owned: its values in the runs, see result/measure.h; NULL: it is in perf's
	 * column only */
	const struct measure *measure;
};

/* A count as input of metrics. */
struct metric_input {
	const struct event *event;
	size_t group;
	size_t pass; /* of --no-multiplex: each pass has separate runs */
	bool in_all_passes;
	bool known; /* there is a count */
	bool whole; /* the counter was on the PMU all the time */
	bool user_only; /* the kernel allowed user mode only */
	/* mean over the runs, in the event's own unit: nanoseconds for a clock */
	long double count;
	/* the half-width of its 95 % interval as a share of count; 0: exact; NAN: unknown */
	double error;
};

enum { METRICS_DERIVED_MAX = 2 };

/* The metrics of one event in perf's column. */
struct metric_result {
	struct metric v[METRICS_DERIVED_MAX];
	size_t n;
	bool withheld; /* a ratio is missing: the two counters were not on the PMU together */
};

/* The level of a percentage. */
enum metric_level metric_level(enum metric_limits limits, double percent);

/*
 * Whether a metric may use both counts. They were counted together: in one group, or without
 * multiplexing in the same run. Or they are of the same run, and their errors are known.
 */
bool metric_may_combine(const struct metric_input *a, const struct metric_input *b);

/* Whether the event counts only user mode or only the kernel. A clock always counts all modes. A
 * count of one mode is not divided by a clock: "GHz" would be too small. */
bool metric_is_restricted(const struct metric_input *input);

/*
 * Whether perf shows the ratio of the two, for example of instructions and cycles, or misses and
 * accesses.
 */
bool metric_are_partners(const struct event *a, const struct event *b);

/*
 * The metrics of inputs[i]. Two counts are divided only if both were counted together: in one
 * group, or without multiplexing in the same run. A rate uses the task's own clock, which always
 * runs. elapsed_ns: the mean of the runs; 0: unknown.
 */
struct metric_result metric_derive(const struct metric_input *inputs, size_t n, size_t i,
				   double elapsed_ns);

/* The events of sysfs that count parts of the slots of Intel's cores. NULL: there are fewer. */
const char *metric_slots_event(size_t i);

/* The metric with a fixed unit: a rate is per second, without K, M or G. */
struct metric metric_unprefixed(const struct metric *metric);

/*
 * The units of the metrics that events[i] can have together with these events, for any counts.
 * Rates per second and "CPUs utilized" are left out. Static strings. Returns their number.
 */
enum { METRIC_UNITS_MAX = METRICS_DERIVED_MAX };
size_t metric_units(const struct event *events, size_t n, size_t i,
		    const char *units[METRIC_UNITS_MAX]);

/* The unit of the value as people see it: "%", that of perf's tables, or "". */
const char *metric_shown_unit(const struct metric *metric);

/* The number of decimals: those that perf prints, or as many as the value of a user's metric
 * needs. */
int metric_decimals(const struct metric *metric);

#endif
