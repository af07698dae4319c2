/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that go offline and come online while they are watched. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/watch.h"
#include "unit/descriptors.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

static struct machine machine;
static struct cpu_watch cpus;
static struct str noted;

static int start(void **state)
{
	fake_reset();
	machine.root = tree_new();
	noted = (struct str){ 0 };
	return 0;
}

static int finish(void **state)
{
	watch_cpus_release(&cpus);
	str_release(&noted);
	tree_remove(machine.root);
	return 0;
}

/* all: CPUs that come online are watched, too */
static void watch(const char *online, bool all)
{
	struct scope scopes[] = { { .cpu = 3 }, { .cpu = 0 }, { .cpu = 1 } }; /* by sockets, say */
	const struct target target = { .all_cpus = all, .scopes = scopes, .scopes_n = 3 };

	tree_add(machine.root, "sys/devices/system/cpu/online", online);
	assert_int_equal(watch_cpus(&cpus, &machine, &target), 0);
}

static int note_change(int cpu, enum cpu_change change, void *data)
{
	str_addf(&noted, "%s%c%d", noted.len ? " " : "", change == CPU_GONE ? '-' : '+', cpu);
	return *(int *)data;
}

/* The changes that are noted until the event of each CPU was read. ns: the time between two
 * checks */
static void check(int line, uint64_t ns, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	int result = 0;

	str_release(&noted);
	noted = (struct str){ 0 };
	for (int i = 0; i < WATCH_CPUS_ROUND; i++) {
		fake_advance_clock(ns);
		row_int(&row, watch_cpus_check(&cpus, note_change, &result), 0);
	}
	row_string(&row, str_text(&noted), expected);
}

static void set_online(const char *online)
{
	tree_add(machine.root, "sys/devices/system/cpu/online", online);
}

static void cpus_that_stay_are_not_reported(void **state)
{
	watch("0-3\n", false);
	assert_int_equal(fake_opens_n, 3);
	for (size_t i = 0; i < fake_opens_n; i++) {
		assert_int_equal(fake_opens[i].pid, -1);
		assert_int_equal(fake_opens[i].attr.config, PERF_COUNT_SW_DUMMY);
		assert_true(fake_opens[i].on);
	}
	for (int i = 0; i < 3; i++)
		check(__LINE__, 10, "");
}

static void a_cpu_that_goes_and_comes_is_reported(void **state)
{
	watch("0-3\n", false);
	check(__LINE__, 10, "");
	fake_cpu_offline(1);
	set_online("0,2-3\n");
	check(__LINE__, 10, "-1");
	check(__LINE__, 10, "");
	fake_cpu_online(1);
	set_online("0-3\n");
	check(__LINE__, 10, "+1");
	check(__LINE__, 10, "");
	assert_int_equal(fake_opens_n, 4);
}

/* It is online again at the next check, but its events do not count. */
static void a_cpu_that_was_away_for_a_moment_is_gone_and_came(void **state)
{
	watch("0-3\n", false);
	check(__LINE__, 10, "");
	fake_cpu_offline(3);
	fake_cpu_online(3);
	check(__LINE__, 10, "-3 +3");
	check(__LINE__, 10, "");
}

static void after_a_suspend_each_cpu_is_reported(void **state)
{
	watch("0-3\n", false);
	check(__LINE__, 10, "");
	for (int cpu = 1; cpu <= 3; cpu++) {
		fake_cpu_offline(cpu);
		fake_cpu_online(cpu);
	}
	check(__LINE__, 10, "-1 -3 +1 +3");
}

static void a_new_cpu_is_reported_if_all_are_watched(void **state)
{
	watch("0-1,3\n", true);
	check(__LINE__, 10, "");
	set_online("0-5\n");
	check(__LINE__, 10, "+2 +4 +5");
	check(__LINE__, 10, "");
	fake_cpu_offline(4);
	set_online("0-3,5\n");
	check(__LINE__, 10, "-4");
	check(__LINE__, 10, "");
}

static void a_cpu_that_was_not_chosen_is_not_watched(void **state)
{
	watch("0-1,3\n", false);
	set_online("0-5\n");
	check(__LINE__, 10, "");
	assert_int_equal(fake_opens_n, 3);
}

/* sysfs shows a CPU before the kernel accepts events on it. */
static void a_cpu_is_reported_when_it_can_be_counted(void **state)
{
	watch("0-1,3\n", true);
	fake_cpu_offline(2);
	set_online("0-3\n");
	check(__LINE__, 10, "");
	fake_cpu_online(2);
	check(__LINE__, 10, "+2");
}

/* It went offline after the CPUs were listed. */
static void a_cpu_that_has_just_gone_is_reported_when_it_comes(void **state)
{
	fake_cpu_offline(0);
	watch("1,3\n", false);
	check(__LINE__, 10, "");
	fake_cpu_online(0);
	set_online("0-1,3\n");
	check(__LINE__, 10, "+0");
}

static bool is_any(const struct fake_open *call)
{
	return call->cpu >= 0;
}

static void if_the_kernel_refuses_no_cpu_is_watched(void **state)
{
	size_t before = count_descriptors();

	fake_refuse(EACCES, is_any);
	watch("0-3\n", true);
	assert_int_equal(cpus.n, 0);
	set_online("0\n");
	check(__LINE__, 10, "");
	assert_int_equal(count_descriptors(), before);
}

static void an_error_of_the_client_ends_the_check(void **state)
{
	int result = -ENOMEM;

	watch("0-3\n", false);
	set_online("2\n");
	fake_advance_clock(10);
	assert_int_equal(watch_cpus_check(&cpus, note_change, &result), -ENOMEM);
	assert_string_equal(str_text(&noted), "-0");
}

static void nothing_stays_open(void **state)
{
	size_t before = count_descriptors();

	watch("0-3\n", true);
	check(__LINE__, 10, "+2");
	fake_cpu_offline(1);
	set_online("0,2-3\n");
	check(__LINE__, 10, "-1");
	assert_int_equal(count_descriptors(), before + 3);
	watch_cpus_release(&cpus);
	assert_int_equal(count_descriptors(), before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cpus_that_stay_are_not_reported),
		TEST(a_cpu_that_goes_and_comes_is_reported),
		TEST(a_cpu_that_was_away_for_a_moment_is_gone_and_came),
		TEST(after_a_suspend_each_cpu_is_reported),
		TEST(a_new_cpu_is_reported_if_all_are_watched),
		TEST(a_cpu_that_was_not_chosen_is_not_watched),
		TEST(a_cpu_is_reported_when_it_can_be_counted),
		TEST(a_cpu_that_has_just_gone_is_reported_when_it_comes),
		TEST(if_the_kernel_refuses_no_cpu_is_watched),
		TEST(an_error_of_the_client_ends_the_check),
		TEST(nothing_stays_open),
	};

	return cmocka_run_group_tests_name("watch_cpus", tests, NULL, NULL);
}
