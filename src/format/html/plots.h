/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a page as drawings (SVG), and the pieces of text that the rest of the page uses, too.
 * All of them are appended to one text, which is also well-formed XML: every tag is closed, every
 * attribute is quoted.
 */
#ifndef PSTAT_FORMAT_HTML_PLOTS_H
#define PSTAT_FORMAT_HTML_PLOTS_H

#include <stdbool.h>

#include "format/terminal/compare_text.h"

enum {
	HTML_WIDTH = 560, /* of a drawing */
	/* Up to this number of runs of a side, each run has a mark; more runs are drawn in
	 * groups. */
	HTML_SINGLE_MAX = 120,
	HTML_GROUPS = 96,
};

/* What the page shows. */
enum html_subject {
	HTML_COMPARISON,
	HTML_RUNS, /* of one command */
	HTML_INTERVALS, /* of -I: the runs of the only side are intervals */
};

struct html_page {
	const struct comparison *c;
	enum html_subject subject;
	struct text_style text;
	struct str *out;
	/* Owned: the position of each run, side after side. If ordered, that is its position among
	 * all runs; otherwise the number of its round, or of the run within its side. */
	size_t *positions;
	size_t positions_n; /* the number of different positions */
	bool ordered;
};

/* Append text, between tags or quotes: markup is escaped, control characters become
 * \xNN, and invalid characters become U+FFFD. */
void html_add(struct str *out, const char *text);

/* The same for a text that was built, and its failure. */
void html_add_str(struct str *out, const struct str *text);

/* Append a name, between tags. Its writing direction does not affect the surrounding text. */
void html_add_name(struct str *out, const char *name);

/* In style_css.c, which style.awk makes of style.css. */
extern const char html_style[];

/* The step between ticks: the smallest number of the form 1, 2 or 5 times a power of ten that is at
 * least this. */
double html_step(double least);

/* Append the verdict on a side with its sign, between tags; without colour if nobody asked for the
 * row. */
void html_add_verdict(struct str *out, const struct comparison_row *row, size_t side);

/* Append the curve over a parameter, if there is one. 0 or -ENOMEM. */
int html_add_curve(struct html_page *page);

/* Append the drawings of all rows. 0 or -ENOMEM. */
int html_add_plots(struct html_page *page);

/* Append the definitions of the shapes, once in a page and before the first mark. */
void html_add_shapes(struct str *out);

/* Append the mark of a side within text. */
void html_add_mark(struct str *out, size_t side);

#endif
