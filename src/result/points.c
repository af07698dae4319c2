/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "result/points.h"
#include "stats/estimate.h"

static const char *label_of(const struct point *point)
{
	return point->place ? point->place->label : NULL;
}

static int add_point(struct points *points, struct point point)
{
	if (array_grow(&points->v, points->n, &points->size, sizeof(*points->v)) < 0)
		return -ENOMEM;
	point.known &= isfinite((double)point.value);
	point.bounds.known &=
		isfinite((double)point.bounds.low) && isfinite((double)point.bounds.high);
	points->v[points->n++] = point;
	return 0;
}

/* Set the value, and the interval of a mean over the runs. */
static void set_mean(struct point *point, long double value, const struct summary *runs)
{
	point->known = runs->n > 0;
	point->runs_n = runs->n;
	point->value = value;
	point->error = summary_stderr(runs);
	if (runs->n > 1)
		point->bounds = series_bounds(
			value, (long double)(estimate_t((double)runs->n - 1) * point->error));
}

/* The point of a row, without a value. */
static struct point point_at(const struct result_row *row, const char *name, const char *unit)
{
	return (struct point){ .name = name,
			       .unit = unit,
			       .place = *row->place->label ? row->place : NULL,
			       .cgroup = row->event->cgroup };
}

static int add_row(struct points *points, const struct result_row *row)
{
	struct point point = point_at(row, row->name, row->event->unit);

	/* the errors of the estimates are part of the spread of the runs */
	set_mean(&point, row->value, &row->in_unit);
	point.scaled = row->state == SCALED;
	if (row->count.n == 1 && point.scaled)
		point.bounds = row->bounds;
	return add_point(points, point);
}

/* The metric at the row; NULL: it has no value there. */
static const struct metric *find_metric(const struct result_row *row,
					const struct metric_request *request)
{
	for (size_t i = 0; i < row->metrics.n; i++)
		if (row->metrics.v[i].request == request)
			return &row->metrics.v[i];
	return NULL;
}

/* The metrics of -M that belong to the row, which is that of their first event. */
static int add_metrics(struct points *points, const struct result *result,
		       const struct result_row *row)
{
	const struct series *series = result->series;
	size_t of_one_cgroup = series->events->n / series->cgroups_n;
	size_t event = row->index % of_one_cgroup;
	int err = 0;

	for (size_t i = 0; err == 0 && series->metrics && i < series->metrics->n; i++) {
		const struct metric_request *request = &series->metrics->v[i];
		const struct metric *metric = find_metric(row, request);
		struct point point = point_at(row, request->name, "");

		if (metric)
			set_mean(&point, (long double)metric->value, &metric->by_run);
		if (metric_at(request) == event)
			err = add_point(points, point);
	}
	return err;
}

static bool is_counted(const struct result *result, enum tool_event tool)
{
	for (size_t i = 0; i < result->rows_n; i++)
		if (result->rows[i].event->tool == tool)
			return true;
	return false;
}

/* pstat's own measurements, in the units of the events of the same names. */
static int add_own(struct points *points, const struct result *result, enum tool_event tool)
{
	struct summary runs = { 0 };
	struct point point = { .name = event_tool_names[tool],
			       .unit = tool == TOOL_MAX_RSS ? "KiB" : "ns" };

	if (is_counted(result, tool))
		return 0;
	for (size_t run = 0; run < result->runs_n; run++)
		summary_add(&runs, result->runs[run].tool[tool]);
	set_mean(&point, runs.mean, &runs);
	point.known &= tool != TOOL_MAX_RSS || !result->max_rss_unknown;
	return add_point(points, point);
}

/* NULL is like "". */
static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_names(const struct point *a, const struct point *b)
{
	int order = strcmp(a->name, b->name);

	if (order == 0)
		order = compare_texts(label_of(a), label_of(b));
	return order ? order : compare_texts(a->cgroup, b->cgroup);
}

static int compare_points(const void *a, const void *b)
{
	const struct point *left = *(const struct point *const *)a;
	const struct point *right = *(const struct point *const *)b;
	int order = compare_names(left, right);

	return order ? order : (left > right) - (left < right);
}

/* Number the points with equal names. Their places are programs of one process (--by exec). */
static int number_copies(const struct points *points)
{
	cleanup_free struct point **sorted = calloc(points->n + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < points->n; i++)
		sorted[i] = &points->v[i];
	qsort(sorted, points->n, sizeof(struct point *), compare_points);
	for (size_t i = 1; i < points->n; i++)
		if (compare_names(sorted[i - 1], sorted[i]) == 0)
			sorted[i]->copy = sorted[i - 1]->copy + 1;
	return 0;
}

int points_of(struct points *points, const struct result *result)
{
	static const enum tool_event own[] = { TOOL_DURATION_TIME, TOOL_USER_TIME, TOOL_SYSTEM_TIME,
					       TOOL_MAX_RSS };
	bool has_usage = result->series->has_usage && !result->interval;
	int err = 0;

	for (size_t i = 0; err == 0 && i < result->rows_n; i++)
		err = add_row(points, &result->rows[i]);
	for (size_t i = 0; err == 0 && i < result->rows_n; i++)
		err = add_metrics(points, result, &result->rows[i]);
	for (size_t i = 0; err == 0 && i < sizeof(own) / sizeof(own[0]); i++)
		if (own[i] == TOOL_DURATION_TIME || has_usage)
			err = add_own(points, result, own[i]);
	return err < 0 ? err : number_copies(points);
}

void points_release(struct points *points)
{
	free(points->v);
	*points = (struct points){ 0 };
}

void point_add_name(struct str *out, const struct point *point)
{
	str_add(out, point->name);
	if (point->place)
		str_addf(out, " %s", point->place->label);
	if (point->cgroup)
		str_addf(out, " %s", point->cgroup);
	if (point->copy > 0)
		str_addf(out, " #%zu", point->copy + 1);
}
