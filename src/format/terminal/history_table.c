/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/math.h"
#include "base/str.h"
#include "format/terminal/history_table.h"
#include "format/terminal/terminal.h"
#include "result/history.h"

enum { WIDTH = 80, WIDTH_OF_NAMES = 30, CELLS = 44, CURVE_MIN = 8, CURVE_MAX = 40 };
enum { ENTRIES_WIDTH = 8, VALUE_WIDTH = 14, SHARE_WIDTH = 11 };

void history_table_add_percent(struct str *out, double share, const struct num_style *numbers)
{
	str_add(out, share < 0 ? "-" : "+");
	num_add(out, (long double)(100 * fabs(share)), 2, numbers);
	str_add(out, " %");
}

void history_table_add_limit(struct str *out, const struct limit *limit,
			     const struct format_style *style)
{
	if (limit->source != LIMIT_HISTORY) {
		str_addf(out, "(%zu of %d)", limit->changes_n, HISTORY_CHANGES_MIN);
		return;
	}
	str_add(out, style->ascii ? "+-" : "±");
	num_add(out, (long double)(100 * limit->value), 2, &style->numbers);
	str_add(out, " %");
}

void history_table_add_value(struct str *out, const struct history *history, size_t metric,
			     const struct num_style *numbers)
{
	const char *unit = history->units.v[metric];
	const bool in_ns = strcmp(unit, "ns") == 0, in_ms = in_ns || strcmp(unit, "msec") == 0;
	double value = history->entries[history->n - 1].values[metric] / (in_ns ? 1e6 : 1);

	if (isnan(value))
		return;
	num_add(out, (long double)value, !in_ms && math_is_whole((long double)fabs(value)) ? 0 : 3,
		numbers);
	if (in_ms || unit[0])
		str_addf(out, " %s", in_ms ? "ms" : unit);
}

void history_table_add_curve(struct str *out, const struct history *history, size_t metric,
			     struct history_curve curve)
{
	static const char *const levels[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char ascii[] = "_.-:=+*#";
	const size_t first = history->n > curve.width ? history->n - curve.width : 0;
	double low = INFINITY, high = -INFINITY;

	for (size_t i = first; i < history->n; i++) {
		low = -math_larger(-history->entries[i].values[metric], -low);
		high = math_larger(history->entries[i].values[metric], high);
	}
	for (size_t i = first; i < history->n; i++) {
		double value = history->entries[i].values[metric];
		double part = high > low ? (value - low) / (high - low) : 0;
		size_t level = isnan(value) ? 0 : (size_t)(part * 7.999);

		if (isnan(value))
			str_add(out, " ");
		else if (curve.ascii)
			str_add_n(out, ascii + level, 1);
		else
			str_add(out, levels[level]);
	}
}

/* The layout of the table. A width of 0 is a file or a pipe, in which names are not cut. */
struct history_layout {
	const struct history *history;
	const struct format_style *style;
	struct limit *limits; /* owned: see history_all_limits() */
	int name_width, commit_width;
	size_t curve_width;
};

/* The part of the commit that is shown: the hash is abbreviated, as git does. */
static void history_table_add_commit(struct str *out, const char *commit)
{
	size_t n = strlen(commit), hash = strspn(commit, "0123456789abcdef");

	str_add_n(out, commit, hash == n && n > 12 ? 12 : n);
}

static int history_table_layout_of(struct history_layout *l, struct ruler *ruler)
{
	const struct history *history = l->history;
	const int width = l->style->width ? l->style->width : WIDTH;
	int rest;

	l->limits = history_all_limits(history);
	if (!l->limits)
		return -ENOMEM;
	for (size_t i = 0; i < history->metrics.n; i++)
		line_widen(&l->name_width, ruler_measure(ruler, history->metrics.v[i]));
	if (l->style->width && l->name_width > WIDTH_OF_NAMES)
		l->name_width = WIDTH_OF_NAMES;
	rest = width - l->name_width - CELLS - 2;
	l->curve_width = (size_t)(rest < CURVE_MIN ? CURVE_MIN :
				  rest < CURVE_MAX ? rest :
						     CURVE_MAX);
	for (size_t i = 0; i < history->n; i++) {
		cleanup_str struct str commit = { 0 };

		history_table_add_commit(&commit, history->entries[i].commit);
		line_widen(&l->commit_width, ruler_measure(ruler, str_text(&commit)));
	}
	return 0;
}

/* The name of a metric may contain any characters. */
static void history_table_add_metric(struct line *line, const struct history_layout *l,
				     size_t metric)
{
	const struct history *history = l->history;
	cleanup_str struct str value = { 0 }, change = { 0 }, limit = { 0 }, curve = { 0 };
	size_t values_n = 0;
	double share;

	for (size_t i = 0; i < history->n; i++)
		values_n += !isnan(history->entries[i].values[metric]);
	if (history->n > 0)
		history_table_add_value(&value, history, metric, line->style->numbers);
	if (history->n > 1 && history_change(history, metric, history->n - 1, &share))
		history_table_add_percent(&change, share, line->style->numbers);
	history_table_add_limit(
		&limit, history_limits_of(l->history, l->limits, metric) + history->n, l->style);
	history_table_add_curve(&curve, history, metric,
				(struct history_curve){ l->curve_width, l->style->ascii });
	line_cut(line, history->metrics.v[metric], l->name_width, COLOUR_NONE);
	line_add(line, " "); /* also if the number is too wide */
	line_number(line, (long double)values_n, 0, "", ENTRIES_WIDTH - 1, COLOUR_NONE);
	line_right(line, str_text(&value), VALUE_WIDTH, COLOUR_NONE);
	line_right(line, str_text(&change), SHARE_WIDTH, COLOUR_NONE);
	line_right(line, str_text(&limit), SHARE_WIDTH, COLOUR_NONE);
	line_add(line, "  ");
	line_append(line, &curve);
	line->text.failed |= value.failed || change.failed || limit.failed;
	line_end(line);
}

/* Append a metric whose change exceeded its limit, unless the line has no room for it. */
static bool history_table_add_exceeded(struct line *line, const struct history_layout *l,
				       size_t metric, size_t i)
{
	const struct limit *limit = history_limits_of(l->history, l->limits, metric) + i;
	const int room = l->style->width ? l->style->width - line->columns : 0;
	cleanup_str struct str text = { 0 };
	double share;

	if (!history_exceeds(l->history, metric, i, limit, &share))
		return true;
	str_addf(&text, "  %s ", l->history->metrics.v[metric]);
	history_table_add_percent(&text, share, line->style->numbers);
	str_add(&text, " (limit ");
	history_table_add_limit(&text, limit, l->style);
	str_add(&text, ")");
	if (room && ruler_measure(line->style->ruler, str_text(&text)) > room)
		return false;
	line_append(line, &text);
	return true;
}

/* Append a line for the entry, if a change exceeded its limit:
 * "  2026-01-12  abc  cs +5.20 % (limit ±1.80 %)". */
static void history_table_add_changed_entry(struct line *line, const struct history_layout *l,
					    size_t i)
{
	const struct history *history = l->history;
	cleanup_str struct str date = { 0 }, commit = { 0 };
	size_t exceeded = 0, left_out = 0;
	double share;

	for (size_t k = 0; k < history->metrics.n; k++)
		exceeded += history_exceeds(
			history, k, i, history_limits_of(l->history, l->limits, k) + i, &share);
	if (exceeded == 0)
		return;
	clock_add_date(&date, " ", " ", history->entries[i].time, 0);
	/* in UTC, without seconds; a commit says more than the time of the day */
	line_addf(line, "  %.*s", history->entries[i].commit[0] ? 10 : 16, str_text(&date));
	if (l->commit_width > 0) {
		history_table_add_commit(&commit, history->entries[i].commit);
		line_add(line, "  ");
		line_left(line, str_text(&commit), l->commit_width);
	}
	for (size_t k = 0; k < history->metrics.n; k++)
		left_out += !history_table_add_exceeded(line, l, k, i);
	if (left_out > 0)
		line_addf(line, left_out == exceeded ? "  %zu metrics" : "  + %zu more", left_out);
	line->text.failed |= date.failed || commit.failed;
	line_end(line);
}

int history_table_write(const struct history *history, const struct format_style *format, FILE *out)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	struct history_layout l = { .history = history, .style = format };
	const struct line_style style = { .ruler = &ruler,
					  .numbers = &format->numbers,
					  .ascii = format->ascii };
	cleanup_line struct line line = { .style = &style }, exceeded = { .style = &style };
	int err = history_table_layout_of(&l, &ruler);
	size_t unjudged = 0;

	line_fill(&line, l.name_width);
	line_right(&line, "entries", ENTRIES_WIDTH, COLOUR_NONE);
	line_right(&line, "last value", VALUE_WIDTH, COLOUR_NONE);
	line_right(&line, "change", SHARE_WIDTH, COLOUR_NONE);
	line_right(&line, "limit", SHARE_WIDTH, COLOUR_NONE);
	line_add(&line, "  latest");
	line_end(&line);
	for (size_t i = 0; err == 0 && i < history->metrics.n; i++) {
		history_table_add_metric(&line, &l, i);
		unjudged += history_unjudged(history, i, history_limits_of(history, l.limits, i));
	}
	for (size_t i = 1; err == 0 && i < history->n; i++)
		history_table_add_changed_entry(&exceeded, &l, i);
	str_add(&line.text, exceeded.text.len ? "\nChanges beyond their limits (UTC):\n" :
						"\nNo change exceeded a limit.\n");
	str_append(&line.text, &exceeded.text);
	if (unjudged > 0)
		str_addf(&line.text,
			 "Changes without a limit: %zu (metrics with fewer than %d changes)\n",
			 unjudged, HISTORY_CHANGES_MIN);
	free(l.limits);
	return err < 0 ? err : str_print(&line.text, out);
}
