/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/scale.h"
#include "unit/test.h"

#define TWO_63 (UINT64_C(1) << 63)

static void a_count_is_scaled_by_its_times(void **state)
{
	static const struct {
		int line;
		struct counts counts;
		enum scaling scaling;
		long double count;
	} rows[] = {
		/* ran all the time: exact for each value */
		{ ROW, { 0, 100, 100 }, SCALE_BY_TIME, 0 },
		{ ROW, { 2000004, 100, 100 }, SCALE_BY_TIME, 2000004 },
		{ ROW, { TWO_63 + 1, 3, 3 }, SCALE_BY_TIME, 9223372036854775809.0L },
		{ ROW, { UINT64_MAX, 1, 1 }, SCALE_BY_TIME, 18446744073709551615.0L },
		{ ROW, { UINT64_MAX, TWO_63, TWO_63 }, SCALE_BY_TIME, 18446744073709551615.0L },
		/* ran a part of the time */
		{ ROW, { 10, 100, 50 }, SCALE_BY_TIME, 20 },
		{ ROW, { 1, 3, 2 }, SCALE_BY_TIME, 1.5L },
		{ ROW, { 1000000000000000000, 3, 1 }, SCALE_BY_TIME, 3e18L },
		{ ROW,
		  { TWO_63, 1000000000000, 500000000000 },
		  SCALE_BY_TIME,
		  18446744073709551616.0L }, /* 2^64: more than a counter holds */
		{ ROW, { 9007199254740993, 2, 1 }, SCALE_BY_TIME, 18014398509481986.0L },
		{ ROW, { 0, 100, 50 }, SCALE_BY_TIME, 0 },
		/* not scaled */
		{ ROW, { 10, 100, 50 }, SCALE_NOT, 10 },
		{ ROW, { UINT64_MAX, 100, 50 }, SCALE_NOT, 18446744073709551615.0L },
		/* never ran: no division by 0 */
		{ ROW, { 7, 100, 0 }, SCALE_BY_TIME, 7 },
		{ ROW, { 7, 0, 0 }, SCALE_BY_TIME, 7 },
	};

	for (size_t i = 0; i < N_OF(rows); i++)
		row_true(&rows[i], scale_count(&rows[i].counts, rows[i].scaling) == rows[i].count);
}

static void a_share_is_cut_not_rounded(void **state)
{
	static const struct {
		int line;
		uint64_t enabled_ns, running_ns;
		double percent;
	} rows[] = {
		{ ROW, 100, 100, 100 },
		{ ROW, 100, 0, 0 },
		{ ROW, 3, 1, 33.33 },
		{ ROW, 3, 2, 66.66 },
		{ ROW, 100000, 33337, 33.33 },
		{ ROW, 10000, 9999, 99.99 },
		{ ROW, 100000, 99999, 99.99 },
		{ ROW, 1000000000000, 999999999999, 99.99 },
		{ ROW, TWO_63, TWO_63 - 1, 99.99 },
		{ ROW, 1000000, 99, 0 },
		{ ROW, 1000000, 100, 0.01 },
		{ ROW, TWO_63, TWO_63, 100 },
		{ ROW, TWO_63, TWO_63 / 2, 50 },
		{ ROW, 0, 0, 100 }, /* as perf prints it */
		{ ROW, 100, 101, 100 }, /* running was read a moment after enabled */
	};

	for (size_t i = 0; i < N_OF(rows); i++)
		row_true(&rows[i], scale_running_percent(rows[i].enabled_ns, rows[i].running_ns) ==
					   rows[i].percent);
}

/* For a third of all whole milliseconds, a multiplication by 1e-6 is wrong in the last bit. */
static void nanoseconds_are_milliseconds_to_the_last_bit(void **state)
{
	for (long ns = 1; ns < 1000000; ns += 7)
		assert_true(scale_to_unit(ns, 1e-6) == ns / 1e6L);
	assert_true(scale_to_unit(1300000001, 1e-9) == 1300000001 / 1e9L);
}

static void other_factors_are_multiplied(void **state)
{
	static const struct {
		int line;
		long double count;
		double factor;
		long double expected;
	} rows[] = {
		{ ROW, 18446744073709551615.0L, 1, 18446744073709551615.0L },
		{ ROW, 3, 64, 192 },
		{ ROW, 4294967296000.0L, 2.3283064365386962890625e-10, 1000 },
		{ ROW, 3, 2.5, 7.5 },
		{ ROW, 4, 0.75, 3 },
		{ ROW, 0, 1e-6, 0 },
		{ ROW, 2, 1e-300, 2 * (long double)1e-300 },
	};

	for (size_t i = 0; i < N_OF(rows); i++)
		row_true(&rows[i],
			 scale_to_unit(rows[i].count, rows[i].factor) == rows[i].expected);
}

static void a_count_in_its_unit_is_exact_if_possible(void **state)
{
	static const struct {
		int line;
		long double count;
		double factor;
		long double value;
	} rows[] = {
		{ ROW, 1234567, 1, 1234567 },
		{ ROW, 3000000, 1e-6, 3 }, /* divided by 10⁶, which a double holds */
		{ ROW, UINT64_MAX, 64, 18446744073709551615.0L * 64 },
		{ ROW, 4294967296, 0x1p-32, 1 },
		{ ROW, 5, 0, 0 }, /* factors that no PMU should have */
		{ ROW, 5, -0.0, 0 },
		{ ROW, 5, -0.5, -2.5L },
		{ ROW, 5, 1e-300, 5 * (long double)1e-300 },
	};

	for (size_t i = 0; i < N_OF(rows); i++)
		row_true(&rows[i], scale_to_unit(rows[i].count, rows[i].factor) == rows[i].value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_is_scaled_by_its_times),
		cmocka_unit_test(a_share_is_cut_not_rounded),
		cmocka_unit_test(a_count_in_its_unit_is_exact_if_possible),
		cmocka_unit_test(nanoseconds_are_milliseconds_to_the_last_bit),
		cmocka_unit_test(other_factors_are_multiplied),
	};

	return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
