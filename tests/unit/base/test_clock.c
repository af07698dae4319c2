/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A date is shown in the given zone, whatever the zone of this process is, and is read again. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "unit/test.h"

static void a_date_is_shown_in_its_zone(void **state)
{
	static const struct {
		time_t when;
		int zone_s;
		const char *date;
	} cases[] = {
		{ 0, 0, "1970-01-01T00:00:00+00:00" },
		{ 1767225599, 0, "2025-12-31T23:59:59+00:00" },
		{ 1767225599, 3600, "2026-01-01T00:59:59+01:00" },
		{ 1767225600, -12600, "2025-12-31T20:30:00-03:30" },
		{ 1767225600, 20759, "2026-01-01T05:45:00+05:45" },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_str struct str text = { 0 };

		clock_add_date(&text, "T", "", cases[i].when, cases[i].zone_s);
		assert_string_equal(str_text(&text), cases[i].date);
	}
}

static void the_caller_chooses_the_separators(void **state)
{
	cleanup_str struct str text = { 0 };

	clock_add_date(&text, " ", " ", 1767225600, 3600);
	assert_string_equal(str_text(&text), "2026-01-01 01:00:00 +01:00");
}

static void a_date_is_read(void **state)
{
	static const struct {
		int line;
		const char *text;
		time_t when;
		int zone_s;
	} rows[] = {
		{ ROW, "1970-01-01T00:00:00Z", 0, 0 },
		{ ROW, "2026-02-28T13:05:59+01:00", 1772280359, 3600 },
		{ ROW, "2026-02-28T11:05:59-01:00", 1772280359, -3600 },
		{ ROW, "2024-02-29T00:00:00-00:30", 1709166600, -1800 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		time_t when = -1;
		int zone_s = -1;

		row_true(&rows[i], clock_parse_date(rows[i].text, &when, &zone_s));
		row_int(&rows[i], when, rows[i].when);
		row_int(&rows[i], zone_s, rows[i].zone_s);
	}
}

static void what_is_not_a_date_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"2026-02-28",
		"2026-02-28T13:05:59",
		"2026-02-28T13:05:59Zx",
		"2026-02-30T13:05:59Z",
		"2026-13-01T13:05:59Z",
		"2026-02-28T24:05:59Z",
		"2026-02-28T13:05:90Z",
		"2026-02-28T13:05:59+24:00",
		"2026-02-28T13:05:59+01:60",
		"2026-2-28T13:05:59Z",
		"0001-02-28T13:05:59Z",
		"2026-02-28 13:05:59Z",
	};
	time_t when;
	int zone_s;

	for (size_t i = 0; i < N_OF(texts); i++)
		if (clock_parse_date(texts[i], &when, &zone_s))
			fail_msg("accepted: '%s'", texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_date_is_shown_in_its_zone),
		cmocka_unit_test(the_caller_chooses_the_separators),
		cmocka_unit_test(a_date_is_read),
		cmocka_unit_test(what_is_not_a_date_is_refused),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
