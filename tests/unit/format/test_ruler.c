/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/terminal.h"
#include "unit/test.h"

static void text_is_shown_harmless_and_measured(void **state)
{
	static const struct {
		int line;
		const char *text, *shown; /* NULL: unchanged */
		int columns;
	} cases[] = {
		{ ROW, "", NULL, 0 },
		{ ROW, "cycles:u", NULL, 8 },
		{ ROW, " ~\\x", NULL, 4 },
		{ ROW, "\u00e9nergie", NULL, 7 },
		{ ROW, "\u547d\u4ee4", NULL, 4 }, /* wide */
		{ ROW, "\U0001f680x", NULL, 3 },
		{ ROW, "e\u0301e", NULL, 2 }, /* combining */
		{ ROW, "a\u200db", NULL, 2 },
		{ ROW, "1\u202f234\u00a05", NULL, 7 }, /* separators of locales */
		{ ROW, "\U0010ffff", "\\xf4\\x8f\\xbf\\xbf", 16 }, /* no character */
		/* sequences that a terminal obeys */
		{ ROW, "\033[2J", "\\x1b[2J", 7 },
		{ ROW, "a\tb\nc\r", "a\\x09b\\x0ac\\x0d", 15 },
		{ ROW, "\x7f", "\\x7f", 4 },
		{ ROW, "\302\23331m", "\\xc2\\x9b31m", 11 }, /* a CSI of one character */
		{ ROW, "\u202eevil\u2066\u200f",
		  "\\xe2\\x80\\xaeevil\\xe2\\x81\\xa6\\xe2\\x80\\x8f", 40 },
		{ ROW, "\u2028\u2029\u061c", "\\xe2\\x80\\xa8\\xe2\\x80\\xa9\\xd8\\x9c", 32 },
		/* invalid UTF-8 */
		{ ROW, "caf\xe9", "caf\\xe9", 7 },
		{ ROW, "\x80", "\\x80", 4 },
		{ ROW, "\xe5\x91", "\\xe5\\x91", 8 }, /* truncated */
		{ ROW, "\xe5\x91z", "\\xe5\\x91z", 9 },
		{ ROW, "\xc1\xbf", "\\xc1\\xbf", 8 }, /* an overlong form */
		{ ROW, "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf", 12 },
		{ ROW, "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf", 16 },
		{ ROW, "\xed\xa0\x80", "\\xed\\xa0\\x80", 12 }, /* half of a surrogate pair */
		{ ROW, "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", 16 },
		{ ROW, "\xff", "\\xff", 4 },
	};
	cleanup_with(ruler_release) struct ruler ruler = { 0 };

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_str struct str out = { 0 };
		const char *shown = cases[i].shown ? cases[i].shown : cases[i].text;

		row_int(&cases[i], ruler_add(&ruler, &out, cases[i].text), cases[i].columns);
		row_string(&cases[i], str_text(&out), shown);
		row_int(&cases[i], ruler_measure(&ruler, cases[i].text), cases[i].columns);
	}
}

/* Most names are plain ASCII, and loading a locale takes time. */
static void plain_text_needs_no_locale(void **state)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };

	ruler_measure(&ruler, "L1-dcache-load-misses\033");
	assert_false(ruler.looked);
	ruler_measure(&ruler, "\u00e9");
	assert_true(ruler.looked);
}

static void no_line_is_a_command_of_a_log(void **state)
{
	static const struct {
		int line;
		const char *text, *shown;
	} rows[] = {
		{ ROW, "skl::CYCLES", "skl::CYCLES\n" },
		{ ROW, "::error::x", "\\x3a:error::x\n" },
		{ ROW, "  ::error::x", "  \\x3a:error::x\n" },
		{ ROW, "\u00a0::error::x", "\u00a0\\x3a:error::x\n" },
		{ ROW, "", "\n" },
	};
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style style = { .ruler = &ruler };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_line struct line line = { .style = &style };
		cleanup_str struct str twice = { 0 };

		str_addf(&twice, "%s%s", rows[i].shown, rows[i].shown);
		for (int again = 0; again < 2; again++) {
			line_add(&line, rows[i].text);
			line_end(&line);
		}
		row_string(&rows[i], str_text(&line.text), str_text(&twice));
	}
}

static void text_is_cut_in_the_middle(void **state)
{
	static const struct {
		int line;
		const char *text;
		int width;
		size_t stays;
		const char *shown;
	} rows[] = {
		{ ROW, "cc1 main.c", 10, 0, "cc1 main.c" },
		{ ROW, "cc1 main.c", 9, 0, "cc1 …in.c" },
		{ ROW, "cc1 main.c", 8, 0, "cc1 …n.c" },
		{ ROW, "cc1 a/b/c/d/main.c", 11, 4, "cc1 a…ain.c" }, /* in the part that is shown */
		{ ROW, "cc1 a/b/c/d/main.c", 11, 6, "cc1 a…b/c/…" },
		{ ROW, "cc1 a/b/c/d/main.c", 11, 12, "cc1 a…main…" },
		{ ROW, "cc1 a/b/c/d/main.c", 11, 14, "cc1 a…ain.c" },
		{ ROW, "cc1 main.c", 2, 0, "c…" },
		{ ROW, "cc1 main.c", 1, 0, "…" },
		{ ROW, "cc1 main.c", 0, 0, "" },
		/* wide and combining characters stay whole */
		{ ROW, "\u547d\u4ee4\u547d\u4ee4", 7, 0, "\u547d…\u4ee4" },
		{ ROW, "\u547d\u4ee4\u547d\u4ee4", 6, 0, "\u547d…\u4ee4" },
		{ ROW, "e\u0301e\u0301e\u0301e\u0301", 3, 0, "e\u0301…e\u0301" },
		{ ROW, "a\nb\nc", 7, 0, "a…c" },
	};
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style style = { .ruler = &ruler };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_line struct line line = { .style = &style };

		line_cut_middle(&line, rows[i].text, rows[i].width, rows[i].stays);
		row_string(&rows[i], str_text(&line.text), rows[i].shown);
		row_int(&rows[i], line.columns, ruler_measure(&ruler, rows[i].shown));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_shown_harmless_and_measured),
		cmocka_unit_test(plain_text_needs_no_locale),
		cmocka_unit_test(no_line_is_a_command_of_a_log),
		cmocka_unit_test(text_is_cut_in_the_middle),
	};

	return cmocka_run_group_tests_name("ruler", tests, NULL, NULL);
}
