/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "report/json_text.h"
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
		/* UTF-8 stays: of two, three and four bytes, the first and the last of each */
		{ ROW, "é", "\"é\"" },
		{ ROW, "\xc2\x80\xdf\xbf", "\"\xc2\x80\xdf\xbf\"" },
		{ ROW, "\xe0\xa0\x80\xed\x9f\xbf", "\"\xe0\xa0\x80\xed\x9f\xbf\"" },
		{ ROW, "\xee\x80\x80\xef\xbf\xbf", "\"\xee\x80\x80\xef\xbf\xbf\"" },
		{ ROW, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		json_add_string(&out, rows[i].text);
		row_string(&rows[i], str_text(&out), rows[i].json);
	}
}

/* Each byte that begins no character stands for itself alone. */
static void what_is_no_utf8_is_replaced(void **state)
{
	static const struct {
		int line;
		const char *text, *json;
	} rows[] = {
		{ ROW, "\x80", "\"\\ufffd\"" }, /* a character's later byte */
		{ ROW,
		  "a\xff"
		  "b",
		  "\"a\\ufffdb\"" },
		{ ROW, "\xc3", "\"\\ufffd\"" }, /* cut short, by the end and by another */
		{ ROW, "\xc3z", "\"\\ufffdz\"" },
		{ ROW, "\xe2\x82", "\"\\ufffd\\ufffd\"" },
		{ ROW, "\xe2\x82z", "\"\\ufffd\\ufffdz\"" },
		{ ROW, "\xf0\x9f\x98", "\"\\ufffd\\ufffd\\ufffd\"" },
		{ ROW, "\xc0\x80", "\"\\ufffd\\ufffd\"" }, /* longer than needed */
		{ ROW, "\xc1\xbf", "\"\\ufffd\\ufffd\"" },
		{ ROW, "\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\"" },
		{ ROW, "\xf0\x8f\xbf\xbf", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
		{ ROW, "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" }, /* a surrogate */
		{ ROW, "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" }, /* past U+10FFFF */
		{ ROW, "\xf5\x80", "\"\\ufffd\\ufffd\"" },
		{ ROW, "\xc3\"", "\"\\ufffd\\\"\"" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_str struct str out = { 0 };

		json_add_string(&out, rows[i].text);
		row_string(&rows[i], str_text(&out), rows[i].json);
	}
}

static void a_string_is_appended(void **state)
{
	cleanup_str struct str out = { 0 };

	str_add(&out, "{");
	json_add_string(&out, "a");
	str_add(&out, " : ");
	json_add_string(&out, "b");
	assert_string_equal(str_text(&out), "{\"a\" : \"b\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_is_escaped_as_rfc_8259_says),
		cmocka_unit_test(what_is_no_utf8_is_replaced),
		cmocka_unit_test(a_string_is_appended),
	};

	return cmocka_run_group_tests_name("json_text", tests, NULL, NULL);
}
