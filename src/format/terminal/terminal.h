/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for a terminal: its width in columns, and the lines of tables for people. Most characters
 * take one column, East Asian ones and pictures take two, combining ones take none.
 *
 * Names can hold anything and may be chosen by others: a thread names itself. Control characters
 * and invalid UTF-8 are therefore shown as \xNN, byte by byte.
 */
#ifndef PSTAT_FORMAT_TERMINAL_TERMINAL_H
#define PSTAT_FORMAT_TERMINAL_TERMINAL_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/num.h"
#include "base/str.h"

/* Whether fd is a terminal that obeys escape sequences, according to TERM. */
bool terminal_obeys_escapes(int fd);

/* The number of columns of the terminal; 80 if it is unknown. */
int terminal_columns(int fd);

/* ---- The width of text. */

/* All zero is a valid ruler. */
struct ruler {
	locale_t locale; /* owned: knows all characters; 0: unavailable, or not looked for */
	bool looked;
};

/* Append text as it is shown. Returns its width. */
int ruler_add(struct ruler *ruler, struct str *out, const char *text);

/* The same for as much text as fits the columns. Cut text ends in the ellipsis. */
int ruler_add_cut(struct ruler *ruler, struct str *out, const char *text, int columns,
		  const char *ellipsis);

/* The width of text. */
int ruler_measure(struct ruler *ruler, const char *text);

/*
 * Append text without control characters, whose first word begins at column indent. Words that do
 * not fit into the columns begin a new line, at the same indent. columns: 0 if lines may have any
 * length.
 */
void terminal_wrap(struct str *out, const char *text, int indent, int columns);

void ruler_release(struct ruler *ruler);

/* ---- The lines of a table, built cell by cell, and printed together with str_print(). Widths are
 * columns of the terminal. */

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

/* The style of all lines of a table. */
struct line_style {
	struct ruler *ruler;
	const struct num_style *numbers;
	bool colour;
	bool ascii; /* cut text ends in "..."; otherwise in "…" */
};

struct line {
	const struct line_style *style;
	struct str text; /* owned: this line so far, after all lines before it */
	int columns; /* the width of this line so far */
};
#define cleanup_line cleanup_with(line_release)

/* Append text. */
void line_add(struct line *line, const char *text);
void line_addf(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
void line_append(struct line *line, const struct str *text); /* if text has failed, line->text
							      * fails, too */

/* Append text, with blanks after or before it so that it takes at least this width. */
void line_left(struct line *line, const char *text, int width);
void line_right(struct line *line, const char *text, int width, enum colour colour);
void line_rightf(struct line *line, int width, enum colour colour, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Append text in a colour, with blanks after it, in exactly this width: longer text is cut. */
void line_cut(struct line *line, const char *text, int width, enum colour colour);

/* Append text in at most this width. Longer text is cut in the middle, but the character at this
 * byte stays. */
void line_cut_middle(struct line *line, const char *text, int width, size_t stays);

/* Append a number and the text after it, with blanks before them. */
void line_number(struct line *line, long double value, int decimals, const char *after, int width,
		 enum colour colour);

/* The width of a number and the text after it. */
int line_number_columns(const struct line_style *style, long double value, int decimals,
			const char *after);

/* Append words from the current column on, in as many lines of this width as needed, and end the
 * line. All lines but the first are indented. A number and its unit stay together, and so do the
 * ends of an interval. A word that is wider than a line is cut. */
void line_words(struct line *line, const char *text, int indent, int width);

/* Append blanks up to this column. */
void line_fill(struct line *line, int column);

/* End the line, without blanks at its end, and begin the next one. */
void line_end(struct line *line);

/* The same, with the blanks at its end. */
void line_end_filled(struct line *line);

/* Widen a column, if needed. */
void line_widen(int *width, int needed);

void line_release(struct line *line);

#endif
