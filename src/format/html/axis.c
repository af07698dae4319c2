/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/html/axis.h"
#include "format/strip.h"

/* Free room at both ends of an axis, as a share of what is between. */
#define MARGIN 0.04

/* What lies far off is decided as for a terminal's strip, of a width that leaves room for all. */
enum { STRIP_WIDTH = 1000 };

/* Multiples of a step that a tick can be, so that a double still tells them apart. */
#define MULTIPLE_MAX 1e15

/* An end that is not cut goes as far as the intervals of the means do, and at most as far again as the
 * runs: that of two runs may be many times as wide as they are apart. */
static void widen_by_means(struct html_axis *axis, const struct strip *strip,
			   const struct comparison_row *row, size_t sides_n)
{
	double room = strip->high - strip->low;

	for (size_t i = 0; i < sides_n; i++) {
		const struct comparison_side *side = &row->sides[i];
		double mean = (double)side->summary.mean;
		double low = mean - side->half, high = mean + side->half;

		if (side->n < 2 || mean < strip->low || mean > strip->high)
			continue;
		if (strip->before == 0 && low < axis->low)
			axis->low = low > strip->low - room ? low : strip->low - room;
		if (strip->behind == 0 && high > axis->high)
			axis->high = high < strip->high + room ? high : strip->high + room;
	}
}

bool html_span_of(struct html_span *span, const struct comparison_row *row, size_t sides_n,
		  const struct row_style *style)
{
	struct html_axis *axis = &span->axis;
	struct strip strip;
	double margin;

	if (!strip_of(&strip, row, sides_n, STRIP_WIDTH, false))
		return false;
	*span = (struct html_span){ .low = strip.low, .high = strip.high };
	*axis = (struct html_axis){ .low = strip.low, .high = strip.high, .factor = style->factor };
	widen_by_means(axis, &strip, row, sides_n);
	margin = (axis->high - axis->low) * MARGIN;
	axis->low -= margin;
	axis->high += margin;
	return true;
}

double html_axis_at(const struct html_axis *axis, double value)
{
	if (value <= axis->low)
		return axis->from;
	if (value >= axis->high)
		return axis->to;
	return axis->from +
	       (value - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

bool html_axis_has(const struct html_axis *axis, double value)
{
	return value >= axis->low && value <= axis->high;
}

/* The smallest of 1, 2 and 5 with zeros or decimals that is as large as that. */
static double step_above(double least)
{
	static const double multiples[] = { 1, 2, 5 };
	double power = 1;

	while (power * 10 <= least)
		power *= 10;
	while (power > least)
		power /= 10;
	for (size_t i = 0; i < sizeof(multiples) / sizeof(multiples[0]); i++)
		if (power * multiples[i] >= least)
			return power * multiples[i];
	return power * 10;
}

struct html_ticks html_ticks_of(const struct html_axis *axis, int most)
{
	double low = axis->low * axis->factor, high = axis->high * axis->factor;
	struct html_ticks ticks = { .step = step_above((high - low) / most) };

	ticks.decimals = text_decimals(ticks.step);
	if (fabs(low) / ticks.step > MULTIPLE_MAX)
		return ticks;
	ticks.first = (int64_t)(low / ticks.step);
	while ((double)ticks.first * ticks.step < low)
		ticks.first++;
	while (ticks.n < most && (double)(ticks.first + ticks.n) * ticks.step <= high)
		ticks.n++;
	return ticks;
}

double html_tick_value(const struct html_axis *axis, const struct html_ticks *ticks, int i)
{
	return (double)(ticks->first + i) * ticks->step / axis->factor;
}

void html_tick_add(struct str *out, const struct html_ticks *ticks, int i,
		   const struct num_style *numbers)
{
	num_add(out, (double)(ticks->first + i) * ticks->step, ticks->decimals, numbers);
}

int html_ticks_width(const struct html_ticks *ticks, const struct num_style *numbers)
{
	int widest = 0;

	for (int i = 0; i < ticks->n; i++) {
		cleanup_str struct str text = { 0 };
		int width = 0;

		html_tick_add(&text, ticks, i, numbers);
		for (const char *p = str_text(&text); *p; p += utf8_length(p))
			width++;
		widest = width > widest ? width : widest;
	}
	return widest;
}
