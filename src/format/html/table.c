/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table: each row with the numbers of each side, and the verdict on each side but the
 * reference. Names of events are above their sides and intervals below their numbers, so that
 * ordinary counts fit an ordinary screen. */
#include "base/cleanup.h"
#include "base/str.h"
#include "format/html/drawing.h"

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

enum { COLUMNS_N = 9 };

static void add_header(struct html_page *page)
{
	static const struct {
		const char *class, *title;
		const char *before,
			*after; /* around the confidence; NULL: the column has no intervals */
	} columns[COLUMNS_N] = {
		{ "side", "Side", NULL, NULL },	      { "number", "Mean", "± ", " %" },
		{ "number", "Change", "[", " %]" },   { "verdict", "Verdict", NULL, NULL },
		{ "number", "Median", NULL, NULL },   { "number", "Spread", NULL, NULL },
		{ "number", "Min", NULL, NULL },      { "number", "Max", NULL, NULL },
		{ "number", "Outliers", NULL, NULL },
	};
	struct str *out = page->out;

	str_add(out, "<thead><tr>");
	for (size_t i = 0; i < COLUMNS_N; i++) {
		str_addf(out, "<th scope=\"col\" class=\"%s\">%s", columns[i].class,
			 columns[i].title);
		if (columns[i].before)
			str_addf(out, " <span class=\"interval\">%s%.6g%s</span>",
				 columns[i].before, page->c->input.confidence * 100,
				 columns[i].after);
		str_add(out, "</th>");
	}
	str_add(out, "</tr></thead>\n");
}

/* A cell with text, and below it an interval, which may be empty. */
static void add_cell(struct str *out, const char *class, const struct str *text,
		     const struct str *interval)
{
	str_addf(out, "<td class=\"%s\">", class);
	html_add_str(out, text);
	out->failed |= interval->failed;
	if (interval->len) {
		str_add(out, " <span class=\"interval\">");
		html_add(out, str_text(interval));
		str_add(out, "</span>");
	}
	str_add(out, "</td>");
}

static void add_mean(struct str *out, const struct row_style *style,
		     const struct comparison_side *it)
{
	cleanup_str struct str mean = { 0 }, half = { 0 }, interval = { 0 };

	text_add_column(&mean, COLUMN_MEAN, style, it);
	text_add_column(&half, COLUMN_HALF, style, it);
	if (half.len)
		str_addf(&interval, "± %s", str_text(&half));
	interval.failed |= half.failed;
	add_cell(out, "number", &mean, &interval);
}

/* The columns after the verdict. */
static void add_column(struct str *out, enum text_column column, const struct row_style *style,
		       const struct comparison_side *it)
{
	cleanup_str struct str text = { 0 };
	const struct str none = { 0 };

	text_add_column(&text, column, style, it);
	add_cell(out, "number", &text, &none);
}

/* The change, its interval and the verdict. */
static void add_contrast(struct html_page *page, const struct comparison_row *row, size_t side,
			 const struct row_style *style)
{
	enum verdict word = comparison_verdict(row, side);
	cleanup_str struct str change = { 0 }, interval = { 0 }, hint = { 0 };
	struct str *out = page->out;

	if (side == 0) {
		str_add(out, "<td class=\"number dim\">reference</td><td></td>");
		return;
	}
	if (word != VERDICT_ABSENT) {
		text_add_change(&change, style, &row->contrasts[side]);
		text_add_interval(&interval, style, &row->contrasts[side]);
		text_add_hint(&hint, row, side, &page->text);
	}
	add_cell(out, "number change", &change, &interval);
	str_add(out, "<td class=\"verdict\">");
	html_add_verdict(out, word);
	out->failed |= hint.failed;
	if (hint.len) {
		str_add(out, " <span class=\"hint\">");
		html_add(out, str_text(&hint));
		str_add(out, "</span>");
	}
	str_add(out, "</td>");
}

static void add_side(struct html_page *page, const struct comparison_row *row, size_t side,
		     const struct row_style *style)
{
	const struct comparison_side *it = &row->sides[side];
	const char *absent = result_absent(it->state);
	struct str *out = page->out;

	str_add(out, "<th scope=\"row\" class=\"side\">");
	html_add_mark(out, side);
	str_add(out, " ");
	html_add_name(out, page->c->input.sides[side].name);
	str_add(out, "</th>");
	if (it->n > 0) {
		add_mean(out, style, it);
	} else {
		str_add(out, "<td class=\"dim absent\">");
		html_add(out, absent ? absent : result_absent(NOT_COUNTED));
		str_add(out, "</td>");
	}
	add_contrast(page, row, side, style);
	if (it->n == 0)
		str_add(out, "<td colspan=\"5\"></td>");
	for (enum text_column i = COLUMN_MEDIAN; it->n > 0 && i < TEXT_COLUMNS_N; i++)
		add_column(out, i, style, it);
}

static void add_row(struct html_page *page, size_t i)
{
	const struct comparison_row *row = &page->c->rows[i];
	const size_t sides_n = page->c->input.sides_n;
	const struct row_style style = row_style_of(row, sides_n, &page->text);
	cleanup_str struct str name = { 0 };
	struct str *out = page->out;

	text_add_name(&name, row);
	out->failed |= name.failed;
	str_addf(out,
		 "<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"%d\" class=\"event\">"
		 "<span><a href=\"#e%zu\">",
		 COLUMNS_N, i);
	html_add_name(out, str_text(&name));
	str_add(out, "</a>");
	if (*style.unit) {
		str_add(out, " <span class=\"unit\">");
		html_add(out, style.unit);
		str_add(out, "</span>");
	}
	str_add(out, "</span></th></tr>\n");
	for (size_t side = 0; side < sides_n; side++) {
		str_add(out, "<tr>");
		add_side(page, row, side, &style);
		str_add(out, "</tr>\n");
	}
	str_add(out, "</tbody>\n");
}

void html_add_table(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<section>\n<h2 id=\"events\">Events</h2>\n<div class=\"scroll\" "
		     "role=\"region\" aria-labelledby=\"events\" tabindex=\"0\">\n<table>\n");
	add_header(page);
	for (size_t i = 0; i < page->c->rows_n; i++)
		if (text_has_counts(&page->c->rows[i], page->c->input.sides_n))
			add_row(page, i);
	str_add(out, "</table>\n</div>\n");
}
