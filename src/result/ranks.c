/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "result/differences.h"
#include "result/ranks.h"

const enum tool_event rank_times[RANK_TIMES_N] = {
	TOOL_DURATION_TIME,
	TOOL_USER_TIME,
	TOOL_SYSTEM_TIME,
	TOOL_MAX_RSS,
};

/* ---- The values of one rank */

/* NAN: unknown, because a max_rss may be that of pstat, see max_rss_floor_kib. */
static double mean_of_tool(const struct series *series, enum tool_event tool)
{
	long double sum = 0;

	for (size_t run = 0; run < series->runs_n; run++) {
		uint64_t value = series->runs[run].tool[tool];

		if (tool == TOOL_MAX_RSS && value <= series->max_rss_floor_kib)
			return NAN;
		sum += value;
	}
	return (double)(sum / (long double)series->runs_n);
}

/* The mean of a row over the runs of a rank; NAN if a run has no count. */
static double mean_of_row(const struct series *series, size_t row)
{
	long double sum = 0;

	if (series->events->events[series->rows[row].event].tool == TOOL_MAX_RSS)
		return mean_of_tool(series, TOOL_MAX_RSS);
	for (size_t run = 0; run < series->runs_n; run++) {
		const struct series_value value = series_value(series, row, &series->runs[run]);

		if (!series_has_count(value.state))
			return NAN;
		sum += value.in_unit;
	}
	return (double)(sum / (long double)series->runs_n);
}

static size_t values_of_rank(const struct series *series)
{
	return series->rows_n + RANK_TIMES_N;
}

static int keep_values(struct ranks_builder *b, const struct series *series, const char *name)
{
	size_t n = values_of_rank(series), before = b->names.n * n;

	for (size_t i = 0; i < n; i++) {
		if (array_grow(&b->values, before + i, &b->values_size, sizeof(*b->values)) < 0)
			return -ENOMEM;
		b->values[before + i] =
			i < series->rows_n ? mean_of_row(series, i) :
					     mean_of_tool(series, rank_times[i - series->rows_n]);
	}
	return str_list_add(&b->names, name);
}

/* ---- The sum */

/* The sum of two different events would have the name of only one of them. */
static int check_event(const struct series *sum, const struct series *more, size_t i,
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

static int check_events(const struct series *sum, const struct series *more, struct why *why)
{
	const struct event_list *a = sum->events, *b = more->events;

	if (a->n != b->n)
		return why_set(why, -EINVAL, "number of events: %zu here, %zu in the first file",
			       b->n, a->n);
	for (size_t i = 0; i < a->n; i++) {
		int err = check_event(sum, more, i, why);

		if (err < 0)
			return err;
	}
	return 0;
}

static int check_series(const struct series *sum, const struct series *more, struct why *why)
{
	int err;

	if (more->interval_ms)
		return why_set(why, -EINVAL, "it has intervals (-I), which cannot be added up");
	err = check_events(sum, more, why);
	if (err < 0)
		return err;
	if (sum->runs_n != more->runs_n)
		return why_set(why, -EINVAL, "number of runs: %zu here, %zu in the first file",
			       more->runs_n, sum->runs_n);
	return 0;
}

/* If a rank has no count, the sum has none. */
static void add_reading(struct reading *sum, const struct reading *more)
{
	if (!series_has_count(sum->state))
		return;
	if (!series_has_count(more->state)) {
		*sum = (struct reading){ .state = more->state, .reason = more->reason };
		return;
	}
	reading_add(sum, more);
}

static bool is_of_largest_rank(enum tool_event tool)
{
	return tool == TOOL_DURATION_TIME || tool == TOOL_MAX_RSS;
}

static void add_run(struct run *sum, const struct run *more, const struct series *series)
{
	for (size_t i = 0; i < series->rows_n; i++) {
		enum tool_event tool = series->events->events[series->rows[i].event].tool;

		if (!is_of_largest_rank(tool))
			add_reading(&sum->readings[i], &more->readings[i]);
		else if (more->readings[i].counts.raw > sum->readings[i].counts.raw)
			sum->readings[i] = more->readings[i];
	}
	for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
		if (!is_of_largest_rank(tool))
			sum->tool[tool] += more->tool[tool];
		else if (more->tool[tool] > sum->tool[tool])
			sum->tool[tool] = more->tool[tool];
	if (sum->wait_status == 0)
		sum->wait_status = more->wait_status;
}

int ranks_add(struct ranks_builder *b, struct series *sum, const struct series *more,
	      const char *name, struct why *why)
{
	int err = check_series(sum, more ? more : sum, why);

	if (err == 0)
		err = keep_values(b, more ? more : sum, name);
	if (more && more->max_rss_floor_kib > sum->max_rss_floor_kib)
		sum->max_rss_floor_kib = more->max_rss_floor_kib;
	for (size_t i = 0; err == 0 && more && i < sum->runs_n; i++)
		add_run(&sum->runs[i], &more->runs[i], sum);
	return err;
}

/* ---- The distributions */

static int compare_doubles(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* sorted: room for the values of all ranks. */
static int summarize(struct rank_summary *summary, const struct ranks_builder *b, size_t index,
		     size_t stride, double *sorted)
{
	size_t n = 0, largest = 0;
	double sum = 0;

	*summary = (struct rank_summary){ -1, -1, -1, -1, -1, NULL };
	for (size_t i = 0; i < b->names.n; i++) {
		double value = b->values[i * stride + index];

		if (isnan(value))
			continue;
		if (n == 0 || value > summary->max) {
			summary->max = value;
			largest = i;
		}
		sum += value;
		sorted[n++] = value;
	}
	if (n == 0)
		return 0;
	qsort(sorted, n, sizeof(*sorted), compare_doubles);
	summary->sum = sum;
	summary->min = sorted[0];
	summary->median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	if (sum > 0)
		summary->imbalance = summary->max / (sum / (double)n);
	summary->largest = strdup(b->names.v[largest]);
	return summary->largest ? 0 : -ENOMEM;
}

int ranks_finish(struct ranks *ranks, struct ranks_builder *b, const struct series *sum)
{
	cleanup_free double *sorted = calloc(b->names.n + 1, sizeof(*sorted));
	size_t stride = values_of_rank(sum);
	int err = 0;

	*ranks = (struct ranks){ .n = b->names.n,
				 .rows_n = sum->rows_n,
				 .rows = calloc(sum->rows_n + 1, sizeof(*ranks->rows)) };
	if (!sorted || !ranks->rows)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < sum->rows_n; i++)
		err = summarize(&ranks->rows[i], b, i, stride, sorted);
	for (size_t i = 0; err == 0 && i < RANK_TIMES_N; i++)
		err = summarize(&ranks->times[i], b, sum->rows_n + i, stride, sorted);
	return err;
}

void ranks_builder_release(struct ranks_builder *b)
{
	str_list_release(&b->names);
	free(b->values);
	*b = (struct ranks_builder){ 0 };
}

void ranks_release(struct ranks *ranks)
{
	for (size_t i = 0; ranks->rows && i < ranks->rows_n; i++)
		free(ranks->rows[i].largest);
	for (size_t i = 0; i < RANK_TIMES_N; i++)
		free(ranks->times[i].largest);
	free(ranks->rows);
	*ranks = (struct ranks){ 0 };
}
