/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

#define EVENTS "sys/kernel/tracing/events/"

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, EVENTS "sched/sched_switch/id", "316\n");
	tree_add(machine.root, EVENTS "sched/sched_wakeup/id", "318\n");
	tree_add(machine.root, EVENTS "sched/sched_wakeup_new/id", "317\n");
	tree_add(machine.root, EVENTS "syscalls/sys_enter_getppid/id", "500\n");
	tree_add(machine.root, EVENTS "sched/sched_switch/format",
		 "\tfield:char prev_comm[16];\toffset:8;\n");
	tree_add(machine.root, EVENTS "probe_prog/f/id", "600\n");
	tree_add(machine.root, EVENTS "probe_prog/f/format",
		 "\tfield:unsigned long __probe_ip;\toffset:8;\n");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void a_tracepoint_is_opened_by_its_number(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "syscalls:sys_enter_getppid,sched:sched_switch:D", &list);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.events[0].attr.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(list.events[0].attr.config, 500);
	assert_string_equal(list.events[0].name, "syscalls:sys_enter_getppid");
	assert_string_equal(list.events[0].source, "tracepoint");
	assert_int_equal(list.events[1].attr.config, 316);
	assert_int_equal(list.events[1].attr.pinned, 1);
	assert_string_equal(list.events[1].name, "sched:sched_switch:D");
}

/* Only system calls and uprobes count in user mode. */
static void a_tracepoint_of_the_kernel_is_known(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine,
		   "syscalls:sys_enter_getppid,probe_prog:f,sched:sched_s*,sched:sched_wakeup",
		   &list);
	assert_int_equal(list.n, 4);
	assert_false(list.events[0].in_kernel || list.events[1].in_kernel);
	assert_true(list.events[2].in_kernel && list.events[3].in_kernel);
	assert_true(list.events[0].in_user);
	assert_false(list.events[1].in_user || list.events[2].in_user);
}

static void a_system_call_is_known_by_its_number(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "2:500,2:0x1f4:u,2:316,2:999,1:500", &list);
	assert_int_equal(list.n, 5);
	assert_true(list.events[0].in_user && list.events[1].in_user);
	for (size_t i = 2; i < 5; i++)
		assert_false(list.events[i].in_user);
}

static void each_match_of_a_glob_is_a_row_named_after_it(void **state)
{
	static const struct {
		int line;
		const char *text;
		size_t n;
		const char *names[3];
		unsigned int ids[3];
	} rows[] = {
		{ ROW,
		  "sched:sched_w*",
		  2,
		  { "sched:sched_wakeup", "sched:sched_wakeup_new" },
		  { 318, 317 } },
		{ ROW,
		  "sched:*:k",
		  3,
		  { "sched:sched_switch:k", "sched:sched_wakeup:k", "sched:sched_wakeup_new:k" },
		  { 316, 318, 317 } },
		{ ROW, "sys*:sys_enter_*", 1, { "syscalls:sys_enter_getppid" }, { 500 } },
		{ ROW, "sched:sched_wakeu[pq]", 1, { "sched:sched_wakeup" }, { 318 } },
		{ ROW, "s?hed:sched_switch", 1, { "sched:sched_switch" }, { 316 } },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_on(&machine, rows[i].text, &list);
		row_int(&rows[i], list.n, rows[i].n);
		row_int(&rows[i], list.groups_n, rows[i].n); /* each alone */
		for (size_t j = 0; j < rows[i].n; j++) {
			row_string(&rows[i], list.events[j].name, rows[i].names[j]);
			row_int(&rows[i], list.events[j].attr.config, rows[i].ids[j]);
			row_int(&rows[i], list.events[j].name_index, 0);
		}
	}
}

static void a_globs_modifiers_go_to_every_match(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "sched:*:k", &list);
	for (size_t i = 0; i < list.n; i++) {
		assert_int_equal(list.events[i].attr.exclude_user, 1);
		assert_true(list.events[i].modes_chosen);
	}
}

static void a_glob_in_braces_is_one_group(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "{sched:sched_w*,cs}", &list);
	assert_int_equal(list.groups_n, 1);
	assert_int_equal(list.groups[0].n, 3);
}

static const struct {
	int line;
	const char *text;
	int error;
	size_t position;
	const char *why; /* its beginning */
} refused[] = {
	{ ROW, "cs,sched:sched_swich", -ENOENT, 3,
	  "unknown event 'sched:sched_swich'; did you mean 'sched:sched_switch'?" },
	{ ROW, "nosuch:*", -ENOENT, 0, "unknown event 'nosuch:*'" },
	{ ROW, "nosuch:thing", -ENOENT, 0,
	  "unknown event 'nosuch:thing' (there is no tracepoint group 'nosuch')" },
	{ ROW, "uprob:a:b", -ENOENT, 0,
	  "unknown event 'uprob:a:b'; did you mean 'uprobe:FILE:FUNCTION'? (there is no tracepoint "
	  "group 'uprob')" },
	{ ROW, "men:1", -ENOENT, 0,
	  "unknown event 'men:1'; did you mean 'mem:ADDRESS'? (there is no tracepoint group 'men')" },
	/* not the event PROBE of libpfm4 */
	{ ROW, "probe:foo", -ENOENT, 0,
	  "unknown event 'probe:foo' (no such 'perf probe' event; count calls with "
	  "uprobe:FILE:FUNCTION or kprobe:FUNCTION)" },
	{ ROW, "cs,probe_libc:malloc", -ENOENT, 3,
	  "unknown event 'probe_libc:malloc' (no such 'perf probe' event" },
	{ ROW, "sched:sched_switch:x", -EINVAL, 19,
	  "unknown modifier 'x'; choose from u k h G H I p P S D e W b" },
	{ ROW, "cs,sched:*:kk", -EINVAL, 12, "modifier 'k' is given twice" },
	{ ROW, "sched:sched_switch:u:k", -EINVAL, 21, "nothing may follow the modifiers" },
};

static void an_error_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_free char *start = NULL;

		row_int(&refused[i],
			resolve_events(&machine, RESOLVE_BY_ALL, refused[i].text, &list, &why),
			refused[i].error);
		start = strndup(why_text(&why, refused[i].error), strlen(refused[i].why));
		row_string(&refused[i], start, refused[i].why);
		row_true(&refused[i], why.has_position);
		row_int(&refused[i], why.position, refused[i].position);
	}
}

/* A modifier after a misspelt name gives no hint about tracepoints. */
static void a_mistyped_name_with_a_modifier_has_no_group(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "cycels:u", &list, &why),
			 -ENOENT);
	assert_null(strstr(why.text, "tracepoint"));
}

static void without_tracefs_an_unknown_name_says_so(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	const struct machine bare = { .root = tree_new() };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&bare, RESOLVE_BY_ALL, "sched:sched_switch", &list, &why),
			 -ENOENT);
	assert_non_null(strstr(
		why.text, "(tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing)"));
	tree_remove(bare.root);
}

static void a_filter_goes_to_all_of_the_last_name(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	resolve_on(&machine, "sched:sched_switch,sched:sched_w*", &list);
	assert_int_equal(event_list_filter(&list, "pid > 1", &why), 0);
	assert_null(list.events[0].filter);
	assert_string_equal(list.events[1].filter, "pid > 1");
	assert_string_equal(list.events[2].filter, "pid > 1");
	/* the last filter wins, as in perf */
	assert_int_equal(event_list_filter(&list, "pid > 2", &why), 0);
	assert_string_equal(list.events[1].filter, "pid > 2");
}

static void a_filter_of_another_event_is_refused(void **state)
{
	static const struct {
		int line;
		const char *text, *why;
	} rows[] = {
		{ ROW, "cs", "the preceding event 'cs' is not a tracepoint" },
		{ ROW, "sched:sched_switch,cycles",
		  "the preceding event 'cycles' is not a tracepoint" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		resolve_on(&machine, rows[i].text, &list);
		row_int(&rows[i], event_list_filter(&list, "pid > 1", &why), -EINVAL);
		row_string(&rows[i], why_text(&why, -EINVAL), rows[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tracepoint_is_opened_by_its_number),
		cmocka_unit_test(a_tracepoint_of_the_kernel_is_known),
		cmocka_unit_test(a_system_call_is_known_by_its_number),
		cmocka_unit_test(each_match_of_a_glob_is_a_row_named_after_it),
		cmocka_unit_test(a_globs_modifiers_go_to_every_match),
		cmocka_unit_test(a_glob_in_braces_is_one_group),
		cmocka_unit_test(an_error_has_a_position),
		cmocka_unit_test(a_mistyped_name_with_a_modifier_has_no_group),
		cmocka_unit_test(without_tracefs_an_unknown_name_says_so),
		cmocka_unit_test(a_filter_goes_to_all_of_the_last_name),
		cmocka_unit_test(a_filter_of_another_event_is_refused),
	};

	return cmocka_run_group_tests_name("tracepoint", tests, set_up, tear_down);
}
