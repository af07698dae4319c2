/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/write.h"
#include "unit/test.h"

static void a_string_is_escaped_as_rfc_8259_says(void **state)
{
	static const struct {
		int line;
		const char *text, *json;
	} rows[] = {
		{ ROW, "", "\"\"" },
		{ ROW, "cycles", "\"cycles\"" },
		{ ROW, "cpu/event=0x3c/u", "\"cpu/event=0x3c/u\"" },
		{ ROW, "a\"b", "\"a\\\"b\"" },
		{ ROW, "a\\b", "\"a\\\\b\"" },
		{ ROW, "\"\\", "\"\\\"\\\\\"" },
		{ ROW, "a\tb\n", "\"a\\u0009b\\u000a\"" },
		{ ROW, "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"" },
		{ ROW, " ~", "\" ~\"" },
		/*
		 * UTF-8 does not change: the first and last characters of two, three and four bytes
		 */
		{ ROW, "é", "\"é\"" },
		{ ROW, "\xc2\x80\xdf\xbf", "\"\xc2\x80\xdf\xbf\"" },
		{ ROW, "\xe0\xa0\x80\xed\x9f\xbf", "\"\xe0\xa0\x80\xed\x9f\xbf\"" },
		{ ROW, "\xee\x80\x80\xef\xbf\xbf", "\"\xee\x80\x80\xef\xbf\xbf\"" },
		{ ROW, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		str_add_json(&out, rows[i].text);
		row_string(&rows[i], str_text(&out), rows[i].json);
	}
}

/* Each invalid byte is replaced on its own. */
static void invalid_utf8_is_replaced(void **state)
{
	static const struct {
		int line;
		const char *text, *json;
	} rows[] = {
		{ ROW, "\x80", "\"�\"" }, /* a continuation byte */
		{ ROW,
		  "a\xff"
		  "b",
		  "\"a�b\"" },
		{ ROW, "\xc3", "\"�\"" }, /* incomplete: at the end, and before another character */
		{ ROW, "\xc3z", "\"�z\"" },
		{ ROW, "\xe2\x82", "\"��\"" },
		{ ROW, "\xe2\x82z", "\"��z\"" },
		{ ROW, "\xf0\x9f\x98", "\"���\"" },
		{ ROW, "\xc0\x80", "\"��\"" }, /* longer than necessary */
		{ ROW, "\xc1\xbf", "\"��\"" },
		{ ROW, "\xe0\x9f\xbf", "\"���\"" },
		{ ROW, "\xf0\x8f\xbf\xbf", "\"����\"" },
		{ ROW, "\xed\xa0\x80", "\"���\"" }, /* a surrogate */
		{ ROW, "\xf4\x90\x80\x80", "\"����\"" }, /* past U+10FFFF */
		{ ROW, "\xf5\x80", "\"��\"" },
		{ ROW, "\xc3\"", "\"�\\\"\"" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		str_add_json(&out, rows[i].text);
		row_string(&rows[i], str_text(&out), rows[i].json);
	}
}

static void a_string_is_appended(void **state)
{
	cleanup_str struct str out = { 0 };

	str_add(&out, "{");
	str_add_json(&out, "a");
	str_add(&out, " : ");
	str_add_json(&out, "b");
	assert_string_equal(str_text(&out), "{\"a\" : \"b\"");
}

/* One value that is written to memory. */
struct output {
	struct json_out json;
	char *text; /* owned */
	size_t size;
};

static void output_release(struct output *out)
{
	free(out->text);
}

static void output_begin(struct output *out)
{
	out->json.out = open_memstream(&out->text, &out->size);
	assert_non_null(out->json.out);
}

/* The text without the final newline. */
static const char *output_end(struct output *out)
{
	assert_int_equal(write_finish(&out->json), 0);
	assert_int_equal(fclose(out->json.out), 0);
	assert_int_equal(out->text[out->size - 1], '\n');
	out->text[out->size - 1] = '\0';
	return out->text;
}

static void a_text_can_be_read_back_byte_by_byte(void **state)
{
	static const struct {
		int line;
		const char *text, *json;
	} rows[] = {
		{ ROW, "", "\"\"" },
		{ ROW, "ünï \"\n", "\"ünï \\\"\\u000a\"" },
		{ ROW, "\xff", "{ \"bytes\": \"ff\", \"text\": \"�\" }" },
		{ ROW, "\x01\xc3z", "{ \"bytes\": \"01c37a\", \"text\": \"\\u0001�z\" }" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(output_release) struct output out = { 0 };

		output_begin(&out);
		write_text(&out.json, NULL, rows[i].text);
		row_string(&rows[i], output_end(&out), rows[i].json);
	}
}

static void counts_too_large_for_readers_are_strings(void **state)
{
	static const struct {
		int line;
		uint64_t value;
		const char *json;
	} rows[] = {
		{ ROW, 0, "0" },
		{ ROW, 10, "10" },
		{ ROW, (UINT64_C(1) << 53) + 1, "9007199254740993" },
		{ ROW, INT64_MAX, "9223372036854775807" },
		{ ROW, UINT64_C(1) << 63, "\"9223372036854775808\"" },
		{ ROW, UINT64_MAX, "\"18446744073709551615\"" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(output_release) struct output out = { 0 };

		output_begin(&out);
		write_unsigned(&out.json, NULL, rows[i].value);
		row_string(&rows[i], output_end(&out), rows[i].json);
	}
}

static void a_number_has_the_digits_it_needs(void **state)
{
	static const struct {
		int line;
		long double value;
		const char *json;
	} rows[] = {
		{ ROW, 0, "0" },
		{ ROW, -0.0L, "0" },
		{ ROW, -12, "-12" },
		{ ROW, 0.1, "0.1" },
		{ ROW, 1.0 / 3, "0.3333333333333333" },
		{ ROW, 0.1 + 0.2, "0.30000000000000004" },
		{ ROW, 1e-6, "1e-06" },
		{ ROW, 5e-324, "4.94065645841247e-324" },
		{ ROW, 1.7976931348623157e308, "1.7976931348623157e+308" },
		/* whole: exact although a double would not be */
		{ ROW, 9007199254740993.0L, "9007199254740993" },
		{ ROW, 9223372036854775807.0L, "9223372036854775807" },
		{ ROW, 9223372036854775808.0L, "9.223372036854776e+18" },
		{ ROW, 18446744073709551615.0L, "1.8446744073709552e+19" },
		/* values that JSON does not have */
		{ ROW, (long double)INFINITY, "null" },
		{ ROW, (long double)-INFINITY, "null" },
		{ ROW, (long double)NAN, "null" },
		{ ROW, 2 * (long double)DBL_MAX, "null" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(output_release) struct output out = { 0 };

		output_begin(&out);
		write_number(&out.json, NULL, rows[i].value);
		row_string(&rows[i], output_end(&out), rows[i].json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_is_escaped_as_rfc_8259_says),
		cmocka_unit_test(invalid_utf8_is_replaced),
		cmocka_unit_test(a_string_is_appended),
		cmocka_unit_test(a_text_can_be_read_back_byte_by_byte),
		cmocka_unit_test(counts_too_large_for_readers_are_strings),
		cmocka_unit_test(a_number_has_the_digits_it_needs),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
