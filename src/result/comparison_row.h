/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of building a comparison. Only files of this folder and tests need them. */
#ifndef PSTAT_RESULT_COMPARISON_ROW_H
#define PSTAT_RESULT_COMPARISON_ROW_H

#include "result/comparison.h"

/* The probability that the displayed number of runs needed leads to a verdict. */
#define COMPARISON_POWER 0.9

/*
 * The row of the result with the same name, place and cgroup. An event may have two rows, one by -e
 * and one for a metric; then the row at position is preferred. NULL: there is none.
 */
const struct result_row *comparison_row_find(const struct result *result,
					     const struct result_row *row, size_t position);

/* The values of two sides for a contrast. Of paired sides: of the rounds that have both. */
struct comparison_samples {
	double *reference, *other, *scratch; /* owned: one allocation, at reference */
	size_t reference_n, other_n;
};

/* Gather the samples of the reference and a side of the row. in points into them. 0 or -ENOMEM. */
int comparison_samples(struct comparison_samples *s, const struct comparison_row *row, size_t side,
		       const struct comparison_input *input, struct contrast_input *in);
void comparison_samples_release(struct comparison_samples *s);

/* Add the value of a run. 0 or -ENOMEM. */
int comparison_row_add(struct comparison_side *side, size_t run, double value);

/* All values are added: compute the summaries and the contrasts. 0 or -ENOMEM. */
int comparison_row_finish(struct comparison_row *row, const struct comparison_input *input);

/* The metric of that unit in the row; NULL: it has none, or there is no row. */
const struct metric *comparison_row_metric(const struct result_row *row, const char *unit);

/* The better direction of a named metric. BETTER_LESS for a metric of the user. */
enum better comparison_row_metric_better(const char *name);

/* Judge all rows, then the gates. 0; -ENOMEM; -ENOENT with why: no row has the name of a gate. */
int comparison_judge(struct comparison *c, struct why *why);

void comparison_row_release(struct comparison_row *row, size_t sides_n);

#endif
