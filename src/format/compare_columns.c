/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_columns.h"

static const struct {
	const char *title;
	const char *before, *before_ascii; /* between it and the column on its left */
	bool left; /* on the left of its width */
} shapes[COMPARE_COLUMNS_N] = {
	[COLUMN_MEAN] = { "mean", "  ", "  ", false },
	[COLUMN_HALF] = { NULL, " ± ", " +- ", true },
	[COLUMN_MEDIAN] = { "median", "  ", "  ", false },
	[COLUMN_SPREAD] = { "spread", "  ", "  ", false },
	[COLUMN_MIN] = { "min", "  ", "  ", false },
	[COLUMN_MAX] = { "max", " … ", " .. ", true },
	[COLUMN_OUTLIERS] = { "outliers", "  ", "  ", false },
};

/* What is taken together, the most wanted first. */
static const struct {
	enum compare_column first, last;
} wanted[] = {
	{ COLUMN_MEAN, COLUMN_HALF },	  { COLUMN_SPREAD, COLUMN_SPREAD },
	{ COLUMN_MIN, COLUMN_MAX },	  { COLUMN_OUTLIERS, COLUMN_OUTLIERS },
	{ COLUMN_MEDIAN, COLUMN_MEDIAN },
};

static void add_outliers(struct str *out, const struct row_style *style,
			 const struct comparison_side *side)
{
	if (side->n > 1)
		num_add(out, side->outliers, 0, style->text->numbers);
}

void columns_add_text(struct str *out, enum compare_column column, const struct row_style *style,
		      const struct comparison_side *side)
{
	switch (column) {
	case COLUMN_MEAN:
		if (side->scaled)
			str_add(out, style->text->ascii ? "~" : "≈");
		text_add_mean(out, style, (double)side->summary.mean);
		break;
	case COLUMN_HALF:
		text_add_half(out, style, side);
		break;
	case COLUMN_MEDIAN:
		text_add_mean(out, style, (double)side->summary.median);
		break;
	case COLUMN_SPREAD:
		text_add_spread(out, side, style->text->numbers);
		break;
	case COLUMN_MIN:
		text_add_run(out, style, (double)side->summary.min);
		break;
	case COLUMN_MAX:
		text_add_run(out, style, (double)side->summary.max);
		break;
	case COLUMN_OUTLIERS:
		add_outliers(out, style, side);
		break;
	case COMPARE_COLUMNS_N:
		break;
	}
}

static void widen(int *width, int needed)
{
	if (needed > *width)
		*width = needed;
}

void columns_fit(struct compare_columns *columns, const struct row_style *style,
		 const struct comparison_side *side, struct ruler *ruler)
{
	for (enum compare_column i = 0; side->n > 0 && i < COMPARE_COLUMNS_N; i++) {
		cleanup_str struct str text = { 0 };

		columns_add_text(&text, i, style, side);
		widen(&columns->widths[i], ruler_measure(ruler, str_text(&text)));
	}
}

static const char *title_of(const struct compare_columns *columns, enum compare_column i)
{
	return i == COLUMN_HALF ? columns->confidence : shapes[i].title;
}

/* Of what stands before a column: a sign of one column, and two blanks or two and a sign in ASCII. */
static int gap_of(const struct compare_columns *columns, enum compare_column i)
{
	if (columns->ascii)
		return (int)strlen(shapes[i].before_ascii);
	return shapes[i].left ? 3 : 2;
}

void columns_choose(struct compare_columns *columns, int width)
{
	for (enum compare_column i = 0; i < COMPARE_COLUMNS_N; i++)
		widen(&columns->widths[i], (int)strlen(title_of(columns, i)));
	for (size_t w = 0; w < sizeof(wanted) / sizeof(wanted[0]); w++) {
		int needed = 0;

		for (enum compare_column i = wanted[w].first; i <= wanted[w].last; i++)
			needed += gap_of(columns, i) + columns->widths[i];
		if (w > 0 && needed > width)
			continue;
		width -= needed;
		for (enum compare_column i = wanted[w].first; i <= wanted[w].last; i++)
			columns->shown[i] = true;
	}
}

static void add_cell(const struct compare_columns *columns, struct line *line,
		     enum compare_column i, const char *text)
{
	if (*text)
		line_add(line, columns->ascii ? shapes[i].before_ascii : shapes[i].before);
	else
		line_fill(line, line->columns + gap_of(columns, i));
	if (shapes[i].left)
		line_left(line, text, columns->widths[i]);
	else
		line_right(line, text, columns->widths[i], COLOUR_NONE);
}

void columns_add_titles(const struct compare_columns *columns, struct line *line)
{
	for (enum compare_column i = 0; i < COMPARE_COLUMNS_N; i++)
		if (columns->shown[i])
			add_cell(columns, line, i, title_of(columns, i));
}

void columns_add(const struct compare_columns *columns, struct line *line,
		 const struct row_style *style, const struct comparison_side *side)
{
	for (enum compare_column i = 0; i < COMPARE_COLUMNS_N; i++) {
		cleanup_str struct str text = { 0 };

		if (!columns->shown[i])
			continue;
		columns_add_text(&text, i, style, side);
		line->text.failed |= text.failed;
		add_cell(columns, line, i, str_text(&text));
	}
}
