/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/strip.h"

enum {
	WIDTH_MIN = 10, /* of a useful axis */
	LEVELS = 4, /* of a column of dots */
	COLUMNS = 2, /* of dots in a braille character */
};

/* A run is far out beyond this number of interquartile ranges from the quartiles (Tukey 1977). */
#define FAR 3

/* The axis excludes runs that are far out if it would otherwise be this many times as long. */
#define STRETCH 4

/* A range of values. */
struct span {
	double low, high;
	bool any;
};

/* ---- The axis. */

static void strip_widen(struct span *span, double value)
{
	if (!span->any || value < span->low)
		span->low = value;
	if (!span->any || value > span->high)
		span->high = value;
	span->any = true;
}

/* An end of the axis. */
enum end { END_LOW, END_HIGH };

static size_t strip_count_beyond(const struct strip *strip, const struct comparison_side *side,
				 enum end end)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n; i++)
		n += end == END_HIGH ? side->values[i] > strip->high : side->values[i] < strip->low;
	return n;
}

/* The characters for the largest number of runs beyond this end, and for the sign; 0: no run is. */
static int strip_margin_of(const struct strip *strip, const struct comparison_row *row,
			   size_t sides_n, enum end end)
{
	int margin = 0;

	for (size_t i = 0; i < sides_n; i++) {
		size_t n = strip_count_beyond(strip, &row->sides[i], end);
		int needed = n > 0 ? snprintf(NULL, 0, "%zu", n) + 1 : 0;

		if (needed > margin)
			margin = needed;
	}
	return margin;
}

bool strip_of(struct strip *strip, const struct comparison_row *row, size_t sides_n, int width)
{
	struct span all = { 0 }, near = { 0 }, *span;
	bool varies = false;

	for (size_t i = 0; i < sides_n; i++) {
		const struct comparison_side *side = &row->sides[i];
		double far = FAR * (side->third_quartile - side->first_quartile);

		varies |= side->n > 1 && side->summary.min < side->summary.max;
		for (size_t k = 0; k < side->n; k++) {
			strip_widen(&all, side->values[k]);
			if (side->values[k] >= side->first_quartile - far &&
			    side->values[k] <= side->third_quartile + far)
				strip_widen(&near, side->values[k]);
		}
	}
	if (!varies)
		return false;
	span = near.low < near.high && all.high - all.low > STRETCH * (near.high - near.low) ?
		       &near :
		       &all;
	strip->low = span->low;
	strip->high = span->high;
	strip->before = strip_margin_of(strip, row, sides_n, END_LOW);
	strip->after = strip_margin_of(strip, row, sides_n, END_HIGH);
	strip->width = width - strip->before - strip->after;
	return strip->width >= WIDTH_MIN;
}

/* The column of a value among n columns: negative or n if the value is beyond the axis. */
static int strip_column_of(const struct strip *strip, double value, int n)
{
	if (value < strip->low)
		return -1;
	if (value > strip->high)
		return n;
	return (int)((value - strip->low) / (strip->high - strip->low) * (n - 1) + 0.5);
}

/* ---- The runs. */

/* The number of dots in a column. */
static size_t strip_level_of(size_t runs, size_t most)
{
	return most <= LEVELS ? runs : (runs * LEVELS + most - 1) / most;
}

static void strip_add_braille(struct str *out, size_t left, size_t right)
{
	static const unsigned char lefts[] = { 0, 0x40, 0x44, 0x46, 0x47 };
	static const unsigned char rights[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };
	unsigned int dots = lefts[left] | rights[right];
	const char utf8[] = { '\xe2', (char)(0xa0 | dots >> 6), (char)(0x80 | (dots & 0x3f)) };

	if (dots)
		str_add_n(out, utf8, sizeof(utf8));
	else
		str_add(out, " ");
}

/* The number of runs beyond an end, or blanks. */
static void strip_add_beyond(struct str *out, const struct strip *strip,
			     const struct comparison_side *side, enum end end)
{
	size_t n = strip_count_beyond(strip, side, end);
	int digits = n > 0 ? snprintf(NULL, 0, "%zu", n) : -1;
	int blanks = (end == END_HIGH ? strip->after : strip->before) - digits - 1;

	if (n > 0 && end == END_HIGH)
		str_addf(out, "%s%zu", strip->ascii ? ">" : "»", n);
	str_fill(out, ' ', blanks > 0 ? (size_t)blanks : 0);
	if (n > 0 && end == END_LOW)
		str_addf(out, "%zu%s", n, strip->ascii ? "<" : "«");
}

void strip_add_runs(struct str *out, const struct strip *strip, const struct comparison_side *side)
{
	int n = strip->width * (strip->ascii ? 1 : COLUMNS);
	cleanup_free size_t *runs = calloc((size_t)n, sizeof(*runs));
	size_t most = 0;

	if (!runs) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < side->n; i++) {
		int column = strip_column_of(strip, side->values[i], n);

		if (column >= 0 && column < n && ++runs[column] > most)
			most = runs[column];
	}
	strip_add_beyond(out, strip, side, END_LOW);
	for (int i = 0; i < strip->width; i++)
		if (strip->ascii)
			str_add_n(out, &" .:|#"[strip_level_of(runs[i], most)], 1);
		else
			strip_add_braille(out, strip_level_of(runs[COLUMNS * (size_t)i], most),
					  strip_level_of(runs[COLUMNS * (size_t)i + 1], most));
	strip_add_beyond(out, strip, side, END_HIGH);
}

/* ---- The mean. */

/* The character of the mark at a position. */
static const char *strip_mark_at(const struct strip *strip, int position, int low, int mean,
				 int high)
{
	if (position == mean)
		return strip->ascii ? "+" : "┼";
	if (position < low || position > high)
		return " ";
	if (position == low)
		return strip->ascii ? "[" : "├";
	if (position == high)
		return strip->ascii ? "]" : "┤";
	return strip->ascii ? "-" : "─";
}

/* The position of the character in which the value's run is drawn. */
static int strip_position_of(const struct strip *strip, double value)
{
	int n = strip->width * (strip->ascii ? 1 : COLUMNS);
	int column = strip_column_of(strip, value, n);

	return strip->ascii || column < 0 ? column : column / COLUMNS;
}

void strip_add_mean(struct str *out, const struct strip *strip, const struct comparison_side *side)
{
	double mean = (double)side->summary.mean;
	int low = strip_position_of(strip, mean - side->half),
	    high = strip_position_of(strip, mean + side->half);
	int middle = strip_position_of(strip, mean);

	if (strip->before > 0) {
		str_fill(out, ' ', (size_t)strip->before - 1);
		str_add(out, middle < 0 ? (strip->ascii ? "<" : "«") : " ");
	}
	for (int i = 0; i < strip->width; i++)
		str_add(out, strip_mark_at(strip, i, low, middle, high));
	if (middle >= strip->width)
		str_add(out, strip->ascii ? ">" : "»");
}
