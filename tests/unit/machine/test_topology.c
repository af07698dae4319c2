/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "machine/cpulist.h"
#include "machine/topology.h"
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

/* Create a file below sys/devices/system/ that holds text or, if text is NULL, number. */
static void add(const char *text, int number, const char *path, ...)
	__attribute__((format(printf, 3, 4)));
static void add(const char *text, int number, const char *path, ...)
{
	cleanup_str struct str full = { 0 };
	cleanup_str struct str line = { 0 };
	va_list args;

	str_add(&full, "sys/devices/system/");
	va_start(args, path);
	str_vaddf(&full, path, args);
	va_end(args);
	if (text)
		str_addf(&line, "%s\n", text);
	else
		str_addf(&line, "%d\n", number);
	tree_add(machine.root, str_text(&full), str_text(&line));
}

static void add_cpu(int cpu, int socket, int core)
{
	add(NULL, socket, "cpu/cpu%d/topology/physical_package_id", cpu);
	add(NULL, core, "cpu/cpu%d/topology/core_id", cpu);
}

static void add_cache(int cpu, int index, int level, const char *type, const char *shared)
{
	add(NULL, level, "cpu/cpu%d/cache/index%d/level", cpu, index);
	add(type, 0, "cpu/cpu%d/cache/index%d/type", cpu, index);
	add(shared, 0, "cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
}

static void read_places(const char *list, unsigned int needs, int level, struct cpulist *cpus,
			struct cpu_place **places)
{
	assert_int_equal(cpulist_parse(cpus, list), 0);
	assert_int_equal(topology_read(&machine, cpus, needs, level, places), 0);
}

/* Check the labels of the CPUs in the order of the list. */
static void check(int line, const char *list, enum topology_need split, int level,
		  const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct cpu_place *places = NULL;
	cleanup_str struct str labels = { 0 };

	read_places(list, split, level, &cpus, &places);
	for (size_t i = 0; i < cpus.n; i++) {
		row_int(&row, places[i].cpu, cpus.v[i]);
		str_add(&labels, i ? " " : "");
		row_int(&row, topology_label(split, &places[i], &labels), 0);
	}
	row_string(&row, str_text(&labels), expected);
}

static void the_places_of_recorded_machines(void **state)
{
	static const struct {
		int line;
		const char *machine;
		enum topology_need split;
		int level;
		const char *labels;
	} rows[] = {
		{ ROW, "vm-no-pmu", TOPOLOGY_CORE, 0, "S0-D0-C0 S1-D0-C0" },
		{ ROW, "vm-no-pmu", TOPOLOGY_NODE, 0, "N0 N0" },
		{ ROW, "intel-icelake-server", TOPOLOGY_SOCKET, 0, "S0 S1 S0 S1 S0 S1 S0 S1" },
		{ ROW, "intel-icelake-server", TOPOLOGY_CORE, 0,
		  "S0-D0-C0 S1-D0-C0 S0-D0-C1 S1-D0-C1 S0-D0-C0 S1-D0-C0 S0-D0-C1 S1-D0-C1" },
		{ ROW, "intel-icelake-server", TOPOLOGY_CLUSTER, 0,
		  "S0-D0-CLS0 S1-D0-CLS64 S0-D0-CLS2 S1-D0-CLS66 "
		  "S0-D0-CLS0 S1-D0-CLS64 S0-D0-CLS2 S1-D0-CLS66" },
		{ ROW, "intel-icelake-server", TOPOLOGY_CACHE, 0,
		  "S0-D0-L3-ID0 S1-D0-L3-ID1 S0-D0-L3-ID0 S1-D0-L3-ID1 "
		  "S0-D0-L3-ID0 S1-D0-L3-ID1 S0-D0-L3-ID0 S1-D0-L3-ID1" },
		{ ROW, "intel-icelake-server", TOPOLOGY_CACHE, 2,
		  "S0-D0-L2-ID0 S1-D0-L2-ID1 S0-D0-L2-ID2 S1-D0-L2-ID3 "
		  "S0-D0-L2-ID0 S1-D0-L2-ID1 S0-D0-L2-ID2 S1-D0-L2-ID3" },
		{ ROW, "intel-icelake-server", TOPOLOGY_NODE, 0, "N0 N1 N0 N1 N0 N1 N0 N1" },
		/* two cores with two threads each, then a module of four cores */
		{ ROW, "intel-hybrid", TOPOLOGY_CORE, 0,
		  "S0-D0-C0 S0-D0-C0 S0-D0-C4 S0-D0-C4 S0-D0-C8 S0-D0-C9 S0-D0-C10 S0-D0-C11" },
		{ ROW, "intel-hybrid", TOPOLOGY_CLUSTER, 0,
		  "S0-D0-CLS0 S0-D0-CLS0 S0-D0-CLS8 S0-D0-CLS8 "
		  "S0-D0-CLS16 S0-D0-CLS16 S0-D0-CLS16 S0-D0-CLS16" },
		/* the id files have 0, 1, 8 and 9 */
		{ ROW, "amd-zen3", TOPOLOGY_CACHE, 0,
		  "S0-D0-L3-ID0 S0-D0-L3-ID0 S0-D0-L3-ID2 S0-D0-L3-ID2 "
		  "S1-D1-L3-ID4 S1-D1-L3-ID4 S1-D1-L3-ID6 S1-D1-L3-ID6" },
		/* no die_id, no third-level cache, two nodes in one socket */
		{ ROW, "arm64-server", TOPOLOGY_DIE, 0,
		  "S0-D0 S0-D0 S0-D0 S0-D0 S0-D0 S0-D0 S0-D0 S0-D0" },
		{ ROW, "arm64-server", TOPOLOGY_CLUSTER, 0,
		  "S0-D0-CLS0 S0-D0-CLS0 S0-D0-CLS1 S0-D0-CLS1 "
		  "S0-D0-CLS2 S0-D0-CLS2 S0-D0-CLS3 S0-D0-CLS3" },
		{ ROW, "arm64-server", TOPOLOGY_CACHE, 0,
		  "S0-D0-L2-ID0 S0-D0-L2-ID1 S0-D0-L2-ID2 S0-D0-L2-ID3 "
		  "S0-D0-L2-ID4 S0-D0-L2-ID5 S0-D0-L2-ID6 S0-D0-L2-ID7" },
		{ ROW, "arm64-server", TOPOLOGY_NODE, 0, "N0 N0 N0 N0 N1 N1 N1 N1" },
		/* a node without CPUs, no cache ids */
		{ ROW, "power9", TOPOLOGY_CORE, 0,
		  "S0-D0-C8 S0-D0-C8 S0-D0-C8 S0-D0-C8 "
		  "S8-D0-C2056 S8-D0-C2056 S8-D0-C2056 S8-D0-C2056" },
		{ ROW, "power9", TOPOLOGY_CACHE, 0,
		  "S0-D0-L3-ID0 S0-D0-L3-ID0 S0-D0-L3-ID0 S0-D0-L3-ID0 "
		  "S8-D0-L3-ID4 S8-D0-L3-ID4 S8-D0-L3-ID4 S8-D0-L3-ID4" },
		{ ROW, "power9", TOPOLOGY_NODE, 0, "N0 N0 N0 N0 N8 N8 N8 N8" },
		/* package -1 */
		{ ROW, "power9-lpar", TOPOLOGY_SOCKET, 0, "S0 S0 S0 S0 S0 S0 S0 S0" },
		/* four of six CPUs are online */
		{ ROW, "s390x", TOPOLOGY_CORE, 0, "S0-D0-C0 S0-D0-C0 S0-D0-C1 S0-D0-C1" },
		{ ROW, "s390x", TOPOLOGY_CLUSTER, 0,
		  "S0-D0-CLS0 S0-D0-CLS0 S0-D0-CLS0 S0-D0-CLS0" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(cpulist_release) struct cpulist online = { 0 };
		cleanup_str struct str list = { 0 };

		machine.root = tree_of_machine(rows[i].machine);
		row_int(&rows[i], cpulist_online(&machine, &online), 0);
		row_int(&rows[i], cpulist_format(&online, &list), 0);
		check(rows[i].line, str_text(&list), rows[i].split, rows[i].level, rows[i].labels);
		tree_remove(machine.root);
	}
}

static void only_the_files_that_are_needed_are_read(void **state)
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct cpu_place *places = NULL;

	add_cpu(0, 1, 2);
	add("broken", 0, "cpu/cpu0/topology/die_id");
	add("broken", 0, "cpu/cpu0/topology/core_id");
	add("broken", 0, "cpu/cpu0/cache/index0/level");
	add("broken", 0, "node/node0/cpulist");
	read_places("0", TOPOLOGY_SOCKET, 0, &cpus, &places);
	assert_int_equal(places[0].socket, 1);
	assert_int_equal(places[0].die, -1);
	assert_int_equal(places[0].core, -1);
	assert_int_equal(places[0].cluster, -1);
	assert_int_equal(places[0].node, -1);
	assert_int_equal(places[0].cache_level, -1);
	assert_int_equal(places[0].cache_id, -1);
}

static void a_file_without_a_number_is_an_error(void **state)
{
	static const enum topology_need needs[] = { TOPOLOGY_DIE, TOPOLOGY_CORE, TOPOLOGY_CLUSTER,
						    TOPOLOGY_CACHE, TOPOLOGY_NODE };
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };

	add_cpu(0, 0, 0);
	add("broken", 0, "cpu/cpu0/topology/die_id");
	add("broken", 0, "node/node0/cpulist");
	assert_int_equal(cpulist_parse(&cpus, "0"), 0);
	for (size_t i = 0; i < N_OF(needs); i++) {
		struct cpu_place *places = NULL;

		assert_int_equal(topology_read(&machine, &cpus, needs[i], 0, &places), -EINVAL);
		assert_null(places);
	}
}

static void several_needs_are_read_at_once(void **state)
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct cpu_place *places = NULL;

	add_cpu(5, 1, 7);
	add(NULL, 2, "cpu/cpu5/topology/die_id");
	add(NULL, 3, "cpu/cpu5/topology/cluster_id");
	add_cache(5, 0, 1, "Data", "4-5");
	add("5", 0, "node/node2/cpulist");
	read_places("5", TOPOLOGY_CORE | TOPOLOGY_CLUSTER | TOPOLOGY_CACHE | TOPOLOGY_NODE, 0,
		    &cpus, &places);
	assert_int_equal(places[0].socket, 1);
	assert_int_equal(places[0].die, 2);
	assert_int_equal(places[0].cluster, 3);
	assert_int_equal(places[0].core, 7);
	assert_int_equal(places[0].cache_level, 1);
	assert_int_equal(places[0].cache_id, 4);
	assert_int_equal(places[0].node, 2);
}

/* CPUs 1, 2 and 9 are online. The folder of CPU 2 is empty. */
static void holes_and_cpus_without_a_topology(void **state)
{
	add_cpu(1, 0, 3);
	add_cpu(9, -1, 4);
	add("0-1,9", 0, "node/node3/cpulist");
	add("online", 0, "cpu/cpu2/note");
	check(__LINE__, "1,2,9", TOPOLOGY_CORE, 0, "S0-D0-C3 S0-D0-C-1 S0-D0-C4");
	check(__LINE__, "1,2,9", TOPOLOGY_SOCKET, 0, "S0 S0 S0");
	check(__LINE__, "1,2,9", TOPOLOGY_CLUSTER, 0, "S0-D0-CLS0 S0-D0-CLS0 S0-D0-CLS0");
	check(__LINE__, "1,2,9", TOPOLOGY_NODE, 0, "N3 N-1 N3");
	check(__LINE__, "1,2,9", TOPOLOGY_CACHE, 0, "S0-D0-L-1-ID-1 S0-D0-L-1-ID-1 S0-D0-L-1-ID-1");
	check(__LINE__, "9", TOPOLOGY_CACHE, 3, "S0-D0-L3-ID-1");
}

static void a_kernel_without_nodes_has_node_0(void **state)
{
	add_cpu(0, 0, 0);
	check(__LINE__, "0-1", TOPOLOGY_NODE, 0, "N0 N0");
	add("0", 0, "node/online");
	add("0", 0, "node/nodes/cpulist");
	check(__LINE__, "0-1", TOPOLOGY_NODE, 0, "N0 N0");
}

static void the_data_cache_of_a_level_is_taken(void **state)
{
	add_cpu(6, 0, 0);
	add_cache(6, 0, 1, "Instruction", "4-7");
	add_cache(6, 1, 1, "Data", "6-7");
	add_cache(6, 2, 2, "Unified", "");
	check(__LINE__, "6", TOPOLOGY_CACHE, 1, "S0-D0-L1-ID6");
	/* a list that is empty or missing means that the cache is not shared */
	check(__LINE__, "6", TOPOLOGY_CACHE, 0, "S0-D0-L2-ID6");
	add(NULL, 3, "cpu/cpu6/cache/index3/level");
	check(__LINE__, "6", TOPOLOGY_CACHE, 0, "S0-D0-L3-ID6");
	add_cache(6, 4, 4, "Unified", "2,6");
	check(__LINE__, "6", TOPOLOGY_CACHE, 0, "S0-D0-L4-ID2");
}

/* Two nodes with 1,024 CPUs each. Every second CPU is online. */
static void many_cpus(void **state)
{
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	cleanup_free struct cpu_place *places = NULL;
	cleanup_str struct str list = { 0 };

	add("0-1023", 0, "node/node0/cpulist");
	add("1024-2047", 0, "node/node10/cpulist");
	for (int cpu = 0; cpu < 2048; cpu += 2) {
		add_cpu(cpu, cpu / 1024, cpu % 1024);
		str_addf(&list, "%s%d", cpu ? "," : "", cpu);
	}
	read_places(str_text(&list), TOPOLOGY_CORE | TOPOLOGY_NODE, 0, &cpus, &places);
	assert_int_equal(cpus.n, 1024);
	for (int i = 0; i < 1024; i++) {
		assert_int_equal(places[i].cpu, 2 * i);
		assert_int_equal(places[i].socket, i / 512);
		assert_int_equal(places[i].core, 2 * i % 1024);
		assert_int_equal(places[i].node, i < 512 ? 0 : 10);
	}
}

static void no_cpus_have_no_places(void **state)
{
	const struct cpulist none = { 0 };
	cleanup_free struct cpu_place *places = NULL;

	assert_int_equal(topology_read(&machine, &none, TOPOLOGY_CORE, 0, &places), 0);
	assert_non_null(places);
}

static int sign(int value)
{
	return (value > 0) - (value < 0);
}

static void places_are_compared_by_the_split(void **state)
{
	static const struct cpu_place place = { .cpu = 1,
						.socket = 1,
						.die = 1,
						.cluster = 1,
						.core = 1,
						.node = 1,
						.cache_level = 3,
						.cache_id = 1 };
	static const struct {
		int line;
		enum topology_need split;
		struct cpu_place other;
		int order; /* of the place compared with the other; below 0 */
	} rows[] = {
		{ ROW, TOPOLOGY_SOCKET, { .socket = 1 }, 0 },
		{ ROW, TOPOLOGY_SOCKET, { .socket = 2 }, -1 },
		{ ROW, TOPOLOGY_SOCKET, { .socket = 0, .die = 2 }, 1 },
		{ ROW, TOPOLOGY_DIE, { .socket = 1, .die = 1 }, 0 },
		{ ROW, TOPOLOGY_DIE, { .socket = 1, .die = 0 }, 1 },
		{ ROW, TOPOLOGY_DIE, { .socket = 2, .die = 0 }, -1 },
		{ ROW, TOPOLOGY_CORE, { .socket = 1, .die = 1, .core = 1 }, 0 },
		{ ROW, TOPOLOGY_CORE, { .socket = 1, .die = 1, .core = 10 }, -1 },
		{ ROW, TOPOLOGY_CORE, { .socket = 1, .die = 2, .core = 0 }, -1 },
		{ ROW, TOPOLOGY_CORE, { .socket = 1, .die = 1, .core = -1 }, 1 },
		{ ROW, TOPOLOGY_CLUSTER, { .socket = 1, .die = 1, .cluster = 1 }, 0 },
		{ ROW, TOPOLOGY_CLUSTER, { .socket = 1, .die = 1, .cluster = 2 }, -1 },
		{ ROW,
		  TOPOLOGY_CACHE,
		  { .socket = 1, .die = 1, .cache_level = 3, .cache_id = 1 },
		  0 },
		{ ROW,
		  TOPOLOGY_CACHE,
		  { .socket = 1, .die = 1, .cache_level = 3, .cache_id = 0 },
		  1 },
		{ ROW,
		  TOPOLOGY_CACHE,
		  { .socket = 1, .die = 1, .cache_level = 4, .cache_id = 0 },
		  -1 },
		{ ROW, TOPOLOGY_NODE, { .node = 1 }, 0 },
		{ ROW, TOPOLOGY_NODE, { .socket = 7, .node = 0 }, 1 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		row_int(&rows[i], sign(topology_compare(rows[i].split, &place, &rows[i].other)),
			rows[i].order);
		row_int(&rows[i], sign(topology_compare(rows[i].split, &rows[i].other, &place)),
			-rows[i].order);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_places_of_recorded_machines),
		cmocka_unit_test_setup_teardown(only_the_files_that_are_needed_are_read, start,
						finish),
		cmocka_unit_test_setup_teardown(a_file_without_a_number_is_an_error, start, finish),
		cmocka_unit_test_setup_teardown(several_needs_are_read_at_once, start, finish),
		cmocka_unit_test_setup_teardown(holes_and_cpus_without_a_topology, start, finish),
		cmocka_unit_test_setup_teardown(a_kernel_without_nodes_has_node_0, start, finish),
		cmocka_unit_test_setup_teardown(the_data_cache_of_a_level_is_taken, start, finish),
		cmocka_unit_test_setup_teardown(many_cpus, start, finish),
		cmocka_unit_test_setup_teardown(no_cpus_have_no_places, start, finish),
		cmocka_unit_test(places_are_compared_by_the_split),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
