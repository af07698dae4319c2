/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists and groups of events, and the source of each name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

#define DEVICES "sys/bus/event_source/devices/"

static struct machine machine;
static unsigned int copies_left; /* copies until one fails; 0: none fails */

/* Replaces strdup(3) for libpstat.a, so that one copy can fail. */
char *strdup(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = copies_left > 0 && --copies_left == 0 ? NULL : malloc(n);

	return copy ? memcpy(copy, text, n) : NULL;
}

/*
 * Two PMUs, one of them a core PMU, have an event of the same name. Other sources have some of the
 * names, too.
 */
static int set_up(void **state)
{
	char *root = tree_new();

	tree_add(root, DEVICES "a_uncore/type", "20\n");
	tree_add(root, DEVICES "a_uncore/events/ticks", "config=0x1\n");
	tree_add(root, DEVICES "a_uncore/events/Tocks", "config=0x3\n");
	tree_add(root, DEVICES "a_uncore/events/energy", "config=0x2\n");
	tree_add(root, DEVICES "a_uncore/events/energy.unit", "Joules\n");
	tree_add(root, DEVICES "a_uncore/events/energy.scale", "2.5e-10\n");
	tree_add(root, DEVICES "cpu/type", "4\n");
	tree_add(root, DEVICES "cpu/format/event", "config:0-7\n");
	tree_add(root, DEVICES "cpu/format/umask", "config:8-15\n");
	tree_add(root, DEVICES "cpu/events/ticks", "event=0x3c\n");
	tree_add(root, DEVICES "cpu/events/tocks", "event=0x3d\n");
	tree_add(root, DEVICES "cpu/events/cycles", "event=0x3c\n");
	tree_add(root, DEVICES "cpu/events/open", "event=0x1,umask=?\n");
	tree_add(root, DEVICES "cpu/events/broken", "event=0x1,nothing=2\n");
	machine.root = root;
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void sources_are_tried_in_order(void **state)
{
	static const struct {
		int line;
		const char *text, *source;
		unsigned int type;
		unsigned long long config;
	} names[] = {
		{ ROW, "cycles", "generic", 0, 0 }, /* before sysfs */
		{ ROW, "branch", "cache", 3, 5 },
		{ ROW, "ticks", "sysfs", 4, 0x3c }, /* the core PMU comes before other PMUs */
		{ ROW, "energy", "sysfs", 20, 2 },
		{ ROW, "cpu/cycles/", "sysfs", 4, 0x3c },
		{ ROW, "a_uncore/ticks/", "sysfs", 20, 1 },
		{ ROW, "r3c", "raw", 4, 0x3c },
		/* the case of an event in sysfs does not matter */
		{ ROW, "TICKS", "sysfs", 4, 0x3c },
		{ ROW, "TOCKS", "sysfs", 4, 0x3d },
		{ ROW, "Energy", "sysfs", 20, 2 },
		{ ROW, "cpu/Cycles/", "sysfs", 4, 0x3c },
	};

	for (size_t i = 0; i < N_OF(names); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_on(&machine, names[i].text, &list);
		row_string(&names[i], list.events[0].source, names[i].source);
		row_int(&names[i], list.events[0].attr.type, names[i].type);
		row_int(&names[i], list.events[0].attr.config, names[i].config);
	}
}

static void a_row_carries_the_users_spelling(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(
		&machine,
		" cpu-cycles:u , cpu/event=0x3c,umask=1/k, {cs}:W,r3c,cpu/event=1,name=slow/,TICKS",
		&list);
	assert_int_equal(list.n, 6);
	assert_string_equal(list.events[0].name, "cpu-cycles:u");
	assert_string_equal(list.events[1].name, "cpu/event=0x3c,umask=1/k");
	assert_string_equal(list.events[2].name, "cs");
	assert_string_equal(list.events[3].name, "r3c");
	assert_string_equal(list.events[4].name, "slow");
	assert_string_equal(list.events[5].name, "TICKS");
}

static void events_outside_of_braces_are_groups_of_their_own(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	static const struct {
		int line;
		size_t first, n;
		const char *name;
	} groups[] = {
		{ ROW, 0, 1, NULL },
		{ ROW, 1, 2, "ipc" },
		{ ROW, 3, 1, NULL },
		{ ROW, 4, 1, NULL },
	};

	resolve_on(&machine, "cs,ipc{cycles,instructions},faults,{branches}", &list);
	assert_int_equal(list.groups_n, N_OF(groups));
	for (size_t i = 0; i < N_OF(groups); i++) {
		row_int(&groups[i], list.groups[i].first, groups[i].first);
		row_int(&groups[i], list.groups[i].n, groups[i].n);
		if (groups[i].name)
			row_string(&groups[i], list.groups[i].name, groups[i].name);
		else
			row_true(&groups[i], list.groups[i].name == NULL);
	}
}

static void lists_are_appended_to(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "cs", &list);
	resolve_on(&machine, "{faults,cycles}", &list);
	assert_int_equal(list.n, 3);
	assert_int_equal(list.groups[1].first, 1);
	assert_int_equal(list.groups[1].n, 2);
}

static void the_modifiers_of_a_group_apply_to_all_its_events(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "{cycles:k,instructions}:uD,branches", &list);
	assert_int_equal(list.events[0].attr.exclude_kernel, 0);
	assert_int_equal(list.events[0].attr.exclude_user, 0);
	assert_int_equal(list.events[1].attr.exclude_kernel, 1);
	assert_int_equal(list.events[1].attr.exclude_user, 0);
	assert_int_equal(list.events[2].attr.exclude_kernel, 0);
	/* the kernel pins a group through its leader, and refuses a pinned member */
	assert_int_equal(list.events[0].attr.pinned, 1);
	assert_int_equal(list.events[1].attr.pinned, 0);
}

static void a_group_is_weak_if_its_leader_or_the_whole_group_has_W(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(
		&machine,
		"{cycles:W,instructions},{cycles,instructions}:W,{cycles,instructions:W},{cycles,cs}",
		&list);
	assert_true(list.groups[0].weak);
	assert_true(list.groups[1].weak);
	assert_false(list.groups[2].weak);
	assert_false(list.groups[3].weak);
}

static void units_and_scales_of_sysfs_are_kept(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "a_uncore/energy/,energy,a_uncore/Energy/,a_uncore/ticks/", &list);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(list.events[i].unit, "Joules");
		assert_true(list.events[i].factor == 2.5e-10);
	}
	assert_string_equal(list.events[3].unit, "");
}

static void terms_after_a_name_or_number_change_its_event(void **state)
{
	static const struct {
		const char *text, *name;
		uint64_t type, config, config1;
		bool user_only, idle;
	} given[] = {
		{ "cycles/name=foo/", "foo", PERF_TYPE_HARDWARE, 0, 0, false, false },
		{ "instructions//u", "instructions//u", PERF_TYPE_HARDWARE, 1, 0, true, false },
		{ "cs/config=2,name=x/:u", "x", PERF_TYPE_SOFTWARE, 2, 0, true, false },
		{ "r1234/name=x/", "x", PERF_TYPE_RAW, 0x1234, 0, false, false },
		{ "4:0x65/name=x/u", "x", PERF_TYPE_RAW, 0x65, 0, true, false },
		{ "L1-dcache-misses/name=x/", "x", PERF_TYPE_HW_CACHE, 0x10000, 0, false, false },
		{ "cycles/config1=7/u", "cycles/config1=7/u", PERF_TYPE_HARDWARE, 0, 7, true,
		  false },
		{ "cs/period=5/", "cs/period=5/", PERF_TYPE_SOFTWARE, 3, 0, false, true },
		{ "cs/freq=5,name=y,percore,metric-id=z/", "y", PERF_TYPE_SOFTWARE, 3, 0, false,
		  true },
		{ "cs/r7/", "cs/r7/", PERF_TYPE_SOFTWARE, 7, 0, false, false },
		{ "cpu/event=1,period=5/", "cpu/event=1,period=5/", PERF_TYPE_RAW, 1, 0, false,
		  true },
		{ "cpu/percore=1,metric-id=y,config1=2,name=x/u", "x", PERF_TYPE_RAW, 0, 2, true,
		  true },
		{ "cs:b", "cs:b", PERF_TYPE_SOFTWARE, 3, 0, false, false },
	};

	for (size_t i = 0; i < N_OF(given); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		const struct event *event;

		resolve_on(&machine, given[i].text, &list);
		assert_int_equal(list.n, 1);
		event = &list.events[0];
		assert_string_equal(event->name, given[i].name);
		assert_int_equal(event->attr.type, given[i].type);
		assert_int_equal(event->attr.config, given[i].config);
		assert_int_equal(event->attr.config1, given[i].config1);
		assert_int_equal(event->attr.exclude_kernel, given[i].user_only);
		assert_int_equal(event->has_ignored_terms, given[i].idle);
	}
}

static void clocks_given_by_number_are_also_in_milliseconds(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "1:0,1:1/name=x/,cs/config=0/,1:2,0:0,cpu-clock/config=3/", &list);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(list.events[i].unit, "msec");
	for (size_t i = 3; i < 6; i++) {
		assert_string_equal(list.events[i].unit, "");
		assert_true(list.events[i].factor == 1);
	}
}

static const struct refused_with refused[] = {
	{ ROW, "cs,{cycles,instructions:D}", -EINVAL, 3,
	  "'instructions:D': D and e apply to a whole group; write them after its '}'" },
	{ ROW, "{cycles,instructions:e}", -EINVAL, 0,
	  "'instructions:e': D and e apply to a whole group; write them after its '}'" },
	{ ROW, "{cs,faults}:uxk", -EINVAL, 13,
	  "unknown modifier 'x'; choose from u k h G H I p P S D e W b" },
	{ ROW, "cs,gpu/event=1/", -EINVAL, 3,
	  "this machine has no PMU 'gpu'; it has a_uncore, cpu" },
	{ ROW, "../event=1/", -EINVAL, 0, "this machine has no PMU '..'; it has a_uncore, cpu" },
	{ ROW, "cpu/evnt=1/", -EINVAL, 4,
	  "PMU cpu has no term or event 'evnt'; it has event, umask, broken, cycles, open, ticks, tocks" },
	{ ROW, "cpu/event=0x100/", -ERANGE, 10,
	  "'0x100' is too large for 'event' of PMU cpu, which has 8 bits" },
	{ ROW, "cpu/event=1,umask=z/", -EINVAL, 18, "'z' for 'umask' is not a number" },
	{ ROW, "cpu/config=0x10000000000000000/", -ERANGE, 11,
	  "'0x10000000000000000' for 'config' does not fit in 64 bits" },
	{ ROW, "cpu/event=1,stack-size=1000/", -EINVAL, 12,
	  "'stack-size' is for sampling; pstat only counts" },
	{ ROW, "cs,cycles/event=1/", -EINVAL, 10,
	  "unknown term 'event'; after 'cycles', choose from name, config, config1, config2, config3, "
	  "config4, period, freq, percore and metric-id" },
	{ ROW, "r1a/config1=z/", -EINVAL, 12, "'z' for 'config1' is not a number" },
	{ ROW, "cs/period=z/", -EINVAL, 10, "'z' for 'period' is not a number" },
	{ ROW, "cpu/event=1,freq=-1/", -EINVAL, 17, "'-1' for 'freq' is not a number" },
	{ ROW, "cs/metric-id/", -EINVAL, 3,
	  "unknown term 'metric-id'; after 'cs', choose from name, config, config1, config2, config3, "
	  "config4, period, freq, percore and metric-id" },
	{ ROW, "LLC-loads/call-graph=fp/", -EINVAL, 10,
	  "'call-graph' is for sampling; pstat only counts" },
	{ ROW, "cs,cpu/open/", -EINVAL, 7, "this event of PMU cpu needs the term 'umask=…'" },
	{ ROW, "a_uncore/nothing/", -EINVAL, 9,
	  "PMU a_uncore has no term or event 'nothing'; it has Tocks, energy, ticks" },
	{ ROW, "cpu/cycles=1/", -EINVAL, 11, "event 'cycles' of PMU cpu takes no value" },
	{ ROW, "cs,cpu/event=1/x", -EINVAL, 15,
	  "unknown modifier 'x'; choose from u k h G H I p P S D e W b" },
};

static void an_error_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&refused[i],
			resolve_events(&machine, RESOLVE_BY_ALL, refused[i].text, &list, &why),
			refused[i].error);
		row_why(&refused[i], &why);
	}
}

static void an_event_that_leaves_a_term_open_takes_it_from_the_user(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "cpu/open,umask=0x7/,cpu/umask=0x8,open/", &list);
	assert_int_equal(list.events[0].attr.config, 0x701);
	assert_int_equal(list.events[1].attr.config, 0x801);
}

static void an_error_in_sysfs_is_reported_at_the_position_of_the_event(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "cs,cpu/broken/", &list, &why),
			 -EINVAL);
	assert_true(why.has_position);
	assert_int_equal(why.position, 7);
	assert_non_null(strstr(why.text, "'nothing'"));
}

/* A copy without the name would be a different group. */
static void a_copy_for_a_cgroup_is_complete_or_fails(void **state)
{
	char *const cgroups[] = { (char[]){ "/a" }, (char[]){ "/b" } };
	bool failed = true;

	for (unsigned int n = 1; failed; n++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		int err;

		assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "named{cs,faults}", &list,
						&why),
				 0);
		copies_left = n;
		err = event_list_for_cgroups(&list, cgroups, N_OF(cgroups));
		failed = copies_left == 0;
		copies_left = 0;
		assert_int_equal(err, failed ? -ENOMEM : 0);
		if (!failed)
			assert_string_equal(list.groups[1].name, "named");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources_are_tried_in_order),
		cmocka_unit_test(a_row_carries_the_users_spelling),
		cmocka_unit_test(events_outside_of_braces_are_groups_of_their_own),
		cmocka_unit_test(lists_are_appended_to),
		cmocka_unit_test(the_modifiers_of_a_group_apply_to_all_its_events),
		cmocka_unit_test(a_group_is_weak_if_its_leader_or_the_whole_group_has_W),
		cmocka_unit_test(units_and_scales_of_sysfs_are_kept),
		cmocka_unit_test(terms_after_a_name_or_number_change_its_event),
		cmocka_unit_test(clocks_given_by_number_are_also_in_milliseconds),
		cmocka_unit_test(an_error_has_a_position),
		cmocka_unit_test(an_event_that_leaves_a_term_open_takes_it_from_the_user),
		cmocka_unit_test(an_error_in_sysfs_is_reported_at_the_position_of_the_event),
		cmocka_unit_test(a_copy_for_a_cgroup_is_complete_or_fails),
	};

	return cmocka_run_group_tests_name("resolve", tests, set_up, tear_down);
}
