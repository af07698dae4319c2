/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "base/str.h"
#include "format/terminal/compare_table.h"
#include "format/terminal/strip.h"

static const struct {
	const char *title;
	const char *before, *before_ascii; /* between this column and the previous one */
	bool left; /* aligned to the left */
} shapes[TEXT_COLUMNS_N] = {
	[COLUMN_MEAN] = { "mean", "  ", "  ", false },
	[COLUMN_HALF] = { NULL, " ± ", " +- ", true },
	[COLUMN_MEDIAN] = { "median", "  ", "  ", false },
	[COLUMN_SPREAD] = { "spread", "  ", "  ", false },
	[COLUMN_MIN] = { "min", "  ", "  ", false },
	[COLUMN_MAX] = { "max", " … ", " .. ", true },
	[COLUMN_OUTLIERS] = { "outliers", "  ", "  ", false },
};

/* The groups of columns to show, the most important first. */
static const struct {
	enum text_column first, last;
} wanted[] = {
	{ COLUMN_MEAN, COLUMN_HALF },	  { COLUMN_SPREAD, COLUMN_SPREAD },
	{ COLUMN_MIN, COLUMN_MAX },	  { COLUMN_OUTLIERS, COLUMN_OUTLIERS },
	{ COLUMN_MEDIAN, COLUMN_MEDIAN },
};

static const char *compare_table_title_of(const struct compare_columns *columns, enum text_column i)
{
	return i == COLUMN_HALF ? columns->confidence : shapes[i].title;
}

/* The width of the text before a column. In Unicode that is two blanks, or a sign with a blank on
 * each side. */
static int compare_table_gap_of(const struct compare_columns *columns, enum text_column i)
{
	if (columns->ascii)
		return (int)strlen(shapes[i].before_ascii);
	return shapes[i].left ? 3 : 2;
}

static void compare_table_add_cell(const struct compare_columns *columns, struct line *line,
				   enum text_column i, const char *text)
{
	if (*text)
		line_add(line, columns->ascii ? shapes[i].before_ascii : shapes[i].before);
	else
		line_fill(line, line->columns + compare_table_gap_of(columns, i));
	if (shapes[i].left)
		line_left(line, text, columns->widths[i]);
	else
		line_right(line, text, columns->widths[i], COLOUR_NONE);
}

/* ---- Widths. */

enum {
	WIDTH_MIN = 40, /* narrower terminals wrap lines */
	LABEL_MIN = 12, /* the part of a name that is always shown */
	INDENT = 2, /* of the sides below their row */
};

static int compare_table_least(int a, int b)
{
	return a < b ? a : b;
}

static int compare_table_measure(const struct compare_table *table, const struct str *text)
{
	return ruler_measure(table->lines.ruler, str_text(text));
}

static void compare_table_add_side_name(struct str *out, const struct compare_table *table,
					size_t side)
{
	if (table->numbered)
		str_addf(out, "#%zu ", side + 1);
	str_add(out, table->c->input.sides[side].name);
}

void compare_table_add_name(struct str *out, const struct compare_table *table, size_t row)
{
	text_add_name(out, &table->c->rows[row]);
	if (*table->rows[row].unit)
		str_addf(out, " (%s)", table->rows[row].unit);
}

/* The style of a row, and the widths of its name, its numbers, verdicts and changes. */
static void compare_table_fit_row(struct compare_table *table, size_t row)
{
	const struct comparison_row *it = &table->c->rows[row];
	const struct row_style *style = &table->rows[row];
	size_t sides_n = table->c->input.sides_n;
	cleanup_str struct str name = { 0 };

	table->rows[row] = text_row_style_of(it, sides_n, &table->text);
	if (!it->shown || !text_has_counts(it, sides_n))
		return;
	compare_table_add_name(&name, table, row);
	line_widen(&table->name, compare_table_measure(table, &name));
	for (size_t i = 0; i < sides_n; i++)
		for (enum text_column k = 0; it->sides[i].n > 0 && k < TEXT_COLUMNS_N; k++) {
			cleanup_str struct str text = { 0 };

			text_add_column(&text, k, style, &it->sides[i]);
			line_widen(&table->columns.widths[k], compare_table_measure(table, &text));
		}
	for (size_t i = 1; i < sides_n; i++) {
		enum verdict word = comparison_verdict(it, i);
		cleanup_str struct str change = { 0 }, interval = { 0 };

		line_widen(&table->word, (int)strlen(comparison_verdict_text(word)));
		if (word == VERDICT_ABSENT)
			continue;
		text_add_change(&change, style, &it->contrasts[i]);
		text_add_interval(&interval, style, &it->contrasts[i]);
		line_widen(&table->change, compare_table_measure(table, &change));
		line_widen(&table->interval, compare_table_measure(table, &interval));
	}
}

/* Put the verdict next to the name if enough of the name fits, and choose the columns that fit. */
static void compare_table_share_width(struct compare_table *table)
{
	int verdict = 2 + table->word + 2 + table->change + 1 + table->interval;
	int room = table->width - verdict;
	struct compare_columns *columns = &table->columns;

	table->strip_name = compare_table_least(table->name, table->width / 3);
	line_widen(&table->strip_name, INDENT + table->side);
	table->stacked =
		room < compare_table_least(table->name, LABEL_MIN) || table->c->input.sides_n > 2;
	table->name = compare_table_least(table->name, table->stacked ? table->width : room);
	room = table->width - INDENT - table->side;
	for (enum text_column i = 0; i < TEXT_COLUMNS_N; i++)
		line_widen(&columns->widths[i], (int)strlen(compare_table_title_of(columns, i)));
	for (size_t w = 0; w < sizeof(wanted) / sizeof(wanted[0]); w++) {
		int needed = 0;

		for (enum text_column i = wanted[w].first; i <= wanted[w].last; i++)
			needed += compare_table_gap_of(columns, i) + columns->widths[i];
		if (w > 0 && needed > room)
			continue;
		room -= needed;
		for (enum text_column i = wanted[w].first; i <= wanted[w].last; i++)
			columns->shown[i] = true;
	}
}

int compare_table_init(struct compare_table *table, const struct comparison *c,
		       const struct format_style *style, struct ruler *ruler)
{
	int width = style->width > 0 ? style->width : WIDTH_USUAL;
	int side_max;

	*table = (struct compare_table){
		.c = c,
		.text = { &style->numbers, style->ascii },
		.lines = { ruler, &style->numbers, style->colour, style->ascii },
		.width = width < WIDTH_MIN ? WIDTH_MIN : width,
		.rows = calloc(c->rows_n + 1, sizeof(*table->rows)),
		.columns = { .ascii = style->ascii },
	};
	if (!table->rows)
		return -ENOMEM;
	snprintf(table->confidence, sizeof(table->confidence), "%.6g %%",
		 c->input.confidence * 100);
	table->columns.confidence = table->confidence;
	side_max = table->width / 5 < LABEL_MIN ? LABEL_MIN : table->width / 5;
	for (size_t i = 0; i < c->input.sides_n; i++)
		line_widen(&table->side, ruler_measure(ruler, c->input.sides[i].name));
	table->numbered = table->side > side_max;
	table->side = compare_table_least(table->side, side_max);
	for (size_t i = 0; i < c->rows_n; i++)
		compare_table_fit_row(table, i);
	compare_table_share_width(table);
	return 0;
}

void compare_table_release(struct compare_table *table)
{
	free(table->rows);
}

/* ---- The strips. */

enum { GAP = 2 }; /* between the labels and the axis */

/* The row's name, and the values at the ends of the axis if they fit. */
static void compare_table_add_strip_title(struct line *line, const struct compare_table *table,
					  size_t row, const struct strip *strip)
{
	cleanup_str struct str name = { 0 }, low = { 0 }, high = { 0 };
	int high_width;

	compare_table_add_name(&name, table, row);
	text_add_run(&low, &table->rows[row], strip->low);
	text_add_run(&high, &table->rows[row], strip->high);
	line->text.failed |= name.failed || low.failed || high.failed;
	line_cut(line, str_text(&name), table->strip_name, COLOUR_NAME);
	line_fill(line, table->strip_name + GAP + strip->before);
	high_width = compare_table_measure(table, &high);
	if (compare_table_measure(table, &low) + GAP + high_width <= strip->width) {
		line_left(line, str_text(&low), strip->width - high_width);
		line_add(line, str_text(&high));
	}
	line_end(line);
}

/* Append two blanks and the side's label. */
static void compare_table_add_side_label(struct line *line, const struct compare_table *table,
					 size_t side)
{
	cleanup_str struct str label = { 0 };

	compare_table_add_side_name(&label, table, side);
	line->text.failed |= label.failed;
	line_add(line, "  ");
	line_cut(line, str_text(&label), table->side, COLOUR_NONE);
}

static void compare_table_add_strips(struct line *line, const struct compare_table *table)
{
	int width = table->width - table->strip_name - GAP;
	size_t sides_n = table->c->input.sides_n;
	bool first = true;

	for (size_t i = 0; i < table->c->rows_n; i++) {
		struct strip strip = { .ascii = table->text.ascii };

		if (!table->c->rows[i].shown ||
		    !strip_of(&strip, &table->c->rows[i], sides_n, width))
			continue;
		if (first)
			line_end(line);
		first = false;
		compare_table_add_strip_title(line, table, i, &strip);
		for (size_t side = 0; side < sides_n; side++) {
			const struct comparison_side *it = &table->c->rows[i].sides[side];
			cleanup_str struct str runs = { 0 }, mean = { 0 };

			if (it->n == 0)
				continue;
			compare_table_add_side_label(line, table, side);
			line_fill(line, table->strip_name + GAP);
			strip_add_runs(&runs, &strip, it);
			line_append(line, &runs);
			line_end(line);
			if (it->n < 2)
				continue;
			strip_add_mean(&mean, &strip, it);
			line_fill(line, table->strip_name + GAP);
			line_append(line, &mean);
			line_end(line);
		}
	}
}

/*
 * ---- The curve of the elapsed time over a parameter of -L. There is one if the sides have exactly
 * one parameter, and at least CURVE_POINTS_MIN sides have numbers as its values, all different. A
 * side without the parameter is not part of the curve.
 */

enum { CURVE_POINTS_MIN = 3, CURVE_HEIGHT = 10, CURVE_WIDTH = 64 };

/* One side. Times are in the unit of the row. */
struct curve_point {
	const char *label; /* the value as the user wrote it */
	double x; /* the value */
	double mean, low, high; /* with its confidence interval; below two runs all are equal */
};

struct curve {
	struct str_list names; /* owned: the parameter */
	size_t row; /* of the elapsed time */
	struct curve_point *points; /* owned: in the order of x */
	size_t n; /* 0: there is no curve */
	double low, high; /* of all points; low is less than high */
	int left, width; /* of the drawing, in columns */
};

static void compare_table_curve_release(struct curve *curve)
{
	str_list_release(&curve->names);
	free(curve->points);
}

/* Blanks before the number, which strtod(3) accepts, are refused. */
static bool compare_table_read_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return strchr("+-.0123456789", *text) && end > text && *end == '\0' && isfinite(*value);
}

static int compare_table_compare_points(const void *a, const void *b)
{
	const struct curve_point *left = a, *right = b;

	return (left->x > right->x) - (left->x < right->x);
}

/* Gather the points, sort them and find their range. The caller releases the curve in any case. 0
 * or -ENOMEM. */
static int compare_table_curve_init(struct curve *curve, const struct comparison *c)
{
	const struct comparison_row *row = comparison_elapsed(c);
	int err = comparison_parameters(&c->input, &curve->names);
	struct curve_point *points;
	size_t n = 0;

	if (err < 0 || curve->names.n != 1 || !row)
		return err;
	curve->row = (size_t)(row - c->rows);
	curve->points = points = calloc(c->input.sides_n, sizeof(*points));
	if (!points)
		return -ENOMEM;
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const struct comparison_side *side = &row->sides[i];
		const double mean = (double)side->summary.mean;

		points[n] = (struct curve_point){
			.label = series_parameter(c->input.sides[i].series->parameters,
						  curve->names.v[0]),
			.mean = mean,
			.low = mean - side->half,
			.high = mean + side->half,
		};
		if (!points[n].label)
			continue;
		if (side->n == 0 || !compare_table_read_number(points[n].label, &points[n].x))
			return 0;
		n++;
	}
	if (n < CURVE_POINTS_MIN)
		return 0;
	qsort(points, n, sizeof(*points), compare_table_compare_points);
	curve->low = points[0].low;
	curve->high = points[0].high;
	for (size_t i = 1; i < n; i++) {
		if (points[i].x <= points[i - 1].x)
			return 0;
		if (points[i].low < curve->low)
			curve->low = points[i].low;
		curve->high = math_larger(curve->high, points[i].high);
	}
	curve->low =
		math_larger(curve->low, 0); /* no time is negative, though an interval may be */
	if (curve->low < curve->high && isfinite(points[n - 1].x - points[0].x))
		curve->n = n;
	return 0;
}

/* The column of a point. */
static int compare_table_curve_column(const struct curve *curve, size_t point)
{
	double first = curve->points[0].x, last = curve->points[curve->n - 1].x;
	double share = (curve->points[point].x - first) / (last - first);

	return curve->left + (int)(share * (curve->width - 1) + 0.5);
}

/* The line of a time, from 0 at the top. */
static int compare_table_curve_line(const struct curve *curve, double time)
{
	double share = (curve->high - math_larger(time, curve->low)) / (curve->high - curve->low);

	return (int)(share * (CURVE_HEIGHT - 1) + 0.5);
}

/* Line y of the drawing: the means and their intervals. */
static void compare_table_curve_add_line(struct line *line, const struct curve *curve, int y,
					 bool ascii)
{
	for (size_t i = 0; i < curve->n; i++) {
		const struct curve_point *point = &curve->points[i];
		int x = compare_table_curve_column(curve, i);

		/* of two points in one column, the first one is drawn */
		if (x < line->columns || y < compare_table_curve_line(curve, point->high) ||
		    y > compare_table_curve_line(curve, point->low))
			continue;
		line_fill(line, x);
		if (y == compare_table_curve_line(curve, point->mean))
			line_add(line, ascii ? "+" : "┼");
		else
			line_add(line, ascii ? "|" : "│");
	}
	line_end(line);
}

/* The axis below the curve, and the values of the parameter below their points; a value that does
 * not fit is left out. */
static void compare_table_curve_add_axis(struct line *line, const struct compare_table *table,
					 const struct curve *curve)
{
	line_fill(line, curve->left - 2);
	line_add(line, table->text.ascii ? "+" : "└");
	for (int i = 0; i <= curve->width; i++)
		line_add(line, table->text.ascii ? "-" : "─");
	line_end(line);
	for (size_t i = 0; i < curve->n; i++) {
		const char *label = curve->points[i].label;
		int width = ruler_measure(table->lines.ruler, label);
		int column = compare_table_curve_column(curve, i) - width / 2;

		if ((i > 0 && column <= line->columns) || column < 0 ||
		    column + width > table->width)
			continue;
		line_fill(line, column);
		line_add(line, label);
	}
	line_end(line);
}

static int compare_table_add_curve(struct line *line, const struct compare_table *table)
{
	cleanup_with(compare_table_curve_release) struct curve curve = { 0 };
	cleanup_str struct str title = { 0 }, low = { 0 }, high = { 0 };
	int err = compare_table_curve_init(&curve, table->c);
	int width = 0;

	if (err < 0 || curve.n == 0)
		return err;
	text_add_run(&low, &table->rows[curve.row], curve.low);
	text_add_run(&high, &table->rows[curve.row], curve.high);
	line_widen(&width, compare_table_measure(table, &low));
	line_widen(&width, compare_table_measure(table, &high));
	curve.left = INDENT + width + 3; /* with the axis and its blanks */
	curve.width = compare_table_least(CURVE_WIDTH, table->width - curve.left - 1);
	if (curve.width < (int)curve.n)
		return 0;
	compare_table_add_name(&title, table, curve.row);
	str_addf(&title, " over %s", curve.names.v[0]);
	line->text.failed |= title.failed || low.failed || high.failed;
	line_end(line);
	line_cut(line, str_text(&title),
		 compare_table_least(compare_table_measure(table, &title), table->width),
		 COLOUR_NAME);
	line_end(line);
	for (int y = 0; y < CURVE_HEIGHT; y++) {
		line_right(line,
			   y == 0		 ? str_text(&high) :
			   y == CURVE_HEIGHT - 1 ? str_text(&low) :
						   "",
			   INDENT + width, COLOUR_NONE);
		line_add(line, table->text.ascii ? " | " : " │ ");
		compare_table_curve_add_line(line, &curve, y, table->text.ascii);
	}
	compare_table_curve_add_axis(line, table, &curve);
	return 0;
}

/* ---- The sides. */

/* A side's name and its command, in full. */
static void compare_table_add_side(struct str *text, const struct compare_table *table, size_t side)
{
	cleanup_line struct line label = { .style = &table->lines };
	cleanup_str struct str name = { 0 };
	const char *command = table->c->tables[side].command;
	bool named = strcmp(command, table->c->input.sides[side].name) != 0 && *command;

	compare_table_add_side_name(&name, table, side);
	line_left(&label, str_text(&name), named ? table->side : 0);
	text->failed |= name.failed;
	str_append(text, &label.text);
	if (named)
		str_addf(text, "  %s", command);
}

static void compare_table_add_runs(struct str *text, const struct compare_table *table, size_t side)
{
	text_add_runs(text, table->c->tables[side].runs_n, table->text.numbers);
	if (side == 0)
		str_add(text, ", reference");
}

/* In columns; if those do not fit with the number of runs, in full over several lines. */
static void compare_table_add_sides(struct line *line, const struct compare_table *table)
{
	int width = 0, all_runs = 0; /* the widths of the two columns */

	for (size_t i = 0; i < table->c->input.sides_n; i++) {
		cleanup_str struct str side = { 0 }, runs = { 0 };

		compare_table_add_side(&side, table, i);
		compare_table_add_runs(&runs, table, i);
		line_widen(&width, compare_table_measure(table, &side));
		line_widen(&all_runs, compare_table_measure(table, &runs));
	}
	for (size_t i = 0; i < table->c->input.sides_n; i++) {
		cleanup_str struct str side = { 0 }, runs = { 0 };

		compare_table_add_side(&side, table, i);
		compare_table_add_runs(&runs, table, i);
		if (width + 2 + all_runs <= table->width) {
			line_left(line, str_text(&side), width + 2);
			str_append(&line->text, &runs);
			line_end(line);
		} else {
			str_add(&side, ", ");
			str_append(&side, &runs);
			line_words(line, str_text(&side), 3, table->width);
		}
		line->text.failed |= side.failed;
	}
}

/* Add a sentence for each side, then the sentences about all sides. */
static void compare_table_add_conclusion(struct line *line, const struct compare_table *table)
{
	cleanup_str_list struct str_list remarks = { 0 };

	for (size_t i = 1; i < table->c->input.sides_n; i++) {
		cleanup_str struct str text = { 0 };

		if (table->numbered)
			str_addf(&text, "#%zu ", i + 1);
		text_add_conclusion(&text, table->c, i, &table->text);
		line->text.failed |= text.failed;
		line_words(line, str_text(&text), 2, table->width);
	}
	line->text.failed |= text_remarks(&remarks, table->c, &table->text) < 0;
	for (size_t i = 0; i < remarks.n; i++)
		line_words(line, remarks.v[i], 2, table->width);
}

/* ---- The table. */

/* The verdict on a side, beginning at this column. The hint follows on the same line if it fits, or
 * below the verdict. */
static void compare_table_add_word(struct line *line, const struct compare_table *table, size_t row,
				   size_t side, int column)
{
	static const enum colour colours[] = {
		[VERDICT_BETTER] = COLOUR_BETTER, [VERDICT_WORSE] = COLOUR_WORSE,
		[VERDICT_SAME] = COLOUR_NONE,	  [VERDICT_UNCLEAR] = COLOUR_UNCLEAR,
		[VERDICT_TOO_FEW] = COLOUR_ASIDE, [VERDICT_ABSENT] = COLOUR_ASIDE,
		[VERDICT_NONE] = COLOUR_NONE,
	};
	const struct comparison_row *it = &table->c->rows[row];
	enum verdict word = comparison_verdict(it, side);
	cleanup_str struct str change = { 0 }, interval = { 0 }, hint = { 0 };
	int hint_width;

	line_fill(line, column);
	line_cut(line, comparison_verdict_text(word), table->word, colours[word]);
	if (word == VERDICT_ABSENT) {
		line_end(line);
		return;
	}
	text_add_change(&change, &table->rows[row], &it->contrasts[side]);
	text_add_interval(&interval, &table->rows[row], &it->contrasts[side]);
	text_add_hint(&hint, it, side, &table->text);
	line->text.failed |= change.failed || hint.failed;
	line_add(line, "  ");
	line_right(line, str_text(&change), table->change, COLOUR_NONE);
	line_add(line, " ");
	line_append(line, &interval);
	hint_width = compare_table_measure(table, &hint);
	if (hint.len > 0 && line->columns + 2 + hint_width > table->width) {
		line_end(line);
		line_fill(line, column + hint_width > table->width ? INDENT : column);
	} else {
		line_add(line, "  ");
	}
	line_words(line, str_text(&hint), INDENT, table->width);
}

static void compare_table_add_numbers(struct line *line, const struct compare_table *table,
				      size_t row, size_t side)
{
	const struct comparison_side *it = &table->c->rows[row].sides[side];
	const char *absent = measure_absent(it->state);

	compare_table_add_side_label(line, table, side);
	for (enum text_column i = 0; it->n > 0 && i < TEXT_COLUMNS_N; i++) {
		cleanup_str struct str text = { 0 };

		if (!table->columns.shown[i])
			continue;
		text_add_column(&text, i, &table->rows[row], it);
		line->text.failed |= text.failed;
		compare_table_add_cell(&table->columns, line, i, str_text(&text));
	}
	if (it->n == 0) {
		line_add(line, "  ");
		line_right(line, absent ? absent : measure_absent(NOT_COUNTED),
			   table->columns.widths[COLUMN_MEAN],
			   it->state == NOT_SUPPORTED ? COLOUR_UNSUPPORTED : COLOUR_MISSING);
	}
	line_end(line);
}

/* With two sides, the verdict follows the name; with more, each verdict follows its side. */
static void compare_table_add_row(struct line *line, const struct compare_table *table, size_t row)
{
	cleanup_str struct str name = { 0 };
	size_t sides_n = table->c->input.sides_n;

	compare_table_add_name(&name, table, row);
	line->text.failed |= name.failed;
	line_cut(line, str_text(&name), table->name, COLOUR_NAME);
	if (table->stacked)
		line_end(line);
	if (sides_n == 2)
		compare_table_add_word(line, table, row, 1, table->stacked ? 2 : table->name + 2);
	for (size_t i = 0; i < sides_n; i++) {
		compare_table_add_numbers(line, table, row, i);
		if (i > 0 && sides_n > 2)
			compare_table_add_word(line, table, row, i, 2 + table->side + 2);
	}
}

static void compare_table_add_rows(struct line *line, const struct compare_table *table)
{
	const struct compare_columns *columns = &table->columns;
	bool begun = false;

	line_fill(line, 2 + table->side);
	for (enum text_column i = 0; i < TEXT_COLUMNS_N; i++)
		if (columns->shown[i])
			compare_table_add_cell(columns, line, i,
					       compare_table_title_of(columns, i));
	line_end(line);
	for (size_t i = 0; i < table->c->rows_n; i++)
		if (table->c->rows[i].claim != CLAIM_NONE)
			compare_table_add_row(line, table, i);
	for (size_t i = 0; i < table->c->rows_n; i++) {
		const struct comparison_row *row = &table->c->rows[i];

		if (row->claim != CLAIM_NONE || !text_is_shown(row, table->c->input.sides_n))
			continue;
		if (!begun) {
			line_add(line, "also measured:");
			line_end(line);
		}
		begun = true;
		compare_table_add_row(line, table, i);
	}
}

/* ---- Below it. */

void compare_table_add_gates(struct line *line, const struct compare_table *table)
{
	const struct comparison *c = table->c;

	if (c->gates_n > 0)
		line_end(line);
	for (size_t i = 0; i < c->gates_n; i++) {
		cleanup_str struct str sentence = { 0 };

		text_gate_add_sentence(&sentence, c, &c->gates[i], &table->text);
		line->text.failed |= sentence.failed;
		str_add(&line->text, "pstat: ");
		str_add_escaped(&line->text, str_text(&sentence));
		line_end(line);
	}
}

void compare_table_add_details(struct line *line, const struct compare_table *table)
{
	const struct comparison *c = table->c;
	cleanup_str struct str caption = { 0 };

	compare_table_add_conclusion(line, table);
	line_end(line);
	compare_table_add_sides(line, table);
	/* the order of the runs, and the meaning of the signs */
	text_add_run_order(&caption, c, table->text.numbers);
	str_addf(&caption, "; %s and [ ]: ", table->text.ascii ? "+-" : "±");
	text_add_confidence(&caption, c, &table->text);
	str_add(&caption, " confidence intervals");
	line->text.failed |= caption.failed;
	line_words(line, str_text(&caption), 0, table->width);
	line_end(line);
	compare_table_add_rows(line, table);
}

int compare_table_add_charts(struct line *line, const struct compare_table *table)
{
	compare_table_add_strips(line, table);
	return compare_table_add_curve(line, table);
}
