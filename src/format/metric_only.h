/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result as --metric-only shows it: a line for each place, a column for each metric that the events
 * may have, whether or not it has a value there, so that all lines have the same columns. */
#ifndef PSTAT_FORMAT_METRIC_ONLY_H
#define PSTAT_FORMAT_METRIC_ONLY_H

#include "result/result.h"

struct metric_column {
	char *name; /* owned: no other column has it */
	const char *unit; /* of the metric; not owned */
	size_t event; /* whose metric it is, of those of one line */
};

struct metric_line {
	const struct result_row *at; /* some row of the line: where it is, and in which cgroup */
	const struct result_row *const *rows; /* by event; NULL where there is none */
};

/* All zero is empty. It points into its report, which has to outlive it. */
struct metric_only {
	struct metric_column *columns; /* owned */
	size_t columns_n, columns_size;
	struct metric_line *lines; /* owned */
	size_t lines_n;
	bool by_cgroup; /* a line is of one cgroup (--for-each-cgroup) */
	const struct result_row **rows; /* owned */
};

/* 0 or -ENOMEM; on failure, too, m is to be released. */
int metric_only_init(struct metric_only *m, const struct result *result);
void metric_only_release(struct metric_only *m);

/* What stands there; NULL for nothing. */
const struct metric *metric_only_value(const struct metric_line *line,
				       const struct metric_column *column);

#endif
