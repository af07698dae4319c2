/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/cpulist.h"
#include "unit/test.h"
#include "unit/tree.h"

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
		{ ROW, "0-1,", "0 1" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(cpulist_release) struct cpulist list = { 0 };
		cleanup_str struct str cpus = { 0 };

		row_int(&rows[i], cpulist_parse(&list, rows[i].text), 0);
		add_list(&cpus, &list);
		row_string(&rows[i], str_text(&cpus), rows[i].cpus);
	}
}

static void a_repeated_range_needs_no_additional_memory(void **state)
{
	cleanup_with(cpulist_release) struct cpulist list = { 0 };
	cleanup_str struct str text = { 0 };

	for (int i = 0; i < 100; i++)
		str_add(&text, "0-16383,");
	str_add(&text, "0");
	assert_int_equal(cpulist_parse(&list, str_text(&text)), 0);
	assert_int_equal(list.n, CPULIST_MAX + 1);
	assert_in_range(list.size, list.n, 2 * list.n);
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

static void other_text_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text;
	} rows[] = {
		{ ROW, "" },
		{ ROW, "," },
		{ ROW, "0,," },
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
		/* too large for a CPU number; must not allocate a list of that length */
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

static void a_users_list_is_refused_with_the_position(void **state)
{
	static const struct refused rows[] = {
		{ ROW, "", 0, "a CPU number is missing here" },
		{ ROW, "0,,1", 2, "a CPU number is missing here" },
		{ ROW, "1-", 2, "a CPU number is missing here" },
		{ ROW, "-1", 0, "a CPU number is missing here" },
		{ ROW, "0,all", 2, "a CPU number is missing here" },
		{ ROW, "0,3-1", 2, "the range 3-1 ends before it begins" },
		{ ROW, "0-1-2", 3, "a ',' is missing here; write a list of CPUs like 0-3,7" },
		{ ROW, "0 1", 1, "a ',' is missing here; write a list of CPUs like 0-3,7" },
		{ ROW, "0x1", 1, "a ',' is missing here; write a list of CPUs like 0-3,7" },
		{ ROW, "1,16384", 2, "there is no CPU 16384: 16383 is the highest number" },
		{ ROW, "0-99999999999999999999", 2,
		  "there is no CPU 99999999999999999999: 16383 is the highest number" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(cpulist_release) struct cpulist list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i], cpulist_parse_user(&list, rows[i].text, &why), -EINVAL);
		row_why(&rows[i], &why);
	}
}

static void a_list_is_written_with_its_ranges(void **state)
{
	static const struct {
		int line;
		const char *text, *written;
	} rows[] = {
		{ ROW, "0", "0" },
		{ ROW, "7,0-3", "0-3,7" },
		{ ROW, "0,1", "0-1" },
		{ ROW, "0,2,4", "0,2,4" },
		{ ROW, "5,4,3,1023", "3-5,1023" },
		{ ROW, "0-16383", "0-16383" },
	};
	struct cpulist none = { 0 };
	cleanup_str struct str nothing = { 0 };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(cpulist_release) struct cpulist list = { 0 };
		cleanup_str struct str out = { 0 };

		row_int(&rows[i], cpulist_parse_user(&list, rows[i].text, NULL), 0);
		row_int(&rows[i], cpulist_format(&list, &out), 0);
		row_string(&rows[i], str_text(&out), rows[i].written);
	}
	assert_int_equal(cpulist_format(&none, &nothing), 0);
	assert_string_equal(str_text(&nothing), "");
}

static void a_cpu_is_in_a_list_or_not(void **state)
{
	static const int in[] = { 2, 64, 65, 66, 1023, 16383 };
	static const int out[] = { -1, 0, 1, 3, 63, 67, 1022, 1024, 16382, 16384 };
	cleanup_with(cpulist_release) struct cpulist list = { 0 };

	assert_false(cpulist_has(&list, 0));
	assert_int_equal(cpulist_parse(&list, "16383,64-66,2,1023"), 0);
	for (size_t i = 0; i < N_OF(in); i++)
		assert_true(cpulist_has(&list, in[i]));
	for (size_t i = 0; i < N_OF(out); i++)
		assert_false(cpulist_has(&list, out[i]));
}

static struct machine machine;

static int start(void **state)
{
	machine.root = tree_new();
	return 0;
}

static int finish(void **state)
{
	tree_remove(machine.root);
	return 0;
}

typedef int cpus_function(const struct machine *, struct cpulist *);

static void check(cpus_function *function, int err, const char *expected)
{
	cleanup_with(cpulist_release) struct cpulist list = { 0 };
	cleanup_str struct str text = { 0 };

	assert_int_equal(function(&machine, &list), err);
	assert_int_equal(cpulist_format(&list, &text), 0);
	assert_string_equal(str_text(&text), expected);
}

static void cpus_are_read_from_sysfs(void **state)
{
	static const struct {
		const char *file, *expected;
	} rows[] = {
		{ "0\n", "0" },
		{ "0-3,5,7\n", "0-3,5,7" }, /* with gaps */
		{ "0-127\n", "0-127" },
		{ "0-1023\n", "0-1023" },
		{ "0-511,1024-1535\n", "0-511,1024-1535" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		tree_add(machine.root, "sys/devices/system/cpu/online", rows[i].file);
		check(cpulist_online, 0, rows[i].expected);
		tree_add(machine.root, "sys/devices/system/cpu/present", rows[i].file);
		check(cpulist_present, 0, rows[i].expected);
	}
}

static void a_cpu_may_be_present_and_offline(void **state)
{
	tree_add(machine.root, "sys/devices/system/cpu/online", "0-1,3\n");
	tree_add(machine.root, "sys/devices/system/cpu/present", "0-3\n");
	check(cpulist_online, 0, "0-1,3");
	check(cpulist_present, 0, "0-3");
}

static void the_cpus_of_another_machine_are_not_guessed(void **state)
{
	check(cpulist_online, -ENOENT, "");
	check(cpulist_present, -ENOENT, "");
	tree_add(machine.root, "sys/devices/system/cpu/online", "many\n");
	check(cpulist_online, -EINVAL, "");
}

static void this_machine_has_as_many_cpus_as_libc_counts(void **state)
{
	cleanup_with(machine_release) struct machine here = { 0 };
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	cleanup_with(cpulist_release) struct cpulist present = { 0 };

	assert_int_equal(machine_init(&here, NULL, NULL), 0);
	assert_int_equal(cpulist_online(&here, &online), 0);
	assert_int_equal(online.n, sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(cpulist_present(&here, &present), 0);
	assert_true(present.n >= online.n);
	for (size_t i = 0; i < online.n; i++)
		assert_true(cpulist_has(&present, online.v[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_gives_its_cpus_in_order_each_once),
		cmocka_unit_test(a_repeated_range_needs_no_additional_memory),
		cmocka_unit_test(a_list_is_appended_to),
		cmocka_unit_test(other_text_is_refused),
		cmocka_unit_test(a_users_list_is_refused_with_the_position),
		cmocka_unit_test(a_list_is_written_with_its_ranges),
		cmocka_unit_test(a_cpu_is_in_a_list_or_not),
		cmocka_unit_test_setup_teardown(cpus_are_read_from_sysfs, start, finish),
		cmocka_unit_test_setup_teardown(a_cpu_may_be_present_and_offline, start, finish),
		cmocka_unit_test_setup_teardown(the_cpus_of_another_machine_are_not_guessed, start,
						finish),
		cmocka_unit_test(this_machine_has_as_many_cpus_as_libc_counts),
	};

	return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
