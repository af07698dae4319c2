/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the runs of a comparison are enough. */
#include <stdio.h>

#include "run/stopping.c" /* for its static functions */

#include "base/cleanup.h"
#include "base/why.h"
#include "stats/rmath.h"
#include "unit/test.h"

#define S UINT64_C(1000000000)

static struct math math;

static int set_up(void **state)
{
	cleanup_why struct why why = { 0 };
	int err = rmath_load(&math, &why);

	if (err < 0)
		print_message("%s\n", why_text(&why, err));
	return err;
}

/* Summarise n values with this mean: half of them are above it and half below it, by spread. */
static struct summary values(size_t n, double mean, double spread)
{
	struct summary s = { 0 };

	for (size_t i = 0; i < n; i++)
		summary_add(&s, mean + (i % 2 ? spread : -spread));
	return s;
}

static struct stopping new_rule(double confidence)
{
	struct stopping s = {
		.limit_ns = 10 * S, .precision = 0.01, .confidence = confidence, .math = &math
	};

	s.is_paired = true;
	stopping_set_size(&s, s.verdicts_n, s.limits_n);
	return s;
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

		row_int(&rows[i], s.runs_min, rows[i].paired);
		row_int(&rows[i], s.runs_min_constant, rows[i].constant);
		s.is_paired = false;
		stopping_set_size(&s, s.verdicts_n, s.limits_n);
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

		s.verdicts_n = rows[i].verdicts_n;
		stopping_set_size(&s, s.verdicts_n, s.limits_n);
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
		s.limits_n = rows[i].limits_n;
		stopping_set_size(&s, s.verdicts_n, s.limits_n);
		row_int(&rows[i], stopping_is_short(&s), rows[i].is_short);
	}
}

static void by_default_precision_or_time_ends_the_runs(void **state)
{
	static const struct {
		int line;
		size_t n;
		double spread, other_spread;
		double seconds;
		enum stop stop;
	} rows[] = {
		{ ROW, 0, 0, 0, 0, STOP_NOT },
		{ ROW, 2, 0, 0, 0.1, STOP_NOT }, /* constant, and too few */
		{ ROW, 3, 0, 0, 0.1, STOP_PRECISE }, /* constant */
		{ ROW, 3, 0, 0.1, 0.1, STOP_NOT }, /* one side is not constant */
		{ ROW, 5, 0.001, 0.001, 0.1, STOP_NOT },
		{ ROW, 6, 0.001, 0.001, 0.1, STOP_PRECISE },
		{ ROW, 6, 2, 0.001, 0.1, STOP_NOT },
		{ ROW, 6, 0.001, 2, 0.1, STOP_NOT },
		{ ROW, 6, 0.001, 2, 9.9, STOP_NOT },
		{ ROW, 6, 0.001, 2, 10, STOP_TIME },
		{ ROW, 1000, 2, 2, 9, STOP_PRECISE }, /* 2 % of spread, over √1000 */
		{ ROW, 5, 2, 2, 50, STOP_NOT }, /* a sixth run makes 60 s */
		{ ROW, 5, 2, 2, 51, STOP_TOO_LONG },
		{ ROW, 1, 2, 2, 9, STOP_NOT }, /* 54 s */
		{ ROW, 1, 2, 2, 40, STOP_TOO_LONG },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct stopping s = new_rule(0.95);
		struct summary sides[] = { values(rows[i].n, 100, rows[i].spread),
					   values(rows[i].n, 200, rows[i].other_spread) };

		row_int(&rows[i],
			decide(&s, sides, 2, rows[i].n, (uint64_t)(rows[i].seconds * (double)S)),
			rows[i].stop);
	}
}

static void a_number_of_runs_is_that_number(void **state)
{
	struct summary sides[] = { values(4, 1, 0), values(4, 1, 0) };
	struct stopping s = new_rule(0.95);

	s.runs = 5;
	assert_int_equal(decide(&s, sides, 2, 4, 1000 * S), STOP_NOT);
	assert_int_equal(decide(&s, sides, 2, 5, 0), STOP_RUNS);
	s.runs = 0;
	s.forever = true;
	assert_int_equal(decide(&s, sides, 2, 1000000, 1000 * S), STOP_NOT);
}

static void a_duration_is_used_whatever_the_precision(void **state)
{
	struct summary sides[] = { values(100, 1, 0.0001), values(100, 1, 0.0001) };
	struct stopping s = new_rule(0.95);

	s.precision = 0;
	assert_int_equal(decide(&s, sides, 2, 100, 9 * S), STOP_NOT);
	assert_int_equal(decide(&s, sides, 2, 100, 10 * S), STOP_TIME);
}

static void a_count_of_0_is_precise(void **state)
{
	struct summary sides[] = { values(3, 0, 0), values(3, 0, 0) };
	struct stopping s = new_rule(0.95);

	assert_int_equal(decide(&s, sides, 2, 3, 1), STOP_PRECISE);
}

static void runs_without_a_count_are_ignored(void **state)
{
	struct summary sides[] = { values(6, 1, 0.0001), values(1, 1, 0) };
	struct stopping s = new_rule(0.95);

	assert_int_equal(decide(&s, sides, 2, 6, 1), STOP_NOT);
	assert_int_equal(decide(&s, sides, 2, 6, 11 * S), STOP_TIME);
	sides[1] = values(5, 1, 0.0001); /* precise, but too few runs for a verdict */
	assert_int_equal(decide(&s, sides, 2, 6, 1), STOP_NOT);
	sides[1] = values(6, 1, 0.0001);
	assert_int_equal(decide(&s, sides, 2, 7, 1), STOP_PRECISE);
}

/* More rows may need more runs, unless the counts are constant. */
static void more_rows_may_need_more_runs(void **state)
{
	struct stopping s = new_rule(0.95);
	struct rounds_done done = { .n = 2, .rounds_n = 9 };

	s.sides = (struct summary[]){ values(9, 1, 0.0001), values(9, 1, 0.0001) };
	stopping_set_size(&s, 12, 0);
	assert_false(stopping_needs_more(&s, &done));
	stopping_set_size(&s, 13, 0);
	assert_true(stopping_needs_more(&s, &done));
	s.sides = (struct summary[]){ values(9, 1, 0), values(9, 1, 0) };
	assert_false(stopping_needs_more(&s, &done));
}

enum { EVENTS = 2, PLACES = 2, ROWS = EVENTS * PLACES, SIDES = 2 };

/* The states of the rows in a round, place by place: 'c' counted, 'n' not counted. */
static void set_states(struct reading readings[ROWS], const char *states)
{
	for (size_t i = 0; i < ROWS; i++)
		readings[i] = (struct reading){ .state = states[i] == 'c' ? COUNTED : NOT_COUNTED };
}

static void set_round(struct side *side, const char *states, size_t rows_n)
{
	set_states(side->series.runs->readings, states);
	side->series.rows_n = rows_n;
}

static void the_first_event_that_can_be_counted_decides(void **state)
{
	static const struct {
		int line;
		bool refused[EVENTS];
		size_t rows_n; /* after the first round; --per-process adds the others later */
		const char *first[SIDES]; /* states in the first round */
		size_t row;
	} rows[] = {
		{ ROW, { false, false }, ROWS, { "cccc", "cccc" }, 0 },
		{ ROW, { true, false }, ROWS, { "ncnc", "ncnc" }, 1 },
		/* not counted by one side in this round, for example too short */
		{ ROW, { false, false }, EVENTS, { "cccc", "nccc" }, 0 },
		{ ROW, { false, false }, ROWS, { "cccc", "nccc" }, 2 },
		{ ROW, { false, false }, ROWS, { "nnnn", "nnnn" }, 0 },
		{ ROW, { true, true }, EVENTS, { "nnnn", "nnnn" }, STOPPING_BY_TIME },
	};
	static const struct row all[ROWS] = {
		{ .event = 0 }, { .event = 1 }, { .event = 0 }, { .event = 1 }
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct event events[EVENTS] = { { .factor = 1 }, { .factor = 1 } };
		const struct event_list list = { .events = events, .n = EVENTS };
		struct opening openings[EVENTS] = { { .refused = rows[i].refused[0] },
						    { .refused = rows[i].refused[1] } };
		struct reading readings[SIDES][ROWS];
		struct run runs[SIDES] = { { .readings = readings[0] },
					   { .readings = readings[1] } };
		struct side sides[SIDES] = { 0 };
		struct rounds_done done = { .sides = sides, .n = SIDES, .rounds_n = 1 };
		struct stopping s = new_rule(0.95);
		size_t seen = rows[i].row == STOPPING_BY_TIME ? SIDES : 0;

		s.sides_n = SIDES;
		assert_int_equal(stopping_init(&s), 0);
		for (size_t j = 0; j < SIDES; j++) {
			sides[j].series = (struct series){ .events = &list,
							   .openings = openings,
							   .rows = all,
							   .runs = &runs[j],
							   .runs_n = 1 };
			set_round(&sides[j], rows[i].first[j], rows[i].rows_n);
			seen += rows[i].row < ROWS && rows[i].first[j][rows[i].row] == 'c';
		}
		stopping_is_enough(&done, &s);
		row_int(&rows[i], s.row, rows[i].row);
		row_int(&rows[i], s.sides[0].n + s.sides[1].n, seen);
		/* more rows, and other states, change nothing */
		for (size_t j = 0; j < SIDES; j++)
			set_round(&sides[j], "nncc", ROWS);
		seen += rows[i].row >= 2 ? SIDES : 0;
		stopping_is_enough(&done, &s);
		row_int(&rows[i], s.row, rows[i].row);
		row_int(&rows[i], s.sides[0].n + s.sides[1].n, seen);
		stopping_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_verdict_needs_runs_by_its_confidence),
		cmocka_unit_test(more_verdicts_need_more_runs),
		cmocka_unit_test(a_number_of_runs_is_short_of_a_verdict),
		cmocka_unit_test(by_default_precision_or_time_ends_the_runs),
		cmocka_unit_test(a_number_of_runs_is_that_number),
		cmocka_unit_test(a_duration_is_used_whatever_the_precision),
		cmocka_unit_test(a_count_of_0_is_precise),
		cmocka_unit_test(runs_without_a_count_are_ignored),
		cmocka_unit_test(more_rows_may_need_more_runs),
		cmocka_unit_test(the_first_event_that_can_be_counted_decides),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
