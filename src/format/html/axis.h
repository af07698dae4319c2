/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An axis of a drawing: from values to coordinates, and where its ticks are. */
#ifndef PSTAT_FORMAT_HTML_AXIS_H
#define PSTAT_FORMAT_HTML_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/compare_text.h"

struct html_axis {
	double low, high; /* values at its ends */
	double from, to; /* coordinates of these */
	double factor; /* of values to the numbers at its ticks */
};

/* The ticks are at all multiples of the step, from first times the step on. */
struct html_ticks {
	double step; /* of the numbers shown: 1, 2 or 5 and zeros */
	int64_t first;
	int n;
	int decimals;
};

/* What the runs of all sides of a row are drawn on. */
struct html_span {
	struct html_axis axis; /* still without coordinates */
	double low, high; /* a run beyond these lies far off, and is drawn at the end of the axis */
};

/* False: there is nothing to see, for the runs of each side are all the same. */
bool html_span_of(struct html_span *span, const struct comparison_row *row, size_t sides_n,
		  const struct row_style *style);

/* The coordinate of a value: that of the nearest end for one beyond it. */
double html_axis_at(const struct html_axis *axis, double value);

bool html_axis_has(const struct html_axis *axis, double value);

/* As many ticks as possible, but not more than most, which is 2 at least. */
struct html_ticks html_ticks_of(const struct html_axis *axis, int most);

/* The value at a tick. */
double html_tick_value(const struct html_axis *axis, const struct html_ticks *ticks, int i);

/* Append the number at a tick, which has these numbers' style. */
void html_tick_add(struct str *out, const struct html_ticks *ticks, int i,
		   const struct num_style *numbers);

/* How many characters the longest of them has. */
int html_ticks_width(const struct html_ticks *ticks, const struct num_style *numbers);

#endif
