/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --topdown on recorded machines, with invented counts: the parts of the slots are those of the
 * documents of the manufacturers (see metric/topdown.c), and all events are in one group.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "job/events.h"
#include "machine/perf_tables.h"
#include "metric/topdown.h"
#include "unit/test.h"
#include "unit/tree.h"

#define ARM "sys/bus/event_source/devices/armv8_pmuv3_0/"
#define MIDR "sys/devices/system/cpu/cpu0/regs/identification/midr_el1"

/* Counts of Arm's events in 1,000 cycles. STALL_SLOT_FRONTEND differs. */
#define ARM_COUNTS "cpu_cycles=1000 op_retired=900 op_spec=1000 br_mis_pred=20 "

static const struct {
	int line;
	const char *machine;
	/* of arm64-server: the MIDR and the width of the core; NULL: it has no events of slots */
	const char *midr, *width;
	const char *level;
	bool whole_cores;
	size_t groups_n;
	const char *counts, *values;
} rows[] = {
	{ ROW, "intel-icelake-server", NULL, NULL, "topdown1", false, 1,
	  "slots=999 topdown-retiring=300 topdown-bad-spec=100 topdown-fe-bound=200 "
	  "topdown-be-bound=400",
	  "tma_retiring=30 tma_bad_speculation=10 tma_frontend_bound=20 tma_backend_bound=40 " },
	{ ROW, "intel-hybrid", NULL, NULL, "topdown1", false, 2,
	  "slots=999 topdown-retiring=300 topdown-bad-spec=100 topdown-fe-bound=200 "
	  "topdown-be-bound=400",
	  "tma_retiring.cpu_core=30 tma_bad_speculation.cpu_core=10 "
	  "tma_frontend_bound.cpu_core=20 tma_backend_bound.cpu_core=40 "
	  "tma_retiring.cpu_atom=30 tma_bad_speculation.cpu_atom=10 "
	  "tma_frontend_bound.cpu_atom=20 tma_backend_bound.cpu_atom=40 " },
	{ ROW, "intel-hybrid", NULL, NULL, "topdown2", false, 2,
	  "slots=999 topdown-retiring=300 topdown-bad-spec=100 topdown-fe-bound=200 "
	  "topdown-be-bound=400 topdown-heavy-ops=50 topdown-br-mispredict=70 "
	  "topdown-fetch-lat=120 topdown-mem-bound=310",
	  "tma_retiring.cpu_core=30 tma_light_operations.cpu_core=25 "
	  "tma_heavy_operations.cpu_core=5 tma_bad_speculation.cpu_core=10 "
	  "tma_branch_mispredicts.cpu_core=7 tma_machine_clears.cpu_core=3 "
	  "tma_frontend_bound.cpu_core=20 tma_fetch_latency.cpu_core=12 "
	  "tma_fetch_bandwidth.cpu_core=8 tma_backend_bound.cpu_core=40 "
	  "tma_memory_bound.cpu_core=31 tma_core_bound.cpu_core=9 "
	  "tma_retiring.cpu_atom=30 tma_bad_speculation.cpu_atom=10 "
	  "tma_frontend_bound.cpu_atom=20 tma_backend_bound.cpu_atom=40 " },
	/* 2 slots of each thread in each cycle of the core */
	{ ROW, "intel-skylake-server", NULL, NULL, "topdown1", true, 1,
	  "topdown-total-slots=1000 topdown-slots-issued=1000 topdown-slots-retired=800 "
	  "topdown-fetch-bubbles=500 topdown-recovery-bubbles=50",
	  "tma_retiring=40 tma_bad_speculation=15 tma_frontend_bound=25 tma_backend_bound=20 " },
	{ ROW, "amd-zen4", NULL, NULL, "topdown1", false, 1,
	  "cpu/event=0x76/=1000 cpu/event=0xc1/=1800 cpu/event=0xaa,umask=0x7/=2400 "
	  "cpu/event=0x1a0,umask=0x1/=1200 cpu/event=0x1a0,umask=0x1e/=1500",
	  "retiring=30 bad_speculation=10 frontend_bound=20 backend_bound=25 "
	  "smt_contention=15 " },
	/* Neoverse V2, V1, N2 r0p3, N2 r0p0, and a core without a form of its own */
	{ ROW, "arm64-server", "0x410fd4f0", "8", "topdown1", false, 1,
	  ARM_COUNTS "stall_slot_frontend=2000 stall_slot_backend=3200",
	  "retiring=31.5 bad_speculation=11.5 frontend_bound=23 backend_bound=34 " },
	{ ROW, "arm64-server", "0x411fd401", "8", "topdown1", false, 1,
	  ARM_COUNTS "stall_slot_frontend=2000 stall_slot_backend=3200",
	  "retiring=31.5 bad_speculation=11.5 frontend_bound=17 backend_bound=40 " },
	{ ROW, "arm64-server", "0x410fd493", "5", "topdown1", false, 1,
	  ARM_COUNTS "stall_slot_frontend=1250 stall_slot_backend=2000",
	  "retiring=31.5 bad_speculation=11.5 frontend_bound=23 backend_bound=34 " },
	{ ROW, "arm64-server", "0x410fd490", "5", "topdown1", false, 1,
	  ARM_COUNTS "stall_slot_frontend=2250 stall_slot_backend=2000",
	  "retiring=31.5 bad_speculation=11.5 frontend_bound=23 backend_bound=34 " },
	{ ROW, "arm64-server", "0x410fd840", "0x0000000a", "topdown1", false, 1,
	  ARM_COUNTS "stall_slot_frontend=2500 stall_slot_backend=4000",
	  "retiring=31.5 bad_speculation=3.5 frontend_bound=25 backend_bound=40 " },
	/* Neoverse N1, and a core that does not count speculative instructions */
	{ ROW, "arm64-server", NULL, NULL, "topdown1", false, 1,
	  "cpu_cycles=1000 stall_frontend=200 stall_backend=300 inst_retired=900 inst_spec=1000",
	  "retiring=45 bad_speculation=5 frontend_bound=20 backend_bound=30 " },
	{ ROW, "arm64-server", NULL, "", "topdown1", false, 1,
	  "cpu_cycles=1000 stall_frontend=200 stall_backend=300",
	  "not_stalled=50 frontend_bound=20 backend_bound=30 " },
};

static struct machine machine;
static struct options options;
static struct event_request request;
static struct wanted wanted;

static void begin(const char *name)
{
	machine = (struct machine){ .root = tree_of_machine(name),
				    .tables = calloc(1, sizeof(struct perf_tables)) };
	assert_non_null(machine.tables);
	options = (struct options){ .requests = &request, .requests_n = 1 };
	wanted = (struct wanted){ .options = &options, .machine = &machine };
}

static void end(void)
{
	wanted_release(&wanted);
	tree_remove(machine.root);
	machine.root = NULL;
	machine_release(&machine);
}

/* Give arm64-server the events of a core with slots. */
static void add_slots(const char *midr, const char *width)
{
	tree_add(machine.root, MIDR, midr);
	tree_add(machine.root, ARM "caps/slots", width);
	tree_add(machine.root, ARM "events/stall_slot_backend", "event=0x003d");
	tree_add(machine.root, ARM "events/stall_slot_frontend", "event=0x003e");
	tree_add(machine.root, ARM "events/op_retired", "event=0x003a");
	tree_add(machine.root, ARM "events/op_spec", "event=0x003b");
}

static void drop_event(const char *name)
{
	cleanup_str struct str path = { 0 };

	str_addf(&path, "%s/" ARM "events/%s", machine.root, name);
	assert_int_equal(unlink(str_text(&path)), 0);
}

static int ask(const char *level, bool whole_cores, struct why *why)
{
	request = (struct event_request){ REQUEST_TOPDOWN, level };
	options.target.all_cpus = whole_cores;
	return events_of_options(&wanted, why);
}

/* The count of an event, whose name may have its PMU: "cpu_core/slots/" is "slots". */
static long double count_of(const char *counts, const char *name)
{
	const char *slash = strchr(name, '/');
	cleanup_str struct str plain = { 0 };
	const char *at = counts;

	if (slash && !strchr(slash, '='))
		str_add_n(&plain, slash + 1, strlen(slash) - 2);
	else
		str_add(&plain, name);
	while ((at = strstr(at, str_text(&plain)))) {
		if ((at == counts || at[-1] == ' ') && at[plain.len] == '=')
			return strtold(at + plain.len + 1, NULL);
		at++;
	}
	fail_msg("%s has no count", name);
	return 0;
}

/* Append the value of each metric, rounded to 9 digits. Returns the sum of the first level. */
static double add_values(struct str *values, const char *counts)
{
	double sum = 0;

	for (size_t i = 0; i < wanted.metrics.n; i++) {
		const struct metric_request *metric = &wanted.metrics.v[i];
		const struct expression *e = &metric->expression;
		long double v[EXPRESSION_EVENTS_MAX], value;

		for (size_t k = 0; k < e->events_n; k++)
			v[k] = count_of(counts, wanted.events.events[e->events[k].index].name);
		assert_int_equal(expression_evaluate(e, v, 1, 1, &value), 0);
		str_addf(values, "%s=%.9g ", metric->name, (double)value);
		if (!metric->topdown->parent)
			sum += (double)value;
	}
	return sum;
}

static void parts_match_the_manufacturers_formulas(void **state)
{
	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_why struct why why = { 0 };
		cleanup_str struct str values = { 0 };
		double sum;

		begin(rows[i].machine);
		if (rows[i].midr)
			add_slots(rows[i].midr, rows[i].width);
		else if (rows[i].width)
			drop_event("inst_spec");
		if (ask(rows[i].level, rows[i].whole_cores, &why) < 0)
			fail_msg("row %d: %s", rows[i].line, why.text);
		sum = add_values(&values, rows[i].counts);
		if (strcmp(str_text(&values), rows[i].values) != 0)
			fail_msg("row %d: %s", rows[i].line, str_text(&values));
		assert_true(fabs(sum - 100 * (double)rows[i].groups_n) < 1e-9);
		assert_int_equal(wanted.events.groups_n, rows[i].groups_n);
		for (size_t k = 0; k < wanted.events.groups_n; k++)
			assert_false(wanted.events.groups[k].weak);
		end();
	}
}

static void zen5_has_8_slots(void **state)
{
	cleanup_why struct why why = { 0 };
	cleanup_str struct str values = { 0 };

	begin("amd-zen4");
	tree_add(machine.root, "proc/cpuinfo",
		 "vendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 36\nstepping\t: 0\n");
	assert_int_equal(ask("topdown1", false, &why), 0);
	add_values(&values, "cpu/event=0x76/=1000 cpu/event=0xc1/=1600 "
			    "cpu/event=0xaa,umask=0x7/=2400 cpu/event=0x1a0,umask=0x1/=1200 "
			    "cpu/event=0x1a0,umask=0x1e/=4000");
	assert_string_equal(str_text(&values),
			    "retiring=20 bad_speculation=10 frontend_bound=15 backend_bound=50 "
			    "smt_contention=5 ");
	end();
}

/* The first event of a group leads it. */
static void slots_lead_their_group(void **state)
{
	static const struct {
		const char *machine, *level, *leader;
		size_t n;
	} groups[] = {
		{ "intel-icelake-server", "topdown1", "slots", 5 },
		{ "intel-hybrid", "topdown1", "cpu_core/slots/", 5 },
		{ "intel-hybrid", "topdown2", "cpu_core/slots/", 9 },
	};

	for (size_t i = 0; i < N_OF(groups); i++) {
		cleanup_why struct why why = { 0 };

		begin(groups[i].machine);
		assert_int_equal(ask(groups[i].level, false, &why), 0);
		assert_string_equal(wanted.events.events[0].name, groups[i].leader);
		assert_int_equal(wanted.events.groups[0].n, groups[i].n);
		end();
	}
}

/* All groups of the events of a request: "{a,b} c". */
static void check_groups(const char *name, enum request_kind kind, const char *text,
			 const char *expected)
{
	cleanup_why struct why why = { 0 };
	cleanup_str struct str groups = { 0 }, path = { 0 };

	begin(name);
	tree_add(machine.root, "table.json",
		 "[{\"MetricName\": \"l1\", \"MetricGroup\": \"TopdownL1\","
		 "\"MetricgroupNoGroup\": \"TopdownL1\","
		 "\"MetricExpr\": \"topdown\\\\-retiring / cycles / topdown\\\\-bad\\\\-spec *"
		 "instructions * 0 * SLOTS\"}, {\"MetricName\": \"twice\","
		 "\"MetricExpr\": \"topdown\\\\-retiring / r400 + 0 * slots\"}]");
	str_addf(&path, "%s/table.json", machine.root);
	if (perf_tables_read(machine.tables, str_text(&path), &why) < 0 && kind != REQUEST_EVENTS) {
		end();
		skip();
	}
	request = (struct event_request){ kind, text };
	assert_int_equal(events_of_options(&wanted, &why), 0);
	for (size_t i = 0; i < wanted.events.groups_n; i++) {
		const struct event_group *group = &wanted.events.groups[i];

		str_add(&groups, i ? " " : "");
		for (size_t j = 0; j < group->n; j++)
			str_addf(&groups, "%s%s",
				 j	      ? "," :
				 group->n > 1 ? "{" :
						"",
				 wanted.events.events[group->first + j].name);
		str_add(&groups, group->n > 1 ? "}" : "");
	}
	assert_string_equal(str_text(&groups), expected);
	for (size_t i = 0; i < wanted.metrics.n; i++) {
		const struct expression *e = &wanted.metrics.v[i].expression;

		for (size_t k = 0; k < e->events_n; k++)
			if (strcasecmp(e->events[k].text, "slots") != 0)
				assert_string_equal(wanted.events.events[e->events[k].index].name,
						    e->events[k].text);
	}
	end();
}

static void metrics_without_groups_keep_slots_and_their_parts_together(void **state)
{
	check_groups("intel-icelake-server", REQUEST_METRICS, "TopdownL1",
		     "{SLOTS,topdown-retiring,topdown-bad-spec} cycles instructions");
	check_groups("intel-icelake-server", REQUEST_METRICS, "l1",
		     "{SLOTS,topdown-retiring,topdown-bad-spec,cycles,instructions}");
}

/* The kernel refuses a group that has slots twice. */
static void slots_under_two_names_are_counted_once(void **state)
{
	check_groups("intel-icelake-server", REQUEST_METRICS, "twice", "{r400,topdown-retiring}");
}

static void parts_of_a_list_join_the_preceding_slots(void **state)
{
	static const struct {
		const char *machine, *list, *groups;
	} lists[] = {
		{ "intel-icelake-server", "slots,topdown-retiring,cycles,topdown-bad-spec,r1",
		  "{slots,topdown-retiring,topdown-bad-spec} cycles r1" },
		{ "intel-icelake-server", "topdown-retiring,slots,r8100:u,{cycles,r1}",
		  "topdown-retiring {slots,r8100:u} {cycles,r1}" },
		{ "intel-icelake-server",
		  "{slots,cycles},r1,{topdown-retiring,r2},topdown-bad-spec",
		  "{slots,cycles,topdown-bad-spec} r1 {topdown-retiring,r2}" },
		{ "intel-hybrid", "slots,page-faults,topdown-retiring",
		  "{slots,cpu_core/topdown-retiring/} page-faults cpu_atom/topdown-retiring/" },
		{ "intel-icelake-server", "slots,r81d0,r8000", "{slots,r8000} r81d0" },
		/* the numbers have another meaning */
		{ "amd-zen4", "r400,r8000", "r400 r8000" },
	};

	for (size_t i = 0; i < N_OF(lists); i++)
		check_groups(lists[i].machine, REQUEST_EVENTS, lists[i].list, lists[i].groups);
}

static void events_of_uncore_pmus_do_not_split_a_group(void **state)
{
	check_groups("intel-icelake-server", REQUEST_METRICS,
		     "x=cycles*'uncore_imc_0/clockticks/'/instructions*page-faults",
		     "{cycles,instructions,page-faults} uncore_imc_0/clockticks/");
	check_groups("intel-icelake-server", REQUEST_METRICS,
		     "x='uncore_imc_0/clockticks/'/instructions*page-faults",
		     "uncore_imc_0/clockticks/ {instructions,page-faults}");
}

/* Why the level is not possible, without "--topdown: ". */
static void is_refused(const char *machine_name, const char *level, const char *reason)
{
	cleanup_why struct why why = { 0 };
	cleanup_str struct str expected = { 0 };

	begin(machine_name);
	str_addf(&expected, "--topdown: %s", reason);
	assert_true(ask(level, false, &why) < 0);
	assert_string_equal(why.text, str_text(&expected));
	end();
}

static void refused_levels_have_a_reason(void **state)
{
	is_refused("intel-skylake-server", "topdown1",
		   "this CPU counts the slots of whole cores only (SMT); use -a without -A, -C, "
		   "cgroups or --per-thread");
	is_refused("intel-icelake-server", "topdown2",
		   "level 2 is unknown for this CPU; add perf's tables with --metrics-file");
	is_refused("amd-zen3", "topdown1",
		   "level 1 is unknown for this CPU; add perf's tables with --metrics-file");
	is_refused("vm-no-pmu", "topdown1",
		   "this machine has no hardware counters; see --explain cycles");
}

/* Each row of the result has to be about whole cores. */
static void slots_of_cores_need_whole_cores(void **state)
{
	for (int i = 0; i < 5; i++) {
		cleanup_why struct why why = { 0 };

		begin("intel-skylake-server");
		options.target.split = i == 1 ? PLACE_CPU : i == 2 ? PLACE_THREAD : PLACE_CORE;
		options.target.cpus = i == 3 ? "0" : NULL;
		options.each_cgroup = i == 4 ? "a" : NULL;
		assert_int_equal(ask("topdown1", true, &why) == 0, i == 0);
		end();
	}
}

/* In this machine, the CPUs 0 and 4 are one core, 1 and 5 the next one, and so on. */
static void core_wide_means_all_threads_of_the_counted_cores(void **state)
{
	static const struct {
		const char *cpus;
		bool all_cpus;
		const char *event;
	} targets[] = {
		{ NULL, true, "cycles" },	    { NULL, false, "instructions" },
		{ "0,4", false, "cycles" },	    { "0,2,4,6", true, "cycles" },
		{ "0-7", false, "cycles" },	    { "0", true, "instructions" },
		{ "0-3,4", false, "instructions" },
	};

	for (size_t i = 0; i < N_OF(targets); i++) {
		cleanup_why struct why why = { 0 };
		cleanup_str struct str path = { 0 };

		begin("intel-icelake-server");
		tree_add(machine.root, "table.json",
			 "[{\"MetricName\": \"x\", \"MetricExpr\":"
			 "\"cycles if #core_wide else instructions\"}]");
		str_addf(&path, "%s/table.json", machine.root);
		if (perf_tables_read(machine.tables, str_text(&path), &why) < 0) {
			end();
			skip();
		}
		request = (struct event_request){ REQUEST_METRICS, "x" };
		options.target.cpus = targets[i].cpus;
		options.target.all_cpus = targets[i].all_cpus;
		assert_int_equal(events_of_options(&wanted, &why), 0);
		assert_string_equal(wanted.events.events[0].name, targets[i].event);
		end();
	}
}

/* A table has level 1 only if pstat knows none, and deeper levels. */
static void missing_levels_come_from_tables(void **state)
{
	cleanup_why struct why why = { 0 };
	cleanup_str struct str names = { 0 };

	begin("intel-icelake-server");
	tree_add(machine.root, "table.json",
		 "[{\"MetricName\": \"tma_memory_bound\", \"MetricGroup\": \"TopdownL2;x\","
		 "\"MetricExpr\": \"cycles / instructions\", \"ScaleUnit\": \"100%\"},"
		 "{\"MetricName\": \"other\", \"MetricGroup\": \"TopdownL1\","
		 "\"MetricExpr\": \"instructions / cycles\"}]");
	str_addf(&names, "%s/table.json", machine.root);
	if (perf_tables_read(machine.tables, str_text(&names), &why) < 0) {
		end();
		skip(); /* without jansson */
	}
	assert_int_equal(ask("topdown2", false, &why), 0);
	assert_int_equal(wanted.metrics.n, 5);
	assert_string_equal(wanted.metrics.v[4].name, "tma_memory_bound");
	end();
}

/* cpu_core has level 2 without a table, cpu_atom has it from the table. */
static void each_kind_of_core_has_its_levels(void **state)
{
	cleanup_why struct why why = { 0 };
	cleanup_str struct str names = { 0 };
	size_t found = 0;

	begin("intel-hybrid");
	tree_add(
		machine.root, "table.json",
		"[{\"MetricName\": \"mine\", \"MetricGroup\": \"TopdownL2\", \"Unit\": \"cpu_atom\","
		"\"MetricExpr\": \"cycles / instructions\"},"
		"{\"MetricName\": \"mine\", \"MetricGroup\": \"TopdownL2\", \"Unit\": \"cpu_core\","
		"\"MetricExpr\": \"cycles / instructions\"}]");
	str_addf(&names, "%s/table.json", machine.root);
	if (perf_tables_read(machine.tables, str_text(&names), &why) < 0) {
		end();
		skip();
	}
	assert_int_equal(ask("topdown2", false, &why), 0);
	assert_int_equal(wanted.metrics.n, 12 + 4 + 1);
	for (size_t i = 0; i < wanted.metrics.n; i++)
		found += strcmp(wanted.metrics.v[i].name, "mine.cpu_atom") == 0;
	assert_int_equal(found, 1);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_match_the_manufacturers_formulas),
		cmocka_unit_test(zen5_has_8_slots),
		cmocka_unit_test(slots_lead_their_group),
		cmocka_unit_test(metrics_without_groups_keep_slots_and_their_parts_together),
		cmocka_unit_test(slots_under_two_names_are_counted_once),
		cmocka_unit_test(parts_of_a_list_join_the_preceding_slots),
		cmocka_unit_test(events_of_uncore_pmus_do_not_split_a_group),
		cmocka_unit_test(refused_levels_have_a_reason),
		cmocka_unit_test(slots_of_cores_need_whole_cores),
		cmocka_unit_test(core_wide_means_all_threads_of_the_counted_cores),
		cmocka_unit_test(missing_levels_come_from_tables),
		cmocka_unit_test(each_kind_of_core_has_its_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
