/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of the sides. */
#include <stdbool.h>
#include <string.h>

#include "run/runner.c" /* for its static functions */
#include "unit/test.h"

enum { SIDES_N = 3, BLOCKS_N = 600, ORDERS_N = 6 };

static void start(struct runner *b, enum round_order order, size_t sides_n, uint64_t seed)
{
	*b = (struct runner){ .settings = { .order = order, .seed = seed }, .sides_n = sides_n };
	assert_int_equal(init_order(b), 0);
}

/* The turns of the sides from first on, after a number of rounds. */
static const size_t *turns_after(struct runner *b, size_t first, size_t rounds_n)
{
	return begin_round(
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_round_has_every_side_once_in_a_random_order),
		cmocka_unit_test(a_seed_gives_the_same_rounds_again),
		cmocka_unit_test(alternating_rounds_are_reversed_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
