/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines with several kinds of cores: a name has an event for each kind, and no group spans two
 * kinds.
 */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { EVENTS_MAX = 4, CORE = 4, ATOM = 10 };

#define ON(pmu, config) ((unsigned long long)(pmu) << 32 | (config))

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_of_machine("intel-hybrid");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

/*
 * All events of a name. Those of a generic event have its name, and are merged. The kernel takes
 * the type of the PMU from the upper half of config in generic types (include/uapi/linux/
 * perf_event.h, "PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE").
 */
static const struct {
	int line;
	const char *text;
	size_t n;
	struct {
		const char *name, *pmu;
		unsigned int type;
		unsigned long long config;
	} events[EVENTS_MAX];
} names[] = {
	{ ROW,
	  "cycles",
	  2,
	  { { "cycles", "cpu_core", 0, ON(CORE, 0) }, { "cycles", "cpu_atom", 0, ON(ATOM, 0) } } },
	{ ROW,
	  "branch-misses:uD",
	  2,
	  { { "branch-misses:uD", "cpu_core", 0, ON(CORE, 5) },
	    { "branch-misses:uD", "cpu_atom", 0, ON(ATOM, 5) } } },
	{ ROW,
	  "LLC-load-misses",
	  2,
	  { { "cpu_core/LLC-load-misses/", "cpu_core", 3, ON(CORE, 0x10002) },
	    { "cpu_atom/LLC-load-misses/", "cpu_atom", 3, ON(ATOM, 0x10002) } } },
	/* an event of sysfs, in another case */
	{ ROW,
	  "MEM-stores:u",
	  2,
	  { { "cpu_atom/MEM-stores/u", "cpu_atom", ATOM, 0x6d0 },
	    { "cpu_core/MEM-stores/u", "cpu_core", CORE, 0x2cd } } },
	/* a raw event has the type of the PMU */
	{ ROW,
	  "r1a2:k",
	  2,
	  { { "cpu_core/r1a2/k", "cpu_core", CORE, 0x1a2 },
	    { "cpu_atom/r1a2/k", "cpu_atom", ATOM, 0x1a2 } } },
	{ ROW,
	  "cycles/config=1,config1=1/u",
	  2,
	  { { "cycles/config=1,config1=1/u", "cpu_core", 0, ON(CORE, 1) },
	    { "cycles/config=1,config1=1/u", "cpu_atom", 0, ON(ATOM, 1) } } },
	{ ROW,
	  "cycles/name=x/",
	  2,
	  { { "x", "cpu_core", 0, ON(CORE, 0) }, { "x", "cpu_atom", 0, ON(ATOM, 0) } } },
	{ ROW,
	  "r1a2/name=x/",
	  2,
	  { { "x", "cpu_core", CORE, 0x1a2 }, { "x", "cpu_atom", ATOM, 0x1a2 } } },
	/* events of sysfs that both PMUs have, or only one of them */
	{ ROW,
	  "topdown-bad-spec",
	  2,
	  { { "cpu_atom/topdown-bad-spec/", "cpu_atom", ATOM, 0x73 },
	    { "cpu_core/topdown-bad-spec/", "cpu_core", CORE, 0x8100 } } },
	{ ROW, "slots:u", 1, { { "slots:u", "cpu_core", CORE, 0x400 } } },
	/* only on one kind of core */
	{ ROW, "cpu_core/cycles/", 1, { { "cpu_core/cycles/", "cpu_core", 0, ON(CORE, 0) } } },
	{ ROW, "cpu_atom/cycles/uk", 1, { { "cpu_atom/cycles/uk", "cpu_atom", 0, ON(ATOM, 0) } } },
	{ ROW,
	  "cpu_atom/L1-dcache-loads/",
	  1,
	  { { "cpu_atom/L1-dcache-loads/", "cpu_atom", 3, ON(ATOM, 0) } } },
	{ ROW, "cpu_core/r3c/", 1, { { "cpu_core/r3c/", "cpu_core", CORE, 0x3c } } },
	/* a glob: each row has the name of its PMU */
	{ ROW,
	  "cpu_*/event=0x3c/u",
	  2,
	  { { "cpu_atom/event=0x3c/u", "cpu_atom", ATOM, 0x3c },
	    { "cpu_core/event=0x3c/u", "cpu_core", CORE, 0x3c } } },
	/* one row for an event that cores do not count, or that has an explicit type */
	{ ROW, "page-faults", 1, { { "page-faults", "software", 1, 2 } } },
	{ ROW, "0:0", 1, { { "0:0", "hardware", 0, 0 } } },
};

static void a_name_has_an_event_for_each_kind_of_core(void **state)
{
	for (size_t i = 0; i < N_OF(names); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_on(&machine, names[i].text, &list);
		row_int(&names[i], list.n, names[i].n);
		for (size_t j = 0; j < list.n; j++) {
			const struct event *event = &list.events[j];

			row_string(&names[i], event->name, names[i].events[j].name);
			row_string(&names[i], event->pmu, names[i].events[j].pmu);
			row_int(&names[i], event->attr.type, names[i].events[j].type);
			row_int(&names[i], event->attr.config, names[i].events[j].config);
			row_true(&names[i], event->cpus == NULL);
			row_int(&names[i], event->merged,
				j > 0 && strcmp(event->source, "generic") == 0 &&
					event->attr.type == PERF_TYPE_HARDWARE);
		}
	}
}

static void modifiers_apply_to_every_row(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "cycles:u,topdown-bad-spec:u,{rc0,cs}:u", &list);
	assert_int_equal(list.n, 7);
	for (size_t i = 0; i < list.n; i++)
		assert_int_equal(list.events[i].attr.exclude_kernel, 1);
}

/* Groups as text: "name{a,b}". An event that is merged into another one begins with '+'. */
static void add_groups(struct str *out, const struct event_list *list)
{
	for (size_t i = 0; i < list->groups_n; i++) {
		const struct event_group *group = &list->groups[i];

		str_addf(out, "%s%s{", i ? " " : "", group->name ? group->name : "");
		for (size_t j = 0; j < group->n; j++)
			str_addf(out, "%s%s%s", j ? "," : "",
				 list->events[group->first + j].merged ? "+" : "",
				 list->events[group->first + j].name);
		str_add(out, "}");
	}
}

static void a_group_becomes_one_group_for_each_kind_of_core(void **state)
{
	static const struct {
		int line;
		const char *text, *groups;
	} rows[] = {
		{ ROW, "cycles", "{cycles} {+cycles}" },
		{ ROW, "{cycles,instructions}", "{cycles,instructions} {+cycles,+instructions}" },
		{ ROW, "ipc{cycles,instructions,branches:u}",
		  "ipc{cycles,instructions,branches:u} ipc{+cycles,+instructions,+branches:u}" },
		/* neither the order of the names nor that of the PMUs in sysfs matters */
		{ ROW, "{topdown-bad-spec,cycles}",
		  "{cpu_atom/topdown-bad-spec/,cycles} {cpu_core/topdown-bad-spec/,+cycles}" },
		/* an event of no core PMU counts on all kinds, outside the groups */
		{ ROW, "{cycles,cs}", "{cycles} {+cycles} {cs}" },
		{ ROW, "{cs,cycles}", "{cs} {cycles} {+cycles}" },
		/* one that only one kind has is in the group of that kind */
		{ ROW, "{slots,cycles}", "{slots,cycles} {+cycles}" },
		{ ROW, "{cpu_atom/cycles/,cycles}", "{cpu_atom/cycles/,cycles} {+cycles}" },
		{ ROW, "cs,{cycles,rc0},faults",
		  "{cs} {cycles,cpu_core/rc0/} {+cycles,cpu_atom/rc0/} {faults}" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_str struct str groups = { 0 };

		resolve_on(&machine, rows[i].text, &list);
		add_groups(&groups, &list);
		row_string(&rows[i], str_text(&groups), rows[i].groups);
	}
}

static void each_of_the_groups_has_the_modifiers(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "{cycles,instructions}:WD", &list);
	assert_int_equal(list.groups_n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_true(list.groups[i].weak);
		assert_true(list.groups[i].pinned);
	}
}

/* If only one kind of core is enabled or exists, names are plain. */
static void a_machine_with_one_kind_of_core_is_not_hybrid(void **state)
{
	static const char *const machines[] = { "intel-skylake-server", "arm64-server", "vm-no-pmu",
						"s390x" };

	for (size_t i = 0; i < N_OF(machines); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		const struct machine m = { .root = tree_of_machine(machines[i]) };

		resolve_on(&m, "cycles,LLC-loads,rc0", &list);
		assert_int_equal(list.n, 3);
		assert_string_equal(list.events[0].name, "cycles");
		assert_int_equal(list.events[0].attr.config, 0);
		assert_string_equal(list.events[2].name, "rc0");
		tree_remove(m.root);
	}
}

/* A result that was saved on a machine with one kind of core, as a baseline here. */
static void a_saved_group_becomes_one_group_for_each_kind_of_core(void **state)
{
	const struct machine other = { .root = tree_of_machine("intel-skylake-server") };
	cleanup_with(event_list_release) struct event_list then = { 0 }, now = { 0 };
	cleanup_why struct why why = { 0 };

	resolve_on(&other, "g{cycles:u,instructions}:W", &then);
	for (size_t i = 0; i < then.n; i++)
		assert_int_equal(resolve_again(&machine, &then.events[i], &now, &why), 0);
	assert_int_equal(now.groups_n, 0);
	assert_int_equal(resolve_group_again(&now, 0, &then.groups[0]), 0);
	assert_int_equal(now.n, 4);
	assert_int_equal(now.groups_n, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct event *events = &now.events[now.groups[i].first];

		assert_int_equal(now.groups[i].n, 2);
		assert_true(now.groups[i].weak);
		assert_string_equal(now.groups[i].name, "g");
		assert_string_equal(events[0].pmu, i == 0 ? "cpu_core" : "cpu_atom");
		assert_string_equal(events[1].pmu, events[0].pmu);
		assert_true(events[0].attr.exclude_kernel);
		assert_false(events[1].attr.exclude_kernel);
	}
	tree_remove(other.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_has_an_event_for_each_kind_of_core),
		cmocka_unit_test(modifiers_apply_to_every_row),
		cmocka_unit_test(a_group_becomes_one_group_for_each_kind_of_core),
		cmocka_unit_test(each_of_the_groups_has_the_modifiers),
		cmocka_unit_test(a_machine_with_one_kind_of_core_is_not_hybrid),
		cmocka_unit_test(a_saved_group_becomes_one_group_for_each_kind_of_core),
	};

	return cmocka_run_group_tests_name("hybrid", tests, set_up, tear_down);
}
