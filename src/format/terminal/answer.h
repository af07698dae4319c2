/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison in about ten lines: the conclusion, then a table. With two sides, each row of the
 * table is a measure; with more, a side. --details adds all other numbers (compare_table.h).
 */
#ifndef PSTAT_FORMAT_TERMINAL_ANSWER_H
#define PSTAT_FORMAT_TERMINAL_ANSWER_H

#include "format/terminal/compare_table.h"

/* Append the answer. */
void answer_add(struct line *line, const struct compare_table *table);

#endif
