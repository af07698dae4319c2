/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/answer.h"
#include "format/terminal/compare_table.h"
#include "format/terminal/suite_text.h"

/* ---- A grid of cells. Its columns are as wide as their cells. */

struct cell {
	struct str text; /* owned */
	enum colour colour;
};

enum { COLUMNS_MAX = 6, LABEL_LEAST = 12 };

struct grid {
	struct cell *cells; /* owned: row by row */
	size_t rows_n, columns_n;
	bool left[COLUMNS_MAX]; /* aligned to the left */
	int widths[COLUMNS_MAX];
};

static void answer_grid_release(struct grid *grid)
{
	for (size_t i = 0; grid->cells && i < grid->rows_n * grid->columns_n; i++)
		str_release(&grid->cells[i].text);
	free(grid->cells);
}

static struct cell *answer_grid_at(const struct grid *grid, size_t row, size_t column)
{
	return &grid->cells[row * grid->columns_n + column];
}

/* Set the widths of the columns. Returns their sum. */
static int answer_grid_measure(struct grid *grid, struct ruler *ruler)
{
	int all = -2;

	for (size_t column = 0; column < grid->columns_n; column++) {
		for (size_t row = 0; row < grid->rows_n; row++)
			line_widen(
				&grid->widths[column],
				ruler_measure(ruler,
					      str_text(&answer_grid_at(grid, row, column)->text)));
		all += grid->widths[column] + 2;
	}
	return all;
}

/* In a terminal that is too narrow for the columns, the cells of a row follow each other below the
 * first one. */
static void answer_grid_add_stacked(struct line *line, const struct grid *grid, int width)
{
	for (size_t row = 0; row < grid->rows_n; row++) {
		const struct cell *label = answer_grid_at(grid, row, 0);
		cleanup_str struct str words = { 0 };

		line->text.failed |= label->text.failed;
		if (label->text.len > 0) {
			line_cut(line, str_text(&label->text),
				 grid->widths[0] < width ? grid->widths[0] : width, label->colour);
			line_end(line);
		}
		for (size_t column = 1; column < grid->columns_n; column++) {
			const struct str *cell = &answer_grid_at(grid, row, column)->text;
			const char *text = str_text(cell);

			line->text.failed |= cell->failed;
			text += strspn(text, " "); /* skip the blanks that align the changes */
			if (*text)
				str_addf(&words, "%s%s", words.len ? ", " : "", text);
		}
		line->text.failed |= words.failed;
		line_fill(line, 2);
		line_words(line, str_text(&words), 2, width);
	}
}

/* The first column is cut if the grid is too wide. */
static void answer_grid_add(struct line *line, struct grid *grid, int width)
{
	const int all = answer_grid_measure(grid, line->style->ruler);

	if (all > width && all - width > grid->widths[0] - LABEL_LEAST) {
		answer_grid_add_stacked(line, grid, width);
		return;
	}
	if (all > width)
		grid->widths[0] -= all - width;
	for (size_t row = 0; row < grid->rows_n; row++) {
		for (size_t column = 0; column < grid->columns_n; column++) {
			const struct cell *cell = answer_grid_at(grid, row, column);

			line_add(line, column ? "  " : "");
			line->text.failed |= cell->text.failed;
			if (grid->left[column])
				line_cut(line, str_text(&cell->text), grid->widths[column],
					 cell->colour);
			else
				line_right(line, str_text(&cell->text), grid->widths[column],
					   cell->colour);
		}
		line_end(line);
	}
}

/* ---- Cells. */

/* The name of a side that fits this width; a longer one is cut after its number. */
static void answer_add_name(struct cell *cell, const struct side_input *sides, size_t side,
			    int width, const struct line_style *lines)
{
	const char *name = sides[side].name;

	if (ruler_measure(lines->ruler, name) <= width) {
		str_add(&cell->text, name);
		return;
	}
	str_addf(&cell->text, "#%zu ", side + 1);
	ruler_add_cut(lines->ruler, &cell->text, name, width - (int)cell->text.len,
		      lines->ascii ? "..." : "…");
}

/* The mean with its unit, or why there is none. */
static void answer_add_mean(struct cell *cell, const struct comparison_row *row,
			    const struct row_style *style, size_t side)
{
	const struct comparison_side *it = &row->sides[side];
	const char *absent = measure_absent(it->state);

	if (it->n == 0) {
		str_add(&cell->text, absent ? absent : measure_absent(NOT_COUNTED));
		cell->colour = it->state == NOT_SUPPORTED ? COLOUR_UNSUPPORTED : COLOUR_MISSING;
		return;
	}
	text_add_column(&cell->text, COLUMN_MEAN, style, it);
	if (*style->unit)
		str_addf(&cell->text, " %s", style->unit);
}

/* The change with its interval, then the verdict, in two cells. width: of all changes. */
static void answer_add_change(struct cell *cells, const struct contrast *contrast,
			      const struct row_style *style, enum verdict verdict,
			      struct ruler *ruler, int width)
{
	static const enum colour colours[] = {
		[VERDICT_BETTER] = COLOUR_BETTER, [VERDICT_WORSE] = COLOUR_WORSE,
		[VERDICT_SAME] = COLOUR_NONE,	  [VERDICT_UNCLEAR] = COLOUR_UNCLEAR,
		[VERDICT_TOO_FEW] = COLOUR_ASIDE, [VERDICT_ABSENT] = COLOUR_ASIDE,
		[VERDICT_NONE] = COLOUR_NONE,
	};

	cells[1].colour = colours[verdict];
	if (verdict != VERDICT_ABSENT) { /* otherwise, another cell shows <not counted> */
		cleanup_str struct str change = { 0 };

		text_add_change(&change, style, contrast);
		for (int n = ruler_measure(ruler, str_text(&change)); n < width; n++)
			str_add(&cells[0].text, " ");
		str_append(&cells[0].text, &change);
		str_add(&cells[0].text, " ");
		text_add_interval(&cells[0].text, style, contrast);
		str_add(&cells[1].text, comparison_verdict_text(verdict));
	}
}

static void answer_add_verdict(struct cell *cells, const struct compare_table *table, size_t row,
			       size_t side)
{
	const struct comparison_row *it = &table->c->rows[row];

	answer_add_change(cells, &it->contrasts[side], &table->rows[row],
			  comparison_verdict(it, side), table->lines.ruler, table->change);
}

/* The heading of the changes, above their intervals. row: the only one; NULL: all that are
 * shown. */
static void answer_add_heading(struct cell *cell, const struct compare_table *table,
			       const struct comparison_row *row)
{
	for (int i = 0; i < table->change - 6; i++)
		str_add(&cell->text, " ");
	str_add(&cell->text, "change [");
	if (row)
		str_addf(&cell->text, "%.6g %%", row->confidence * 100);
	else
		text_add_confidence(&cell->text, table->c, &table->text);
	str_add(&cell->text, "]");
}

/* ---- Two sides: a row for each measure. */

/* The widths of a side's name, and of a label that may be cut to make room for names. */
enum { NAME_LEAST = 10, NAME_MOST = 18, LABEL_MOST = 20 };

static bool answer_begin(struct grid *grid, size_t rows_n, size_t columns_n)
{
	grid->rows_n = rows_n;
	grid->columns_n = columns_n;
	grid->cells = calloc(rows_n * columns_n, sizeof(*grid->cells));
	grid->left[0] = grid->left[columns_n - 2] = grid->left[columns_n - 1] = true;
	return grid->cells;
}

/* The width for the name of each side, after all other cells are filled. */
static int answer_name_width(struct grid *grid, int all_width, struct ruler *ruler)
{
	const int all = answer_grid_measure(grid, ruler);
	int width = grid->widths[1], room;

	line_widen(&width, grid->widths[2]);
	room = all_width - (all - grid->widths[1] - grid->widths[2]);
	if (grid->widths[0] > LABEL_MOST)
		room += grid->widths[0] - LABEL_MOST;
	line_widen(&width, room / 2 < NAME_MOST ? room / 2 : NAME_MOST);
	return width < NAME_LEAST ? NAME_LEAST : width;
}

static void answer_add_measures(struct line *line, const struct compare_table *table)
{
	cleanup_with(answer_grid_release) struct grid grid = { 0 };
	size_t n = 1;
	int width;

	for (size_t i = 0; i < table->c->rows_n; i++)
		n += text_is_shown(&table->c->rows[i], table->c->input.sides_n);
	if (!answer_begin(&grid, n, 5)) {
		line->text.failed = true;
		return;
	}
	answer_add_heading(answer_grid_at(&grid, 0, 3), table, NULL);
	n = 1;
	for (size_t i = 0; i < table->c->rows_n; i++) {
		struct cell *cells = answer_grid_at(&grid, n, 0);

		if (!text_is_shown(&table->c->rows[i], table->c->input.sides_n))
			continue;
		text_add_label(&cells[0].text, &table->c->rows[i]);
		cells[0].colour = COLOUR_NAME;
		for (size_t side = 0; side < 2; side++)
			if (table->c->rows[i].sides[side].n > 0)
				answer_add_mean(&cells[1 + side], &table->c->rows[i],
						&table->rows[i], side);
			else if (cells[3].text.len == 0) /* there is no change */
				answer_add_mean(&cells[3], &table->c->rows[i], &table->rows[i],
						side);
		answer_add_verdict(&cells[3], table, i, 1);
		n++;
	}
	width = answer_name_width(&grid, table->width, table->lines.ruler);
	for (size_t side = 0; side < 2; side++)
		answer_add_name(answer_grid_at(&grid, 0, 1 + side), table->c->input.sides, side,
				width, &table->lines);
	answer_grid_add(line, &grid, table->width);
}

/* ---- More sides: a row for each side, the best first. */

static void answer_add_sides(struct line *line, const struct compare_table *table)
{
	const struct comparison *c = table->c;
	const size_t row = c->leading ? (size_t)(c->leading - c->rows) : 0;
	const size_t *order = c->order;
	cleanup_with(answer_grid_release) struct grid grid = { 0 };
	struct cell *cells;

	if (!answer_begin(&grid, c->input.sides_n + 1, 5)) {
		line->text.failed = true;
		return;
	}
	cells = answer_grid_at(&grid, 0, 0);
	text_add_label(&cells[1].text, &c->rows[row]);
	str_add(&cells[2].text, "of best");
	answer_add_heading(&cells[3], table, &c->rows[row]);
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const size_t side = order[i];

		cells = answer_grid_at(&grid, i + 1, 0);
		answer_add_name(&cells[0], c->input.sides, side, table->width / 3, &table->lines);
		answer_add_mean(&cells[1], &c->rows[row], &table->rows[row], side);
		text_add_ratio_to_best(&cells[2].text, c, &c->rows[row], side, table->text.numbers);
		if (side == 0)
			str_add(&cells[4].text, "reference");
		else
			answer_add_verdict(&cells[3], table, row, side);
	}
	answer_grid_add(line, &grid, table->width);
}

/* ---- The answer of one comparison. */

/* Above the conclusion. */
static void answer_add_different_work(struct line *line, const struct comparison_input *input,
				      int width)
{
	if (input->different_work.n > 0)
		line_end(line);
	for (size_t i = 0; i < input->different_work.n; i++)
		line_words(line, input->different_work.v[i], 2, width);
}

static void answer_add(struct line *line, const struct compare_table *table)
{
	const struct comparison *c = table->c;
	cleanup_str_list struct str_list remarks = { 0 };
	cleanup_str struct str conclusion = { 0 };

	if (c->input.sides_n == 2) {
		text_add_conclusion(&conclusion, c, 1, &table->text);
		line_words(line, str_text(&conclusion), 2, table->width);
	}
	line->text.failed |= conclusion.failed || text_remarks(&remarks, c, &table->text) < 0;
	for (size_t i = 0; i < remarks.n; i++)
		line_words(line, remarks.v[i], 2, table->width);
	line_end(line);
	if (c->input.sides_n == 2)
		answer_add_measures(line, table);
	else
		answer_add_sides(line, table);
}

/* The answer or, with style->details, the tables; then the charts of style->draw, the notes and, if
 * asked for, the gates. 0 or -ENOMEM. */
static int answer_add_comparison(struct line *line, const struct comparison *c,
				 const struct format_style *style, bool gates)
{
	cleanup_with(compare_table_release) struct compare_table table = { 0 };
	cleanup_str_list struct str_list notes = { 0 };
	int err = compare_table_init(&table, c, style, line->style->ruler);

	if (err < 0)
		return err;
	answer_add_different_work(line, &c->input, table.width);
	line_end(line);
	if (style->details)
		compare_table_add_details(line, &table);
	else
		answer_add(line, &table);
	if (style->draw)
		err = compare_table_add_charts(line, &table);
	if (err == 0)
		err = (style->details ? text_notes : text_warnings)(&notes, c, &table.text);
	if (notes.n > 0)
		line_end(line);
	for (size_t i = 0; i < notes.n; i++)
		line_words(line, notes.v[i], 2, table.width);
	if (gates)
		compare_table_add_gates(line, &table);
	return err;
}

/* ---- Several cases: for each side a row for each case, then one for each geometric mean. */

/* The parts of a suite that all its rows share. */
struct suite_lines {
	const struct suite *suite;
	struct text_style text;
	struct ruler *ruler;
	int change; /* the width of the changes */
};

static void answer_measure_change(struct suite_lines *s, const struct row_style *style,
				  const struct contrast *contrast)
{
	cleanup_str struct str change = { 0 };

	text_add_change(&change, style, contrast);
	line_widen(&s->change, ruler_measure(s->ruler, str_text(&change)));
}

static void answer_measure_changes(struct suite_lines *s, size_t side)
{
	const struct suite *suite = s->suite;

	s->change = 0;
	for (size_t i = 0; i < suite->n; i++) {
		const struct comparison_row *row = suite->leading->cases[i];
		const struct row_style style = text_row_style_of(row, suite->sides_n, &s->text);

		if (comparison_verdict(row, side) != VERDICT_ABSENT)
			answer_measure_change(s, &style, &row->contrasts[side]);
	}
	for (size_t i = 0; i < suite->rows_n; i++) {
		const struct contrast mean = suite_text_contrast_of(&suite->rows[i].sides[side]);
		const struct row_style style =
			text_row_style_of(suite->rows[i].cases[0], suite->sides_n, &s->text);

		if (!mean.ratio.withheld)
			answer_measure_change(s, &style, &mean);
	}
}

/* The geometric mean of a row, unless it is unknown. Returns whether it is known. */
static bool answer_add_geomean(struct cell *cells, const struct suite_lines *s,
			       const struct suite_row *row, size_t side)
{
	const struct suite_side *it = &row->sides[side];
	const struct contrast mean = suite_text_contrast_of(it);
	const struct row_style style =
		text_row_style_of(row->cases[0], s->suite->sides_n, &s->text);

	if (it->ratio.withheld)
		return false;
	if (row == s->suite->leading) {
		str_add(&cells[0].text, "geometric mean");
	} else { /* below that of the leading row */
		str_add(&cells[0].text, "  ");
		text_add_label(&cells[0].text, row->cases[0]);
	}
	answer_add_change(&cells[3], &mean, &style, it->verdict, s->ruler, s->change);
	return true;
}

static void answer_add_cases(struct line *line, struct suite_lines *s, size_t side, int width)
{
	const struct suite *suite = s->suite;
	const struct suite_row *leading = suite->leading;
	cleanup_with(answer_grid_release) struct grid grid = { 0 };
	size_t n = 1;
	int name_width;

	answer_measure_changes(s, side);
	if (!answer_begin(&grid, 1 + suite->n + suite->rows_n, 5)) {
		line->text.failed = true;
		return;
	}
	text_add_label(&answer_grid_at(&grid, 0, 0)->text, leading->cases[0]);
	for (int i = 0; i < s->change - 6; i++)
		str_add(&answer_grid_at(&grid, 0, 3)->text, " ");
	/* each interval of a case has more, and so may those of the means */
	str_addf(&answer_grid_at(&grid, 0, 3)->text, "change [%s%.6g %%]",
		 s->text.ascii ? ">= " : "≥ ", suite->input.confidence * 100);
	for (size_t i = 0; i < suite->n; i++) {
		const size_t k = leading->sides[side].order[i];
		const struct comparison_row *row = leading->cases[k];
		const struct row_style style = text_row_style_of(row, suite->sides_n, &s->text);
		struct cell *cells = answer_grid_at(&grid, n++, 0);

		str_add_escaped(&cells[0].text, suite->input.cases[k].name);
		cells[0].colour = COLOUR_NAME;
		answer_add_mean(&cells[1], row, &style, 0);
		answer_add_mean(&cells[2], row, &style, side);
		answer_add_change(&cells[3], &row->contrasts[side], &style,
				  comparison_verdict(row, side), s->ruler, s->change);
	}
	n += answer_add_geomean(answer_grid_at(&grid, n, 0), s, leading, side);
	for (size_t i = 0; i < suite->rows_n; i++)
		if (&suite->rows[i] != leading)
			n += answer_add_geomean(answer_grid_at(&grid, n, 0), s, &suite->rows[i],
						side);
	grid.rows_n = n;
	name_width = answer_name_width(&grid, width, s->ruler);
	for (size_t i = 0; i < 2; i++)
		answer_add_name(answer_grid_at(&grid, 0, 1 + i), suite->input.sides, i ? side : 0,
				name_width, line->style);
	answer_grid_add(line, &grid, width);
}

/* The conclusions, the tables and the warnings; with details or charts the comparison of each case;
 * then the gates. 0 or -ENOMEM. */
static int answer_add_suite(struct line *line, struct suite_lines *s,
			    const struct format_style *style)
{
	const struct suite *suite = s->suite;
	const int width = style->width > 0 ? style->width : WIDTH_USUAL;
	cleanup_str_list struct str_list warnings = { 0 }, gates = { 0 };
	int err = suite_text_warnings(&warnings, suite, &s->text);

	answer_add_different_work(line, &suite->input, width);
	for (size_t side = 1; side < suite->sides_n; side++) {
		cleanup_str struct str text = { 0 };

		suite_text_add_conclusion(&text, suite, side, &s->text);
		str_add(&text, "; ");
		suite_text_add_rounds(&text, suite, s->text.numbers);
		line->text.failed |= text.failed;
		line_end(line);
		line_words(line, str_text(&text), 2, width);
		line_end(line);
		if (suite->leading)
			answer_add_cases(line, s, side, width);
	}
	if (warnings.n > 0)
		line_end(line);
	for (size_t i = 0; i < warnings.n; i++)
		line_words(line, warnings.v[i], 2, width);
	for (size_t i = 0; (style->details || style->draw) && err == 0 && i < suite->n; i++) {
		str_add(&line->text, "\n ");
		str_add_escaped(&line->text, suite->input.cases[i].name);
		line_end(line);
		err = answer_add_comparison(line, &suite->cases[i], style, false);
	}
	if (err == 0)
		err = suite_text_gates(&gates, suite, &s->text);
	if (gates.n > 0)
		line_end(line);
	for (size_t i = 0; i < gates.n; i++) {
		str_add(&line->text, "pstat: ");
		str_add_escaped(&line->text, gates.v[i]);
		line_end(line);
	}
	return err;
}

/* ---- The answer. */

int answer_write(const struct suite *suite, const struct format_style *style, FILE *out)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style lines = { &ruler, &style->numbers, style->colour, style->ascii };
	struct suite_lines s = { suite, { &style->numbers, style->ascii }, &ruler, 0 };
	cleanup_line struct line line = { .style = &lines };
	int err = suite_has_cases(suite) ? answer_add_suite(&line, &s, style) :
					   answer_add_comparison(&line, suite->cases, style, true);

	return err < 0 ? err : str_print(&line.text, out);
}
