/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "machine/cpus.h"
#include "unit/test.h"
#include "unit/tree.h"

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

static void cpus_are_those_that_sysfs_lists(void **state)
{
	static const struct {
		const char *file, *expected;
	} rows[] = {
		{ "0\n", "0" },
		{ "0-3,5,7\n", "0-3,5,7" }, /* holes */
		{ "0-127\n", "0-127" },
		{ "0-1023\n", "0-1023" },
		{ "0-511,1024-1535\n", "0-511,1024-1535" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		tree_add(machine.root, "sys/devices/system/cpu/online", rows[i].file);
		check(cpus_online, 0, rows[i].expected);
		tree_add(machine.root, "sys/devices/system/cpu/present", rows[i].file);
		check(cpus_present, 0, rows[i].expected);
	}
}

static void a_cpu_may_be_present_and_offline(void **state)
{
	tree_add(machine.root, "sys/devices/system/cpu/online", "0-1,3\n");
	tree_add(machine.root, "sys/devices/system/cpu/present", "0-3\n");
	check(cpus_online, 0, "0-1,3");
	check(cpus_present, 0, "0-3");
}

static void another_machine_that_does_not_say_is_not_guessed_at(void **state)
{
	check(cpus_online, -ENOENT, "");
	check(cpus_present, -ENOENT, "");
	tree_add(machine.root, "sys/devices/system/cpu/online", "many\n");
	check(cpus_online, -EINVAL, "");
}

static void this_machine_has_as_many_cpus_as_libc_counts(void **state)
{
	cleanup_with(machine_release) struct machine here = { 0 };
	cleanup_with(cpulist_release) struct cpulist online = { 0 };
	cleanup_with(cpulist_release) struct cpulist present = { 0 };

	assert_int_equal(machine_init(&here, NULL, NULL), 0);
	assert_int_equal(cpus_online(&here, &online), 0);
	assert_int_equal(online.n, sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(cpus_present(&here, &present), 0);
	assert_true(present.n >= online.n);
	for (size_t i = 0; i < online.n; i++)
		assert_true(cpulist_has(&present, online.v[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cpus_are_those_that_sysfs_lists, start, finish),
		cmocka_unit_test_setup_teardown(a_cpu_may_be_present_and_offline, start, finish),
		cmocka_unit_test_setup_teardown(another_machine_that_does_not_say_is_not_guessed_at,
						start, finish),
		cmocka_unit_test(this_machine_has_as_many_cpus_as_libc_counts),
	};

	return cmocka_run_group_tests_name("cpus", tests, NULL, NULL);
}
