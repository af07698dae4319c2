/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "format/history_table.h"
#include "stats/noise.h"

enum { NAME_WIDTH = 30, CELL_WIDTH = 15 };

static void add_cell(struct str *line, const struct str *cell)
{
	line->failed |= cell->failed;
	if (cell->len < CELL_WIDTH)
		str_fill(line, ' ', CELL_WIDTH - cell->len);
	str_append(line, cell);
}

/* "+1.32 %" */
static void add_percent(struct str *cell, double share, const struct num_style *numbers)
{
	str_add(cell, share < 0 ? "-" : "+");
	num_add(cell, (long double)(100 * fabs(share)), 2, numbers);
	str_add(cell, " %");
}

static void add_value(struct str *cell, double value, const struct num_style *numbers)
{
	num_add(cell, (long double)value, num_is_whole((long double)fabs(value)) ? 0 : 3, numbers);
}

/* The name of a file may have any characters. */
static void add_name(struct str *line, const char *name)
{
	size_t start = line->len;

	str_add_escaped(line, name);
	if (line->len - start < NAME_WIDTH)
		str_fill(line, ' ', NAME_WIDTH - (line->len - start));
}

static size_t count_values(const struct history *history, size_t metric)
{
	size_t n = 0;

	for (size_t i = 0; i < history->n; i++)
		n += !isnan(history->entries[i].values[metric]);
	return n;
}

static void add_limit(struct str *cell, const struct limit *limit, const struct num_style *numbers)
{
	if (limit->source == LIMIT_HISTORY)
		add_percent(cell, limit->value, numbers);
	else
		str_addf(cell, "(%zu of %d)", limit->changes_n, NOISE_CHANGES_MIN);
}

static void add_metric(struct str *text, const struct history *history, size_t metric,
		       const struct num_style *numbers)
{
	const struct limit limit = history_limit(history, metric, history->n);
	cleanup_str struct str entries = { 0 }, last = { 0 }, change = { 0 }, next = { 0 };
	double value = history->entries[history->n - 1].values[metric], share;

	add_name(text, history->metrics.v[metric]);
	str_addf(&entries, "%zu", count_values(history, metric));
	if (!isnan(value))
		add_value(&last, value, numbers);
	if (history->n > 1 && history_change(history, metric, history->n - 1, &share))
		add_percent(&change, share, numbers);
	add_limit(&next, &limit, numbers);
	add_cell(text, &entries);
	add_cell(text, &last);
	add_cell(text, &change);
	add_cell(text, &next);
	str_add(text, "\n");
}

/*
 * Append the changes that exceeded their limits: "  2026-01-12 11:00:00 +00:00  cs +5.20 %, limit
 * +1.80 %, commit abc". limits: of each entry. Returns the number of changes without a limit.
 */
static size_t add_exceeded(struct str *text, const struct history *history, size_t metric,
			   const struct limit *limits, const struct num_style *numbers)
{
	size_t unjudged = 0;

	for (size_t i = 1; i < history->n; i++) {
		const struct limit *limit = &limits[i];
		double share;

		if (!history_change(history, metric, i, &share))
			continue;
		unjudged += limit->source != LIMIT_HISTORY;
		if (limit->source != LIMIT_HISTORY || fabs(share) <= limit->value)
			continue;
		str_add(text, "  ");
		clock_add_date(text, " ", " ", history->entries[i].time, 0);
		str_add(text, "  ");
		str_add_escaped(text, history->metrics.v[metric]);
		str_add(text, " ");
		add_percent(text, share, numbers);
		str_add(text, ", limit ");
		add_percent(text, limit->value, numbers);
		if (history->entries[i].commit[0])
			str_add(text, ", commit ");
		str_add_escaped(text, history->entries[i].commit);
		str_add(text, "\n");
	}
	return unjudged;
}

int history_table_write(const struct history *history, const struct num_style *numbers, FILE *out)
{
	static const char *const titles[] = { "entries", "last value", "last change", "limit" };
	cleanup_str struct str text = { 0 }, exceeded = { 0 };
	cleanup_free struct limit *limits = calloc(history->n + 1, sizeof(*limits));
	size_t unjudged = 0;

	if (!limits)
		return -ENOMEM;
	str_fill(&text, ' ', NAME_WIDTH);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		str_addf(&text, "%*s", CELL_WIDTH, titles[i]);
	str_add(&text, "\n");
	for (size_t i = 0; i < history->metrics.n; i++) {
		add_metric(&text, history, i, numbers);
		history_limits(history, i, limits);
		unjudged += add_exceeded(&exceeded, history, i, limits, numbers);
	}
	str_add(&text, exceeded.len ? "\nChanges that exceeded their limits:\n" :
				      "\nNo change exceeded a limit.\n");
	str_append(&text, &exceeded);
	if (unjudged > 0)
		str_addf(&text,
			 "Changes without a limit: %zu (metrics with fewer than %d changes)\n",
			 unjudged, NOISE_CHANGES_MIN);
	return str_print(&text, out);
}
