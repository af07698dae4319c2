/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A date is shown in the given zone, whatever the zone of this process is. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_date_is_shown_in_its_zone),
		cmocka_unit_test(the_caller_chooses_the_separators),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
