/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of each side of a row, drawn on one line above an axis that all sides share, and below
 * them the mean with its confidence interval:
 *
 *	⢀⡀⣀⣠⣤⣾⣷⣤⣀ ⡀     ⢀    »1
 *	      ├┼─┤
 *
 * In Unicode a character has two columns (braille) with up to four dots, one for each run. If a
 * column has more runs, the dots show its share of the highest column. In ASCII a character is one
 * column of . : | or #.
 *
 * If a few runs are so far out that the others would share one column, the axis ends before them,
 * and « or » shows how many there are.
 */
#ifndef PSTAT_FORMAT_TERMINAL_STRIP_H
#define PSTAT_FORMAT_TERMINAL_STRIP_H

#include "result/comparison.h"

struct str;

struct strip {
	double low, high; /* the ends of the axis, in the row's unit */
	int before, after; /* width for runs beyond the ends; 0: there are none */
	int width; /* of the axis itself */
	bool ascii;
};

/* Choose the axis of a row for this width. The caller sets ascii before. False: nothing is drawn,
 * because all runs of each side are equal or the width is too small. */
bool strip_of(struct strip *strip, const struct comparison_row *row, size_t sides_n, int width);

/* Append the runs of a side. */
void strip_add_runs(struct str *out, const struct strip *strip, const struct comparison_side *side);

/* Append the mark of the mean and its interval. The side has at least two values. */
void strip_add_mean(struct str *out, const struct strip *strip, const struct comparison_side *side);

#endif
