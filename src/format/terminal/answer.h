/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison in about ten lines: the conclusion, then a table. With two sides, each row of the
 * table is a measure; with more, a side; with several cases, a case. --details adds all other
 * numbers (compare_table.h).
 */
#ifndef PSTAT_FORMAT_TERMINAL_ANSWER_H
#define PSTAT_FORMAT_TERMINAL_ANSWER_H

#include <stdio.h>

#include "format/format.h"
#include "result/suite.h"

/* Write a comparison for a terminal: the answer or, with style->details, the tables; then the
 * charts of style->draw, the notes and the gates. Of several cases, the answer comes first in any
 * case. 0; -ENOMEM or -errno of the write. */
int answer_write(const struct suite *suite, const struct format_style *style, FILE *out);

#endif
