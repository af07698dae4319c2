/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures that perf stat derives for the column behind '#' (tools/perf/util/stat-shadow.c), from
 * counts that may be divided by one another. */
#ifndef PSTAT_METRIC_METRIC_H
#define PSTAT_METRIC_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

/* What a metric is: each kind has its own number of decimals. */
enum metric_kind {
	METRIC_RATE, /* "0.514 CPUs utilized", "3.201 GHz", "57.358 K/sec" */
	METRIC_RATIO, /* "1.23 insn per cycle" */
	METRIC_PERCENT, /* "2.31% of all branches" */
	METRIC_PERCENT_FINE, /* "12.345 % of all cache refs" */
};

/* The limits beyond which perf has a figure stand out; each kind of figure has its own. */
enum metric_limits {
	LIMITS_NONE,
	LIMITS_FRONTEND, /* of cycles that the front end was idle */
	LIMITS_BACKEND,
	LIMITS_MISSES, /* of caches, branches */
	LIMITS_N,
};

/* How far beyond its limits a figure is. */
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
	const char *unit; /* not owned: a static string, or the name that -M gave it */
};

/* A count, as the metrics need it. */
struct metric_input {
	const struct event *event;
	size_t group;
	size_t pass; /* of --no-multiplex: counts of different ones are of different runs */
	bool in_all_passes;
	bool known; /* there is a count */
	bool whole; /* it was on the PMU all the time */
	long double
		count; /* mean over the runs, in the event's own unit: nanoseconds for a clock */
};

enum { METRICS_MAX = 8 }; /* of one event: two of perf's, and what -M adds */

/* What the metrics of one event came to. */
struct metric_result {
	struct metric v[METRICS_MAX];
	size_t n;
	bool withheld; /* there is a partner, and the two were not on the PMU together */
};

/* Where a figure in percent stands. */
enum metric_level metric_level(enum metric_limits limits, double percent);

/* Whether the two counts were taken together: in one group, or both all the time, in the same run. */
bool metric_together(const struct metric_input *a, const struct metric_input *b);

/* Whether a ratio is formed of the two events: instructions and cycles, misses and what they are of. */
bool metric_are_partners(const struct event *a, const struct event *b);

/*
 * The metrics of inputs[i]. A ratio of two counts is formed only of counts that were on the PMU
 * together: of one group, or both all the time. A rate is by the task's own clock, which always runs.
 * elapsed_ns: mean over the runs, 0 where unknown.
 */
struct metric_result metric_derive(const struct metric_input *inputs, size_t n, size_t i,
				   double elapsed_ns);

/* The same in a unit that does not depend on how large it is: a rate per second without K, M or G. */
struct metric metric_unprefixed(const struct metric *metric);

/*
 * The units of the metrics that events[i] may have beside events, whatever they count: those behind a
 * name, not rates per second and CPUs utilized. Static strings; how many there are.
 */
enum { METRIC_UNITS_MAX = 2 };
size_t metric_units(const struct event *events, size_t n, size_t i,
		    const char *units[METRIC_UNITS_MAX]);

/* How many decimals perf prints of such a metric. */
int metric_decimals(enum metric_kind kind);

#endif
