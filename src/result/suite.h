/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All comparisons of a result. In a suite, the same sides are compared in several cases, which are
 * combinations of the values of parameters. Each case is a comparison. The probability that any of
 * the cases has a false verdict is that of one comparison: each gets an equal part (Bonferroni's
 * method), so that verdicts and intervals of a case agree. The geometric mean of the ratios of all
 * cases has an interval of its own.
 *
 * An ordinary comparison is a suite of one case, which has no name and no means.
 */
#ifndef PSTAT_RESULT_SUITE_H
#define PSTAT_RESULT_SUITE_H

#include "result/comparison.h"
#include "stats/geomean.h"

/* One side of a row over all cases. */
struct suite_side {
	/* Of the ratios of all cases; unknown if one of them is. If the end of the runs was not
	 * planned, only of the rounds that all cases have: a case that ends as soon as it differs
	 * has a ratio that is too far from 1 on average, which would bias the mean of many. */
	struct log_ratio mean;
	/* Over all rounds. The interval is that of the mean, widened to contain this ratio. */
	struct estimate ratio;
	enum verdict verdict; /* on this mean */
	size_t verdicts[VERDICT_NONE + 1]; /* the number of cases with each verdict */
	size_t *order; /* owned: the cases, the largest ratio first */
};

/* An event or a metric in all cases. */
struct suite_row {
	const struct comparison_row **cases; /* owned: the row in each case */
	double confidence; /* of the intervals of the means */
	struct suite_side *sides; /* owned: one for each side; [0] is unused */
};

/* A limit on the geometric mean of a row and a side. */
struct suite_gate {
	const struct gate_request *request;
	const struct suite_row *row;
	size_t side;
	enum gate_state state; /* not GATE_UNBOUNDED: the mean is then unknown, so GATE_ABSENT */
	struct gate_evidence evidence; /* of GATE_JUDGED; otherwise only an unclear outcome */
};

struct suite {
	struct comparison_input input; /* of all cases */
	struct comparison *cases; /* owned */
	size_t n; /* of the cases */
	size_t *order; /* owned: the side of each run, case by case; NULL: as in the input */
	size_t sides_n; /* of each case */
	/* Owned: the rows of the first case that are shown, and that all cases have. Without cases
	 * there are none. */
	struct suite_row *rows;
	size_t rows_n;
	const struct suite_row *leading; /* that of most cases; NULL: no row leads */
	struct suite_gate *gates; /* owned: for each request, row and other side */
	size_t gates_n, gates_size;
};

static inline bool suite_has_cases(const struct suite *suite)
{
	return suite->input.cases_n > 0;
}

/*
 * The input of one case, with its part of the error probability. order: room for input->order_n
 * numbers, which have to outlive the comparison; NULL: the order is not needed.
 */
struct comparison_input suite_input_of_case(const struct comparison_input *input, size_t i,
					    size_t *order);

/*
 * Compare the sides of each case. All data that the pointers of the input lead to has to outlive the
 * suite. 0; -ENOMEM; -ENOENT with why: no row has the name of a gate.
 */
int suite_build(struct suite *suite, const struct comparison_input *input, struct why *why);
void suite_release(struct suite *suite);

/* Of all gates together, see comparison_outcome(). */
enum gate_outcome suite_outcome(const struct suite *suite);

#endif
