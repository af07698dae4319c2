/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PSTAT_FORMAT_TERMINAL_HISTORY_TABLE_H
#define PSTAT_FORMAT_TERMINAL_HISTORY_TABLE_H

#include <stdio.h>

#include "base/num.h"
#include "result/history.h"

/*
 * Write a table of the metrics: entries, the last value and change, and the limit for the next
 * change. After it, list the changes that exceeded their limits. 0; -ENOMEM or -errno of the write.
 */
int history_table_write(const struct history *history, const struct num_style *numbers, FILE *out);

#endif
