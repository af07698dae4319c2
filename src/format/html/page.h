/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a comparison's page (compare_html.c), each of which appends to the same text. The page is
 * well-formed XML, too: every tag is closed, every attribute quoted.
 */
#ifndef PSTAT_FORMAT_HTML_PAGE_H
#define PSTAT_FORMAT_HTML_PAGE_H

#include "format/compare_text.h"
#include "format/html/axis.h"

/* There are so many shapes of marks, and as many colours; with more sides they are combined otherwise. */
enum { HTML_MARKS = 6 };

struct html_page {
	const struct comparison *c;
	struct text_style text;
	struct str *out;
	size_t *places; /* owned: of each run of each side in turn, its place in the order of all */
	size_t places_n; /* in how many places runs are */
	bool ordered; /* places are those in which they ran, else numbers of rounds or of a side's runs */
};

/* A drawing of a row: what both kinds of them share. */
struct html_drawing {
	struct html_page *page;
	size_t row;
	struct row_style style;
	struct html_span span; /* its axis has the coordinates of the drawing */
	double height; /* of the whole, both alike */
};

enum { HTML_WIDTH = 560 }; /* of a drawing */

/* So many runs of a side are drawn one by one; more of them in so many groups. */
enum { HTML_SINGLE_MAX = 120, HTML_GROUPS = 96 };

/* In html_style.c: the style sheet. */
extern const char html_style[];

/* In html_table.c: the rows with their numbers and words. */
void html_add_table(struct html_page *page);

/* Append a word that is said of a side. */
void html_add_word(struct str *out, enum verdict word);

/* In html_provenance.c: where the results come from. */
void html_add_provenance(struct html_page *page);

/* In html_plots.c: the drawings of all rows. 0 or -ENOMEM. */
int html_add_plots(struct html_page *page);

/* In html_strip.c: the runs of each side over one axis. 0 or -ENOMEM. */
int html_add_strip(const struct html_drawing *drawing);

/* In html_order.c: the runs of all sides as they followed one another. 0 or -ENOMEM. */
int html_add_order(const struct html_drawing *drawing);

/* The height of a strip of so many sides. */
double html_strip_height(size_t sides_n);

/* ---- In html_svg.c: pieces of drawings. */

/* Append the shapes that marks are made of; once in a page, before the first mark. */
void html_add_shapes(struct str *out);

/* Append a mark of a side's by itself, in a text. */
void html_add_mark(struct str *out, size_t side);

/* Append the class attribute of what has the colour of a side. */
void html_add_class(struct str *out, size_t side);

/* Append a mark of a side's in a drawing, still open for its title. */
void html_begin_mark(struct str *out, size_t side, double x, double y);

/* Append the sign that a run lies beyond this end of an axis, still open for its title. */
enum html_side { HTML_LEFT, HTML_RIGHT, HTML_ABOVE, HTML_BELOW };
void html_begin_beyond(struct str *out, size_t side, enum html_side end, double x, double y);

/* Append a title that says of whom a run is and what it came to; and the same of several of them. */
void html_add_run_title(const struct html_drawing *drawing, size_t side, size_t i);
void html_add_group_title(const struct html_drawing *drawing, size_t side, const char *what,
			  double low, double high);

/* Append the beginning of a drawing, with what it shows in words; kind tells those of a row apart. */
void html_begin_drawing(const struct html_drawing *drawing, const char *kind, const char *title);

/* Append a line, of a class unless that is NULL. */
void html_add_line(struct str *out, const char *class, double x1, double y1, double x2, double y2);

/* Append the beginning of a text. */
void html_begin_label(struct str *out, const char *class, double x, double y);

/* Append " NAME="NUMBER"", with one decimal where it is needed. */
void html_add_number(struct str *out, const char *name, double value);

#endif
