/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "machine/disturbances.h"
#include "unit/test.h"
#include "unit/tree.h"

/* "! NAME: TEXT -> REMEDY\n" for each finding. */
static char *text_of(const struct findings *list)
{
	struct str text = { 0 };

	for (size_t i = 0; i < list->n; i++)
		str_addf(&text, "%s%s: %s%s%s\n", list->v[i].disturbs ? "! " : "", list->v[i].name,
			 list->v[i].text, list->v[i].remedy ? " -> " : "",
			 list->v[i].remedy ? list->v[i].remedy : "");
	assert_false(text.failed);
	return text.text ? text.text : strdup("");
}

static void a_machine_without_these_files_has_no_findings(void **state)
{
	const struct machine m = { .root = tree_new() };
	cleanup_with(findings_release) struct findings list = { 0 };

	assert_int_equal(disturbances_of_settings(&m, &list), 0);
	assert_int_equal(list.n, 0);
	tree_remove(m.root);
}

static void settings_that_disturb_have_a_remedy(void **state)
{
	const struct machine m = { .root = tree_new() };
	cleanup_with(findings_release) struct findings list = { 0 };
	cleanup_free char *text = NULL;

	tree_add(m.root, "proc/sys/kernel/nmi_watchdog", "1\n");
	tree_add(m.root, "proc/sys/kernel/randomize_va_space", "2\n");
	tree_add(m.root, "sys/bus/event_source/devices/cpu/type", "4\n");
	tree_add(m.root, "sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
	tree_add(m.root, "sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	tree_add(m.root, "sys/devices/system/cpu/smt/active", "1\n");
	tree_add(m.root, "sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
	assert_int_equal(disturbances_of_settings(&m, &list), 0);
	text = text_of(&list);
	assert_string_equal(
		text,
		"! NMI watchdog: on: it uses a counter of each CPU -> sysctl kernel.nmi_watchdog=0\n"
		"! CPU frequency: powersave: it changes while programs run -> "
		"cpupower frequency-set -g performance\n"
		"! turbo: on: the frequency depends on the load of other cores -> "
		"echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo\n"
		"! SMT: on: two programs share a core -> --cpu-list with one CPU of each core, or "
		"echo off >/sys/devices/system/cpu/smt/control\n"
		"! huge pages: always: fragmentation decides which memory gets them -> "
		"echo madvise >/sys/kernel/mm/transparent_hugepage/enabled\n"
		"! ASLR: on: each run has other addresses -> pstat --no-aslr\n");
	tree_remove(m.root);
}

static void quiet_settings_need_no_remedy(void **state)
{
	const struct machine m = { .root = tree_new() };
	cleanup_with(findings_release) struct findings list = { 0 };
	cleanup_free char *text = NULL;

	tree_add(m.root, "proc/sys/kernel/nmi_watchdog", "0\n");
	tree_add(m.root, "proc/sys/kernel/randomize_va_space", "0\n");
	tree_add(m.root, "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
		 "performance\n");
	tree_add(m.root, "sys/devices/system/cpu/cpufreq/boost", "0\n");
	tree_add(m.root, "sys/devices/system/cpu/smt/active", "0\n");
	tree_add(m.root, "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	assert_int_equal(disturbances_of_settings(&m, &list), 0);
	text = text_of(&list);
	assert_string_equal(text, "CPU frequency: performance\n"
				  "turbo: off\n"
				  "SMT: off\n"
				  "huge pages: only on request\n"
				  "ASLR: off\n");
	tree_remove(m.root);
}

static void activity_is_read(void **state)
{
	const struct machine m = { .root = tree_new() };
	struct activity a;

	tree_add(m.root, "proc/stat", "cpu  10 20 30 400 50 6 7 8 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
	tree_add(m.root, "proc/vmstat", "pgpgin 5\npswpin 3\npswpout 4\nother_pswpin 9\n");
	tree_add(m.root, "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "2\n");
	tree_add(m.root, "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "5\n");
	a = disturbances_read_activity(&m);
	assert_int_equal(a.cpus, 1);
	assert_int_equal(a.ticks, 531);
	assert_int_equal(a.busy_ticks, 73);
	assert_int_equal(a.stolen_ticks, 8);
	assert_int_equal(a.swapped_pages, 7);
	assert_int_equal(a.throttled, 7);
	tree_remove(m.root);
}

static void what_happened_in_between_disturbs(void **state)
{
	const struct activity before = { 2, 1000, 100, 1, 0, 9 };
	/* a CPU that was switched off takes its throttle count along */
	const struct activity quiet = { 2, 2000, 620, 0, 0, 8 };
	const struct activity busy = { 2, 2000, 700, 11, 3, 13 };
	cleanup_with(findings_release) struct findings list = { 0 }, more = { 0 };
	cleanup_free char *text = NULL, *text_of_more = NULL;

	assert_int_equal(disturbances_of_activity(&before, &quiet, 500, &list), 0);
	text = text_of(&list);
	assert_string_equal(text, "other programs: 4.0 % of the time of one CPU\n");
	assert_int_equal(disturbances_of_activity(&before, &busy, 500, &more), 0);
	text_of_more = text_of(&more);
	assert_string_equal(
		text_of_more,
		"! other programs: 20.0 % of the time of one CPU -> "
		"end them, or give pstat a CPU of its own with --cpu-list\n"
		"! stolen time: 1.0 % of the time, in which the host ran something else -> "
		"use a dedicated host, or more runs\n"
		"! swapping: pages were swapped during the test -> "
		"end programs that need much memory\n"
		"! temperature: too high: CPUs were slowed down during the test -> "
		"cool the machine\n");
}

static void processes_with_counters_are_named(void **state)
{
	const struct machine m = { .root = tree_new() };
	cleanup_with(findings_release) struct findings list = { 0 };
	cleanup_free char *text = NULL;

	for (int pid = 101; pid < 106; pid++) {
		cleanup_free char *comm = NULL, *fd = NULL;

		assert_true(asprintf(&comm, "proc/%d/comm", pid) > 0);
		tree_add(m.root, comm, "perf\n");
		assert_true(asprintf(&fd, "%s/proc/%d/fd", m.root, pid) > 0);
		assert_int_equal(mkdir(fd, 0700), 0);
		for (int n = 0; n < 3; n++) {
			cleanup_free char *link = NULL;

			assert_true(asprintf(&link, "%s/%d", fd, n) > 0);
			assert_int_equal(symlink(n ? "anon_inode:[perf_event]" : "/dev/null", link),
					 0);
		}
	}
	assert_int_equal(disturbances_of_counters(&m, &list), 0);
	text = text_of(&list);
	assert_string_equal(text, "! other counters: pid 101 (perf): 2, pid 102 (perf): 2, "
				  "pid 103 (perf): 2, and 2 more -> "
				  "end these processes if events are multiplexed\n");
	tree_remove(m.root);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_without_these_files_has_no_findings),
		cmocka_unit_test(settings_that_disturb_have_a_remedy),
		cmocka_unit_test(quiet_settings_need_no_remedy),
		cmocka_unit_test(activity_is_read),
		cmocka_unit_test(what_happened_in_between_disturbs),
		cmocka_unit_test(processes_with_counters_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
