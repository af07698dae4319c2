/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf's JSON, character by character. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "format/format.h"
#include "result/table.h"
#include "unit/test.h"

enum { ROWS_MAX = 8, RUNS_MAX = 2 };

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static struct event_list events;
static struct place table[ROWS_MAX];
static struct row rows[ROWS_MAX];
static struct opening openings[ROWS_MAX];
static struct reading readings[RUNS_MAX][ROWS_MAX];
static struct run runs[RUNS_MAX];
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
	event_list_release(&events);
	return 0;
}

/* The events at these places. All runs have the same readings, one for each event. */
static void prepare(const char *list, enum place_kind kind, char *const *labels, size_t places,
		    const struct reading *of_events)
{
	cleanup_why struct why why = { 0 };

	if (resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why) < 0)
		fail_msg("%s: %s", list, why_text(&why, 0));
	series.split = kind;
	series.rows_n = events.n * places;
	assert_true(series.rows_n <= ROWS_MAX);
	for (size_t i = 0; i < places; i++)
		table[i] = (struct place){ kind, labels[i] };
	for (size_t i = 0; i < series.rows_n; i++) {
		rows[i] = (struct row){ .event = i % events.n,
					.place_index = i / events.n,
					.counters = 2 };
		for (size_t run = 0; run < RUNS_MAX; run++)
			readings[run][i] = of_events[i % events.n];
	}
	for (size_t run = 0; run < RUNS_MAX; run++)
		runs[run] = (struct run){ .readings = readings[run],
					  .tool[TOOL_DURATION_TIME] = 1000000000 };
}

#define NO_METRIC ", \"metric-value\" : \"0.000000\", \"metric-unit\" : \"\""

static void check(const char *expected)
{
	/* only formats for people use them */
	const struct format_style style = { .numbers = { ".", "," } };
	cleanup_with(table_release) struct table result = { 0 };
	cleanup_free char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(table_build(&result, &series, part), 0);
	assert_int_equal(format_perf_json.write(&result, &style, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, expected);
}

static char whole[] = "";
static char *const target[] = { whole };

static void a_row_is_an_object_on_a_line(void **state)
{
	static const struct reading of[] = { { COUNTED, { 1234567891, 1234567891, 1234567891 } },
					     { COUNTED, { 12, 1234567891, 1234567891 } } };

	prepare("task-clock,cs", PLACE_TARGET, target, 1, of);
	check("{\"counter-value\" : \"1234.567891\", \"unit\" : \"msec\", \"event\" : \"task-clock\","
	      " \"event-runtime\" : 1234567891, \"pcnt-running\" : 100.00,"
	      " \"metric-value\" : \"1.234568\", \"metric-unit\" : \"CPUs utilized\"}\n"
	      "{\"counter-value\" : \"12.000000\", \"unit\" : \"\", \"event\" : \"cs\","
	      " \"event-runtime\" : 1234567891, \"pcnt-running\" : 100.00,"
	      " \"metric-value\" : \"9.720000\", \"metric-unit\" : \"/sec\"}\n");
}

static void a_missing_count_is_a_word_and_has_no_metric(void **state)
{
	static const struct reading of[] = { { .state = NOT_SUPPORTED },
					     { NOT_COUNTED, { 0, 1000, 0 } },
					     { SCALED, { 999, 100000, 99999 } },
					     { COUNTED, { UINT64_MAX, 10, 10 } } };

	prepare("cycles,branches,cs,r1", PLACE_TARGET, target, 1, of);
	check("{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"cycles\","
	      " \"event-runtime\" : 0, \"pcnt-running\" : 100.00" NO_METRIC "}\n"
	      "{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : \"branches\","
	      " \"event-runtime\" : 0, \"pcnt-running\" : 0.00" NO_METRIC "}\n"
	      "{\"counter-value\" : \"999.000000\", \"unit\" : \"\", \"event\" : \"cs\","
	      " \"event-runtime\" : 99999, \"pcnt-running\" : 99.99" NO_METRIC "}\n"
	      "{\"counter-value\" : \"18446744073709551615.000000\", \"unit\" : \"\", \"event\" : \"r1\","
	      " \"event-runtime\" : 10, \"pcnt-running\" : 100.00" NO_METRIC "}\n");
}

static void a_second_metric_has_a_line_with_time_and_place(void **state)
{
	static const struct reading of[] = { { COUNTED, { 300, 10, 10 } },
					     { COUNTED, { 200, 10, 10 } },
					     { COUNTED, { 60, 10, 10 } } };
	static char core[] = "S0-D0-C1";
	static char *const cores[] = { core };
	const struct interval interval = { .run = runs[0], .at_ns = 12000000345 };

	prepare("instructions,cycles,stalled-cycles-frontend", PLACE_CORE, cores, 1, of);
	part = &interval;
	check("{\"interval\" : 12.000000345, \"core\" : \"S0-D0-C1\", \"counters\" : 2,"
	      " \"counter-value\" : \"300.000000\", \"unit\" : \"\", \"event\" : \"instructions\","
	      " \"event-runtime\" : 10, \"pcnt-running\" : 100.00,"
	      " \"metric-value\" : \"1.500000\", \"metric-unit\" : \"insn per cycle\"}\n"
	      "{\"interval\" : 12.000000345, \"core\" : \"S0-D0-C1\", \"counters\" : 2,"
	      " \"metric-value\" : \"0.200000\", \"metric-unit\" : \"stalled cycles per insn\"}\n"
	      "{\"interval\" : 12.000000345, \"core\" : \"S0-D0-C1\", \"counters\" : 2,"
	      " \"counter-value\" : \"200.000000\", \"unit\" : \"\", \"event\" : \"cycles\","
	      " \"event-runtime\" : 10, \"pcnt-running\" : 100.00" NO_METRIC "}\n"
	      "{\"interval\" : 12.000000345, \"core\" : \"S0-D0-C1\", \"counters\" : 2,"
	      " \"counter-value\" : \"60.000000\", \"unit\" : \"\","
	      " \"event\" : \"stalled-cycles-frontend\","
	      " \"event-runtime\" : 10, \"pcnt-running\" : 100.00,"
	      " \"metric-value\" : \"30.000000\", \"metric-unit\" : \"frontend cycles idle\"}\n");
}

static void places_have_the_name_of_their_kind(void **state)
{
	static const struct {
		enum place_kind kind;
		const char *expected; /* before the value */
	} kinds[] = {
		{ PLACE_CPU, "\"cpu\" : \"7\"" },
		{ PLACE_CLUSTER, "\"cluster\" : \"CPU7\", \"counters\" : 2" },
		{ PLACE_CACHE, "\"cache\" : \"CPU7\", \"counters\" : 2" },
		{ PLACE_DIE, "\"die\" : \"CPU7\", \"counters\" : 2" },
		{ PLACE_SOCKET, "\"socket\" : \"CPU7\", \"counters\" : 2" },
		{ PLACE_NODE, "\"node\" : \"CPU7\", \"counters\" : 2" },
		{ PLACE_THREAD, "\"thread\" : \"CPU7\"" },
	};
	static const struct reading of[] = { { COUNTED, { 3, 10, 10 } } };
	static char label[] = "CPU7";
	static char *const labels[] = { label };

	for (size_t i = 0; i < N_OF(kinds); i++) {
		cleanup_free char *expected = NULL;

		prepare("cs", kinds[i].kind, labels, 1, of);
		assert_true(asprintf(&expected,
				     "{%s, \"counter-value\" : \"3.000000\", \"unit\" : \"\","
				     " \"event\" : \"cs\", \"event-runtime\" : 10,"
				     " \"pcnt-running\" : 100.00" NO_METRIC "}\n",
				     kinds[i].expected) > 0);
		check(expected);
		event_list_release(&events);
	}
}

static void several_runs_have_a_spread_and_cgroups_a_name(void **state)
{
	static const struct reading of[] = { { COUNTED, { 100, 10, 10 } } };

	prepare("cs,cs", PLACE_TARGET, target, 1, (const struct reading[]){ of[0], of[0] });
	events.events[1].cgroup = strdup("a\"b");
	assert_non_null(events.events[1].cgroup);
	readings[1][0].counts.raw = 300;
	series.runs_n = 2;
	check("{\"counter-value\" : \"200.000000\", \"unit\" : \"\", \"event\" : \"cs\", \"cgroup\" : \"\","
	      " \"variance\" : 50.00, \"event-runtime\" : 10, \"pcnt-running\" : 100.00" NO_METRIC
	      "}\n"
	      "{\"counter-value\" : \"100.000000\", \"unit\" : \"\", \"event\" : \"cs\","
	      " \"cgroup\" : \"a\\\"b\", \"variance\" : 0.00, \"event-runtime\" : 10,"
	      " \"pcnt-running\" : 100.00" NO_METRIC "}\n");
}

static void names_are_escaped_and_are_utf8(void **state)
{
	static const struct reading of[] = { { COUNTED, { 1, 10, 10 } } };
	static char label[] = "a\"\\\n\xff\xc3\xa9-12";
	static char *const labels[] = { label };

	prepare("cs", PLACE_THREAD, labels, 1, of);
	free(events.events[0].name);
	events.events[0].name = strdup("{a,\"b");
	assert_non_null(events.events[0].name);
	check("{\"thread\" : \"a\\\"\\\\\\u000a�\xc3\xa9-12\", \"counter-value\" : \"1.000000\","
	      " \"unit\" : \"\", \"event\" : \"{a,\\\"b\", \"event-runtime\" : 10,"
	      " \"pcnt-running\" : 100.00" NO_METRIC "}\n");
}

static void without_counters_there_is_no_line(void **state)
{
	prepare("cs", PLACE_TARGET, target, 0, NULL);
	check("");
}

/* A full disk is an error: the result is not silently cut. */
static void a_failed_write_is_reported(void **state)
{
	static const struct reading of[] = { { COUNTED, { 1, 10, 10 } } };
	const struct format_style style = { 0 };
	cleanup_with(table_release) struct table result = { 0 };
	FILE *out = fopen("/dev/full", "w");

	prepare("cs", PLACE_TARGET, target, 1, of);
	assert_int_equal(table_build(&result, &series, part), 0);
	assert_non_null(out);
	assert_int_equal(setvbuf(out, NULL, _IONBF, 0), 0);
	assert_int_equal(format_perf_json.write(&result, &style, out), -ENOSPC);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_row_is_an_object_on_a_line, start, finish),
		cmocka_unit_test_setup_teardown(a_missing_count_is_a_word_and_has_no_metric, start,
						finish),
		cmocka_unit_test_setup_teardown(a_second_metric_has_a_line_with_time_and_place,
						start, finish),
		cmocka_unit_test_setup_teardown(places_have_the_name_of_their_kind, start, finish),
		cmocka_unit_test_setup_teardown(several_runs_have_a_spread_and_cgroups_a_name,
						start, finish),
		cmocka_unit_test_setup_teardown(names_are_escaped_and_are_utf8, start, finish),
		cmocka_unit_test_setup_teardown(without_counters_there_is_no_line, start, finish),
		cmocka_unit_test_setup_teardown(a_failed_write_is_reported, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
