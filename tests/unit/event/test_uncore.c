/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PMUs of packages, memory controllers and so on: their CPUs, and instances of one PMU. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

#define DEVICES "sys/bus/event_source/devices/"

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_of_machine("intel-icelake-server");
	tree_add(machine.root, DEVICES "gauge/type", "90\n");
	tree_add(machine.root, DEVICES "gauge/format/cpu", "config1:0-7\n");
	tree_add(machine.root, DEVICES "gauge/events/level", "config=1\n");
	tree_add(machine.root, DEVICES "gauge/events/level.snapshot", "1\n");
	tree_add(machine.root, DEVICES "gauge/events/sum", "config=2\n");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static void an_uncore_event_is_counted_on_the_cpus_of_its_mask(void **state)
{
	static const struct {
		int line;
		const char *text, *cpus; /* NULL: counts the tasks of the command */
	} rows[] = {
		{ ROW, "uncore_imc_0/cas_count_read/", "0-1" },
		{ ROW, "uncore_pcu/event=1/", "0-1" },
		{ ROW, "cstate_core/c6-residency/", "0-3" },
		{ ROW, "power/energy-pkg/", "0-1" },
		{ ROW, "energy-pkg", "0-1" },
		{ ROW, "uncore_imc_0/cas_count_read,cpu=7/", "7" },
		{ ROW, "msr/tsc,cpu=2/", "2" },
		{ ROW, "msr/tsc,cpu=0x1/", "1" },
		{ ROW, "msr/tsc,cpu=0x1F/", "31" },
		{ ROW, "msr/tsc/", NULL },
		{ ROW, "cpu/event=0x3c/", NULL },
		{ ROW, "gauge/level,cpu=3/", NULL }, /* a term of this PMU */
		{ ROW, "cs", NULL },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_on(&machine, rows[i].text, &list);
		row_int(&rows[i], list.n, 1);
		row_string(&rows[i], list.events[0].cpus ? list.events[0].cpus : "tasks",
			   rows[i].cpus ? rows[i].cpus : "tasks");
		/* no exclude bits for a PMU without modes */
		row_int(&rows[i], list.events[0].attr.exclude_guest, rows[i].cpus == NULL);
		row_string(&rows[i], list.events[0].name, rows[i].text);
	}
}

static void modes_of_an_uncore_event_are_refused(void **state)
{
	static const struct {
		int line;
		const char *text, *pmu;
		size_t position;
	} rows[] = {
		{ ROW, "uncore_imc_0/cas_count_read/u", "uncore_imc_0", 28 },
		{ ROW, "cs,uncore_imc_0/cas_count_read/:k", "uncore_imc_0", 32 },
		{ ROW, "imc/cas_count_read/h", "uncore_imc_0", 19 },
		{ ROW, "cs,energy-pkg:u", "power", 14 },
		{ ROW, "msr/tsc,cpu=0/u", "msr", 14 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_str struct str expected = { 0 };

		str_addf(&expected,
			 "PMU %s counts whole CPUs or packages; modifiers u, k and h do not apply",
			 rows[i].pmu);
		row_int(&rows[i],
			resolve_events(&machine, RESOLVE_BY_ALL, rows[i].text, &list, &why),
			-EINVAL);
		row_string(&rows[i], why_text(&why, -EINVAL), str_text(&expected));
		row_true(&rows[i], why.has_position);
		row_int(&rows[i], why.position, rows[i].position);
	}
}

static void a_cpu_has_to_be_a_number(void **state)
{
	static const struct {
		int line;
		const char *text, *why;
		size_t position;
	} rows[] = {
		{ ROW, "msr/tsc,cpu=x/", "'x' is not a CPU number", 12 },
		{ ROW, "msr/tsc,cpu=0-3/", "'0-3' is not a CPU number", 12 },
		{ ROW, "cs,msr/tsc,cpu=4294967296/", "'4294967296' is not a CPU number", 15 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };

		row_int(&rows[i],
			resolve_events(&machine, RESOLVE_BY_ALL, rows[i].text, &list, &why),
			-EINVAL);
		row_string(&rows[i], why_text(&why, -EINVAL), rows[i].why);
		row_int(&rows[i], why.position, rows[i].position);
	}
}

/* The number of instances of a name, the first one and the last one. */
static void instances_of_one_name_are_merged(void **state)
{
	static const struct {
		int line;
		const char *text;
		size_t n;
		const char *first, *last;
	} rows[] = {
		{ ROW, "uncore_imc/cas_count_read/", 12, "uncore_imc_0", "uncore_imc_11" },
		{ ROW, "imc/cas_count_read/", 12, "uncore_imc_0", "uncore_imc_11" },
		{ ROW, "uncore_imc_?/cas_count_read/", 10, "uncore_imc_0", "uncore_imc_9" },
		{ ROW, "imc_1/cas_count_read/", 1, "uncore_imc_1", "uncore_imc_1" },
		{ ROW, "cha/event=1/", 4, "uncore_cha_0", "uncore_cha_3" },
		{ ROW, "cas_count_write", 12, "uncore_imc_0", "uncore_imc_11" },
		{ ROW, "imc_free_running/read/", 4, "uncore_imc_free_running_0",
		  "uncore_imc_free_running_3" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_on(&machine, rows[i].text, &list);
		row_int(&rows[i], list.n, rows[i].n);
		row_string(&rows[i], list.events[0].pmu, rows[i].first);
		row_string(&rows[i], list.events[list.n - 1].pmu, rows[i].last);
		row_int(&rows[i], list.groups_n, rows[i].n); /* not a group: each PMU is alone */
		for (size_t j = 0; j < list.n; j++) {
			row_int(&rows[i], list.events[j].merged, j > 0);
			row_int(&rows[i], list.events[j].one_of_several, rows[i].n > 1);
			row_string(&rows[i], list.events[j].name, rows[i].text);
		}
	}
}

static void instances_keep_their_types_and_units(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "uncore_imc/cas_count_read/", &list);
	for (size_t i = 0; i < list.n; i++) {
		assert_int_equal(list.events[i].attr.type, 55 + i);
		assert_int_equal(list.events[i].attr.config, 0xf04);
		assert_string_equal(list.events[i].unit, "MiB");
		assert_true(list.events[i].factor == 64.0 / (1 << 20));
	}
}

static void a_group_of_instances_is_a_group_on_each(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "{imc/cas_count_read/,imc/cas_count_write/}", &list);
	assert_int_equal(list.groups_n, 12);
	for (size_t i = 0; i < list.groups_n; i++) {
		const struct event_group *group = &list.groups[i];

		assert_int_equal(group->n, 2);
		assert_string_equal(list.events[group->first].pmu,
				    list.events[group->first + 1].pmu);
	}
}

static void a_level_is_not_a_sum(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };

	resolve_on(&machine, "gauge/level/,level,gauge/sum/", &list);
	assert_true(list.events[0].snapshot);
	assert_true(list.events[1].snapshot);
	assert_false(list.events[2].snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_uncore_event_is_counted_on_the_cpus_of_its_mask),
		cmocka_unit_test(modes_of_an_uncore_event_are_refused),
		cmocka_unit_test(a_cpu_has_to_be_a_number),
		cmocka_unit_test(instances_of_one_name_are_merged),
		cmocka_unit_test(instances_keep_their_types_and_units),
		cmocka_unit_test(a_group_of_instances_is_a_group_on_each),
		cmocka_unit_test(a_level_is_not_a_sum),
	};

	return cmocka_run_group_tests_name("uncore", tests, set_up, tear_down);
}
