/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each row with the numbers of each side, and beside those of all but the reference what is said of them. */
#include "base/cleanup.h"
#include "base/str.h"
#include "report/compare_columns.h"
#include "report/html_page.h"
#include "report/html_text.h"

/* Words are told apart by signs, too, and have colours beside. */
static const struct {
	const char *class, *sign;
} looks[] = {
	[WORD_BETTER] = { "better", "✓" }, [WORD_WORSE] = { "worse", "✗" },
	[WORD_SAME] = { "same", "=" },	   [WORD_UNCLEAR] = { "unclear", "?" },
	[WORD_TOO_FEW] = { "none", "…" },  [WORD_ABSENT] = { "none", "–" },
};

void html_add_word(struct str *out, enum word word)
{
	str_addf(out, "<span class=\"word %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
		 looks[word].class, looks[word].sign, comparison_word_text(word));
}

static void add_header(struct html_page *page)
{
	static const struct {
		const char *class, *title;
	} columns[] = {
		{ "number", "Change" }, { "interval", "Interval" }, { "said", "Verdict" },
		{ "number", "Median" }, { "number", "Spread" },	    { "number", "Min" },
		{ "number", "Max" },	{ "number", "Outliers" },
	};
	struct str *out = page->out;

	str_add(out, "<thead><tr><th scope=\"col\">Event</th><th scope=\"col\">Side</th>");
	str_addf(out, "<th scope=\"col\" colspan=\"2\" class=\"number\">Mean ± %.6g %%</th>",
		 page->c->input.confidence * 100);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		str_addf(out, "<th scope=\"col\" class=\"%s\">%s</th>", columns[i].class,
			 columns[i].title);
	str_add(out, "</tr></thead>\n");
}

/* In a cell of the given class. */
static void add_cell(struct str *out, const char *class, const struct str *text)
{
	out->failed |= text->failed;
	str_addf(out, "<td class=\"%s\">", class);
	html_add(out, str_text(text));
	str_add(out, "</td>");
}

static void add_column(struct str *out, enum compare_column column, const struct row_style *style,
		       const struct compared_side *it)
{
	cleanup_str struct str text = { 0 };

	columns_add_text(&text, column, style, it);
	add_cell(out, "number", &text);
}

static void add_mean(struct str *out, const struct row_style *style, const struct compared_side *it)
{
	cleanup_str struct str half = { 0 }, text = { 0 };

	columns_add_text(&half, COLUMN_HALF, style, it);
	if (half.len)
		str_addf(&text, "± %s", str_text(&half));
	text.failed |= half.failed;
	add_column(out, COLUMN_MEAN, style, it);
	add_cell(out, "half", &text);
}

/* The change, its interval and the word. */
static void add_contrast(struct html_page *page, const struct compared_row *row, size_t side,
			 const struct row_style *style)
{
	enum word word = comparison_word(row, side);
	cleanup_str struct str change = { 0 }, interval = { 0 }, hint = { 0 };
	struct str *out = page->out;

	if (side == 0) {
		str_add(out, "<td class=\"dim said\" colspan=\"3\">reference</td>");
		return;
	}
	if (word != WORD_ABSENT) {
		text_add_change(&change, style, &row->contrasts[side]);
		text_add_interval(&interval, style, &row->contrasts[side]);
		text_add_hint(&hint, row, side, &page->text);
	}
	add_cell(out, "number change", &change);
	add_cell(out, "interval", &interval);
	str_add(out, "<td class=\"said\">");
	html_add_word(out, word);
	out->failed |= hint.failed;
	if (hint.len) {
		str_add(out, " <span class=\"hint\">");
		html_add(out, str_text(&hint));
		str_add(out, "</span>");
	}
	str_add(out, "</td>");
}

static void add_side(struct html_page *page, const struct compared_row *row, size_t side,
		     const struct row_style *style)
{
	const struct compared_side *it = &row->sides[side];
	const char *absent = report_absent(it->state);
	struct str *out = page->out;

	str_add(out, "<th scope=\"row\" class=\"side\">");
	html_add_mark(out, side);
	str_add(out, " ");
	html_add_name(out, page->c->input.sides[side].name);
	str_add(out, "</th>");
	if (it->n > 0) {
		add_mean(out, style, it);
	} else {
		str_add(out, "<td class=\"dim absent\" colspan=\"2\">");
		html_add(out, absent ? absent : report_absent(NOT_COUNTED));
		str_add(out, "</td>");
	}
	add_contrast(page, row, side, style);
	if (it->n == 0)
		str_add(out, "<td colspan=\"5\"></td>");
	for (enum compare_column i = COLUMN_MEDIAN; it->n > 0 && i < COMPARE_COLUMNS_N; i++)
		add_column(out, i, style, it);
}

static void add_row(struct html_page *page, size_t i)
{
	const struct compared_row *row = &page->c->rows[i];
	const size_t sides_n = page->c->input.sides_n;
	const struct row_style style = row_style_of(row, sides_n, &page->text);
	cleanup_str struct str name = { 0 };
	struct str *out = page->out;

	text_add_name(&name, row);
	out->failed |= name.failed;
	str_addf(out, "<tbody>\n<tr><th scope=\"rowgroup\" rowspan=\"%zu\" class=\"event\">",
		 sides_n);
	str_addf(out, "<a href=\"#e%zu\">", i);
	html_add_name(out, str_text(&name));
	str_add(out, "</a>");
	if (*style.unit) {
		str_add(out, " <span class=\"unit\">");
		html_add(out, style.unit);
		str_add(out, "</span>");
	}
	str_add(out, "</th>");
	for (size_t side = 0; side < sides_n; side++) {
		if (side > 0)
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
