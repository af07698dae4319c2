/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "format/format.h"
#include "format/terminal/rank_table.h"
#include "format/terminal/terminal.h"
#include "result/ranks.h"
#include "result/table.h"

enum { NUMBER_WIDTH = 8, IMBALANCE_WIDTH = 10, NAME_LEAST = 12 };

static const char largest_title[] = "largest";

/* As below the rows of another result. */
static const struct {
	const char *name, *unit;
	double factor;
} times[RANK_TIMES_N] = {
	{ "time elapsed", "s", 1e-9 },
	{ "user", "s", 1e-9 },
	{ "sys", "s", 1e-9 },
	{ "max_rss", "KiB", 1 },
};

/* A line of the table: a row of the result, or one of the times. */
struct rank_line {
	const struct rank_summary *ranks;
	const char *name, *unit;
	const char *absent; /* instead of the sum; NULL: there is a sum */
	double factor;
	int decimals;
};

struct rank_table {
	const struct table *result;
	const struct format_style *look;
	int number_width, largest_width;
};

static size_t lines_n(const struct rank_table *t)
{
	return t->result->events_n + RANK_TIMES_N;
}

static struct rank_line line_at(const struct rank_table *t, size_t i)
{
	const struct series *series = t->result->series;
	const struct measure *row;

	if (i >= t->result->events_n) {
		i -= t->result->events_n;
		return (struct rank_line){ &series->ranks->times[i],
					   times[i].name,
					   times[i].unit,
					   NULL,
					   times[i].factor,
					   rank_times[i] == TOOL_MAX_RSS ? 0 : 3 };
	}
	row = &t->result->v[i];
	return (struct rank_line){ &series->ranks->rows[row->index], row->name, row->event->unit,
				   measure_absent(row->state),	     1,		row->decimals };
}

static void measure(struct rank_table *t, const struct line_style *style)
{
	t->number_width = NUMBER_WIDTH;
	t->largest_width = (int)strlen(largest_title);
	for (size_t i = 0; i < lines_n(t); i++) {
		const struct rank_line it = line_at(t, i);

		if (it.absent)
			line_widen(&t->number_width, (int)strlen(it.absent));
		line_widen(&t->number_width,
			   line_number_columns(style, (long double)(it.ranks->sum * it.factor),
					       it.decimals, ""));
		if (it.ranks->largest)
			line_widen(&t->largest_width,
				   ruler_measure(style->ruler, it.ranks->largest));
	}
}

/* An unknown number is negative. */
static void add_number(struct line *line, double value, int decimals, int width)
{
	line_add(line, "  ");
	if (value < 0)
		line_right(line, "-", width, COLOUR_NONE);
	else
		line_number(line, (long double)value, decimals, "", width, COLOUR_NONE);
}

static void add_titles(struct line *line, const struct rank_table *t)
{
	static const char *const numbers[] = { "sum", "min", "median", "max" };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		line_add(line, "  ");
		line_right(line, numbers[i], t->number_width, COLOUR_NAME);
	}
	line_add(line, "  ");
	line_right(line, "max / mean", IMBALANCE_WIDTH, COLOUR_NAME);
	line_add(line, "  ");
	line_left(line, largest_title, t->largest_width);
	line_add(line, "  event");
	line_end(line);
}

static void add_line(struct line *line, const struct rank_table *t, const struct rank_line *it)
{
	cleanup_str struct str name = { 0 };
	int width;

	if (it->absent) {
		line_add(line, "  ");
		line_right(line, it->absent, t->number_width, COLOUR_MISSING);
	} else {
		add_number(line, it->ranks->sum * it->factor, it->decimals, t->number_width);
	}
	add_number(line, it->ranks->min * it->factor, it->decimals, t->number_width);
	add_number(line, it->ranks->median * it->factor, it->decimals, t->number_width);
	add_number(line, it->ranks->max * it->factor, it->decimals, t->number_width);
	add_number(line, it->ranks->imbalance, 2, IMBALANCE_WIDTH);
	line_add(line, "  ");
	line_left(line, it->ranks->largest ? it->ranks->largest : "", t->largest_width);
	line_add(line, "  ");
	str_addf(&name, "%s%s%s", it->unit, *it->unit ? " " : "", it->name);
	line->text.failed |= name.failed;
	width = t->look->width - line->columns;
	if (t->look->width > 0)
		line_cut(line, str_text(&name), width > NAME_LEAST ? width : NAME_LEAST,
			 t->look->ascii ? "..." : "…", COLOUR_NONE);
	else
		line_add(line, str_text(&name));
	line_end(line);
}

void rank_table_add(struct line *line, const struct table *result, const struct format_style *look)
{
	struct rank_table t = { .result = result, .look = look };

	measure(&t, line->style);
	add_titles(line, &t);
	for (size_t i = 0; i < lines_n(&t); i++) {
		const struct rank_line it = line_at(&t, i);

		add_line(line, &t, &it);
	}
}
