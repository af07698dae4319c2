/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A section for each row: its verdicts and its two drawings. Also the curve over a parameter.
 * Coordinates are in units of the drawing, from its top left.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/html/plots.h"
#include "format/terminal/curve.h"
#include "format/terminal/strip.h"

struct axis {
	double low, high; /* the values at its ends */
	double from, to; /* the coordinates of its ends */
	double factor; /* from values to the numbers at its ticks */
};

/* The axis that the runs of all sides of a row share. */
struct span {
	struct axis axis; /* still without coordinates */
	double low, high; /* a run beyond these is an outlier, drawn at the end of the axis */
};

/* The ticks are at multiples of the step, beginning with first times the step. */
struct ticks {
	double step; /* of the numbers: 1, 2 or 5 times a power of ten */
	int64_t first;
	int n;
	int decimals;
};

/* One drawing of a row. */
struct drawing {
	struct html_page *page;
	size_t row;
	struct row_style style;
	struct span span; /* its axis has the coordinates of this drawing */
	double height; /* both drawings of a row have the same */
};

/* Runs of a side that are drawn together. All zero is empty. */
struct group {
	size_t n, first, last; /* indices of values of the side */
	double low, high, sum; /* of the values */
};

/* An end of an axis. */
enum end { END_LEFT, END_RIGHT, END_ABOVE, END_BELOW };

/* ---- Text. */

#define REPLACEMENT "\xef\xbf\xbd"

/* The reference that replaces a markup character; NULL: it is none. */
static const char *reference_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* XML forbids U+FFFE and U+FFFF. */
static bool is_forbidden(const char *text)
{
	return text[0] == '\xef' && text[1] == '\xbf' && (unsigned char)text[2] >= 0xbe;
}

void html_add(struct str *out, const char *text)
{
	cleanup_str struct str visible = { 0 }, clean = { 0 };

	str_add_escaped(&visible, text);
	str_add_utf8(&clean, str_text(&visible));
	out->failed |= visible.failed || clean.failed;
	for (const char *p = str_text(&clean); *p;) {
		const char *reference = reference_of(*p);
		size_t n = utf8_length(p);

		if (reference)
			str_add(out, reference);
		else if (n > 1 && is_forbidden(p))
			str_add(out, REPLACEMENT);
		else
			str_add_n(out, p, n);
		p += n;
	}
}

void html_add_str(struct str *out, const struct str *text)
{
	out->failed |= text->failed;
	html_add(out, str_text(text));
}

void html_add_name(struct str *out, const char *name)
{
	str_add(out, "<bdi>");
	html_add(out, name);
	str_add(out, "</bdi>");
}

/* Verdicts differ by sign as well as by colour. */
static const struct {
	const char *class, *sign;
} looks[] = {
	[VERDICT_BETTER] = { "better", "✓" }, [VERDICT_WORSE] = { "worse", "✗" },
	[VERDICT_SAME] = { "same", "=" },     [VERDICT_UNCLEAR] = { "unclear", "?" },
	[VERDICT_TOO_FEW] = { "none", "…" },  [VERDICT_ABSENT] = { "none", "–" },
};

void html_add_verdict(struct str *out, const struct comparison_row *row, size_t side)
{
	enum verdict word = comparison_verdict(row, side);

	str_addf(out, "<span class=\"word %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
		 row->asked ? looks[word].class : "unasked", looks[word].sign,
		 comparison_verdict_text(word));
}

/* ---- Axes. */

/* The room at both ends of an axis, as a share of its length. */
#define MARGIN 0.04

/* The same outlier rule as for a terminal's strip, at a width that leaves room for all runs. */
enum { STRIP_WIDTH = 1000 };

/* Beyond this multiple of its step, a double cannot distinguish ticks. */
#define MULTIPLE_MAX 1e15

/* An end without outliers extends to the confidence intervals of the means, but by at most the
 * range of the runs: the interval of two runs can be many times as wide as the runs are apart. */
static void widen_by_means(struct axis *axis, const struct strip *strip,
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
		if (strip->after == 0 && high > axis->high)
			axis->high = high < strip->high + room ? high : strip->high + room;
	}
}

/* Choose the axis of a row. False: the runs of each side are all equal, so there is nothing to
 * draw. */
static bool span_init(struct span *span, const struct comparison_row *row, size_t sides_n,
		      const struct row_style *style)
{
	struct axis *axis = &span->axis;
	struct strip strip = { .ascii = false };
	double margin;

	if (!strip_of(&strip, row, sides_n, STRIP_WIDTH))
		return false;
	*span = (struct span){ .low = strip.low, .high = strip.high };
	*axis = (struct axis){ .low = strip.low, .high = strip.high, .factor = style->factor };
	widen_by_means(axis, &strip, row, sides_n);
	margin = (axis->high - axis->low) * MARGIN;
	axis->low -= margin;
	axis->high += margin;
	return true;
}

/* The coordinate of a value; a value beyond the axis has that of the nearest end. */
static double axis_at(const struct axis *axis, double value)
{
	if (value <= axis->low)
		return axis->from;
	if (value >= axis->high)
		return axis->to;
	return axis->from +
	       (value - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

/* Whether the value is on the axis. */
static bool axis_has(const struct axis *axis, double value)
{
	return value >= axis->low && value <= axis->high;
}

double html_step(double least)
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

/* As many ticks as possible, but at most this number, which is at least 2. */
static struct ticks ticks_of(const struct axis *axis, int most)
{
	double low = axis->low * axis->factor, high = axis->high * axis->factor;
	struct ticks ticks = { .step = html_step((high - low) / most) };

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

/* The value at tick i. */
static double tick_value(const struct axis *axis, const struct ticks *ticks, int i)
{
	return (double)(ticks->first + i) * ticks->step / axis->factor;
}

/* Append the number at tick i. */
static void tick_add(struct str *out, const struct ticks *ticks, int i,
		     const struct num_style *numbers)
{
	num_add(out, (double)(ticks->first + i) * ticks->step, ticks->decimals, numbers);
}

/* The number of characters of the longest number. */
static int ticks_width(const struct ticks *ticks, const struct num_style *numbers)
{
	int widest = 0;

	for (int i = 0; i < ticks->n; i++) {
		cleanup_str struct str text = { 0 };
		int width = 0;

		tick_add(&text, ticks, i, numbers);
		for (const char *p = str_text(&text); *p; p += utf8_length(p))
			width++;
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* ---- Groups. */

/* Whether each run has a mark of its own. */
static bool is_single(const struct drawing *drawing)
{
	const struct comparison *c = drawing->page->c;

	for (size_t i = 0; i < c->input.sides_n; i++)
		if (c->rows[drawing->row].sides[i].n > HTML_SINGLE_MAX)
			return false;
	return true;
}

/* Add the value of that index. */
static void group_add(struct group *group, const struct comparison_side *side, size_t i)
{
	double value = side->values[i];

	if (group->n == 0)
		*group = (struct group){ .first = i, .low = value, .high = value };
	group->low = value < group->low ? value : group->low;
	group->high = value > group->high ? value : group->high;
	group->sum += value;
	group->last = i;
	group->n++;
}

/* ---- Marks. */

/* Around the point 0,0, of about the same area. */
/* There are as many colours as shapes. */
enum { MARKS_N = 6 };

static const char *const shapes[MARKS_N] = {
	"<circle r=\"3.4\"/>",
	"<path d=\"M0-4.4 4.2 3H-4.2Z\"/>",
	"<path d=\"M-3-3H3V3H-3Z\"/>",
	"<path d=\"M0-4.5 4.5 0 0 4.5-4.5 0Z\"/>",
	"<path d=\"M0 4.4 4.2-3H-4.2Z\"/>",
	"<path d=\"M-4-1.4H-1.4V-4H1.4V-1.4H4V1.4H1.4V4H-1.4V1.4H-4Z\"/>",
};

/* All combinations of shape and colour are used before one repeats. The first MARKS_N sides have
 * nothing in common. */
static size_t shape_of(size_t side)
{
	return (side + side / MARKS_N) % MARKS_N;
}

void html_add_shapes(struct str *out)
{
	str_add(out,
		"<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n");
	for (size_t i = 0; i < MARKS_N; i++)
		str_addf(out, "<g id=\"m%zu\">%s</g>\n", i, shapes[i]);
	str_add(out, "<path id=\"beyond\" d=\"M-3-4 3 0-3 4\"/>\n</defs></svg>\n");
}

/* Append the class attribute that gives an element the colour of a side. */
static void add_class(struct str *out, size_t side)
{
	str_addf(out, " class=\"s%zu\"", side % MARKS_N);
}

void html_add_mark(struct str *out, size_t side)
{
	str_addf(out,
		 "<svg class=\"mark s%zu\" viewBox=\"-6 -6 12 12\" aria-hidden=\"true\">"
		 "<use href=\"#m%zu\"/></svg>",
		 side % MARKS_N, shape_of(side));
}

/* Append " NAME="NUMBER"", with one decimal if it is needed. */
static void add_number(struct str *out, const char *name, double value)
{
	long tenths = (long)(value * 10 + (value < 0 ? -0.5 : 0.5));

	str_addf(out, " %s=\"%s%ld", name, tenths < 0 && tenths > -10 ? "-" : "", tenths / 10);
	if (tenths % 10)
		str_addf(out, ".%ld", tenths < 0 ? -(tenths % 10) : tenths % 10);
	str_add(out, "\"");
}

/* Append a mark in a drawing. The element stays open for a title. */
static void begin_mark(struct str *out, size_t side, double x, double y)
{
	str_addf(out, "<use href=\"#m%zu\"", shape_of(side));
	add_number(out, "x", x);
	add_number(out, "y", y);
	str_add(out, ">");
}

/* Append the sign for a run beyond an end of an axis. The element stays open for a title. */
static void begin_beyond(struct str *out, size_t side, enum end end, double x, double y)
{
	static const int degrees[] = {
		[END_RIGHT] = 0, [END_BELOW] = 90, [END_LEFT] = 180, [END_ABOVE] = 270
	};

	str_addf(out, "<use class=\"beyond s%zu\" href=\"#beyond\"", side % MARKS_N);
	str_addf(out, " transform=\"translate(%.0f %.0f) rotate(%d)\">", x, y, degrees[end]);
}

/* ---- Titles. */

static void add_title(struct str *out, const struct str *text)
{
	str_add(out, "<title>");
	html_add_str(out, text);
	str_add(out, "</title>");
}

/* Append a title with the side, number and value of one run. */
static void add_run_title(const struct drawing *drawing, size_t side, size_t i)
{
	const struct html_page *page = drawing->page;
	const struct comparison_side *it = &page->c->rows[drawing->row].sides[side];
	cleanup_str struct str text = { 0 };

	if (page->subject == HTML_COMPARISON)
		str_addf(&text, "%s, ", page->c->input.sides[side].name);
	str_addf(&text, "%s %zu: ", page->subject == HTML_INTERVALS ? "interval" : "run",
		 it->runs[i] + 1);
	text_add_run(&text, &drawing->style, it->values[i]);
	text_add_unit(&text, &drawing->style);
	add_title(page->out, &text);
}

/* Append a title for several runs: who, and the range of their values. */
static void add_group_title(const struct drawing *drawing, size_t side, const char *what,
			    double low, double high)
{
	const struct html_page *page = drawing->page;
	cleanup_str struct str text = { 0 };

	str_addf(&text, "%s, %s: ", page->c->input.sides[side].name, what);
	text_add_run(&text, &drawing->style, low);
	str_add(&text, " … ");
	text_add_run(&text, &drawing->style, high);
	text_add_unit(&text, &drawing->style);
	add_title(page->out, &text);
}

/* "old: 20 runs, mean 24.86 ± 0.12, from 24.1 to 25.9 ms" */
static void add_description(struct str *text, const struct drawing *drawing, size_t side)
{
	const struct html_page *page = drawing->page;
	const struct comparison_side *it = &page->c->rows[drawing->row].sides[side];

	str_addf(text, "%s%s: ", text->len ? "; " : "", page->c->input.sides[side].name);
	if (page->subject == HTML_INTERVALS) {
		num_add(text, it->n, 0, page->text.numbers);
		str_add(text, " intervals");
	} else {
		text_add_runs(text, it->n, page->text.numbers);
	}
	str_add(text, ", mean ");
	if (page->subject == HTML_INTERVALS)
		text_add_column(text, COLUMN_MEAN, &drawing->style, it);
	else
		text_add_mean_and_half(text, &drawing->style, it);
	str_add(text, ", from ");
	text_add_run(text, &drawing->style, (double)it->summary.min);
	str_add(text, " to ");
	text_add_run(text, &drawing->style, (double)it->summary.max);
	text_add_unit(text, &drawing->style);
}

/* Append the beginning of a drawing with its description; kind makes its identifiers unique. */
static void begin_drawing(const struct drawing *drawing, const char *kind, const char *title)
{
	const struct html_page *page = drawing->page;
	struct str *out = page->out;
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < page->c->input.sides_n; i++)
		if (page->c->rows[drawing->row].sides[i].n > 0)
			add_description(&text, drawing, i);
	str_addf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\"", HTML_WIDTH, drawing->height);
	str_addf(out, " aria-labelledby=\"%s%zut %s%zud\">\n", kind, drawing->row, kind,
		 drawing->row);
	str_addf(out, "<title id=\"%s%zut\">", kind, drawing->row);
	html_add(out, title);
	str_addf(out, "</title>\n<desc id=\"%s%zud\">", kind, drawing->row);
	html_add_str(out, &text);
	str_add(out, "</desc>\n");
}

/* ---- Lines and labels. */

/* Append a line; class may be NULL. */
static void add_line(struct str *out, const char *class, double x1, double y1, double x2, double y2)
{
	str_add(out, "<line");
	if (class)
		str_addf(out, " class=\"%s\"", class);
	add_number(out, "x1", x1);
	add_number(out, "y1", y1);
	add_number(out, "x2", x2);
	add_number(out, "y2", y2);
	str_add(out, "/>\n");
}

/* Append the beginning of a text; class may be NULL. */
static void begin_label(struct str *out, const char *class, double x, double y)
{
	str_add(out, "<text");
	if (class)
		str_addf(out, " class=\"%s\"", class);
	add_number(out, "x", x);
	add_number(out, "y", y);
	str_add(out, ">");
}

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
	const struct drawing *drawing;
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

static bool is_within(const struct drawing *drawing, double value)
{
	return value >= drawing->span.low && value <= drawing->span.high;
}

static int pile_of(const struct axis *axis, int piles_n, double value)
{
	double share = (axis_at(axis, value) - axis->from) / (axis->to - axis->from);
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
	const struct axis *axis = &lane->drawing->span.axis;
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
		begin_mark(lane->drawing->page->out, lane->side, axis_at(axis, value),
			   lane->top + BASE - 4 - step * (double)below);
		add_run_title(lane->drawing, lane->side, i);
		str_add(lane->drawing->page->out, "</use>\n");
	}
}

static void add_columns(const struct lane *lane)
{
	const struct axis *axis = &lane->drawing->span.axis;
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
		add_number(out, "x", axis->from + width * i);
		add_number(out, "y", lane->top + BASE - height);
		add_number(out, "width", width - 0.6);
		add_number(out, "height", height);
		str_add(out, ">");
		add_group_title(lane->drawing, lane->side, str_text(&what), axis->low + worth * i,
				axis->low + worth * (i + 1));
		str_add(out, "</rect>\n");
	}
}

/* ---- Around the piles. */

/* The number of runs beyond an end of the axis, with a sign that points to them. */
static void add_beyond(const struct lane *lane, enum end end)
{
	const struct span *span = &lane->drawing->span;
	struct group beyond = { 0 };
	bool right = end == END_RIGHT;
	const struct axis *axis = &span->axis;
	double x = right ? axis->to : axis->from, y = lane->top + BASE - 4;
	struct str *out = lane->drawing->page->out;
	cleanup_str struct str number = { 0 }, what = { 0 };

	for (size_t i = 0; i < lane->it->n; i++) {
		double value = lane->it->values[i];

		if (right ? value > span->high : value < span->low)
			group_add(&beyond, lane->it, i);
	}
	if (beyond.n == 0)
		return;
	num_add(&number, beyond.n, 0, lane->drawing->page->text.numbers);
	str_addf(&what, "%s runs", str_text(&number));
	out->failed |= number.failed || what.failed;
	begin_beyond(out, lane->side, end, x, y);
	if (beyond.n == 1)
		add_run_title(lane->drawing, lane->side, beyond.last);
	else
		add_group_title(lane->drawing, lane->side, str_text(&what), beyond.low,
				beyond.high);
	str_add(out, "</use>\n");
	begin_label(out, right ? "aside" : "aside end", x + (right ? 7 : -7), y + 4);
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
	begin_mark(out, lane->side, lane->drawing->span.axis.from, lane->top + LABEL - 4);
	str_add(out, "</use>");
	begin_label(out, "name", lane->drawing->span.axis.from + 9, lane->top + LABEL);
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
	begin_label(out, "end", lane->drawing->span.axis.to, lane->top + LABEL);
	html_add_str(out, &text);
	str_add(out, "</text>\n");
}

/* An end beyond the axis has no cap. */
static void add_interval(const struct lane *lane)
{
	const struct axis *axis = &lane->drawing->span.axis;
	double mean = (double)lane->it->summary.mean;
	double ends[] = { mean - lane->it->half, mean + lane->it->half };
	double y = lane->top + MEAN;
	struct str *out = lane->drawing->page->out;

	add_line(out, "interval", axis_at(axis, ends[0]), y, axis_at(axis, ends[1]), y);
	for (size_t i = 0; i < 2; i++)
		if (axis_has(axis, ends[i]))
			add_line(out, "interval", axis_at(axis, ends[i]), y - CAP,
				 axis_at(axis, ends[i]), y + CAP);
	if (axis_has(axis, mean))
		add_line(out, "mean", axis_at(axis, mean), y - CAP - 2, axis_at(axis, mean),
			 y + CAP + 2);
}

static void add_lane(struct lane *lane)
{
	struct str *out = lane->drawing->page->out;

	str_add(out, "<g");
	add_class(out, lane->side);
	str_add(out, ">\n");
	add_name(lane);
	add_mean_text(lane);
	if (is_single(lane->drawing))
		add_piled_marks(lane);
	else
		add_columns(lane);
	add_beyond(lane, END_LEFT);
	add_beyond(lane, END_RIGHT);
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
static void add_axis(const struct drawing *drawing, const struct ticks *ticks)
{
	const struct axis *axis = &drawing->span.axis;
	struct str *out = drawing->page->out;
	double bottom = drawing->height - STRIP_FOOT + 4;
	const struct comparison_side *reference = &drawing->page->c->rows[drawing->row].sides[0];

	for (int i = 0; i < ticks->n; i++) {
		double x = axis_at(axis, tick_value(axis, ticks, i));

		add_line(out, "grid", x, LABEL + 4, x, bottom);
		begin_label(out, "aside middle", x, bottom + 16);
		tick_add(out, ticks, i, drawing->page->text.numbers);
		str_add(out, "</text>\n");
	}
	add_line(out, "axis", axis->from, bottom, axis->to, bottom);
	if (drawing->page->subject == HTML_COMPARISON && reference->n > 0 &&
	    axis_has(axis, (double)reference->summary.mean))
		add_line(out, "reference", axis_at(axis, (double)reference->summary.mean),
			 LABEL + 4, axis_at(axis, (double)reference->summary.mean), bottom);
}

static int add_lanes(const struct drawing *drawing)
{
	const struct comparison *c = drawing->page->c;
	struct lane lanes = { .drawing = drawing };
	size_t sides_n = c->input.sides_n;
	cleanup_free size_t *piles = NULL;

	lanes.piles_n = is_single(drawing) ? HTML_WIDTH / MARK : HTML_GROUPS;
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

static int add_strip(const struct drawing *drawing)
{
	struct drawing it = *drawing;
	struct axis *axis = &it.span.axis;
	const struct num_style *numbers = it.page->text.numbers;
	struct ticks ticks = ticks_of(axis, TICKS_MAX);
	int letters = ticks_width(&ticks, numbers);
	int err;

	axis->from = 22 > letters * LETTER / 2 ? 22 : letters * LETTER / 2;
	axis->to = HTML_WIDTH - axis->from;
	ticks = ticks_of(axis, most_ticks(axis->to - axis->from, letters));
	begin_drawing(&it, "strip", "The runs of each side over one axis");
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
	ALONE_HEIGHT = 180, /* of the drawing of a single side */
};

static double x_of(const struct drawing *drawing, const struct axis *places, size_t side, size_t i)
{
	const struct html_page *page = drawing->page;
	const struct comparison_side *it = &page->c->rows[drawing->row].sides[side];
	const size_t *position = page->positions;

	for (size_t before = 0; before < side; before++)
		position += page->c->tables[before].runs_n;
	return axis_at(places, (double)position[it->runs[i]] + 1);
}

static double y_of(const struct drawing *drawing, double value)
{
	return axis_at(&drawing->span.axis, value);
}

/* ---- Runs one by one. */

static void add_trace(const struct drawing *drawing, const struct axis *places, size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;

	str_add(out, "<path class=\"trace\" d=\"");
	for (size_t i = 0; i < it->n; i++)
		str_addf(out, "%s%.1f %.1f", i ? " " : "M", x_of(drawing, places, side, i),
			 y_of(drawing, it->values[i]));
	str_add(out, "\"/>\n");
}

static void add_marks(const struct drawing *drawing, const struct axis *places, size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;

	add_trace(drawing, places, side);
	for (size_t i = 0; i < it->n; i++) {
		double value = it->values[i];
		double x = x_of(drawing, places, side, i);

		if (value > drawing->span.high)
			begin_beyond(out, side, END_ABOVE, x, TOP - 4);
		else if (value < drawing->span.low)
			begin_beyond(out, side, END_BELOW, x, drawing->height - ORDER_FOOT + 4);
		else
			begin_mark(out, side, x, y_of(drawing, value));
		add_run_title(drawing, side, i);
		str_add(out, "</use>\n");
	}
}

/* ---- Many runs. */

static void gather(struct group *groups, const struct drawing *drawing, const struct axis *places,
		   size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	double width = (places->to - places->from) / HTML_GROUPS;

	for (size_t i = 0; i < it->n; i++) {
		int at = (int)((x_of(drawing, places, side, i) - places->from) / width);

		group_add(&groups[at < HTML_GROUPS ? at : HTML_GROUPS - 1], it, i);
	}
}

static void add_group(const struct drawing *drawing, size_t side, const struct group *group,
		      double x)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;
	cleanup_str struct str what = { 0 };

	str_addf(&what, "%s %zu to %zu",
		 drawing->page->subject == HTML_INTERVALS ? "intervals" : "runs",
		 it->runs[group->first] + 1, it->runs[group->last] + 1);
	out->failed |= what.failed;
	str_add(out, "<g>");
	add_group_title(drawing, side, str_text(&what), group->low, group->high);
	add_line(out, "range", x, y_of(drawing, group->low), x, y_of(drawing, group->high));
	begin_mark(out, side, x, y_of(drawing, group->sum / (double)group->n));
	str_add(out, "</use></g>\n");
}

static int add_groups(const struct drawing *drawing, const struct axis *places, size_t side)
{
	cleanup_free struct group *groups = calloc(HTML_GROUPS, sizeof(*groups));
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
static void add_band(const struct drawing *drawing, const struct axis *places,
		     const struct comparison_side *it)
{
	double mean = (double)it->summary.mean;
	double top = y_of(drawing, mean + it->half), bottom = y_of(drawing, mean - it->half);
	struct str *out = drawing->page->out;

	/* intervals depend on each other, so their mean has no confidence interval */
	if (it->n < 2 || drawing->page->subject == HTML_INTERVALS)
		return;
	str_add(out, "<rect class=\"band\"");
	add_number(out, "x", places->from);
	add_number(out, "y", top);
	add_number(out, "width", places->to - places->from);
	add_number(out, "height", bottom - top);
	str_add(out, "/>\n");
	if (axis_has(&drawing->span.axis, mean))
		add_line(out, "level", places->from, y_of(drawing, mean), places->to,
			 y_of(drawing, mean));
}

static void add_rows(const struct drawing *drawing, const struct axis *places,
		     const struct ticks *ticks)
{
	struct str *out = drawing->page->out;

	for (int i = 0; i < ticks->n; i++) {
		double y = y_of(drawing, tick_value(&drawing->span.axis, ticks, i));

		add_line(out, "grid", places->from, y, places->to, y);
		begin_label(out, "aside end", places->from - 8, y + 4);
		tick_add(out, ticks, i, drawing->page->text.numbers);
		str_add(out, "</text>\n");
	}
}

/* The meaning of the positions. */
static const char *caption_of(const struct html_page *page)
{
	if (page->subject == HTML_INTERVALS)
		return "intervals, in the order of time";
	if (page->subject == HTML_RUNS)
		return "runs, in the order they ran";
	if (page->ordered)
		return "all runs, in the order they ran";
	return page->c->input.paired ? "rounds" : "runs of each side";
}

static void add_places(const struct drawing *drawing, const struct axis *places)
{
	struct ticks ticks = ticks_of(places, COLUMNS_MAX);
	struct str *out = drawing->page->out;
	double bottom = drawing->height - ORDER_FOOT + 10;

	add_line(out, "axis", places->from, bottom, places->to, bottom);
	for (int i = 0; i < ticks.n; i++) {
		double position = tick_value(places, &ticks, i), x = axis_at(places, position);

		if (position < 1 || ticks.decimals > 0)
			continue;
		add_line(out, "axis", x, bottom, x, bottom + 4);
		begin_label(out, "aside middle", x, bottom + 17);
		tick_add(out, &ticks, i, drawing->page->text.numbers);
		str_add(out, "</text>\n");
	}
	begin_label(out, "aside end", places->to, bottom + 32);
	str_addf(out, "%s</text>\n", caption_of(drawing->page));
}

static int add_side(const struct drawing *drawing, const struct axis *places, size_t side)
{
	const struct comparison_side *it = &drawing->page->c->rows[drawing->row].sides[side];
	struct str *out = drawing->page->out;
	int err = 0;

	if (it->n == 0)
		return 0;
	str_add(out, "<g");
	add_class(out, side);
	str_add(out, ">\n");
	add_band(drawing, places, it);
	if (is_single(drawing))
		add_marks(drawing, places, side);
	else
		err = add_groups(drawing, places, side);
	str_add(out, "</g>\n");
	return err;
}

static int add_order(const struct drawing *drawing)
{
	struct drawing it = *drawing;
	const struct comparison *c = it.page->c;
	struct axis *axis = &it.span.axis;
	struct axis places = { .high = (double)it.page->positions_n + 1, .factor = 1 };
	struct ticks ticks;
	int err = 0;

	if (it.page->subject != HTML_COMPARISON)
		it.height = ALONE_HEIGHT;
	ticks = ticks_of(axis, (int)((it.height - TOP - ORDER_FOOT) / BETWEEN_ROWS));
	axis->from = it.height - ORDER_FOOT;
	axis->to = TOP;
	places.from = (ticks_width(&ticks, it.page->text.numbers) + 2) * LETTER;
	places.to = HTML_WIDTH - RIGHT;
	begin_drawing(&it, "order",
		      it.page->subject == HTML_INTERVALS ? "The intervals in the order of time" :
							   "The runs in the order of time");
	add_rows(&it, &places, &ticks);
	add_places(&it, &places);
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = add_side(&it, &places, i);
	str_add(it.page->out, "</svg>\n");
	return err;
}

/* ---- The sections. */

static void add_heading(struct html_page *page, size_t row, const struct row_style *style)
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
		html_add_verdict(out, it, i);
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

static size_t count_beyond(const struct drawing *drawing)
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

static int add_drawings(const struct drawing *drawing)
{
	struct str *out = drawing->page->out;
	size_t beyond = count_beyond(drawing);
	int err = 0;

	str_add(out, "<div class=\"drawings\">\n");
	if (drawing->page->subject != HTML_INTERVALS) {
		str_add(out, "<div class=\"scroll\">\n");
		err = add_strip(drawing);
		str_add(out, "</div>\n");
	}
	str_add(out, "<div class=\"scroll\">\n");
	if (err == 0)
		err = add_order(drawing);
	str_add(out, "</div>\n</div>\n");
	if (beyond > 0) {
		str_add(out,
			"<p class=\"hint\">Outside the axis, which leaves out distant values: ");
		num_add(out, beyond, 0, drawing->page->text.numbers);
		str_add(out, ".</p>\n");
	}
	return err;
}

static int add_plot(struct html_page *page, size_t row)
{
	static const char *const equal[] = {
		[HTML_COMPARISON] = "runs of each side are equal",
		[HTML_RUNS] = "values of all runs are equal",
		[HTML_INTERVALS] = "values of all intervals are equal",
	};
	const struct comparison_row *it = &page->c->rows[row];
	const size_t sides_n = page->c->input.sides_n;
	struct drawing drawing = { .page = page,
				   .row = row,
				   .style = row_style_of(it, sides_n, &page->text),
				   .height = strip_height(sides_n) };
	struct str *out = page->out;
	int err = 0;

	str_add(out, "<article>\n");
	add_heading(page, row, &drawing.style);
	if (page->subject == HTML_COMPARISON)
		add_verdicts(page, row, &drawing.style);
	if (span_init(&drawing.span, it, sides_n, &drawing.style))
		err = add_drawings(&drawing);
	else
		str_addf(out, "<p class=\"hint\">The %s, so there is no drawing.</p>\n",
			 equal[page->subject]);
	str_add(out, "</article>\n");
	return err;
}

/* ---- The curve over a parameter of -L. */

enum { CURVE_HEIGHT = 260 };

/* The values of the parameter below their points; a value that does not fit is left out. */
static void add_values(const struct drawing *drawing, const struct curve *curve,
		       const struct axis *places)
{
	struct str *out = drawing->page->out;
	double bottom = drawing->height - ORDER_FOOT + 10, end = 0;

	add_line(out, "axis", places->from, bottom, places->to, bottom);
	for (size_t i = 0; i < curve->n; i++) {
		const char *label = curve->points[i].label;
		double x = axis_at(places, curve->points[i].x);
		double half = (double)strlen(label) * LETTER / 2;

		add_line(out, "axis", x, bottom, x, bottom + 4);
		if (x - half < end || x + half > HTML_WIDTH)
			continue;
		end = x + half + LETTER;
		begin_label(out, "aside middle", x, bottom + 17);
		html_add(out, label);
		str_add(out, "</text>\n");
	}
	begin_label(out, "aside end", places->to, bottom + 32);
	html_add(out, curve->name);
	str_add(out, "</text>\n");
}

/* The mean of a side with its interval. */
static void add_point(const struct drawing *drawing, const struct curve_point *point, double x)
{
	const struct html_page *page = drawing->page;
	const double ends[] = { y_of(drawing, point->low), y_of(drawing, point->high) };
	cleanup_str struct str text = { 0 };
	struct str *out = page->out;

	str_add(out, "<g");
	add_class(out, point->side);
	str_add(out, ">\n");
	if (point->low < point->high)
		add_line(out, "interval", x, ends[0], x, ends[1]);
	for (size_t i = 0; i < 2 && point->low < point->high; i++)
		add_line(out, "interval", x - CAP, ends[i], x + CAP, ends[i]);
	begin_mark(out, point->side, x, y_of(drawing, point->mean));
	str_addf(&text, "%s: ", page->c->input.sides[point->side].name);
	text_add_mean_and_half(&text, &drawing->style,
			       &page->c->rows[drawing->row].sides[point->side]);
	text_add_unit(&text, &drawing->style);
	add_title(out, &text);
	str_add(out, "</use>\n</g>\n");
}

static void add_points(const struct drawing *drawing, const struct curve *curve,
		       const struct axis *places)
{
	struct str *out = drawing->page->out;

	str_add(out, "<path class=\"trace\" d=\"");
	for (size_t i = 0; i < curve->n; i++)
		str_addf(out, "%s%.1f %.1f", i ? " " : "M", axis_at(places, curve->points[i].x),
			 y_of(drawing, curve->points[i].mean));
	str_add(out, "\"/>\n");
	for (size_t i = 0; i < curve->n; i++)
		add_point(drawing, &curve->points[i], axis_at(places, curve->points[i].x));
}

/* The drawing: the parameter from left to right, the elapsed time from bottom to top. */
static void draw_curve(struct html_page *page, const struct curve *curve)
{
	struct drawing it = { .page = page, .row = curve->row, .height = CURVE_HEIGHT };
	struct axis *axis = &it.span.axis;
	struct axis places = { .low = curve->points[0].x,
			       .high = curve->points[curve->n - 1].x,
			       .to = HTML_WIDTH - 2 * RIGHT };
	double margin = (curve->high - curve->low) * MARGIN;
	struct ticks ticks;

	it.style = row_style_of(&page->c->rows[curve->row], page->c->input.sides_n, &page->text);
	*axis = (struct axis){ .low = curve->low - margin,
			       .high = curve->high + margin,
			       .from = it.height - ORDER_FOOT,
			       .to = TOP,
			       .factor = it.style.factor };
	ticks = ticks_of(axis, (int)((axis->from - axis->to) / BETWEEN_ROWS));
	places.from = (ticks_width(&ticks, page->text.numbers) + 2) * LETTER + RIGHT;
	begin_drawing(&it, "curve", "The elapsed time over the parameter");
	add_rows(&it, &places, &ticks);
	add_values(&it, curve, &places);
	add_points(&it, curve, &places);
	str_add(page->out, "</svg>\n");
}

int html_add_curve(struct html_page *page)
{
	cleanup_with(curve_release) struct curve curve = { 0 };
	int err = curve_init(&curve, page->c);
	struct row_style style;
	struct str *out = page->out;

	if (err < 0 || curve.n == 0)
		return err;
	style = row_style_of(&page->c->rows[curve.row], page->c->input.sides_n, &page->text);
	str_add(out, "<section class=\"curve\">\n<h2>Elapsed time over ");
	html_add_name(out, curve.name);
	str_add(out, "</h2>\n<p class=\"hint\">The mean of each side with its interval, in ");
	html_add(out, style.unit);
	str_add(out, ".</p>\n<div class=\"drawings\">\n<div class=\"scroll\">\n");
	draw_curve(page, &curve);
	str_add(out, "</div>\n</div>\n</section>\n");
	return 0;
}

int html_add_plots(struct html_page *page)
{
	static const char *const hints[] = {
		[HTML_COMPARISON] =
			"In the first drawing, the runs of each side share one axis. Below them is "
			"the mean with its interval; the dashed line is the mean of the reference. "
			"The second drawing has the same runs in the order of time.",
		[HTML_RUNS] = "The first drawing has a mark for each run, and below the marks the "
			      "mean with its interval. The second drawing has the same runs in the "
			      "order of time.",
		[HTML_INTERVALS] = "Each mark is the value of one interval.",
	};
	int err = 0;

	str_addf(page->out, "<section class=\"runs\">\n<h2>%s</h2>\n<p class=\"hint\">%s</p>\n",
		 page->subject == HTML_INTERVALS ? "Intervals" : "Runs", hints[page->subject]);
	for (size_t i = 0; err == 0 && i < page->c->rows_n; i++)
		if (text_has_counts(&page->c->rows[i], page->c->input.sides_n))
			err = add_plot(page, i);
	str_add(page->out, "</section>\n");
	return err;
}
