/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison in about ten lines: the conclusion, then a table. With two sides, each row of the
 * table is a measure; with more, a side. --details adds all other numbers (compare_table.h).
 */
#ifndef PSTAT_FORMAT_TERMINAL_ANSWER_H
#define PSTAT_FORMAT_TERMINAL_ANSWER_H

#include <stdio.h>

#include "format/format.h"
#include "result/comparison.h"

/* Write a comparison for a terminal: the answer or, with style->details, the tables; then the charts
 * of style->draw, the notes and the gates. 0; -ENOMEM or -errno of the write. */
int answer_write(const struct comparison *c, const struct format_style *style, FILE *out);

struct suite;

/* The same for several cases: a line for each case, then the geometric means. With details or charts,
 * the comparison of each case follows. */
int answer_write_suite(const struct suite *suite, const struct format_style *style, FILE *out);

#endif
