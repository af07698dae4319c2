/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison as a page of its own: the limits, the table with the same words and numbers as a
 * terminal's, drawings of the runs, and where they come from. It holds all that it needs, and no script:
 * nothing is fetched to read it.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_gate.h"
#include "format/html/compare_html.h"
#include "format/html/page.h"
#include "format/html/text.h"

/* ---- Its head. */

enum { NAMED_MAX = 3 }; /* of sides, in the title */

/* "gcc-13 and clang compared with gcc-12" */
static void add_title(struct html_page *page, void (*add)(struct str *, const char *))
{
	const struct comparison_input *input = &page->c->input;
	size_t others = input->sides_n - 1;

	if (others > NAMED_MAX)
		str_addf(page->out, "%zu sides", others);
	for (size_t i = 1; others <= NAMED_MAX && i <= others; i++) {
		str_add(page->out, i == 1 ? "" : i == others ? " and " : ", ");
		add(page->out, input->sides[i].name);
	}
	str_add(page->out, " compared with ");
	add(page->out, input->sides[0].name);
}

static void add_head(struct html_page *page)
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
	str_add(out, "</style>\n</head>\n");
}

/* How they were run, and what is meant by the signs. */
static void add_caption(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<p class=\"hint\">");
	text_add_run_order(out, page->c, page->text.numbers);
	str_addf(out, "; ± and [ ]: intervals of %.6g %%</p>\n", page->c->input.confidence * 100);
}

static void add_side(struct html_page *page, size_t side)
{
	const char *name = page->c->input.sides[side].name;
	const struct result *result = &page->c->results[side];
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
	num_add(out, result->input.runs_n, 0, page->text.numbers);
	str_add(out, result->input.runs_n == 1 ? " run" : " runs");
	str_add(out, side == 0 ? ", reference</span></li>\n" : "</span></li>\n");
}

static void add_header(struct html_page *page)
{
	struct str *out = page->out;

	str_add(out, "<header>\n<h1>");
	add_title(page, html_add_name);
	str_add(out, "</h1>\n<ul class=\"sides\">\n");
	for (size_t i = 0; i < page->c->input.sides_n; i++)
		add_side(page, i);
	str_add(out, "</ul>\n");
	add_caption(page);
	str_add(out, "</header>\n");
}

/* ---- The limits. */

static const struct {
	const char *class, *sign, *word, *all;
} outcomes[] = {
	[GATE_KEPT] = { "better", "✓", "kept", "kept" },
	[GATE_CROSSED] = { "worse", "✗", "crossed", "crossed" },
	[GATE_UNCLEAR] = { "unclear", "?", "unclear", "the data cannot tell" },
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
	out->failed |= subject.failed || text.failed;
	str_addf(out, "<li><span class=\"word %s\"><span aria-hidden=\"true\">%s</span> %s</span> ",
		 outcomes[outcome].class, outcomes[outcome].sign, word);
	str_add(out, "<span><strong>");
	html_add_name(out, str_text(&subject));
	str_add(out, "</strong> ");
	html_add(out, str_text(&text));
	str_add(out, "</span></li>\n");
}

static void add_gates(struct html_page *page)
{
	enum gate_outcome outcome = comparison_outcome(page->c);
	struct str *out = page->out;

	if (page->c->gates_n == 0)
		return;
	str_addf(out, "<section class=\"limits %s\">\n<h2>Limits: %s</h2>\n<ul>\n",
		 outcomes[outcome].class, outcomes[outcome].all);
	for (size_t i = 0; i < page->c->gates_n; i++)
		add_gate(page, &page->c->gates[i]);
	str_add(out, "</ul>\n</section>\n");
}

/* ---- The rest. */

/* Behind the table, in its section. */
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

/* Whether the order is known that the runs of all sides were in. */
static bool has_order(const struct comparison *c)
{
	size_t all = 0;

	for (size_t i = 0; i < c->input.sides_n; i++)
		all += c->results[i].input.runs_n;
	return c->input.order && c->input.order_n == all;
}

/* The place of each run. */
static int find_places(struct html_page *page)
{
	const struct comparison *c = page->c;
	size_t all = 0;

	for (size_t i = 0; i < c->input.sides_n; i++)
		all += c->results[i].input.runs_n;
	page->places = calloc(all + 1, sizeof(*page->places));
	if (!page->places)
		return -ENOMEM;
	page->ordered = has_order(c);
	page->places_n = page->ordered ? all : 0;
	for (size_t side = 0, at = 0; side < c->input.sides_n; side++) {
		size_t runs_n = c->results[side].input.runs_n;

		for (size_t i = 0, run = 0; page->ordered && i < all && run < runs_n; i++)
			if (c->input.order[i] == side)
				page->places[at + run++] = i;
		for (size_t run = 0; !page->ordered && run < runs_n; run++)
			page->places[at + run] = run;
		if (runs_n > page->places_n)
			page->places_n = runs_n;
		at += runs_n;
	}
	return 0;
}

static int add_body(struct html_page *page)
{
	struct str *out = page->out;
	int err;

	str_add(out, "<body>\n");
	html_add_shapes(out);
	add_header(page);
	str_add(out, "<main>\n");
	add_gates(page);
	html_add_table(page);
	err = add_notes(page);
	if (err == 0)
		err = html_add_plots(page);
	html_add_provenance(page);
	str_add(out, "</main>\n<footer>Made by pstat " PACKAGE_VERSION
		     ". Point at a mark for its run and value.</footer>\n</body>\n</html>\n");
	return err;
}

static int html_write(const struct comparison *c, const struct comparison_style *style, FILE *out)
{
	cleanup_str struct str text = { 0 };
	struct html_page page = { .c = c,
				  .text = { .numbers = &style->result.numbers },
				  .out = &text };
	int err = find_places(&page);

	if (err == 0) {
		add_head(&page);
		err = add_body(&page);
	}
	free(page.places);
	return err < 0 ? err : str_print(&text, out);
}

const struct comparison_format comparison_html = { .name = "html", .write = html_write };
