/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The geometric mean of the ratios of several cases: the numbers of R, and what R cannot do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "stats/geomean.h"
#include "stats/sequential.h"
#include "unit/reference.h"
#include "unit/test.h"

enum { CASES_MAX = 8, VALUES_MAX = 128, COLUMNS = 11 };

static void near(const char *name, const char *what, double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-10 * fabs(wanted)))
		fail_msg("%s: %s is %.17g, but R has %.17g", name, what, got, wanted);
}

/* Read the values of a case, and move *text past them. */
static size_t values_of(char **text, double *values)
{
	size_t n = 0;

	for (;; (*text)++) {
		assert_true(n < VALUES_MAX);
		values[n++] = strtod(*text, text);
		if (**text != ',')
			break;
	}
	*text += **text == '|';
	return n;
}

/* Read the cases, and estimate the ratio of each. */
static size_t ratios_of(char *reference, char *other, struct log_ratio *ratios)
{
	double a[VALUES_MAX], b[VALUES_MAX], scratch[4 * VALUES_MAX];
	size_t n = 0;

	while (*reference) {
		struct contrast_input in = {
			.reference = a, .other = b, .paired = true, .confidence = 0.95
		};

		in.reference_n = values_of(&reference, a);
		in.other_n = values_of(&other, b);
		assert_int_equal(in.reference_n, in.other_n);
		assert_true(n < CASES_MAX);
		ratios[n++] = contrast_estimate(&in, &math, scratch).log_ratio;
	}
	assert_int_equal(*other, '\0');
	return n;
}

static void check_row(char **column)
{
	const double confidence = strtod(column[1], NULL), limit = strtod(column[2], NULL);
	const struct contrast_limit above = { limit, true, true }, below = { limit, true, false };
	struct log_ratio ratios[CASES_MAX];
	const size_t n = ratios_of(column[3], column[4], ratios);
	const struct log_ratio mean = geomean_of(ratios, n);
	const struct estimate ratio = geomean_interval(&mean, confidence, false, &math);

	assert_true(mean.known && !ratio.withheld);
	near(column[0], "the ratio", ratio.value, strtod(column[5], NULL));
	near(column[0], "the low end", ratio.low, strtod(column[6], NULL));
	near(column[0], "the high end", ratio.high, strtod(column[7], NULL));
	near(column[0], "df", mean.df, strtod(column[8], NULL));
	near(column[0], "p above", geomean_p_beyond(&mean, &above, false, &math),
	     strtod(column[9], NULL));
	near(column[0], "p below", geomean_p_beyond(&mean, &below, false, &math),
	     strtod(column[10], NULL));
}

static void numbers_agree_with_r(void **state)
{
	assert_int_equal(reference_rows("geomeans.tsv", COLUMNS, check_row), 3);
}

/* ln(1.1) and ln(1.21), without errors */
#define LOG_110 0.095310179804324935
#define LOG_121 0.19062035960864987

static void exact_ratios_have_an_exact_mean(void **state)
{
	const struct log_ratio ratios[] = { { true, 0, 0, INFINITY },
					    { true, LOG_121, 0, INFINITY } };
	const struct log_ratio mean = geomean_of(ratios, 2);
	const struct estimate ratio = geomean_interval(&mean, 0.95, false, &math);
	const struct contrast_limit tight = { 0.05, true, true }, wide = { 0.2, true, true };
	const struct contrast_limit kept = { 0.2, true, false };

	assert_true(fabs(mean.value - LOG_110) < 1e-15 && mean.error <= 0);
	assert_true(fabs(ratio.value - 1.1) < 1e-15);
	assert_true(ratio.low == ratio.value && ratio.high == ratio.value);
	assert_true(geomean_p_beyond(&mean, &tight, false, &math) == 0);
	assert_true(geomean_p_beyond(&mean, &wide, false, &math) == 1);
	assert_true(geomean_p_beyond(&mean, &kept, false, &math) == 0);
}

static void one_unknown_ratio_makes_the_mean_unknown(void **state)
{
	const struct log_ratio ratios[] = { { true, 0.1, 0.01, 9 }, { .known = false } };
	const struct log_ratio mean = geomean_of(ratios, 2);
	const struct contrast_limit limit = { 0, true, true };

	assert_false(mean.known);
	assert_true(geomean_interval(&mean, 0.95, false, &math).withheld);
	assert_true(geomean_p_beyond(&mean, &limit, false, &math) == 1);
}

static void the_mean_of_one_case_is_that_case(void **state)
{
	const struct log_ratio one = { true, 0.02, 0.005, 11 };
	const struct log_ratio mean = geomean_of(&one, 1);

	assert_true(fabs(mean.value - 0.02) < 1e-15 && fabs(mean.error - 0.005) < 1e-15);
	assert_true(fabs(mean.df - 11) < 1e-9);
}

static void at_any_time_the_interval_is_that_of_the_sequential_test(void **state)
{
	const struct log_ratio mean = { true, 0.02, 0.005, 19 };
	const struct contrast_limit limit = { 0, true, true };
	const struct estimate planned = geomean_interval(&mean, 0.95, false, &math);
	const struct estimate ratio = geomean_interval(&mean, 0.95, true, &math);
	const double half = log(ratio.high) - 0.02;

	assert_true(ratio.low < planned.low && ratio.high > planned.high);
	assert_int_equal(ratio.method, ESTIMATE_ANY_TIME);
	assert_true(fabs(half - 0.005 * sequential_t(&math, 0.05, 20)) < 1e-12);
	assert_true(fabs(geomean_p_beyond(&mean, &limit, true, &math) -
			 sequential_p(&math, 4, 20) / 2) < 1e-12);
}

/* The errors of multiplexed counts have infinite degrees of freedom. */
static void at_any_time_the_errors_of_estimates_are_normal(void **state)
{
	static const double dfs[] = { 1e8, 1e12, 1e300 };
	const struct log_ratio mean = { true, 0.02, 0.005, INFINITY };
	const struct contrast_limit limit = { 0, true, true };
	const struct estimate ratio = geomean_interval(&mean, 0.95, true, &math);

	assert_true(fabs(log(ratio.high) - 0.02 - 0.005 * 1.959963984540054) < 1e-12);
	assert_true(fabs(geomean_p_beyond(&mean, &limit, true, &math) - 3.1671241833119979e-05) <
		    1e-12);
	for (size_t i = 0; i < N_OF(dfs); i++) {
		const struct log_ratio nearly = { true, 0.02, 0.005, dfs[i] };
		const struct estimate wide = geomean_interval(&nearly, 0.95, true, &math);

		assert_true(wide.high > ratio.high && wide.high < 1.1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_agree_with_r),
		cmocka_unit_test(exact_ratios_have_an_exact_mean),
		cmocka_unit_test(one_unknown_ratio_makes_the_mean_unknown),
		cmocka_unit_test(the_mean_of_one_case_is_that_case),
		cmocka_unit_test(at_any_time_the_interval_is_that_of_the_sequential_test),
		cmocka_unit_test(at_any_time_the_errors_of_estimates_are_normal),
	};

	return cmocka_run_group_tests(tests, load_math, NULL);
}
