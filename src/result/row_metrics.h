/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of a result's rows: those of perf's derived column and those of -M. They are
 * evaluated here and nowhere else. Counts are combined only with counts of the same place and
 * cgroup.
 *
 * A result shows the metric of the mean counts (the ratio of means). Tests need the runs
 * themselves, so that a comparison evaluates the same metrics with the counts of each run.
 */
#ifndef PSTAT_RESULT_ROW_METRICS_H
#define PSTAT_RESULT_ROW_METRICS_H

#include "result/result.h"

/* Fill the metrics of the result's rows, which are complete otherwise. 0 or -ENOMEM. */
int row_metrics_add(struct result *result);

/*
 * The metric of that unit in each run, at a row of the result. values: one number for each run; a
 * NAN is replaced if the run has a value, other numbers are kept. 0 or -ENOMEM.
 */
int row_metrics_by_run(const struct result *result, const struct result_row *row, const char *unit,
		       double *values);

#endif
