/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A series: the runs of one command, or the periods in which a target was counted. It is plain
 * data, without derived numbers. run/ adds the runs, document/ reads and writes series, and
 * table_build() computes the measures.
 *
 * series_value() is the only way from readings to a number: merging, scaling, the minimum running
 * time and the unit. The stopping rule, the progress line, results and comparisons all use it, so
 * that they cannot disagree.
 */
#ifndef PSTAT_RESULT_SERIES_H
#define PSTAT_RESULT_SERIES_H

#include <time.h>

#include "base/str.h"
#include "count/reading.h"
#include "event/event.h"
#include "metric/metric_list.h"
#include "stats/scale.h"

struct metric_request_list;

/* ---- Where a result comes from: the command, the machine and the version of pstat. */

/* The maximum number of ranks of a job. */
enum { RANKS_MAX = 1 << 24 };

/* A setting that some machines do not have or do not show. */
struct known_int {
	bool known;
	int value; /* 0 or 1 for a switch */
};

/* All strings are owned; NULL: unknown. All zero: nothing is known. */
struct provenance {
	char *pstat; /* version */
	char *libpfm4; /* version; NULL: it was not loaded */
	bool has_seed;
	uint64_t seed; /* of the random order of runs */
	struct str_list argv; /* the command's arguments; none: there was no command */
	char *cwd; /* may hold any bytes */
	char *job; /* of the launcher that has started pstat; may hold any bytes */
	struct known_int rank, ranks; /* in the job; the number of ranks of the job */
	int zone_s; /* local time minus UTC at the start, in seconds */
	char *host; /* uname -n */
	char *kernel; /* uname -r */
	char *machine; /* uname -m */
	char *cpu_model;
	char *cpus_online; /* "0-3,7" */
	struct str_list pmus;
	struct str_list governors; /* of the CPUs' frequency, without duplicates */
	struct known_int turbo; /* CPUs may exceed their nominal frequency */
	struct known_int aslr; /* kernel.randomize_va_space */
	struct known_int paranoid; /* kernel.perf_event_paranoid */
};

/* ---- What was measured. */

/* The parameters of -L that a command has, in the order of -L; or labels, in the order of --label.
 * All zero: none. */
struct series_parameters {
	struct str_list names, values; /* as many values as names */
};

enum rank_number {
	RANK_SUM,
	RANK_MIN,
	RANK_MEDIAN,
	RANK_MAX,
	RANK_IMBALANCE, /* max / mean */
	RANK_NUMBERS,
};

/* The values of a measure over the ranks of a job. */
struct rank_summary {
	double v[RANK_NUMBERS]; /* in the unit of the measure; negative: unknown */
	char *largest; /* owned: the name of the rank with the largest value; NULL: no value */
};

/* The times and the peak memory also have a distribution: TOOL_DURATION_TIME to TOOL_MAX_RSS. */
enum { RANK_TIMES_N = TOOL_MAX_RSS };

/* All zero: the series is not of several ranks. */
struct series_ranks {
	size_t n;
	struct rank_summary *v; /* owned: for each row of the series, then for the times */
	size_t v_n;
};

/* All zero is valid for series_release(). */
struct series {
	/*
	 * The events and places to count. The session, or the loaded document, owns this part,
	 * which has to outlive the series. All sides of a running comparison share it.
	 */
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	const struct place *places; /* in the order of the rows */
	const struct row *rows; /* place by place, one for each event */
	size_t rows_n;
	const size_t *passes; /* the pass of each group, see struct opener; NULL: one pass */
	const struct metric_request_list *metrics; /* of -M; NULL for none */
	const struct provenance *provenance; /* NULL: unknown */
	const struct series_parameters *parameters; /* NULL: none */
	const struct series_ranks
		*ranks; /* the series is their sum; NULL: it is not that of a job */
	const struct series_parameters *labels; /* of --label; NULL: none */

	/* What was measured. */
	const char *subject; /* owned: "'CMD ARG'", "'system wide'", "process id '1'" */
	time_t started;
	uint32_t started_ns; /* nanoseconds to add to started */
	struct run *runs; /* owned, with their readings */
	size_t runs_n, runs_size;
	struct interval *intervals; /* owned, with their readings: those of -I that are kept */
	size_t intervals_n, intervals_size;

	/* The settings on which readings or the result depend. */
	enum place_kind split;
	enum scaling scaling;
	bool no_error; /* the errors of scaled counts are not shown */
	double min_running; /* percent */
	size_t passes_n; /* the number of runs of one measurement; 0: without --no-multiplex */
	size_t cgroups_n; /* the number of cgroups, each with all events; at least 1 */
	double cpus; /* the number of CPUs that are counted or online */
	/*
	 * The largest max_rss_floor_kib of the runs. The max_rss of a run that does not exceed it
	 * is unknown, and a comparison then leaves out the side's max_rss. 0: unknown.
	 */
	uint64_t max_rss_floor_kib;
	unsigned int interval_ms; /* of -I; 0: none */
	bool summary_asked; /* a summary is shown after the intervals */
	bool topdown; /* --topdown: the table shows only metrics */
	bool only_counted; /* leave out the rows without a count */
	bool has_usage; /* user and system time are known: a command was counted */
	bool null_run; /* no counters were requested */
};

/* More places were found: make room for their rows in the runs. These runs count 0 in them. The
 * pointers replace those of the series. 0 or -ENOMEM. */
int series_extend(struct series *series, const struct place *places, const struct row *rows,
		  size_t rows_n);

/* Append a run, for which the caller has made room. The series then owns its readings. */
void series_add_run(struct series *series, const struct run *run);

/* Drop the last run and its intervals. */
void series_drop_run(struct series *series);

/* Whether the command failed in a run. A run that --timeout ended did not fail. */
bool series_has_failed(const struct series *series);

/* Keep a copy of the interval. 0 or -ENOMEM. */
int series_keep_interval(struct series *series, const struct interval *interval);

void series_release(struct series *series);

/* The value of the parameter or label with this name. NULL: it does not exist. parameters may be
 * NULL. */
const char *series_parameter(const struct series_parameters *parameters, const char *name);

void series_parameters_release(struct series_parameters *parameters);

/* Free the strings, and set all to zero. */
void series_provenance_release(struct provenance *p);

void series_ranks_release(struct series_ranks *ranks);

/* How a value is computed from the readings. */
enum estimator {
	ESTIMATOR_NONE, /* there is no value */
	ESTIMATOR_EXACT, /* the counter ran all the time */
	/* from samples of the counter during the run (stats/estimate.h); it has an interval */
	ESTIMATOR_MODEL,
	ESTIMATOR_SCALING, /* raw × time enabled / time running; its error is unknown */
	ESTIMATOR_UNSCALED, /* the count for the time running only (--no-scale) */
};

/* The ends of the 95 % interval around a value, in the unit of the value. */
struct series_bounds {
	bool known;
	long double low, high; /* low is negative only if the value is negative */
};

/* half_width: in the unit of value; 0: the value is exact; NAN: the interval is unknown. */
struct series_bounds series_bounds(long double value, long double half_width);

/* The value of a row in one run. */
struct series_value {
	enum count_state state; /* NOT_COUNTED also if too_short */
	bool too_short; /* the counter ran for less than min_running of its time */
	struct counts counts; /* as in struct reading; the sums, if instances are merged */
	long double count; /* in the event's own unit, scaled unless SCALE_NOT; 0: none */
	long double in_unit; /* count in event->unit */
	enum estimator estimator;
	bool shows_error; /* scaled; the half-width is shown, or ± ? if it is unknown */
	bool sampled; /* in turns; without an interval, there were too few of them */
	long double half_width; /* of the 95 % interval around count; 0: exact; NAN: unknown */
	struct series_bounds bounds; /* of in_unit; known only if there is a value */
	double running_percent;
};

/*
 * The value of a row, given by index, in a run or interval of the series. The instances that follow
 * the row and are merged into it are part of the value. If one of them has no count, there is no
 * value.
 */
struct series_value series_value(const struct series *series, size_t row, const struct run *run);

/* The value of a row without the instances that are merged into it. */
struct series_value series_value_of_one(const struct series *series, size_t row,
					const struct run *run);

/* The number of places, each with a row for every event. */
static inline size_t series_places_n(const struct series *series)
{
	return series->events->n ? series->rows_n / series->events->n : 0;
}

/* The number of tasks or CPUs on which the row is counted, on all kinds of cores. The other
 * instances of an uncore PMU are not added. */
size_t series_counters(const struct series *series, size_t row);

/* Whether the row is merged into a row before it. False if there is no such row. */
bool series_is_merged(const struct series *series, size_t row);

/*
 * Whether row i is shown. The events that pstat itself measures have no place: they are shown once.
 * A place has no row for an event that is not counted on any CPU of the place.
 */
bool series_is_shown(const struct series *series, size_t i);

#endif
