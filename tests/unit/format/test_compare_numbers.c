/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print a comparison in all formats. Each format shows the same numbers and verdicts, with the same
 * digits, in the order of the format's columns. test_compare_text.c tests how a number is written,
 * test_load_comparison.c tests the document, and tests/cli/page.py the page.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/format.h"
#include "format/terminal/compare_table.h"
#include "format/terminal/compare_text.h"
#include "format/terminal/strip.h"
#include "unit/format/looks.h"
#include "unit/test.h"

static const struct num_style numbers = { .thousands = ",", .point = "." };
static const struct text_style text_style = { .numbers = &numbers };

/* ---- Expected texts, and where to find them. */

/* Append to the expected texts of a row, in the order of the format. */
static void expect(struct str_list *texts, const struct str *text)
{
	assert_false(text->failed);
	if (text->len > 0)
		assert_int_equal(str_list_add(texts, str_text(text)), 0);
}

static void expect_text(struct str_list *texts, const char *text)
{
	assert_int_equal(str_list_add(texts, text), 0);
}

static void expect_mean(struct str_list *texts, const struct row_style *style,
			const struct comparison_side *side)
{
	cleanup_str struct str mean = { 0 }, half = { 0 };

	text_add_column(&mean, COLUMN_MEAN, style, side);
	text_add_column(&half, COLUMN_HALF, style, side);
	expect(texts, &mean);
	expect(texts, &half);
}

/* The numbers that follow the mean if the terminal is wide enough. */
static void expect_distribution(struct str_list *texts, const struct row_style *style,
				const struct comparison_side *side)
{
	cleanup_str struct str median = { 0 }, spread = { 0 }, min = { 0 }, max = { 0 };
	cleanup_str struct str outliers = { 0 };

	text_add_column(&median, COLUMN_MEDIAN, style, side);
	text_add_column(&spread, COLUMN_SPREAD, style, side);
	text_add_run(&min, style, (double)side->summary.min);
	text_add_run(&max, style, (double)side->summary.max);
	if (side->n > 1)
		num_add(&outliers, side->outliers, 0, style->text->numbers);
	expect(texts, &median);
	expect(texts, &spread);
	expect(texts, &min);
	expect(texts, &max);
	expect(texts, &outliers);
}

static void expect_change(struct str_list *texts, const struct row_style *style,
			  const struct comparison_row *row, size_t side)
{
	cleanup_str struct str change = { 0 }, interval = { 0 };

	if (comparison_verdict(row, side) == VERDICT_ABSENT)
		return;
	text_add_change(&change, style, &row->contrasts[side]);
	text_add_interval(&interval, style, &row->contrasts[side]);
	expect(texts, &change);
	expect(texts, &interval);
}

static void expect_hint(struct str_list *texts, const struct row_style *style,
			const struct comparison_row *row, size_t side)
{
	cleanup_str struct str hint = { 0 };

	text_add_hint(&hint, row, side, style->text);
	expect(texts, &hint);
}

static void expect_verdict(struct str_list *texts, const struct comparison_row *row, size_t side)
{
	const char *word = comparison_verdict_text(comparison_verdict(row, side));

	if (*word)
		expect_text(texts, word);
}

static bool is_part_of_number(const char *p)
{
	return (*p >= '0' && *p <= '9') || ((*p == '.' || *p == ',') && p[1] >= '0' && p[1] <= '9');
}

/* The number of characters that equal the text; 0: they differ. A blank of the text may be the end
 * of a line and an indent. */
static size_t count_equal(const char *at, const char *end, const char *text)
{
	const char *p = at;

	for (; *text; text++) {
		if (p == end || (*text == ' ' ? !strchr(" \n", *p) : *p != *text))
			return 0;
		p++;
		while (*text == ' ' && p < end && *p == ' ' && text[1] != ' ')
			p++;
	}
	return (size_t)(p - at);
}

/* The end of the text within the part from begin to end, unless it is part of a longer number;
 * NULL: not found. */
static const char *find_text(const char *begin, const char *at, const char *end, const char *text)
{
	bool ends_number = is_part_of_number(text + strlen(text) - 1);

	for (; at < end; at++) {
		size_t n = count_equal(at, end, text);

		if (n > 0 &&
		    (at == begin || !is_part_of_number(at - 1) || !is_part_of_number(text)) &&
		    (at + n == end || !is_part_of_number(at + n) || !ends_number))
			return at + n;
	}
	return NULL;
}

/* Check that the text between at and end contains these texts, in this order. */
static void check_texts(const char *place, const char *at, const char *end,
			const struct str_list *texts)
{
	const char *next = at;

	for (size_t i = 0; i < texts->n; i++) {
		const char *found = find_text(at, next, end, texts->v[i]);

		if (!found)
			fail_msg("%s: no '%s' (text %zu of %zu) after the texts before it in\n%.*s",
				 place, texts->v[i], i + 1, texts->n, (int)(end - at), at);
		next = found;
	}
}

/* ---- The table. */

/* Lines end without blanks. */
static void trim(struct str *text)
{
	while (text->len > 0 && text->text[text->len - 1] == ' ')
		text->text[--text->len] = '\0';
}

/* The end of the first line that begins with the name: the strips follow the table. */
static const char *find_row(const char *text, const char *name)
{
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, strlen(name)) == 0 && strchr(" \n", line[strlen(name)]))
			return line + strlen(name);
	}
	return NULL;
}

static void expect_table_side(struct str_list *texts, const struct compare_table *layout,
			      size_t row, size_t side, bool whole)
{
	const struct comparison_side *it = &layout->c->rows[row].sides[side];
	const char *absent = measure_absent(it->state);

	if (it->n == 0) {
		expect_text(texts, absent ? absent : measure_absent(NOT_COUNTED));
		return;
	}
	expect_mean(texts, &layout->rows[row], it);
	if (whole)
		expect_distribution(texts, &layout->rows[row], it);
}

static void expect_table_verdict(struct str_list *texts, const struct compare_table *layout,
				 size_t row, size_t side)
{
	const struct comparison_row *it = &layout->c->rows[row];

	expect_verdict(texts, it, side);
	expect_change(texts, &layout->rows[row], it, side);
	expect_hint(texts, &layout->rows[row], it, side);
}

static void check_table_row(const struct compare_table *layout, const char *text, size_t row,
			    bool whole)
{
	cleanup_line struct line name = { .style = &layout->lines };
	cleanup_str_list struct str_list texts = { 0 };
	cleanup_str struct str plain = { 0 };
	size_t sides_n = layout->c->input.sides_n;
	const char *begin, *end;

	compare_table_add_name(&plain, layout, row);
	line_cut(&name, str_text(&plain), layout->name, COLOUR_NONE);
	trim(&name.text);
	begin = find_row(text, str_text(&name.text));
	if (!begin)
		fail_msg("no row %s in\n%s", str_text(&name.text), text);
	/* The row ends before the next line that is not indented. */
	for (end = strchr(begin, '\n') + 1; *end == ' '; end = strchr(end, '\n') + 1)
		;
	if (sides_n == 2)
		expect_table_verdict(&texts, layout, row, 1);
	for (size_t i = 0; i < sides_n; i++) {
		expect_table_side(&texts, layout, row, i, whole);
		if (i > 0 && sides_n > 2)
			expect_table_verdict(&texts, layout, row, i);
	}
	check_texts("a row of the table", begin, end, &texts);
}

/* Each side of each row that varies has a strip of runs and a strip of the mean. */
static void check_strips(const struct compare_table *layout, const char *text)
{
	for (size_t row = 0; row < layout->c->rows_n; row++) {
		const struct comparison_row *it = &layout->c->rows[row];
		cleanup_str_list struct str_list texts = { 0 };
		struct strip strip = { .ascii = layout->text.ascii };

		if (!it->shown || !strip_of(&strip, it, layout->c->input.sides_n,
					    layout->width - layout->strip_name - 2))
			continue;
		for (size_t side = 0; side < layout->c->input.sides_n; side++) {
			cleanup_str struct str runs = { 0 }, mean = { 0 };

			if (it->sides[side].n == 0)
				continue;
			strip_add_runs(&runs, &strip, &it->sides[side]);
			trim(&runs);
			expect(&texts, &runs);
			if (it->sides[side].n < 2)
				continue;
			strip_add_mean(&mean, &strip, &it->sides[side]);
			trim(&mean);
			expect(&texts, &mean);
		}
		check_texts("the strips", text, text + strlen(text), &texts);
	}
}

/* Check the conclusion, the commands, their runs, the notes and the gates in a table so wide that
 * nothing wraps. */
static void check_around_table(const struct compare_table *layout, const char *text)
{
	const struct comparison *c = layout->c;
	cleanup_str_list struct str_list texts = { 0 }, notes = { 0 };
	cleanup_str struct str child_setup = { 0 };

	for (size_t i = 1; i < c->input.sides_n; i++) {
		cleanup_str struct str conclusion = { 0 };

		text_add_conclusion(&conclusion, c, i, &layout->text);
		if (!strchr(str_text(&conclusion), '\033'))
			expect(&texts, &conclusion);
	}
	assert_int_equal(text_remarks(&texts, c, &layout->text), 0);
	for (size_t i = 0; i < c->input.sides_n; i++) {
		cleanup_str struct str runs = { 0 };

		expect_text(&texts, c->input.sides[i].name);
		if (strcmp(c->tables[i].command, c->input.sides[i].name) != 0)
			expect_text(&texts, c->tables[i].command);
		num_add(&runs, c->tables[i].runs_n, 0, &numbers);
		expect(&texts, &runs);
	}
	text_add_run_order(&child_setup, c, &numbers);
	expect(&texts, &child_setup);
	expect_text(&texts, layout->confidence);
	assert_int_equal(text_notes(&notes, c, &layout->text), 0);
	for (size_t i = 0; i < notes.n; i++)
		if (!strchr(notes.v[i], '\033'))
			expect_text(&texts, notes.v[i]);
	for (size_t i = 0; i < c->gates_n; i++) {
		cleanup_str struct str gate = { 0 };

		str_add(&gate, "\npstat: ");
		text_gate_add_subject(&gate, c, &c->gates[i]);
		str_add(&gate, " ");
		text_gate_add_outcome(&gate, &c->gates[i], &layout->text);
		expect(&texts, &gate);
	}
	check_texts("around the table", text, text + strlen(text), &texts);
}

/* A table of this width shows everything. */
enum { WIDE = 600 };

static void check_table(const struct fixed_comparison *f, int width, bool ascii)
{
	struct comparison_look look = *find_comparison_look("table-80");
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	cleanup_with(compare_table_release) struct compare_table layout = { 0 };
	cleanup_free char *text = NULL;

	look.style.width = width;
	look.style.ascii = ascii;
	text = look_print_comparison(&look, f);
	assert_int_equal(compare_table_init(&layout, f->comparison, &look.style, &ruler), 0);
	for (size_t i = 0; i < f->comparison->rows_n; i++)
		if (f->comparison->rows[i].shown &&
		    text_has_counts(&f->comparison->rows[i], f->comparison->input.sides_n))
			check_table_row(&layout, text, i, width == WIDE);
	check_strips(&layout, text);
	if (width == WIDE)
		check_around_table(&layout, text);
}

static void the_table_shows_the_numbers(const struct fixed_comparison *f)
{
	static const int widths[] = { 60, 80, 100, 200, WIDE };

	for (size_t i = 0; i < N_OF(widths); i++) {
		check_table(f, widths[i], false);
		check_table(f, widths[i], true);
	}
}

/* ---- The answer. */

/* The mean with its unit, the change and the verdict, as far as there are any. */
static void expect_answer_side(struct str_list *texts, const struct compare_table *layout,
			       size_t row, size_t side)
{
	const struct comparison_side *it = &layout->c->rows[row].sides[side];
	const struct row_style *style = &layout->rows[row];
	const char *absent = measure_absent(it->state);
	cleanup_str struct str mean = { 0 };

	if (it->n == 0) {
		expect_text(texts, absent ? absent : measure_absent(NOT_COUNTED));
		return;
	}
	text_add_column(&mean, COLUMN_MEAN, style, it);
	if (*style->unit)
		str_addf(&mean, " %s", style->unit);
	expect(texts, &mean);
}

static void expect_answer_verdict(struct str_list *texts, const struct compare_table *layout,
				  size_t row, size_t side)
{
	const struct comparison_row *it = &layout->c->rows[row];

	if (comparison_verdict(it, side) == VERDICT_ABSENT)
		return;
	expect_change(texts, &layout->rows[row], it, side);
	expect_verdict(texts, it, side);
}

/* Two sides: a line for each row that is shown, and for no other. */
static void check_answer_rows(const struct compare_table *layout, const char *text)
{
	const struct comparison *c = layout->c;

	for (size_t row = 0; row < c->rows_n; row++) {
		const struct comparison_row *it = &c->rows[row];
		cleanup_str_list struct str_list texts = { 0 };
		cleanup_str struct str label = { 0 }, name = { 0 };
		const char *begin;

		text_add_label(&label, it);
		ruler_add(layout->lines.ruler, &name, str_text(&label));
		begin = find_row(text, str_text(&name));
		if (!it->shown || (it->claim == CLAIM_NONE && !text_has_counts(it, 2))) {
			if (begin)
				fail_msg("%s is shown in\n%s", str_text(&name), text);
			continue;
		}
		if (!begin)
			fail_msg("no row %s in\n%s", str_text(&name), text);
		for (size_t side = 0; side < 2; side++)
			if (it->sides[side].n > 0)
				expect_answer_side(&texts, layout, row, side);
		if (comparison_verdict(it, 1) == VERDICT_ABSENT)
			expect_answer_side(&texts, layout, row, it->sides[0].n > 0);
		expect_answer_verdict(&texts, layout, row, 1);
		check_texts("the answer", begin, strchr(begin, '\n'), &texts);
	}
}

/* More sides: a line for each, the best first, with its numbers in the leading row. */
static void check_answer_sides(const struct compare_table *layout, const char *text)
{
	const struct comparison *c = layout->c;
	const size_t row = (size_t)(c->leading - c->rows);
	const char *at = text;

	for (size_t i = 0; i < c->input.sides_n; i++) {
		const size_t side = c->order[i];
		cleanup_str_list struct str_list texts = { 0 };

		at = find_row(at, c->input.sides[side].name);
		assert_non_null(at);
		expect_answer_side(&texts, layout, row, side);
		if (side == 0)
			expect_text(&texts, "reference");
		else
			expect_answer_verdict(&texts, layout, row, side);
		check_texts("the answer", at, strchr(at, '\n'), &texts);
	}
}

static void the_answer_shows_the_numbers(const struct fixed_comparison *f)
{
	const struct comparison *c = f->comparison;
	struct comparison_look look = *find_comparison_look("answer-80");
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	cleanup_with(compare_table_release) struct compare_table layout = { 0 };
	cleanup_str_list struct str_list texts = { 0 };
	cleanup_str struct str conclusion = { 0 };
	cleanup_free char *text = NULL;

	look.style.width = WIDE;
	text = look_print_comparison(&look, f);
	assert_int_equal(compare_table_init(&layout, c, &look.style, &ruler), 0);
	if (c->input.sides_n == 2)
		text_add_conclusion(&conclusion, c, 1, &layout.text);
	if (!strchr(str_text(&conclusion), '\033'))
		expect(&texts, &conclusion);
	assert_int_equal(text_remarks(&texts, c, &layout.text), 0);
	check_texts("the answer", text, text + strlen(text), &texts);
	if (c->input.sides_n == 2)
		check_answer_rows(&layout, text);
	else
		check_answer_sides(&layout, text);
}

/* ---- Markdown. */

/* What the line of the row begins with. */
static void add_markdown_begin(struct str *begin, const struct comparison_row *row)
{
	/* the only name with special characters */
	static const char escaped[] = "<code>nai\xcc\x88ve&#124;name\xef\xbf\xbd"
				      "&#91;31m&#10;::error::</code>";
	cleanup_str struct str label = { 0 }, name = { 0 };

	text_add_label(&label, row);
	text_add_name(&name, row);
	if (strchr(str_text(&name), '|'))
		str_addf(begin, "\n| %s", escaped);
	else if (strcmp(str_text(&label), str_text(&name)) == 0)
		str_addf(begin, "\n| `%s`", str_text(&name));
	else
		str_addf(begin, "\n| %s", str_text(&label));
}

/* The numbers of a side in a row; hints are not in this table. */
static void expect_markdown_side(struct str_list *texts, const struct comparison *c, size_t row,
				 size_t side)
{
	const struct comparison_row *it = &c->rows[row];
	const struct row_style style = text_row_style_of(it, c->input.sides_n, &text_style);

	if (it->sides[side].n > 0)
		expect_mean(texts, &style, &it->sides[side]);
	if (side == 0 || comparison_verdict(it, side) == VERDICT_ABSENT)
		return;
	expect_change(texts, &style, it, side);
	expect_verdict(texts, it, side);
}

/* Of three or more sides: a line for each, the best first. */
static void check_markdown_sides(const struct comparison *c, const char *text)
{
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const size_t side = c->order[i];
		cleanup_str_list struct str_list texts = { 0 };
		cleanup_str struct str begin = { 0 };

		str_addf(&begin, "\n| `%s` |", c->input.sides[side].name);
		text = strstr(text, str_text(&begin));
		assert_non_null(text);
		text += begin.len;
		expect_markdown_side(&texts, c, (size_t)(c->leading - c->rows), side);
		if (side == 0)
			expect_text(&texts, "reference");
		check_texts("markdown", text, strchr(text, '\n'), &texts);
	}
}

static void the_markdown_shows_the_numbers(const struct fixed_comparison *f)
{
	const struct comparison *c = f->comparison;
	cleanup_free char *text = look_print_comparison(find_comparison_look("markdown"), f);

	for (size_t row = 0; row < c->rows_n; row++) {
		cleanup_str_list struct str_list texts = { 0 };
		cleanup_str struct str begin = { 0 };
		const char *line;

		if (!text_is_shown(&c->rows[row], c->input.sides_n))
			continue;
		add_markdown_begin(&begin, &c->rows[row]);
		line = strstr(text, str_text(&begin));
		assert_non_null(line);
		line += begin.len;
		for (size_t i = 0; i < c->input.sides_n; i++)
			expect_markdown_side(&texts, c, row, i);
		check_texts("markdown", line, strchr(line, '\n'), &texts);
	}
	if (c->input.sides_n > 2)
		check_markdown_sides(c, text);
}

/* ---- Annotations. */

static bool is_gated(const struct comparison *c, const struct comparison_row *row)
{
	for (size_t i = 0; i < c->gates_n; i++)
		if (c->gates[i].row == row)
			return true;
	return false;
}

/* Return the next line with its escapes decoded; the caller frees it. The test fails unless the
 * line begins with "::kind ". */
static char *take_annotation(const char **text, const char *kind)
{
	size_t n = strcspn(*text, "\n"), to = 0;
	char *line = strndup(*text, n);

	assert_non_null(line);
	if (strncmp(line, "::", 2) != 0 || strncmp(line + 2, kind, strlen(kind)) != 0 ||
	    line[2 + strlen(kind)] != ' ' || !strstr(line + 2, "::"))
		fail_msg("not an annotation of the kind %s: %s", kind, line);
	for (size_t from = 0; from < n; from++) {
		unsigned int byte;

		if (line[from] == '%' && sscanf(line + from + 1, "%2X", &byte) == 1) {
			line[to++] = (char)byte;
			from += 2;
		} else {
			line[to++] = line[from];
		}
	}
	line[to] = '\0';
	*text += n + ((*text)[n] == '\n');
	return line;
}

static const char *kind_of(const struct gate *gate)
{
	static const char *const kinds[] = {
		[GATE_KEPT] = "notice",
		[GATE_CROSSED] = "error",
		[GATE_UNCLEAR] = "warning",
	};

	return kinds[gate->evidence.outcome];
}

static void check_contrast_annotation(const struct comparison *c, const struct comparison_row *row,
				      size_t side, const char **text)
{
	const struct row_style style = text_row_style_of(row, c->input.sides_n, &text_style);
	cleanup_str_list struct str_list texts = { 0 };
	cleanup_free char *line = NULL;

	if (is_gated(c, row) || (comparison_verdict(row, side) != VERDICT_BETTER &&
				 comparison_verdict(row, side) != VERDICT_WORSE))
		return;
	line = take_annotation(text, "notice");
	if (strcmp(row->of->name, "page-faults") == 0 || !strpbrk(row->of->name, "\033\n"))
		expect_text(&texts, row->of->name);
	expect_change(&texts, &style, row, side);
	expect_verdict(&texts, row, side);
	check_texts("an annotation", line, line + strlen(line), &texts);
}

/* U+FFFD replaces each control character except a newline. */
static void add_without_controls(struct str *out, const char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text) && *text != '\n')
			str_add(out, "\xef\xbf\xbd");
		else
			str_add_n(out, text, 1);
}

static void the_annotations_show_the_numbers(const struct fixed_comparison *f)
{
	const struct comparison *c = f->comparison;
	cleanup_free char *all = look_print_comparison(find_comparison_look("github"), f);
	const char *text = all, *first;

	for (const char *p = all; *p; p++)
		assert_true(*p == '\n' || !iscntrl((unsigned char)*p));
	for (size_t i = 0; i < c->input.different_work.n; i++) {
		cleanup_free char *line = take_annotation(&text, "warning");

		assert_non_null(strstr(line, c->input.different_work.v[i]));
	}
	first = text;
	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; side < c->input.sides_n; side++)
			check_contrast_annotation(c, &c->rows[i], side, &text);
	for (size_t i = 0; i < c->gates_n; i++) {
		cleanup_free char *line = take_annotation(&text, kind_of(&c->gates[i]));
		cleanup_str_list struct str_list texts = { 0 };
		cleanup_str struct str message = { 0 };
		cleanup_str struct str shown = { 0 };

		str_add(&message, "::");
		text_gate_add_subject(&message, c, &c->gates[i]);
		str_add(&message, " ");
		text_gate_add_outcome(&message, &c->gates[i], &text_style);
		add_without_controls(&shown, str_text(&message));
		expect(&texts, &shown);
		check_texts("a limit's annotation", line, line + strlen(line), &texts);
	}
	if (text == first)
		free(take_annotation(&text, "notice"));
	assert_string_equal(text, "");
}

/* The comparison long-and-wide-names with a gate on the event whose name has a newline and a GitHub
 * command. */
static void make_hostile_gate(struct fixed_comparison *f)
{
	find_fixed_comparison("long-and-wide-names")->make(f);
	f->gates[f->input.gates_n++] =
		(struct gate_request){ .text = "hostile",
				       .name = strdup(f->events.events[2].name),
				       .above = true,
				       .relative = true,
				       .limit.value = 0.01 };
}

static void a_name_does_not_end_its_annotation(void **state)
{
	static const struct fixed_comparison hostile = { .name = "hostile-limit",
							 .make = make_hostile_gate };
	struct fixed_comparison *f = fixed_comparison_new(&hostile);

	assert_non_null(strchr(f->gates[1].name, '\n'));
	the_annotations_show_the_numbers(f);
	fixed_comparison_free(f);
}

/* ---- CSV: the lines of each side's own result, with one more column. */

static void the_csv_has_the_lines_of_each_side(const struct fixed_comparison *f)
{
	static const char *const looks[] = { "csv", "csv-summary" };

	for (size_t i = 0; i < N_OF(looks); i++) {
		const struct comparison *c = f->comparison;
		const struct result_look *look = find_report_look(looks[i]);
		cleanup_free char *text = look_print_comparison(find_comparison_look(looks[i]), f);
		cleanup_str struct str expected = { 0 };

		for (size_t side = 0; side < c->input.sides_n; side++) {
			struct format_style style = look->style;
			cleanup_free char *part = NULL;
			size_t n;
			FILE *out = open_memstream(&part, &n);

			style.header = side == 0;
			style.side = c->input.sides[side].name;
			assert_int_equal(look->format->write(&c->tables[side], &style, out), 0);
			assert_int_equal(fclose(out), 0);
			str_add(&expected, part);
		}
		assert_string_equal(text, str_text(&expected));
	}
}

static void all_formats_show_the_numbers_of_the_comparison(void **state)
{
	struct fixed_comparison *f = fixed_comparison_new(*state);

	the_answer_shows_the_numbers(f);
	the_table_shows_the_numbers(f);
	the_markdown_shows_the_numbers(f);
	the_annotations_show_the_numbers(f);
	the_csv_has_the_lines_of_each_side(f);
	fixed_comparison_free(f);
}

int main(void)
{
	struct CMUnitTest tests[64] = { cmocka_unit_test(a_name_does_not_end_its_annotation) };
	size_t n = 1;

	for (const struct fixed_comparison *f = fixed_comparisons; f->name && n < N_OF(tests); f++)
		tests[n++] = (struct CMUnitTest){
			.name = f->name,
			.test_func = all_formats_show_the_numbers_of_the_comparison,
			.initial_state = (void *)(uintptr_t)f,
		};
	return _cmocka_run_group_tests("compare_numbers", tests, n, NULL, NULL);
}
