/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of a table for people, built cell by cell. Text is shown harmlessly, see ruler.h, and
 * widths are columns of the terminal. */
#ifndef PSTAT_FORMAT_LINE_H
#define PSTAT_FORMAT_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/num.h"
#include "base/str.h"
#include "format/ruler.h"

enum colour {
	COLOUR_NONE,
	COLOUR_RAISED, /* a number beyond the limits that perf sets for it */
	COLOUR_HIGH,
	COLOUR_SEVERE,
	COLOUR_ESTIMATE, /* the share of time that a scaled count ran */
	COLOUR_MISSING, /* <not counted> */
	COLOUR_UNSUPPORTED, /* <not supported> */
	COLOUR_NAME, /* of an event, above the lines of its sides */
	COLOUR_BETTER, /* verdicts */
	COLOUR_WORSE,
	COLOUR_UNCLEAR,
	COLOUR_ASIDE, /* less important */
};

/* Append the sequence that begins or ends the colour: nothing for COLOUR_NONE. It takes no
 * columns. */
void colour_begin(struct str *out, enum colour colour);
void colour_end(struct str *out, enum colour colour);

/* The style of all lines of a table. */
struct line_style {
	struct ruler *ruler;
	const struct num_style *numbers;
	bool colour;
};

struct line {
	const struct line_style *style;
	struct str text; /* owned */
	int columns; /* the width of the line so far */
};
#define cleanup_line cleanup_with(line_release)

/* Append text. */
void line_add(struct line *line, const char *text);

/* Append text, with blanks after or before it so that it takes at least this width. */
void line_left(struct line *line, const char *text, int width);
void line_right(struct line *line, const char *text, int width, enum colour colour);

/* Append text in a colour, with blanks after it, in exactly this width: longer text is cut. */
void line_cut(struct line *line, const char *text, int width, const char *ellipsis,
	      enum colour colour);

/* Append a number and the text after it, with blanks before them. */
void line_number(struct line *line, long double value, int decimals, const char *after, int width,
		 enum colour colour);

/* The width of a number and the text after it. */
int line_number_columns(const struct line_style *style, long double value, int decimals,
			const char *after);

/* Append blanks up to this column. */
void line_fill(struct line *line, int column);

/* Write the line without blanks at its end, and begin the next one. 0; -ENOMEM or -errno of the
 * write. */
int line_put(struct line *line, FILE *out);

/* Widen a column, if needed. */
void line_widen(int *width, int needed);

/* Write an empty line. 0 or -errno. */
int line_put_empty(FILE *out);

void line_release(struct line *line);

#endif
