/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions in place of libm, compared with libm. */
#include <float.h>
#include <math.h>

#include "base/math.h"
#include "stats/estimate.c" /* for its static functions */
#include "unit/test.h"

static void the_exponential_function_is_that_of_libm(void **state)
{
	for (double x = 0; x < 700; x += x < 1 ? 0.0009 : 0.09)
		assert_true(fabs(exp_minus(x) / exp(-x) - 1) < 5e-11);
	assert_true(exp_minus(0) == 1);
	assert_true(exp_minus(1000) == 0);
}

static void the_logarithm_is_that_of_libm(void **state)
{
	for (double x = DBL_MIN; x < DBL_MAX / 2; x *= 1.37)
		assert_true(fabs(natural_log(x) - log(x)) < 1e-10);
	assert_true(natural_log(1) == 0);
}

static void powers_and_maxima(void **state)
{
	assert_true(math_power(3, 0) == 1);
	assert_true(math_power(0.5, 10) == 0x1p-10);
	assert_true(math_larger(1, 2) == 2 && math_larger(2, 1) == 2);
	assert_true(math_larger(NAN, 0) == 0);
}

static void whole_numbers(void **state)
{
	assert_true(math_truncate(0) == 0);
	assert_true(math_truncate(1.999L) == 1);
	assert_true(math_truncate(18446744073709551615.0L) == 18446744073709551615.0L);
	assert_true(math_truncate(3e30L) == 3e30L); /* more than a uint64_t holds */
	assert_true(math_is_whole(0) && math_is_whole(7) && math_is_whole(0x1p63L));
	assert_false(math_is_whole(0.5L) || math_is_whole(-1) || math_is_whole(0x1p64L));
	assert_false(math_is_whole((long double)NAN) || math_is_whole((long double)INFINITY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exponential_function_is_that_of_libm),
		cmocka_unit_test(the_logarithm_is_that_of_libm),
		cmocka_unit_test(powers_and_maxima),
		cmocka_unit_test(whole_numbers),
	};

	return cmocka_run_group_tests_name("math", tests, NULL, NULL);
}
