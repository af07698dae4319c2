/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of numbers that each side has in each row of a comparison's table:
 *
 *	mean ± half of its interval, spread, min … max, outliers, median
 *
 * taken in this order as long as they fit the width. One that does not is left out, and a narrower one
 * behind it may still find room. Mean and half interval are always there.
 */
#ifndef PSTAT_FORMAT_COMPARE_COLUMNS_H
#define PSTAT_FORMAT_COMPARE_COLUMNS_H

#include "format/compare_text.h"
#include "format/line.h"

/* In the order in which they stand. */
enum compare_column {
	COLUMN_MEAN,
	COLUMN_HALF,
	COLUMN_MEDIAN,
	COLUMN_SPREAD,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_OUTLIERS,
	COMPARE_COLUMNS_N,
};

struct compare_columns {
	bool ascii;
	const char *confidence; /* of the intervals: "95 %" */
	bool shown[COMPARE_COLUMNS_N];
	int widths[COMPARE_COLUMNS_N];
};

/* Append what is in a column. */
void columns_add_text(struct str *out, enum compare_column column, const struct row_style *style,
		      const struct comparison_side *side);

/* Widen the columns for what a side has there. */
void columns_fit(struct compare_columns *columns, const struct row_style *style,
		 const struct comparison_side *side, struct ruler *ruler);

/* Choose what is shown in that many columns of the terminal. */
void columns_choose(struct compare_columns *columns, int width);

/* Append the titles, and what a side has. */
void columns_add_titles(const struct compare_columns *columns, struct line *line);
void columns_add(const struct compare_columns *columns, struct line *line,
		 const struct row_style *style, const struct comparison_side *side);

#endif
