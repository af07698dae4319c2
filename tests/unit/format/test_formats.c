/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of formats, character by character. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "format/format.h"
#include "result/table.h"
#include "unit/format/padding.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { ROWS_MAX = 8, RUNS_MAX = 3 };

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, "sys/bus/event_source/devices/power/type", "26\n");
	tree_add(machine.root, "sys/bus/event_source/devices/power/events/energy-pkg",
		 "config=0x2\n");
	tree_add(machine.root, "sys/bus/event_source/devices/power/events/energy-pkg.unit",
		 "Joules\n");
	tree_add(machine.root, "sys/bus/event_source/devices/power/events/energy-pkg.scale",
		 "2.3283064365386962890625e-10\n");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

/* The numbers of a result. */
struct given {
	const char *events;
	size_t runs_n;
	struct reading readings[RUNS_MAX][ROWS_MAX];
	struct {
		uint64_t elapsed_ns, user_ns, system_ns;
	} times[RUNS_MAX];
	bool user_only; /* of the first row */
	bool null_run;
	enum scaling scaling;
	bool no_error;
};

static char *format(const struct given *given, const struct format *format,
		    const struct format_style *style)
{
	cleanup_with(event_list_release) struct event_list events = { 0 };
	cleanup_with(table_release) struct table result = { 0 };
	cleanup_why struct why why = { 0 };
	struct row rows[ROWS_MAX] = { 0 };
	struct opening openings[ROWS_MAX] = { { .user_only = given->user_only } };
	struct run runs[RUNS_MAX] = { 0 };
	struct reading readings[RUNS_MAX][ROWS_MAX];
	static char no_label[] = "";
	static const struct place whole = { .label = no_label };
	struct series series = { .subject = "'prog --flag'",
				 .events = &events,
				 .openings = openings,
				 .cgroups_n = 1,
				 .has_usage = true };
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!given->null_run &&
	    resolve_events(&machine, RESOLVE_BY_ALL, given->events, &events, &why) < 0)
		fail_msg("%s: %s", given->events, why_text(&why, 0));
	memcpy(readings, given->readings, sizeof(readings));
	for (size_t i = 0; i < events.n; i++)
		rows[i] = (struct row){ .event = i, .counters = 1 };
	for (size_t i = 0; i < given->runs_n; i++)
		runs[i] = (struct run){ .readings = readings[i],
					.tool[TOOL_DURATION_TIME] = given->times[i].elapsed_ns,
					.tool[TOOL_USER_TIME] = given->times[i].user_ns,
					.tool[TOOL_SYSTEM_TIME] = given->times[i].system_ns };
	series.places = &whole;
	series.rows = rows;
	series.rows_n = events.n;
	series.runs = runs;
	series.runs_n = given->runs_n;
	series.scaling = given->scaling;
	series.no_error = given->no_error;
	series.null_run = given->null_run;
	assert_int_equal(table_build(&result, &series, NULL), 0);
	out = open_memstream(&text, &size);
	assert_non_null(out);
	assert_int_equal(format->write(&result, style, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void check_table(const struct given *given, const struct num_style *numbers,
			const char *expected)
{
	const struct format_style style = { .numbers = *numbers };
	cleanup_free char *text = format(given, &format_table, &style);

	remove_padding(text);
	assert_string_equal(text, expected);
}

static void check_csv(const struct given *given, const char *separator, const char *expected)
{
	/* only formats for people use them */
	const struct format_style style = { .numbers = { ".", "," }, .separator = separator };
	cleanup_free char *text = format(given, &format_perf_csv, &style);

	assert_string_equal(text, expected);
}

static const struct num_style commas = { ",", "." };

static const struct given usual = {
	.events = "task-clock,context-switches,cycles,instructions,branches,branch-misses",
	.runs_n = 1,
	.readings = { { { COUNTED, { 1234567890, 1234567890, 1234567890 } },
			{ COUNTED, { 12, 1234567890, 1234567890 } },
			{ COUNTED, { 3703703670, 1234567890, 1234567890 } },
			{ COUNTED, { 7407407340, 1234567890, 1234567890 } },
			{ COUNTED, { 1000000, 1234567890, 1234567890 } },
			{ COUNTED, { 23456, 1234567890, 1234567890 } } } },
	.times = { { 1300000000, 1200000000, 34567000 } },
};

static void a_usual_run_looks_as_with_perf(void **state)
{
	check_table(
		&usual, &commas,
		"\n"
		" Performance counter stats for 'prog --flag':\n"
		"\n"
		"          1,234.57 msec task-clock                       #    0.950 CPUs utilized\n"
		"                12      context-switches                 #    9.720 /sec\n"
		"     3,703,703,670      cycles                           #    3.000 GHz\n"
		"     7,407,407,340      instructions                     #    2.00  insn per cycle\n"
		"         1,000,000      branches                         #  810.000 K/sec\n"
		"            23,456      branch-misses                    #    2.35% of all branches\n"
		"\n"
		"       1.300000000 seconds time elapsed\n"
		"\n"
		"       1.200000000 seconds user\n"
		"       0.034567000 seconds sys\n"
		"\n\n");
}

static void a_usual_run_as_csv(void **state)
{
	check_csv(&usual, ",",
		  "1234.57,msec,task-clock,1234567890,100.00,0.950,CPUs utilized\n"
		  "12,,context-switches,1234567890,100.00,9.720,/sec\n"
		  "3703703670,,cycles,1234567890,100.00,3.000,GHz\n"
		  "7407407340,,instructions,1234567890,100.00,2.00,insn per cycle\n"
		  "1000000,,branches,1234567890,100.00,810.000,K/sec\n"
		  "23456,,branch-misses,1234567890,100.00,2.35,of all branches\n");
}

/* Means 200 and 1000; deviations ±10, 0: s = 10, s/√3 = 5.7735, of 200 2.89 %. */
static const struct given repeated = {
	.events = "cycles,cs",
	.runs_n = 3,
	.readings = { { { COUNTED, { 190, 1000, 1000 } }, { COUNTED, { 1000, 900, 900 } } },
		      { { COUNTED, { 200, 1000, 1000 } }, { COUNTED, { 1000, 1000, 1000 } } },
		      { { COUNTED, { 210, 1000, 1000 } }, { COUNTED, { 1000, 1100, 1100 } } } },
	.times = { { 1000000000, 900000000, 0 },
		   { 1010000000, 900000000, 0 },
		   { 1020000000, 900000000, 0 } },
};

static void repeated_runs_show_the_mean_and_its_error(void **state)
{
	check_table(
		&repeated, &commas,
		"\n"
		" Performance counter stats for 'prog --flag' (3 runs):\n"
		"\n"
		"               200      cycles                                                               ( +-  2.89% )\n"
		"             1,000      cs\n"
		"\n"
		"           1.01000 +- 0.00577 seconds time elapsed  ( +-  0.57% )\n"
		"\n"
		"       0.900000000 +- 0.000000000 seconds user\n"
		"       0.000000000 +- 0.000000000 seconds sys\n"
		"\n\n");
	check_csv(&repeated, ",",
		  "200,,cycles,2.89%,1000,100.00,,\n"
		  "1000,,cs,0.00%,1000,100.00,,\n");
}

static const struct given absent = {
	.events = "cycles,instructions,branches,cs",
	.runs_n = 1,
	.readings = { { { .state = NOT_SUPPORTED },
			{ NOT_COUNTED, { 0, 1000, 0 } },
			{ .state = FAILED },
			{ COUNTED, { 0, 10, 10 } } } },
	.times = { { 1, 2, 3 } },
};

static void a_missing_count_is_not_zero(void **state)
{
	check_table(&absent, &commas,
		    "\n"
		    " Performance counter stats for 'prog --flag':\n"
		    "\n"
		    "   <not supported>      cycles\n"
		    "     <not counted>      instructions\n"
		    "     <not counted>      branches\n"
		    "                 0      cs\n"
		    "\n"
		    "       0.000000001 seconds time elapsed\n"
		    "\n"
		    "       0.000000002 seconds user\n"
		    "       0.000000003 seconds sys\n"
		    "\n\n");
	check_csv(&absent, ",",
		  "<not supported>,,cycles,0,100.00,,\n"
		  "<not counted>,,instructions,0,0.00,,\n"
		  "<not counted>,,branches,0,100.00,,\n"
		  "0,,cs,10,100.00,,\n");
}

static const struct given scaled = {
	.events = "{cycles,instructions},branches",
	.no_error = true,
	.runs_n = 1,
	.readings = { { { SCALED, { 100, 3000, 1000 } },
			{ SCALED, { 250, 3000, 1000 } },
			{ SCALED, { 999, 100000, 99999 } } } },
	.times = { { 1000000000, 0, 0 } },
	.user_only = true,
};

static void scaled_counts_show_their_share(void **state)
{
	check_table(
		&scaled, &num_plain,
		"\n"
		" Performance counter stats for 'prog --flag':\n"
		"\n"
		"               300      cycles:u                                                             (33.33%)\n"
		"               750      instructions                     #    2.50  insn per cycle           (33.33%)\n"
		"               999      branches                                                             (99.99%)\n"
		"\n"
		"       1.000000000 seconds time elapsed\n"
		"\n"
		"       0.000000000 seconds user\n"
		"       0.000000000 seconds sys\n"
		"\n\n");
	check_csv(&scaled, ";",
		  "300;;cycles:u;1000;33.33;;\n"
		  "750;;instructions;1000;33.33;2.50;insn per cycle\n"
		  "999;;branches;99999;99.99;;\n");
}

#define ESTIMATE(count, half_width) .estimate = { count, half_width }, .has_estimate = true

static const struct given estimated = {
	.events = "cs,cycles,instructions,branches,r1",
	.runs_n = 1,
	.readings = { { { COUNTED, { 5, 1000, 1000 } },
			{ SCALED, { 100, 1000, 400 }, ESTIMATE(260.9, 5.2) },
			{ SCALED, { 250, 1000, 400 }, ESTIMATE(700, NAN) },
			{ SCALED, { 40, 1000, 400 } },
			{ SCALED, { 10000, 1000, 400 }, ESTIMATE(25000, 1) } } },
	.times = { { 1000000000, 0, 0 } },
};

/* Check the lines of the events, in a terminal of this width. */
static void check_rows(const struct given *given, int width, bool ascii, const char *expected)
{
	const struct format_style style = { .numbers = num_plain, .width = width, .ascii = ascii };
	cleanup_free char *text = format(given, &format_table, &style);
	char *begin = strstr(text, ":\n\n"), *end = begin ? strstr(begin + 3, "\n\n") : NULL;

	if (!end)
		fail_msg("no rows in:\n%s", text);
	else
		end[1] = '\0';
	assert_string_equal(begin ? begin + 3 : text, expected);
}

/* The columns after the interval are aligned. An interval is not shown as 0. */
static void estimates_show_their_interval(void **state)
{
	check_rows(
		&estimated, 80, false,
		"                 5      cs\n"
		"               260      cycles                                 ±  2.0%  (40.00%)\n"
		"               625      instructions                           ± ?      (40.00%)\n"
		"               100      branches                               ± ?      (40.00%)\n"
		"             25000      r1                                     ±  0.1%  (40.00%)\n");
	check_rows(&estimated, 60, true,
		   "                 5      cs\n"
		   "               260      cycles            +-  2.0%  (40.00%)\n"
		   "               625      instructions      +- ?      (40.00%)\n"
		   "               100      branches          +- ?      (40.00%)\n"
		   "             25000      r1                +-  0.1%  (40.00%)\n");
}

/* A narrow terminal has no room for both the spread of the runs and the interval. */
static void a_narrow_table_has_one_column_for_spread_and_interval(void **state)
{
	static const struct given runs = {
		.events = "task-clock,cycles,instructions,branches",
		.runs_n = 2,
		.readings = { { { COUNTED, { 1000000, 1000, 1000 } },
				{ SCALED, { 100, 1000, 400 }, ESTIMATE(250, 50) },
				{ SCALED, { 250, 1000, 400 }, ESTIMATE(700, 7) },
				{ SCALED, { 40, 1000, 400 } } },
			      { { COUNTED, { 2000000, 1000, 1000 } },
				{ SCALED, { 110, 1000, 400 }, ESTIMATE(260, 50) },
				{ SCALED, { 250, 1000, 400 }, ESTIMATE(700, 7) },
				{ SCALED, { 41, 1000, 400 } } } },
		.times = { { 1000000000, 0, 0 }, { 1000000000, 0, 0 } },
	};

	check_rows(
		&runs, 100, false,
		"              1.50 msec task-clock   #    0.002 CPUs utilized       ( +- 33.33% )\n"
		"               255      cycles       #    0.000 GHz                 ( +-  1.96% )  ± 24.9%  (40.00%)\n"
		"               700      instructions                                               ±  0.7%  (40.00%)\n"
		"               101      branches     #   67.500 K/sec               ( +-  1.23% )  ± ?      (40.00%)\n");
	check_rows(&runs, 80, false,
		   "1.50 msec task-clock   #    0.002 CPUs utilized  ( +- 33.33% )\n"
		   " 255      cycles       #    0.000 GHz            ± 24.9%        (40.00%)\n"
		   " 700      instructions                           ±  0.7%        (40.00%)\n"
		   " 101      branches     #   67.500 K/sec          ± ?            (40.00%)\n");
}

static void no_scaling_shows_raw_counts(void **state)
{
	struct given given = scaled;

	given.scaling = SCALE_NOT;
	check_csv(&given, ",",
		  "100,,cycles:u,1000,33.33,,\n"
		  "250,,instructions,1000,33.33,2.50,insn per cycle\n"
		  "999,,branches,99999,99.99,,\n");
}

static const struct given large = {
	.events = "r1,power/energy-pkg/,cpu-clock",
	.runs_n = 1,
	.readings = { { { COUNTED, { UINT64_MAX, 10, 10 } },
			{ COUNTED, { 4294967296000, 10, 10 } },
			{ COUNTED, { 18000000000000000000U, 10, 10 } } } },
	.times = { { 18000000000000000000U, 0, 0 } },
};

static void large_counts_are_exact_and_columns_line_up(void **state)
{
	check_table(
		&large, &commas,
		"\n"
		" Performance counter stats for 'prog --flag':\n"
		"\n"
		"18,446,744,073,709,551,615        r1                               #    1.025 G/sec\n"
		"                  1,000.00 Joules power/energy-pkg/                #    0.000 /sec\n"
		"     18,000,000,000,000.00 msec   cpu-clock                        #    1.000 CPUs utilized\n"
		"\n"
		" 18000000000.000000000 seconds time elapsed\n"
		"\n"
		"       0.000000000 seconds user\n"
		"       0.000000000 seconds sys\n"
		"\n\n");
	check_csv(&large, ",",
		  "18446744073709551615,,r1,10,100.00,1.025,G/sec\n"
		  "1000.00,Joules,power/energy-pkg/,10,100.00,0.000,/sec\n"
		  "18000000000000.00,msec,cpu-clock,10,100.00,1.000,CPUs utilized\n");
}

static const struct given utf8 = {
	.events = "power/energy-pkg,name='énergie·é'/,cs,"
		  "power/energy-pkg,name=a_name_that_is_longer_than_its_column_is/",
	.no_error = true,
	.runs_n = 1,
	.readings = { { { COUNTED, { 0, 10, 10 } },
			{ COUNTED, { 1234567, 10, 10 } },
			{ SCALED, { 0, 10, 5 } } } },
	.times = { { 1000000000, 0, 0 } },
};

static void columns_count_characters_not_bytes(void **state)
{
	static const struct num_style spaces = { "\xe2\x80\xaf", "," }; /* as in fr_FR.UTF-8 */

	check_table(
		&utf8, &spaces,
		"\n"
		" Performance counter stats for 'prog --flag':\n"
		"\n"
		"              0,00 Joules énergie·é\n"
		"         1\xe2\x80\xaf"
		"234\xe2\x80\xaf"
		"567        cs\n"
		"              0,00 Joules a_name_that_is_longer_than_its_column_is                                     (50,00%)\n"
		"\n"
		"       1,000000000 seconds time elapsed\n"
		"\n"
		"       0,000000000 seconds user\n"
		"       0,000000000 seconds sys\n"
		"\n\n");
	check_csv(&utf8, "\t",
		  "0.00\tJoules\ténergie·é\t10\t100.00\t\t\n"
		  "1234567\t\tcs\t10\t100.00\t\t\n"
		  "0.00\tJoules\ta_name_that_is_longer_than_its_column_is\t5\t50.00\t\t\n");
}

static void a_run_without_counters_has_its_times(void **state)
{
	static const struct given null_run = { .runs_n = 1,
					       .times = { { 1500000000, 1000000000, 250000000 } },
					       .null_run = true };

	check_table(&null_run, &commas,
		    "\n"
		    " Performance counter stats for 'prog --flag':\n"
		    "\n"
		    "       1.500000000 seconds time elapsed\n"
		    "\n"
		    "       1.000000000 seconds user\n"
		    "       0.250000000 seconds sys\n"
		    "\n\n");
	check_csv(&null_run, ",", "");
}

static const struct given two_metrics = {
	.events = "instructions,cycles,stalled-cycles-frontend",
	.runs_n = 2,
	.readings = { { { COUNTED, { 300, 10, 10 } },
			{ COUNTED, { 200, 10, 10 } },
			{ COUNTED, { 60, 10, 10 } } },
		      { { COUNTED, { 300, 10, 10 } },
			{ COUNTED, { 200, 10, 10 } },
			{ COUNTED, { 60, 10, 10 } } } },
	.times = { { 1000000000, 0, 0 }, { 1000000000, 0, 0 } },
};

static void a_second_metric_has_a_line_of_its_own(void **state)
{
	check_table(
		&two_metrics, &commas,
		"\n"
		" Performance counter stats for 'prog --flag' (2 runs):\n"
		"\n"
		"               300      instructions                     #    1.50  insn per cycle\n"
		"                                                         #    0.20  stalled cycles per insn\n"
		"               200      cycles\n"
		"                60      stalled-cycles-frontend          #   30.00% frontend cycles idle\n"
		"\n"
		"       1.000000000 +- 0.000000000 seconds time elapsed\n"
		"\n"
		"       0.000000000 +- 0.000000000 seconds user\n"
		"       0.000000000 +- 0.000000000 seconds sys\n"
		"\n\n");
	check_csv(&two_metrics, ",",
		  "300,,instructions,0.00%,10,100.00,1.50,insn per cycle\n"
		  ",,,,,,0.20,stalled cycles per insn\n"
		  "200,,cycles,0.00%,10,100.00,,\n"
		  "60,,stalled-cycles-frontend,0.00%,10,100.00,30.00,frontend cycles idle\n");
}

/* A full disk is an error: the result is not silently cut. */
static void a_failed_write_is_reported(void **state)
{
	static const struct format *const shown[] = {
		&format_table,	     &format_perf_csv, &format_csv,
		&format_csv_summary, &format_markdown, &format_openmetrics,
	};
	static char name[] = "cs", unit[] = "";
	struct event event = { .name = name, .unit = unit };
	const struct event_list events = { .events = &event, .n = 1 };
	const struct opening opening = { .refused = true };
	const struct place place = { .label = unit };
	const struct row only = { .event = 0 };
	struct reading reading = { NOT_SUPPORTED, { 0 } };
	struct run run = { .readings = &reading };
	const struct series series = { .subject = "'prog'",
				       .events = &events,
				       .openings = &opening,
				       .places = &place,
				       .rows = &only,
				       .rows_n = 1,
				       .runs = &run,
				       .runs_n = 1,
				       .cgroups_n = 1 };
	cleanup_with(table_release) struct table table = { 0 };

	assert_int_equal(table_build(&table, &series, NULL), 0);
	for (size_t i = 0; i < N_OF(shown); i++) {
		const struct format_style style = { .numbers = commas, .separator = "," };
		FILE *out = fopen("/dev/full", "w");

		assert_non_null(out);
		assert_int_equal(setvbuf(out, NULL, _IONBF, 0), 0);
		assert_int_equal(shown[i]->write(&table, &style, out), -ENOSPC);
		fclose(out);
	}
}

static void format_names_only_formats_for_a_stream(void **state)
{
	for (size_t i = 0; formats[i]; i++) {
		const struct format *found = format_find(formats[i]->name);
		bool named = formats[i]->destination != DESTINATION_FILE;

		assert_ptr_equal(found, named ? formats[i] : NULL);
		assert_true(formats[i]->write || formats[i]->write_comparison);
		assert_true(formats[i]->write_comparison || !formats[i]->has_cases);
	}
	assert_null(format_find("html"));
	assert_null(format_find(""));
	assert_null(format_find("tables"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_usual_run_looks_as_with_perf),
		cmocka_unit_test(a_usual_run_as_csv),
		cmocka_unit_test(repeated_runs_show_the_mean_and_its_error),
		cmocka_unit_test(a_missing_count_is_not_zero),
		cmocka_unit_test(scaled_counts_show_their_share),
		cmocka_unit_test(estimates_show_their_interval),
		cmocka_unit_test(a_narrow_table_has_one_column_for_spread_and_interval),
		cmocka_unit_test(no_scaling_shows_raw_counts),
		cmocka_unit_test(format_names_only_formats_for_a_stream),
		cmocka_unit_test(large_counts_are_exact_and_columns_line_up),
		cmocka_unit_test(columns_count_characters_not_bytes),
		cmocka_unit_test(a_run_without_counters_has_its_times),
		cmocka_unit_test(a_second_metric_has_a_line_of_its_own),
		cmocka_unit_test(a_failed_write_is_reported),
	};

	return cmocka_run_group_tests_name("formats", tests, set_up, tear_down);
}
