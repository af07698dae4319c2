/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions in place of those of libm. */
#include <math.h>

#include "base/math.h"
#include "unit/test.h"

static void powers_and_maxima(void **state)
{
	assert_true(math_power(3, 0) == 1);
	assert_true(math_power(0.5, 10) == 0x1p-10);
	assert_true(math_larger(1, 2) == 2 && math_larger(2, 1) == 2);
	assert_true(math_larger(NAN, 0) == 0);
	assert_true(math_smaller(1, 2) == 1 && math_smaller(2, 1) == 1);
	assert_true(math_smaller(NAN, 0) == 0);
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
		cmocka_unit_test(powers_and_maxima),
		cmocka_unit_test(whole_numbers),
	};

	return cmocka_run_group_tests_name("math", tests, NULL, NULL);
}
