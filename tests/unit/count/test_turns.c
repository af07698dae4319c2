/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The random order in which sets of groups are on. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "count/turns.h"
#include "unit/test.h"

enum { SETS = 4, ROUNDS = 2400 };

static struct turns begin(uint64_t seed)
{
	struct turns turns;

	assert_int_equal(turns_init(&turns, calloc(SETS, sizeof(size_t)), SETS, seed), 0);
	turns_begin(&turns);
	return turns;
}

static void each_set_has_one_turn_in_a_round(void **state)
{
	cleanup_with(turns_release) struct turns turns = begin(1);

	for (int round = 0; round < 100; round++) {
		unsigned int seen = 0;

		for (int turn = 0; turn < SETS; turn++, turns_next(&turns))
			seen |= 1U << turns_now(&turns);
		assert_int_equal(seen, (1U << SETS) - 1);
	}
}

/* In 2,400 rounds, each set is expected to be first 600 times, with a standard deviation of 21. */
static void every_order_has_the_same_probability(void **state)
{
	cleanup_with(turns_release) struct turns turns = begin(2);
	int firsts[SETS] = { 0 }, repeated = 0;
	size_t last = SETS;

	for (int round = 0; round < ROUNDS; round++) {
		firsts[turns_now(&turns)]++;
		repeated += turns_now(&turns) == last;
		for (int turn = 0; turn < SETS; turn++, turns_next(&turns))
			last = turns_now(&turns);
	}
	for (int set = 0; set < SETS; set++)
		assert_in_range(firsts[set], 600 - 5 * 21, 600 + 5 * 21);
	assert_in_range(repeated, 600 - 5 * 21, 600 + 5 * 21);
}

static void each_run_begins_with_a_random_set(void **state)
{
	cleanup_with(turns_release) struct turns turns = begin(3);
	unsigned int seen = 0;

	for (int run = 0; run < 100; run++)
		seen |= 1U << turns_begin(&turns);
	assert_int_equal(seen, (1U << SETS) - 1);
}

/* 1 ms at first, then a sixteenth of the time since the start, at most 3 ms; each with 40 % more or
 * less. */
static void turns_become_longer(void **state)
{
	static const struct {
		int line;
		uint64_t since_ns, average_ns;
	} cases[] = {
		{ ROW, 0, 1000000 },	      { ROW, 16000000, 1000000 },
		{ ROW, 24000000, 1500000 },   { ROW, 48000000, 3000000 },
		{ ROW, UINT64_MAX, 3000000 },
	};
	cleanup_with(turns_release) struct turns turns = begin(4);

	for (size_t i = 0; i < N_OF(cases); i++) {
		uint64_t average_ns = turns_average_ns(cases[i].since_ns);
		uint64_t least = UINT64_MAX, most = 0;

		row_int(&cases[i], average_ns, cases[i].average_ns);
		for (int j = 0; j < 1000; j++) {
			uint64_t ns = turns_vary_ns(&turns, average_ns);

			least = ns < least ? ns : least;
			most = ns > most ? ns : most;
		}
		assert_in_range(least, average_ns * 60 / 100, average_ns * 62 / 100);
		assert_in_range(most, average_ns * 138 / 100, average_ns * 140 / 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_set_has_one_turn_in_a_round),
		cmocka_unit_test(every_order_has_the_same_probability),
		cmocka_unit_test(each_run_begins_with_a_random_set),
		cmocka_unit_test(turns_become_longer),
	};

	return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
