/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "unit/test.h"

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

static const char *output_end(struct output *out)
{
	assert_int_equal(json_finish(&out->json), 0);
	assert_int_equal(fclose(out->json.out), 0);
	return out->text;
}

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
		cleanup_with(output_release) struct output out = { 0 };

		output_begin(&out);
		json_string(&out.json, NULL, rows[i].text);
		row_string(&rows[i], output_end(&out), rows[i].json);
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
		cleanup_with(output_release) struct output out = { 0 };

		output_begin(&out);
		json_string(&out.json, NULL, rows[i].text);
		row_string(&rows[i], output_end(&out), rows[i].json);
	}
}

/* The same members in each layout. */
static void add_members(struct json_out *j, enum json_layout layout)
{
	json_object(j, NULL, layout);
	json_null(j, "null");
	json_bool(j, "bool", true);
	json_array(j, "none", layout);
	json_end(j);
	json_object(j, "nothing", layout);
	json_end(j);
	json_array(j, "list", layout);
	json_int(j, NULL, -1);
	json_hex(j, NULL, 60);
	json_string(j, NULL, NULL);
	json_end(j);
	str_add(json_value(j, "\"own\""), "1.50");
	json_end(j);
}

static void each_layout_arranges_the_members(void **state)
{
	static const struct {
		int line;
		enum json_layout layout;
		const char *json;
	} rows[] = {
		{ ROW, JSON_LINES,
		  "{\n"
		  "  \"null\": null,\n"
		  "  \"bool\": true,\n"
		  "  \"none\": [],\n"
		  "  \"nothing\": {},\n"
		  "  \"list\": [\n"
		  "    -1,\n"
		  "    \"0x3c\",\n"
		  "    null\n"
		  "  ],\n"
		  "  \"\\\"own\\\"\": 1.50\n"
		  "}\n" },
		{ ROW, JSON_LINE,
		  "{ \"null\": null, \"bool\": true, \"none\": [], \"nothing\": {}, "
		  "\"list\": [-1, \"0x3c\", null], \"\\\"own\\\"\": 1.50 }\n" },
		{ ROW, JSON_PERF,
		  "{\"null\" : null, \"bool\" : true, \"none\" : [], \"nothing\" : {}, "
		  "\"list\" : [\n-1,\n\"0x3c\",\nnull\n], \"\\\"own\\\"\" : 1.50}\n" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(output_release) struct output out = { 0 };

		output_begin(&out);
		add_members(&out.json, rows[i].layout);
		row_string(&rows[i], output_end(&out), rows[i].json);
	}
}

/* With its comma, a member fills a line of 96 characters. */
static void a_full_line_ends(void **state)
{
	static const struct {
		int line;
		enum json_layout layout;
		int length; /* of the first string */
		const char *between;
	} rows[] = {
		{ ROW, JSON_FILL, 91, ", " },
		{ ROW, JSON_FILL, 92, ",\n  " },
		{ ROW, JSON_LINE, 92, ", " },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(output_release) struct output out = { 0 };
		cleanup_str struct str member = { 0 }, json = { 0 };

		str_fill(&member, 'x', (size_t)rows[i].length);
		output_begin(&out);
		json_array(&out.json, NULL, rows[i].layout);
		json_string(&out.json, NULL, str_text(&member));
		json_string(&out.json, NULL, "y");
		json_end(&out.json);
		str_addf(&json, "[\"%s\"%s\"y\"]\n", str_text(&member), rows[i].between);
		row_string(&rows[i], output_end(&out), str_text(&json));
	}
}

/* The text is written in pieces, and the lines are the same. */
static void a_long_text_is_streamed(void **state)
{
	enum { MEMBERS = 20000 };
	cleanup_with(output_release) struct output out = { 0 };
	const char *text;
	size_t commas = 0;

	output_begin(&out);
	json_array(&out.json, NULL, JSON_FILL);
	for (int i = 0; i < MEMBERS; i++) {
		json_int(&out.json, NULL, 10000000);
		assert_true(out.json.text.len < 100000);
	}
	json_end(&out.json);
	text = output_end(&out);
	for (const char *p = text; *p; p++)
		commas += *p == ',';
	assert_int_equal(commas, MEMBERS - 1);
	for (size_t n; *text; text += n + 1) {
		n = strcspn(text, "\n");
		assert_in_range(n, 1, 106);
	}
}

static void nothing_is_written_after_an_error(void **state)
{
	cleanup_with(output_release) struct output out = { 0 };

	output_begin(&out);
	json_array(&out.json, NULL, JSON_LINES);
	out.json.err = -ENOMEM;
	json_end(&out.json);
	assert_int_equal(json_finish(&out.json), -ENOMEM);
	assert_int_equal(fclose(out.json.out), 0);
	assert_string_equal(out.text, "");
}

static void a_failed_write_is_reported(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct json_out json = { .out = full };

	if (!full)
		skip();
	assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
	json_null(&json, NULL);
	assert_int_equal(json_finish(&json), -ENOSPC);
	fclose(full);
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
		json_text(&out.json, NULL, rows[i].text);
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
		json_unsigned(&out.json, NULL, rows[i].value);
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
		json_number(&out.json, NULL, rows[i].value);
		row_string(&rows[i], output_end(&out), rows[i].json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_is_escaped_as_rfc_8259_says),
		cmocka_unit_test(invalid_utf8_is_replaced),
		cmocka_unit_test(each_layout_arranges_the_members),
		cmocka_unit_test(a_full_line_ends),
		cmocka_unit_test(a_long_text_is_streamed),
		cmocka_unit_test(nothing_is_written_after_an_error),
		cmocka_unit_test(a_failed_write_is_reported),
		cmocka_unit_test(a_text_can_be_read_back_byte_by_byte),
		cmocka_unit_test(counts_too_large_for_readers_are_strings),
		cmocka_unit_test(a_number_has_the_digits_it_needs),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
