/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "unit/test.h"

typedef int parse(const char *text, size_t n, uint64_t *out);

static const struct {
	int line;
	parse *parse;
	const char *text;
	uint64_t value;
} accepted[] = {
	{ ROW, num_parse, "0", 0 },
	{ ROW, num_parse, "1", 1 },
	{ ROW, num_parse, "007", 7 },
	{ ROW, num_parse, "010", 10 }, /* not octal */
	{ ROW, num_parse, "18446744073709551615", UINT64_MAX },
	{ ROW, num_parse, "00000000000000000000000000001", 1 },
	{ ROW, num_parse, "0x0", 0 },
	{ ROW, num_parse, "0x1aF", 0x1af },
	{ ROW, num_parse, "0X1Af", 0x1af },
	{ ROW, num_parse, "0xffffffffffffffff", UINT64_MAX },
	{ ROW, num_parse, "0x0000000000000000000000001", 1 },
	{ ROW, num_parse_hex, "0", 0 },
	{ ROW, num_parse_hex, "1a2b", 0x1a2b },
	{ ROW, num_parse_hex, "1A2B", 0x1a2b },
	{ ROW, num_parse_hex, "0x1a2b", 0x1a2b },
	{ ROW, num_parse_hex, "10", 16 },
	{ ROW, num_parse_hex, "ffffffffffffffff", UINT64_MAX },
};

static const struct {
	int line;
	parse *parse;
	const char *text;
	int error;
} refused[] = {
	{ ROW, num_parse, "", -EINVAL },
	{ ROW, num_parse, " 1", -EINVAL },
	{ ROW, num_parse, "1 ", -EINVAL },
	{ ROW, num_parse, "+1", -EINVAL },
	{ ROW, num_parse, "-1", -EINVAL },
	{ ROW, num_parse, "1.0", -EINVAL },
	{ ROW, num_parse, "1e3", -EINVAL },
	{ ROW, num_parse, "12a", -EINVAL },
	{ ROW, num_parse, "x", -EINVAL },
	{ ROW, num_parse, "0x", -EINVAL },
	{ ROW, num_parse, "0xg", -EINVAL },
	{ ROW, num_parse, "0x-1", -EINVAL },
	{ ROW, num_parse, "0x1.8", -EINVAL },
	{ ROW, num_parse, "18446744073709551616", -ERANGE },
	{ ROW, num_parse, "99999999999999999999", -ERANGE },
	{ ROW, num_parse, "0x10000000000000000", -ERANGE },
	/* text after the digits is an error, however large the number is */
	{ ROW, num_parse, "99999999999999999999z", -EINVAL },
	{ ROW, num_parse_hex, "", -EINVAL },
	{ ROW, num_parse_hex, "0x", -EINVAL },
	{ ROW, num_parse_hex, "1g", -EINVAL },
	{ ROW, num_parse_hex, "-1", -EINVAL },
	{ ROW, num_parse_hex, "10000000000000000", -ERANGE },
};

static void numbers_of_64_bits_are_parsed(void **state)
{
	for (size_t i = 0; i < N_OF(accepted); i++) {
		uint64_t value = 4711;

		row_int(&accepted[i],
			accepted[i].parse(accepted[i].text, strlen(accepted[i].text), &value), 0);
		row_int(&accepted[i], value, accepted[i].value);
	}
}

static void other_text_is_refused_and_changes_nothing(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		uint64_t value = 4711;

		row_int(&refused[i],
			refused[i].parse(refused[i].text, strlen(refused[i].text), &value),
			refused[i].error);
		row_int(&refused[i], value, 4711);
	}
}

/* The text may continue after the number. */
static void only_the_given_bytes_are_read(void **state)
{
	cleanup_free char *text = malloc(2);
	uint64_t value;

	/* without a NUL, so that a sanitizer notices a read beyond the end */
	memcpy(text, "12", 2);
	assert_int_equal(num_parse(text, 2, &value), 0);
	assert_int_equal(value, 12);
	assert_int_equal(num_parse(text, 1, &value), 0);
	assert_int_equal(value, 1);
	assert_int_equal(num_parse(text, 0, &value), -EINVAL);
}

#define PLAIN                                                                                      \
	{                                                                                          \
		"", "."                                                                            \
	}
#define ENGLISH                                                                                    \
	{                                                                                          \
		",", "."                                                                           \
	}
#define GERMAN                                                                                     \
	{                                                                                          \
		".", ","                                                                           \
	}
#define FRENCH                                                                                     \
	{                                                                                          \
		"\xe2\x80\xaf", ","                                                                \
	} /* U+202F */

static const struct {
	int line;
	long double value;
	int decimals;
	struct num_style style;
	const char *text;
} printed[] = {
	{ ROW, 0, 0, PLAIN, "0" },
	{ ROW, 0, 2, ENGLISH, "0.00" },
	{ ROW, 999, 0, ENGLISH, "999" },
	{ ROW, 1000, 0, ENGLISH, "1,000" },
	{ ROW, 1000, 0, PLAIN, "1000" },
	{ ROW, 1234567, 0, ENGLISH, "1,234,567" },
	{ ROW, 123456, 0, ENGLISH, "123,456" },
	{ ROW, 1234567.25L, 2, ENGLISH, "1,234,567.25" },
	{ ROW, 1234567.25L, 2, GERMAN, "1.234.567,25" },
	{ ROW, 1234567.25L, 2, FRENCH,
	  "1\xe2\x80\xaf"
	  "234\xe2\x80\xaf"
	  "567,25" },
	{ ROW, 1234567.25L, 2, PLAIN, "1234567.25" },
	{ ROW, -1, 0, ENGLISH, "-1" },
	{ ROW, -123, 0, ENGLISH, "-123" },
	{ ROW, -123456, 0, ENGLISH, "-123,456" },
	{ ROW, -1234.5L, 1, GERMAN, "-1.234,5" },
	{ ROW, 0.005L, 3, GERMAN, "0,005" },
	{ ROW, 999.996L, 2, ENGLISH, "1,000.00" }, /* rounding adds a group */
	{ ROW, 0.5L, 0, PLAIN, "0" }, /* rounded to even, as in printf(3) */
	{ ROW, 1.5L, 0, PLAIN, "2" },
	/* exact although a double is not: 2^53 + 1, 10^18, the largest counts */
	{ ROW, 9007199254740993.0L, 0, PLAIN, "9007199254740993" },
	{ ROW, 1000000000000000001.0L, 0, ENGLISH, "1,000,000,000,000,000,001" },
	{ ROW, 9223372036854775809.0L, 0, PLAIN, "9223372036854775809" },
	{ ROW, 18446744073709551615.0L, 0, ENGLISH, "18,446,744,073,709,551,615" },
	{ ROW, 1234567890, 0, { ",", ".", "\3\2" }, "1,23,45,67,890" },
	{ ROW, 1234, 0, { ",", ".", "\3\2" }, "1,234" },
	{ ROW, 123, 2, { ",", ".", "\3\2" }, "123.00" },
	{ ROW, 123456789, 0, { ",", ".", "\4" }, "1,2345,6789" },
	{ ROW, 123456789, 0, { ",", ".", "\3\177" }, "123456,789" },
};

static void numbers_are_printed_in_every_style(void **state)
{
	for (size_t i = 0; i < N_OF(printed); i++) {
		cleanup_str struct str out = { 0 };

		num_add(&out, printed[i].value, printed[i].decimals, &printed[i].style);
		row_string(&printed[i], str_text(&out), printed[i].text);
	}
}

static void numbers_are_appended(void **state)
{
	cleanup_str struct str out = { 0 };

	str_add(&out, "a ");
	num_add(&out, 1, 0, &num_plain);
	num_add(&out, 2, 1, &num_plain);
	assert_string_equal(str_text(&out), "a 12.0");
}

static void the_largest_double_is_printed_whole(void **state)
{
	const struct num_style style = ENGLISH;
	cleanup_str struct str out = { 0 };

	num_add(&out, 1.7976931348623157e308, 2, &style);
	assert_int_equal(out.len, 309 + 102 + 3);
	assert_memory_equal(str_text(&out), "179,769,313,486,231,57", 22);
}

/* Reading the text again gives the same double. One digit less would give another double. */
static void numbers_for_programs_read_back_the_same(void **state)
{
	static const struct {
		int line;
		long double value;
		const char *text;
	} rows[] = {
		{ ROW, 0, "0" },
		{ ROW, 1000003, "1000003" },
		{ ROW, -5, "-5" },
		{ ROW, 9007199254740993.0L, "9007199254740993" },
		{ ROW, 18446744073709551615.0L, "18446744073709551615" },
		{ ROW, 18446744073709551616.0L, "1.8446744073709552e+19" },
		{ ROW, 0.1, "0.1" },
		{ ROW, 0.1L, "0.1" },
		{ ROW, -2.5, "-2.5" },
		{ ROW, 1.0L / 3, "0.3333333333333333" },
		{ ROW, 299.66666666666669, "299.6666666666667" },
		{ ROW, 2.3283064365386962890625e-10, "2.3283064365386963e-10" },
		{ ROW, 1.7976931348623157e308, "1.7976931348623157e+308" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		num_add_exact(&out, rows[i].value);
		row_string(&rows[i], str_text(&out), rows[i].text);
		row_true(&rows[i], strtod(str_text(&out), NULL) == (double)rows[i].value);
	}
}

static void nanoseconds_become_seconds_with_nine_decimals(void **state)
{
	static const struct {
		uint64_t ns;
		int width;
		const char *text;
	} cases[] = {
		{ 0, 0, "0.000000000" },
		{ 1, 6, "     0.000000001" },
		{ 1500000000, 0, "1.500000000" },
		{ 1234567999999999, 6, "1234567.999999999" },
		{ UINT64_MAX, 0, "18446744073.709551615" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_str struct str text = { 0 };

		num_add_seconds(&text, cases[i].ns, cases[i].width);
		assert_string_equal(str_text(&text), cases[i].text);
	}
}

static void the_c_locale_has_no_separators(void **state)
{
	struct num_style style;

	assert_int_equal(setenv("LC_ALL", "C", 1), 0);
	style = num_style_of_user();
	assert_string_equal(style.thousands, "");
	assert_string_equal(style.point, ".");
}

static void a_missing_locale_is_treated_as_c(void **state)
{
	struct num_style style;

	assert_int_equal(setenv("LC_ALL", "xx_XX.nothing", 1), 0);
	style = num_style_of_user();
	assert_string_equal(style.thousands, "");
	assert_string_equal(style.point, ".");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_64_bits_are_parsed),
		cmocka_unit_test(other_text_is_refused_and_changes_nothing),
		cmocka_unit_test(only_the_given_bytes_are_read),
		cmocka_unit_test(numbers_are_printed_in_every_style),
		cmocka_unit_test(numbers_are_appended),
		cmocka_unit_test(the_largest_double_is_printed_whole),
		cmocka_unit_test(numbers_for_programs_read_back_the_same),
		cmocka_unit_test(nanoseconds_become_seconds_with_nine_decimals),
		cmocka_unit_test(the_c_locale_has_no_separators),
		cmocka_unit_test(a_missing_locale_is_treated_as_c),
	};

	return cmocka_run_group_tests_name("num", tests, NULL, NULL);
}
