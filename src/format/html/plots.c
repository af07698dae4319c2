/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section for each row: its verdicts and its two drawings. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/html/drawing.h"

/* ---- The left drawing: the runs of each side in its own lane above a shared axis, equal runs on
 * top of each other, and below them the mean with its confidence interval. Many runs become a
 * histogram. */

enum {
	LANE = 72, /* the height of a side's lane */
	LABEL = 16, /* from the top of the lane to the baseline of the name */
	BASE = 58, /* from the top of the lane to the lowest mark */
	PILE = 30, /* the height of the highest pile of marks */
	MEAN = 66, /* from the top of the lane to the middle of the interval */
	CAP = 4, /* half the height of the interval's ends */
	STRIP_FOOT = 26, /* for the numbers of the axis, below all lanes */
	MARK = 7, /* the width of a mark */
	LETTER = 7, /* the approximate width of a digit */
	LETTERS_MAX = 44, /* of a side's name */
	TICKS_MAX = 7,
};

/* A lane and its piles. */
struct lane {
	const struct html_drawing *drawing;
	const struct comparison_side *it;
	size_t side;
	double top;
	size_t *piles; /* owned: the number of runs in each */
	int piles_n;
	size_t most; /* runs in the highest pile of all sides */
};

static double strip_height(size_t sides_n)
{
	return (double)sides_n * LANE + STRIP_FOOT;
}

/* ---- Piles. */

static bool is_within(const struct html_drawing *drawing, double value)
{
	return value >= drawing->span.low && value <= drawing->span.high;
}

static int pile_of(const struct html_axis *axis, int piles_n, double value)
{
	double share = (html_axis_at(axis, value) - axis->from) / (axis->to - axis->from);
	int pile = (int)(share * piles_n);

	return pile < piles_n ? pile : piles_n - 1;
}

static size_t count_piles(struct lane *lane)
{
	size_t most = 0;

	for (size_t i = 0; i < lane->it->n; i++) {
		size_t *pile = &lane->piles[pile_of(&lane->drawing->span.axis, lane->piles_n,
						    lane->it->values[i])];

		if (is_within(lane->drawing, lane->it->values[i]) && ++*pile > most)
			most = *pile;
	}
	return most;
}

static void add_piled_marks(struct lane *lane)
{
	const struct html_axis *axis = &lane->drawing->span.axis;
	double step = lane->most > 1 ? (double)PILE / (double)(lane->most - 1) : MARK;

	if (step > MARK)
		step = MARK;
	for (int i = 0; i < lane->piles_n; i++)
		lane->piles[i] = 0;
	for (size_t i = 0; i < lane->it->n; i++) {
		double value = lane->it->values[i];
		size_t below;

		if (!is_within(lane->drawing, value))
			continue;
		below = lane->piles[pile_of(axis, lane->piles_n, value)]++;
		html_begin_mark(lane->drawing->page->out, lane->side, html_axis_at(axis, value),
				lane->top + BASE - 4 - step * (double)below);
		html_add_run_title(lane->drawing, lane->side, i);
		str_add(lane->drawing->page->out, "</use>\n");
	}
}

static void add_columns(const struct lane *lane)
{
	const struct html_axis *axis = &lane->drawing->span.axis;
	struct str *out = lane->drawing->page->out;
	double width = (axis->to - axis->from) / lane->piles_n;
	double worth = (axis->high - axis->low) / lane->piles_n;

	for (int i = 0; i < lane->piles_n; i++) {
		double height = (double)(PILE + MARK) * (double)lane->piles[i] / (double)lane->most;
		cleanup_str struct str what = { 0 };

		if (lane->piles[i] == 0)
			continue;
		text_add_runs(&what, lane->piles[i], lane->drawing->page->text.numbers);
		out->failed |= what.failed;
		str_add(out, "<rect");
		html_add_number(out, "x", axis->from + width * i);
		html_add_number(out, "y", lane->top + BASE - height);
		html_add_number(out, "width", width - 0.6);
		html_add_number(out, "height", height);
		str_add(out, ">");
		html_add_group_title(lane->drawing, lane->side, str_text(&what),
				     axis->low + worth * i, axis->low + worth * (i + 1));
		str_add(out, "</rect>\n");
	}
}

/* ---- Around the piles. */

/* The runs beyond that end of the axis. */
static struct html_group find_beyond(const struct lane *lane, bool above)
{
	const struct html_span *span = &lane->drawing->span;
	struct html_group beyond = { 0 };

	for (size_t i = 0; i < lane->it->n; i++) {
		double value = lane->it->values[i];

		if (above ? value > span->high : value < span->low)
			html_group_add(&beyond, lane->it, i);
	}
	return beyond;
}

/* The number of these runs, with a sign that points to them. */
static void add_beyond(const struct lane *lane, bool above)
{
	const struct html_group beyond = find_beyond(lane, above);
	const struct html_axis *axis = &lane->drawing->span.axis;
	double x = above ? axis->to : axis->from, y = lane->top + BASE - 4;
	struct str *out = lane->drawing->page->out;
	cleanup_str struct str number = { 0 }, what = { 0 };

	if (beyond.n == 0)
		return;
	num_add(&number, beyond.n, 0, lane->drawing->page->text.numbers);
	str_addf(&what, "%s runs", str_text(&number));
	out->failed |= number.failed || what.failed;
	html_begin_beyond(out, lane->side, above ? HTML_RIGHT : HTML_LEFT, x, y);
	if (beyond.n == 1)
		html_add_run_title(lane->drawing, lane->side, beyond.last);
	else
		html_add_group_title(lane->drawing, lane->side, str_text(&what), beyond.low,
				     beyond.high);
	str_add(out, "</use>\n");
	html_begin_label(out, above ? "aside" : "aside end", x + (above ? 7 : -7), y + 4);
	str_add(out, str_text(&number));
	str_add(out, "</text>\n");
}

/* The side's name, cut if it is too long. */
static void add_name(const struct lane *lane)
{
	const char *name = lane->drawing->page->c->input.sides[lane->side].name, *end;
	cleanup_str struct str text = { 0 }, clean = { 0 };
	struct str *out = lane->drawing->page->out;
	int letters = 0;

	str_add_utf8(&clean, name);
	for (end = str_text(&clean); *end && letters < LETTERS_MAX; end += utf8_length(end))
		letters++;
	str_add_n(&text, str_text(&clean), (size_t)(end - str_text(&clean)));
	if (*end)
		str_add(&text, "…");
	out->failed |= clean.failed;
	html_begin_mark(out, lane->side, lane->drawing->span.axis.from, lane->top + LABEL - 4);
	str_add(out, "</use>");
	html_begin_label(out, "name", lane->drawing->span.axis.from + 9, lane->top + LABEL);
	html_add_str(out, &text);
	str_add(out, "</text>\n");
}

/* "24.86 ± 0.24 ms" */
static void add_mean_text(const struct lane *lane)
{
	const struct row_style *style = &lane->drawing->style;
	cleanup_str struct str text = { 0 };
	struct str *out = lane->drawing->page->out;

	text_add_mean_and_half(&text, style, lane->it);
	text_add_unit(&text, style);
	html_begin_label(out, "end", lane->drawing->span.axis.to, lane->top + LABEL);
	html_add_str(out, &text);
	str_add(out, "</text>\n");
}

/* An end beyond the axis has no cap. */
static void add_interval(const struct lane *lane)
{
	const struct html_axis *axis = &lane->drawing->span.axis;
	double mean = (double)lane->it->summary.mean;
	double ends[] = { mean - lane->it->half, mean + lane->it->half };
	double y = lane->top + MEAN;
	struct str *out = lane->drawing->page->out;

	html_add_line(out, "interval", html_axis_at(axis, ends[0]), y, html_axis_at(axis, ends[1]),
		      y);
	for (size_t i = 0; i < 2; i++)
		if (html_axis_has(axis, ends[i]))
			html_add_line(out, "interval", html_axis_at(axis, ends[i]), y - CAP,
				      html_axis_at(axis, ends[i]), y + CAP);
	if (html_axis_has(axis, mean))
		html_add_line(out, "mean", html_axis_at(axis, mean), y - CAP - 2,
			      html_axis_at(axis, mean), y + CAP + 2);
}

static void add_lane(struct lane *lane)
{
	struct str *out = lane->drawing->page->out;

	str_add(out, "<g");
	html_add_class(out, lane->side);
	str_add(out, ">\n");
	add_name(lane);
	add_mean_text(lane);
	if (html_is_single(lane->drawing))
		add_piled_marks(lane);
	else
		add_columns(lane);
	add_beyond(lane, false);
	add_beyond(lane, true);
	if (lane->it->n > 1)
		add_interval(lane);
	str_add(out, "</g>\n");
}

static int most_ticks(double width, int letters)
{
	int most = (int)(width / ((letters + 3) * LETTER));

	if (most > TICKS_MAX)
		return TICKS_MAX;
	return most < 2 ? 2 : most;
}

/* The axis with its numbers, and the lines through all lanes. The lanes are drawn over them. */
static void add_axis(const struct html_drawing *drawing, const struct html_ticks *ticks)
{
	const struct html_axis *axis = &drawing->span.axis;
	struct str *out = drawing->page->out;
	double bottom = drawing->height - STRIP_FOOT + 4;
	const struct comparison_side *reference = &drawing->page->c->rows[drawing->row].sides[0];

	for (int i = 0; i < ticks->n; i++) {
		double x = html_axis_at(axis, html_tick_value(axis, ticks, i));

		html_add_line(out, "grid", x, LABEL + 4, x, bottom);
		html_begin_label(out, "aside middle", x, bottom + 16);
		html_tick_add(out, ticks, i, drawing->page->text.numbers);
		str_add(out, "</text>\n");
	}
	html_add_line(out, "axis", axis->from, bottom, axis->to, bottom);
	if (reference->n > 0 && html_axis_has(axis, (double)reference->summary.mean))
		html_add_line(out, "reference", html_axis_at(axis, (double)reference->summary.mean),
			      LABEL + 4, html_axis_at(axis, (double)reference->summary.mean),
			      bottom);
}

static int add_lanes(const struct html_drawing *drawing)
{
	const struct comparison *c = drawing->page->c;
	struct lane lanes = { .drawing = drawing };
	size_t sides_n = c->input.sides_n;
	cleanup_free size_t *piles = NULL;

	lanes.piles_n = html_is_single(drawing) ? HTML_WIDTH / MARK : HTML_GROUPS;
	piles = calloc(sides_n * (size_t)lanes.piles_n, sizeof(*piles));
	if (!piles)
		return -ENOMEM;
	lanes.most = 1;
	for (size_t i = 0; i < 2 * sides_n; i++) {
		struct lane lane = lanes;
		size_t most;

		lane.side = i % sides_n;
		lane.it = &c->rows[drawing->row].sides[lane.side];
		lane.top = (double)lane.side * LANE;
		lane.piles = piles + lane.side * (size_t)lane.piles_n;
		if (i >= sides_n && lane.it->n > 0)
			add_lane(&lane);
		if (i >= sides_n)
			continue;
		most = count_piles(&lane);
		lanes.most = most > lanes.most ? most : lanes.most;
	}
	return 0;
}

static int add_strip(const struct html_drawing *drawing)
{
	struct html_drawing it = *drawing;
	struct html_axis *axis = &it.span.axis;
	const struct num_style *numbers = it.page->text.numbers;
	struct html_ticks ticks = html_ticks_of(axis, TICKS_MAX);
	int letters = html_ticks_width(&ticks, numbers);
	int err;

	axis->from = 22 > letters * LETTER / 2 ? 22 : letters * LETTER / 2;
	axis->to = HTML_WIDTH - axis->from;
	ticks = html_ticks_of(axis, most_ticks(axis->to - axis->from, letters));
	html_begin_drawing(&it, "strip", "The runs of each side over one axis");
	add_axis(&it, &ticks);
	err = add_lanes(&it);
	str_add(it.page->out, "</svg>\n");
	return err;
}

/* ---- The right drawing: the runs of all sides from left to right in the order they ran, above
 * bands for the confidence intervals of the means. A machine that drifts becomes visible. Groups of
 * many runs are lines from their smallest to their largest value. */

enum {
	TOP = 12,
	ORDER_FOOT = 44, /* for the numbers of the runs and the caption */
	RIGHT = 16,
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
			html_begin_beyond(out, side, HTML_BELOW, x,
					  drawing->height - ORDER_FOOT + 4);
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
	double bottom = drawing->height - ORDER_FOOT + 10;

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

static int add_order(const struct html_drawing *drawing)
{
	struct html_drawing it = *drawing;
	const struct comparison *c = it.page->c;
	struct html_axis *axis = &it.span.axis;
	struct html_axis places = { .high = (double)it.page->positions_n + 1, .factor = 1 };
	struct html_ticks ticks =
		html_ticks_of(axis, (int)((it.height - TOP - ORDER_FOOT) / BETWEEN_ROWS));
	int err = 0;

	axis->from = it.height - ORDER_FOOT;
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

/* ---- The sections. */

static void add_title(struct html_page *page, size_t row, const struct row_style *style)
{
	cleanup_str struct str name = { 0 };
	struct str *out = page->out;

	text_add_name(&name, &page->c->rows[row]);
	out->failed |= name.failed;
	str_addf(out, "<h3 id=\"e%zu\">", row);
	html_add_name(out, str_text(&name));
	if (*style->unit) {
		str_add(out, " <span class=\"unit\">");
		html_add(out, style->unit);
		str_add(out, "</span>");
	}
	str_add(out, "</h3>\n");
}

/* "new ✓ better -3.1 % [-3.4, -2.8]", for each side. */
static void add_verdicts(struct html_page *page, size_t row, const struct row_style *style)
{
	const struct comparison_row *it = &page->c->rows[row];
	struct str *out = page->out;

	str_add(out, "<p class=\"summary\">");
	for (size_t i = 1; i < page->c->input.sides_n; i++) {
		cleanup_str struct str text = { 0 };
		enum verdict word = comparison_verdict(it, i);

		str_add(out, "<span class=\"one\">");
		html_add_mark(out, i);
		str_add(out, " ");
		html_add_name(out, page->c->input.sides[i].name);
		str_add(out, " ");
		html_add_verdict(out, word);
		if (word != VERDICT_ABSENT) {
			text_add_change(&text, style, &it->contrasts[i]);
			str_add(&text, " ");
			text_add_interval(&text, style, &it->contrasts[i]);
		}
		str_add(out, " <span class=\"figures\">");
		html_add_str(out, &text);
		str_add(out, "</span></span>\n");
	}
	str_add(out, "</p>\n");
}

static size_t count_beyond(const struct html_drawing *drawing)
{
	const struct comparison *c = drawing->page->c;
	size_t n = 0;

	for (size_t side = 0; side < c->input.sides_n; side++) {
		const struct comparison_side *it = &c->rows[drawing->row].sides[side];

		for (size_t i = 0; i < it->n; i++)
			n += it->values[i] < drawing->span.low ||
			     it->values[i] > drawing->span.high;
	}
	return n;
}

static int add_drawings(const struct html_drawing *drawing)
{
	struct str *out = drawing->page->out;
	size_t beyond = count_beyond(drawing);
	int err;

	str_add(out, "<div class=\"drawings\">\n<div class=\"scroll\">\n");
	err = add_strip(drawing);
	str_add(out, "</div>\n<div class=\"scroll\">\n");
	if (err == 0)
		err = add_order(drawing);
	str_add(out, "</div>\n</div>\n");
	if (beyond > 0) {
		str_add(out, "<p class=\"hint\">Outside the axis, which leaves out distant runs: ");
		text_add_runs(out, beyond, drawing->page->text.numbers);
		str_add(out, ".</p>\n");
	}
	return err;
}

static int add_plot(struct html_page *page, size_t row)
{
	const struct comparison_row *it = &page->c->rows[row];
	const size_t sides_n = page->c->input.sides_n;
	struct html_drawing drawing = { .page = page,
					.row = row,
					.style = row_style_of(it, sides_n, &page->text),
					.height = strip_height(sides_n) };
	struct str *out = page->out;
	int err = 0;

	str_add(out, "<article>\n");
	add_title(page, row, &drawing.style);
	add_verdicts(page, row, &drawing.style);
	if (html_span_init(&drawing.span, it, sides_n, &drawing.style))
		err = add_drawings(&drawing);
	else
		str_add(out, "<p class=\"hint\">The runs of each side are equal, so there is no "
			     "drawing.</p>\n");
	str_add(out, "</article>\n");
	return err;
}

int html_add_plots(struct html_page *page)
{
	int err = 0;

	str_add(page->out,
		"<section class=\"runs\">\n<h2>Runs</h2>\n<p class=\"hint\">"
		"On the left, the runs of each side share one axis. Below them is the mean with its "
		"interval; the dashed line is the mean of the reference. On the right are the same runs "
		"in the order of time.</p>\n");
	for (size_t i = 0; err == 0 && i < page->c->rows_n; i++)
		if (text_has_counts(&page->c->rows[i], page->c->input.sides_n))
			err = add_plot(page, i);
	str_add(page->out, "</section>\n");
	return err;
}
