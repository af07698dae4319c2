/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a comparison is laid out for a terminal: how wide the labels, the words and the numbers are, which
 * all lines share. Names that are too long are cut; the sides' are numbered then, "#1 ./build/old …", so
 * that they can be told from one another in any case.
 */
#ifndef PSTAT_FORMAT_COMPARE_TABLE_H
#define PSTAT_FORMAT_COMPARE_TABLE_H

#include "format/compare_text.h"
#include "format/format.h"
#include "format/line.h"

struct compare_columns {
	bool ascii;
	const char *confidence; /* of the intervals: "95 %" */
	bool shown[TEXT_COLUMNS_N];
	int widths[TEXT_COLUMNS_N];
};

struct compare_table {
	const struct comparison *c;
	struct text_style text;
	struct line_style lines;
	const char *ellipsis;
	int width; /* of the terminal */
	struct row_style *rows; /* owned: of each row */
	bool numbered; /* the sides */
	int side; /* of their labels */
	int name; /* of rows' names, in the table; in the strips */
	int strip_name;
	int word, change, interval; /* of what is said of a side */
	bool stacked; /* a row's name has a line of its own */
	struct compare_columns columns;
	char confidence[16]; /* "95 %" */
};

/* The ruler has to outlive it. 0 or -ENOMEM. */
int compare_table_init(struct compare_table *table, const struct comparison *c,
		       const struct format_style *style, struct ruler *ruler);
void compare_table_release(struct compare_table *table);

/* Append a side's label, and a row's with its unit. */
void compare_table_add_name(struct str *out, const struct compare_table *table, size_t row);

/* Write the table of a comparison. 0; -ENOMEM or -errno of the write. */
int compare_table_write(const struct comparison *c, const struct format_style *style, FILE *out);

#endif
