/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result as --metric-only shows it: one line for each place, one column for each metric that
 * the events can have. A metric without a value has its column, too, so that all lines have the
 * same columns. */
#ifndef PSTAT_FORMAT_PERF_METRIC_ONLY_H
#define PSTAT_FORMAT_PERF_METRIC_ONLY_H

#include "result/table.h"

struct metric_column {
	char *name; /* owned; unique */
	const char *unit; /* of the metric */
	size_t event; /* index of its event among the events of one line */
};

struct metric_line {
	const struct measure *at; /* any row of the line: has its place and cgroup */
	struct measure *const *rows; /* by event; NULL: that event has no row */
};

/* All zero is empty. Points into the result, which has to outlive it. */
struct metric_only {
	struct metric_column *columns; /* owned */
	size_t columns_n, columns_size;
	struct metric_line *lines; /* owned */
	size_t lines_n;
	bool by_cgroup; /* each line is of one cgroup (--for-each-cgroup) */
};

/* 0 or -ENOMEM. Release m in any case. */
int metric_only_init(struct metric_only *m, const struct table *table);
void metric_only_release(struct metric_only *m);

/* The metric in that column; NULL: it has no value. */
const struct metric *metric_only_value(const struct metric_line *line,
				       const struct metric_column *column);

#endif
