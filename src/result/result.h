/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The finished result: every number that a format prints, computed once, with all readings of all
 * runs. Formats print these numbers and compute nothing.
 */
#ifndef PSTAT_RESULT_RESULT_H
#define PSTAT_RESULT_RESULT_H

#include <time.h>

#include "base/num.h"
#include "count/reading.h"
#include "event/event.h"
#include "metric/metric.h"
#include "result/series.h"
#include "stats/scale.h"
#include "stats/summary.h"

struct provenance;

struct result_row {
	const struct event *event;
	const struct row *row; /* its first, where several are merged */
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

/* What the result is made of; all of it has to outlive the result. */
struct result_input {
	const char *subject; /* what was counted: "'CMD ARG'", "'system wide'", "process id '1'" */
	time_t started;
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	const struct row *rows; /* place by place one for each event */
	size_t rows_n;
	enum place_kind split;
	bool only_counted; /* leave out the rows without a count */
	const size_t *passes; /* of each group, see struct opener; NULL: one pass */
	size_t passes_n; /* how many runs one measurement takes; 0: no question of that */
	const struct run *runs;
	size_t runs_n;
	const struct interval *interval; /* of -I, and then its run is the only one; else NULL */
	const struct interval *intervals; /* of -I, all of them, in the summary; NULL: not kept */
	size_t intervals_n;
	enum scaling scaling;
	double min_running; /* percent */
	const struct metric_request_list *metrics; /* of -M; NULL for none */
	const size_t *metric_events; /* of each metric in turn: the indices of its events */
	size_t cgroups_n; /* the events are repeated for each of so many cgroups; 1 where not */
	double cpus; /* how many are counted, or are online */
	bool has_usage; /* user and system time are known: a command was counted */
	/*
	 * What each run's max_rss begins with, that of what started it: one that is no more is not
	 * known to be the command's, and a side that has such a one is compared by none of its. 0:
	 * nothing is known of that.
	 */
	uint64_t max_rss_floor_kib;
	bool null_run; /* no counters were asked for */
	unsigned int interval_ms; /* of -I; 0: none */
	bool summary_asked; /* a summary is shown after the intervals */
	const struct provenance *provenance; /* what is known of it; NULL: nothing */
};

struct result {
	struct result_input input;
	char *command; /* owned: the command with its arguments, or what was counted in its place */
	struct result_row *rows; /* owned */
	size_t rows_n;
	struct summary elapsed_ns, user_ns, system_ns; /* over the runs, with median */
	struct result_time *times; /* owned: one for each run of the input */
	bool has_cgroups; /* some event is counted in a cgroup */
	bool is_series; /* of several measurements: counts have a spread */
	bool is_interval; /* of -I: an interval alone, that ended at at_ns */
	uint64_t at_ns;
	bool ratio_withheld; /* a ratio was left out: its counts were not taken together */
	struct withheld *withheld; /* owned: the metrics of -M that were left out, each once */
	size_t withheld_n;
};

/* 0 or -ENOMEM. */
int result_build(struct result *result, const struct result_input *input);
void result_release(struct result *result);

/*
 * What the row of an event is called: as the event, with perf's mark where it was narrowed to user
 * mode. To be freed; NULL: out of memory.
 */
char *result_row_name(const struct event *event, const struct opening *opening);

/* The runs of the result, with the settings that decide their values. Points into the input. */
struct series result_series(const struct result_input *input);

/* The value of one of the result's rows in the run of that index. */
struct series_value result_value(const struct result *result, const struct result_row *row,
				 size_t run);

/* Of how many runs the max_rss may be that of what started them. */
size_t result_floors(const struct result_input *input);

/*
 * The text in place of a missing count: "<not supported>" or "<not counted>". NULL
 * for one that is.
 */
const char *result_absent(enum count_state state);

#endif
