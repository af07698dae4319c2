/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "result/differences.h"
#include "result/ranks.h"
#include "result/table.h"

static size_t ranks_values_n(const struct series *series)
{
	return series->rows_n + RANK_TIMES_N;
}

/* Fill rank->values. A value is unknown if a run has no count. 0 or -ENOMEM. */
static int ranks_keep_values(struct rank *rank, const struct series *series)
{
	const size_t n = ranks_values_n(series);
	cleanup_with(table_release) struct table table = { 0 };
	struct series whole = *series;
	int err;

	whole.metrics = NULL;
	whole.only_counted = false; /* another rank may have a count */
	rank->values = calloc(n, sizeof(*rank->values));
	err = rank->values ? table_build(&table, &whole, NULL) : -ENOMEM;
	for (size_t i = 0; err == 0 && i < n; i++)
		rank->values[i] = NAN;
	for (size_t i = 0; err == 0 && i < table.n; i++) {
		const struct measure *m = &table.v[i];
		const size_t at = m->kind == OF_EVENT ? m->index : series->rows_n + m->tool - 1;

		if (at < n && m->summary.n > 0 && m->summary.n == m->runs_n)
			rank->values[at] = (double)m->value;
	}
	return err;
}

/* ---- The sum */

/* The sum of two different events would have the name of only one of them. */
static int ranks_check_event(const struct series *sum, const struct series *more, size_t i,
			     struct why *why)
{
	cleanup_str struct str here = { 0 }, first = { 0 };
	const char *name = more->events->events[i].name;

	if (strcmp(sum->events->events[i].name, name) != 0)
		return why_set(why, -EINVAL, "event %zu is %s, but in the first file it is %s",
			       i + 1, name, sum->events->events[i].name);
	if (sum->openings[i].refused || more->openings[i].refused)
		return 0; /* the sum has no count */
	differences_add_event(&here, &more->events->events[i], &more->openings[i]);
	differences_add_event(&first, &sum->events->events[i], &sum->openings[i]);
	if (here.failed || first.failed)
		return -ENOMEM;
	if (strcmp(str_text(&here), str_text(&first)) == 0)
		return 0;
	return why_set(why, -EINVAL,
		       "%s counts '%s', but '%s' in the first file; count the same on all ranks",
		       name, str_text(&here), str_text(&first));
}

static int ranks_check_series(const struct series *sum, const struct series *more, struct why *why)
{
	int err = 0;

	if (more->interval_ms)
		return why_set(why, -EINVAL, "it has intervals (-I), which cannot be added up");
	if (sum->events->n != more->events->n)
		return why_set(why, -EINVAL, "number of events: %zu here, %zu in the first file",
			       more->events->n, sum->events->n);
	for (size_t i = 0; err == 0 && i < sum->events->n; i++)
		err = ranks_check_event(sum, more, i, why);
	if (err == 0 && sum->rows_n != more->rows_n)
		err = why_set(why, -EINVAL, "number of rows: %zu here, %zu in the first file",
			      more->rows_n, sum->rows_n);
	if (err == 0 && sum->runs_n != more->runs_n)
		err = why_set(why, -EINVAL, "number of runs: %zu here, %zu in the first file",
			      more->runs_n, sum->runs_n);
	return err;
}

static bool ranks_is_of_largest(enum tool_event tool)
{
	return tool == TOOL_DURATION_TIME || tool == TOOL_MAX_RSS;
}

static void ranks_add_run(struct run *sum, const struct run *more, const struct series *series)
{
	for (size_t i = 0; i < series->rows_n; i++) {
		enum tool_event tool = series->events->events[series->rows[i].event].tool;
		struct reading *reading = &sum->readings[i];
		const struct reading *other = &more->readings[i];

		if (ranks_is_of_largest(tool)) {
			if (other->counts.raw > reading->counts.raw)
				*reading = *other;
		} else if (reading_has_count(reading->state)) {
			if (reading_has_count(other->state))
				reading_add(reading, other);
			else /* if a rank has no count, the sum has none */
				*reading = (struct reading){ .state = other->state,
							     .reason = other->reason };
		}
	}
	for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
		if (!ranks_is_of_largest(tool))
			sum->tool[tool] += more->tool[tool];
		else if (more->tool[tool] > sum->tool[tool])
			sum->tool[tool] = more->tool[tool];
	if (sum->wait_status == 0)
		sum->wait_status = more->wait_status;
}

int ranks_add(struct series *sum, const struct series *more, struct rank *rank, struct why *why)
{
	int err = ranks_check_series(sum, more, why);

	if (err == 0)
		err = ranks_keep_values(rank, more);
	if (more->max_rss_floor_kib > sum->max_rss_floor_kib)
		sum->max_rss_floor_kib = more->max_rss_floor_kib;
	for (size_t i = 0; err == 0 && more != sum && i < sum->runs_n; i++)
		ranks_add_run(&sum->runs[i], &more->runs[i], sum);
	return err;
}

/* ---- The distributions */

/* The distribution of the values at this index. values: room for one of each rank. 0 or -ENOMEM. */
static int ranks_sum_up_one(struct rank_summary *to, const struct rank *v, size_t n, size_t at,
			    long double *values)
{
	const struct rank *largest = NULL;
	struct summary over;
	size_t known_n = 0;

	*to = (struct rank_summary){ .v = { -1, -1, -1, -1, -1 } };
	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i].values[at]))
			continue;
		if (!largest || v[i].values[at] > largest->values[at])
			largest = &v[i];
		values[known_n++] = v[i].values[at];
	}
	if (!largest)
		return 0;
	over = summary_of(values, known_n);
	to->v[RANK_SUM] = (double)(over.mean * known_n);
	to->v[RANK_MIN] = (double)over.min;
	to->v[RANK_MEDIAN] = (double)over.median;
	to->v[RANK_MAX] = (double)over.max;
	if (over.mean > 0)
		to->v[RANK_IMBALANCE] = (double)(over.max / over.mean);
	to->largest = strdup(largest->name);
	return to->largest ? 0 : -ENOMEM;
}

int ranks_sum_up(struct series_ranks *ranks, const struct rank *v, size_t n,
		 const struct series *sum)
{
	cleanup_free long double *values = calloc(n + 1, sizeof(*values));
	int err = 0;

	*ranks = (struct series_ranks){ .n = n,
					.v = calloc(ranks_values_n(sum), sizeof(*ranks->v)) };
	if (!values || !ranks->v)
		return -ENOMEM;
	while (err == 0 && ranks->v_n < ranks_values_n(sum)) {
		err = ranks_sum_up_one(&ranks->v[ranks->v_n], v, n, ranks->v_n, values);
		ranks->v_n++;
	}
	return err;
}
