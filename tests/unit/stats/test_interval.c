/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The t quantile without a library, compared with that of R; and the width of intervals. */
#include <math.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "stats/interval.h"
#include "unit/reference.h"
#include "unit/test.h"

static double error_of(double df)
{
	double own = interval_t(NULL, INTERVAL_CONFIDENCE, df);

	return fabs(own / interval_t(&math, INTERVAL_CONFIDENCE, df) - 1);
}

static void the_quantile_is_that_of_r(void **state)
{
	for (int df = 1; df <= 1000; df++)
		assert_true(error_of(df) < (df < 4 ? 2e-6 : df == 4 ? 4e-4 : 2e-4));
	for (double df = 1; df < 3.5; df += 0.03125) /* never narrower */
		assert_true(interval_t(NULL, INTERVAL_CONFIDENCE, df) >
				    (1 - 1e-6) * interval_t(&math, INTERVAL_CONFIDENCE, df) &&
			    error_of(df) < (df < 1.5 ? 0.09 : 0.02));
	for (double df = 3.5; df < 20; df += 0.01)
		assert_true(error_of(df) < 6e-4);
	assert_true(interval_t(NULL, INTERVAL_CONFIDENCE, INFINITY) == INTERVAL_NORMAL);
	/* qt(0.995, 7), qnorm(0.95) */
	assert_true(fabs(interval_t(&math, 0.99, 7) - 3.499483297350493) < 1e-12);
	assert_true(fabs(interval_t(&math, 0.9, INFINITY) - 1.644853626951472) < 1e-12);
}

static void the_wider_of_two_intervals_counts(void **state)
{
	long double values[] = { 10, 12, 14, 16 };
	const struct summary four = summary_of(values, 4), one = { .n = 1 }, none = { 0 };
	const double spread = 4.108520513521041; /* qt(0.975, 3) * sd(values) / sqrt(4) */

	assert_true(fabs(interval_half(&math, 0.95, &four, 0) - spread) < 1e-12);
	assert_true(fabs(interval_half(&math, 0.95, &four, NAN) - spread) < 1e-12);
	assert_true(fabs(interval_half(&math, 0.95, &four, 4) - spread) < 1e-12);
	assert_true(fabs(interval_half(&math, 0.95, &four, 5) - 5) < 1e-12);
	assert_true(fabs(interval_half(&math, 0.9, &one, 5) -
			 5 * 1.644853626951472 / INTERVAL_NORMAL) < 1e-12);
	assert_true(interval_half(NULL, INTERVAL_CONFIDENCE, &one, 0) == 0);
	assert_true(interval_half(NULL, INTERVAL_CONFIDENCE, &none, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_quantile_is_that_of_r),
		cmocka_unit_test(the_wider_of_two_intervals_counts),
	};

	return cmocka_run_group_tests_name("interval", tests, load_math, NULL);
}
