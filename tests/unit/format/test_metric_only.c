/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --metric-only in each format that has it, and --table. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "format/format.h"
#include "result/table.h"
#include "unit/format/padding.h"
#include "unit/resolve.h"
#include "unit/test.h"

enum { ROWS_MAX = 32, RUNS_MAX = 3 };

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static struct event_list events;
static struct place table[ROWS_MAX];
static struct row rows[ROWS_MAX];
static struct opening openings[ROWS_MAX];
static struct reading readings[ROWS_MAX];
static struct run runs[RUNS_MAX];
static struct metric_request_list metrics;
static struct series series;
static const struct interval *part; /* NULL: the whole series */

static int start(void **state)
{
	part = NULL;
	series = (struct series){ .subject = "'prog'",
				  .events = &events,
				  .openings = openings,
				  .places = table,
				  .rows = rows,
				  .runs = runs,
				  .runs_n = 1,
				  .cgroups_n = 1,
				  .cpus = 2 };
	return 0;
}

static int finish(void **state)
{
	metric_list_release(&metrics);
	event_list_release(&events);
	return 0;
}

/* The events at these places with the counts 100, 200, 300 … */
static void lay_out(enum place_kind kind, char *const *labels, size_t places)
{
	series.split = kind;
	series.rows_n = events.n * places;
	assert_true(series.rows_n <= ROWS_MAX);
	for (size_t i = 0; i < places; i++)
		table[i] = (struct place){ kind, labels[i] };
	for (size_t i = 0; i < series.rows_n; i++) {
		rows[i] = (struct row){ .event = i % events.n,
					.place_index = i / events.n,
					.counters = 2 };
		readings[i] = (struct reading){ COUNTED, { 100 * (i + 1), 1000, 1000 } };
	}
	for (size_t run = 0; run < RUNS_MAX; run++)
		runs[run] = (struct run){ .readings = readings,
					  .tool[TOOL_DURATION_TIME] = 1000000000 };
}

static void prepare(const char *list, enum place_kind kind, char *const *labels, size_t places)
{
	cleanup_why struct why why = { 0 };

	if (resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why) < 0)
		fail_msg("%s: %s", list, why_text(&why, 0));
	lay_out(kind, labels, places);
}

static void check(const struct format *format, const struct format_style *style,
		  const char *expected)
{
	cleanup_with(table_release) struct table result = { 0 };
	cleanup_free char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(table_build(&result, &series, part), 0);
	assert_int_equal(format->write(&result, style, out), 0);
	assert_int_equal(fclose(out), 0);
	remove_padding(text);
	assert_string_equal(text, expected);
}

static const struct format_style plain = {
	.numbers = { "", "." }, .separator = ",", .metric_only = true, .header = true
};

static char whole[] = "", s0[] = "S0", s1[] = "S1", cpu0[] = "CPU0", cpu1[] = "CPU1";
static char *const target[] = { whole };
static char *const sockets[] = { s0, s1 };
static char *const cpus[] = { cpu0, cpu1 };

static void the_metrics_are_in_columns_with_their_names(void **state)
{
	prepare("task-clock,cycles,instructions,branches,branch-misses,cs", PLACE_TARGET, target,
		1);
	check(&format_table, &plain,
	      "\n"
	      " Performance counter stats for 'prog':\n"
	      "\n"
	      "                 GHz       insn per cycle branch-misses of all branches\n"
	      "               2.000                1.50                        125.00%\n"
	      "\n"
	      "       1.000000000 seconds time elapsed\n"
	      "\n");
	check(&format_perf_csv, &plain,
	      "GHz,insn per cycle,branch-misses of all branches,\n"
	      "2.000,1.50,125.00,\n");
	check(&format_perf_json, &plain,
	      "{\"GHz\" : \"2.000\", \"insn per cycle\" : \"1.50\","
	      " \"branch-misses of all branches\" : \"125.00\"}\n");
}

static void each_place_has_a_line_with_the_same_columns(void **state)
{
	prepare("cycles,instructions", PLACE_SOCKET, sockets, 2);
	readings[2] = (struct reading){ .state = NOT_SUPPORTED };
	check(&format_perf_csv, &plain,
	      "socket,cpus,GHz,insn per cycle,\n"
	      "S0,2,,2.00,\n"
	      "S1,2,,,\n");
	check(&format_perf_json, &plain,
	      "{\"socket\" : \"S0\", \"counters\" : 2, \"GHz\" : \"none\", \"insn per cycle\" : \"2.00\"}\n"
	      "{\"socket\" : \"S1\", \"counters\" : 2, \"GHz\" : \"none\", \"insn per cycle\" : \"none\"}\n");
	check(&format_table, &plain,
	      "\n"
	      " Performance counter stats for 'prog':\n"
	      "\n"
	      "                             GHz       insn per cycle\n"
	      "S0        2                                     2.00\n"
	      "S1        2\n"
	      "\n"
	      "       1.000000000 seconds time elapsed\n"
	      "\n");
}

static void intervals_begin_with_the_time_and_the_summary_with_its_name(void **state)
{
	const struct interval interval = { .run = runs[0], .at_ns = 1500000000 };
	struct format_style later = plain;

	prepare("cycles,instructions", PLACE_CPU, cpus, 2);
	part = &interval;
	check(&format_table, &plain,
	      "#           time CPU                         GHz       insn per cycle\n"
	      "     1.500000000 CPU0                                           2.00\n"
	      "     1.500000000 CPU1                                           1.33\n");
	check(&format_perf_csv, &plain,
	      "time,cpu,GHz,insn per cycle,\n"
	      "     1.500000000,CPU0,,2.00,\n"
	      "     1.500000000,CPU1,,1.33,\n");
	check(&format_perf_json, &plain,
	      "{\"interval\" : 1.500000000, \"cpu\" : \"0\", \"GHz\" : \"none\", \"insn per cycle\" : \"2.00\"}\n"
	      "{\"interval\" : 1.500000000, \"cpu\" : \"1\", \"GHz\" : \"none\", \"insn per cycle\" : \"1.33\"}\n");
	part = NULL;
	later.header = false;
	later.is_summary = true;
	check(&format_perf_csv, &later,
	      "         summary,CPU0,,2.00,\n"
	      "         summary,CPU1,,1.33,\n");
}

static void each_requested_metric_has_a_column(void **state)
{
	static const size_t indices[] = { 0, 1, 2, 3 };

	resolve_metrics(&metrics, "ratio=cs/faults,ipc", indices);
	prepare("cs,faults,instructions,cycles", PLACE_TARGET, target, 1);
	series.metrics = &metrics;
	check(&format_perf_csv, &plain,
	      "ratio,ipc,\n"
	      "0.500,0.75,\n");
}

static void stalled_cycles_have_a_column_if_they_are_counted(void **state)
{
	prepare("instructions,stalled-cycles-backend", PLACE_TARGET, target, 1);
	check(&format_perf_csv, &plain,
	      "insn per cycle,stalled cycles per insn,backend cycles idle,\n"
	      ",2.00,,\n");
	finish(NULL);
	prepare("instructions,stalled-cycles-backend:u", PLACE_TARGET, target, 1);
	check(&format_perf_csv, &plain,
	      "insn per cycle,backend cycles idle,\n"
	      ",,\n");
}

static void names_are_unique(void **state)
{
	prepare("task-clock,cycles,cycles", PLACE_TARGET, target, 1);
	check(&format_perf_csv, &plain,
	      "GHz,cycles GHz,\n"
	      "2.000,3.000,\n");
	finish(NULL);
	prepare("cycles:u,instructions:u,cycles:k,instructions:k", PLACE_TARGET, target, 1);
	check(&format_perf_csv, &plain,
	      "GHz,insn per cycle,cycles:k GHz,instructions:k insn per cycle,\n"
	      ",2.00,,1.33,\n");
}

static void each_cgroup_has_a_line(void **state)
{
	static char a[] = "a", b[] = "b\"\033";
	char *const names[] = { a, b };
	cleanup_why struct why why = { 0 };

	if (resolve_events(&machine, RESOLVE_BY_ALL, "cycles,instructions", &events, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
	assert_int_equal(event_list_for_cgroups(&events, names, 2), 0);
	series.cgroups_n = 2;
	lay_out(PLACE_TARGET, target, 1);
	check(&format_perf_csv, &plain,
	      "cgroup,GHz,insn per cycle,\n"
	      "a,,2.00,\n"
	      "b\"\\x1b,,1.33,\n");
	check(&format_perf_json, &plain,
	      "{\"cgroup\" : \"a\", \"GHz\" : \"none\", \"insn per cycle\" : \"2.00\"}\n"
	      "{\"cgroup\" : \"b\\\"\\u001b\", \"GHz\" : \"none\", \"insn per cycle\" : \"1.33\"}\n");
	check(&format_table, &plain,
	      "\n"
	      " Performance counter stats for 'prog':\n"
	      "\n"
	      "                        GHz       insn per cycle\n"
	      "a                                          2.00\n"
	      "b\"\\x1b                                     1.33\n"
	      "\n"
	      "       1.000000000 seconds time elapsed\n"
	      "\n");
}

static void without_metrics_only_json_has_a_line(void **state)
{
	prepare("cs,faults", PLACE_TARGET, target, 1);
	check(&format_perf_json, &plain, "{\"metric-value\" : \"none\"}\n");
	check(&format_perf_csv, &plain, "");
}

/* 1, 1.1 and 1.5 s: mean 1.2, s = 0.2646, s/√3 = 0.153. */
static void a_table_of_runs_is_above_the_result(void **state)
{
	const struct format_style style = { .numbers = { ".", "," }, .run_times = true };

	prepare("cs", PLACE_TARGET, target, 1);
	series.runs_n = 3;
	runs[1].tool[TOOL_DURATION_TIME] = 1100000000;
	runs[2].tool[TOOL_DURATION_TIME] = 1500000000;
	check(&format_table, &style,
	      "\n"
	      " Performance counter stats for 'prog' (3 runs):\n"
	      "\n"
	      "               100      cs\n"
	      "\n"
	      "             # Table of individual measurements:\n"
	      "             1,000 (-0,200) #####\n"
	      "             1,100 (-0,100) ##\n"
	      "             1,500 (+0,300) #####\n"
	      "\n"
	      "             # Final result:\n"
	      "             1,200 +- 0,153 seconds time elapsed  ( +- 12,73% )\n"
	      "\n");
	series.runs_n = 1;
	check(&format_table, &style,
	      "\n"
	      " Performance counter stats for 'prog':\n"
	      "\n"
	      "               100      cs\n"
	      "\n"
	      "       1,000000000 seconds time elapsed\n"
	      "\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_metrics_are_in_columns_with_their_names, start,
						finish),
		cmocka_unit_test_setup_teardown(each_place_has_a_line_with_the_same_columns, start,
						finish),
		cmocka_unit_test_setup_teardown(
			intervals_begin_with_the_time_and_the_summary_with_its_name, start, finish),
		cmocka_unit_test_setup_teardown(each_requested_metric_has_a_column, start, finish),
		cmocka_unit_test_setup_teardown(stalled_cycles_have_a_column_if_they_are_counted,
						start, finish),
		cmocka_unit_test_setup_teardown(names_are_unique, start, finish),
		cmocka_unit_test_setup_teardown(each_cgroup_has_a_line, start, finish),
		cmocka_unit_test_setup_teardown(without_metrics_only_json_has_a_line, start,
						finish),
		cmocka_unit_test_setup_teardown(a_table_of_runs_is_above_the_result, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
