/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the runs of a comparison are enough. */
#include <math.h>
#include <stdio.h>

#include "run/stopping.c" /* for its static functions */

#include "base/cleanup.h"
#include "base/why.h"
#include "unit/reference.h"
#include "unit/test.h"

#define S UINT64_C(1000000000)

enum { SIDES_MAX = 3, ROWS_N = 2 };

/* Sides that count two events, and a rule that watches them. */
struct trial {
	char names[ROWS_N][2]; /* of the events */
	struct event events[ROWS_N];
	struct event_list list;
	struct opening openings[ROWS_N];
	struct reading readings[SIDES_MAX][ROWS_N];
	struct run runs[SIDES_MAX];
	struct side sides[SIDES_MAX];
	struct rounds_done done;
	struct stopping s;
	uint64_t random;
};

static struct stopping new_rule(double confidence)
{
	struct stopping s = {
		.limit_ns = 10 * S, .confidence = confidence, .is_paired = true, .math = &math
	};

	return s;
}

static struct comparison_plan new_plan(size_t verdicts_n, size_t limits_n)
{
	return (struct comparison_plan){ .verdicts_n = verdicts_n,
					 .limits_n = limits_n,
					 .firsts = { { 0, 0.01 }, { 1, 0.01 } },
					 .firsts_n = 1,
					 .confidence = 0.95 };
}

/* Plan for two sides with one first row: one verdict. */
static void set_sizes(struct stopping *s, size_t verdicts_n, size_t limits_n)
{
	const struct comparison_plan plan = new_plan(verdicts_n, limits_n);

	stopping_set_plan(s, &plan);
}

static void trial_release(struct trial *t)
{
	stopping_release(&t->s);
}
#define cleanup_trial cleanup_with(trial_release)

static void trial_init(struct trial *t, size_t sides_n, const struct comparison_plan *plan)
{
	static const struct row rows[ROWS_N] = { { .event = 0 }, { .event = 1 } };

	*t = (struct trial){ .names = { "a", "b" }, .s = new_rule(0.95), .random = 4711 };
	for (size_t i = 0; i < ROWS_N; i++)
		t->events[i] = (struct event){ .name = t->names[i], .factor = 1 };
	t->list = (struct event_list){ .events = t->events, .n = ROWS_N };
	for (size_t i = 0; i < sides_n; i++) {
		t->runs[i] = (struct run){ .readings = t->readings[i] };
		t->sides[i].series = (struct series){ .events = &t->list,
						      .openings = t->openings,
						      .rows = rows,
						      .rows_n = ROWS_N,
						      .runs = &t->runs[i],
						      .runs_n = 1 };
	}
	t->done = (struct rounds_done){ .sides = t->sides, .n = sides_n };
	t->s.sides_n = sides_n;
	stopping_set_plan(&t->s, plan);
	assert_int_equal(stopping_init(&t->s), 0);
}

/* From -1 to 1. */
static double noise(struct trial *t)
{
	t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(t->random >> 32) / (double)(UINT64_C(1) << 31) - 1;
}

/* The count of a row in the next run of a side. Below 0: not counted. */
static void set_count(struct trial *t, size_t side, size_t row, double count)
{
	const struct reading counted = { COUNTED, { (uint64_t)(fabs(count) + 0.5), S, S } };
	const struct reading not_counted = { .state = NOT_COUNTED };

	t->readings[side][row] = count < 0 ? not_counted : counted;
}

/* Near the mean, at most this share away from it. */
static void set_noisy(struct trial *t, size_t side, size_t row, double mean, double share)
{
	set_count(t, side, row, mean * (1 + share * noise(t)));
}

/* Count a round, which ends after this time of all rounds. */
static enum stop count_round(struct trial *t, double seconds)
{
	const bool enough = (t->done.rounds_n++, t->done.elapsed_ns = (uint64_t)(seconds * 1e9),
			     stopping_is_enough(&t->done, &t->s));

	assert_int_equal(enough, t->s.stop != STOP_NOT);
	return t->s.stop;
}

static void a_verdict_needs_runs_by_its_confidence(void **state)
{
	static const struct {
		int line;
		double confidence;
		size_t paired, unpaired, constant;
	} rows[] = {
		{ ROW, 0.90, 5, 4, 3 },
		{ ROW, 0.95, 6, 4, 3 },
		{ ROW, 0.99, 8, 5, 4 },
		{ ROW, 0.60, 3, 2, 2 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct stopping s = new_rule(rows[i].confidence);

		set_sizes(&s, 1, 0);
		row_int(&rows[i], s.runs_min, rows[i].paired);
		row_int(&rows[i], s.runs_min_constant, rows[i].constant);
		s.is_paired = false;
		set_sizes(&s, 1, 0);
		row_int(&rows[i], s.runs_min, rows[i].unpaired);
	}
}

/* 0.05 / 8 is above 2 / 2^9, and 0.05 / 24 above 2 / 2^10. */
static void more_verdicts_need_more_runs(void **state)
{
	static const struct {
		int line;
		size_t verdicts_n, paired, constant;
	} rows[] = { { ROW, 0, 6, 3 }, { ROW, 1, 6, 3 }, { ROW, 8, 9, 5 }, { ROW, 24, 10, 5 } };

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct stopping s = new_rule(0.95);

		set_sizes(&s, rows[i].verdicts_n, 0);
		row_int(&rows[i], s.runs_min, rows[i].paired);
		row_int(&rows[i], s.runs_min_constant, rows[i].constant);
	}
}

static void a_number_of_runs_is_short_of_a_verdict(void **state)
{
	static const struct {
		int line;
		double confidence;
		bool paired;
		size_t runs, reference_n, limits_n;
		bool is_short;
	} rows[] = {
		{ ROW, 0.95, true, 0, 0, 0, false }, /* not given */
		{ ROW, 0.95, true, 1, 0, 0, true },
		{ ROW, 0.95, true, 5, 0, 0, true },
		{ ROW, 0.95, true, 6, 0, 0, false },
		{ ROW, 0.99, true, 7, 0, 0, true },
		{ ROW, 0.95, false, 3, 0, 0, true },
		{ ROW, 0.95, false, 4, 0, 0, false },
		{ ROW, 0.95, false, 2, 4, 0, true }, /* one of 15 ways */
		{ ROW, 0.95, false, 2, 5, 0, false }, /* of 21 */
		{ ROW, 0.95, false, 2, 6, 0, false }, /* of 28 */
		{ ROW, 0.95, false, 2, 6, 1, true }, /* above half of 0.05 */
		{ ROW, 0.95, false, 3, 6, 1, false },
		{ ROW, 0.95, false, 4, 2, 0, true },
		{ ROW, 0.95, false, 5, 2, 0, false },
		{ ROW, 0.95, false, 100, 1, 0, true },
		{ ROW, 0.95, false, 0, 1, 0, true }, /* no number is enough */
		{ ROW, 0.95, false, 1, 100, 0, true },
		{ ROW, 0.95, true, 6, 0, 1, false }, /* one of 64 */
		{ ROW, 0.95, true, 6, 0, 2, true },
		{ ROW, 0.95, true, 7, 0, 3, false },
		{ ROW, 0.95, true, 7, 0, 4, true },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct stopping s = new_rule(rows[i].confidence);

		s.runs = rows[i].runs;
		s.is_paired = rows[i].paired;
		s.reference_n = rows[i].reference_n;
		set_sizes(&s, 1, rows[i].limits_n);
		row_int(&rows[i], stopping_is_short(&s), rows[i].is_short);
	}
}

/* ---- The mean of each side: --precision, and sides that are not paired. */

/* Count n rounds of two sides with the means 100,000 and 200,000. Half of the counts of a side are
 * above its mean, half are below it, by this percentage. Returns the stop after the last round. */
static enum stop count_two(struct trial *t, size_t n, const double percents[2], double seconds)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t side = 0; side < 2; side++)
			set_count(t, side, 0,
				  1000.0 * (double)(1 + side) *
					  (i % 2 ? 100 + percents[side] : 100 - percents[side]));
		count_round(t, i + 1 < n ? 0 : seconds);
	}
	return t->s.stop;
}

static void the_precision_of_the_means_or_the_time_ends_the_runs(void **state)
{
	static const struct {
		int line;
		size_t n;
		double percents[2];
		double seconds;
		enum stop stop;
	} rows[] = {
		{ ROW, 2, { 0, 0 }, 0.1, STOP_NOT }, /* constant, and too few */
		{ ROW, 3, { 0, 0 }, 0.1, STOP_PRECISE }, /* constant */
		{ ROW, 3, { 0, 0.1 }, 0.1, STOP_NOT }, /* one side is not constant */
		{ ROW, 5, { 0.001, 0.001 }, 0.1, STOP_NOT },
		{ ROW, 6, { 0.001, 0.001 }, 0.1, STOP_PRECISE },
		{ ROW, 6, { 2, 0.001 }, 0.1, STOP_NOT },
		{ ROW, 6, { 0.001, 2 }, 0.1, STOP_NOT },
		{ ROW, 6, { 0.001, 2 }, 9.9, STOP_NOT },
		{ ROW, 6, { 0.001, 2 }, 10, STOP_TIME },
		{ ROW, 1000, { 2, 2 }, 9, STOP_PRECISE }, /* 2 % of spread, over √1000 */
		{ ROW, 5, { 2, 2 }, 50, STOP_NOT }, /* a sixth run makes 60 s */
		{ ROW, 5, { 2, 2 }, 51, STOP_TOO_LONG },
		{ ROW, 1, { 2, 2 }, 9, STOP_NOT }, /* 54 s */
		{ ROW, 1, { 2, 2 }, 40, STOP_TOO_LONG },
	};
	const struct comparison_plan plan = new_plan(1, 0);

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_trial struct trial t;

		trial_init(&t, 2, &plan);
		t.s.precision = 0.01;
		row_int(&rows[i], count_two(&t, rows[i].n, rows[i].percents, rows[i].seconds),
			rows[i].stop);
	}
}

static void sides_that_are_not_paired_use_their_means_or_all_the_time(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	const double percents[] = { 0.001, 0.001 };
	cleanup_trial struct trial t, u;

	trial_init(&t, 2, &plan);
	t.s.is_paired = false;
	t.s.precision = 0.01;
	stopping_set_plan(&t.s, &plan);
	assert_int_equal(count_two(&t, 3, percents, 5), STOP_NOT); /* too few for a verdict */
	assert_int_equal(count_two(&t, 1, percents, 5), STOP_PRECISE);
	trial_init(&u, 2, &plan);
	u.s.is_paired = false;
	assert_int_equal(count_two(&u, 1000, percents, 9.9), STOP_NOT);
	assert_int_equal(count_two(&u, 1, percents, 10), STOP_TIME);
}

/* One side after the other: each has its share of the time, and the rows of both are watched. */
static void sides_that_run_one_after_the_other_share_the_time(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	trial_init(&t, 2, &plan);
	t.s.is_paired = false;
	stopping_set_plan(&t.s, &plan);
	for (size_t side = 0; side < 2; side++) {
		t.done = (struct rounds_done){ .sides = t.sides, .first = side, .n = 1 };
		for (int i = 1; i <= 6; i++) {
			set_noisy(&t, side, 0, 1000, 0.1);
			assert_int_equal(count_round(&t, i < 6 ? 0.8 * i : 5),
					 i < 6 ? STOP_NOT : STOP_TIME);
		}
		assert_int_equal(stopping_watched(&t.s, side, 0)->values.n, 6);
		assert_int_equal(stopping_watched(&t.s, side, 0)->differences.n, 0);
	}
}

static void a_number_of_runs_is_that_number(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	const double percents[] = { 0, 0 };
	cleanup_trial struct trial t, u;

	trial_init(&t, 2, &plan);
	t.s.runs = 5;
	assert_int_equal(count_two(&t, 4, percents, 1000), STOP_NOT);
	assert_int_equal(count_two(&t, 1, percents, 0), STOP_RUNS);
	trial_init(&u, 2, &plan);
	u.s.forever = true;
	assert_int_equal(count_two(&u, 1000, percents, 1000), STOP_NOT);
}

/* ---- The change: the default. */

/* Count rounds of 10 ms until the rule has enough. The other side differs from the reference by this
 * share; the counts of a pair have this noise, or one that depends on the pair. Returns the number
 * of rounds. */
static size_t rounds_until_enough(struct trial *t, double change, double share)
{
	do {
		set_noisy(t, 0, 0, 1e9, share);
		set_noisy(t, 1, 0, 1e9 * (1 + change), share);
	} while (count_round(t, (double)(t->done.rounds_n + 1) * 0.01) == STOP_NOT);
	return t->done.rounds_n;
}

/* Half the width of the interval of the first row's change, in logarithms. */
static double half_width(const struct trial *t, size_t side)
{
	const struct summary *logs = &stopping_watched(&t->s, side, 0)->logs;

	return interval_t(&math, t->s.plan.confidence, (double)logs->n - 1) * summary_stderr(logs);
}

/* With a gate, no test ends the rounds. */
static void the_width_of_the_interval_decides_and_not_the_change(void **state)
{
	static const double changes[] = { 0, 0.003, -0.02, 1 };
	const struct comparison_plan plan = new_plan(1, 1);
	size_t expected = 0;

	for (size_t i = 0; i < N_OF(changes); i++) {
		cleanup_trial struct trial t;
		size_t n;

		trial_init(&t, 2, &plan);
		n = rounds_until_enough(&t, changes[i], 0.02);
		assert_int_equal(t.s.stop, STOP_PRECISE);
		assert_true(half_width(&t, 1) <= log(1.01) / 2);
		assert_true(half_width(&t, 1) > log(1.01) / 2 * 0.9);
		assert_true(i == 0 || n == expected);
		assert_in_range(n, 20, 100);
		expected = n;
	}
}

static void a_smaller_minimum_effect_needs_a_narrower_interval(void **state)
{
	struct comparison_plan plan = new_plan(1, 1);
	size_t before = 0;

	for (double effect = 0.04; effect > 0.005; effect /= 2) {
		cleanup_trial struct trial t;
		size_t n;

		plan.firsts[0].effect = effect;
		trial_init(&t, 2, &plan);
		n = rounds_until_enough(&t, 0, 0.02);
		assert_int_equal(t.s.stop, STOP_PRECISE);
		assert_true(half_width(&t, 1) <= log1p(effect) / 2);
		assert_true(n > before);
		before = n;
	}
}

/* Two first rows share the probability of error: their intervals are wider. */
static void the_confidence_is_that_of_the_first_rows(void **state)
{
	struct comparison_plan plan = new_plan(1, 1);
	cleanup_trial struct trial t, u;
	size_t n;

	trial_init(&t, 2, &plan);
	n = rounds_until_enough(&t, 0, 0.02);
	plan.confidence = 0.975;
	trial_init(&u, 2, &plan);
	assert_true(rounds_until_enough(&u, 0, 0.02) > n);
	assert_true(half_width(&u, 1) <= log(1.01) / 2);
}

static void a_large_difference_ends_the_runs_after_a_tenth_of_the_limit(void **state)
{
	static const double changes[] = { 0.5, -0.3 };
	const struct comparison_plan plan = new_plan(1, 0);

	for (size_t i = 0; i < N_OF(changes); i++) {
		cleanup_trial struct trial t, u;

		trial_init(&t, 2, &plan);
		assert_int_equal(rounds_until_enough(&t, changes[i], 0.2), 100);
		assert_int_equal(t.s.stop, STOP_DIFFERENT);
		trial_init(&u, 2, &plan);
		u.s.limit_ns = 5 * S;
		assert_int_equal(rounds_until_enough(&u, changes[i], 0.2), 50);
		assert_int_equal(u.s.stop, STOP_DIFFERENT);
	}
}

/* The first round after a tenth of the limit at which the p of the sequential test is a fifth of the
 * level. The interval of a t test excludes 0 much earlier. */
static void a_difference_is_found_by_the_sequential_test(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;
	size_t t_test = 0;

	trial_init(&t, 2, &plan);
	for (;;) {
		const struct summary *logs = &stopping_watched(&t.s, 1, 0)->logs;
		bool found;

		set_noisy(&t, 0, 0, 1e9, 0.4);
		set_noisy(&t, 1, 0, 1.06e9, 0.4);
		count_round(&t, 1 + (double)t.done.rounds_n * 0.01);
		if (logs->n < 6)
			continue;
		found = fabs((double)logs->mean) >=
			summary_stderr(logs) * sequential_t(&math, 0.05 / 5, logs->n);
		assert_int_equal(t.s.stop, found ? STOP_DIFFERENT : STOP_NOT);
		if (t_test == 0 && fabs((double)logs->mean) > half_width(&t, 1))
			t_test = t.done.rounds_n;
		if (found)
			break;
	}
	assert_in_range(t_test, 6, t.done.rounds_n - 10);
}

/* Limits are judged by tests for a planned number of runs. */
static void with_a_gate_a_difference_ends_nothing(void **state)
{
	const struct comparison_plan plan = new_plan(1, 1);
	cleanup_trial struct trial t;

	trial_init(&t, 2, &plan);
	assert_int_equal(rounds_until_enough(&t, 0.5, 0.2), 1000);
	assert_int_equal(t.s.stop, STOP_TIME);
}

static void with_a_precision_a_difference_ends_nothing(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	trial_init(&t, 2, &plan);
	t.s.precision = 0.001;
	assert_int_equal(rounds_until_enough(&t, 0.5, 0.2), 1000);
	assert_int_equal(t.s.stop, STOP_TIME);
}

static void noise_without_a_difference_takes_all_the_time(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	trial_init(&t, 2, &plan);
	assert_int_equal(rounds_until_enough(&t, 0, 0.5), 1000);
	assert_int_equal(t.s.stop, STOP_TIME);
}

/* Count n rounds of three sides. The other sides differ by these changes, with this noise. */
static enum stop count_three(struct trial *t, size_t n, const double changes[2],
			     const double shares[2])
{
	for (size_t i = 0; i < n; i++) {
		set_count(t, 0, 0, 1e9);
		for (size_t side = 1; side < 3; side++)
			set_noisy(t, side, 0, 1e9 * (1 + changes[side - 1]), shares[side - 1]);
		count_round(t, 2);
	}
	return t->s.stop;
}

static void all_sides_have_to_be_known(void **state)
{
	static const struct {
		int line;
		double changes[2], shares[2];
		enum stop stop;
	} rows[] = {
		{ ROW, { 0.5, 0.3 }, { 0.2, 0.2 }, STOP_DIFFERENT },
		{ ROW, { 0.5, 0 }, { 0.2, 0.2 }, STOP_NOT },
		{ ROW, { 0, 0.5 }, { 0.2, 0.2 }, STOP_NOT },
		{ ROW, { 0, 0.5 }, { 0.001, 0.001 }, STOP_PRECISE },
		/* a side is known to be equal, and the other one to differ */
		{ ROW, { 0, 0.5 }, { 0.001, 0.2 }, STOP_DIFFERENT },
		{ ROW, { 0.5, 0 }, { 0.2, 0.001 }, STOP_DIFFERENT },
		{ ROW, { 0, 0 }, { 0.001, 0.2 }, STOP_NOT },
	};
	const struct comparison_plan plan = new_plan(2, 0);

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_trial struct trial t;

		trial_init(&t, 3, &plan);
		row_int(&rows[i], count_three(&t, 50, rows[i].changes, rows[i].shares),
			rows[i].stop);
	}
}

/* The changes of the sides share the level of the sequential test. */
static void more_sides_need_a_smaller_p(void **state)
{
	const struct comparison_plan plan = new_plan(2, 0);
	cleanup_trial struct trial t;
	double p;

	trial_init(&t, 3, &plan);
	do {
		const struct summary *logs = &stopping_watched(&t.s, 1, 0)->logs;

		set_noisy(&t, 0, 0, 1e9, 0.4);
		set_noisy(&t, 1, 0, 1.06e9, 0.4);
		set_count(&t, 2, 0, (double)t.readings[1][0].counts.raw);
		count_round(&t, 2);
		p = sequential_p(&math, (double)logs->mean / summary_stderr(logs), logs->n);
		if (t.done.rounds_n >= 7)
			assert_int_equal(t.s.stop, p <= 0.025 / 5 ? STOP_DIFFERENT : STOP_NOT);
	} while (t.s.stop == STOP_NOT);
	assert_true(p > 0.001);
}

/* ---- Two first rows. */

/* Count 50 rounds of two sides. The second side differs by these changes in the two first rows, with
 * this noise. */
static enum stop count_rows(struct trial *t, const double changes[2], const double shares[2])
{
	for (size_t i = 0; i < 50; i++) {
		for (size_t row = 0; row < 2; row++) {
			set_count(t, 0, row, 1e9);
			set_noisy(t, 1, row, 1e9 * (1 + changes[row]), shares[row]);
		}
		count_round(t, 2);
	}
	return t->s.stop;
}

static void one_of_the_first_rows_has_to_be_known(void **state)
{
	static const struct {
		int line;
		double changes[2], shares[2];
		enum stop stop;
	} rows[] = {
		{ ROW, { 0, 0 }, { 0.2, 0.2 }, STOP_NOT },
		{ ROW, { 0, 0 }, { 0.001, 0.2 }, STOP_PRECISE },
		{ ROW, { 0, 0 }, { 0.2, 0.001 }, STOP_PRECISE },
		{ ROW, { 0.5, 0 }, { 0.2, 0.2 }, STOP_DIFFERENT },
		{ ROW, { 0, 0.5 }, { 0.2, 0.2 }, STOP_DIFFERENT },
		/* tests that need not be valid at any time have narrower intervals */
		{ ROW, { 0.5, 0 }, { 0.2, 0.001 }, STOP_PRECISE },
		{ ROW, { 0, 0.5 }, { 0.001, 0.2 }, STOP_PRECISE },
	};
	struct comparison_plan plan = new_plan(2, 0);

	plan.firsts_n = 2;
	plan.confidence = 0.975;
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_trial struct trial t;

		trial_init(&t, 2, &plan);
		row_int(&rows[i], count_rows(&t, rows[i].changes, rows[i].shares), rows[i].stop);
		row_int(&rows[i], stopping_watched(&t.s, 1, 1)->differences.n, 50);
	}
}

/* One row is known on one side, the other row on the other side: no conclusion has both. */
static void one_row_has_to_be_known_on_all_sides(void **state)
{
	struct comparison_plan plan = new_plan(4, 0);
	cleanup_trial struct trial t;

	plan.firsts_n = 2;
	trial_init(&t, 3, &plan);
	for (size_t i = 0; i < 50; i++) {
		for (size_t row = 0; row < 2; row++) {
			set_count(&t, 0, row, 1e9);
			for (size_t side = 1; side < 3; side++)
				set_noisy(&t, side, row, 1e9, side == row + 1 ? 0.001 : 0.2);
		}
		assert_int_equal(count_round(&t, 2), STOP_NOT);
	}
	assert_int_equal(stopping_knows(&t.s, 1, 0), STOP_PRECISE);
	assert_int_equal(stopping_knows(&t.s, 2, 1), STOP_PRECISE);
	assert_int_equal(stopping_knows(&t.s, 1, 1), STOP_NOT);
}

/* Only elapsed time: it has no reading. */
static void the_elapsed_time_is_watched(void **state)
{
	struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	plan.firsts[0].row = COMPARISON_ELAPSED;
	trial_init(&t, 2, &plan);
	for (size_t i = 1; i <= 6; i++) {
		for (size_t side = 0; side < 2; side++)
			t.runs[side].tool[TOOL_DURATION_TIME] = 1000000 * (1 + side) + i;
		assert_int_equal(count_round(&t, 0.1), i < 6 ? STOP_NOT : STOP_PRECISE);
	}
	assert_true(stopping_watched(&t.s, 1, 0)->values.mean == 2000003.5L);
}

/* ---- Counts that do not vary, counts of 0, and runs without a count. */

static void constant_counts_need_three_rounds(void **state)
{
	static const double counts[][2] = { { 1000, 1000 }, { 1000, 1001 }, { 0, 0 }, { 0, 7 } };
	const struct comparison_plan plan = new_plan(1, 0);

	for (size_t i = 0; i < N_OF(counts); i++) {
		cleanup_trial struct trial t;

		trial_init(&t, 2, &plan);
		for (size_t round = 1; round <= 3; round++) {
			set_count(&t, 0, 0, counts[i][0]);
			set_count(&t, 1, 0, counts[i][1]);
			assert_int_equal(count_round(&t, 0.1), round < 3 ? STOP_NOT : STOP_PRECISE);
		}
	}
}

/* The differences decide if some pairs have no ratio: 1 % of the reference's mean. */
static void pairs_with_a_count_of_0_are_compared_by_their_differences(void **state)
{
	const struct comparison_plan plan = new_plan(1, 1);
	cleanup_trial struct trial t;
	const struct watched *it;

	trial_init(&t, 2, &plan);
	it = stopping_watched(&t.s, 1, 0);
	for (size_t i = 0; i < 2000; i++) {
		double error;

		set_count(&t, 0, 0, i == 0 ? 0 : 1000);
		set_count(&t, 1, 0, i == 0 ? 0 : i % 2 ? 1030 : 970);
		count_round(&t, 1);
		if (i < 6)
			continue;
		error = interval_t(&math, 0.95, (double)i) * summary_stderr(&it->differences);
		assert_int_equal(
			t.s.stop,
			error <= 0.005 * (double)stopping_watched(&t.s, 0, 0)->values.mean ?
				STOP_PRECISE :
				STOP_NOT);
		if (t.s.stop == STOP_PRECISE)
			break;
	}
	assert_int_equal(it->logs.n, it->differences.n - 1);
	assert_in_range(it->differences.n, 100, 200);
}

/* No width is a share of 0, so the change is known only if it is a difference. */
static void a_reference_of_0_has_a_difference_or_takes_all_the_time(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t, u;

	trial_init(&t, 2, &plan);
	trial_init(&u, 2, &plan);
	for (size_t i = 0; i < 100; i++) {
		set_count(&t, 0, 0, 0);
		set_count(&t, 1, 0, i % 2 ? 100 : 110);
		count_round(&t, 2);
		set_count(&u, 0, 0, 0);
		set_count(&u, 1, 0, i % 50 == 0 ? 1 : 0);
		assert_int_equal(count_round(&u, 2), STOP_NOT);
	}
	assert_int_equal(t.s.stop, STOP_DIFFERENT);
	assert_int_equal(count_round(&u, 10), STOP_TIME);
}

static void rounds_without_a_count_on_both_sides_are_ignored(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	trial_init(&t, 2, &plan);
	for (size_t i = 0; i < 10; i++) { /* 4 have a count on both sides */
		set_noisy(&t, 0, 0, i % 3 == 1 ? -1 : 1e9, 0.0001);
		set_noisy(&t, 1, 0, i % 3 == 2 ? -1 : 2e9, 0.0001);
		assert_int_equal(count_round(&t, 2), STOP_NOT);
	}
	assert_int_equal(stopping_watched(&t.s, 0, 0)->values.n, 7);
	assert_int_equal(stopping_watched(&t.s, 1, 0)->values.n, 7);
	assert_int_equal(stopping_watched(&t.s, 1, 0)->differences.n, 4);
	assert_int_equal(stopping_watched(&t.s, 1, 0)->logs.n, 4);
	assert_true(fabs((double)stopping_watched(&t.s, 1, 0)->logs.mean - log(2)) < 0.001);
	for (size_t i = 5; i <= 6; i++) {
		set_noisy(&t, 0, 0, 1e9, 0.0001);
		set_noisy(&t, 1, 0, 2e9, 0.0001);
		assert_int_equal(count_round(&t, 2), i < 6 ? STOP_NOT : STOP_PRECISE);
	}
}

static void a_row_that_one_side_never_counts_takes_all_the_time(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	trial_init(&t, 2, &plan);
	for (size_t i = 0; i < 20; i++) {
		set_count(&t, 0, 0, 1e9);
		set_count(&t, 1, 0, -1);
		assert_int_equal(count_round(&t, 0.5), STOP_NOT);
	}
	assert_int_equal(count_round(&t, 10), STOP_TIME);
}

/* ---- A plan that is made again. */

/* --per-process adds rows. More rows may need more runs, unless the counts are constant. */
static void more_rows_may_need_more_runs(void **state)
{
	const struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t, u;

	trial_init(&t, 2, &plan);
	trial_init(&u, 2, &plan);
	for (size_t i = 0; i < 9; i++) {
		for (size_t side = 0; side < 2; side++) {
			set_noisy(&t, side, 0, 1e9, 0.0001);
			set_count(&u, side, 0, 1e9);
		}
		count_round(&t, 1);
		count_round(&u, 1);
	}
	set_sizes(&t.s, 12, 0);
	assert_false(stopping_needs_more(&t.s, &t.done));
	set_sizes(&t.s, 13, 0);
	assert_true(stopping_needs_more(&t.s, &t.done));
	set_sizes(&u.s, 13, 0);
	assert_false(stopping_needs_more(&u.s, &u.done));
}

/* The rows change only before they have values: a mixture would be the values of no row. */
static void the_first_rows_are_final_once_they_have_values(void **state)
{
	struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	trial_init(&t, 2, &plan);
	plan.firsts[0].row = 1;
	stopping_set_plan(&t.s, &plan);
	assert_int_equal(t.s.plan.firsts[0].row, 1);
	for (size_t side = 0; side < 2; side++) {
		set_count(&t, side, 0, 5);
		set_count(&t, side, 1, 7);
	}
	count_round(&t, 0.1);
	plan = (struct comparison_plan){ .verdicts_n = 8,
					 .limits_n = 3,
					 .firsts = { { 0, 0.5 } },
					 .firsts_n = 1,
					 .confidence = 0.5 };
	stopping_set_plan(&t.s, &plan);
	assert_int_equal(t.s.plan.firsts[0].row, 1);
	assert_true(t.s.plan.firsts[0].effect == 0.01 && t.s.plan.confidence == 0.95);
	assert_int_equal(t.s.plan.verdicts_n, 8);
	assert_int_equal(t.s.plan.limits_n, 3);
	assert_int_equal(t.s.runs_min, 9);
	count_round(&t, 0.1);
	assert_int_equal(stopping_watched(&t.s, 0, 0)->values.n, 2);
	assert_true(stopping_watched(&t.s, 0, 0)->values.mean == 7);
}

/* Two first rows: only the second has a count. */
static void the_value_of_any_first_row_makes_all_final(void **state)
{
	struct comparison_plan plan = new_plan(1, 0);
	cleanup_trial struct trial t;

	plan.firsts_n = 2;
	trial_init(&t, 2, &plan);
	for (size_t side = 0; side < 2; side++) {
		set_count(&t, side, 0, -1);
		set_count(&t, side, 1, 7);
	}
	count_round(&t, 0.1);
	plan.firsts[1].effect = 0.5;
	stopping_set_plan(&t.s, &plan);
	assert_true(t.s.plan.firsts[1].effect == 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_verdict_needs_runs_by_its_confidence),
		cmocka_unit_test(more_verdicts_need_more_runs),
		cmocka_unit_test(a_number_of_runs_is_short_of_a_verdict),
		cmocka_unit_test(the_precision_of_the_means_or_the_time_ends_the_runs),
		cmocka_unit_test(sides_that_are_not_paired_use_their_means_or_all_the_time),
		cmocka_unit_test(sides_that_run_one_after_the_other_share_the_time),
		cmocka_unit_test(a_number_of_runs_is_that_number),
		cmocka_unit_test(the_width_of_the_interval_decides_and_not_the_change),
		cmocka_unit_test(a_smaller_minimum_effect_needs_a_narrower_interval),
		cmocka_unit_test(the_confidence_is_that_of_the_first_rows),
		cmocka_unit_test(a_large_difference_ends_the_runs_after_a_tenth_of_the_limit),
		cmocka_unit_test(a_difference_is_found_by_the_sequential_test),
		cmocka_unit_test(with_a_gate_a_difference_ends_nothing),
		cmocka_unit_test(with_a_precision_a_difference_ends_nothing),
		cmocka_unit_test(noise_without_a_difference_takes_all_the_time),
		cmocka_unit_test(all_sides_have_to_be_known),
		cmocka_unit_test(more_sides_need_a_smaller_p),
		cmocka_unit_test(one_of_the_first_rows_has_to_be_known),
		cmocka_unit_test(one_row_has_to_be_known_on_all_sides),
		cmocka_unit_test(the_elapsed_time_is_watched),
		cmocka_unit_test(constant_counts_need_three_rounds),
		cmocka_unit_test(pairs_with_a_count_of_0_are_compared_by_their_differences),
		cmocka_unit_test(a_reference_of_0_has_a_difference_or_takes_all_the_time),
		cmocka_unit_test(rounds_without_a_count_on_both_sides_are_ignored),
		cmocka_unit_test(a_row_that_one_side_never_counts_takes_all_the_time),
		cmocka_unit_test(more_rows_may_need_more_runs),
		cmocka_unit_test(the_first_rows_are_final_once_they_have_values),
		cmocka_unit_test(the_value_of_any_first_row_makes_all_final),
	};

	return cmocka_run_group_tests(tests, load_math, NULL);
}
