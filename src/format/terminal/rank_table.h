/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of several ranks in the table for people: a line for each event, with the distribution
 * over the ranks. */
#ifndef PSTAT_FORMAT_TERMINAL_RANK_TABLE_H
#define PSTAT_FORMAT_TERMINAL_RANK_TABLE_H

struct format_style;
struct line;
struct table;

/* Append the lines. */
void rank_table_add(struct line *line, const struct table *table, const struct format_style *look);

#endif
