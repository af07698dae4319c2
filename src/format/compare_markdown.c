/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format markdown of a comparison: a table for the pull request, a row for each event, and the limits
 * as a list below it.
 */

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_gate.h"
#include "format/markdown_text.h"

static void add_header(struct str *text, const struct comparison *c)
{
	str_add(text, "| event |");
	for (size_t i = 0; i < c->input.sides_n; i++) {
		str_add(text, " ");
		markdown_code(text, c->input.sides[i].name);
		str_add(text, i == 0 ? " |" : " | change | verdict |");
	}
	str_add(text, "\n| :--- |");
	for (size_t i = 0; i < c->input.sides_n; i++)
		str_add(text, i == 0 ? " ---: |" : " ---: | ---: | :--- |");
	str_add(text, "\n");
}

static void add_mean(struct str *text, const struct row_style *style,
		     const struct comparison_side *side)
{
	cleanup_str struct str half = { 0 };

	if (side->n == 0) {
		str_add(text, " not counted |");
		return;
	}
	str_add(text, side->scaled ? " ≈" : " ");
	text_add_mean(text, style, (double)side->summary.mean);
	text_add_half(&half, style, side);
	text->failed |= half.failed;
	if (half.len)
		str_addf(text, " ± %s", str_text(&half));
	if (*style->unit) {
		str_add(text, " ");
		markdown_word(text, style->unit);
	}
	str_add(text, " |");
}

/* The word stands out where it is one to act on. */
static void add_contrast(struct str *text, const struct row_style *style,
			 const struct comparison_row *row, size_t side)
{
	enum word word = comparison_word(row, side);
	bool differs = word == WORD_BETTER || word == WORD_WORSE;
	cleanup_str struct str interval = { 0 }, hint = { 0 };

	if (word == WORD_ABSENT) {
		str_add(text, " | |");
		return;
	}
	str_add(text, " ");
	text_add_change(text, style, &row->contrasts[side]);
	text_add_interval(&interval, style, &row->contrasts[side]);
	text_add_hint(&hint, row, side, style->text);
	text->failed |= interval.failed || hint.failed;
	if (interval.len)
		str_addf(text, " %s", str_text(&interval));
	str_addf(text, differs ? " | **%s**" : " | %s", comparison_word_text(word));
	if (hint.len)
		str_addf(text, ", %s", str_text(&hint));
	str_add(text, " |");
}

static void add_row(struct str *text, const struct comparison *c, const struct comparison_row *row,
		    const struct text_style *style)
{
	const struct row_style row_style = row_style_of(row, c->input.sides_n, style);
	cleanup_str struct str name = { 0 };

	text_add_name(&name, row);
	text->failed |= name.failed;
	str_add(text, "| ");
	markdown_code(text, str_text(&name));
	str_add(text, " |");
	for (size_t i = 0; i < c->input.sides_n; i++) {
		add_mean(text, &row_style, &row->sides[i]);
		if (i > 0)
			add_contrast(text, &row_style, row, i);
	}
	str_add(text, "\n");
}

static void add_caption(struct str *text, const struct comparison *c,
			const struct text_style *style)
{
	for (size_t i = 0; i < c->input.sides_n; i++) {
		markdown_code(text, c->input.sides[i].name);
		str_add(text, ": ");
		num_add(text, c->results[i].input.runs_n, 0, style->numbers);
		str_add(text, c->results[i].input.runs_n == 1 ? " run" : " runs");
		str_add(text, i + 1 < c->input.sides_n ? ", " : "; ");
	}
	str_addf(text, "± and [ ] are intervals of %.6g %%", c->input.confidence * 100);
	if (c->input.paired)
		str_addf(text, "; paired in blocks, seed %llu", (unsigned long long)c->input.seed);
	str_add(text, ".\n");
}

static int add_notes(struct str *text, const struct comparison *c, const struct text_style *style)
{
	cleanup_str_list struct str_list notes = { 0 };
	int err = text_notes(&notes, c, style);

	for (size_t i = 0; err == 0 && i < notes.n; i++) {
		str_add(text, "\n");
		markdown_word(text, notes.v[i]);
		str_add(text, ".\n");
	}
	return err;
}

/* As a list, so that each has a line; "worse" stands out. */
static void add_gates(struct str *text, const struct comparison *c, const struct text_style *style)
{
	if (c->gates_n > 0)
		str_add(text, "\n");
	for (size_t i = 0; i < c->gates_n; i++) {
		const struct gate *gate = &c->gates[i];
		bool crossed = gate->evidence.outcome == GATE_CROSSED;
		cleanup_str struct str subject = { 0 }, outcome = { 0 };

		gate_add_subject(&subject, c, gate);
		gate_add_outcome(&outcome, gate, style);
		text->failed |= subject.failed || outcome.failed;
		str_add(text, "- pstat: ");
		markdown_code(text, str_text(&subject));
		str_add(text, crossed ? " **" : " ");
		markdown_word(text, str_text(&outcome)); /* it contains the unit */
		str_add(text, crossed ? "**\n" : "\n");
	}
}

static int markdown_write(const struct comparison *c, const struct comparison_style *style,
			  FILE *out)
{
	const struct text_style plain = { .numbers = &style->result.numbers };
	cleanup_str struct str text = { 0 };
	int err;

	str_add(&text, "\n");
	add_header(&text, c);
	for (size_t i = 0; i < c->rows_n; i++)
		if (text_has_counts(&c->rows[i], c->input.sides_n))
			add_row(&text, c, &c->rows[i], &plain);
	str_add(&text, "\n");
	add_caption(&text, c, &plain);
	err = add_notes(&text, c, &plain);
	add_gates(&text, c, &plain);
	return err < 0 ? err : str_print(&text, out);
}

const struct comparison_format comparison_markdown = { .name = "markdown",
						       .write = markdown_write };
