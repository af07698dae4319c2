/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "machine/cpulist.h"
#include "unit/test.h"

static void add_list(struct str *out, const struct cpulist *list)
{
	for (size_t i = 0; i < list->n; i++)
		str_addf(out, "%s%d", i ? " " : "", list->v[i]);
}

static void a_list_gives_its_cpus_in_order_each_once(void **state)
{
	static const struct {
		int line;
		const char *text, *cpus;
	} rows[] = {
		{ ROW, "0", "0" },	   { ROW, "0,18", "0 18" },
		{ ROW, "0-3", "0 1 2 3" }, { ROW, "0-1,4,6-7", "0 1 4 6 7" },
		{ ROW, "7,0-1", "0 1 7" }, { ROW, "5-5", "5" },
		{ ROW, "007", "7" },	   { ROW, "1023", "1023" },
		{ ROW, "3,3", "3" },	   { ROW, "0-2,1-3", "0 1 2 3" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(cpulist_release) struct cpulist list = { 0 };
		cleanup_str struct str cpus = { 0 };

		row_int(&rows[i], cpulist_parse(&list, rows[i].text), 0);
		add_list(&cpus, &list);
		row_string(&rows[i], str_text(&cpus), rows[i].cpus);
	}
}

static void a_list_is_appended_to(void **state)
{
	cleanup_with(cpulist_release) struct cpulist list = { 0 };
	cleanup_str struct str cpus = { 0 };

	assert_int_equal(cpulist_parse(&list, "2-3"), 0);
	assert_int_equal(cpulist_parse(&list, "0,2"), 0);
	add_list(&cpus, &list);
	assert_string_equal(str_text(&cpus), "0 2 3");
}

static void what_is_no_list_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text;
	} rows[] = {
		{ ROW, "" },
		{ ROW, "," },
		{ ROW, "0," },
		{ ROW, ",0" },
		{ ROW, "0,,1" },
		{ ROW, "-" },
		{ ROW, "0-" },
		{ ROW, "-1" },
		{ ROW, "3-0" },
		{ ROW, "0-1-2" },
		{ ROW, "a" },
		{ ROW, "0x1" },
		{ ROW, "0 1" },
		{ ROW, " 0" },
		{ ROW, "0\n" },
		{ ROW, "0:1" },
		{ ROW, "1.5" },
		{ ROW, "+1" },
		{ ROW, "all" },
		{ ROW, "0-3/2" },
		/* no CPU has such a number, and no list of them is to be made */
		{ ROW, "4294967296" },
		{ ROW, "99999999999999999999" },
		{ ROW, "0-4294967295" },
		{ ROW, "0-1048575" },
		{ ROW, "0-18446744073709551615" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(cpulist_release) struct cpulist list = { 0 };

		row_int(&rows[i], cpulist_parse(&list, rows[i].text), -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_gives_its_cpus_in_order_each_once),
		cmocka_unit_test(a_list_is_appended_to),
		cmocka_unit_test(what_is_no_list_is_refused),
	};

	return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
