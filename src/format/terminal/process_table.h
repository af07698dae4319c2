/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of --per-process in the table for people: a line for each process, a column for each
 * event. */
#ifndef PSTAT_FORMAT_TERMINAL_PROCESS_TABLE_H
#define PSTAT_FORMAT_TERMINAL_PROCESS_TABLE_H

struct format_style;
struct line;
struct table;

/* Append the lines. If the events do not fit the terminal, the rest follows in further tables. 0 or
 * -ENOMEM. */
int process_table_add(struct line *line, const struct table *table,
		      const struct format_style *look);

#endif
