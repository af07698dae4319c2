/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "format/format.h"
#include "format/terminal/rank_table.h"
#include "format/terminal/terminal.h"
#include "result/table.h"

enum { NUMBER_WIDTH = 8, IMBALANCE_WIDTH = 10, NAME_LEAST = 12 };

static const char largest_title[] = "largest";

/* A line of the table, with the numbers in this unit. */
struct rank_line {
	const struct rank_summary *ranks;
	const char *name, *unit;
	const char *absent; /* instead of the sum; NULL: there is a sum */
	double factor;
	int decimals;
};

struct rank_table {
	const struct table *table;
	const struct format_style *look;
	int number_width, largest_width;
	size_t lines_n; /* the events, then the times and the peak memory that are known */
};

static struct rank_line rank_table_line(const struct rank_table *t, size_t i)
{
	/* as below the rows of another result */
	static const struct rank_line times[RANK_TIMES_N] = {
		{ NULL, "time elapsed", "s", NULL, 1e-9, 3 },
		{ NULL, "user", "s", NULL, 1e-9, 3 },
		{ NULL, "sys", "s", NULL, 1e-9, 3 },
		{ NULL, "max_rss", "KiB", NULL, 1, 0 },
	};
	const size_t events_n = t->table->events_n;
	const struct measure *m =
		i < events_n ? &t->table->v[i] : table_own(t->table, TOOL_NONE + 1 + i - events_n);
	struct rank_line line = {
		NULL, m->name, m->unit, measure_absent(m->state), 1, m->decimals
	};

	if (i >= events_n)
		line = times[i - events_n];
	line.ranks = m->ranks;
	return line;
}

static void rank_table_measure(struct rank_table *t, const struct line_style *style)
{
	t->number_width = NUMBER_WIDTH;
	t->largest_width = (int)strlen(largest_title);
	for (size_t i = 0; i < t->lines_n; i++) {
		const struct rank_line it = rank_table_line(t, i);

		if (it.absent)
			line_widen(&t->number_width, (int)strlen(it.absent));
		line_widen(&t->number_width,
			   line_number_columns(style,
					       (long double)(it.ranks->v[RANK_SUM] * it.factor),
					       it.decimals, ""));
		if (it.ranks->largest)
			line_widen(&t->largest_width,
				   ruler_measure(style->ruler, it.ranks->largest));
	}
}

static void rank_table_add_titles(struct line *line, const struct rank_table *t)
{
	static const char *const titles[RANK_NUMBERS] = { "sum", "min", "median", "max",
							  "max / mean" };

	for (enum rank_number i = RANK_SUM; i < RANK_NUMBERS; i++) {
		line_add(line, "  ");
		line_right(line, titles[i], i == RANK_IMBALANCE ? IMBALANCE_WIDTH : t->number_width,
			   COLOUR_NAME);
	}
	line_add(line, "  ");
	line_left(line, largest_title, t->largest_width);
	line_add(line, "  event");
	line_end(line);
}

static void rank_table_add_line(struct line *line, const struct rank_table *t,
				const struct rank_line *it)
{
	cleanup_str struct str name = { 0 };
	int name_width;

	for (enum rank_number i = RANK_SUM; i < RANK_NUMBERS; i++) {
		const double value = it->ranks->v[i];
		const bool has_unit = i != RANK_IMBALANCE;
		const int width = has_unit ? t->number_width : IMBALANCE_WIDTH;

		line_add(line, "  ");
		if (i == RANK_SUM && it->absent)
			line_right(line, it->absent, width, COLOUR_MISSING);
		else if (value < 0)
			line_right(line, "-", width, COLOUR_NONE);
		else
			line_number(line, (long double)(has_unit ? value * it->factor : value),
				    has_unit ? it->decimals : 2, "", width, COLOUR_NONE);
	}
	line_add(line, "  ");
	line_left(line, it->ranks->largest ? it->ranks->largest : "", t->largest_width);
	line_add(line, "  ");
	str_addf(&name, "%s%s%s", it->unit, *it->unit ? " " : "", it->name);
	line->text.failed |= name.failed;
	name_width = t->look->width - line->columns;
	if (t->look->width > 0)
		line_cut(line, str_text(&name), name_width > NAME_LEAST ? name_width : NAME_LEAST,
			 t->look->ascii ? "..." : "…", COLOUR_NONE);
	else
		line_add(line, str_text(&name));
	line_end(line);
}

void rank_table_add(struct line *line, const struct table *table, const struct format_style *look)
{
	struct rank_table t = {
		.table = table,
		.look = look,
		.lines_n = table->events_n + (table->series->has_usage ? RANK_TIMES_N : 1),
	};

	rank_table_measure(&t, line->style);
	rank_table_add_titles(line, &t);
	for (size_t i = 0; i < t.lines_n; i++) {
		const struct rank_line it = rank_table_line(&t, i);

		rank_table_add_line(line, &t, &it);
	}
}
