/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes of a command (--per-process), for one run: bars over time, and their sums by the
 * name of the program. A style rule for each event makes the bars follow the selected event, so
 * that the page needs no script.
 */
#ifndef PSTAT_FORMAT_HTML_TIMELINE_H
#define PSTAT_FORMAT_HTML_TIMELINE_H

#include "format/html/plots.h"

struct timeline;

/* Whether the page has a timeline: it shows one run, and its places are processes. */
bool html_has_timeline(const struct html_page *page);

/* Make a timeline, which timeline_free() releases. page has to outlive it. NULL: out of memory. */
struct timeline *timeline_make(struct html_page *page);
void timeline_free(struct timeline *t);

/* Append the style rules, within the style element of the page. */
void timeline_add_style(const struct timeline *t);

/* Append the section with the drawing and the table. */
void timeline_add(const struct timeline *t);

#endif
