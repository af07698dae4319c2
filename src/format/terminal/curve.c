/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/curve.h"

/* ---- The points. */

/* Blanks before the number, which strtod(3) accepts, are refused. */
static bool read_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return strchr("+-.0123456789", *text) && end > text && *end == '\0' && isfinite(*value);
}

static int compare_points(const void *a, const void *b)
{
	const struct curve_point *left = a, *right = b;

	return (left->x > right->x) - (left->x < right->x);
}

/* Add the points of all sides that have the parameter. False: a value is not a number. */
static bool curve_add_points(struct curve *curve, const struct comparison *c)
{
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const struct comparison_side *side = &c->rows[curve->row].sides[i];
		const char *label =
			series_parameter(c->input.sides[i].series->parameters, curve->name);
		struct curve_point *point = &curve->points[curve->n];
		double mean = (double)side->summary.mean;

		if (!label)
			continue;
		*point = (struct curve_point){ .side = i,
					       .label = label,
					       .mean = mean,
					       .low = mean - side->half,
					       .high = mean + side->half };
		if (side->n == 0 || !read_number(label, &point->x))
			return false;
		curve->n++;
	}
	return true;
}

/* Sort the points and find their range. False: they are no curve. */
static bool arrange_points(struct curve *curve)
{
	const struct curve_point *points = curve->points;

	if (curve->n < CURVE_POINTS_MIN)
		return false;
	qsort(curve->points, curve->n, sizeof(*curve->points), compare_points);
	curve->low = points[0].low;
	curve->high = points[0].high;
	for (size_t i = 1; i < curve->n; i++) {
		if (points[i].x <= points[i - 1].x)
			return false;
		if (points[i].low < curve->low)
			curve->low = points[i].low;
		if (points[i].high > curve->high)
			curve->high = points[i].high;
	}
	if (curve->low < 0) /* no time is negative, though an interval may be */
		curve->low = 0;
	return curve->low < curve->high && isfinite(points[curve->n - 1].x - points[0].x);
}

int curve_init(struct curve *curve, const struct comparison *c)
{
	const struct comparison_row *row = comparison_elapsed(c);
	cleanup_str_list struct str_list names = { 0 };
	int err = comparison_parameters(&c->input, &names);

	*curve = (struct curve){ 0 };
	if (err < 0 || names.n != 1 || !row)
		return err;
	for (size_t i = 0; !curve->name; i++) {
		const struct series_parameters *p = c->input.sides[i].series->parameters;

		curve->name = p && p->names.n ? p->names.v[0] : NULL;
	}
	curve->row = (size_t)(row - c->rows);
	curve->points = calloc(c->input.sides_n, sizeof(*curve->points));
	if (!curve->points)
		return -ENOMEM;
	if (!curve_add_points(curve, c) || !arrange_points(curve))
		curve->n = 0;
	return 0;
}

void curve_release(struct curve *curve)
{
	free(curve->points);
}

/* ---- The drawing. */

int curve_column(const struct curve *curve, const struct curve_grid *grid, size_t point)
{
	double first = curve->points[0].x, last = curve->points[curve->n - 1].x;

	return (int)((curve->points[point].x - first) / (last - first) * (grid->width - 1) + 0.5);
}

/* The line of a time. */
static int line_of(const struct curve *curve, const struct curve_grid *grid, double time)
{
	double shown = time > curve->low ? time : curve->low;
	double share = (curve->high - shown) / (curve->high - curve->low);

	return (int)(share * (grid->height - 1) + 0.5);
}

void curve_add_line(struct str *out, const struct curve *curve, const struct curve_grid *grid,
		    int y)
{
	int column = 0;

	for (size_t i = 0; i < curve->n; i++) {
		const struct curve_point *point = &curve->points[i];
		int x = curve_column(curve, grid, i);

		/* of two points in one column, the first one is drawn */
		if (x < column || y < line_of(curve, grid, point->high) ||
		    y > line_of(curve, grid, point->low))
			continue;
		str_fill(out, ' ', (size_t)(x - column));
		if (y == line_of(curve, grid, point->mean))
			str_add(out, grid->ascii ? "+" : "┼");
		else
			str_add(out, grid->ascii ? "|" : "│");
		column = x + 1;
	}
}
