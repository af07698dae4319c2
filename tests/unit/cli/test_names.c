/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/names.h"
#include "unit/test.h"

static void a_name_that_is_taken_gets_a_number(void **state)
{
	static const struct {
		int line;
		const char *name, *expected;
	} rows[] = {
		{ ROW, "a", "a" },    { ROW, "a", "a #2" },    { ROW, "b", "b" },
		{ ROW, "a", "a #3" }, { ROW, "b #2", "b #2" }, { ROW, "b", "b #3" },
		{ ROW, "", "" },      { ROW, "", " #2" },
	};
	struct str_list names = { 0 };

	for (size_t i = 0; i < N_OF(rows); i++) {
		row_int(&rows[i], names_add(&names, rows[i].name), 0);
		row_int(&rows[i], names.n, i + 1);
		row_string(&rows[i], names.v[i], rows[i].expected);
	}
	str_list_release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_that_is_taken_gets_a_number),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
