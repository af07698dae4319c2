/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pieces of a page: text, and drawings (SVG) with axes, ticks, marks, titles, lines and labels.
 * Coordinates are in units of the drawing, from its top left. All pieces are appended to one text,
 * which is also well-formed XML: every tag is closed, every attribute is quoted.
 */
#ifndef PSTAT_FORMAT_HTML_DRAWING_H
#define PSTAT_FORMAT_HTML_DRAWING_H

#include <stdint.h>

#include "format/compare_text.h"

struct html_page {
	const struct comparison *c;
	struct text_style text;
	struct str *out;
	/* Owned: the position of each run, side after side. If ordered, that is its position among
	 * all runs; otherwise the number of its round, or of the run within its side. */
	size_t *positions;
	size_t positions_n; /* the number of different positions */
	bool ordered;
};

/* ---- Text. */

/* Append text, between tags or quotes: markup is escaped, control characters become
 * \xNN, and invalid characters become U+FFFD. */
void html_add(struct str *out, const char *text);

/* The same for a text that was built, and its failure. */
void html_add_str(struct str *out, const struct str *text);

/* Append a name, between tags. Its writing direction does not affect the surrounding text. */
void html_add_name(struct str *out, const char *name);

/* In style_css.c, which style.awk makes of style.css. */
extern const char html_style[];

/* Append a verdict with its sign, between tags. */
void html_add_verdict(struct str *out, enum verdict word);

/* In plots.c: the drawings of all rows. 0 or -ENOMEM. */
int html_add_plots(struct html_page *page);

/* ---- Sizes. */

enum {
	HTML_WIDTH = 560, /* of a drawing */
	/* Up to this number of runs of a side, each run has a mark; more runs are drawn in
	 * groups. */
	HTML_SINGLE_MAX = 120,
	HTML_GROUPS = 96,
};

/* ---- Axes. */

struct html_axis {
	double low, high; /* the values at its ends */
	double from, to; /* the coordinates of its ends */
	double factor; /* from values to the numbers at its ticks */
};

/* The axis that the runs of all sides of a row share. */
struct html_span {
	struct html_axis axis; /* still without coordinates */
	double low, high; /* a run beyond these is an outlier, drawn at the end of the axis */
};

/* The ticks are at multiples of the step, beginning with first times the step. */
struct html_ticks {
	double step; /* of the numbers: 1, 2 or 5 times a power of ten */
	int64_t first;
	int n;
	int decimals;
};

/* Choose the axis of a row. False: the runs of each side are all equal, so there is nothing to
 * draw. */
bool html_span_init(struct html_span *span, const struct comparison_row *row, size_t sides_n,
		    const struct row_style *style);

/* The coordinate of a value; a value beyond the axis has that of the nearest end. */
double html_axis_at(const struct html_axis *axis, double value);

/* Whether the value is on the axis. */
bool html_axis_has(const struct html_axis *axis, double value);

/* As many ticks as possible, but at most this number, which is at least 2. */
struct html_ticks html_ticks_of(const struct html_axis *axis, int most);

/* The value at tick i. */
double html_tick_value(const struct html_axis *axis, const struct html_ticks *ticks, int i);

/* Append the number at tick i. */
void html_tick_add(struct str *out, const struct html_ticks *ticks, int i,
		   const struct num_style *numbers);

/* The number of characters of the longest number. */
int html_ticks_width(const struct html_ticks *ticks, const struct num_style *numbers);

/* ---- Drawings. */

/* One drawing of a row. */
struct html_drawing {
	struct html_page *page;
	size_t row;
	struct row_style style;
	struct html_span span; /* its axis has the coordinates of this drawing */
	double height; /* both drawings of a row have the same */
};

/* Whether each run has a mark of its own. */
bool html_is_single(const struct html_drawing *drawing);

/* Runs of a side that are drawn together. All zero is empty. */
struct html_group {
	size_t n, first, last; /* indices of values of the side */
	double low, high, sum; /* of the values */
};

/* Add the value of that index. */
void html_group_add(struct html_group *group, const struct comparison_side *side, size_t i);

/* Append the beginning of a drawing with its description; kind makes its identifiers unique. */
void html_begin_drawing(const struct html_drawing *drawing, const char *kind, const char *title);

/* ---- Marks: each side has a colour and a shape. */

/* Append the definitions of the shapes, once in a page and before the first mark. */
void html_add_shapes(struct str *out);

/* Append the mark of a side within text. */
void html_add_mark(struct str *out, size_t side);

/* Append the class attribute that gives an element the colour of a side. */
void html_add_class(struct str *out, size_t side);

/* Append a mark in a drawing. The element stays open for a title. */
void html_begin_mark(struct str *out, size_t side, double x, double y);

/* Append the sign for a run beyond an end of an axis. The element stays open for a title. */
enum html_end { HTML_LEFT, HTML_RIGHT, HTML_ABOVE, HTML_BELOW };
void html_begin_beyond(struct str *out, size_t side, enum html_end end, double x, double y);

/* Append a title with the side, number and value of one run. */
void html_add_run_title(const struct html_drawing *drawing, size_t side, size_t i);

/* Append a title for several runs: who, and the range of their values. */
void html_add_group_title(const struct html_drawing *drawing, size_t side, const char *who,
			  double low, double high);

/* ---- Lines and labels. */

/* Append a line; class may be NULL. */
void html_add_line(struct str *out, const char *class, double x1, double y1, double x2, double y2);

/* Append the beginning of a text; class may be NULL. */
void html_begin_label(struct str *out, const char *class, double x, double y);

/* Append " NAME="NUMBER"", with one decimal if it is needed. */
void html_add_number(struct str *out, const char *name, double value);

#endif
