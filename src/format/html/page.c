/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison, or the runs or intervals of one command, as an HTML page: the gates, the table with
 * the same verdicts and numbers as in a terminal, drawings of the runs, and their provenance. The
 * page is complete and has no script: reading it loads nothing else. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/format.h"
#include "format/html/plots.h"
#include "format/html/timeline.h"
#include "format/terminal/compare_text.h"
#include "result/provenance.h"

/* ---- The head. */

enum { NAMED_MAX = 3 }; /* sides named in the title */

/* "gcc-13 and clang compared with gcc-12" */
static void add_title(struct html_page *page, void (*add)(struct str *, const char *))
{
	const struct comparison_input *input = &page->c->input;
	size_t others = input->sides_n - 1;

	if (page->subject != HTML_COMPARISON) {
		add(page->out, input->sides[0].name);
		return;
	}
	if (others > NAMED_MAX)
		str_addf(page->out, "%zu sides", others);
	for (size_t i = 1; others <= NAMED_MAX && i <= others; i++) {
		str_add(page->out, i == 1 ? "" : i == others ? " and " : ", ");
		add(page->out, input->sides[i].name);
	}
	str_add(page->out, " compared with ");
	add(page->out, input->sides[0].name);
}

static void add_head(struct html_page *page, const struct timeline *timeline)
{
	struct str *out = page->out;

	str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		     "style-src 'unsafe-inline'\"/>\n"
		     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		     "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	add_title(page, html_add);
	str_add(out, " – pstat</title>\n<style>\n");
	str_add(out, html_style);
	if (timeline)
		timeline_add_style(timeline);
	str_add(out, "</style>\n</head>\n");
}

/* Append a fact of provenance. */
static void add_fact_text(struct str *out, const struct str *text)
{
	out->failed |= text->failed;
	if (text->len)
		html_add_name(out, str_text(text));
	else
		str_add(out, "<span class=\"dim\">unknown</span>");
}

/* The order of the runs, and the meaning of the signs. */
static void add_caption(struct html_page *page)
{
	const struct table *first = &page->c->tables[0];
	struct str *out = page->out;

	str_add(out, "<p class=\"hint\">");
	switch (page->subject) {
	case HTML_COMPARISON:
		text_add_run_order(out, page->c, page->text.numbers);
		str_add(out, "; ± and [ ]: ");
		break;
	case HTML_RUNS:
		text_add_runs(out, first->runs_n, page->text.numbers);
		str_add(out, first->runs_n > 1 ? "; ±: " : "");
		break;
	case HTML_INTERVALS:
		num_add(out, first->runs_n, 0, page->text.numbers);
		str_addf(out, " %s of %u ms", first->runs_n == 1 ? "interval" : "intervals",
			 first->series->interval_ms);
		break;
	}
	if (page->subject == HTML_COMPARISON || (page->subject == HTML_RUNS && first->runs_n > 1))
		str_addf(out, "%.6g %% confidence intervals", page->c->input.confidence * 100);
	str_add(out, "</p>\n");
}

static void add_side(struct html_page *page, size_t side)
{
	const char *name = page->c->input.sides[side].name;
	const struct table *result = &page->c->tables[side];
	struct str *out = page->out;

	str_add(out, "<li>");
	html_add_mark(out, side);
	str_add(out, " <strong>");
	html_add_name(out, name);
	str_add(out, "</strong>");
	if (!str_equal(name, result->command)) {
		str_add(out, " <code>");
		html_add_name(out, result->command);
		str_add(out, "</code>");
	}
	str_add(out, " <span class=\"dim\">");
	text_add_runs(out, result->runs_n, page->text.numbers);
	str_add(out, side == 0 ? ", reference</span></li>\n" : "</span></li>\n");
}

/* Append the fact of each side, or once if all sides agree. */
static void add_fact_of_sides(struct html_page *page, const struct provenance_fact *fact)
{
	const struct comparison *c = page->c;
	cleanup_str struct str first = { 0 };
	struct str *out = page->out;

	provenance_add_fact(&first, fact, &c->tables[0]);
	str_addf(out, "<dt>%s</dt><dd>", fact->title);
	add_fact_text(out, &first);
	for (size_t i = 1; i < c->input.sides_n; i++) {
		cleanup_str struct str text = { 0 };

		provenance_add_fact(&text, fact, &c->tables[i]);
		if (str_equal(str_text(&first), str_text(&text)))
			continue;
		str_add(out, ", ");
		html_add_name(out, c->input.sides[i].name);
		str_add(out, ": ");
		add_fact_text(out, &text);
	}
	str_add(out, "</dd>\n");
}

/* When and where the runs were made. */
static void add_origin(struct html_page *page)
{
	static const char *const titles[] = { "Started", "Host", "Kernel", "pstat" };

	str_add(page->out, "<dl class=\"origin\">\n");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		for (const struct provenance_fact *fact = provenance_facts; fact->title; fact++)
			if (str_equal(fact->title, titles[i]))
				add_fact_of_sides(page, fact);
	str_add(page->out, "</dl>\n");
}

static void add_conclusions(struct html_page *page)
{
	cleanup_str_list struct str_list remarks = { 0 };
	struct str *out = page->out;

	str_add(out, "<ul class=\"conclusions\">\n");
	for (size_t i = 1; i < page->c->input.sides_n; i++) {
		cleanup_str struct str text = { 0 };

		text_add_conclusion(&text, page->c, i, &page->text);
		out->failed |= text.failed;
		str_add(out, "<li>");
		html_add_mark(out, i);
		str_add(out, " <strong>");
		html_add_name(out, page->c->input.sides[i].name);
		str_add(out, "</strong>: ");
		html_add_name(out, str_text(&text));
		str_add(out, "</li>\n");
	}
	out->failed |= text_remarks(&remarks, page->c, &page->text) < 0;
	for (size_t i = 0; i < remarks.n; i++) {
		str_add(out, "<li>");
		html_add_name(out, remarks.v[i]);
		str_add(out, "</li>\n");
	}
	str_add(out, "</ul>\n");
}

static void add_sides(struct html_page *page)
{
	add_conclusions(page);
	str_add(page->out, "<ul class=\"sides\">\n");
	for (size_t i = 0; i < page->c->input.sides_n; i++)
		add_side(page, i);
	str_add(page->out, "</ul>\n");
}

static void add_header(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<header>\n<h1>");
	add_title(page, html_add_name);
	str_add(out, "</h1>\n");
	if (page->subject == HTML_COMPARISON)
		add_sides(page);
	add_caption(page);
	add_origin(page);
	str_add(out, "</header>\n");
}

/* ---- The gates. */

static const struct {
	const char *class, *sign, *word, *all;
} outcomes[] = {
	[GATE_KEPT] = { "better", "✓", "kept", "kept" },
	[GATE_CROSSED] = { "worse", "✗", "crossed", "crossed" },
	[GATE_UNCLEAR] = { "unclear", "?", "unclear", "inconclusive" },
};

static void add_gate(struct html_page *page, const struct gate *gate)
{
	enum gate_outcome outcome =
		gate->state == GATE_JUDGED ? gate->evidence.outcome : GATE_UNCLEAR;
	const char *word = gate->state == GATE_JUDGED ? outcomes[outcome].word : "not judged";
	cleanup_str struct str subject = { 0 }, text = { 0 };
	struct str *out = page->out;

	gate_add_subject(&subject, page->c, gate);
	gate_add_outcome(&text, gate, &page->text);
	out->failed |= subject.failed;
	str_addf(out, "<li><span class=\"word %s\"><span aria-hidden=\"true\">%s</span> %s</span> ",
		 outcomes[outcome].class, outcomes[outcome].sign, word);
	str_add(out, "<span><strong>");
	html_add_name(out, str_text(&subject));
	str_add(out, "</strong> ");
	html_add_str(out, &text);
	str_add(out, "</span></li>\n");
}

static void add_gates(struct html_page *page)
{
	enum gate_outcome outcome = comparison_outcome(page->c);
	struct str *out = page->out;

	if (page->c->gates_n == 0)
		return;
	str_addf(out, "<section class=\"limits %s\">\n<h2>Gates: %s</h2>\n<ul>\n",
		 outcomes[outcome].class, outcomes[outcome].all);
	for (size_t i = 0; i < page->c->gates_n; i++)
		add_gate(page, &page->c->gates[i]);
	str_add(out, "</ul>\n</section>\n");
}

/* ---- The table: each row with the numbers of each side, and the verdict on each side but the
 * reference. Names of events are above their sides and intervals below their numbers, so that
 * ordinary counts fit an ordinary screen. */

enum { COLUMNS_N = 9 };

static void add_table_header(struct html_page *page)
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
static void add_number_cell(struct str *out, const char *class, const struct str *text,
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
	add_number_cell(out, "number", &mean, &interval);
}

/* The columns after the verdict. */
static void add_column(struct str *out, enum text_column column, const struct row_style *style,
		       const struct comparison_side *it)
{
	cleanup_str struct str text = { 0 };
	const struct str none = { 0 };

	text_add_column(&text, column, style, it);
	add_number_cell(out, "number", &text, &none);
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
	add_number_cell(out, row->asked ? "number change" : "number", &change, &interval);
	str_add(out, "<td class=\"verdict\">");
	html_add_verdict(out, row, side);
	out->failed |= hint.failed;
	if (hint.len) {
		str_add(out, " <span class=\"hint\">");
		html_add(out, str_text(&hint));
		str_add(out, "</span>");
	}
	str_add(out, "</td>");
}

static void add_side_cells(struct html_page *page, const struct comparison_row *row, size_t side,
			   const struct row_style *style)
{
	const struct comparison_side *it = &row->sides[side];
	const char *absent = measure_absent(it->state);
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
		html_add(out, absent ? absent : measure_absent(NOT_COUNTED));
		str_add(out, "</td>");
	}
	add_contrast(page, row, side, style);
	if (it->n == 0)
		str_add(out, "<td colspan=\"5\"></td>");
	for (enum text_column i = COLUMN_MEDIAN; it->n > 0 && i < TEXT_COLUMNS_N; i++)
		add_column(out, i, style, it);
}

/* "minimum effect 1 %" */
static void add_minimum_effect(struct html_page *page, const struct comparison_row *row)
{
	struct str *out = page->out;

	str_add(out, " <span class=\"hint\">minimum effect ");
	text_add_effect(out, row->minimum_effect, page->text.numbers);
	str_add(out, "</span>");
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
	add_minimum_effect(page, row);
	str_add(out, "</span></th></tr>\n");
	for (size_t side = 0; side < sides_n; side++) {
		str_add(out, "<tr>");
		add_side_cells(page, row, side, &style);
		str_add(out, "</tr>\n");
	}
	str_add(out, "</tbody>\n");
}

/* ---- The table of one command: a line for each row. */

/* The columns with numbers: only the first for a single run. */
static int columns_alone(const struct html_page *page)
{
	return page->c->tables[0].runs_n > 1 ? 6 : 1;
}

static void add_alone_header(struct html_page *page)
{
	static const char *const titles[] = {
		"Mean", "Median", "Spread", "Min", "Max", "Outliers"
	};
	int n = columns_alone(page);
	struct str *out = page->out;

	str_add(out, "<thead><tr><th scope=\"col\" class=\"side\">Event</th>");
	for (int i = 0; i < n; i++) {
		str_addf(out, "<th scope=\"col\" class=\"number\">%s", n > 1 ? titles[i] : "Count");
		if (i == 0 && n > 1 && page->subject == HTML_RUNS)
			str_addf(out, " <span class=\"interval\">± %.6g %%</span>",
				 page->c->input.confidence * 100);
		str_add(out, "</th>");
	}
	str_add(out, "</tr></thead>\n<tbody>\n");
}

static void add_alone_row(struct html_page *page, size_t i)
{
	const struct comparison_row *row = &page->c->rows[i];
	const struct row_style style = row_style_of(row, 1, &page->text);
	bool is_linked = columns_alone(page) > 1;
	cleanup_str struct str name = { 0 };
	struct str *out = page->out;

	text_add_name(&name, row);
	out->failed |= name.failed;
	str_add(out, "<tr><th scope=\"row\" class=\"side\">");
	if (is_linked)
		str_addf(out, "<a href=\"#e%zu\">", i);
	html_add_name(out, str_text(&name));
	str_add(out, is_linked ? "</a>" : "");
	if (*style.unit) {
		str_add(out, " <span class=\"unit\">");
		html_add(out, style.unit);
		str_add(out, "</span>");
	}
	str_add(out, "</th>");
	if (page->subject == HTML_RUNS)
		add_mean(out, &style, &row->sides[0]);
	else
		add_column(out, COLUMN_MEAN, &style, &row->sides[0]);
	for (enum text_column column = COLUMN_MEDIAN; is_linked && column < TEXT_COLUMNS_N;
	     column++)
		add_column(out, column, &style, &row->sides[0]);
	str_add(out, "</tr>\n");
}

static void add_rows_alone(struct html_page *page)
{
	add_alone_header(page);
	for (size_t i = 0; i < page->c->rows_n; i++)
		if (text_has_counts(&page->c->rows[i], 1))
			add_alone_row(page, i);
	str_add(page->out, "</tbody>\n");
}

/* The rows that nobody asked for are the last ones. */
static void add_rows(struct html_page *page)
{
	bool others = false;

	add_table_header(page);
	for (size_t i = 0; i < page->c->rows_n; i++) {
		const struct comparison_row *row = &page->c->rows[i];

		if (!text_has_counts(row, page->c->input.sides_n))
			continue;
		if (!row->asked && !others)
			str_addf(page->out,
				 "<tbody><tr><th scope=\"rowgroup\" colspan=\"%d\" "
				 "class=\"also\">Also measured</th></tr></tbody>\n",
				 COLUMNS_N);
		others |= !row->asked;
		add_row(page, i);
	}
}

static void add_table(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<section>\n<h2 id=\"events\">Events</h2>\n<div class=\"scroll\" "
		     "role=\"region\" aria-labelledby=\"events\" tabindex=\"0\">\n<table>\n");
	if (page->subject == HTML_COMPARISON)
		add_rows(page);
	else
		add_rows_alone(page);
	str_add(out, "</table>\n</div>\n");
}

/* ---- Provenance. */

static void add_cell(struct str *out, const struct str *text, size_t columns)
{
	str_addf(out, columns > 1 ? "<td colspan=\"%zu\">" : "<td>", columns);
	add_fact_text(out, text);
	str_add(out, "</td>");
}

static void add_fact(struct html_page *page, const struct provenance_fact *fact)
{
	const size_t sides_n = page->c->input.sides_n;
	cleanup_str struct str first = { 0 };
	struct str *out = page->out;
	bool same = true;

	provenance_add_fact(&first, fact, &page->c->tables[0]);
	for (size_t i = 1; i < sides_n; i++) {
		cleanup_str struct str other = { 0 };

		provenance_add_fact(&other, fact, &page->c->tables[i]);
		same &= str_equal(str_text(&first), str_text(&other));
	}
	str_addf(out, "<tr><th scope=\"row\">%s%s</th>", fact->title,
		 same ? "" : " <span class=\"differs\">differs</span>");
	for (size_t i = 0; i < (same ? 1 : sides_n); i++) {
		cleanup_str struct str text = { 0 };

		provenance_add_fact(&text, fact, &page->c->tables[i]);
		add_cell(out, &text, same ? sides_n : 1);
	}
	str_add(out, "</tr>\n");
}

enum { TURNS_MAX = 48 }; /* runs shown in the order */

/* The numbers of the sides, in rounds if there were any. */
static void add_run_order(struct html_page *page)
{
	const struct comparison_input *input = &page->c->input;
	struct str *out = page->out;

	if (!input->order)
		return;
	str_addf(out, "<tr><th scope=\"row\">Order of runs</th><td colspan=\"%zu\">",
		 input->sides_n);
	for (size_t i = 0; i < input->order_n && i < TURNS_MAX; i++) {
		if (i > 0)
			str_add(out, input->paired && i % input->sides_n == 0 ? " | " : " ");
		str_addf(out, "%zu", input->order[i] + 1);
	}
	str_add(out, input->order_n > TURNS_MAX ? " …</td></tr>\n" : "</td></tr>\n");
}

static void add_settings(struct html_page *page)
{
	const struct comparison_input *input = &page->c->input;
	struct str *out = page->out;

	str_addf(out,
		 "<tr><th scope=\"row\">Confidence</th><td colspan=\"%zu\">%.6g %%</td></tr>\n",
		 input->sides_n, input->confidence * 100);
	str_addf(out, "<tr><th scope=\"row\">Seed</th><td colspan=\"%zu\">%llu</td></tr>\n",
		 input->sides_n, (unsigned long long)input->seed);
	add_run_order(page);
}

static void add_provenance(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<section>\n<h2 id=\"provenance\">Provenance</h2>\n"
		     "<div class=\"scroll\" role=\"region\" aria-labelledby=\"provenance\" "
		     "tabindex=\"0\">\n<table class=\"facts\">\n<thead><tr>"
		     "<th scope=\"col\">Fact</th>");
	for (size_t i = 0; i < page->c->input.sides_n; i++) {
		str_add(out, "<th scope=\"col\">");
		html_add_mark(out, i);
		str_addf(out, " %zu ", i + 1);
		html_add_name(out, page->c->input.sides[i].name);
		str_add(out, "</th>");
	}
	str_add(out, "</tr></thead>\n<tbody>\n");
	for (const struct provenance_fact *fact = provenance_facts; fact->title; fact++)
		add_fact(page, fact);
	if (page->subject == HTML_COMPARISON)
		add_settings(page);
	str_add(out, "</tbody>\n</table>\n</div>\n</section>\n");
}

/* ---- Terms. */

static void add_term(struct str *out, const char *term, const char *text)
{
	str_addf(out, "<dt>%s</dt><dd>%s</dd>\n", term, text);
}

static void add_terms_of_verdicts(struct str *out)
{
	static const struct {
		enum verdict word;
		const char *text;
	} verdicts[] = {
		{ VERDICT_BETTER, "The side differs from the reference in the better direction." },
		{ VERDICT_WORSE, "The side differs from the reference in the worse direction." },
		{ VERDICT_SAME, "The change is smaller than the minimum effect." },
		{ VERDICT_UNCLEAR, "The runs do not decide between these." },
		{ VERDICT_TOO_FEW, "The runs are too few for a verdict." },
	};

	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		add_term(out, comparison_verdict_text(verdicts[i].word), verdicts[i].text);
}

static void add_terms(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<section>\n<h2>Terms</h2>\n<dl class=\"terms\">\n");
	if (page->subject == HTML_INTERVALS)
		add_term(out, "Interval", "One period of -I.");
	else
		add_term(
			out, "Interval",
			"A confidence interval: the range in which the true mean or change probably "
			"lies. Its confidence is the share of such ranges that are right.");
	if (page->subject == HTML_COMPARISON) {
		add_terms_of_verdicts(out);
		add_term(out, "Minimum effect",
			 "The smallest change that matters. A smaller one is not a difference.");
	}
	add_term(out, "Counted", "The counter ran all the time. This is not marked.");
	add_term(out, "Scaled",
		 "The counter shared the hardware and ran for a part of the time. "
		 "The count is an estimate for all of it.");
	add_term(out, "Not counted", "There is no count. That is not a count of 0.");
	str_add(out, "</dl>\n</section>\n");
}

/* ---- The whole page. */

/* Below the table, in its section. */
static int add_notes(struct html_page *page)
{
	cleanup_str_list struct str_list notes = { 0 };
	int err = text_notes(&notes, page->c, &page->text);

	for (size_t i = 0; err == 0 && i < notes.n; i++) {
		str_add(page->out, "<p class=\"hint\">");
		html_add(page->out, notes.v[i]);
		str_add(page->out, ".</p>\n");
	}
	str_add(page->out, "</section>\n");
	return err;
}

/* Whether the order of all runs is known. */
static bool has_order(const struct comparison *c)
{
	size_t all = 0;

	for (size_t i = 0; i < c->input.sides_n; i++)
		all += c->tables[i].runs_n;
	return c->input.order && c->input.order_n == all;
}

/* Set the position of each run. 0 or -ENOMEM. */
static int find_positions(struct html_page *page)
{
	const struct comparison *c = page->c;
	size_t all = 0;

	for (size_t i = 0; i < c->input.sides_n; i++)
		all += c->tables[i].runs_n;
	page->positions = calloc(all + 1, sizeof(*page->positions));
	if (!page->positions)
		return -ENOMEM;
	page->ordered = has_order(c);
	page->positions_n = page->ordered ? all : 0;
	for (size_t side = 0, at = 0; side < c->input.sides_n; side++) {
		size_t runs_n = c->tables[side].runs_n;

		for (size_t i = 0, run = 0; page->ordered && i < all && run < runs_n; i++)
			if (c->input.order[i] == side)
				page->positions[at + run++] = i;
		for (size_t run = 0; !page->ordered && run < runs_n; run++)
			page->positions[at + run] = run;
		if (runs_n > page->positions_n)
			page->positions_n = runs_n;
		at += runs_n;
	}
	return 0;
}

static int add_body(struct html_page *page, const struct timeline *timeline)
{
	struct str *out = page->out;
	int err;

	str_add(out, "<body>\n");
	html_add_shapes(out);
	add_header(page);
	str_add(out, "<main>\n");
	add_gates(page);
	add_table(page);
	err = add_notes(page);
	if (timeline)
		timeline_add(timeline);
	if (err == 0)
		err = html_add_curve(page);
	if (err == 0 && (page->subject == HTML_COMPARISON || page->c->tables[0].runs_n > 1))
		err = html_add_plots(page);
	add_provenance(page);
	add_terms(page);
	str_add(out, "</main>\n<footer>Made by pstat " PACKAGE_VERSION
		     ". Point at a mark for its run and value.</footer>\n</body>\n</html>\n");
	return err;
}

static enum html_subject subject_of(const struct comparison *c)
{
	if (c->input.sides_n > 1)
		return HTML_COMPARISON;
	return c->tables[0].series->interval_ms ? HTML_INTERVALS : HTML_RUNS;
}

static int add_page(struct html_page *page)
{
	struct timeline *timeline = NULL;
	int err = find_positions(page);

	if (err == 0 && html_has_timeline(page)) {
		timeline = timeline_make(page);
		err = timeline ? 0 : -ENOMEM;
	}
	if (err == 0) {
		add_head(page, timeline);
		err = add_body(page, timeline);
	}
	timeline_free(timeline);
	free(page->positions);
	return err;
}

/* Copy the rows of the whole command. Those of its processes are in the timeline. 0 or -ENOMEM. */
static int keep_whole_rows(struct comparison *kept, const struct comparison *c)
{
	*kept = *c;
	kept->rows_n = 0;
	kept->rows = calloc(c->rows_n + 1, sizeof(*kept->rows));
	if (!kept->rows)
		return -ENOMEM;
	for (size_t i = 0; i < c->rows_n; i++)
		if (!*c->rows[i].place)
			kept->rows[kept->rows_n++] = c->rows[i];
	return 0;
}

static int page_write(const struct table *tables, const struct comparison *c,
		      const struct format_style *style, FILE *out)
{
	cleanup_str struct str text = { 0 };
	struct comparison kept = { 0 };
	struct html_page page = { .c = c,
				  .subject = subject_of(c),
				  .text = { .numbers = &style->numbers },
				  .out = &text };
	int err = 0;

	(void)tables;
	if (html_has_timeline(&page)) {
		err = keep_whole_rows(&kept, c);
		page.c = &kept;
	}
	if (err == 0)
		err = add_page(&page);
	free(kept.rows);
	return err < 0 ? err : str_print(&text, out);
}

const struct format format_html = {
	.name = "html",
	.audience = AUDIENCE_READERS,
	.destination = DESTINATION_FILE,
	.notes = NOTES_LINES,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_GROUPED,
	.has_comparisons = true,
	.write = page_write,
};
