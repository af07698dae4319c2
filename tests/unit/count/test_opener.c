/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls that open counters, and the reasons for refused ones. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/opener.h"
#include "event/resolve.h"
#include "unit/descriptors.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { ROWS_MAX = 16, CHILD = 4711 };

static struct machine machine;
static open_call_observer *watching;

/* Events of a list, opened. */
struct opened {
	struct event_list events;
	struct row rows[ROWS_MAX];
	struct opening openings[ROWS_MAX];
	struct target target;
	struct opener opener;
	struct open_job job;
	struct counters counters;
};

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "proc/sys/kernel/perf_event_paranoid", "2\n");
	/* in a user namespace the capabilities of the test have no effect */
	tree_add(machine.root, "proc/self/uid_map", "0 1000 1\n");
	tree_add(machine.root, "proc/sys/kernel/nmi_watchdog", "0\n");
	tree_add(machine.root, "sys/bus/event_source/devices/cpu/type", "4\n");
	tree_add(machine.root, "sys/bus/event_source/devices/uncore/type", "20\n");
	tree_add(machine.root, "sys/bus/event_source/devices/uncore/cpumask", "0,18\n");
	tree_add(machine.root, "sys/bus/event_source/devices/empty/type", "21\n");
	tree_add(machine.root, "sys/bus/event_source/devices/empty/cpumask", "\n");
	tree_add(machine.root, "sys/bus/event_source/devices/garbled/type", "22\n");
	tree_add(machine.root, "sys/bus/event_source/devices/garbled/cpumask", "all\n");
	tree_add(machine.root, "sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static int start(void **state)
{
	fake_reset();
	return 0;
}

/* Open on a command: on pstat itself (pid 0), or on its child. */
static int open_list(struct opened *t, enum counter_inherit inherit, pid_t pid)
{
	static const struct target_request nothing = { 0 };
	cleanup_why struct why why = { 0 };

	assert_true(t->events.n <= ROWS_MAX);
	assert_int_equal(target_init(&t->target, &machine, &nothing, &why), 0);
	t->target.scopes[0].pid = pid;
	for (size_t i = 0; i < t->events.n; i++)
		t->rows[i].event = i;
	t->opener = (struct opener){ .machine = &machine,
				     .events = &t->events,
				     .target = &t->target,
				     .rows = t->rows,
				     .openings = t->openings,
				     .event_opener = { .observer = watching } };
	t->job = (struct open_job){ .scopes = t->target.scopes,
				    .scopes_n = t->target.scopes_n,
				    .inherit = inherit };
	return opener_open(&t->opener, &t->counters, &t->job);
}

static int open_on(struct opened *t, const char *text, enum counter_inherit inherit, pid_t pid)
{
	cleanup_why struct why why = { 0 };

	*t = (struct opened){ 0 };
	if (resolve_events(&machine, RESOLVE_BY_ALL, text, &t->events, &why) < 0)
		fail_msg("%s: %s", text, why_text(&why, 0));
	return open_list(t, inherit, pid);
}

static void open_events(struct opened *t, const char *text)
{
	assert_int_equal(open_on(t, text, COUNTER_ALL_TASKS, 0), 0);
}

static void close_all(struct opened *t)
{
	counters_close(&t->counters);
	for (size_t i = 0; i < t->events.n; i++)
		free(t->openings[i].reason.text);
	target_release(&t->target);
	event_list_release(&t->events);
}

static const char *error_name(int error)
{
	switch (error) {
	case -EACCES:
		return "EACCES";
	case -EINVAL:
		return "EINVAL";
	case -ENOENT:
		return "ENOENT";
	case -EMFILE:
		return "EMFILE";
	default:
		return "another error";
	}
}

static size_t call_that_gave(int fd, size_t before)
{
	size_t i = before;

	while (i-- > 0)
		if (fake_opens[i].result == fd)
			return i;
	fail_msg("descriptor %d was not given by the kernel", fd);
	return 0;
}

static void add_call(struct str *out, size_t i)
{
	const struct perf_event_attr *attr = &fake_opens[i].attr;

	str_addf(out, "%u:%llu ", attr->type, (unsigned long long)attr->config);
	str_add(out, attr->disabled ? "d" : "");
	str_add(out, attr->enable_on_exec ? "x" : "");
	str_add(out, attr->inherit ? "i" : "");
	str_add(out, attr->read_format & PERF_FORMAT_GROUP ? "g" : "");
	str_add(out, attr->exclude_user ? "U" : "");
	str_add(out, attr->exclude_kernel ? "K" : "");
	str_add(out, attr->exclude_guest ? "G" : "");
	str_add(out, attr->pinned ? "P" : "");
	if (fake_opens[i].group_fd >= 0)
		str_addf(out, " >%zu", call_that_gave(fake_opens[i].group_fd, i));
	if (fake_opens[i].result < 0)
		str_addf(out, " %s", error_name(fake_opens[i].result));
	str_add(out, "\n");
}

/*
 * All calls as text, one a line: type:config, then letters (disabled, enabled by x (exec), inherit,
 * group read; excluded: User, Kernel, Guest; Pinned), then ">n" if the n-th call opened the group's
 * leader, then the error if there was one.
 */
static void check_calls(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str calls = { 0 };

	for (size_t i = 0; i < fake_opens_n; i++)
		add_call(&calls, i);
	row_string(&row, str_text(&calls), expected);
}

/* ---- Accepted events. */

static void a_single_event_has_a_sentinel_of_its_kind(void **state)
{
	struct opened t;

	open_events(&t, "cycles");
	check_calls(__LINE__, "0:0 dxiG\n"
			      "0:0 dG\n");
	assert_int_equal(t.counters.n, 1);
	assert_int_equal(t.counters.sentinels_n, 1);
	assert_false(t.counters.groups[0].one_read);
	close_all(&t);
}

static void one_sentinel_serves_each_kind(void **state)
{
	struct opened t;

	open_events(&t, "cs,cycles,faults,instructions,r3c,r3d");
	check_calls(__LINE__, "1:3 dxiG\n"
			      "1:9 dK\n"
			      "0:0 dxiG\n"
			      "0:0 dG\n"
			      "1:2 dxiG\n"
			      "0:1 dxiG\n"
			      "4:60 dxiG\n"
			      "4:60 dG\n"
			      "4:61 dxiG\n");
	close_all(&t);
}

static void a_group_is_opened_by_its_leader_and_read_at_once(void **state)
{
	struct opened t;

	open_events(&t, "{cycles,instructions,cs}");
	check_calls(__LINE__, "0:0 dxigG\n"
			      "0:0 dG\n"
			      "0:1 igG >0\n"
			      "1:3 igG >0\n"
			      "1:9 dK\n");
	assert_int_equal(t.counters.groups_n, 1);
	assert_int_equal(t.counters.groups[0].n, 3);
	assert_true(t.counters.groups[0].one_read);
	close_all(&t);
}

static void only_the_leader_is_pinned(void **state)
{
	struct opened t;

	open_events(&t, "{cycles,instructions}:D");
	check_calls(__LINE__, "0:0 dxigGP\n"
			      "0:0 dG\n"
			      "0:1 igG >0\n");
	close_all(&t);
}

static void the_first_task_is_opened_without_inheritance_or_sentinel(void **state)
{
	struct opened t;

	assert_int_equal(open_on(&t, "{cycles,cs}", COUNTER_FIRST_TASK, CHILD), 0);
	check_calls(__LINE__, "0:0 dxgG\n"
			      "1:3 gG >0\n");
	for (size_t i = 0; i < fake_opens_n; i++)
		assert_int_equal(fake_opens[i].pid, CHILD);
	assert_int_equal(t.counters.sentinels_n, 0);
	close_all(&t);
}

static void every_event_is_opened_on_any_cpu(void **state)
{
	struct opened t;

	open_events(&t, "{cycles,cs},faults");
	for (size_t i = 0; i < fake_opens_n; i++) {
		assert_int_equal(fake_opens[i].cpu, -1);
		assert_int_equal(fake_opens[i].pid, 0);
	}
	close_all(&t);
}

static void tool_events_are_not_opened(void **state)
{
	struct opened t;

	open_events(&t, "{duration_time,cycles,user_time},system_time");
	check_calls(__LINE__, "0:0 dxiG\n"
			      "0:0 dG\n");
	assert_false(t.openings[0].refused || t.openings[2].refused || t.openings[3].refused);
	close_all(&t);
}

/* ---- Permission. */

static void a_forbidden_kernel_is_excluded_with_a_reason(void **state)
{
	struct opened t;

	fake_refuse(EACCES, fake_counts_kernel);
	open_events(&t, "cycles,instructions");
	check_calls(__LINE__, "0:0 dxiG EACCES\n"
			      "0:0 dxiKG\n"
			      "0:0 dKG\n"
			      "0:1 dxiKG\n");
	for (size_t i = 0; i < 2; i++) {
		assert_true(t.openings[i].user_only);
		assert_false(t.openings[i].refused);
		assert_non_null(t.openings[i].reason.text);
		assert_non_null(
			strstr(t.openings[i].reason.text, "kernel.perf_event_paranoid is 2"));
	}
	close_all(&t);
}

static void modes_that_the_user_named_are_not_narrowed(void **state)
{
	static const struct {
		int line;
		const char *name;
		bool refused;
	} rows[] = {
		{ ROW, "cycles:k", true },
		{ ROW, "cycles:uk", true },
		{ ROW, "cycles:u", false },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct opened t;

		fake_reset();
		fake_refuse(EACCES, fake_counts_kernel);
		open_events(&t, rows[i].name);
		row_int(&rows[i], t.openings[0].refused, rows[i].refused);
		row_int(&rows[i], t.openings[0].user_only, false);
		row_int(&rows[i], t.openings[0].reason.text != NULL, rows[i].refused);
		close_all(&t);
	}
}

/* As in virtual machines without debug exceptions. The other events of the group are counted. */
static void breakpoints_that_never_count_are_refused(void **state)
{
	struct opened t;

	fake_break_breakpoints();
	open_events(&t, "{mem:0x1000:w:u,cs},mem:0x2000:w");
	assert_true(t.openings[0].refused && t.openings[2].refused);
	assert_false(t.openings[1].refused);
	assert_non_null(strstr(t.openings[0].reason.text, "a test breakpoint did not count"));
	close_all(&t);
	fake_reset();
	open_events(&t, "mem:0x1000:w:u");
	assert_false(t.openings[0].refused);
	close_all(&t);
}

/* In user mode they would always read 0. */
static void events_of_the_kernel_are_refused_not_narrowed(void **state)
{
	struct opened t;

	fake_refuse(EACCES, fake_counts_kernel);
	open_events(&t, "cycles,cs,migrations,faults");
	assert_true(t.openings[0].user_only);
	assert_true(t.openings[1].refused);
	assert_true(t.openings[2].refused);
	assert_false(t.openings[1].user_only || t.openings[2].user_only);
	assert_true(t.openings[3].user_only);
	assert_non_null(strstr(t.openings[1].reason.text, "perf_event_paranoid"));
	close_all(&t);
}

static void a_narrowed_group_stays_a_group(void **state)
{
	struct opened t;

	fake_refuse(EACCES, fake_counts_kernel);
	open_events(&t, "{cycles,instructions}");
	check_calls(__LINE__, "0:0 dxigG EACCES\n"
			      "0:0 dxigKG\n"
			      "0:0 dKG\n"
			      "0:1 igKG >1\n");
	close_all(&t);
}

/* If user mode is refused, too, the first error is reported. */
static void an_event_that_cannot_be_narrowed_lacks_permission(void **state)
{
	struct opened t;

	fake_refuse(EACCES, fake_counts_kernel);
	fake_refuse_event(EINVAL, PERF_TYPE_HARDWARE, 0);
	open_events(&t, "faults,cycles");
	assert_true(t.openings[1].refused);
	assert_non_null(strstr(t.openings[1].reason.text, "perf_event_paranoid"));
	close_all(&t);
}

/* ---- Older kernels, simpler PMUs. */

static void a_pmu_without_exclude_bits_is_opened_without_them(void **state)
{
	struct opened t;

	fake_refuse(EINVAL, fake_excludes_guest);
	open_events(&t, "cycles");
	check_calls(__LINE__, "0:0 dxiG EINVAL\n"
			      "0:0 dxi\n"
			      "0:0 d\n");
	assert_false(t.openings[0].refused);
	assert_null(t.openings[0].reason.text);
	close_all(&t);
}

static void a_group_led_by_a_pmu_without_exclude_bits_is_read_at_once(void **state)
{
	struct opened t;

	fake_refuse(EINVAL, fake_excludes_guest);
	open_events(&t, "{cycles,instructions}");
	assert_int_equal(t.counters.groups_n, 1);
	assert_true(t.counters.groups[0].one_read);
	close_all(&t);
}

/* ---- Groups that do not fit. */

static void a_narrowed_group_that_is_too_large_is_refused_for_its_size(void **state)
{
	struct opened t;

	fake_refuse(EACCES, fake_counts_kernel);
	fake_pmu_counters(2);
	open_events(&t, "{cycles,instructions,branches}");
	for (size_t i = 0; i < 3; i++) {
		assert_true(t.openings[i].refused);
		assert_false(t.openings[i].user_only);
		assert_non_null(strstr(t.openings[i].reason.text, "the group needs 3 counters"));
	}
	close_all(&t);
}

static void a_tool_event_before_it_takes_nothing_from_a_groups_leader(void **state)
{
	struct opened t;

	open_events(&t, "{duration_time,cycles,instructions}:D");
	check_calls(__LINE__, "0:0 dxigGP\n"
			      "0:0 dG\n"
			      "0:1 igG >0\n");
	close_all(&t);
	fake_reset();
	fake_pmu_counters(2);
	open_events(&t, "{duration_time,cycles,instructions,branches}:W");
	for (size_t i = 0; i < 4; i++)
		assert_false(t.openings[i].refused);
	assert_int_equal(t.counters.n, 3);
	close_all(&t);
}

static void an_unsupported_leader_leaves_a_group_of_the_others(void **state)
{
	static const struct counts instructions[] = { { 200, 10, 10 } };
	static const struct counts switches[] = { { 3, 10, 10 } };
	struct reading readings[3] = { 0 };
	struct opened t;

	fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 0);
	fake_readings(PERF_TYPE_HARDWARE, 1, instructions, 1);
	fake_readings(PERF_TYPE_SOFTWARE, 3, switches, 1);
	open_events(&t, "{cycles,instructions,cs}:D");
	assert_true(t.openings[0].refused);
	assert_string_equal(t.openings[0].reason.text, "the PMU of this CPU has no such event");
	assert_false(t.openings[1].refused || t.openings[2].refused);
	check_calls(__LINE__, "0:0 dxigGP ENOENT\n"
			      "0:1 dxigGP\n"
			      "0:1 dG\n"
			      "1:3 igG >1\n"
			      "1:9 dK\n");
	counters_read(&t.counters, readings);
	assert_int_equal(readings[1].counts.raw, 200);
	assert_int_equal(readings[2].counts.raw, 3);
	close_all(&t);
}

static void only_an_unsupported_member_is_refused(void **state)
{
	struct opened t;

	fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 1);
	open_events(&t, "{cycles,instructions,branches}");
	assert_true(t.openings[1].refused);
	assert_false(t.openings[0].refused || t.openings[2].refused);
	assert_int_equal(t.counters.groups_n, 1);
	assert_int_equal(t.counters.groups[0].n, 2);
	close_all(&t);
}

static void a_group_larger_than_the_pmu_is_refused_whole_with_the_budget(void **state)
{
	struct opened t;

	fake_pmu_counters(2);
	open_events(&t, "{cycles,instructions,cs,branches},faults");
	for (size_t i = 0; i < 4; i++) {
		assert_true(t.openings[i].refused);
		assert_string_equal(
			t.openings[i].reason.text,
			"the group needs 3 counters at once, but only 2 of its events fit "
			"together; make the group smaller, or append :W to count its events "
			"separately");
	}
	assert_false(t.openings[4].refused);
	assert_int_equal(t.counters.n, 1); /* nothing of the group stays open */
	close_all(&t);
}

static void a_weak_group_that_is_too_large_is_counted_separately(void **state)
{
	struct opened t;

	fake_pmu_counters(2);
	open_events(&t, "{cycles,instructions,branches}:W");
	for (size_t i = 0; i < 3; i++) {
		assert_false(t.openings[i].refused);
		assert_null(t.openings[i].reason.text);
		assert_true(t.openings[i].apart);
	}
	assert_int_equal(t.counters.n, 3);
	assert_int_equal(t.counters.groups_n, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct fake_open *call =
			&fake_opens[call_that_gave(t.counters.v[i].fd, fake_opens_n)];

		assert_int_equal(call->group_fd, -1);
		assert_int_equal(call->attr.enable_on_exec, 1);
		assert_int_equal(call->attr.read_format & PERF_FORMAT_GROUP, 0);
	}
	close_all(&t);
}

static void a_weak_group_that_fits_stays_together(void **state)
{
	struct opened t;

	fake_pmu_counters(2);
	open_events(&t, "{cycles,instructions}:W");
	assert_int_equal(t.counters.groups_n, 1);
	assert_true(t.counters.groups[0].one_read);
	assert_false(t.openings[0].apart || t.openings[1].apart);
	close_all(&t);
}

static void a_machine_without_a_pmu_refuses_each_hardware_event(void **state)
{
	struct opened t;

	fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 0);
	fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 1);
	open_events(&t, "cycles,cs,{cycles,instructions}");
	assert_true(t.openings[0].refused && t.openings[2].refused && t.openings[3].refused);
	assert_false(t.openings[1].refused);
	assert_int_equal(t.counters.groups_n, 1);
	close_all(&t);
}

/* ---- Descriptors. */

static bool is_branch_misses(const struct fake_open *call)
{
	return call->attr.type == PERF_TYPE_HARDWARE && call->attr.config == 5;
}

static void the_hard_limit_of_descriptors_is_explained_with_numbers(void **state)
{
	struct opened t;

	fake_refuse(EMFILE, is_branch_misses);
	open_events(&t, "cycles,branch-misses");
	assert_true(t.openings[1].refused);
	assert_non_null(strstr(t.openings[1].reason.text, "out of file descriptors"));
	assert_false(t.openings[0].refused);
	close_all(&t);
}

static void nothing_stays_open(void **state)
{
	static const char *const lists[] = {
		"cycles",
		"{cycles,instructions,branches}",
		"{cycles,instructions,branches}:W",
		"cs,{faults,cycles},r1,r2",
		"{branch-misses,cycles}",
	};

	for (size_t i = 0; i < N_OF(lists); i++) {
		size_t before = count_descriptors();
		struct opened t;

		fake_reset();
		fake_pmu_counters(2);
		fake_refuse_event(ENOENT, PERF_TYPE_HARDWARE, 5);
		open_events(&t, lists[i]);
		assert_true(count_descriptors() > before || t.counters.n == 0);
		close_all(&t);
		assert_int_equal(count_descriptors(), before);
	}
}

static bool is_sentinel(const struct fake_open *call)
{
	return call->attr.disabled && !call->attr.enable_on_exec;
}

static void without_a_sentinel_nothing_is_counted(void **state)
{
	size_t before = count_descriptors();
	struct opened t;

	fake_refuse(EMFILE, is_sentinel);
	open_events(&t, "cycles,{cs,faults}");
	assert_int_equal(t.counters.n, 0);
	for (size_t i = 0; i < 3; i++) {
		assert_true(t.openings[i].refused);
		assert_non_null(strstr(t.openings[i].reason.text, "out of file descriptors"));
	}
	close_all(&t);
	assert_int_equal(count_descriptors(), before);
}

/* ---- PMUs that count whole CPUs. */

static void an_uncore_event_is_opened_on_each_of_its_cpus(void **state)
{
	static const int cpus[] = { 0, 18 };
	struct opened t;

	open_events(&t, "uncore/config=1/");
	/* on from the start, not inherited, and without a sentinel */
	check_calls(__LINE__, "20:1 \n"
			      "20:1 \n");
	for (size_t i = 0; i < N_OF(cpus); i++) {
		assert_int_equal(fake_opens[i].pid, -1);
		assert_int_equal(fake_opens[i].cpu, cpus[i]);
	}
	assert_int_equal(t.counters.n, 2);
	assert_int_equal(t.counters.groups_n, 2);
	assert_int_equal(t.counters.sentinels_n, 0);
	close_all(&t);
}

static void a_group_of_them_is_a_group_on_each_cpu(void **state)
{
	struct opened t;

	open_events(&t, "{uncore/config=1/,uncore/config=2/},cs");
	check_calls(__LINE__, "20:1 g\n"
			      "20:2 g >0\n"
			      "20:1 g\n"
			      "20:2 g >2\n"
			      "1:3 dxiG\n"
			      "1:9 dK\n");
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(fake_opens[i].cpu, i < 2 ? 0 : 18);
	assert_int_equal(fake_opens[4].cpu, -1);
	close_all(&t);
}

static void the_first_tasks_pid_is_not_theirs(void **state)
{
	struct opened t;

	assert_int_equal(open_on(&t, "uncore/config=1,cpu=7/,cycles", COUNTER_FIRST_TASK, CHILD),
			 0);
	check_calls(__LINE__, "20:1 \n"
			      "0:0 dxG\n");
	assert_int_equal(fake_opens[0].pid, -1);
	assert_int_equal(fake_opens[0].cpu, 7);
	assert_int_equal(fake_opens[1].pid, CHILD);
	assert_int_equal(fake_opens[1].cpu, -1);
	close_all(&t);
}

static void without_any_cpu_an_event_is_refused(void **state)
{
	static const char *const names[] = { "empty/config=1/", "garbled/config=1/" };

	for (size_t i = 0; i < N_OF(names); i++) {
		struct opened t;
		cleanup_str struct str reason = { 0 };

		open_events(&t, names[i]);
		assert_int_equal(fake_opens_n, 0);
		assert_int_equal(t.counters.n, 0);
		assert_true(t.openings[0].refused);
		str_addf(&reason, "sysfs lists no online CPU for PMU %s", t.events.events[0].pmu);
		assert_string_equal(t.openings[0].reason.text, str_text(&reason));
		close_all(&t);
	}
}

static void an_event_is_opened_on_its_cpu_however_the_number_is_written(void **state)
{
	static const char *const names[] = { "uncore/config=1,cpu=3/", "uncore/config=1,cpu=0x3/",
					     "uncore/config=1,cpu=03/" };

	for (size_t i = 0; i < N_OF(names); i++) {
		struct opened t;

		fake_reset();
		open_events(&t, names[i]);
		assert_int_equal(fake_opens_n, 1);
		assert_int_equal(fake_opens[0].cpu, 3);
		assert_int_equal(fake_opens[0].pid, -1);
		close_all(&t);
	}
}

static void on_a_cpu_that_is_not_online_an_event_is_refused(void **state)
{
	struct opened t;

	tree_add(machine.root, "sys/devices/system/cpu/online", "0-3\n");
	open_events(&t, "uncore/config=1,cpu=55/");
	assert_int_equal(fake_opens_n, 0);
	assert_true(t.openings[0].refused);
	assert_string_equal(t.openings[0].reason.text, "CPU 55 is not online");
	close_all(&t);
	open_events(&t, "uncore/config=1,cpu=2/");
	assert_false(t.openings[0].refused);
	close_all(&t);
	open_events(&t, "uncore/config=1/"); /* CPUs 0 and 18 */
	assert_false(t.openings[0].refused);
	close_all(&t);
	tree_add(machine.root, "sys/devices/system/cpu/online", "");
}

static void a_refused_uncore_event_has_one_reason(void **state)
{
	struct opened t;

	fake_refuse_event(ENOENT, 20, 1);
	open_events(&t, "uncore/config=1/,cs");
	assert_true(t.openings[0].refused);
	assert_non_null(t.openings[0].reason.text);
	assert_false(t.openings[1].refused);
	assert_int_equal(t.counters.n, 1);
	close_all(&t);
}

/* ---- Filters. */

static void a_filter_is_set_only_on_its_event(void **state)
{
	cleanup_why struct why why = { 0 };
	struct opened t = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "cs,sched:sched_switch",
					&t.events, &why),
			 0);
	assert_int_equal(event_list_filter(&t.events, "prev_pid > 1", &why), 0);
	assert_int_equal(open_list(&t, COUNTER_ALL_TASKS, 0), 0);
	assert_int_equal(fake_filters_n, 1);
	assert_string_equal(fake_filters[0], "prev_pid > 1");
	assert_false(t.openings[1].refused);
	close_all(&t);
}

static void a_filter_that_the_kernel_refuses_is_named(void **state)
{
	cleanup_why struct why why = { 0 };
	size_t before = count_descriptors();
	struct opened t = { 0 };

	fake_refuse_filter(EINVAL);
	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "sched:sched_switch,cs",
					&t.events, &why),
			 0);
	t.events.events[0].filter = strdup("nosuch > 1");
	assert_int_equal(open_list(&t, COUNTER_ALL_TASKS, 0), 0);
	assert_true(t.openings[0].refused);
	assert_string_equal(t.openings[0].reason.text,
			    "the kernel refuses the filter 'nosuch > 1': Invalid argument (a field "
			    "that the event does not have, or not in this form: see its format "
			    "file in tracefs)");
	assert_int_equal(t.counters.n, 1); /* it would have counted all of them */
	close_all(&t);
	assert_int_equal(count_descriptors(), before);
}

/* ---- Events that need the command's load address. */

static void groups_that_need_the_address_are_opened_after_the_exec(void **state)
{
	cleanup_why struct why why = { 0 };
	struct opened t = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL,
					"cs,mem:0x1040/4:w,{mem:0x2000/4:w,faults}", &t.events,
					&why),
			 0);
	t.events.events[1].relocated = true;
	t.events.events[3].relocated = true;
	assert_false(opener_needs_address(&t.events, &t.events.groups[0]));
	assert_true(opener_needs_address(&t.events, &t.events.groups[1]));
	assert_true(opener_needs_address(&t.events, &t.events.groups[2]));
	assert_int_equal(open_list(&t, COUNTER_ALL_TASKS, 0), 0);
	check_calls(__LINE__, "1:3 dxiG\n"
			      "1:9 dK\n");
	counters_close(&t.counters);
	fake_reset();
	t.job.start = COUNTER_AT_ONCE;
	t.job.when = OPEN_STOPPED;
	t.job.load_offset = 0x555555554000;
	t.target.scopes[0].pid = CHILD;
	assert_int_equal(opener_open(&t.opener, &t.counters, &t.job), 0);
	check_calls(__LINE__, "5:0 iG\n"
			      "5:0 igG\n"
			      "1:2 igG >1\n");
	assert_int_equal(fake_opens[0].attr.bp_addr, 0x555555555040);
	assert_int_equal(fake_opens[1].attr.bp_addr, 0x2000); /* an address of the user's own */
	assert_int_equal(fake_opens[0].pid, CHILD);
	assert_int_equal(t.counters.sentinels_n, 0);
	close_all(&t);
}

/* ---- The observer of -v */

static size_t watched;

static void watch(const struct open_call *shown)
{
	const struct fake_open *call = &fake_opens[watched++];

	assert_memory_equal(shown->attr, &call->attr, sizeof(*shown->attr));
	assert_int_equal(shown->pid, call->pid);
	assert_int_equal(shown->cpu, call->cpu);
	assert_int_equal(shown->group_fd, call->group_fd);
	assert_int_equal(shown->flags, call->flags);
	assert_int_equal(shown->result, call->result);
}

static void every_call_is_shown_to_the_watch(void **state)
{
	struct opened t;

	watched = 0;
	fake_refuse(EACCES, fake_counts_kernel);
	watching = watch;
	open_events(&t, "{cycles,instructions},cs");
	watching = NULL;
	assert_int_equal(watched, fake_opens_n);
	assert_true(watched > 3);
	close_all(&t);
}

/* The number of open clocks, each enabled in the same way as the counters. */
static size_t clocks_n(const struct opened *t)
{
	size_t n = 0;

	for (size_t i = 0; i < fake_opens_n; i++) {
		const struct perf_event_attr *attr = &fake_opens[i].attr;

		if (attr->type != PERF_TYPE_SOFTWARE || attr->config != PERF_COUNT_SW_DUMMY ||
		    !attr->inherit)
			continue;
		assert_int_equal(attr->enable_on_exec, t->job.start == COUNTER_BY_EXEC);
		assert_true(attr->disabled && attr->exclude_kernel);
		n++;
	}
	return n;
}

static void inherited_hardware_events_have_a_clock(void **state)
{
	static const struct {
		const char *events;
		enum counter_inherit inherit;
		size_t clocks;
	} cases[] = {
		{ "cycles", COUNTER_ALL_TASKS, 1 },
		{ "r1,r2,{r3,r4},faults", COUNTER_ALL_TASKS, 1 },
		{ "cycles", COUNTER_FIRST_TASK, 0 }, /* nothing is lost */
		{ "faults,cs", COUNTER_ALL_TASKS, 0 }, /* they are never off */
		{ "uncore/config=1/", COUNTER_ALL_TASKS, 0 }, /* on CPUs */
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		struct opened t;

		fake_reset();
		fake_kernel_version(LINUX(6, 1));
		fake_accept_clocks();
		assert_int_equal(open_on(&t, cases[i].events, cases[i].inherit, 0), 0);
		assert_int_equal(clocks_n(&t), cases[i].clocks);
		assert_false(fake_context_may_be_swapped());
		assert_int_equal(counters_clock_ns(&t.counters, 0), 0);
		/* no second clock for later scopes */
		assert_int_equal(opener_open(&t.opener, &t.counters, &t.job), 0);
		assert_int_equal(clocks_n(&t), cases[i].clocks);
		close_all(&t);
	}
}

static void a_clock_is_switched_with_the_counters(void **state)
{
	struct opened t = { 0 };
	cleanup_why struct why why = { 0 };

	fake_accept_clocks();
	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "r1,r2", &t.events, &why), 0);
	assert_int_equal(open_list(&t, COUNTER_ALL_TASKS, CHILD), 0);
	assert_int_equal(clocks_n(&t), 1);
	counters_switch(&t.counters, KERNEL_ON);
	fake_advance_clock(500);
	assert_int_equal(counters_clock_ns(&t.counters, 0), 500);
	counters_switch(&t.counters, KERNEL_OFF);
	fake_advance_clock(500);
	assert_int_equal(counters_clock_ns(&t.counters, 0), 500);
	close_all(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_single_event_has_a_sentinel_of_its_kind, start),
		cmocka_unit_test_setup(one_sentinel_serves_each_kind, start),
		cmocka_unit_test_setup(a_group_is_opened_by_its_leader_and_read_at_once, start),
		cmocka_unit_test_setup(only_the_leader_is_pinned, start),
		cmocka_unit_test_setup(the_first_task_is_opened_without_inheritance_or_sentinel,
				       start),
		cmocka_unit_test_setup(every_event_is_opened_on_any_cpu, start),
		cmocka_unit_test_setup(tool_events_are_not_opened, start),
		cmocka_unit_test_setup(a_forbidden_kernel_is_excluded_with_a_reason, start),
		cmocka_unit_test_setup(modes_that_the_user_named_are_not_narrowed, start),
		cmocka_unit_test_setup(breakpoints_that_never_count_are_refused, start),
		cmocka_unit_test_setup(events_of_the_kernel_are_refused_not_narrowed, start),
		cmocka_unit_test_setup(a_narrowed_group_stays_a_group, start),
		cmocka_unit_test_setup(an_event_that_cannot_be_narrowed_lacks_permission, start),
		cmocka_unit_test_setup(a_pmu_without_exclude_bits_is_opened_without_them, start),
		cmocka_unit_test_setup(an_unsupported_leader_leaves_a_group_of_the_others, start),
		cmocka_unit_test_setup(only_an_unsupported_member_is_refused, start),
		cmocka_unit_test_setup(a_group_larger_than_the_pmu_is_refused_whole_with_the_budget,
				       start),
		cmocka_unit_test_setup(a_weak_group_that_is_too_large_is_counted_separately, start),
		cmocka_unit_test_setup(a_group_led_by_a_pmu_without_exclude_bits_is_read_at_once,
				       start),
		cmocka_unit_test_setup(a_narrowed_group_that_is_too_large_is_refused_for_its_size,
				       start),
		cmocka_unit_test_setup(a_tool_event_before_it_takes_nothing_from_a_groups_leader,
				       start),
		cmocka_unit_test_setup(a_weak_group_that_fits_stays_together, start),
		cmocka_unit_test_setup(a_machine_without_a_pmu_refuses_each_hardware_event, start),
		cmocka_unit_test_setup(the_hard_limit_of_descriptors_is_explained_with_numbers,
				       start),
		cmocka_unit_test_setup(nothing_stays_open, start),
		cmocka_unit_test_setup(without_a_sentinel_nothing_is_counted, start),
		cmocka_unit_test_setup(an_uncore_event_is_opened_on_each_of_its_cpus, start),
		cmocka_unit_test_setup(a_group_of_them_is_a_group_on_each_cpu, start),
		cmocka_unit_test_setup(the_first_tasks_pid_is_not_theirs, start),
		cmocka_unit_test_setup(without_any_cpu_an_event_is_refused, start),
		cmocka_unit_test_setup(an_event_is_opened_on_its_cpu_however_the_number_is_written,
				       start),
		cmocka_unit_test_setup(on_a_cpu_that_is_not_online_an_event_is_refused, start),
		cmocka_unit_test_setup(a_refused_uncore_event_has_one_reason, start),
		cmocka_unit_test_setup(a_filter_is_set_only_on_its_event, start),
		cmocka_unit_test_setup(a_filter_that_the_kernel_refuses_is_named, start),
		cmocka_unit_test_setup(groups_that_need_the_address_are_opened_after_the_exec,
				       start),
		cmocka_unit_test_setup(every_call_is_shown_to_the_watch, start),
		cmocka_unit_test_setup(inherited_hardware_events_have_a_clock, start),
		cmocka_unit_test_setup(a_clock_is_switched_with_the_counters, start),
	};

	return cmocka_run_group_tests_name("opener", tests, set_up, tear_down);
}
