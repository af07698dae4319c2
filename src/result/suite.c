/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "base/str.h"
#include "base/why.h"
#include "result/suite.h"

struct comparison_input suite_input_of_case(const struct comparison_input *input, size_t i,
					    size_t *order)
{
	struct comparison_input in = *input;
	size_t sides_n, first;

	if (input->cases_n == 0)
		return in;
	sides_n = input->sides_n / input->cases_n;
	first = i * sides_n;
	in.sides += first;
	in.sides_n = sides_n;
	in.cases = NULL;
	in.cases_n = 0;
	in.different_work = (struct str_list){ 0 };
	in.any_time = input->cases[i].any_time;
	in.confidence = 1 - (1 - input->confidence) / (double)input->cases_n;
	in.order = order;
	in.order_n = 0;
	for (size_t run = 0; order && run < input->order_n; run++)
		if (input->order[run] / sides_n == i)
			order[in.order_n++] = input->order[run] - first;
	return in;
}

/* ---- Rows. */

static bool suite_is_same_row(const struct comparison_row *a, const struct comparison_row *b)
{
	return strcmp(a->of->name, b->of->name) == 0 &&
	       strcmp(a->of->place->label, b->of->place->label) == 0 &&
	       str_equal(a->of->cgroup, b->of->cgroup);
}

/* The row of a case. NULL: there is none. */
static const struct comparison_row *suite_find_row(const struct comparison *c,
						   const struct comparison_row *row)
{
	for (size_t i = 0; i < c->rows_n; i++)
		if (suite_is_same_row(&c->rows[i], row))
			return &c->rows[i];
	return NULL;
}

/* Whether an earlier row is the same: an event may also be counted for a metric. */
static bool suite_has_row(const struct suite *suite, const struct comparison_row *row)
{
	for (size_t i = 0; i < suite->rows_n; i++)
		if (suite_is_same_row(suite->rows[i].cases[0], row))
			return true;
	return false;
}

/* Add a row of the first case, if all cases have it. 0 or -ENOMEM. */
static int suite_add_row(struct suite *suite, const struct comparison_row *first)
{
	struct suite_row *row = &suite->rows[suite->rows_n];

	row->cases = calloc(suite->n, sizeof(const struct comparison_row *));
	row->sides = calloc(suite->sides_n, sizeof(*row->sides));
	suite->rows_n++;
	if (!row->cases || !row->sides)
		return -ENOMEM;
	for (size_t i = 0; i < suite->n; i++) {
		row->cases[i] = suite_find_row(&suite->cases[i], first);
		if (row->cases[i])
			continue;
		free(row->cases);
		free(row->sides);
		*row = (struct suite_row){ 0 };
		suite->rows_n--;
		return 0;
	}
	for (size_t side = 1; side < suite->sides_n; side++) {
		row->sides[side].order = calloc(suite->n, sizeof(*row->sides[side].order));
		if (!row->sides[side].order)
			return -ENOMEM;
	}
	return 0;
}

/* ---- Means. */

/* Whether every case has a ratio whose error is known, or will be after more runs. */
static bool suite_has_ratios(const struct suite *suite, const struct suite_row *row, size_t side)
{
	for (size_t i = 0; i < suite->n; i++) {
		const struct comparison_row *it = row->cases[i];

		if (!it->contrasts[side].by_ratio || it->sides[0].unbounded ||
		    it->sides[side].unbounded)
			return false;
	}
	return true;
}

static enum verdict suite_verdict(const struct suite *suite, const struct suite_row *row,
				  size_t side)
{
	const struct suite_side *it = &row->sides[side];
	const struct comparison_row *first = row->cases[0];
	const struct estimate *ratio = &it->ratio;
	const double most = 1 + first->minimum_effect * (1 + CONTRAST_ROUNDING);

	if (!suite_has_ratios(suite, row, side))
		return VERDICT_ABSENT;
	if (first->claim == CLAIM_NONE)
		return VERDICT_NONE;
	if (ratio->withheld || it->verdicts[VERDICT_TOO_FEW] > 0 ||
	    (it->mean.error > 0 && ratio->low >= ratio->high))
		return VERDICT_TOO_FEW;
	if (ratio->low >= 1 / most && ratio->high <= most)
		return VERDICT_SAME;
	if (ratio->low > 1)
		return comparison_verdict_of(first, CHANGE_MORE);
	if (ratio->high < 1)
		return comparison_verdict_of(first, CHANGE_LESS);
	return VERDICT_UNCLEAR;
}

/* The ratio of a case; a case without a ratio comes last. */
static double suite_ratio_of(const struct suite_row *row, size_t i, size_t side)
{
	const struct estimate *ratio = &row->cases[i]->contrasts[side].ratio;

	return ratio->withheld ? -1 : ratio->value;
}

/* The number of rounds that all cases have. */
static size_t suite_common_rounds(const struct suite *suite)
{
	size_t rounds_n = SIZE_MAX;

	for (size_t i = 0; i < suite->n; i++)
		if (suite->cases[i].input.sides[0].series->runs_n < rounds_n)
			rounds_n = suite->cases[i].input.sides[0].series->runs_n;
	return rounds_n;
}

/* 0 or -ENOMEM. */
static int suite_add_mean(const struct suite *suite, struct suite_row *row, size_t side)
{
	cleanup_free struct log_ratio *ratios = calloc(suite->n, sizeof(*ratios));
	struct suite_side *it = &row->sides[side];
	const bool any_time = suite->input.any_time && suite->input.paired;
	const size_t rounds_n = suite_common_rounds(suite);
	struct log_ratio whole;
	int err = 0;

	if (!ratios)
		return -ENOMEM;
	for (size_t i = 0; i < suite->n; i++) {
		const double ratio = suite_ratio_of(row, i, side);
		size_t at = i;

		ratios[i] = row->cases[i]->contrasts[side].log_ratio;
		it->verdicts[comparison_verdict(row->cases[i], side)]++;
		for (; at > 0 && suite_ratio_of(row, it->order[at - 1], side) < ratio; at--)
			it->order[at] = it->order[at - 1];
		it->order[at] = i;
	}
	whole = geomean_of(ratios, suite->n);
	for (size_t i = 0; err == 0 && any_time && i < suite->n; i++)
		err = comparison_early_ratio(&ratios[i], &suite->cases[i], row->cases[i], side,
					     rounds_n);
	it->mean = geomean_of(ratios, suite->n);
	it->ratio = geomean_interval(&it->mean, row->confidence, any_time, suite->input.math);
	if (whole.known && it->ratio.low < it->ratio.high) {
		it->ratio.value = suite->input.math->exp(whole.value);
		it->ratio.low = math_smaller(it->ratio.low, it->ratio.value);
		it->ratio.high = math_larger(it->ratio.high, it->ratio.value);
	}
	it->verdict = suite_verdict(suite, row, side);
	return err;
}

/* Rows of the same claim share an error probability, and so do their sides. */
static double suite_confidence(const struct suite *suite, const struct suite_row *row)
{
	size_t n = 0;

	for (size_t i = 0; i < suite->rows_n; i++)
		n += suite->rows[i].cases[0]->claim == row->cases[0]->claim;
	if (row->cases[0]->claim == CLAIM_NONE)
		n = 1;
	return 1 - (1 - suite->input.confidence) / (double)(n * (suite->sides_n - 1));
}

/* Choose the row that leads in most cases. */
static void suite_choose_leading(struct suite *suite)
{
	size_t most = 0;

	for (size_t i = 0; i < suite->rows_n; i++) {
		const struct suite_row *row = &suite->rows[i];
		size_t n = 0;

		for (size_t k = 0; k < suite->n; k++)
			n += row->cases[k] == suite->cases[k].leading;
		if (n > most) {
			most = n;
			suite->leading = row;
		}
	}
}

static int suite_make_rows(struct suite *suite)
{
	const struct comparison *first = &suite->cases[0];
	int err = 0;

	suite->rows = calloc(first->rows_n + 1, sizeof(*suite->rows));
	if (!suite->rows)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < first->rows_n; i++)
		if (first->rows[i].shown && !suite_has_row(suite, &first->rows[i]))
			err = suite_add_row(suite, &first->rows[i]);
	for (size_t i = 0; err == 0 && i < suite->rows_n; i++) {
		struct suite_row *row = &suite->rows[i];

		row->confidence = suite_confidence(suite, row);
		for (size_t side = 1; err == 0 && side < suite->sides_n; side++)
			err = suite_add_mean(suite, row, side);
	}
	suite_choose_leading(suite);
	return err;
}

/* ---- Gates. */

/* Every case needs as many runs as a limit of its own would. */
static enum gate_state suite_gate_state(const struct suite *suite, const struct suite_row *row,
					size_t side)
{
	if (!suite_has_ratios(suite, row, side))
		return GATE_ABSENT;
	for (size_t i = 0; i < suite->n; i++)
		if (row->cases[i]->contrasts[side].limit_floor > 1 - suite->input.confidence)
			return GATE_TOO_FEW;
	return row->sides[side].mean.known ? GATE_JUDGED : GATE_TOO_FEW;
}

/* Add the gates of a request. 0 or -ENOMEM. */
static int suite_add_gates(struct suite *suite, const struct gate_request *request)
{
	const size_t before = suite->gates_n;

	for (enum name_match match = NAME_EXACT; suite->gates_n == before && match < NAME_MATCHES_N;
	     match++)
		for (size_t i = 0; i < suite->rows_n; i++) {
			const struct suite_row *row = &suite->rows[i];

			if (!comparison_is_named(row->cases[0]->of->name, request->name, match))
				continue;
			for (size_t side = 1; side < suite->sides_n; side++) {
				if (array_grow(&suite->gates, suite->gates_n, &suite->gates_size,
					       sizeof(*suite->gates)) < 0)
					return -ENOMEM;
				suite->gates[suite->gates_n++] = (struct suite_gate){
					.request = request,
					.row = row,
					.side = side,
					.state = suite_gate_state(suite, row, side),
				};
			}
		}
	return 0;
}

/* The evidence for a limit on a mean. */
static struct gate_evidence suite_evidence(const struct suite *suite, const struct suite_gate *gate)
{
	const struct math *math = suite->input.math;
	const struct log_ratio *mean = &gate->row->sides[gate->side].mean;
	const bool any_time = suite->input.any_time && suite->input.paired;
	const double limit = gate->request->limit.value;
	const bool above = gate->request->above;
	const struct contrast_limit beyond = { limit, true, above };
	const struct contrast_limit within = { limit, true, !above };
	struct gate_evidence evidence = {
		.p_crossed = geomean_p_beyond(mean, &beyond, any_time, math),
		.p_kept = geomean_p_beyond(mean, &within, any_time, math),
	};

	/* an exact mean that equals the limit is not beyond it */
	if (evidence.p_crossed >= 1 && evidence.p_kept >= 1)
		evidence.p_kept = 0;
	return evidence;
}

/* As in a comparison, Holm's method takes only the gates that can be judged. */
static int suite_judge_gates(struct suite *suite)
{
	cleanup_free struct gate_evidence *evidence = calloc(suite->gates_n + 1, sizeof(*evidence));
	cleanup_free size_t *order = calloc(suite->gates_n + 1, sizeof(*order));
	size_t n = 0;

	if (!evidence || !order)
		return -ENOMEM;
	for (size_t i = 0; i < suite->gates_n; i++)
		if (suite->gates[i].state == GATE_JUDGED)
			evidence[n++] = suite_evidence(suite, &suite->gates[i]);
	contrast_judge_gates(evidence, n, suite->input.confidence, order);
	n = 0;
	for (size_t i = 0; i < suite->gates_n; i++) {
		struct suite_gate *gate = &suite->gates[i];

		gate->evidence.outcome = GATE_UNCLEAR;
		if (gate->state == GATE_JUDGED)
			gate->evidence = evidence[n++];
	}
	return 0;
}

enum gate_outcome suite_outcome(const struct suite *suite)
{
	enum gate_outcome outcome = GATE_KEPT, next;

	for (size_t i = 0; outcome != GATE_CROSSED && i < suite->n + suite->gates_n; i++) {
		next = i < suite->n ? comparison_outcome(&suite->cases[i], 0) :
				      suite->gates[i - suite->n].evidence.outcome;
		if (next != GATE_KEPT)
			outcome = next;
	}
	return outcome;
}

/* ---- The whole suite. */

/* Add and judge the gates on means. 0; -ENOMEM; -ENOENT with why: no row has the name of a gate. */
static int suite_make_gates(struct suite *suite, struct why *why)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < suite->input.gates_n; i++) {
		const size_t before = suite->gates_n;
		const struct gate_request *request = &suite->input.gates[i];

		if (!request->is_geomean)
			continue;
		err = suite_add_gates(suite, request);
		if (err == 0 && suite->gates_n == before)
			err = why_set(why, -ENOENT, "--fail-if '%s': not all cases have '%s'",
				      request->text, request->name);
	}
	return err == 0 ? suite_judge_gates(suite) : err;
}

int suite_build(struct suite *suite, const struct comparison_input *input, struct why *why)
{
	const size_t n = input->cases_n > 0 ? input->cases_n : 1;
	size_t runs_n = 0;
	int err = 0;

	*suite = (struct suite){ .input = *input, .sides_n = input->sides_n / n };
	suite->cases = calloc(n, sizeof(*suite->cases));
	if (!suite->cases)
		return -ENOMEM;
	if (input->cases_n > 0 && input->order)
		suite->order = calloc(input->order_n + 1, sizeof(*suite->order));
	if (input->cases_n > 0 && input->order && !suite->order)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < n; i++) {
		const struct comparison_input in =
			suite_input_of_case(input, i, suite->order ? suite->order + runs_n : NULL);

		suite->n++;
		runs_n += in.order_n;
		err = comparison_build(&suite->cases[i], &in, why);
	}
	if (err < 0 || input->cases_n == 0)
		return err;
	err = suite_make_rows(suite);
	return err < 0 ? err : suite_make_gates(suite, why);
}

void suite_release(struct suite *suite)
{
	for (size_t i = 0; i < suite->rows_n; i++) {
		struct suite_row *row = &suite->rows[i];

		for (size_t side = 1; row->sides && side < suite->sides_n; side++)
			free(row->sides[side].order);
		free(row->sides);
		free(row->cases);
	}
	for (size_t i = 0; i < suite->n; i++)
		comparison_release(&suite->cases[i]);
	free(suite->order);
	free(suite->rows);
	free(suite->cases);
	free(suite->gates);
	*suite = (struct suite){ 0 };
}
