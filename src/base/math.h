/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replacements for functions of libm. pstat does not link libm, because loading it makes each start
 * slower (tests/linkage.test checks this).
 */
#ifndef PSTAT_BASE_MATH_H
#define PSTAT_BASE_MATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Like fmax() and fmin(), but if either number is NAN, the result is the second one. */
static inline double math_larger(double a, double b)
{
	return a > b ? a : b;
}

static inline double math_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* The gain from one number to a later one. A number that has decreased gains 0. */
static inline uint64_t math_gain(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* x to the power of n. */
static inline double math_power(double x, size_t n)
{
	double power = 1;

	for (; n > 0; n--)
		power *= x;
	return power;
}

/* truncl(); x: at least 0. */
static inline long double math_truncate(long double x)
{
	/* cppcheck-suppress floatConversionOverflow; it does not see the condition */
	return x < 0x1p64L ? (long double)(uint64_t)x : x;
}

/* Whether x is a whole number that fits a uint64_t. */
static inline bool math_is_whole(long double x)
{
	return x >= 0 && x < 0x1p64L && math_truncate(x) == x;
}

#endif
