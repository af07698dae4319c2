/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A history for people, and the parts of it that Markdown shares. */
#ifndef PSTAT_FORMAT_TERMINAL_HISTORY_TABLE_H
#define PSTAT_FORMAT_TERMINAL_HISTORY_TABLE_H

#include <stdio.h>

#include "format/format.h"
#include "result/history.h"

/*
 * Write a table of the metrics: entries, the last value and change, the limit for the next change,
 * and a curve of the latest values. After it, list the entries with changes beyond their limits.
 * 0; -ENOMEM or -errno of the write.
 */
int history_table_write(const struct history *history, const struct format_style *style, FILE *out);

/* Append a change: "+1.32 %". */
void history_table_add_percent(struct str *out, double share, const struct num_style *numbers);

/* Append a limit of both directions: "±1.32 %", or "(4 of 10)" if there are too few changes. */
void history_table_add_limit(struct str *out, const struct limit *limit,
			     const struct format_style *style);

/* Append the last value of a metric, with its unit: "1.234 ms". Nothing if there is none. */
void history_table_add_value(struct str *out, const struct history *history, size_t metric,
			     const struct num_style *numbers);

struct history_curve {
	size_t width; /* of the latest values */
	bool ascii;
};

/* Append a character for each of the latest values of a metric: "▁▂▂█". */
void history_table_add_curve(struct str *out, const struct history *history, size_t metric,
			     struct history_curve curve);

#endif
