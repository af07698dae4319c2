/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the results come from: what is known of each side, once where it is the same of all. */
#include "base/cleanup.h"
#include "base/str.h"
#include "format/html/page.h"
#include "format/html/text.h"
#include "result/provenance.h"

static void add_cell(struct str *out, const struct str *text, size_t columns)
{
	out->failed |= text->failed;
	str_addf(out, columns > 1 ? "<td colspan=\"%zu\">" : "<td>", columns);
	if (text->len)
		html_add_name(out, str_text(text));
	else
		str_add(out, "<span class=\"dim\">not known</span>");
	str_add(out, "</td>");
}

static void add_fact(struct html_page *page, const struct provenance_fact *fact)
{
	const size_t sides_n = page->c->input.sides_n;
	cleanup_str struct str first = { 0 };
	struct str *out = page->out;
	bool same = true;

	fact->add(&first, &page->c->results[0]);
	for (size_t i = 1; i < sides_n; i++) {
		cleanup_str struct str other = { 0 };

		fact->add(&other, &page->c->results[i]);
		same &= str_equal(str_text(&first), str_text(&other));
	}
	str_addf(out, "<tr><th scope=\"row\">%s%s</th>", fact->title,
		 same ? "" : " <span class=\"differs\">differs</span>");
	for (size_t i = 0; i < (same ? 1 : sides_n); i++) {
		cleanup_str struct str text = { 0 };

		fact->add(&text, &page->c->results[i]);
		add_cell(out, &text, same ? sides_n : 1);
	}
	str_add(out, "</tr>\n");
}

/* ---- How they took turns. */

enum { TURNS_MAX = 48 }; /* that are named */

/* Of the sides by their numbers, round by round where there are rounds. */
static void add_order(struct html_page *page)
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
	add_order(page);
}

void html_add_provenance(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<section>\n<h2 id=\"provenance\">Where this comes from</h2>\n"
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
	add_settings(page);
	str_add(out, "</tbody>\n</table>\n</div>\n</section>\n");
}
