/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of the table for people, built cell by cell: what is in it is shown harmless, takes as many
 * columns as a terminal gives it, and has its colour. */
#ifndef PSTAT_FORMAT_LINE_H
#define PSTAT_FORMAT_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/num.h"
#include "base/str.h"
#include "format/ruler.h"

enum colour {
	COLOUR_NONE,
	COLOUR_RAISED, /* a figure beyond the limits that perf gives it */
	COLOUR_HIGH,
	COLOUR_SEVERE,
	COLOUR_ESTIMATE, /* the share of its time that a scaled count ran */
	COLOUR_MISSING, /* <not counted> */
	COLOUR_UNSUPPORTED, /* <not supported> */
	COLOUR_NAME, /* of an event that lines below it are of */
	COLOUR_BETTER, /* of two sides */
	COLOUR_WORSE,
	COLOUR_UNCLEAR,
	COLOUR_ASIDE, /* what there is to read, and no need to */
};

/* Begin and end text in that colour; nothing for COLOUR_NONE. They take no column. */
void colour_begin(struct str *out, enum colour colour);
void colour_end(struct str *out, enum colour colour);

/* How lines look. */
struct line_style {
	struct ruler *ruler;
	const struct num_style *numbers;
	bool colour;
};

struct line {
	const struct line_style *style;
	struct str text; /* to be released */
	int columns; /* that it takes so far */
};
#define cleanup_line cleanup_with(line_release)

/* Append text. */
void line_add(struct line *line, const char *text);

/* Append text and blanks behind it, or before it, so that it takes this many columns at least. */
void line_left(struct line *line, const char *text, int width);
void line_right(struct line *line, const char *text, int width, enum colour colour);

/* Append text in a colour, on the left of this many columns, and no more: a longer one is cut. */
void line_cut(struct line *line, const char *text, int width, const char *ellipsis,
	      enum colour colour);

/* Append a number, and what stands directly behind it, on the right of its columns. */
void line_number(struct line *line, long double value, int decimals, const char *behind, int width,
		 enum colour colour);

/* How many columns line_number() would take by itself. */
int line_number_columns(const struct line_style *style, long double value, int decimals,
			const char *behind);

/* Append blanks up to that column. */
void line_fill(struct line *line, int column);

/* Write it without blanks at its end, and begin another one. 0; -errno of the write; -ENOMEM. */
int line_put(struct line *line, FILE *out);

void line_release(struct line *line);

#endif
