/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the sides, and of the cases. */
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "run/runner.c" /* for its static functions */
#include "unit/test.h"

enum { SIDES_N = 3, BLOCKS_N = 600, ORDERS_N = 6 };

static void start(struct runner *b, enum round_order order, size_t sides_n, uint64_t seed)
{
	*b = (struct runner){ .settings = { .order = order, .seed = seed }, .sides_n = sides_n };
	assert_int_equal(runner_init_order(b), 0);
}

/* The turns of the sides from first on, after a number of rounds. */
static const size_t *turns_after(struct runner *b, size_t first, size_t rounds_n)
{
	return runner_begin_round(
		b, &(struct rounds_done){ .first = first, .n = SIDES_N, .rounds_n = rounds_n });
}

static void each_round_has_every_side_once_in_a_random_order(void **state)
{
	size_t seen[SIDES_N * SIDES_N * SIDES_N] = { 0 };
	size_t orders_n = 0;
	struct runner b;

	start(&b, ORDER_RANDOM, SIDES_N, 1);
	for (size_t i = 0; i < BLOCKS_N; i++) {
		const size_t *turns = turns_after(&b, 0, i);
		bool taken[SIDES_N] = { false };

		for (size_t side = 0; side < SIDES_N; side++) {
			assert_true(turns[side] < SIDES_N && !taken[turns[side]]);
			taken[turns[side]] = true;
		}
		seen[turns[0] * SIDES_N * SIDES_N + turns[1] * SIDES_N + turns[2]]++;
	}
	for (size_t i = 0; i < N_OF(seen); i++)
		if (seen[i]) {
			orders_n++;
			/* 100 of each are expected, with a deviation of 9 */
			assert_in_range(seen[i], 64, 136);
		}
	assert_int_equal(orders_n, ORDERS_N);
	runner_release(&b);
}

/* The first 20 rounds of a seed. */
static void rounds_of_seed(uint64_t seed, size_t *turns)
{
	struct runner b;

	start(&b, ORDER_RANDOM, SIDES_N, seed);
	for (size_t i = 0; i < 20; i++)
		memcpy(turns + i * SIDES_N, turns_after(&b, 0, i), SIDES_N * sizeof(*turns));
	runner_release(&b);
}

static void a_seed_gives_the_same_rounds_again(void **state)
{
	size_t first[20 * SIDES_N], again[20 * SIDES_N], other[20 * SIDES_N];

	rounds_of_seed(42, first);
	rounds_of_seed(42, again);
	rounds_of_seed(43, other);
	assert_memory_equal(first, again, sizeof(first));
	assert_memory_not_equal(first, other, sizeof(first));
}

static void alternating_rounds_are_reversed_each_time(void **state)
{
	static const size_t forward[] = { 0, 1, 2 }, back[] = { 2, 1, 0 };
	static const size_t of_case[] = { 3, 4, 5 };
	struct runner b;

	start(&b, ORDER_ALTERNATE, SIDES_N, 1);
	for (size_t i = 0; i < 6; i++)
		assert_memory_equal(turns_after(&b, 0, i), i % 2 ? back : forward, sizeof(forward));
	runner_release(&b);
	start(&b, ORDER_ALTERNATE, 2 * SIDES_N, 1);
	assert_memory_equal(turns_after(&b, SIDES_N, 0), of_case, sizeof(of_case));
	runner_release(&b);
}

/* ---- Cases. A session without passes runs nothing, so only the order of the rounds is tested. */

enum { CASES_N = 3, LOG_MAX = CASES_N * BLOCKS_N };

/* The rounds of cases, in their order. */
struct round_log {
	struct runner runner;
	const size_t *wanted; /* the rounds that each case needs */
	size_t n;
	struct {
		size_t of_case;
		size_t turns[SIDES_N]; /* of the last round before the rule was asked */
	} rounds[LOG_MAX];
};

static bool log_round(const struct rounds_done *done, void *data)
{
	struct round_log *log = data;

	assert_true(log->n < LOG_MAX);
	assert_int_equal(done->n, SIDES_N);
	assert_int_equal(done->first % SIDES_N, 0);
	log->rounds[log->n].of_case = done->first / SIDES_N;
	memcpy(log->rounds[log->n].turns, log->runner.turns, sizeof(log->rounds[0].turns));
	log->n++;
	assert_true(done->rounds_n <= log->wanted[done->first / SIDES_N]);
	return done->rounds_n == log->wanted[done->first / SIDES_N];
}

/* Run three cases with three sides each. The caller frees the log. */
static struct round_log *rounds_of_cases(enum round_order order, uint64_t seed,
					 const size_t *wanted)
{
	struct round_log *log = calloc(1, sizeof(*log));

	assert_non_null(log);
	log->wanted = wanted;
	log->runner = (struct runner){ .settings = { .order = order, .seed = seed },
				       .sides_n = CASES_N * SIDES_N,
				       .case_sides_n = SIDES_N };
	assert_true(runner_run(&log->runner, log_round, log));
	runner_release(&log->runner);
	return log;
}

static const size_t equal_rounds[CASES_N] = { BLOCKS_N, BLOCKS_N, BLOCKS_N };
static const size_t few_rounds[CASES_N] = { 1, 5, 3 };

/* Check that the three numbers are first, first + 1 and first + 2. Returns a number that identifies
 * their order, below CASES_N cubed. */
static size_t order_of(const size_t *numbers, size_t first)
{
	bool taken[CASES_N] = { false };
	size_t order = 0;

	for (size_t i = 0; i < CASES_N; i++) {
		const size_t number = numbers[i] - first;

		assert_true(number < CASES_N && !taken[number]);
		taken[number] = true;
		order = order * CASES_N + number;
	}
	return order;
}

/* Check that each of the six orders has its share of n. */
static void assert_all_orders(const size_t *seen, size_t n)
{
	size_t orders_n = 0;

	for (size_t i = 0; i < CASES_N * CASES_N * CASES_N; i++)
		if (seen[i]) {
			orders_n++;
			/* four deviations of n = 600 */
			assert_in_range(seen[i], n / ORDERS_N - 36, n / ORDERS_N + 36);
		}
	assert_int_equal(orders_n, ORDERS_N);
}

static void each_pass_runs_every_case_once_in_a_random_order(void **state)
{
	cleanup_free struct round_log *log = rounds_of_cases(ORDER_RANDOM, 1, equal_rounds);
	size_t seen[CASES_N * CASES_N * CASES_N] = { 0 };

	assert_int_equal(log->n, CASES_N * BLOCKS_N);
	for (size_t i = 0; i < log->n; i += CASES_N) {
		const size_t cases[] = { log->rounds[i].of_case, log->rounds[i + 1].of_case,
					 log->rounds[i + 2].of_case };

		seen[order_of(cases, 0)]++;
	}
	assert_all_orders(seen, BLOCKS_N);
}

static void the_sides_of_each_case_run_in_a_random_order(void **state)
{
	size_t seen[CASES_N][CASES_N * CASES_N * CASES_N] = { 0 };
	struct runner b;

	start(&b, ORDER_RANDOM, CASES_N * SIDES_N, 1);
	for (size_t i = 0; i < CASES_N * BLOCKS_N; i++) {
		const size_t of_case = i % CASES_N, first = of_case * SIDES_N;

		seen[of_case][order_of(turns_after(&b, first, i / CASES_N), first)]++;
	}
	runner_release(&b);
	for (size_t i = 0; i < CASES_N; i++)
		assert_all_orders(seen[i], BLOCKS_N);
}

static void a_finished_case_gets_no_more_rounds(void **state)
{
	static const enum round_order orders[] = { ORDER_RANDOM, ORDER_ALTERNATE };
	/* the cases that are left in each pass */
	static const size_t left[][CASES_N] = {
		{ 1, 1, 1 }, { 0, 1, 1 }, { 0, 1, 1 }, { 0, 1, 0 }, { 0, 1, 0 }
	};

	for (size_t order = 0; order < N_OF(orders); order++) {
		cleanup_free struct round_log *log = rounds_of_cases(orders[order], 1, few_rounds);
		size_t next = 0;

		assert_int_equal(log->n, 9);
		for (size_t pass = 0; pass < N_OF(left); pass++) {
			size_t rounds[CASES_N] = { 0 };
			const size_t n = left[pass][0] + left[pass][1] + left[pass][2];

			for (size_t i = 0; i < n; i++)
				rounds[log->rounds[next++].of_case]++;
			assert_memory_equal(rounds, left[pass], sizeof(rounds));
		}
	}
}

static void alternating_rounds_are_reversed_in_each_case(void **state)
{
	cleanup_free struct round_log *log = rounds_of_cases(ORDER_ALTERNATE, 1, few_rounds);
	static const size_t cases[] = { 0, 1, 2, 1, 2, 1, 2, 1, 1 };
	size_t rounds[CASES_N] = { 0 };
	struct runner b;

	start(&b, ORDER_ALTERNATE, CASES_N * SIDES_N, 1);
	assert_int_equal(log->n, N_OF(cases));
	for (size_t i = 0; i < N_OF(cases); i++) {
		const size_t first = cases[i] * SIDES_N, round = rounds[cases[i]]++;
		const size_t forward[] = { first, first + 1, first + 2 };
		const size_t back[] = { first + 2, first + 1, first };

		assert_int_equal(log->rounds[i].of_case, cases[i]);
		assert_memory_equal(turns_after(&b, first, round), round % 2 ? back : forward,
				    sizeof(forward));
	}
	runner_release(&b);
}

static void a_seed_gives_the_same_rounds_of_cases_again(void **state)
{
	cleanup_free struct round_log *first = rounds_of_cases(ORDER_RANDOM, 42, few_rounds);
	cleanup_free struct round_log *again = rounds_of_cases(ORDER_RANDOM, 42, few_rounds);
	cleanup_free struct round_log *other = rounds_of_cases(ORDER_RANDOM, 43, few_rounds);

	assert_int_equal(first->n, again->n);
	assert_memory_equal(first->rounds, again->rounds, sizeof(first->rounds));
	assert_memory_not_equal(first->rounds, other->rounds, sizeof(first->rounds));
}

/* Without case_sides_n, or with as many as there are sides, a round has all sides. */
static void one_case_has_all_sides(void **state)
{
	static const size_t wanted[CASES_N] = { 3 };

	for (size_t case_sides_n = 0; case_sides_n <= SIDES_N; case_sides_n += SIDES_N) {
		struct round_log log = { .wanted = wanted };

		log.runner = (struct runner){ .settings = { .order = ORDER_RANDOM, .seed = 1 },
					      .sides_n = SIDES_N,
					      .case_sides_n = case_sides_n };
		assert_true(runner_run(&log.runner, log_round, &log));
		runner_release(&log.runner);
		assert_int_equal(log.n, 3);
		for (size_t i = 0; i < log.n; i++)
			order_of(log.rounds[i].turns, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_round_has_every_side_once_in_a_random_order),
		cmocka_unit_test(a_seed_gives_the_same_rounds_again),
		cmocka_unit_test(alternating_rounds_are_reversed_each_time),
		cmocka_unit_test(each_pass_runs_every_case_once_in_a_random_order),
		cmocka_unit_test(the_sides_of_each_case_run_in_a_random_order),
		cmocka_unit_test(a_finished_case_gets_no_more_rounds),
		cmocka_unit_test(alternating_rounds_are_reversed_in_each_case),
		cmocka_unit_test(a_seed_gives_the_same_rounds_of_cases_again),
		cmocka_unit_test(one_case_has_all_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
