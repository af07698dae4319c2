/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page of a comparison (page.c) and its parts, which all append to one text. The page is also
 * well-formed XML: every tag is closed, every attribute is quoted.
 */
#ifndef PSTAT_FORMAT_HTML_PAGE_H
#define PSTAT_FORMAT_HTML_PAGE_H

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

/* In page.c. Append text, between tags or quotes: markup is escaped, control characters become
 * \xNN, and invalid characters become U+FFFD. */
void html_add(struct str *out, const char *text);

/* The same for a text that was built, and its failure. */
void html_add_str(struct str *out, const struct str *text);

/* Append a name, between tags. Its writing direction does not affect the surrounding text. */
void html_add_name(struct str *out, const char *name);

/* In style_css.c, which style.awk makes of style.css. */
extern const char html_style[];

/* In table.c: the rows with their numbers and verdicts. */
void html_add_table(struct html_page *page);
void html_add_verdict(struct str *out, enum verdict word);

/* In plots.c: the drawings of all rows. 0 or -ENOMEM. */
int html_add_plots(struct html_page *page);

#endif
