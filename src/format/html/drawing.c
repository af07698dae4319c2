/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/html/drawing.h"
#include "format/strip.h"

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

void html_add_verdict(struct str *out, enum verdict word)
{
	str_addf(out, "<span class=\"word %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
		 looks[word].class, looks[word].sign, comparison_verdict_text(word));
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
static void widen_by_means(struct html_axis *axis, const struct strip *strip,
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

bool html_span_init(struct html_span *span, const struct comparison_row *row, size_t sides_n,
		    const struct row_style *style)
{
	struct html_axis *axis = &span->axis;
	struct strip strip;
	double margin;

	if (!strip_of(&strip, row, sides_n, STRIP_WIDTH, false))
		return false;
	*span = (struct html_span){ .low = strip.low, .high = strip.high };
	*axis = (struct html_axis){ .low = strip.low, .high = strip.high, .factor = style->factor };
	widen_by_means(axis, &strip, row, sides_n);
	margin = (axis->high - axis->low) * MARGIN;
	axis->low -= margin;
	axis->high += margin;
	return true;
}

double html_axis_at(const struct html_axis *axis, double value)
{
	if (value <= axis->low)
		return axis->from;
	if (value >= axis->high)
		return axis->to;
	return axis->from +
	       (value - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

bool html_axis_has(const struct html_axis *axis, double value)
{
	return value >= axis->low && value <= axis->high;
}

/* The smallest number of the form 1, 2 or 5 times a power of ten that is at least this. */
static double step_above(double least)
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

struct html_ticks html_ticks_of(const struct html_axis *axis, int most)
{
	double low = axis->low * axis->factor, high = axis->high * axis->factor;
	struct html_ticks ticks = { .step = step_above((high - low) / most) };

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

double html_tick_value(const struct html_axis *axis, const struct html_ticks *ticks, int i)
{
	return (double)(ticks->first + i) * ticks->step / axis->factor;
}

void html_tick_add(struct str *out, const struct html_ticks *ticks, int i,
		   const struct num_style *numbers)
{
	num_add(out, (double)(ticks->first + i) * ticks->step, ticks->decimals, numbers);
}

int html_ticks_width(const struct html_ticks *ticks, const struct num_style *numbers)
{
	int widest = 0;

	for (int i = 0; i < ticks->n; i++) {
		cleanup_str struct str text = { 0 };
		int width = 0;

		html_tick_add(&text, ticks, i, numbers);
		for (const char *p = str_text(&text); *p; p += utf8_length(p))
			width++;
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* ---- Groups. */

bool html_is_single(const struct html_drawing *drawing)
{
	const struct comparison *c = drawing->page->c;

	for (size_t i = 0; i < c->input.sides_n; i++)
		if (c->rows[drawing->row].sides[i].n > HTML_SINGLE_MAX)
			return false;
	return true;
}

void html_group_add(struct html_group *group, const struct comparison_side *side, size_t i)
{
	double value = side->values[i];

	if (group->n == 0)
		*group = (struct html_group){ .first = i, .low = value, .high = value };
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

void html_add_class(struct str *out, size_t side)
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

void html_add_number(struct str *out, const char *name, double value)
{
	long tenths = (long)(value * 10 + (value < 0 ? -0.5 : 0.5));

	str_addf(out, " %s=\"%s%ld", name, tenths < 0 && tenths > -10 ? "-" : "", tenths / 10);
	if (tenths % 10)
		str_addf(out, ".%ld", tenths < 0 ? -(tenths % 10) : tenths % 10);
	str_add(out, "\"");
}

void html_begin_mark(struct str *out, size_t side, double x, double y)
{
	str_addf(out, "<use href=\"#m%zu\"", shape_of(side));
	html_add_number(out, "x", x);
	html_add_number(out, "y", y);
	str_add(out, ">");
}

void html_begin_beyond(struct str *out, size_t side, enum html_end end, double x, double y)
{
	static const int degrees[] = {
		[HTML_RIGHT] = 0, [HTML_BELOW] = 90, [HTML_LEFT] = 180, [HTML_ABOVE] = 270
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

void html_add_run_title(const struct html_drawing *drawing, size_t side, size_t i)
{
	const struct html_page *page = drawing->page;
	const struct comparison_side *it = &page->c->rows[drawing->row].sides[side];
	cleanup_str struct str text = { 0 };

	str_addf(&text, "%s, run %zu: ", page->c->input.sides[side].name, it->runs[i] + 1);
	text_add_run(&text, &drawing->style, it->values[i]);
	text_add_unit(&text, &drawing->style);
	add_title(page->out, &text);
}

void html_add_group_title(const struct html_drawing *drawing, size_t side, const char *what,
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
static void add_description(struct str *text, const struct html_drawing *drawing, size_t side)
{
	const struct html_page *page = drawing->page;
	const struct comparison_side *it = &page->c->rows[drawing->row].sides[side];
	str_addf(text, "%s%s: ", text->len ? "; " : "", page->c->input.sides[side].name);
	text_add_runs(text, it->n, page->text.numbers);
	str_add(text, ", mean ");
	text_add_mean_and_half(text, &drawing->style, it);
	str_add(text, ", from ");
	text_add_run(text, &drawing->style, (double)it->summary.min);
	str_add(text, " to ");
	text_add_run(text, &drawing->style, (double)it->summary.max);
	text_add_unit(text, &drawing->style);
}

void html_begin_drawing(const struct html_drawing *drawing, const char *kind, const char *title)
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

void html_add_line(struct str *out, const char *class, double x1, double y1, double x2, double y2)
{
	str_add(out, "<line");
	if (class)
		str_addf(out, " class=\"%s\"", class);
	html_add_number(out, "x1", x1);
	html_add_number(out, "y1", y1);
	html_add_number(out, "x2", x2);
	html_add_number(out, "y2", y2);
	str_add(out, "/>\n");
}

void html_begin_label(struct str *out, const char *class, double x, double y)
{
	str_add(out, "<text");
	if (class)
		str_addf(out, " class=\"%s\"", class);
	html_add_number(out, "x", x);
	html_add_number(out, "y", y);
	str_add(out, ">");
}
