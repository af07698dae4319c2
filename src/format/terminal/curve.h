/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elapsed time over the values of a parameter of -L. There is a curve if the sides have exactly
 * one parameter, and at least CURVE_POINTS_MIN sides have numbers as its values, all different. A
 * side without the parameter is not part of the curve.
 */
#ifndef PSTAT_FORMAT_TERMINAL_CURVE_H
#define PSTAT_FORMAT_TERMINAL_CURVE_H

#include "result/comparison.h"

struct str;

enum { CURVE_POINTS_MIN = 3 };

/* One side. Times are in the unit of the row. */
struct curve_point {
	size_t side;
	const char *label; /* the value as the user wrote it; owned by the series */
	double x; /* the value */
	double mean, low, high; /* with its confidence interval; below two runs all are equal */
};

struct curve {
	const char *name; /* of the parameter; owned by the series */
	size_t row; /* of the elapsed time */
	struct curve_point *points; /* owned: in the order of x */
	size_t n; /* 0: there is no curve */
	double low, high; /* of all points; low is less than high */
};

/* 0 or -ENOMEM. The caller releases the curve in any case. */
int curve_init(struct curve *curve, const struct comparison *c);
void curve_release(struct curve *curve);

/* A drawing of characters. */
struct curve_grid {
	int width, height; /* both at least 2 */
	bool ascii;
};

/* Append line y of the drawing, from 0 at the top: the means and their intervals. */
void curve_add_line(struct str *out, const struct curve *curve, const struct curve_grid *grid,
		    int y);

/* The column of a point in the drawing. */
int curve_column(const struct curve *curve, const struct curve_grid *grid, size_t point);

#endif
