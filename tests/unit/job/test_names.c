/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/sides.h"
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
		row_int(&rows[i], sides_add_name(&names, rows[i].name), 0);
		row_int(&rows[i], names.n, i + 1);
		row_string(&rows[i], names.v[i], rows[i].expected);
	}
	str_list_release(&names);
}

static void many_equal_names_are_numbered(void **state)
{
	struct str_list names = { 0 };

	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(sides_add_name(&names, "a"), 0);
	assert_string_equal(names.v[998], "a #999");
	assert_string_equal(names.v[999], "a #1000");
	str_list_release(&names);
}

static void a_list_of_names_has_unique_names(void **state)
{
	static const struct {
		int line;
		const char *list;
		size_t n; /* 0: it is refused */
		const char *last; /* or the message */
	} rows[] = {
		{ ROW, "a", 1, "a" },
		{ ROW, "a,b c,A", 3, "A" },
		{ ROW, "a,", 0, "--names a,: name 2 is empty" },
		{ ROW, "a,a", 0, "--names a,a: 'a' is used twice" },
		{ ROW, "b,a,c,a", 0, "--names b,a,c,a: 'a' is used twice" },
		{ ROW, ",", 0, "--names ,: name 1 is empty" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };
		struct str_list names = { 0 };
		int err = sides_read_names(&names, rows[i].list, &why);

		row_int(&rows[i], err, rows[i].n ? 0 : -EINVAL);
		if (rows[i].n)
			row_int(&rows[i], names.n, rows[i].n);
		row_string(&rows[i], err ? why.text : names.v[names.n - 1], rows[i].last);
		str_list_release(&names);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_that_is_taken_gets_a_number),
		cmocka_unit_test(many_equal_names_are_numbered),
		cmocka_unit_test(a_list_of_names_has_unique_names),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
