/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmocka, and checks for tables: each row begins with ROW, which is its line, and a check that
 * fails names that line.
 */
#ifndef PSTAT_UNIT_TEST_H
#define PSTAT_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ROW .line = __LINE__
#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#define row_true(row, expression)                                                                  \
	_assert_true(cast_to_largest_integral_type(expression), #expression, __FILE__, (row)->line)

#define row_int(row, got, expected)                                                                \
	_assert_int_equal(cast_to_largest_integral_type(got),                                      \
			  cast_to_largest_integral_type(expected), __FILE__, (row)->line)

#define row_string(row, got, expected) _assert_string_equal(got, expected, __FILE__, (row)->line)

/* A row with a text that a parser refuses, with -EINVAL or with the given error. */
struct refused {
	int line;
	const char *text;
	size_t position;
	const char *why;
};

struct refused_with {
	int line;
	const char *text;
	int error;
	size_t position;
	const char *why;
};

/* Compare the sentence and the position of a struct why with the row. */
#define row_why(row, got)                                                                          \
	do {                                                                                       \
		row_string(row, (got)->text, (row)->why);                                          \
		row_true(row, (got)->has_position);                                                \
		row_int(row, (got)->position, (row)->position);                                    \
	} while (0)

/* Compare the texts of two doubles, so that a failure shows both values. */
#define assert_double(got, expected)                                                               \
	do {                                                                                       \
		char got_[64], expected_[64];                                                      \
		snprintf(got_, sizeof(got_), "%.15g", (double)(got));                              \
		snprintf(expected_, sizeof(expected_), "%.15g", (double)(expected));               \
		assert_string_equal(got_, expected_);                                              \
	} while (0)

#endif
