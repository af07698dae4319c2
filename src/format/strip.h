/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of each side of a row, drawn on one line over an axis that all sides share, and under it
 * their mean with its interval:
 *
 *	⢀⡀⣀⣠⣤⣾⣷⣤⣀ ⡀     ⢀    »1
 *	      ├┼─┤
 *
 * In Unicode a character has two columns of dots (braille), of up to four dots for as many runs or, where
 * some column has more, as shares of the most; in ASCII one column of . : | #. Where a few runs lie so
 * far off that all the others would be in one place, the axis ends before them and « or » say how many
 * are beyond.
 */
#ifndef PSTAT_FORMAT_STRIP_H
#define PSTAT_FORMAT_STRIP_H

#include "result/comparison.h"

struct str;

struct strip {
	double low, high; /* the axis' ends, in the row's unit */
	int before, behind; /* characters for what is beyond them; 0: nothing is */
	int width; /* characters of the axis itself */
	bool ascii;
};

/* The axis of a row, in as many characters. False: there is nothing to see, for the runs of each side are
 * all the same, or there is no room. */
bool strip_of(struct strip *strip, const struct comparison_row *row, size_t sides_n, int width,
	      bool ascii);

/* Append the runs of a side. 0 or -ENOMEM. */
int strip_add_runs(struct str *out, const struct strip *strip, const struct comparison_side *side);

/* Append the mark of its mean and interval, which has two values at least. */
void strip_add_mean(struct str *out, const struct strip *strip, const struct comparison_side *side);

#endif
