/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of one command, and the only way from their readings to a number: merging, scaling, the
 * minimum running time and the unit. The stopping rule, the progress line, results and comparisons
 * all use it, so that they cannot disagree.
 */
#ifndef PSTAT_RESULT_SERIES_H
#define PSTAT_RESULT_SERIES_H

#include "count/reading.h"
#include "event/event.h"
#include "stats/scale.h"

/* Nothing in it is owned. */
struct series {
	const struct event_list *events;
	const struct opening *openings; /* one for each event */
	const struct row *rows; /* place by place, one for each event */
	size_t rows_n;
	const struct run *runs;
	size_t runs_n;
	enum scaling scaling;
	double min_running; /* percent */
};

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
 * The value of a row in a run, both given by index. The instances that follow the row and are
 * merged into it are part of the value. If one of them has no count, there is no value.
 */
struct series_value series_value(const struct series *series, size_t row, size_t run);

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
