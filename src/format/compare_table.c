/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison in a terminal: who the sides are, a strip of the runs of each row that varies, then of
 * each row what is to be said of it and the numbers of each side, and at the end, where one looks first,
 * what became of the limits. No line is wider than the terminal but those of the limits, which belong to
 * logs: what finds no room in the table is left out (see compare_columns.h).
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_gate.h"
#include "format/compare_layout.h"
#include "format/compare_strips.h"

static int put_empty_line(FILE *out)
{
	return putc('\n', out) == EOF ? -errno : 0;
}

/* Words, in as many lines as they take, all but the first of them indented. A word that has no room in
 * one is cut. */
static int write_words(const struct compare_layout *layout, const char *text, int indent, FILE *out)
{
	cleanup_line struct line line = { .style = &layout->lines };
	int begin = 0;

	while (*text) {
		size_t n = strcspn(text, " ");
		cleanup_str struct str word = { 0 };
		int width, room, err = 0;

		str_add_n(&word, text, n);
		line.text.failed |= word.failed;
		width = ruler_measure(layout->lines.ruler, str_text(&word));
		if (line.columns > begin && line.columns + 1 + width > layout->width) {
			err = line_put(&line, out);
			begin = indent;
		}
		if (err < 0)
			return err;
		line_fill(&line, line.columns > begin ? line.columns + 1 : begin);
		room = layout->width - line.columns;
		line_cut(&line, str_text(&word), width < room ? width : room, layout->ellipsis,
			 COLOUR_NONE);
		text += n + strspn(text + n, " ");
	}
	return line_put(&line, out);
}

/* ---- The sides. */

static const char *command_of(const struct compare_layout *layout, size_t side)
{
	const char *command = layout->c->results[side].command;

	return strcmp(command, layout->c->input.sides[side].name) == 0 ? "" : command;
}

/* A side's name and its command, as long as they are. */
static void add_side(struct str *text, const struct compare_layout *layout, size_t side)
{
	cleanup_line struct line label = { .style = &layout->lines };
	cleanup_str struct str name = { 0 };
	const char *command = command_of(layout, side);

	layout_add_side(&name, layout, side);
	line_left(&label, str_text(&name), *command ? layout->side : 0);
	text->failed |= name.failed || label.text.failed;
	str_add_n(text, str_text(&label.text), label.text.len);
	if (*command)
		str_addf(text, "  %s", command);
}

static void add_runs(struct str *text, const struct compare_layout *layout, size_t side)
{
	size_t n = layout->c->results[side].input.runs_n;

	num_add(text, n, 0, layout->text.numbers);
	str_add(text, n == 1 ? " run" : " runs");
	if (side == 0)
		str_add(text, ", reference");
}

/* The columns of a side's name and command, wide enough for all sides; 0: with the runs behind them they
 * do not fit the terminal. */
static int measure_sides(const struct compare_layout *layout)
{
	int sides = 0, all_runs = 0;

	for (size_t i = 0; i < layout->c->input.sides_n; i++) {
		cleanup_str struct str side = { 0 }, runs = { 0 };
		int width;

		add_side(&side, layout, i);
		add_runs(&runs, layout, i);
		width = ruler_measure(layout->lines.ruler, str_text(&side));
		sides = width > sides ? width : sides;
		width = ruler_measure(layout->lines.ruler, str_text(&runs));
		all_runs = width > all_runs ? width : all_runs;
	}
	return sides + 2 + all_runs <= layout->width ? sides : 0;
}

/* In columns; or where they find no room, whole all the same, over several lines. */
static int write_sides(const struct compare_layout *layout, FILE *out)
{
	int width = measure_sides(layout);
	int err = 0;

	for (size_t i = 0; err == 0 && i < layout->c->input.sides_n; i++) {
		cleanup_line struct line line = { .style = &layout->lines };
		cleanup_str struct str side = { 0 };

		add_side(&side, layout, i);
		str_add(&side, width ? "" : ", ");
		line_left(&line, width ? str_text(&side) : "", width ? width + 2 : 0);
		add_runs(width ? &line.text : &side, layout, i);
		line.text.failed |= side.failed;
		err = width ? line_put(&line, out) : write_words(layout, str_text(&side), 3, out);
	}
	return err;
}

/* How they were run, and what is meant by the signs. */
static int write_caption(const struct compare_layout *layout, FILE *out)
{
	cleanup_str struct str text = { 0 };

	text_add_run_order(&text, layout->c, layout->text.numbers);
	str_addf(&text, "; %s and [ ]: intervals of %s", layout->text.ascii ? "+-" : "±",
		 layout->confidence);
	return text.failed ? -ENOMEM : write_words(layout, str_text(&text), 0, out);
}

/* ---- The table. */

static enum colour colour_of(enum verdict word)
{
	static const enum colour colours[] = {
		[VERDICT_BETTER] = COLOUR_BETTER, [VERDICT_WORSE] = COLOUR_WORSE,
		[VERDICT_SAME] = COLOUR_NONE,	  [VERDICT_UNCLEAR] = COLOUR_UNCLEAR,
		[VERDICT_TOO_FEW] = COLOUR_ASIDE, [VERDICT_ABSENT] = COLOUR_ASIDE,
	};

	return colours[word];
}

/* What is said of a side, from this column on; a hint that finds no room has a line of its own. */
static int write_word(const struct compare_layout *layout, size_t row, size_t side,
		      struct line *line, int column, FILE *out)
{
	const struct comparison_row *it = &layout->c->rows[row];
	enum verdict word = comparison_verdict(it, side);
	cleanup_str struct str change = { 0 }, interval = { 0 }, hint = { 0 };
	int err = 0;

	line_fill(line, column);
	line_cut(line, comparison_verdict_text(word), layout->word, layout->ellipsis,
		 colour_of(word));
	if (word == VERDICT_ABSENT)
		return line_put(line, out);
	text_add_change(&change, &layout->rows[row], &it->contrasts[side]);
	text_add_interval(&interval, &layout->rows[row], &it->contrasts[side]);
	text_add_hint(&hint, it, side, &layout->text);
	line->text.failed |= change.failed || interval.failed || hint.failed;
	line_add(line, "  ");
	line_right(line, str_text(&change), layout->change, COLOUR_NONE);
	line_add(line, " ");
	line_add(line, str_text(&interval));
	if (hint.len > 0 && line->columns + 2 + (int)hint.len > layout->width)
		err = line_put(line, out);
	if (column + (int)hint.len > layout->width)
		column = 2;
	line_fill(line, line->columns > 0 ? line->columns + 2 : column);
	line_add(line, str_text(&hint));
	return err < 0 ? err : line_put(line, out);
}

static int write_side(const struct compare_layout *layout, size_t row, size_t side, FILE *out)
{
	const struct comparison_side *it = &layout->c->rows[row].sides[side];
	cleanup_line struct line line = { .style = &layout->lines };
	cleanup_str struct str label = { 0 };
	const char *absent = result_absent(it->state);

	layout_add_side(&label, layout, side);
	line.text.failed = label.failed;
	line_add(&line, "  ");
	line_cut(&line, str_text(&label), layout->side, layout->ellipsis, COLOUR_NONE);
	if (it->n > 0) {
		columns_add(&layout->columns, &line, &layout->rows[row], it);
	} else {
		line_add(&line, "  ");
		line_right(&line, absent ? absent : result_absent(NOT_COUNTED),
			   layout->columns.widths[COLUMN_MEAN],
			   it->state == NOT_SUPPORTED ? COLOUR_UNSUPPORTED : COLOUR_MISSING);
	}
	return line_put(&line, out);
}

/* Two sides: what is to be said stands beside the name. More: below each one. */
static int write_row(const struct compare_layout *layout, size_t row, FILE *out)
{
	cleanup_line struct line line = { .style = &layout->lines };
	cleanup_str struct str name = { 0 };
	size_t sides_n = layout->c->input.sides_n;
	int width = layout->stacked ? 2 : layout->name + 2;
	int err = 0;

	layout_add_name(&name, layout, row);
	line.text.failed = name.failed;
	line_cut(&line, str_text(&name), layout->name, layout->ellipsis, COLOUR_NAME);
	if (layout->stacked)
		err = line_put(&line, out);
	if (err == 0 && sides_n == 2)
		err = write_word(layout, row, 1, &line, width, out);
	for (size_t i = 0; err == 0 && i < sides_n; i++) {
		err = write_side(layout, row, i, out);
		if (err == 0 && i > 0 && sides_n > 2)
			err = write_word(layout, row, i, &line, 2 + layout->side + 2, out);
	}
	return err;
}

static int write_rows(const struct compare_layout *layout, FILE *out)
{
	cleanup_line struct line line = { .style = &layout->lines };
	int err;

	line_fill(&line, 2 + layout->side);
	columns_add_titles(&layout->columns, &line);
	err = line_put(&line, out);
	for (size_t i = 0; err == 0 && i < layout->c->rows_n; i++)
		if (text_has_counts(&layout->c->rows[i], layout->c->input.sides_n))
			err = write_row(layout, i, out);
	return err;
}

/* ---- Below it. */

static int write_notes(const struct compare_layout *layout, FILE *out)
{
	cleanup_str_list struct str_list notes = { 0 };
	int err = text_notes(&notes, layout->c, &layout->text);

	if (err == 0 && notes.n > 0)
		err = put_empty_line(out);
	for (size_t i = 0; err == 0 && i < notes.n; i++)
		err = write_words(layout, notes.v[i], 2, out);
	return err;
}

static int table_write(const struct comparison *c, const struct comparison_style *style, FILE *out)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	cleanup_with(layout_release) struct compare_layout layout = { 0 };
	int err = layout_make(&layout, c, style, &ruler);

	if (err == 0)
		err = put_empty_line(out);
	if (err == 0)
		err = write_sides(&layout, out);
	if (err == 0)
		err = write_caption(&layout, out);
	if (err == 0)
		err = put_empty_line(out);
	if (err == 0)
		err = strips_write(&layout, out);
	if (err == 0)
		err = write_rows(&layout, out);
	if (err == 0)
		err = write_notes(&layout, out);
	if (err == 0 && c->gates_n > 0)
		err = put_empty_line(out);
	return err < 0 ? err : gate_write_lines(c, &layout.text, out);
}

const struct comparison_format comparison_table = { .name = "table",
						    .for_people = true,
						    .write = table_write };
