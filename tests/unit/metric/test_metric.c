/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "metric/metric.h"
#include "unit/test.h"

enum { INPUTS_MAX = 5 };

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

/* A count of an event in a group. */
struct given {
	const char *event; /* NULL: no more */
	size_t group;
	long double count;
	enum { WHOLE, PART, UNKNOWN } state;
};

/* The metrics of the first count, as text: "kind value unit". */
struct metric_row {
	int line;
	const char *metrics;
	struct given given[INPUTS_MAX];
};

static size_t make_inputs(const struct metric_row *row, struct event_list *events,
			  struct metric_input *inputs)
{
	cleanup_why struct why why = { 0 };
	size_t n = 0;

	for (; n < INPUTS_MAX && row->given[n].event; n++)
		row_int(row,
			resolve_events(&machine, RESOLVE_BY_ALL, row->given[n].event, events, &why),
			0);
	for (size_t i = 0; i < n; i++)
		inputs[i] = (struct metric_input){ .event = &events->events[i],
						   .group = row->given[i].group,
						   .known = row->given[i].state != UNKNOWN,
						   .whole = row->given[i].state == WHOLE,
						   .count = row->given[i].count };
	return n;
}

static void check(const struct metric_row *row, double elapsed_ns)
{
	static const char *const kinds[] = {
		[METRIC_RATE] = "rate",
		[METRIC_RATIO] = "ratio",
		[METRIC_PERCENT] = "percent",
		[METRIC_PERCENT_FINE] = "fine percent",
	};
	cleanup_with(event_list_release) struct event_list events = { 0 };
	struct metric_input inputs[INPUTS_MAX];
	cleanup_str struct str text = { 0 };
	size_t n = make_inputs(row, &events, inputs);
	struct metric_result result = metric_derive(inputs, n, 0, elapsed_ns);

	for (size_t i = 0; i < result.n; i++)
		str_addf(&text, "%s%s %.6g %s", i ? "; " : "", kinds[result.v[i].kind],
			 result.v[i].value, result.v[i].unit);
	if (result.withheld)
		str_addf(&text, "%swithheld", text.len ? "; " : "");
	row_string(row, str_text(&text), row->metrics);
}

static void check_all(const struct metric_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check(&rows[i], 1e9);
}

static void each_event_has_the_metric_of_perf(void **state)
{
	static const struct metric_row rows[] = {
		{ ROW, "rate 0.5 CPUs utilized", { { "task-clock", 0, 5e8, WHOLE } } },
		{ ROW, "rate 1.5 CPUs utilized", { { "cpu-clock", 0, 15e8, WHOLE } } },
		{ ROW,
		  "rate 3 GHz",
		  { { "cycles", 0, 3e9, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "ratio 1.5 insn per cycle",
		  { { "instructions", 0, 300, WHOLE }, { "cycles", 1, 200, WHOLE } } },
		{ ROW,
		  "ratio 1.5 insn per cycle; ratio 0.5 stalled cycles per insn",
		  { { "instructions", 0, 300, WHOLE },
		    { "cycles", 1, 200, WHOLE },
		    { "stalled-cycles-frontend", 2, 60, WHOLE },
		    { "stalled-cycles-backend", 3, 150, WHOLE } } },
		{ ROW,
		  "ratio 0.2 stalled cycles per insn",
		  { { "instructions", 0, 300, WHOLE },
		    { "stalled-cycles-frontend", 2, 60, WHOLE } } },
		{ ROW,
		  "percent 2.5 of all branches",
		  { { "branch-misses", 0, 3, WHOLE }, { "branches", 1, 120, WHOLE } } },
		{ ROW,
		  "fine percent 12.5 of all cache refs",
		  { { "cache-misses", 0, 1, WHOLE }, { "cache-references", 1, 8, WHOLE } } },
		{ ROW,
		  "percent 25 frontend cycles idle",
		  { { "stalled-cycles-frontend", 0, 1, WHOLE }, { "cycles", 1, 4, WHOLE } } },
		{ ROW,
		  "percent 75 backend cycles idle",
		  { { "stalled-cycles-backend", 0, 3, WHOLE }, { "cycles", 1, 4, WHOLE } } },
		{ ROW,
		  "percent 2 of all L1-dcache accesses",
		  { { "L1-dcache-load-misses", 0, 1, WHOLE },
		    { "L1-dcache-loads", 1, 50, WHOLE } } },
		{ ROW,
		  "percent 2 of all L1-icache accesses",
		  { { "L1-icache-load-misses", 0, 1, WHOLE },
		    { "L1-icache-loads", 1, 50, WHOLE } } },
		{ ROW,
		  "percent 2 of all dTLB cache accesses",
		  { { "dTLB-load-misses", 0, 1, WHOLE }, { "dTLB-loads", 1, 50, WHOLE } } },
		{ ROW,
		  "percent 2 of all iTLB cache accesses",
		  { { "iTLB-load-misses", 0, 1, WHOLE }, { "iTLB-loads", 1, 50, WHOLE } } },
		{ ROW,
		  "percent 2 of all LL-cache accesses",
		  { { "LLC-load-misses", 0, 1, WHOLE }, { "LLC-loads", 1, 50, WHOLE } } },
	};

	check_all(rows, N_OF(rows));
}

static void an_event_without_a_ratio_has_a_rate(void **state)
{
	static const struct metric_row rows[] = {
		{ ROW,
		  "rate 5 /sec",
		  { { "faults", 0, 5, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 999 /sec",
		  { { "faults", 0, 999, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 1.001 K/sec",
		  { { "faults", 0, 1001, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 57.358 K/sec",
		  { { "faults", 0, 57358, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 4 M/sec",
		  { { "r3c", 0, 2e6, PART }, { "task-clock", 1, 5e8, WHOLE } } },
		{ ROW,
		  "rate 7 G/sec",
		  { { "branches", 0, 7e9, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 7000 G/sec",
		  { { "branches", 0, 7e12, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 0 /sec",
		  { { "faults", 0, 0, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 10 /sec",
		  { { "L1-dcache-stores", 0, 10, WHOLE }, { "cpu-clock", 1, 1e9, WHOLE } } },
	};

	check_all(rows, N_OF(rows));
}

static void without_what_it_needs_there_is_no_metric(void **state)
{
	static const struct metric_row rows[] = {
		{ ROW, "", { { "cycles", 0, 3e9, WHOLE } } },
		{ ROW, "", { { "instructions", 0, 3e9, WHOLE } } },
		{ ROW, "", { { "faults", 0, 3, WHOLE } } },
		{ ROW, "", { { "branch-misses", 0, 3, WHOLE } } },
		/* misses are shown as a share of the accesses, and never as a rate */
		{ ROW, "", { { "branch-misses", 0, 3, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW, "", { { "cycles", 0, 0, UNKNOWN }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW, "", { { "cycles", 0, 3e9, WHOLE }, { "task-clock", 1, 0, UNKNOWN } } },
		{ ROW, "", { { "cycles", 0, 3e9, WHOLE }, { "task-clock", 1, 0, WHOLE } } },
		{ ROW, "", { { "instructions", 0, 3, WHOLE }, { "cycles", 1, 0, WHOLE } } },
		{ ROW, "", { { "instructions", 0, 3, WHOLE }, { "cycles", 1, 0, UNKNOWN } } },
		{ ROW,
		  "",
		  { { "duration_time", 0, 1e9, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
	};

	check_all(rows, N_OF(rows));
}

static void without_the_time_elapsed_no_use_of_cpus_is_known(void **state)
{
	static const struct metric_row row = { ROW, "", { { "task-clock", 0, 5e8, WHOLE } } };

	check(&row, 0);
}

static void counts_that_were_not_counted_together_are_not_divided(void **state)
{
	static const struct metric_row rows[] = {
		/* one group: always together, however short it ran */
		{ ROW,
		  "ratio 1.5 insn per cycle",
		  { { "instructions", 4, 300, PART }, { "cycles", 4, 200, PART } } },
		{ ROW,
		  "percent 2.5 of all branches",
		  { { "branch-misses", 4, 3, PART }, { "branches", 4, 120, PART } } },
		/* two groups: together only if both ran all the time */
		{ ROW,
		  "withheld",
		  { { "instructions", 4, 300, PART }, { "cycles", 5, 200, PART } } },
		{ ROW,
		  "withheld",
		  { { "instructions", 4, 300, WHOLE }, { "cycles", 5, 200, PART } } },
		{ ROW,
		  "withheld",
		  { { "instructions", 4, 300, PART }, { "cycles", 5, 200, WHOLE } } },
		{ ROW,
		  "withheld",
		  { { "branch-misses", 4, 3, PART }, { "branches", 5, 120, WHOLE } } },
		/* a partner in the same group has precedence */
		{ ROW,
		  "ratio 1.5 insn per cycle",
		  { { "instructions", 4, 300, PART },
		    { "cycles", 5, 100, PART },
		    { "cycles", 4, 200, PART } } },
		{ ROW,
		  "ratio 1.5 insn per cycle",
		  { { "instructions", 4, 300, WHOLE },
		    { "cycles", 5, 100, WHOLE },
		    { "cycles", 4, 200, WHOLE } } },
		{ ROW,
		  "ratio 1.5 insn per cycle",
		  { { "instructions", 4, 300, WHOLE },
		    { "cycles", 4, 200, WHOLE },
		    { "cycles", 5, 100, WHOLE } } },
		/* one ratio is shown and one is withheld */
		{ ROW,
		  "ratio 1.5 insn per cycle; withheld",
		  { { "instructions", 4, 300, PART },
		    { "cycles", 4, 200, PART },
		    { "stalled-cycles-backend", 5, 60, PART } } },
		/* the task's clock always runs */
		{ ROW,
		  "rate 3 GHz",
		  { { "cycles", 4, 3e9, PART }, { "task-clock", 5, 1e9, WHOLE } } },
	};

	check_all(rows, N_OF(rows));
}

/* The clock counts the time in all modes. */
static void a_count_of_one_mode_is_not_divided_by_time(void **state)
{
	static const struct metric_row rows[] = {
		{ ROW, "", { { "cycles:u", 0, 3e9, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		{ ROW, "", { { "cycles:k", 0, 3e9, WHOLE }, { "task-clock:k", 1, 1e9, WHOLE } } },
		{ ROW, "", { { "faults:u", 0, 5, WHOLE }, { "task-clock:u", 1, 1e9, WHOLE } } },
		{ ROW,
		  "rate 3 GHz",
		  { { "cycles:uk", 0, 3e9, WHOLE }, { "task-clock:u", 1, 1e9, WHOLE } } },
		{ ROW, "rate 0.5 CPUs utilized", { { "task-clock:u", 0, 5e8, WHOLE } } },
	};
	cleanup_with(event_list_release) struct event_list events = { 0 };
	struct metric_input inputs[INPUTS_MAX];
	size_t n;

	check_all(rows, N_OF(rows));
	n = make_inputs(
		&(const struct metric_row){
			ROW, "", { { "cycles", 0, 3e9, WHOLE }, { "task-clock", 1, 1e9, WHOLE } } },
		&events, inputs);
	assert_int_equal(metric_derive(inputs, n, 0, 1e9).n, 1);
	inputs[0].user_only = true; /* the kernel did not allow more */
	assert_int_equal(metric_derive(inputs, n, 0, 1e9).n, 0);
}

static void counts_of_different_modes_are_no_partners(void **state)
{
	static const struct metric_row rows[] = {
		{ ROW,
		  "ratio 1.5 insn per cycle",
		  { { "instructions:u", 0, 300, WHOLE }, { "cycles:u", 1, 200, WHOLE } } },
		{ ROW, "", { { "instructions:u", 0, 300, WHOLE }, { "cycles", 1, 200, WHOLE } } },
		{ ROW, "", { { "instructions:k", 0, 300, WHOLE }, { "cycles:u", 1, 200, WHOLE } } },
		{ ROW, "", { { "instructions", 0, 300, WHOLE }, { "cycles:G", 1, 200, WHOLE } } },
		{ ROW,
		  "percent 2.5 of all branches",
		  { { "branch-misses:u", 0, 3, WHOLE },
		    { "branches", 0, 60, WHOLE },
		    { "branches:u", 0, 120, WHOLE } } },
	};

	check_all(rows, N_OF(rows));
}

/* stat-shadow.c: a value above a limit is coloured, a value at the limit is not. */
static void figures_beyond_their_limits_are_coloured(void **state)
{
	static const struct {
		int line;
		enum metric_limits limits;
		double percent;
		enum metric_level level;
	} cases[] = {
		{ ROW, LIMITS_NONE, 100, LEVEL_USUAL },
		{ ROW, LIMITS_MISSES, 0, LEVEL_USUAL },
		{ ROW, LIMITS_MISSES, 5, LEVEL_USUAL },
		{ ROW, LIMITS_MISSES, 5.01, LEVEL_RAISED },
		{ ROW, LIMITS_MISSES, 10.01, LEVEL_HIGH },
		{ ROW, LIMITS_MISSES, 20, LEVEL_HIGH },
		{ ROW, LIMITS_MISSES, 20.01, LEVEL_SEVERE },
		{ ROW, LIMITS_MISSES, 300, LEVEL_SEVERE },
		{ ROW, LIMITS_FRONTEND, 10.01, LEVEL_RAISED },
		{ ROW, LIMITS_FRONTEND, 30.01, LEVEL_HIGH },
		{ ROW, LIMITS_FRONTEND, 50.01, LEVEL_SEVERE },
		{ ROW, LIMITS_BACKEND, 20.01, LEVEL_RAISED },
		{ ROW, LIMITS_BACKEND, 50.01, LEVEL_HIGH },
		{ ROW, LIMITS_BACKEND, 75.01, LEVEL_SEVERE },
	};

	for (size_t i = 0; i < N_OF(cases); i++)
		row_int(&cases[i], metric_level(cases[i].limits, cases[i].percent), cases[i].level);
}

static void a_rate_has_one_unit_for_monitoring(void **state)
{
	static const struct {
		int line;
		double value;
		const char *unit;
		double plain;
		const char *plain_unit;
	} rows[] = {
		{ ROW, 9.5, "/sec", 9.5, "/sec" },
		{ ROW, 1.5, "K/sec", 1500, "/sec" },
		{ ROW, 1.5, "M/sec", 1500000, "/sec" },
		{ ROW, 1.5, "G/sec", 1500000000, "/sec" },
		{ ROW, 3.2, "GHz", 3.2, "GHz" },
		{ ROW, 50, "of all branches", 50, "of all branches" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct metric given = { .value = rows[i].value, .unit = rows[i].unit };
		const struct metric plain = metric_unprefixed(&given);

		row_true(&rows[i], plain.value == rows[i].plain);
		row_string(&rows[i], plain.unit, rows[i].plain_unit);
	}
}

/* A part of 0 is a part; without one of the four there are no shares. */
static void parts_are_shares_of_the_first_level(void **state)
{
	static const char *const names[] = { "topdown-retiring", "topdown-bad-spec",
					     "topdown-fe-bound", "cpu_core/topdown-be-bound/",
					     "topdown-mem-bound" };
	static const long double counts[] = { 300, 0, 200, 500, 350 };
	struct event events[N_OF(names)];
	struct metric_input inputs[N_OF(names)];
	struct metric_result result;

	for (size_t i = 0; i < N_OF(names); i++) {
		events[i] = (struct event){ .name = (char *)(uintptr_t)names[i],
					    .attr.type = PERF_TYPE_RAW };
		inputs[i] = (struct metric_input){
			.event = &events[i], .known = true, .whole = true, .count = counts[i]
		};
	}
	result = metric_derive(inputs, N_OF(names), 1, 0);
	assert_int_equal(result.n, 1);
	assert_true(result.v[0].value == 0);
	assert_string_equal(result.v[0].unit, "Bad Speculation");
	result = metric_derive(inputs, N_OF(names), 4, 0);
	assert_int_equal(result.n, 2);
	assert_true(result.v[0].value == 35 && result.v[1].value == 15);
	assert_string_equal(result.v[1].unit, "Core Bound");
	inputs[1].known = false;
	assert_int_equal(metric_derive(inputs, N_OF(names), 0, 0).n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_beyond_their_limits_are_coloured),
		cmocka_unit_test(each_event_has_the_metric_of_perf),
		cmocka_unit_test(an_event_without_a_ratio_has_a_rate),
		cmocka_unit_test(without_what_it_needs_there_is_no_metric),
		cmocka_unit_test(without_the_time_elapsed_no_use_of_cpus_is_known),
		cmocka_unit_test(counts_that_were_not_counted_together_are_not_divided),
		cmocka_unit_test(a_count_of_one_mode_is_not_divided_by_time),
		cmocka_unit_test(counts_of_different_modes_are_no_partners),
		cmocka_unit_test(a_rate_has_one_unit_for_monitoring),
		cmocka_unit_test(parts_are_shares_of_the_first_level),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
