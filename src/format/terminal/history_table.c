/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/math.h"
#include "base/str.h"
#include "format/terminal/history_table.h"
#include "format/terminal/terminal.h"
#include "result/history.h"

enum { NAME_WIDTH = 30, CELL_WIDTH = 15 };

/* "+1.32 %" */
static void history_table_add_percent(struct str *cell, double share,
				      const struct num_style *numbers)
{
	str_add(cell, share < 0 ? "-" : "+");
	num_add(cell, (long double)(100 * fabs(share)), 2, numbers);
	str_add(cell, " %");
}

static void add_percent_cell(struct line *line, double share)
{
	cleanup_str struct str cell = { 0 };

	history_table_add_percent(&cell, share, line->style->numbers);
	line->text.failed |= cell.failed;
	line_right(line, str_text(&cell), CELL_WIDTH, COLOUR_NONE);
}

/* The name of a metric may contain any characters. */
static void history_table_add_metric(struct line *line, const struct history *history,
				     size_t metric, const struct limit *limit)
{
	double value = history->entries[history->n - 1].values[metric], share;
	size_t values_n = 0;

	for (size_t i = 0; i < history->n; i++)
		values_n += !isnan(history->entries[i].values[metric]);
	line_left(line, history->metrics.v[metric], NAME_WIDTH);
	line_number(line, (long double)values_n, 0, "", CELL_WIDTH, COLOUR_NONE);
	if (isnan(value))
		line_left(line, "", CELL_WIDTH);
	else
		line_number(line, (long double)value,
			    math_is_whole((long double)fabs(value)) ? 0 : 3, "", CELL_WIDTH,
			    COLOUR_NONE);
	if (history->n > 1 && history_change(history, metric, history->n - 1, &share))
		add_percent_cell(line, share);
	else
		line_left(line, "", CELL_WIDTH);
	if (limit->source == LIMIT_HISTORY)
		add_percent_cell(line, limit->value);
	else
		line_rightf(line, CELL_WIDTH, COLOUR_NONE, "(%zu of %d)", limit->changes_n,
			    HISTORY_CHANGES_MIN);
	line_end(line);
}

/*
 * Append the changes that exceeded their limits: "  2026-01-12 11:00:00 +00:00  cs +5.20 %, limit
 * +1.80 %, commit abc". limits: of each entry. Returns the number of changes without a limit.
 */
static size_t add_exceeded(struct line *line, const struct history *history, size_t metric,
			   const struct limit *limits)
{
	size_t unjudged = 0;

	for (size_t i = 1; i < history->n; i++) {
		const struct limit *limit = &limits[i];
		cleanup_str struct str date = { 0 }, change = { 0 };
		double share;

		if (!history_change(history, metric, i, &share))
			continue;
		unjudged += limit->source != LIMIT_HISTORY;
		if (limit->source != LIMIT_HISTORY || fabs(share) <= limit->value)
			continue;
		str_add(&date, "  ");
		clock_add_date(&date, " ", " ", history->entries[i].time, 0);
		str_add(&change, " ");
		history_table_add_percent(&change, share, line->style->numbers);
		str_add(&change, ", limit ");
		history_table_add_percent(&change, limit->value, line->style->numbers);
		line_append(line, &date);
		line_addf(line, "  %s", history->metrics.v[metric]);
		line_append(line, &change);
		if (history->entries[i].commit[0])
			line_addf(line, ", commit %s", history->entries[i].commit);
		line_end(line);
	}
	return unjudged;
}

int history_table_write(const struct history *history, const struct num_style *numbers, FILE *out)
{
	static const char *const titles[] = { "entries", "last value", "last change", "limit" };
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style style = { .ruler = &ruler, .numbers = numbers };
	cleanup_line struct line line = { .style = &style }, exceeded = { .style = &style };
	cleanup_free struct limit *limits = calloc(history->n + 1, sizeof(*limits));
	size_t unjudged = 0;

	if (!limits)
		return -ENOMEM;
	line_fill(&line, NAME_WIDTH);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		line_right(&line, titles[i], CELL_WIDTH, COLOUR_NONE);
	line_end(&line);
	for (size_t i = 0; i < history->metrics.n; i++) {
		history_limits(history, i, limits);
		history_table_add_metric(&line, history, i, &limits[history->n]);
		unjudged += add_exceeded(&exceeded, history, i, limits);
	}
	str_add(&line.text, exceeded.text.len ? "\nChanges that exceeded their limits:\n" :
						"\nNo change exceeded a limit.\n");
	str_append(&line.text, &exceeded.text);
	if (unjudged > 0)
		str_addf(&line.text,
			 "Changes without a limit: %zu (metrics with fewer than %d changes)\n",
			 unjudged, HISTORY_CHANGES_MIN);
	return str_print(&line.text, out);
}
