/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of all sides from left to right in the order they ran, above bands for the confidence
 * intervals of the means: a machine that drifts becomes visible. Groups of many runs are lines from
 * their smallest to their largest value. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/html/drawing.h"

enum {
	TOP = 12,
	FOOT = 44, /* for the numbers of the runs and the caption */
	RIGHT = 16,
	LETTER = 7,
	BETWEEN_ROWS = 20, /* minimum distance of ticks */
	COLUMNS_MAX = 8,
};

static double x_of(const struct html_drawing *drawing, const struct html_axis *places, size_t side,
		   size_t i)
{
	const struct html_page *page = drawing->page;
	const struct comparison_side *it = &page->c->rows[drawing->row].sides[side];
	const size_t *position = page->positions;

	for (size_t before = 0; before < side; before++)
		position += page->c->results[before].runs_n;
	return html_axis_at(places, (double)position[it->runs[i]] + 1);
}

static double y_of(const struct html_drawing *drawing, double value)
{
	return html_axis_at(&drawing->span.axis, value);
}

/* ---- Runs one by one. */

static void add_trace(const struct html_drawing *drawing, const struct html_axis *places,
		      size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;

	str_add(out, "<path class=\"trace\" d=\"");
	for (size_t i = 0; i < it->n; i++)
		str_addf(out, "%s%.1f %.1f", i ? " " : "M", x_of(drawing, places, side, i),
			 y_of(drawing, it->values[i]));
	str_add(out, "\"/>\n");
}

static void add_marks(const struct html_drawing *drawing, const struct html_axis *places,
		      size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;

	add_trace(drawing, places, side);
	for (size_t i = 0; i < it->n; i++) {
		double value = it->values[i];
		double x = x_of(drawing, places, side, i);

		if (value > drawing->span.high)
			html_begin_beyond(out, side, HTML_ABOVE, x, TOP - 4);
		else if (value < drawing->span.low)
			html_begin_beyond(out, side, HTML_BELOW, x, drawing->height - FOOT + 4);
		else
			html_begin_mark(out, side, x, y_of(drawing, value));
		html_add_run_title(drawing, side, i);
		str_add(out, "</use>\n");
	}
}

/* ---- Many runs. */

static void gather(struct html_group *groups, const struct html_drawing *drawing,
		   const struct html_axis *places, size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	double width = (places->to - places->from) / HTML_GROUPS;

	for (size_t i = 0; i < it->n; i++) {
		int at = (int)((x_of(drawing, places, side, i) - places->from) / width);

		html_group_add(&groups[at < HTML_GROUPS ? at : HTML_GROUPS - 1], it, i);
	}
}

static void add_group(const struct html_drawing *drawing, size_t side,
		      const struct html_group *group, double x)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;
	cleanup_str struct str what = { 0 };

	str_addf(&what, "runs %zu to %zu", it->runs[group->first] + 1, it->runs[group->last] + 1);
	out->failed |= what.failed;
	str_add(out, "<g>");
	html_add_group_title(drawing, side, str_text(&what), group->low, group->high);
	html_add_line(out, "range", x, y_of(drawing, group->low), x, y_of(drawing, group->high));
	html_begin_mark(out, side, x, y_of(drawing, group->sum / (double)group->n));
	str_add(out, "</use></g>\n");
}

static int add_groups(const struct html_drawing *drawing, const struct html_axis *places,
		      size_t side)
{
	cleanup_free struct html_group *groups = calloc(HTML_GROUPS, sizeof(*groups));
	double width = (places->to - places->from) / HTML_GROUPS;
	double sides_n = (double)drawing->page->c->input.sides_n;

	if (!groups)
		return -ENOMEM;
	gather(groups, drawing, places, side);
	for (size_t i = 0; i < HTML_GROUPS; i++)
		if (groups[i].n > 0)
			add_group(drawing, side, &groups[i],
				  places->from +
					  width * ((double)i + ((double)side + 0.5) / sides_n));
	return 0;
}

/* ---- Around the runs. */

/* The confidence interval of the mean. */
static void add_band(const struct html_drawing *drawing, const struct html_axis *places,
		     const struct comparison_side *it)
{
	double mean = (double)it->summary.mean;
	double top = y_of(drawing, mean + it->half), bottom = y_of(drawing, mean - it->half);
	struct str *out = drawing->page->out;

	if (it->n < 2)
		return;
	str_add(out, "<rect class=\"band\"");
	html_add_number(out, "x", places->from);
	html_add_number(out, "y", top);
	html_add_number(out, "width", places->to - places->from);
	html_add_number(out, "height", bottom - top);
	str_add(out, "/>\n");
	if (html_axis_has(&drawing->span.axis, mean))
		html_add_line(out, "level", places->from, y_of(drawing, mean), places->to,
			      y_of(drawing, mean));
}

static void add_rows(const struct html_drawing *drawing, const struct html_axis *places,
		     const struct html_ticks *ticks)
{
	struct str *out = drawing->page->out;

	for (int i = 0; i < ticks->n; i++) {
		double y = y_of(drawing, html_tick_value(&drawing->span.axis, ticks, i));

		html_add_line(out, "grid", places->from, y, places->to, y);
		html_begin_label(out, "aside end", places->from - 8, y + 4);
		html_tick_add(out, ticks, i, drawing->page->text.numbers);
		str_add(out, "</text>\n");
	}
}

/* The meaning of the positions. */
static const char *caption_of(const struct html_page *page)
{
	if (page->ordered)
		return "all runs, in the order they ran";
	return page->c->input.paired ? "rounds" : "runs of each side";
}

static void add_places(const struct html_drawing *drawing, const struct html_axis *places)
{
	struct html_ticks ticks = html_ticks_of(places, COLUMNS_MAX);
	struct str *out = drawing->page->out;
	double bottom = drawing->height - FOOT + 10;

	html_add_line(out, "axis", places->from, bottom, places->to, bottom);
	for (int i = 0; i < ticks.n; i++) {
		double position = html_tick_value(places, &ticks, i),
		       x = html_axis_at(places, position);

		if (position < 1 || ticks.decimals > 0)
			continue;
		html_add_line(out, "axis", x, bottom, x, bottom + 4);
		html_begin_label(out, "aside middle", x, bottom + 17);
		html_tick_add(out, &ticks, i, drawing->page->text.numbers);
		str_add(out, "</text>\n");
	}
	html_begin_label(out, "aside end", places->to, bottom + 32);
	str_addf(out, "%s</text>\n", caption_of(drawing->page));
}

/* ---- The whole. */

static int add_side(const struct html_drawing *drawing, const struct html_axis *places, size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;
	int err = 0;

	if (it->n == 0)
		return 0;
	str_add(out, "<g");
	html_add_class(out, side);
	str_add(out, ">\n");
	add_band(drawing, places, it);
	if (html_is_single(drawing))
		add_marks(drawing, places, side);
	else
		err = add_groups(drawing, places, side);
	str_add(out, "</g>\n");
	return err;
}

int html_add_order(const struct html_drawing *drawing)
{
	struct html_drawing it = *drawing;
	const struct comparison *c = it.page->c;
	struct html_axis *axis = &it.span.axis;
	struct html_axis places = { .high = (double)it.page->positions_n + 1, .factor = 1 };
	struct html_ticks ticks =
		html_ticks_of(axis, (int)((it.height - TOP - FOOT) / BETWEEN_ROWS));
	int err = 0;

	axis->from = it.height - FOOT;
	axis->to = TOP;
	places.from = (html_ticks_width(&ticks, it.page->text.numbers) + 2) * LETTER;
	places.to = HTML_WIDTH - RIGHT;
	html_begin_drawing(&it, "order", "The runs in the order of time");
	add_rows(&it, &places, &ticks);
	add_places(&it, &places);
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = add_side(&it, &places, i);
	str_add(it.page->out, "</svg>\n");
	return err;
}
