/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/answer.h"
#include "format/terminal/compare_table.h"

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

static void grid_release(struct grid *grid)
{
	for (size_t i = 0; grid->cells && i < grid->rows_n * grid->columns_n; i++)
		str_release(&grid->cells[i].text);
	free(grid->cells);
}

static struct cell *grid_at(const struct grid *grid, size_t row, size_t column)
{
	return &grid->cells[row * grid->columns_n + column];
}

/* Set the widths of the columns. Returns their sum. */
static int grid_measure(struct grid *grid, struct ruler *ruler)
{
	int all = -2;

	for (size_t column = 0; column < grid->columns_n; column++) {
		for (size_t row = 0; row < grid->rows_n; row++)
			line_widen(&grid->widths[column],
				   ruler_measure(ruler,
						 str_text(&grid_at(grid, row, column)->text)));
		all += grid->widths[column] + 2;
	}
	return all;
}

/* In a terminal that is too narrow for the columns, the cells of a row follow each other below the
 * first one. */
static void grid_add_stacked(struct line *line, const struct grid *grid, int width)
{
	for (size_t row = 0; row < grid->rows_n; row++) {
		const struct cell *label = grid_at(grid, row, 0);
		cleanup_str struct str words = { 0 };

		line->text.failed |= label->text.failed;
		if (label->text.len > 0) {
			line_cut(line, str_text(&label->text),
				 grid->widths[0] < width ? grid->widths[0] : width, label->colour);
			line_end(line);
		}
		for (size_t column = 1; column < grid->columns_n; column++) {
			const struct str *cell = &grid_at(grid, row, column)->text;
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
static void grid_add(struct line *line, struct grid *grid, int width)
{
	const int all = grid_measure(grid, line->style->ruler);

	if (all > width && all - width > grid->widths[0] - LABEL_LEAST) {
		grid_add_stacked(line, grid, width);
		return;
	}
	if (all > width)
		grid->widths[0] -= all - width;
	for (size_t row = 0; row < grid->rows_n; row++) {
		for (size_t column = 0; column < grid->columns_n; column++) {
			const struct cell *cell = grid_at(grid, row, column);

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
static void answer_add_name(struct cell *cell, const struct compare_table *table, size_t side,
			    int width)
{
	struct ruler *ruler = table->lines.ruler;
	const char *name = table->c->input.sides[side].name;

	if (ruler_measure(ruler, name) <= width) {
		str_add(&cell->text, name);
		return;
	}
	str_addf(&cell->text, "#%zu ", side + 1);
	ruler_add_cut(ruler, &cell->text, name, width - (int)cell->text.len,
		      table->lines.ascii ? "..." : "…");
}

/* The mean with its unit, or why there is none. */
static void answer_add_mean(struct cell *cell, const struct compare_table *table, size_t row,
			    size_t side)
{
	const struct comparison_side *it = &table->c->rows[row].sides[side];
	const struct row_style *style = &table->rows[row];
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

/* The change with its interval, then the verdict, in two cells. */
static void answer_add_verdict(struct cell *cells, const struct compare_table *table, size_t row,
			       size_t side)
{
	static const enum colour colours[] = {
		[VERDICT_BETTER] = COLOUR_BETTER, [VERDICT_WORSE] = COLOUR_WORSE,
		[VERDICT_SAME] = COLOUR_NONE,	  [VERDICT_UNCLEAR] = COLOUR_UNCLEAR,
		[VERDICT_TOO_FEW] = COLOUR_ASIDE, [VERDICT_ABSENT] = COLOUR_ASIDE,
		[VERDICT_NONE] = COLOUR_NONE,
	};
	const struct comparison_row *it = &table->c->rows[row];
	const enum verdict verdict = comparison_verdict(it, side);

	if (verdict != VERDICT_ABSENT) {
		cleanup_str struct str change = { 0 };
		int width;

		text_add_change(&change, &table->rows[row], &it->contrasts[side]);
		width = ruler_measure(table->lines.ruler, str_text(&change));
		for (; width < table->change; width++)
			str_add(&cells[0].text, " ");
		str_append(&cells[0].text, &change);
		str_add(&cells[0].text, " ");
		text_add_interval(&cells[0].text, &table->rows[row], &it->contrasts[side]);
		str_add(&cells[1].text, comparison_verdict_text(verdict));
	} /* otherwise, another cell says that there is no count */
	cells[1].colour = colours[verdict];
}

/* The heading of the changes, above their intervals. row: the only one; NULL: all that are shown. */
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
static int answer_name_width(struct grid *grid, const struct compare_table *table)
{
	const int all = grid_measure(grid, table->lines.ruler);
	int width = grid->widths[1], room;

	line_widen(&width, grid->widths[2]);
	room = table->width - (all - grid->widths[1] - grid->widths[2]);
	if (grid->widths[0] > LABEL_MOST)
		room += grid->widths[0] - LABEL_MOST;
	line_widen(&width, room / 2 < NAME_MOST ? room / 2 : NAME_MOST);
	return width < NAME_LEAST ? NAME_LEAST : width;
}

static void answer_add_measures(struct line *line, const struct compare_table *table)
{
	cleanup_with(grid_release) struct grid grid = { 0 };
	size_t n = 1;
	int width;

	for (size_t i = 0; i < table->c->rows_n; i++)
		n += text_is_shown(&table->c->rows[i], table->c->input.sides_n);
	if (!answer_begin(&grid, n, 5)) {
		line->text.failed = true;
		return;
	}
	answer_add_heading(grid_at(&grid, 0, 3), table, NULL);
	n = 1;
	for (size_t i = 0; i < table->c->rows_n; i++) {
		struct cell *cells = grid_at(&grid, n, 0);

		if (!text_is_shown(&table->c->rows[i], table->c->input.sides_n))
			continue;
		text_add_label(&cells[0].text, &table->c->rows[i]);
		cells[0].colour = COLOUR_NAME;
		for (size_t side = 0; side < 2; side++)
			if (table->c->rows[i].sides[side].n > 0)
				answer_add_mean(&cells[1 + side], table, i, side);
			else if (cells[3].text.len == 0) /* there is no change */
				answer_add_mean(&cells[3], table, i, side);
		answer_add_verdict(&cells[3], table, i, 1);
		n++;
	}
	width = answer_name_width(&grid, table);
	for (size_t side = 0; side < 2; side++)
		answer_add_name(grid_at(&grid, 0, 1 + side), table, side, width);
	grid_add(line, &grid, table->width);
}

/* ---- More sides: a row for each side, the best first. */

static void answer_add_sides(struct line *line, const struct compare_table *table)
{
	const struct comparison *c = table->c;
	const size_t row = c->leading ? (size_t)(c->leading - c->rows) : 0;
	const size_t *order = c->order;
	cleanup_with(grid_release) struct grid grid = { 0 };
	struct cell *cells;

	if (!answer_begin(&grid, c->input.sides_n + 1, 5)) {
		line->text.failed = true;
		return;
	}
	cells = grid_at(&grid, 0, 0);
	text_add_label(&cells[1].text, &c->rows[row]);
	str_add(&cells[2].text, "of best");
	answer_add_heading(&cells[3], table, &c->rows[row]);
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const size_t side = order[i];

		cells = grid_at(&grid, i + 1, 0);
		answer_add_name(&cells[0], table, side, table->width / 3);
		answer_add_mean(&cells[1], table, row, side);
		text_add_ratio_to_best(&cells[2].text, c, &c->rows[row], side, table->text.numbers);
		if (side == 0)
			str_add(&cells[4].text, "reference");
		else
			answer_add_verdict(&cells[3], table, row, side);
	}
	grid_add(line, &grid, table->width);
}

/* ---- The answer. */

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

int answer_write(const struct comparison *c, const struct format_style *style, FILE *out)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	cleanup_with(compare_table_release) struct compare_table table = { 0 };
	cleanup_line struct line line = { .style = &table.lines };
	cleanup_str_list struct str_list notes = { 0 };
	int err = compare_table_init(&table, c, style, &ruler);

	if (err < 0)
		return err;
	line_end(&line);
	if (style->details)
		compare_table_add_details(&line, &table);
	else
		answer_add(&line, &table);
	if (style->draw)
		err = compare_table_add_charts(&line, &table);
	if (err == 0)
		err = (style->details ? text_notes : text_warnings)(&notes, c, &table.text);
	if (notes.n > 0)
		line_end(&line);
	for (size_t i = 0; i < notes.n; i++)
		line_words(&line, notes.v[i], 2, table.width);
	compare_table_add_gates(&line, &table);
	return err < 0 ? err : str_print(&line.text, out);
}
