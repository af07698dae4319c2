/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of one command, or of one period that a target was counted: plain data, complete, and
 * nothing derived from it. run/ fills it while it runs, document/ reads and writes it, and result.h
 * makes a result of it.
 *
 * series_value() is the only way from its readings to a number: merging, scaling, the minimum
 * running time and the unit. The stopping rule, the progress line, results and comparisons all use
 * it, so that they cannot disagree.
 */
#ifndef PSTAT_RESULT_SERIES_H
#define PSTAT_RESULT_SERIES_H

#include <time.h>

#include "count/reading.h"
#include "event/event.h"
#include "metric/metric.h"
#include "stats/scale.h"

struct metric_request_list;
struct provenance;

/* All zero is valid for series_release(). */
struct series {
	/*
	 * What was to be counted, and where. All sides of a comparison that are run now share it:
	 * the session owns it, or the loaded document. It has to outlive the series.
	 */
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	const struct place *places; /* in the order of the rows */
	const struct row *rows; /* place by place, one for each event */
	size_t rows_n;
	const size_t *passes; /* of each group, see struct opener; NULL: one pass */
	const struct metric_request_list *metrics; /* of -M; NULL for none */
	const size_t *metric_events; /* of each metric in turn: the indices of its events */
	const struct provenance *provenance; /* NULL: nothing is known */

	/* What was measured. */
	const char *subject; /* owned: "'CMD ARG'", "'system wide'", "process id '1'" */
	time_t started;
	struct run *runs; /* owned, with their readings */
	size_t runs_n, runs_size;
	struct interval *intervals; /* owned, with their readings: those of -I that are kept */
	size_t intervals_n, intervals_size;

	/* The settings that readings depend on, or that a result depends on. */
	enum place_kind split;
	enum scaling scaling;
	double min_running; /* percent */
	size_t passes_n; /* how many runs one measurement takes; 0: without --no-multiplex */
	size_t cgroups_n; /* the events are repeated for each of so many cgroups; at least 1 */
	double cpus; /* how many are counted, or are online */
	/*
	 * Each run's max_rss begins with that of pstat, which started it. A run that does not exceed
	 * this floor has an unknown max_rss, and its side is not compared by max_rss. 0: unknown.
	 */
	uint64_t max_rss_floor_kib;
	unsigned int interval_ms; /* of -I; 0: none */
	bool summary_asked; /* a summary is shown after the intervals */
	bool only_counted; /* leave out the rows without a count */
	bool has_usage; /* user and system time are known: a command was counted */
	bool null_run; /* no counters were requested */
};

/* Make room for one more run. 0 or -ENOMEM. */
int series_reserve_run(struct series *series);

/* Drop the last run and its intervals. */
void series_drop_run(struct series *series);

/* Keep a copy of the interval. 0 or -ENOMEM. */
int series_keep_interval(struct series *series, const struct interval *interval);

void series_release(struct series *series);

/* What one run counted in a row. */
struct series_value {
	enum count_state state; /* NOT_COUNTED also if too_short */
	bool too_short; /* the counter ran for less than min_running of its time */
	struct counts counts; /* as in struct reading; the sums, if instances are merged */
	long double count; /* in the event's own unit, scaled if the series asks for it; or 0 */
	long double in_unit; /* count in event->unit */
	double running_percent;
};

/*
 * The value of a row, given by index, in a run or interval of the series. The instances that follow
 * the row and are merged into it are part of the value. If one of them has no count, there is no
 * value.
 */
struct series_value series_value(const struct series *series, size_t row, const struct run *run);

/* Whether the state comes with a count. */
static inline bool series_has_count(enum count_state state)
{
	return state == COUNTED || state == SCALED;
}

/* Whether the row is merged into a row before it. False if there is no such row. */
bool series_is_merged(const struct series *series, size_t row);

/*
 * Whether the row's event is counted at the row's place, or would be if the kernel had not refused
 * it. Each instance of an uncore PMU may belong to another package.
 */
bool series_is_counted_there(const struct series *series, size_t row);

#endif
