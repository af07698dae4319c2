/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading open counters, and readings that fail. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/opener.h"
#include "event/resolve.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { ROWS_N = 4 };

static char nowhere[] = "/nonexistent";
static struct machine machine = { .root = nowhere };

static struct event_list events;
static struct row rows[ROWS_N];
static struct opening openings[ROWS_N];
static struct target target;
static struct opener opener;
static struct open_job job;
static struct counters counters;
static struct reading readings[ROWS_N];

static void resolve(const char *text)
{
	cleanup_why struct why why = { 0 };

	if (resolve_events(&machine, RESOLVE_BY_ALL, text, &events, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
}

static void open_at(struct target_request request)
{
	cleanup_why struct why why = { 0 };

	assert_int_equal(target_init(&target, &machine, &request, &why), 0);
	opener = (struct opener){ .machine = &machine,
				  .events = &events,
				  .target = &target,
				  .rows = rows,
				  .openings = openings };
	job = (struct open_job){ .scopes = target.scopes,
				 .scopes_n = target.scopes_n,
				 .inherit = COUNTER_ALL_TASKS };
	assert_int_equal(opener_open(&opener, &counters, &job), 0);
}

/* Row 0 is alone, rows 1 to 3 are a group. */
static int start(void **state)
{
	fake_reset();
	for (size_t i = 0; i < ROWS_N; i++) {
		rows[i] = (struct row){ .event = i };
		openings[i] = (struct opening){ 0 };
		readings[i] = (struct reading){ 0 };
	}
	resolve("cs,{cycles,instructions,branches}");
	open_at((struct target_request){ 0 });
	return 0;
}

static int finish(void **state)
{
	counters_close(&counters);
	target_release(&target);
	event_list_release(&events);
	return 0;
}

static void check(int line, size_t i, enum count_state state, struct counts counts)
{
	const struct {
		int line;
	} row = { line };

	row_int(&row, readings[i].state, state);
	row_int(&row, readings[i].counts.raw, counts.raw);
	row_int(&row, readings[i].counts.enabled_ns, counts.enabled_ns);
	row_int(&row, readings[i].counts.running_ns, counts.running_ns);
}

static void a_group_is_read_by_one_call(void **state)
{
	static const struct counts alone[] = { { 7, 1000, 1000 } };
	static const struct counts cycles[] = { { UINT64_MAX, 2000, 500 } };
	static const struct counts instructions[] = { { 11, 1, 1 } };
	static const struct counts branches[] = { { 13, 1, 1 } };

	fake_readings(PERF_TYPE_SOFTWARE, 3, alone, 1);
	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, 1);
	fake_readings(PERF_TYPE_HARDWARE, 1, instructions, 1);
	fake_readings(PERF_TYPE_HARDWARE, 4, branches, 1);
	counters_read(&counters, readings);
	assert_int_equal(fake_reads_n, 2);
	check(__LINE__, 0, COUNTED, alone[0]);
	/* the group's times */
	check(__LINE__, 1, COUNTED, cycles[0]);
	check(__LINE__, 2, COUNTED, (struct counts){ 11, 2000, 500 });
	check(__LINE__, 3, COUNTED, (struct counts){ 13, 2000, 500 });
}

static void only_the_requested_rows_are_read(void **state)
{
	static const struct counts alone[] = { { 7, 1000, 1000 } };
	static const struct counts cycles[] = { { 5, 2000, 500 } };
	static const bool first[ROWS_N] = { true }, group[ROWS_N] = { false, true, true, true };

	fake_readings(PERF_TYPE_SOFTWARE, 3, alone, 1);
	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, 1);
	counters_read_rows(&counters, first, readings);
	assert_int_equal(fake_reads_n, 1);
	check(__LINE__, 0, COUNTED, alone[0]);
	for (size_t i = 1; i < ROWS_N; i++)
		check(__LINE__, i, COUNTED, (struct counts){ 0 });
	counters_read_rows(&counters, group, readings);
	assert_int_equal(fake_reads_n, 2);
	check(__LINE__, 0, COUNTED, alone[0]);
	check(__LINE__, 1, COUNTED, cycles[0]);
}

/* The kernel returns 0 bytes for a pinned group that it could not keep on the PMU. */
static void an_incomplete_reading_is_failed_not_zero(void **state)
{
	static const struct {
		int line;
		ssize_t result; /* of the read */
	} results[] = {
		{ ROW, 0 },  { ROW, 8 },    { ROW, 24 },      { ROW, 16 },
		{ ROW, 71 }, { ROW, -EIO }, { ROW, -ENOSPC },
	};

	for (size_t i = 0; i < N_OF(results); i++) {
		memset(readings, 0, sizeof(readings));
		fake_read_result(PERF_TYPE_HARDWARE, 0, results[i].result);
		counters_read(&counters, readings);
		row_int(&results[i], readings[0].state, COUNTED);
		for (size_t j = 1; j < ROWS_N; j++)
			row_int(&results[i], readings[j].state, FAILED);
	}
}

static void a_single_event_that_cannot_be_read_is_failed(void **state)
{
	static const struct {
		int line;
		ssize_t result;
	} results[] = {
		{ ROW, 0 }, { ROW, 8 }, { ROW, 16 }, { ROW, 23 }, { ROW, -EIO },
	};

	for (size_t i = 0; i < N_OF(results); i++) {
		memset(readings, 0, sizeof(readings));
		fake_read_result(PERF_TYPE_SOFTWARE, 3, results[i].result);
		counters_read(&counters, readings);
		row_int(&results[i], readings[0].state, FAILED);
		/* an empty reading is not an error: a pinned event has no counter */
		row_int(&results[i], readings[0].reason.cause,
			results[i].result ? CAUSE_READ : CAUSE_NONE);
		row_int(&results[i], readings[0].reason.error, results[i].result ? -EIO : 0);
		for (size_t j = 1; j < ROWS_N; j++)
			row_int(&results[i], readings[j].state, COUNTED);
	}
}

/* A task that has inherited the group ends. */
static void a_group_that_is_split_is_read_again(void **state)
{
	static const struct {
		int line;
		size_t refused;
		enum count_state state;
	} cases[] = {
		{ ROW, 1, COUNTED },
		{ ROW, 10, COUNTED },
		{ ROW, 100000, FAILED }, /* but not for ever */
	};

	counters_close(&counters);
	events.groups[0] = events.groups[1];
	events.groups_n = 1;
	assert_int_equal(opener_open(&opener, &counters, &job), 0);
	for (size_t i = 0; i < N_OF(cases); i++) {
		memset(readings, 0, sizeof(readings));
		fake_refuse_readings(ECHILD, cases[i].refused);
		counters_read(&counters, readings);
		for (size_t j = 1; j < ROWS_N; j++)
			row_int(&cases[i], readings[j].state, cases[i].state);
	}
}

/* An event that is counted on several CPUs has a counter on each. */
static void a_row_is_the_sum_of_its_counters(void **state)
{
	static const struct counts cycles[] = { { 100, 20, 10 }, { 1000, 200, 100 }, { 0 }, { 0 } };

	finish(NULL);
	fake_reset();
	resolve("cycles");
	events.events[0].cpus = strdup("0,18");
	open_at((struct target_request){ 0 });
	fake_readings(PERF_TYPE_HARDWARE, 0, cycles, N_OF(cycles));
	counters_read(&counters, readings);
	check(__LINE__, 0, COUNTED, (struct counts){ 1100, 220, 110 });
	fake_read_result(PERF_TYPE_HARDWARE, 0, 0);
	counters_read(&counters, readings);
	assert_int_equal(readings[0].state, FAILED);
}

/* A row that is counted on CPUs 0 and 18. */
static void open_on_two_cpus(void)
{
	finish(NULL);
	fake_reset();
	resolve("cycles");
	events.events[0].cpus = strdup("0,18");
	open_at((struct target_request){ 0 });
}

static void read_again(void)
{
	memset(readings, 0, sizeof(readings));
	counters_read(&counters, readings);
}

static void a_row_of_which_a_counter_cannot_be_switched_is_failed(void **state)
{
	open_on_two_cpus();
	fake_refuse_switching(EIO, 18);
	counters_switch(&counters, KERNEL_ON);
	fake_refuse_switching(0, 18);
	fake_advance_clock(1000);
	counters_switch(&counters, KERNEL_OFF);
	read_again();
	assert_int_equal(readings[0].state, FAILED);
	assert_int_equal(readings[0].reason.cause, CAUSE_ENABLE);
	assert_int_equal(readings[0].reason.error, -EIO);
	for (size_t i = 0; i < counters.groups_n; i++)
		counters.groups[i].reason = (struct reason){ 0 };
	read_again();
	assert_int_equal(readings[0].state, COUNTED);
	counters_switch(&counters, KERNEL_ON);
	fake_refuse_switching(EACCES, 0);
	counters_switch(&counters, KERNEL_OFF);
	read_again();
	assert_int_equal(readings[0].state, FAILED);
	assert_int_equal(readings[0].reason.cause, CAUSE_DISABLE);
	assert_int_equal(readings[0].reason.error, -EACCES);
}

static void switching_a_task_that_has_ended_does_not_fail(void **state)
{
	static const int errors[] = { ESRCH, ENODEV };

	for (size_t i = 0; i < N_OF(errors); i++) {
		open_on_two_cpus();
		fake_refuse_switching(errors[i], 18);
		counters_switch(&counters, KERNEL_ON);
		fake_advance_clock(1000);
		read_again();
		assert_int_equal(readings[0].state, COUNTED);
	}
}

static void rows_without_counters_do_not_change(void **state)
{
	const struct counts before = { 7, 8, 9 };
	struct counters none = { 0 };

	for (size_t i = 0; i < ROWS_N; i++)
		readings[i] = (struct reading){ .state = NOT_COUNTED, .counts = before };
	counters_read(&none, readings);
	for (size_t i = 0; i < ROWS_N; i++)
		check(__LINE__, i, NOT_COUNTED, before);
	assert_int_equal(fake_reads_n, 0);
	counters_close(&none);
}

/* A group is switched by its leader. */
static void groups_are_switched_as_one(void **state)
{
	const size_t fake_of[] = { 0, 2, 4, 5 }; /* without the sentinels */

	for (int on = 1; on >= 0; on--) {
		fake_switches_n = 0;
		counters_switch(&counters, on ? KERNEL_ON : KERNEL_OFF);
		assert_int_equal(fake_switches_n, 2);
		for (size_t i = 0; i < N_OF(fake_of); i++)
			assert_int_equal(fake_opens[fake_of[i]].on, on);
		assert_false(fake_opens[1].on || fake_opens[3].on);
	}
}

static void a_counter_that_is_off_has_no_time(void **state)
{
	fake_advance_clock(100);
	counters_switch(&counters, KERNEL_ON);
	fake_advance_clock(30);
	counters_switch(&counters, KERNEL_OFF);
	fake_advance_clock(100);
	counters_read(&counters, readings);
	check(__LINE__, 0, COUNTED, (struct counts){ 30 * fake_rate(3, 0, -1), 30, 30 });
	check(__LINE__, 1, COUNTED, (struct counts){ 30 * fake_rate(0, 0, -1), 30, 30 });
	check(__LINE__, 3, COUNTED, (struct counts){ 30 * fake_rate(4, 0, -1), 30, 30 });
}

/* One of two CPUs goes offline: its part of each sum stays the same, and no reading fails. */
static void a_group_that_its_cpu_left_is_read_member_by_member(void **state)
{
	const struct machine before = machine;

	finish(NULL);
	fake_reset();
	machine.root = tree_new();
	tree_add(machine.root, "sys/devices/system/cpu/online", "1-2\n");
	tree_add(machine.root, "sys/devices/system/cpu/present", "0-3\n");
	resolve("cs,{cycles,instructions,branches}");
	open_at((struct target_request){ .all_cpus = true });
	counters_switch(&counters, KERNEL_ON);
	fake_advance_clock(100);
	fake_cpu_offline(2);
	fake_advance_clock(50);
	counters_read(&counters, readings);
	/* two single events, a group, and three events of a group that was taken apart */
	assert_int_equal(fake_reads_n, 2 + 1 + 1 + 3);
	for (size_t i = 0; i < ROWS_N; i++) {
		const __u64 config = events.events[i].attr.config;

		check(__LINE__, i, COUNTED,
		      (struct counts){ 150 * fake_rate(config, -1, 1) +
					       100 * fake_rate(config, -1, 2),
				       250, 250 });
	}
	/* switching on again does not revive it */
	fake_cpu_online(2);
	fake_advance_clock(1000);
	memset(readings, 0, sizeof(readings));
	counters_read(&counters, readings);
	assert_int_equal(readings[1].counts.enabled_ns, 1150 + 100);
	tree_remove(machine.root);
	machine = before;
}

static void after_a_cut_the_remaining_counters_are_read(void **state)
{
	static const struct counts alone[] = { { 7, 1000, 1000 } };
	int fds[ROWS_N];

	for (size_t i = 0; i < ROWS_N; i++)
		fds[i] = counters.v[i].fd;
	fake_readings(PERF_TYPE_SOFTWARE, 3, alone, 1);
	counters_truncate(&counters, 1, 1);
	assert_int_equal(counters.n, 1);
	assert_true(fcntl(fds[0], F_GETFD) >= 0);
	for (size_t i = 1; i < ROWS_N; i++)
		assert_int_equal(fcntl(fds[i], F_GETFD), -1);
	counters_read(&counters, readings);
	assert_int_equal(fake_reads_n, 1);
	check(__LINE__, 0, COUNTED, alone[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_group_is_read_by_one_call, start, finish),
		cmocka_unit_test_setup_teardown(only_the_requested_rows_are_read, start, finish),
		cmocka_unit_test_setup_teardown(an_incomplete_reading_is_failed_not_zero, start,
						finish),
		cmocka_unit_test_setup_teardown(a_group_that_is_split_is_read_again, start, finish),
		cmocka_unit_test_setup_teardown(a_single_event_that_cannot_be_read_is_failed, start,
						finish),
		cmocka_unit_test_setup_teardown(a_row_is_the_sum_of_its_counters, start, finish),
		cmocka_unit_test_setup_teardown(
			a_row_of_which_a_counter_cannot_be_switched_is_failed, start, finish),
		cmocka_unit_test_setup_teardown(switching_a_task_that_has_ended_does_not_fail,
						start, finish),
		cmocka_unit_test_setup_teardown(rows_without_counters_do_not_change, start, finish),
		cmocka_unit_test_setup_teardown(groups_are_switched_as_one, start, finish),
		cmocka_unit_test_setup_teardown(a_counter_that_is_off_has_no_time, start, finish),
		cmocka_unit_test_setup_teardown(a_group_that_its_cpu_left_is_read_member_by_member,
						start, finish),
		cmocka_unit_test_setup_teardown(after_a_cut_the_remaining_counters_are_read, start,
						finish),
	};

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
