/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a comparison that its building is made of: one row, and the gates. */
#ifndef PSTAT_RESULT_COMPARISON_ROW_H
#define PSTAT_RESULT_COMPARISON_ROW_H

#include "result/comparison.h"

/* The probability that the displayed number of runs needed leads to a verdict. */
#define COMPARISON_POWER 0.9

/* The result's row that is this one, which stands at place among another's; NULL: it has none. The same event
 * may stand twice, by -e and for a metric: where both have it in the same place, it is that one. */
const struct result_row *comparison_row_find_row(const struct result *result,
						 const struct result_row *row, size_t position);

/* The values of two sides that can be contrasted: of paired ones, those of rounds that have both. */
struct comparison_samples {
	double *reference, *other, *scratch; /* owned: one piece, at reference */
	size_t reference_n, other_n;
};

/* Gather those of the reference and a side of the row, and what is to be made of them. 0 or -ENOMEM. */
int comparison_samples(struct comparison_samples *s, const struct comparison_row *row, size_t side,
		       const struct comparison_input *input, struct contrast_input *in);
void comparison_row_samples_release(struct comparison_samples *s);

/* Add what a run counted. 0 or -ENOMEM. */
int comparison_row_add(struct comparison_side *side, size_t run, double value);

/* All values are there: sum them up, and contrast each side with the reference. 0 or -ENOMEM. */
int comparison_row_finish(struct comparison_row *row, const struct comparison_input *input);

/* The metric of that unit beside the row; NULL: there is none, or no row. */
const struct metric *comparison_row_metric(const struct result_row *row, const char *unit);

/* Which way is better of a metric that has a name of its own; less, for the user's. */
enum better comparison_row_metric_better(const char *name);

/* In gates.c: judge what the gates ask for. 0; -ENOMEM; -ENOENT with why: one names no row. */
int comparison_judge_gates(struct comparison *c, struct why *why);

void comparison_row_release(struct comparison_row *row, size_t sides_n);

#endif
