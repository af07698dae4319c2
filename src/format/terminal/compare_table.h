/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of a comparison for a terminal, which answer.c puts together: the conclusion, the
 * sides, then for each row the verdict and the numbers of each side; the strips of the rows that
 * vary; and the outcome of the gates, which comes last, where people look first.
 *
 * No line is wider than the terminal except those of the gates, which belong to logs. Long names
 * are cut. In that case the sides are numbered, "#1 ./build/old …", so that readers can distinguish
 * them.
 */
#ifndef PSTAT_FORMAT_TERMINAL_COMPARE_TABLE_H
#define PSTAT_FORMAT_TERMINAL_COMPARE_TABLE_H

#include "format/format.h"
#include "format/terminal/compare_text.h"
#include "format/terminal/terminal.h"

/* The width of a terminal, if it is unknown. */
enum { WIDTH_USUAL = 80 };

struct compare_columns {
	bool ascii;
	const char *confidence; /* of the means: "95 %" */
	bool shown[TEXT_COLUMNS_N];
	int widths[TEXT_COLUMNS_N];
};

struct compare_table {
	const struct comparison *c;
	struct text_style text;
	struct line_style lines;
	int width; /* of the terminal */
	struct row_style *rows; /* owned: the style of each row */
	bool numbered; /* sides have a number */
	int side; /* of the sides' labels */
	int name; /* of the rows' names, in the table and in the strips */
	int strip_name;
	int word, change, interval; /* of the parts of a verdict */
	bool stacked; /* the name of a row has its own line */
	struct compare_columns columns;
	char confidence[16]; /* "95 %" */
};

/* Choose the widths. The ruler has to outlive the table. 0 or -ENOMEM. */
int compare_table_init(struct compare_table *table, const struct comparison *c,
		       const struct format_style *style, struct ruler *ruler);
void compare_table_release(struct compare_table *table);

/* Append the label of a row: its name and unit. */
void compare_table_add_name(struct str *out, const struct compare_table *table, size_t row);

/* Append all numbers: the conclusion, the sides, then for each row the numbers of each side. */
void compare_table_add_details(struct line *line, const struct compare_table *table);

/* Append the strips of the rows, and the curve over a parameter. 0 or -ENOMEM. */
int compare_table_add_charts(struct line *line, const struct compare_table *table);

/* Append a line "pstat: …" for each gate, however long it is. */
void compare_table_add_gates(struct line *line, const struct compare_table *table);

#endif
