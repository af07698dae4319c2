/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xoshiro256** and SplitMix64, compared with the output of the authors' reference code
 * (https://prng.di.unimi.it/xoshiro256starstar.c and splitmix64.c). Other implementations, for
 * example Rust's rand_xoshiro, test with the same values.
 */
#include "stats/random.h"
#include "unit/test.h"

static void the_stream_is_that_of_the_reference(void **state)
{
	static const uint64_t expected[] = {
		11520,
		0,
		1509978240,
		1215971899390074240,
		1216172134540287360,
		607988272756665600,
		UINT64_C(16172922978634559625),
		8476171486693032832,
		UINT64_C(10595114339597558777),
		2904607092377533576,
	};
	struct random r = { { 1, 2, 3, 4 } };

	for (size_t i = 0; i < N_OF(expected); i++)
		assert_true(random_next(&r) == expected[i]);
}

static void a_seed_is_spread_by_splitmix64(void **state)
{
	static const struct {
		int line;
		uint64_t seed, words[4];
	} rows[] = {
		{ ROW,
		  0,
		  { UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
		    UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec) } },
		{ ROW,
		  1477776061723855037,
		  { 1985237415132408290, 2979275885539914483, UINT64_C(13511426838097143398),
		    8488337342461049707 } },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct random r = random_of_seed(rows[i].seed);

		for (size_t k = 0; k < 4; k++)
			row_true(&rows[i], r.s[k] == rows[i].words[k]);
	}
}

static void both_together(void **state)
{
	static const struct {
		int line;
		uint64_t seed, words[4];
	} rows[] = {
		{ ROW,
		  0,
		  { UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a),
		    UINT64_C(0x1a5f849d4933e6e0), UINT64_C(0x6aa594f1262d2d2c) } },
		{ ROW,
		  1,
		  { UINT64_C(0xb3f2af6d0fc710c5), UINT64_C(0x853b559647364cea),
		    UINT64_C(0x92f89756082a4514), UINT64_C(0x642e1c7bc266a3a7) } },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct random r = random_of_seed(rows[i].seed);

		for (size_t k = 0; k < 4; k++)
			row_true(&rows[i], random_next(&r) == rows[i].words[k]);
	}
}

/*
 * 2^64 is not a multiple of n, so 2^64 % n values have to be rejected to make all results equally
 * likely.
 */
static void numbers_that_would_cause_a_bias_are_rejected(void **state)
{
	const uint64_t n = ((uint64_t)3 << 62) + 1; /* nearly a quarter of all values is rejected */
	struct random r = random_of_seed(1), same = r;
	size_t left_out = 0;

	for (size_t i = 0; i < 1000; i++) {
		uint64_t x;

		while ((x = random_next(&same)) < (UINT64_MAX - n + 1) % n)
			left_out++;
		assert_true(random_below(&r, n) == x % n);
	}
	assert_in_range(left_out, 1000 / 3 - 100, 1000 / 3 + 100);
}

/* Pearson's χ² statistic. Each number is expected equally often. */
static double chi_square(const size_t *seen, size_t n, double expected)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
	return sum;
}

/*
 * The limits are the 0.999 quantiles of χ² with n - 1 degrees of freedom (R: qchisq(0.999, n - 1)).
 */
static void all_numbers_are_equally_likely(void **state)
{
	static const struct {
		int line;
		size_t n;
		double limit;
	} rows[] = {
		{ ROW, 2, 10.83 }, { ROW, 3, 13.82 },  { ROW, 6, 20.52 },
		{ ROW, 7, 22.46 }, { ROW, 10, 27.88 }, { ROW, 64, 103.44 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct random r = random_of_seed(20261121);
		size_t seen[64] = { 0 };

		for (size_t k = 0; k < 1000 * rows[i].n; k++) {
			size_t x = random_below(&r, rows[i].n);

			row_true(&rows[i], x < rows[i].n);
			seen[x]++;
		}
		row_true(&rows[i], chi_square(seen, rows[i].n, 1000) < rows[i].limit);
	}
}

static void below_1_there_is_only_0(void **state)
{
	struct random r = random_of_seed(3);

	for (size_t i = 0; i < 100; i++)
		assert_int_equal(random_below(&r, 1), 0);
}

static void a_shuffle_keeps_all_elements(void **state)
{
	enum { N = 100 };
	struct random r = random_of_seed(4);
	size_t v[N], moved = 0;
	int seen[N] = { 0 };

	for (size_t i = 0; i < N; i++)
		v[i] = i;
	random_shuffle(&r, v, N);
	for (size_t i = 0; i < N; i++) {
		assert_in_range(v[i], 0, N - 1);
		seen[v[i]]++;
		moved += v[i] != i;
	}
	for (size_t i = 0; i < N; i++)
		assert_int_equal(seen[i], 1);
	assert_in_range(moved, N / 2, N);
}

static void zero_and_one_elements_do_not_change(void **state)
{
	struct random r = random_of_seed(5), same = r;
	size_t v[] = { 7 };

	random_shuffle(&r, v, 0);
	random_shuffle(&r, v, 1);
	assert_int_equal(v[0], 7);
	assert_true(random_next(&r) == random_next(&same));
}

static void all_orders_are_equally_likely(void **state)
{
	struct random r = random_of_seed(6);
	size_t seen[27] = { 0 }, orders[6] = { 0 }, n = 0;

	for (size_t i = 0; i < 6000; i++) {
		size_t v[] = { 0, 1, 2 };

		random_shuffle(&r, v, 3);
		seen[v[0] * 9 + v[1] * 3 + v[2]]++;
	}
	for (size_t i = 0; i < N_OF(seen); i++)
		if (seen[i]) {
			assert_in_range(n, 0, 5);
			orders[n++] = seen[i];
		}
	assert_int_equal(n, 6);
	assert_true(chi_square(orders, 6, 1000) < 20.52);
}

static void a_seed_repeats_its_shuffles(void **state)
{
	enum { N = 32 };
	size_t v[3][N], equal = 0;

	for (size_t k = 0; k < 3; k++) {
		struct random r = random_of_seed(k < 2 ? 7 : 8);

		for (size_t i = 0; i < N; i++)
			v[k][i] = i;
		random_shuffle(&r, v[k], N);
	}
	assert_memory_equal(v[0], v[1], sizeof(v[0]));
	for (size_t i = 0; i < N; i++)
		equal += v[0][i] == v[2][i];
	assert_in_range(equal, 0, N / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_stream_is_that_of_the_reference),
		cmocka_unit_test(a_seed_is_spread_by_splitmix64),
		cmocka_unit_test(both_together),
		cmocka_unit_test(numbers_that_would_cause_a_bias_are_rejected),
		cmocka_unit_test(all_numbers_are_equally_likely),
		cmocka_unit_test(below_1_there_is_only_0),
		cmocka_unit_test(a_shuffle_keeps_all_elements),
		cmocka_unit_test(zero_and_one_elements_do_not_change),
		cmocka_unit_test(all_orders_are_equally_likely),
		cmocka_unit_test(a_seed_repeats_its_shuffles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
