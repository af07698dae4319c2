/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "unit/test.h"

static void a_character_has_its_length_and_value(void **state)
{
	static const struct {
		int line;
		const char *text;
		size_t n;
	} rows[] = {
		{ ROW, "", 1 },
		{ ROW, "a", 1 },
		{ ROW, "\x7f", 1 },
		{ ROW, "\xc3\xa9x", 2 },
		{ ROW, "\xe5\xa4\xa7", 3 },
		{ ROW, "\xf0\x9f\x9a\x80", 4 },
		/*
		 * invalid: a continuation byte, incomplete, too long, a surrogate, beyond U+10FFFF
		 */
		{ ROW, "\xa9", 0 },
		{ ROW, "\xc3", 0 },
		{ ROW, "\xe5\xa4", 0 },
		{ ROW, "\xc0\x80", 0 },
		{ ROW, "\xed\xa0\x80", 0 },
		{ ROW, "\xf4\x90\x80\x80", 0 },
		{ ROW, "\xff", 0 },
	};

	for (size_t i = 0; i < N_OF(rows); i++)
		row_int(&rows[i], utf8_length(rows[i].text), rows[i].n);
}

static void invalid_bytes_are_replaced_one_by_one(void **state)
{
	cleanup_str struct str out = { 0 };

	str_add_utf8(&out, "na\xc3\xafve \xff\xe2\x82z\n");
	assert_string_equal(str_text(&out), "na\xc3\xafve \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\n");
}

static void controls_of_several_bytes_are_replaced(void **state)
{
	cleanup_str struct str out = { 0 };

	str_add_utf8_visible(&out, "na\xc3\xafve \xff\n \xc2\x9b"
				   "31m \u202e\u2066");
	assert_string_equal(str_text(&out), "na\xc3\xafve \ufffd\n \ufffd"
					    "31m \ufffd\ufffd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_character_has_its_length_and_value),
		cmocka_unit_test(invalid_bytes_are_replaced_one_by_one),
		cmocka_unit_test(controls_of_several_bytes_are_replaced),
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
