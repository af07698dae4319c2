/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events opened on many tasks and CPUs, some of which no longer exist. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/opener.h"
#include "event/resolve.h"
#include "unit/descriptors.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { ROWS_MAX = 64 };

static struct machine machine;
static struct event_list events;
static struct target target;
static struct row rows[ROWS_MAX];
static struct opening openings[ROWS_MAX];
static struct opener opener;
static struct open_job job;
static struct counters counters;

static void set_online(const char *online)
{
	tree_add(machine.root, "sys/devices/system/cpu/online", online);
}

/* Four CPUs in two sockets, and an uncore PMU with one instance in each. */
static int start(void **state)
{
	static const char *const packages[] = { "0\n", "0\n", "1\n", "1\n" };

	fake_reset();
	machine.root = tree_new();
	tree_add(machine.root, "proc/sys/kernel/perf_event_paranoid", "0\n");
	tree_add(machine.root, "proc/sys/kernel/nmi_watchdog", "0\n");
	tree_add(machine.root, "sys/devices/system/cpu/present", "0-3\n");
	set_online("0-3\n");
	for (size_t i = 0; i < N_OF(packages); i++) {
		char path[80];

		snprintf(path, sizeof(path),
			 "sys/devices/system/cpu/cpu%zu/topology/physical_package_id", i);
		tree_add(machine.root, path, packages[i]);
	}
	tree_add(machine.root, "sys/bus/event_source/devices/uncore/type", "20\n");
	tree_add(machine.root, "sys/bus/event_source/devices/uncore/cpumask", "0,2\n");
	for (int tid = 10; tid < 14; tid++) {
		char path[32];

		snprintf(path, sizeof(path), "proc/10/task/%d/comm", tid);
		tree_add(machine.root, path, "x\n");
	}
	return 0;
}

static void close_all(void)
{
	counters_close(&counters);
	for (size_t i = 0; i < events.n; i++)
		free(openings[i].reason.text);
	memset(openings, 0, sizeof(openings));
	target_release(&target);
	event_list_release(&events);
}

static int finish(void **state)
{
	close_all();
	tree_remove(machine.root);
	return 0;
}

static void prepare(const char *list, struct target_request request)
{
	cleanup_why struct why why = { 0 };

	if (resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why) < 0)
		fail_msg("%s: %s", list, why_text(&why, 0));
	if (target_init(&target, &machine, &request, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
	assert_true(events.n * target.places_n <= ROWS_MAX);
	for (size_t i = 0; i < events.n * target.places_n; i++)
		rows[i] = (struct row){ .event = i % events.n, .place_index = i / events.n };
	opener = (struct opener){ .machine = &machine,
				  .events = &events,
				  .target = &target,
				  .rows = rows,
				  .openings = openings };
	job = (struct open_job){ .scopes = target.scopes,
				 .scopes_n = target.scopes_n,
				 .inherit = COUNTER_ALL_TASKS,
				 .start = COUNTER_SWITCHED };
}

static void open_at(const char *list, struct target_request request)
{
	prepare(list, request);
	assert_int_equal(opener_open(&opener, &counters, &job), 0);
}

static const struct target_request all_cpus = { .all_cpus = true };
static const struct target_request sockets = { .all_cpus = true, .split = PLACE_SOCKET };
static const struct target_request process = { .pids = "10" };

/* The calls in order: type:config, "@" and the CPU or the task, the error if there was one. */
static void check_calls(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str calls = { 0 };

	for (size_t i = 0; i < fake_opens_n; i++) {
		const struct fake_open *call = &fake_opens[i];

		row_true(&row,
			 call->cpu < 0 || call->pid == -1 || call->flags & PERF_FLAG_PID_CGROUP);
		str_addf(&calls, "%s%u:%llu%s@%s%d", i ? " " : "", call->attr.type,
			 (unsigned long long)call->attr.config, call->group_fd < 0 ? "" : "+",
			 call->cpu < 0 ? "t" : "", call->cpu < 0 ? call->pid : call->cpu);
		if (call->result < 0)
			str_addf(&calls, "!%d", -call->result);
	}
	row_string(&row, str_text(&calls), expected);
}

/* The number of counters of each row. */
static void check_counters(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < events.n * target.places_n; i++)
		str_addf(&text, "%s%zu", i ? " " : "", rows[i].counters);
	row_string(&row, str_text(&text), expected);
}

/* ---- Whole CPUs. */

static void every_event_is_opened_on_every_cpu(void **state)
{
	open_at("cs,cycles", all_cpus);
	check_calls(__LINE__, "1:3@0 1:3@1 1:3@2 1:3@3 0:0@0 0:0@1 0:0@2 0:0@3");
	check_counters(__LINE__, "4 4");
	assert_int_equal(counters.sentinels_n, 0);
	for (size_t i = 0; i < fake_opens_n; i++) {
		assert_int_equal(fake_opens[i].attr.inherit, 0);
		assert_int_equal(fake_opens[i].attr.disabled, 1);
		assert_int_equal(fake_opens[i].attr.enable_on_exec, 0);
	}
}

static void each_cpu_adds_to_its_place(void **state)
{
	open_at("cs,{cycles,instructions}", sockets);
	check_calls(__LINE__,
		    "1:3@0 1:3@1 1:3@2 1:3@3 0:0@0 0:1+@0 0:0@1 0:1+@1 0:0@2 0:1+@2 0:0@3 "
		    "0:1+@3");
	check_counters(__LINE__, "2 2 2 2 2 2 0 0 0 0 0 0");
	for (size_t i = 0; i < counters.n; i++) {
		size_t event = rows[counters.v[i].row].event;

		assert_int_equal(fake_opens[i].attr.config, events.events[event].attr.config);
		assert_int_equal(rows[counters.v[i].row].place_index,
				 (size_t)fake_opens[i].cpu / 2);
	}
}

static void a_cpu_that_went_offline_is_passed_over(void **state)
{
	prepare("cs,{cycles,instructions}", all_cpus);
	fake_cpu_offline(1);
	set_online("0,2-3\n");
	assert_int_equal(opener_open(&opener, &counters, &job), 0);
	/* the kernel is not called again */
	check_calls(__LINE__, "1:3@0 1:3@1!19 1:3@2 1:3@3 0:0@0 0:1+@0 0:0@2 0:1+@2 0:0@3 0:1+@3");
	check_counters(__LINE__, "3 3 3");
	assert_true(target.scopes[1].gone);
	for (size_t i = 0; i < events.n; i++)
		assert_false(openings[i].refused);
}

static bool is_instructions_on_2(const struct fake_open *call)
{
	return call->attr.config == 1 && call->cpu == 2;
}

/* Between two members of a group: the open members are closed, and do not count. */
static void a_cpu_that_goes_while_a_group_is_opened_leaves_nothing(void **state)
{
	size_t before = count_descriptors();

	prepare("{cycles,instructions}", all_cpus);
	fake_refuse(ENODEV, is_instructions_on_2);
	set_online("0-1,3\n");
	assert_int_equal(opener_open(&opener, &counters, &job), 0);
	check_counters(__LINE__, "3 3");
	assert_int_equal(counters.n, 6);
	assert_true(target.scopes[2].gone);
	assert_int_equal(count_descriptors(), before + 6);
}

/* The errno is the same, but the CPU is there. */
static void an_event_that_no_cpu_knows_is_refused_not_the_cpu(void **state)
{
	fake_refuse_event(ENODEV, PERF_TYPE_HARDWARE, 0);
	open_at("cycles,cs", all_cpus);
	check_calls(__LINE__, "0:0@0!19 1:3@0 1:3@1 1:3@2 1:3@3");
	assert_true(openings[0].refused);
	assert_non_null(openings[0].reason.text);
	assert_false(target.scopes[0].gone);
	check_counters(__LINE__, "0 4");
}

static bool is_cycles_on_3(const struct fake_open *call)
{
	return call->attr.type == PERF_TYPE_HARDWARE && call->attr.config == 0 && call->cpu == 3;
}

/* A sum without one of the CPUs would look complete. */
static void an_event_that_one_cpu_refuses_is_refused_everywhere(void **state)
{
	size_t before = count_descriptors();

	fake_refuse(EMFILE, is_cycles_on_3);
	open_at("cycles,cs", all_cpus);
	assert_true(openings[0].refused);
	assert_non_null(strstr(openings[0].reason.text, "8 needed, but the hard limit is"));
	assert_false(openings[1].refused);
	assert_int_equal(counters.n, 4);
	assert_int_equal(counters.groups_n, 4);
	assert_int_equal(count_descriptors(), before + 4);
}

static void a_weak_group_is_taken_apart_everywhere(void **state)
{
	fake_pmu_counters(1);
	open_at("{cycles,instructions}:W,cs", all_cpus);
	assert_true(openings[0].apart && openings[1].apart);
	assert_false(openings[0].refused || openings[1].refused || openings[2].apart);
	assert_int_equal(counters.groups_n, 12);
	check_counters(__LINE__, "4 4 4");
	for (size_t i = 0; i < counters.groups_n; i++) {
		assert_int_equal(counters.groups[i].n, 1);
		assert_false(counters.groups[i].one_read);
	}
}

static bool is_instructions_on_1(const struct fake_open *call)
{
	return call->attr.config == 1 && call->cpu == 1 && call->group_fd >= 0;
}

/* Also on CPUs that could hold the group, so that all CPUs are counted in the same way. */
static void a_group_that_fits_some_cpus_is_apart_on_all(void **state)
{
	fake_refuse(EINVAL, is_instructions_on_1);
	open_at("{cycles,instructions}:W", all_cpus);
	assert_true(openings[0].apart && openings[1].apart);
	assert_int_equal(counters.groups_n, 8);
	check_counters(__LINE__, "4 4");
}

static void a_group_that_is_too_large_is_refused_whole(void **state)
{
	size_t before = count_descriptors();

	fake_pmu_counters(1);
	open_at("{cycles,instructions}", all_cpus);
	assert_true(openings[0].refused && openings[1].refused);
	assert_non_null(strstr(openings[0].reason.text, "but only 1 of its events fit together"));
	assert_int_equal(counters.n, 0);
	check_counters(__LINE__, "0 0");
	assert_int_equal(count_descriptors(), before);
}

/* ---- PMUs of some CPUs. */

/* How often the second member of a group is refused. */
static size_t misfits;
static bool is_misfit(const struct fake_open *call)
{
	if (call->group_fd < 0 || misfits == 0)
		return false;
	misfits--;
	return true;
}

/* The task has created another one, which has got the leader, or has ended with it. */
static void a_group_whose_leader_left_its_task_is_opened_anew(void **state)
{
	static const struct {
		int line;
		int error;
		size_t misfits, torn;
		bool refused;
	} cases[] = {
		{ ROW, EINVAL, 1, 0, false }, { ROW, EINVAL, 3, 0, false },
		{ ROW, ENODEV, 2, 0, false }, { ROW, ENODEV, 0, 2, false },
		{ ROW, ENODEV, 3, 2, false }, { ROW, EINVAL, SIZE_MAX, 0, true },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		size_t before = count_descriptors();

		misfits = cases[i].misfits;
		fake_reset();
		fake_refuse(cases[i].error, is_misfit);
		fake_refuse_readings(ECHILD, cases[i].torn);
		open_at("{cs,faults}", process);
		row_int(&cases[i], openings[0].refused, cases[i].refused);
		row_int(&cases[i], openings[1].refused, cases[i].refused);
		row_int(&cases[i], rows[0].counters, cases[i].refused ? 0 : target.scopes_n);
		row_int(&cases[i], rows[1].counters, cases[i].refused ? 0 : target.scopes_n);
		row_int(&cases[i], count_descriptors() - before, counters.n);
		close_all();
	}
}

static void an_uncore_pmu_is_counted_once_for_each_package(void **state)
{
	open_at("uncore/config=1/,cs", sockets);
	check_calls(__LINE__, "20:1@0 20:1@2 1:3@0 1:3@1 1:3@2 1:3@3");
	check_counters(__LINE__, "1 2 1 2 0 0 0 0");
	assert_int_equal(fake_opens[0].attr.disabled, 1); /* switched like the others */
}

static void an_uncore_pmu_without_its_cpu_in_the_list_is_refused(void **state)
{
	open_at("uncore/config=1/,cs", (struct target_request){ .cpus = "1,3" });
	check_calls(__LINE__, "1:3@1 1:3@3");
	assert_true(openings[0].refused);
	assert_string_equal(openings[0].reason.text,
			    "PMU uncore counts whole CPUs or packages, and is "
			    "read on CPU 0,2 only; add it to -C");
}

static void some_chosen_cpus_with_the_uncore_pmu_are_enough(void **state)
{
	open_at("uncore/config=1/", (struct target_request){ .cpus = "1-3" });
	check_calls(__LINE__, "20:1@2");
	assert_false(openings[0].refused);
}

static void an_uncore_pmu_does_not_count_threads(void **state)
{
	open_at("uncore/config=1/,cs",
		(struct target_request){ .pids = "10", .split = PLACE_THREAD });
	check_calls(__LINE__, "1:3@t10 1:3@t11 1:3@t12 1:3@t13");
	assert_true(openings[0].refused);
	assert_string_equal(openings[0].reason.text,
			    "PMU uncore counts whole CPUs or packages, not one thread");
}

/* As in perf, while the tasks are counted. */
static void an_uncore_pmu_with_tasks_is_counted_on_its_cpus(void **state)
{
	open_at("uncore/config=1/,cs", process);
	check_calls(__LINE__, "20:1@0 20:1@2 1:3@t10 1:3@t11 1:3@t12 1:3@t13");
	check_counters(__LINE__, "2 4");
}

static void each_core_pmu_of_a_hybrid_machine_counts_on_its_cpus(void **state)
{
	tree_add(machine.root, "sys/bus/event_source/devices/cpu_core/type", "4\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu_core/cpus", "0-1\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu_core/format/event",
		 "config:0-7\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu_atom/type", "10\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu_atom/cpus", "2-3\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu_atom/format/event",
		 "config:0-7\n");
	open_at("cpu_core/event=1/,cpu_atom/event=2/", sockets);
	check_calls(__LINE__, "4:1@0 4:1@1 10:2@2 10:2@3");
	check_counters(__LINE__, "2 0 0 2 0 0 0 0");
}

/* ---- CPUs that come back. */

static void come(int cpu)
{
	size_t index;

	assert_int_equal(target_add_cpu(&target, &machine, cpu, &index), 0);
	job.when = OPEN_LATER;
	job.scopes = &target.scopes[index];
	job.scopes_n = 1;
	fake_opens_n = 0;
	assert_int_equal(opener_open(&opener, &counters, &job), 0);
}

static void a_cpu_that_comes_back_is_opened_again_and_counted_once(void **state)
{
	open_at("cs,cycles", sockets);
	target.scopes[1].gone = true;
	come(1);
	check_calls(__LINE__, "1:3@1 0:0@1");
	check_counters(__LINE__, "2 2 2 2 0 0 0 0");
	assert_int_equal(counters.n, 10);
}

/* From then on, the kernel reads the PMU of the package on another CPU. */
static void an_uncore_pmu_is_counted_on_when_its_cpu_goes(void **state)
{
	static const bool second[2] = { false, true };
	struct reading readings[2] = { 0 }, some[2] = { 0 };

	open_at("uncore/config=1/,cs", all_cpus);
	counters_switch(&counters, KERNEL_ON);
	fake_advance_clock(100);
	assert_int_equal(counters_retire(&counters, 0, 2), 0);
	fake_advance_clock(100);
	counters_read(&counters, readings);
	assert_int_equal(readings[0].counts.enabled_ns, 2 * 200);
	assert_int_equal(readings[1].counts.enabled_ns, 3 * 200 + 100);
	counters_read_rows(&counters, second, some);
	assert_int_equal(some[0].counts.enabled_ns, 0);
	assert_int_equal(some[1].counts.enabled_ns, 3 * 200 + 100);
}

static void a_cpu_that_comes_for_the_first_time_is_one_more(void **state)
{
	set_online("0-2\n");
	open_at("cs,uncore/config=1/", sockets);
	check_counters(__LINE__, "2 1 1 1 0 0 0 0");
	come(3);
	check_calls(__LINE__, "1:3@3");
	check_counters(__LINE__, "2 1 2 1 0 0 0 0");
}

/* The kernel has moved it to another CPU of the package, and it still counts there. */
static void an_uncore_pmu_is_not_counted_twice(void **state)
{
	open_at("uncore/config=1/,cs", all_cpus);
	target.scopes[2].gone = true;
	come(2);
	check_calls(__LINE__, "1:3@2");
}

static void a_group_that_was_taken_apart_is_apart_on_a_new_cpu(void **state)
{
	set_online("0-2\n");
	fake_pmu_counters(1);
	open_at("{cycles,instructions}:W", all_cpus);
	come(3);
	check_calls(__LINE__, "0:0@3 0:1@3");
	check_counters(__LINE__, "4 4");
}

/* ---- Tasks. */

static bool is_12(const struct fake_open *call)
{
	return call->pid == 12;
}

static void a_task_that_has_ended_is_passed_over(void **state)
{
	fake_refuse(ESRCH, is_12);
	open_at("cs,{cycles,faults}", process);
	check_calls(__LINE__, "1:3@t10 1:3@t11 1:3@t12!3 1:3@t13 0:0@t10 1:2+@t10 0:0@t11 1:2+@t11 "
			      "0:0@t13 1:2+@t13");
	check_counters(__LINE__, "3 3 3");
	assert_true(target.scopes[2].gone);
	assert_false(openings[0].refused);
	for (size_t i = 0; i < fake_opens_n; i++)
		assert_int_equal(fake_opens[i].attr.inherit, 1);
}

static void each_thread_has_its_rows(void **state)
{
	open_at("cs", (struct target_request){ .pids = "10", .split = PLACE_THREAD });
	check_counters(__LINE__, "1 1 1 1");
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(counters.v[i].row, i);
		assert_int_equal(fake_opens[i].pid, 10 + (int)i);
	}
}

static void a_task_that_may_not_be_counted_refuses_the_event(void **state)
{
	size_t before = count_descriptors();

	fake_refuse(EACCES, is_12);
	open_at("cycles", process);
	assert_true(openings[0].refused);
	assert_non_null(openings[0].reason.text);
	assert_int_equal(counters.n, 0);
	assert_int_equal(count_descriptors(), before);
}

/* ---- Cgroups. */

static void a_cgroup_is_counted_by_its_descriptor(void **state)
{
	cleanup_why struct why why = { 0 };
	int fd;

	tree_add(machine.root, "proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
	tree_add(machine.root, "sys/fs/cgroup/a/cgroup.procs", "");
	prepare("{cycles,cs},faults", (struct target_request){ .cpus = "0,3" });
	events.events[0].cgroup = strdup("a");
	events.events[1].cgroup = strdup("a");
	assert_int_equal(target_open_cgroups(&target, &machine, &events, &why), 0);
	assert_int_equal(opener_open(&opener, &counters, &job), 0);
	check_calls(__LINE__, "0:0@0 1:3+@0 0:0@3 1:3+@3 1:2@0 1:2@3");
	fd = target_cgroup_fd(&target, "a");
	for (size_t i = 0; i < fake_opens_n; i++) {
		bool in_cgroup = i < 4;

		assert_int_equal(fake_opens[i].flags & PERF_FLAG_PID_CGROUP,
				 in_cgroup ? PERF_FLAG_PID_CGROUP : 0);
		assert_int_equal(fake_opens[i].pid, in_cgroup ? fd : -1);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_event_is_opened_on_every_cpu),
		TEST(each_cpu_adds_to_its_place),
		TEST(a_cpu_that_went_offline_is_passed_over),
		TEST(a_cpu_that_goes_while_a_group_is_opened_leaves_nothing),
		TEST(an_event_that_no_cpu_knows_is_refused_not_the_cpu),
		TEST(an_event_that_one_cpu_refuses_is_refused_everywhere),
		TEST(a_weak_group_is_taken_apart_everywhere),
		TEST(a_group_that_fits_some_cpus_is_apart_on_all),
		TEST(a_group_that_is_too_large_is_refused_whole),
		TEST(a_group_whose_leader_left_its_task_is_opened_anew),
		TEST(an_uncore_pmu_is_counted_once_for_each_package),
		TEST(an_uncore_pmu_without_its_cpu_in_the_list_is_refused),
		TEST(some_chosen_cpus_with_the_uncore_pmu_are_enough),
		TEST(an_uncore_pmu_does_not_count_threads),
		TEST(an_uncore_pmu_with_tasks_is_counted_on_its_cpus),
		TEST(each_core_pmu_of_a_hybrid_machine_counts_on_its_cpus),
		TEST(a_cpu_that_comes_back_is_opened_again_and_counted_once),
		TEST(a_cpu_that_comes_for_the_first_time_is_one_more),
		TEST(an_uncore_pmu_is_counted_on_when_its_cpu_goes),
		TEST(an_uncore_pmu_is_not_counted_twice),
		TEST(a_group_that_was_taken_apart_is_apart_on_a_new_cpu),
		TEST(a_task_that_has_ended_is_passed_over),
		TEST(each_thread_has_its_rows),
		TEST(a_task_that_may_not_be_counted_refuses_the_event),
		TEST(a_cgroup_is_counted_by_its_descriptor),
	};

	return cmocka_run_group_tests_name("scopes", tests, NULL, NULL);
}
