/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a comparison that its building is made of: one row, and the gates. */
#ifndef PSTAT_RESULT_COMPARED_H
#define PSTAT_RESULT_COMPARED_H

#include "result/comparison.h"

/* The probability that the displayed number of runs needed leads to a verdict. */
#define COMPARED_POWER 0.9

/* The report's row that is this one, which stands at place among another's; NULL: it has none. The same event
 * may stand twice, by -e and for a metric: where both have it in the same place, it is that one. */
const struct report_row *compared_find_row(const struct report *report,
					   const struct report_row *row, size_t place);

/* The values of two sides that can be contrasted: of paired ones, those of blocks that have both. */
struct compared_samples {
	double *reference, *other, *scratch; /* owned: one piece, at reference */
	size_t reference_n, other_n;
};

/* Gather those of the reference and a side of the row, and what is to be made of them. 0 or -ENOMEM. */
int compared_samples(struct compared_samples *s, const struct compared_row *row, size_t side,
		     const struct comparison_input *input, struct contrast_input *in);
void compared_samples_release(struct compared_samples *s);

/* Add what a run counted. 0 or -ENOMEM. */
int compared_add(struct compared_side *side, size_t run, double value);

/* All values are there: sum them up, and contrast each side with the reference. 0 or -ENOMEM. */
int compared_finish(struct compared_row *row, const struct comparison_input *input);

/* The metric of that unit beside the row; NULL: there is none, or no row. */
const struct metric *compared_metric(const struct report_row *row, const char *unit);

/* Which way is better of a metric that has a name of its own; less, for the user's. */
enum better compared_metric_better(const char *name);

/* In gates.c: judge what the gates ask for. 0; -ENOMEM; -ENOENT with why: one names no row. */
int compared_gates(struct comparison *c, struct why *why);

void compared_release(struct compared_row *row, size_t sides_n);

#endif
