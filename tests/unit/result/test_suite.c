/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several cases: their rows, the order of the cases, the geometric means and the gates on them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/why.h"
#include "format/terminal/suite_text.h"
#include "result/suite.h"
#include "unit/result/counted.h"
#include "unit/reference.h"
#include "unit/test.h"

enum { CASES_MAX = 12, SIDES_MAX = 3, GATES_MAX = 2, ROUNDS_N = 12 };

#define NOISE 0.001

/* Sides in several cases, those of the first case first. */
struct made {
	struct counted sides[CASES_MAX * SIDES_MAX];
	struct side_input inputs[CASES_MAX * SIDES_MAX];
	struct comparison_case cases[CASES_MAX];
	struct effect_request effect;
	struct gate_request requests[GATES_MAX];
	struct comparison_input input;
	struct suite suite;
};

/* Each count is 1000 in each round. The caller releases m. */
static void begin(struct made *m, const char *events, size_t cases_n, size_t sides_n)
{
	static char name[] = "a case";

	memset(m, 0, sizeof(*m));
	for (size_t i = 0; i < cases_n * sides_n; i++) {
		counted_whole(&m->sides[i], events, ROUNDS_N);
		m->inputs[i] = (struct side_input){ "a side", &m->sides[i].series };
	}
	for (size_t i = 0; i < cases_n; i++)
		m->cases[i].name = name;
	m->effect = (struct effect_request){ .minimum = 0.01 };
	m->input = (struct comparison_input){ .sides = m->inputs,
					      .sides_n = cases_n * sides_n,
					      .cases = m->cases,
					      .cases_n = cases_n,
					      .paired = true,
					      .confidence = 0.95,
					      .effects = &m->effect,
					      .effects_n = 1,
					      .gates = m->requests,
					      .math = &math };
}

static void made_release(struct made *m)
{
	suite_release(&m->suite);
	for (size_t i = 0; i < m->input.sides_n; i++)
		counted_release(&m->sides[i]);
}

static void build(struct made *m)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(suite_build(&m->suite, &m->input, &why), 0);
}

/* Let the side count ratio times 1000. The rounds vary around that as their geometric mean. */
static void set_ratio(struct counted *side, size_t row, double ratio, double noise)
{
	double values[ROUNDS_N];

	for (size_t i = 0; i < ROUNDS_N; i++)
		values[i] = 1000 * ratio * exp(i % 2 ? noise : -noise);
	counted_set_values(side, row, values);
}

/* Let the second of two sides count as the ratios of the cases say. */
static void set_ratios(struct made *m, const double *ratios, double noise)
{
	for (size_t i = 0; i < m->input.cases_n; i++)
		set_ratio(&m->sides[2 * i + 1], 0, ratios[i], noise);
}

/* Add a gate on the geometric mean, or on each case. */
static void add_gate(struct made *m, const char *name, double limit, bool above, bool is_geomean)
{
	assert_true(m->input.gates_n < GATES_MAX);
	m->requests[m->input.gates_n++] = (struct gate_request){ .text = "a gate",
								 .name = (char *)(uintptr_t)name,
								 .above = above,
								 .relative = true,
								 .is_geomean = is_geomean,
								 .limit.value = limit };
}

static const struct suite_side *first_side(const struct made *m)
{
	return &m->suite.rows[0].sides[1];
}

static void is_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%.15g, but should be %.15g", got, wanted);
}

static void cases_are_in_the_order_of_their_ratios(void **state)
{
	static const double ratios[] = { 1.1, 0.9, 1, 1.3 };
	static const size_t order[] = { 3, 0, 2, 1 };
	cleanup_with(made_release) struct made m;

	begin(&m, "page-faults", N_OF(ratios), 2);
	set_ratios(&m, ratios, NOISE);
	build(&m);
	assert_int_equal(m.suite.n, N_OF(ratios));
	assert_int_equal(m.suite.sides_n, 2);
	assert_int_equal(m.suite.rows_n, 1);
	assert_memory_equal(first_side(&m)->order, order, sizeof(order));
	for (size_t i = 0; i < N_OF(ratios); i++)
		is_near(m.suite.rows[0].cases[i]->contrasts[1].ratio.value, ratios[i]);
}

static void cases_with_equal_ratios_keep_their_order(void **state)
{
	static const double ratios[] = { 1, 2, 1, 2, 1 };
	static const size_t order[] = { 1, 3, 0, 2, 4 };
	cleanup_with(made_release) struct made m;

	begin(&m, "page-faults", N_OF(ratios), 2);
	set_ratios(&m, ratios, 0);
	build(&m);
	assert_memory_equal(first_side(&m)->order, order, sizeof(order));
}

static void each_verdict_has_the_number_of_its_cases(void **state)
{
	static const double ratios[] = { 1.1, 0.9, 1, 1.3, 1.01 };
	cleanup_with(made_release) struct made m;
	const size_t *verdicts;

	begin(&m, "page-faults", N_OF(ratios), 2);
	set_ratios(&m, ratios, NOISE);
	set_ratio(&m.sides[9], 0, 1.01, 0.05);
	build(&m);
	verdicts = first_side(&m)->verdicts;
	assert_int_equal(verdicts[VERDICT_WORSE], 2);
	assert_int_equal(verdicts[VERDICT_BETTER], 1);
	assert_int_equal(verdicts[VERDICT_SAME], 1);
	assert_int_equal(verdicts[VERDICT_UNCLEAR], 1);
	assert_int_equal(verdicts[VERDICT_TOO_FEW], 0);
	assert_int_equal(verdicts[VERDICT_ABSENT], 0);
}

static void the_mean_is_that_of_the_ratios_of_all_cases(void **state)
{
	static const struct {
		int line;
		double ratios[3], noise;
		enum verdict verdict;
	} rows[] = {
		{ ROW, { 1.1, 0.9, 1.3 }, NOISE, VERDICT_WORSE },
		{ ROW, { 0.9, 1.05, 0.7 }, NOISE, VERDICT_BETTER },
		{ ROW, { 1.1, 1 / 1.1, 1 }, NOISE, VERDICT_SAME },
		{ ROW, { 1.1, 1 / 1.1, 1 }, 0.1, VERDICT_UNCLEAR },
		{ ROW, { 1.1, 0.9, 1.3 }, 0, VERDICT_WORSE },
		/* within the minimum effect, although the interval excludes 1 */
		{ ROW, { 1.005, 1.005, 1.005 }, NOISE, VERDICT_SAME },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const double *ratios = rows[i].ratios;
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", 3, 2);
		set_ratios(&m, ratios, rows[i].noise);
		build(&m);
		row_true(&rows[i], first_side(&m)->mean.known);
		is_near(first_side(&m)->ratio.value, cbrt(ratios[0] * ratios[1] * ratios[2]));
		row_int(&rows[i], first_side(&m)->verdict, rows[i].verdict);
	}
}

/* An exact change of 1 % is within a minimum effect of 1 %, in each case and in the mean. */
static void an_exact_mean_that_equals_the_minimum_effect_is_the_same(void **state)
{
	static const uint64_t percents[] = { 1, 2, 3, 5, 7, 10, 15, 20, 30 };

	for (size_t k = 0; k < 2 * N_OF(percents); k++)
		for (size_t cases_n = 2; cases_n <= CASES_MAX; cases_n++) {
			const uint64_t percent = percents[k / 2];
			const size_t larger = k % 2; /* the side that counts more */
			cleanup_with(made_release) struct made m;

			begin(&m, "page-faults", cases_n, 2);
			m.effect.minimum = (double)percent / 100;
			for (size_t i = 0; i < cases_n; i++)
				counted_set(&m.sides[2 * i + larger], 0, 1000 + 10 * percent);
			build(&m);
			assert_int_equal(first_side(&m)->verdicts[VERDICT_SAME], cases_n);
			if (first_side(&m)->verdict != VERDICT_SAME)
				fail_msg("%zu cases, %s %d %%: the mean is not the same", cases_n,
					 larger ? "more" : "less", (int)percent);
		}
}

static void a_count_of_zero_withholds_the_mean(void **state)
{
	static const double ratios[] = { 1.1, 1.2, 1.3 };
	static const size_t order[] = { 2, 1, 0 };
	cleanup_with(made_release) struct made m;

	begin(&m, "page-faults", N_OF(ratios), 2);
	set_ratios(&m, ratios, NOISE);
	counted_set(&m.sides[0], 0, 0); /* of the reference: the first case has no ratio */
	add_gate(&m, "page-faults", 0.01, true, true);
	build(&m);
	assert_true(m.suite.cases[0].rows[1].contrasts[1].ratio.withheld);
	assert_false(first_side(&m)->mean.known);
	assert_true(first_side(&m)->ratio.withheld);
	assert_int_equal(first_side(&m)->verdict, VERDICT_ABSENT);
	assert_memory_equal(first_side(&m)->order, order, sizeof(order));
	assert_int_equal(m.suite.gates[0].state, GATE_ABSENT);
	assert_int_equal(m.suite.gates[0].evidence.outcome, GATE_UNCLEAR);
	assert_int_equal(suite_outcome(&m.suite), GATE_UNCLEAR);
}

/* This case has the ratio of its means, but not the logarithms that a geometric mean needs. */
static void one_count_of_zero_in_one_round_withholds_the_mean(void **state)
{
	static const double ratios[] = { 1.1, 1.2 };
	cleanup_with(made_release) struct made m;

	begin(&m, "page-faults", N_OF(ratios), 2);
	set_ratios(&m, ratios, NOISE);
	m.sides[1].runs[4].readings[0].counts.raw = 0;
	build(&m);
	assert_false(m.suite.rows[0].cases[0]->contrasts[1].ratio.withheld);
	assert_true(first_side(&m)->ratio.withheld);
	assert_int_equal(first_side(&m)->verdict, VERDICT_ABSENT);
}

static void a_gate_on_the_mean_is_kept_crossed_or_unclear(void **state)
{
	static const struct {
		int line;
		double ratios[3], noise, limit;
		bool above;
		enum gate_outcome outcome;
	} rows[] = {
		{ ROW, { 1, 1, 1 }, NOISE, 0.01, true, GATE_KEPT },
		{ ROW, { 1.03, 1.03, 1.03 }, NOISE, 0.01, true, GATE_CROSSED },
		{ ROW, { 1.01, 1.01, 1.01 }, NOISE, 0.01, true, GATE_UNCLEAR },
		{ ROW, { 1.01, 1, 1 }, 0.1, 0.01, true, GATE_UNCLEAR },
		/* one case is beyond the limit, but the mean is +1.3 % */
		{ ROW, { 1.04, 1, 1 }, NOISE, 0.02, true, GATE_KEPT },
		{ ROW, { 1.04, 1, 1 }, NOISE, 0.01, true, GATE_CROSSED },
		/* limits of smaller values */
		{ ROW, { 0.95, 0.95, 0.95 }, NOISE, -0.01, false, GATE_CROSSED },
		{ ROW, { 1, 1, 1 }, NOISE, -0.01, false, GATE_KEPT },
		{ ROW, { 0.99, 0.99, 0.99 }, NOISE, -0.01, false, GATE_UNCLEAR },
		/* exact counts */
		{ ROW, { 1.1, 1.1, 1.1 }, 0, 0.09, true, GATE_CROSSED },
		{ ROW, { 1.1, 1.1, 1.1 }, 0, 0.11, true, GATE_KEPT },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", 3, 2);
		set_ratios(&m, rows[i].ratios, rows[i].noise);
		add_gate(&m, "page-faults", rows[i].limit, rows[i].above, true);
		build(&m);
		row_int(&rows[i], m.suite.gates_n, 1);
		row_int(&rows[i], m.suite.gates[0].state, GATE_JUDGED);
		row_int(&rows[i], m.suite.gates[0].evidence.outcome, rows[i].outcome);
		row_int(&rows[i], suite_outcome(&m.suite), rows[i].outcome);
	}
}

static void a_gate_on_the_mean_needs_as_many_runs_as_one_on_a_case(void **state)
{
	static const double ratios[] = { 1.1, 1.1, 1.1, 1.1, 1.1, 1.1 };

	for (size_t n = 2; n <= 8; n++) {
		const bool enough = n >= 6; /* for p = 0.025 in a permutation test */
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", N_OF(ratios), 2);
		for (size_t i = 0; i < N_OF(ratios); i++)
			set_ratio(&m.sides[2 * i], 0, 1, NOISE / 3);
		set_ratios(&m, ratios, NOISE);
		for (size_t i = 0; i < m.input.sides_n; i++)
			m.sides[i].series.runs_n = n;
		add_gate(&m, "page-faults", 0.01, true, true);
		build(&m);
		assert_int_equal(m.suite.gates[0].state, enough ? GATE_JUDGED : GATE_TOO_FEW);
		assert_int_equal(suite_outcome(&m.suite), enough ? GATE_CROSSED : GATE_UNCLEAR);
		for (size_t i = 0; i < m.input.sides_n; i++)
			m.sides[i].series.runs_n = ROUNDS_N;
	}
}

/* Two rounds of a case may have equal values although the program varies: its error is unknown. */
static void a_mean_of_cases_that_are_equal_in_few_rounds_has_too_few_runs(void **state)
{
	static const double ratios[] = { 1.1, 1.1 };

	for (size_t constant = 1; constant <= N_OF(ratios); constant++) {
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", N_OF(ratios), 2);
		set_ratios(&m, ratios, 0);
		if (constant == 1)
			set_ratio(&m.sides[3], 0, ratios[1], NOISE);
		for (size_t i = 0; i < m.input.sides_n; i++)
			m.sides[i].series.runs_n = 2;
		add_gate(&m, "page-faults", 0.01, true, true);
		build(&m);
		assert_false(first_side(&m)->mean.known);
		assert_int_equal(first_side(&m)->verdict, VERDICT_TOO_FEW);
		assert_int_equal(m.suite.gates[0].state, GATE_TOO_FEW);
		for (size_t i = 0; i < m.input.sides_n; i++)
			m.sides[i].series.runs_n = ROUNDS_N;
	}
}

/* Rounding must not move the mean of exact counts to the other side of the limit. */
static void an_exact_mean_that_equals_the_limit_is_kept(void **state)
{
	static const struct {
		uint64_t reference, other;
		double limit;
	} rows[] = { { 100, 110, 0.1 },	     { 1000, 1010, 0.01 }, { 200, 230, 0.15 },
		     { 700, 721, 0.03 },     { 300, 291, -0.03 },  { 1000, 995, -0.005 },
		     { 1000, 1000, 0 },	     { 3000, 3210, 0.07 }, { 64, 128, 1 },
		     { 30000, 30600, 0.02 }, { 900, 450, -0.5 } };

	for (size_t k = 0; k < 2 * N_OF(rows); k++)
		for (size_t cases_n = 2; cases_n <= CASES_MAX; cases_n++) {
			const bool above = k % 2;
			cleanup_with(made_release) struct made m;

			begin(&m, "page-faults", cases_n, 2);
			for (size_t i = 0; i < cases_n; i++) {
				counted_set(&m.sides[2 * i], 0, rows[k / 2].reference);
				counted_set(&m.sides[2 * i + 1], 0, rows[k / 2].other);
			}
			add_gate(&m, "page-faults", rows[k / 2].limit, above, true);
			build(&m);
			if (m.suite.gates[0].evidence.outcome != GATE_KEPT)
				fail_msg("%zu cases, limit %s%g: not kept", cases_n,
					 above ? ">" : "<", rows[k / 2].limit);
		}
}

/* Twice as much in one case and half as much in the other: the mean is exactly 1. */
static void exact_changes_that_cancel_out_keep_a_limit_of_zero(void **state)
{
	static const uint64_t counts[][2] = {
		{ 100, 110 }, { 1000, 1030 }, { 700, 900 }, { 3, 7 }, { 12345, 54321 }
	};

	for (size_t k = 0; k < 2 * N_OF(counts); k++) {
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", 2, 2);
		for (size_t i = 0; i < 4; i++)
			counted_set(&m.sides[i], 0, counts[k / 2][i == 1 || i == 2]);
		add_gate(&m, "page-faults", 0, k % 2, true);
		build(&m);
		assert_int_equal(m.suite.gates[0].evidence.outcome, GATE_KEPT);
	}
}

static void gates_on_cases_and_on_the_mean_are_judged_together(void **state)
{
	static const double ratios[] = { 1.04, 1, 1 };
	static const struct {
		int line;
		double of_cases, of_mean;
		enum gate_outcome outcome, outcome_of_means;
	} rows[] = {
		{ ROW, 0.1, 0.02, GATE_KEPT, GATE_KEPT },
		{ ROW, 0.02, 0.02, GATE_CROSSED, GATE_KEPT },
		{ ROW, 0.1, 0.005, GATE_CROSSED, GATE_CROSSED },
		{ ROW, 0.04, 0.02, GATE_UNCLEAR, GATE_KEPT },
		{ ROW, 0.04, 0.005, GATE_CROSSED, GATE_CROSSED },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", N_OF(ratios), 2);
		set_ratios(&m, ratios, NOISE);
		add_gate(&m, "page-faults", rows[i].of_cases, true, false);
		add_gate(&m, "page-faults", rows[i].of_mean, true, true);
		build(&m);
		row_int(&rows[i], m.suite.gates_n, 1);
		row_int(&rows[i], m.suite.cases[0].gates_n, 1);
		row_int(&rows[i], suite_outcome(&m.suite), rows[i].outcome);
		row_int(&rows[i], m.suite.gates[0].evidence.outcome, rows[i].outcome_of_means);
	}
}

static void a_gate_needs_a_row_that_all_cases_have(void **state)
{
	cleanup_why struct why why = { 0 };
	cleanup_with(made_release) struct made m;

	begin(&m, "page-faults", 2, 2);
	add_gate(&m, "cs", 0.01, true, true);
	assert_int_equal(suite_build(&m.suite, &m.input, &why), -ENOENT);
	assert_string_equal(why.text, "--fail-if 'a gate': not all cases have 'cs'");
}

static void the_first_row_leads(void **state)
{
	cleanup_with(made_release) struct made m;

	begin(&m, "page-faults,cs", 3, 2);
	build(&m);
	assert_int_equal(m.suite.rows_n, 2);
	assert_ptr_equal(m.suite.leading, &m.suite.rows[0]);
	assert_string_equal(m.suite.leading->cases[0]->of->name, "page-faults");
}

/* The first row of a case is the first event that was counted in that case. */
static void the_row_that_leads_most_cases_leads_the_suite(void **state)
{
	for (size_t without = 0; without <= 3; without++) {
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults,cs", 3, 2);
		for (size_t side = 0; side < 2 * without; side++)
			for (size_t run = 0; run < ROUNDS_N; run++)
				m.sides[side].runs[run].readings[0].state = NOT_COUNTED;
		build(&m);
		assert_non_null(m.suite.leading);
		assert_string_equal(m.suite.leading->cases[0]->of->name,
				    without < 2 ? "page-faults" : "cs");
	}
}

static void cases_share_the_error_probability(void **state)
{
	for (size_t cases_n = 2; cases_n <= CASES_MAX; cases_n += 5) {
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", cases_n, 2);
		build(&m);
		for (size_t i = 0; i < cases_n; i++) {
			assert_double(m.suite.cases[i].input.confidence,
				      1 - 0.05 / (double)cases_n);
			assert_double(m.suite.rows[0].cases[i]->confidence,
				      1 - 0.05 / (double)cases_n);
		}
		/* the mean has an error probability of its own */
		assert_double(m.suite.rows[0].confidence, 0.95);
	}
}

/* The first row is judged alone; the means of the others share an error probability. */
static void means_share_the_error_probability_by_claim_and_side(void **state)
{
	for (size_t sides_n = 2; sides_n <= 3; sides_n++) {
		const double others = (double)sides_n - 1;
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults,cs,migrations", 2, sides_n);
		build(&m);
		assert_int_equal(m.suite.rows_n, 3);
		assert_double(m.suite.rows[0].confidence, 1 - 0.05 / others);
		assert_double(m.suite.rows[1].confidence, 1 - 0.05 / (2 * others));
		assert_double(m.suite.rows[2].confidence, 1 - 0.05 / (2 * others));
	}
}

static void each_case_has_the_order_of_its_own_runs(void **state)
{
	static const size_t order[] = { 3, 2, 0, 1, 1, 0, 5, 4, 2, 3 };
	static const size_t expected[][4] = { { 0, 1, 1, 0 }, { 1, 0, 0, 1 }, { 1, 0 } };
	static const size_t runs_n[] = { 4, 4, 2 };
	cleanup_with(made_release) struct made m;

	begin(&m, "page-faults", 3, 2);
	m.input.order = order;
	m.input.order_n = N_OF(order);
	m.cases[1].any_time = true;
	for (size_t i = 0; i < 3; i++) {
		size_t room[N_OF(order)];
		const struct comparison_input in = suite_input_of_case(&m.input, i, room);

		assert_ptr_equal(in.sides, m.inputs + 2 * i);
		assert_int_equal(in.sides_n, 2);
		assert_int_equal(in.cases_n, 0);
		assert_int_equal(in.any_time, i == 1);
		assert_ptr_equal(in.order, room);
		assert_int_equal(in.order_n, runs_n[i]);
		assert_memory_equal(room, expected[i], runs_n[i] * sizeof(*room));
	}
}

static void a_mean_at_any_time_takes_the_rounds_that_all_cases_have(void **state)
{
	enum { COMMON = 8 };
	double values[ROUNDS_N];

	for (size_t i = 0; i < ROUNDS_N; i++)
		values[i] = 1000 * (i < COMMON ? 1.1 : 1.4) * exp(i % 2 ? NOISE : -NOISE);
	for (int any_time = 0; any_time < 2; any_time++) {
		cleanup_with(made_release) struct made m;
		const struct suite_side *side;
		const double all = sqrt(1.1 * pow(1.1, 2.0 / 3) * pow(1.4, 1.0 / 3));

		begin(&m, "page-faults", 2, 2);
		set_ratio(&m.sides[1], 0, 1.1, NOISE);
		counted_set_values(&m.sides[3], 0, values);
		m.sides[0].series.runs_n = m.sides[1].series.runs_n = COMMON;
		m.input.any_time = m.cases[0].any_time = any_time;
		build(&m);
		side = first_side(&m);
		is_near(side->ratio.value, all);
		is_near(exp(side->mean.value), any_time ? 1.1 : all);
		if (any_time) { /* the interval contains the mean of all rounds, too */
			assert_true(side->ratio.low < 1.1);
			assert_true(side->ratio.high >= all);
		}
		m.sides[0].series.runs_n = m.sides[1].series.runs_n = ROUNDS_N; /* to release */
	}
}

static void a_warning_says_which_tests_are_valid_at_any_time(void **state)
{
	static const struct num_style numbers = { .thousands = ",", .point = "." };
	static const struct text_style style = { .numbers = &numbers };
	static const struct {
		bool any_time[2]; /* of the cases */
		const char *sentence; /* NULL: none */
	} rows[] = {
		{ { false, false }, NULL },
		{ { false, true },
		  "[ ] and verdicts are valid at any time in 1 of 2 cases and for the geometric mean" },
		{ { true, true }, "[ ] and verdicts are valid at any time" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str_list struct str_list warnings = { 0 };
		cleanup_with(made_release) struct made m;

		begin(&m, "page-faults", 2, 2);
		for (size_t k = 0; k < 2; k++) {
			m.cases[k].any_time = rows[i].any_time[k];
			m.input.any_time |= rows[i].any_time[k];
		}
		build(&m);
		assert_int_equal(suite_text_warnings(&warnings, &m.suite, &style), 0);
		assert_int_equal(warnings.n, rows[i].sentence != NULL);
		if (rows[i].sentence)
			assert_string_equal(warnings.v[0], rows[i].sentence);
	}
}

/* The first rounds are equal, but the others show how much the counts vary. */
static void equal_rounds_that_all_cases_have_are_not_exact(void **state)
{
	enum { COMMON = 4 };
	double values[ROUNDS_N];
	cleanup_with(made_release) struct made m;

	for (size_t i = 0; i < ROUNDS_N; i++)
		values[i] = 1000 * (i < COMMON ? 1 : exp(i % 2 ? 0.05 : -0.05));
	begin(&m, "page-faults", 2, 2);
	counted_set_values(&m.sides[3], 0, values);
	m.sides[0].series.runs_n = m.sides[1].series.runs_n = COMMON;
	m.input.any_time = m.cases[0].any_time = true;
	build(&m);
	assert_true(first_side(&m)->mean.error > 0.005);
	assert_int_equal(first_side(&m)->verdict, VERDICT_TOO_FEW);
	m.sides[0].series.runs_n = m.sides[1].series.runs_n = ROUNDS_N; /* to release */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_are_in_the_order_of_their_ratios),
		cmocka_unit_test(cases_with_equal_ratios_keep_their_order),
		cmocka_unit_test(each_verdict_has_the_number_of_its_cases),
		cmocka_unit_test(the_mean_is_that_of_the_ratios_of_all_cases),
		cmocka_unit_test(an_exact_mean_that_equals_the_minimum_effect_is_the_same),
		cmocka_unit_test(a_count_of_zero_withholds_the_mean),
		cmocka_unit_test(one_count_of_zero_in_one_round_withholds_the_mean),
		cmocka_unit_test(a_gate_on_the_mean_is_kept_crossed_or_unclear),
		cmocka_unit_test(a_gate_on_the_mean_needs_as_many_runs_as_one_on_a_case),
		cmocka_unit_test(a_mean_of_cases_that_are_equal_in_few_rounds_has_too_few_runs),
		cmocka_unit_test(an_exact_mean_that_equals_the_limit_is_kept),
		cmocka_unit_test(exact_changes_that_cancel_out_keep_a_limit_of_zero),
		cmocka_unit_test(gates_on_cases_and_on_the_mean_are_judged_together),
		cmocka_unit_test(a_gate_needs_a_row_that_all_cases_have),
		cmocka_unit_test(the_first_row_leads),
		cmocka_unit_test(the_row_that_leads_most_cases_leads_the_suite),
		cmocka_unit_test(cases_share_the_error_probability),
		cmocka_unit_test(means_share_the_error_probability_by_claim_and_side),
		cmocka_unit_test(each_case_has_the_order_of_its_own_runs),
		cmocka_unit_test(a_mean_at_any_time_takes_the_rounds_that_all_cases_have),
		cmocka_unit_test(equal_rounds_that_all_cases_have_are_not_exact),
		cmocka_unit_test(a_warning_says_which_tests_are_valid_at_any_time),
	};

	return cmocka_run_group_tests(tests, load_math, NULL);
}
