/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expected values are computed exactly, from the definitions:
 *	mean = Σx / n; variance = Σ(x - mean)² / (n - 1); standard error = √(variance / n)
 * by Python's fractions.Fraction, the roots by decimal.Decimal to 60 digits, then rounded to
 * double. R's mean(x), sd(x) and sd(x) / sqrt(length(x)) are the same quantities.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stats/summary.h"
#include "unit/test.h"

enum { VALUES_MAX = 8 };

static const struct {
	int line;
	size_t n;
	long double values[VALUES_MAX];
	double mean, stddev, stderror, percent;
} rows[] = {
	{ ROW, 0, { 0 }, 0, 0, 0, 0 },
	{ ROW, 1, { 7 }, 7, 0, 0, 0 },
	{ ROW, 2, { 1, 2 }, 1.5, 0.7071067811865476, 0.5, 33.333333333333336 },
	{ ROW, 3, { 5, 5, 5 }, 5, 0, 0, 0 },
	{ ROW,
	  8,
	  { 2, 4, 4, 4, 5, 5, 7, 9 },
	  5,
	  2.138089935299395,
	  0.7559289460184545,
	  15.118578920369089 },
	{ ROW, 3, { 0.1L, 0.2L, 0.3L }, 0.2, 0.1, 0.057735026918962574, 28.867513459481287 },
	{ ROW,
	  3,
	  { -3, -1, 2 },
	  -2 / 3.0,
	  2.516611478423583,
	  1.4529663145135578,
	  217.94494717703367 },
	/* far from 0 and close together: a difference of squares would lose all digits */
	{ ROW,
	  4,
	  { 1000000000000004.0L, 1000000000000007.0L, 1000000000000013.0L, 1000000000000016.0L },
	  1000000000000010.0,
	  5.477225575051661,
	  2.7386127875258306,
	  2.738612787525803e-13 },
	{ ROW,
	  3,
	  { 9223372036854775808.0L, 9223372036854775810.0L, 9223372036854775812.0L },
	  9223372036854775810.0,
	  2,
	  1.1547005383792515,
	  1.251928832280966e-17 },
	/* a mean of 0 has no percentage */
	{ ROW, 2, { -1, 1 }, 0, 1.4142135623730951, 1, 0 },
};

static bool near(double got, double expected)
{
	return fabs(got - expected) <= 4e-16 * 8 * fabs(expected);
}

static void summaries_match_the_definitions(void **state)
{
	for (size_t i = 0; i < N_OF(rows); i++) {
		struct summary s = { 0 };

		for (size_t n = 0; n < rows[i].n; n++)
			summary_add(&s, rows[i].values[n]);

		row_int(&rows[i], s.n, rows[i].n);
		row_true(&rows[i], near((double)s.mean, rows[i].mean));
		row_true(&rows[i], near(summary_stddev(&s), rows[i].stddev));
		row_true(&rows[i], near(summary_stderr(&s), rows[i].stderror));
		row_true(&rows[i], near(summary_stderr_percent(&s), rows[i].percent));
	}
}

/*
 * instructions:u is often equal in all runs. The spread is then exactly 0, and the mean is exactly
 * the count.
 */
static void a_constant_has_no_spread_at_all(void **state)
{
	static const long double constants[] = { 1, 2000004, 123456789012345678.0L,
						 18446744073709551615.0L, 1.0L / 3 };

	for (size_t i = 0; i < N_OF(constants); i++) {
		struct summary s = { 0 };

		for (size_t n = 0; n < 1000; n++)
			summary_add(&s, constants[i]);
		assert_true(s.mean == constants[i]);
		assert_true(summary_stddev(&s) == 0);
		assert_true(summary_stderr_percent(&s) == 0);
	}
}

/* The median as in R's median(x): the middle value, or the mean of the two middle values. */
static void median_and_ends_do_not_depend_on_the_order(void **state)
{
	static const struct {
		int line;
		size_t n;
		long double values[VALUES_MAX], median, min, max;
	} sets[] = {
		{ ROW, 0, { 0 }, 0, 0, 0 },
		{ ROW, 1, { 7 }, 7, 7, 7 },
		{ ROW, 2, { 4, 1 }, 2.5, 1, 4 },
		{ ROW, 3, { 9, 1, 5 }, 5, 1, 9 },
		{ ROW, 4, { -3, 8, 1, 2 }, 1.5, -3, 8 },
		{ ROW, 5, { 5, 5, 5, 5, 5 }, 5, 5, 5 },
		{ ROW, 6, { 0, 0, 0, 1, 1, 1 }, 0.5, 0, 1 },
		/* counts beyond 2^53, whose sum does not fit in 64 bits */
		{ ROW,
		  2,
		  { 18446744073709551615.0L, 18446744073709551613.0L },
		  18446744073709551614.0L,
		  18446744073709551613.0L,
		  18446744073709551615.0L },
		{ ROW,
		  3,
		  { 9007199254740993.0L, 9007199254740992.0L, 9007199254740994.0L },
		  9007199254740993.0L,
		  9007199254740992.0L,
		  9007199254740994.0L },
	};

	for (size_t i = 0; i < N_OF(sets); i++) {
		long double values[VALUES_MAX];
		struct summary s;

		memcpy(values, sets[i].values, sizeof(values));
		s = summary_of(values, sets[i].n);
		row_int(&sets[i], s.n, sets[i].n);
		row_true(&sets[i], s.median == sets[i].median);
		row_true(&sets[i], s.min == sets[i].min);
		row_true(&sets[i], s.max == sets[i].max);
	}
}

static void a_change_of_unit_scales_every_number(void **state)
{
	long double values[] = { 1000000, 3000000, 8000000 };
	const struct summary ns = summary_of(values, N_OF(values));
	const struct summary ms = summary_times(&ns, 1e-6);

	assert_int_equal(ms.n, 3);
	assert_true(ms.mean == 4);
	assert_true(ms.min == 1);
	assert_true(ms.median == 3);
	assert_true(ms.max == 8);
	assert_true(near(summary_stddev(&ms), summary_stddev(&ns) / 1e6));
	assert_true(near(summary_stderr(&ms), summary_stderr(&ns) / 1e6));
	assert_true(near(summary_stderr_percent(&ms), summary_stderr_percent(&ns)));
}

/* Σ(i - mean)² of 0 … n - 1 is n(n² - 1) / 12. */
static void many_values_lose_no_precision(void **state)
{
	const double n = 1000000;
	struct summary s = { 0 };

	for (long i = 0; i < 1000000; i++)
		summary_add(&s, i);
	assert_true(near((double)s.mean, (n - 1) / 2));
	assert_true(near(summary_stddev(&s), sqrt(n * (n + 1) / 12)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summaries_match_the_definitions),
		cmocka_unit_test(a_constant_has_no_spread_at_all),
		cmocka_unit_test(median_and_ends_do_not_depend_on_the_order),
		cmocka_unit_test(a_change_of_unit_scales_every_number),
		cmocka_unit_test(many_values_lose_no_precision),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
