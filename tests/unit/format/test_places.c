/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of several places: their order, their metrics, and their text, character by character. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "format/format.h"
#include "result/table.h"
#include "unit/format/padding.h"
#include "unit/resolve.h"
#include "unit/test.h"

enum { ROWS_MAX = 32 };

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static struct event_list events;
static struct place table[ROWS_MAX];
static struct row rows[ROWS_MAX];
static struct opening openings[ROWS_MAX];
static struct reading readings[ROWS_MAX];
static struct run run;
static struct interval interval;
static struct metric_request_list metrics;
static struct series series;
static const struct interval *part; /* NULL: the whole series */
static struct table result;

static int start(void **state)
{
	run = (struct run){ .readings = readings, .tool[TOOL_DURATION_TIME] = 1000000000 };
	part = NULL;
	memset(openings, 0, sizeof(openings));
	series = (struct series){ .subject = "'system wide'",
				  .events = &events,
				  .openings = openings,
				  .places = table,
				  .rows = rows,
				  .runs = &run,
				  .runs_n = 1,
				  .cgroups_n = 1,
				  .cpus = 4 };
	return 0;
}

static int finish(void **state)
{
	table_release(&result);
	metric_list_release(&metrics);
	event_list_release(&events);
	return 0;
}

/* Rows for the events at these places, each counted on two CPUs, with the counts 10, 20, 30 … */
static void prepare(const char *list, enum place_kind kind, char *const *labels, size_t places)
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
		readings[i] = (struct reading){ COUNTED, { 10 * (i + 1), 1000, 1000 } };
	}
}

static void build(void)
{
	table_release(&result);
	assert_int_equal(table_build(&result, &series, part), 0);
}

/* Compare all rows, as "label:name=value". */
static void check(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str text = { 0 };

	build();
	for (size_t i = 0; i < result.events_n; i++)
		str_addf(&text, "%s%s:%s=%.0Lf", i ? " " : "", result.v[i].place->label,
			 result.v[i].name, result.v[i].value);
	row_string(&row, str_text(&text), expected);
}

static char whole[] = "";
static char cpu0[] = "CPU0", cpu1[] = "CPU1", cpu2[] = "CPU2";
static char s0[] = "S0", s1[] = "S1";
static char one[] = "one-1", two[] = "two-22", three[] = "a-b-333";

static char *const target[] = { whole };
static char *const cpus[] = { cpu0, cpu1, cpu2 };
static char *const sockets[] = { s0, s1 };
static char *const threads[] = { one, two, three };
static char *const spare[] = { s0, NULL, s1, NULL };

/* ---- The order of the rows, and the rows that are omitted. */

static void cpus_stand_event_by_event(void **state)
{
	prepare("cs,faults", PLACE_CPU, cpus, 3);
	check(__LINE__, "CPU0:cs=10 CPU1:cs=30 CPU2:cs=50 "
			"CPU0:faults=20 CPU1:faults=40 CPU2:faults=60");
}

static void larger_places_stand_one_after_the_other(void **state)
{
	prepare("cs,faults", PLACE_SOCKET, sockets, 2);
	check(__LINE__, "S0:cs=10 S0:faults=20 S1:cs=30 S1:faults=40");
}

static void threads_stand_by_their_counts(void **state)
{
	prepare("cs,faults", PLACE_THREAD, threads, 3);
	readings[1].counts.raw = 90; /* page faults of one CPU */
	readings[5].counts.raw = 40; /* and of three CPUs, as many as two others have */
	check(__LINE__, "a-b-333:cs=50 two-22:cs=30 one-1:cs=10 "
			"one-1:faults=90 two-22:faults=40 a-b-333:faults=40");
}

static void places_that_are_kept_free_are_not_shown(void **state)
{
	prepare("cs,faults", PLACE_SOCKET, spare, 4);
	check(__LINE__, "S0:cs=10 S0:faults=20 S1:cs=50 S1:faults=60");
	finish(NULL);
	prepare("cs", PLACE_CPU, spare, 4);
	check(__LINE__, "S0:cs=10 S1:cs=30");
}

/* An uncore PMU counts on one CPU of each socket, a core PMU of a hybrid machine on some CPUs. */
static void a_place_that_counts_an_event_on_no_cpu_has_no_row(void **state)
{
	prepare("cs,r1", PLACE_CPU, cpus, 3);
	rows[3].counters = 0;
	check(__LINE__, "CPU0:cs=10 CPU1:cs=30 CPU2:cs=50 CPU0:r1=20 CPU2:r1=60");
}

static void what_was_refused_has_its_rows(void **state)
{
	prepare("cs,r1", PLACE_SOCKET, sockets, 2);
	openings[1].refused = true;
	for (size_t i = 1; i < 4; i += 2) {
		rows[i].counters = 0;
		readings[i] = (struct reading){ .state = NOT_SUPPORTED };
	}
	check(__LINE__, "S0:cs=10 S0:r1=0 S1:cs=30 S1:r1=0");
	assert_int_equal(result.v[1].state, NOT_SUPPORTED);
	assert_int_equal(result.v[3].state, NOT_SUPPORTED);
}

/* A thread that never ran has a row without counters, like an idle CPU. */
static void a_thread_without_counters_has_its_row(void **state)
{
	prepare("cs", PLACE_THREAD, threads, 3);
	rows[1].counters = 0;
	readings[1] = (struct reading){ .state = NOT_COUNTED };
	check(__LINE__, "a-b-333:cs=30 one-1:cs=10 two-22:cs=0");
	assert_int_equal(result.v[2].state, NOT_COUNTED);
}

static void of_all_threads_those_without_a_count_are_left_out(void **state)
{
	prepare("cs,faults", PLACE_THREAD, threads, 3);
	series.only_counted = true;
	readings[0].counts.raw = 0;
	readings[3] = (struct reading){ .state = NOT_COUNTED };
	check(__LINE__, "a-b-333:cs=50 two-22:cs=30 a-b-333:faults=60 one-1:faults=20");
}

static void the_tools_own_events_are_shown_once(void **state)
{
	prepare("duration_time,cs", PLACE_SOCKET, sockets, 2);
	check(__LINE__, "S0:duration_time=10 S0:cs=20 S1:cs=40");
}

static void instances_are_merged_place_by_place(void **state)
{
	prepare("r1,r1,cs", PLACE_SOCKET, sockets, 2);
	events.events[1].merged = true;
	events.events[1].name_index = events.events[0].name_index;
	check(__LINE__, "S0:r1=30 S0:cs=30 S1:r1=90 S1:cs=60");
	/* each is in its own socket */
	rows[1].counters = rows[3].counters = 0;
	readings[1] = readings[3] = (struct reading){ .state = NOT_COUNTED };
	check(__LINE__, "S0:r1=10 S0:cs=30 S1:r1=50 S1:cs=60");
	assert_int_equal(result.v[0].state, COUNTED);
	assert_int_equal(result.v[2].state, COUNTED);
	/* and none is in the socket of this one */
	rows[4].counters = 0;
	check(__LINE__, "S0:r1=10 S0:cs=30 S1:cs=60");
}

/* ---- Counts that ran too briefly. */

static void what_ran_too_short_is_not_counted(void **state)
{
	static const struct {
		int line;
		double min_running;
		struct reading reading;
		enum count_state state;
	} cases[] = {
		{ ROW, 5, { SCALED, { 10, 1000, 50 } }, SCALED },
		{ ROW, 5, { SCALED, { 10, 1000, 49 } }, NOT_COUNTED },
		{ ROW, 0, { SCALED, { 10, 1000, 1 } }, SCALED },
		{ ROW, 100, { SCALED, { 10, 1000, 999 } }, NOT_COUNTED },
		{ ROW, 100, { COUNTED, { 10, 1000, 1000 } }, COUNTED },
		{ ROW, 5, { NOT_COUNTED, { 0, 1000, 0 } }, NOT_COUNTED },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		bool too_short = cases[i].reading.state == SCALED && cases[i].state == NOT_COUNTED;

		start(NULL);
		prepare("cycles", PLACE_TARGET, target, 1);
		series.min_running = cases[i].min_running;
		readings[0] = cases[i].reading;
		build();
		row_int(&cases[i], result.v[0].state, cases[i].state);
		row_int(&cases[i], result.v[0].too_short, too_short);
		row_int(&cases[i], result.v[0].count.n, cases[i].state != NOT_COUNTED);
		finish(NULL);
	}
}

static void a_run_that_was_too_short_is_left_out_of_the_mean(void **state)
{
	struct reading others[2] = { { COUNTED, { 40, 1000, 1000 } } };
	struct run runs[2];

	prepare("cycles", PLACE_TARGET, target, 1);
	readings[0] = (struct reading){ SCALED, { 1, 1000, 10 } };
	runs[0] = run;
	runs[1] = run;
	runs[1].readings = others;
	series.runs = runs;
	series.runs_n = 2;
	series.min_running = 5;
	build();
	assert_true(result.v[0].too_short);
	assert_int_equal(result.v[0].state, COUNTED);
	assert_int_equal(result.v[0].count.n, 1);
	assert_int_equal(result.v[0].runs_n, 2);
	assert_double(result.v[0].value, 40);
}

/* ---- Passes. */

static void what_a_pass_did_not_count_is_no_run_of_the_event(void **state)
{
	static const size_t passes[] = { 0, 1, SIZE_MAX };
	struct reading others[3] = { { .state = ELSEWHERE },
				     { COUNTED, { 70, 1000, 1000 } },
				     { COUNTED, { 50, 1000, 1000 } } };
	struct run runs[2];

	prepare("r1,r2,cs", PLACE_TARGET, target, 1);
	readings[1] = (struct reading){ .state = ELSEWHERE };
	runs[0] = run;
	runs[1] = run;
	runs[1].readings = others;
	series.runs = runs;
	series.runs_n = 2;
	series.passes = passes;
	series.passes_n = 2;
	check(__LINE__, ":r1=10 :r2=70 :cs=40");
	assert_int_equal(result.v[0].runs_n, 1);
	assert_int_equal(result.v[1].runs_n, 1);
	assert_int_equal(result.v[2].runs_n, 2);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(result.v[i].state, COUNTED);
}

/* Each count is exact, but they come from different runs. */
static void counts_of_different_passes_are_not_divided(void **state)
{
	static const size_t apart[] = { 0, 1 }, together[] = { 1, 1 };

	prepare("instructions,cycles", PLACE_TARGET, target, 1);
	series.passes = apart;
	build();
	assert_int_equal(result.v[0].metrics_n, 0);
	assert_true(result.ratio_withheld);
	series.passes = together;
	build();
	assert_int_equal(result.v[0].metrics_n, 1);
	assert_false(result.ratio_withheld);
}

/* ---- Metrics. */

static void ratios_are_of_one_place(void **state)
{
	prepare("cycles,instructions", PLACE_SOCKET, sockets, 2);
	build();
	assert_double(result.v[1].metrics[0].value, 20.0 / 10);
	assert_double(result.v[3].metrics[0].value, 40.0 / 30);
	finish(NULL);
	start(NULL);
	/* also if the rows are ordered by event, or by count */
	prepare("cycles,instructions", PLACE_THREAD, threads, 3);
	build();
	assert_string_equal(result.v[3].place->label, "a-b-333");
	assert_double(result.v[3].metrics[0].value, 60.0 / 50);
	assert_double(result.v[5].metrics[0].value, 20.0 / 10);
}

static void ask(const char *list, const size_t *indices)
{
	resolve_metrics(&metrics, list, indices);
	series.metrics = &metrics;
}

static const struct metric *last_metric(size_t row)
{
	const struct measure *found = &result.v[row];

	assert_true(found->metrics_n > 0);
	return &found->metrics[found->metrics_n - 1];
}

static void a_metric_stands_beside_its_first_event(void **state)
{
	static const size_t indices[] = { 1, 2 };

	prepare("cs,{r1,r2}", PLACE_TARGET, target, 1);
	ask("mine=(r1+r2)*cpus/time", indices);
	build();
	assert_int_equal(result.withheld_n, 0);
	assert_int_equal(result.v[0].metrics_n, 0);
	assert_int_equal(result.v[2].metrics_n, 0);
	assert_double(last_metric(1)->value, 50 * 4);
	assert_string_equal(last_metric(1)->unit, "mine");
}

static void a_metric_is_of_each_place(void **state)
{
	static const size_t indices[] = { 0, 1 };

	prepare("{r1,r2}", PLACE_SOCKET, sockets, 2);
	ask("mine=r1/2+r2", indices);
	build();
	assert_double(last_metric(0)->value, 25);
	assert_double(last_metric(2)->value, 55);
}

/* Every cgroup has its own copy of the events, and a metric uses the counts of one cgroup. */
static void a_metric_is_of_each_cgroup(void **state)
{
	static const size_t indices[] = { 0, 1 };
	static char *cgroups[] = { whole, s0, s1 };

	prepare("{r1,r2}", PLACE_TARGET, target, 1);
	assert_int_equal(event_list_for_cgroups(&events, cgroups, 3), 0);
	series.rows_n = events.n;
	series.cgroups_n = 3;
	for (size_t i = 0; i < events.n; i++) {
		rows[i] = (struct row){ .event = i, .counters = 1 };
		readings[i] = (struct reading){ COUNTED, { 10 * (i + 1), 1000, 1000 } };
	}
	ask("mine=r1+100*r2", indices);
	build();
	assert_true(result.has_cgroups);
	assert_double(last_metric(0)->value, 2010);
	assert_double(last_metric(2)->value, 4030);
	assert_double(last_metric(4)->value, 6050);
}

static void a_metric_that_cannot_be_formed_says_why(void **state)
{
	static const size_t indices[] = { 0, 1 };
	static const struct {
		int line;
		const char *list;
		struct reading second;
		bool apart;
		int reason;
		const char *event; /* NULL: none */
	} cases[] = {
		{ ROW, "{r1,r2}", { NOT_COUNTED, { 0, 1000, 0 } }, false, WITHHELD_ABSENT, "r2" },
		{ ROW, "{r1,r2}", { .state = NOT_SUPPORTED }, false, WITHHELD_ABSENT, "r2" },
		{ ROW, "{r1,r2}", { SCALED, { 5, 1000, 500 } }, true, WITHHELD_APART, "r2" },
		{ ROW, "r1,r2", { SCALED, { 5, 1000, 500 } }, false, WITHHELD_APART, "r2" },
		{ ROW, "{r1,r2}", { COUNTED, { 0, 1000, 1000 } }, false, WITHHELD_UNDEFINED, NULL },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		start(NULL);
		prepare(cases[i].list, PLACE_TARGET, target, 1);
		openings[0].apart = openings[1].apart = cases[i].apart;
		readings[1] = cases[i].second;
		ask("mine=r1/r2", indices);
		build();
		row_int(&cases[i], result.v[0].metrics_n, 0);
		row_int(&cases[i], result.withheld_n, 1);
		row_string(&cases[i], result.withheld[0].metric, "mine");
		row_int(&cases[i], result.withheld[0].reason, cases[i].reason);
		row_int(&cases[i], result.withheld[0].event != NULL, cases[i].event != NULL);
		if (cases[i].event)
			row_string(&cases[i], result.withheld[0].event, cases[i].event);
		finish(NULL);
	}
}

/* Scaled counts of one group, or separate counts that ran all the time. */
static void a_metric_of_counts_taken_together_is_formed(void **state)
{
	static const size_t indices[] = { 0, 1 };

	prepare("{r1,r2}", PLACE_TARGET, target, 1);
	readings[0] = (struct reading){ SCALED, { 30, 1000, 500 } };
	readings[1] = (struct reading){ SCALED, { 10, 1000, 500 } };
	ask("mine=r1/r2", indices);
	build();
	assert_double(last_metric(0)->value, 3);
	finish(NULL);
	start(NULL);
	prepare("r1,r2", PLACE_TARGET, target, 1);
	ask("mine=r1/r2", indices);
	build();
	assert_double(last_metric(0)->value, 0.5);
}

/* Once, not for each place. */
static void a_withheld_metric_is_told_once(void **state)
{
	static const size_t indices[] = { 0, 1, 0 };

	prepare("r1,r2", PLACE_CPU, cpus, 3);
	for (size_t i = 1; i < 6; i += 2)
		readings[i] = (struct reading){ .state = NOT_COUNTED };
	ask("mine=r1/r2,other=r1*2", indices);
	build();
	assert_int_equal(result.withheld_n, 1);
	for (size_t i = 0; i < 3; i++) {
		assert_double(last_metric(i)->value, 2 * (20 * (double)i + 10));
		assert_string_equal(last_metric(i)->unit, "other");
	}
}

/* ---- The text. */

static char *text_of(const struct format *format, struct format_style style)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	build();
	style.numbers = (struct num_style){ ",", "." };
	style.separator = ",";
	assert_non_null(out);
	assert_int_equal(format->write(&result, &style, out), 0);
	assert_int_equal(fclose(out), 0);
	remove_padding(text);
	return text;
}

static void check_text(int line, const struct format *format, struct format_style style,
		       const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_free char *text = text_of(format, style);

	row_string(&row, text, expected);
}

/* Only the first row of the table. */
static void check_first_row(int line, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_free char *text = text_of(&format_table, (struct format_style){ 0 });
	char *first = strstr(text, ":\n\n");

	row_true(&row, first != NULL);
	first += 3;
	*strchr(first, '\n') = '\0';
	row_string(&row, first, expected);
}

static void each_kind_of_place_has_its_columns(void **state)
{
	static char core[] = "S0-D0-C1", cluster[] = "S0-D0-CLS64", cache[] = "S0-D0-L3-ID0";
	static char die[] = "S1-D0", node[] = "N0";
	static const struct {
		int line;
		enum place_kind kind;
		char *label;
		const char *table, *csv;
	} cases[] = {
		{ ROW, PLACE_TARGET, whole, "                10      cs",
		  "10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_CPU, cpu0, "CPU0                       10      cs",
		  "CPU0,10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_CORE, core, "S0-D0-C1           2                 10      cs",
		  "S0-D0-C1,2,10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_CLUSTER, cluster, "S0-D0-CLS64          2                 10      cs",
		  "S0-D0-CLS64,2,10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_CACHE, cache, "S0-D0-L3-ID0           2                 10      cs",
		  "S0-D0-L3-ID0,2,10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_DIE, die, "S1-D0           2                 10      cs",
		  "S1-D0,2,10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_SOCKET, s0, "S0        2                 10      cs",
		  "S0,2,10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_NODE, node, "N0        2                 10      cs",
		  "N0,2,10,,cs,1000,100.00,,\n" },
		{ ROW, PLACE_THREAD, three, "             a-b-333                      10      cs",
		  "a-b-333,10,,cs,1000,100.00,,\n" },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		start(NULL);
		prepare("cs", cases[i].kind, &cases[i].label, 1);
		check_first_row(cases[i].line, cases[i].table);
		check_text(cases[i].line, &format_perf_csv, (struct format_style){ 0 },
			   cases[i].csv);
		finish(NULL);
	}
}

/* Such as a kernel worker with the name of its work. */
static void a_long_thread_name_moves_the_others_columns(void **state)
{
	static char worker[] = "kworker/u8:2-events_unbound-2440", shell[] = "sh-1";
	static char *const names[] = { worker, shell };

	prepare("cs", PLACE_THREAD, names, 2);
	interval = (struct interval){ .run = run, .at_ns = 1000000000 };
	part = &interval;
	check_text(
		__LINE__, &format_table, (struct format_style){ .header = true },
		"#           time                        comm-tid                  counts unit events\n"
		"     1.000000000                          sh-1                        20      cs\n"
		"     1.000000000 kworker/u8:2-events_unbound-2440                     10      cs\n");
}

static void without_a_command_there_are_no_times_of_one(void **state)
{
	prepare("cs", PLACE_TARGET, target, 1);
	check_text(__LINE__, &format_table, (struct format_style){ 0 },
		   "\n"
		   " Performance counter stats for 'system wide':\n"
		   "\n"
		   "                10      cs\n"
		   "\n"
		   "       1.000000000 seconds time elapsed\n"
		   "\n");
}

static void passes_are_told_below_the_table(void **state)
{
	prepare("cs", PLACE_TARGET, target, 1);
	series.passes_n = 2;
	check_text(__LINE__, &format_table, (struct format_style){ 0 },
		   "\n"
		   " Performance counter stats for 'system wide':\n"
		   "\n"
		   "                10      cs\n"
		   "\n"
		   "                 2 passes of the command for each measurement\n"
		   "\n"
		   "       1.000000000 seconds time elapsed\n"
		   "\n");
}

static void an_interval_has_its_time_and_sometimes_a_header(void **state)
{
	prepare("cs,faults", PLACE_TARGET, target, 1);
	interval = (struct interval){ .run = run, .at_ns = 1002003004 };
	part = &interval;
	check_text(__LINE__, &format_table, (struct format_style){ .header = true },
		   "#           time             counts unit events\n"
		   "     1.002003004                 10      cs\n"
		   "     1.002003004                 20      faults\n");
	check_text(__LINE__, &format_table, (struct format_style){ 0 },
		   "     1.002003004                 10      cs\n"
		   "     1.002003004                 20      faults\n");
	check_text(__LINE__, &format_perf_csv, (struct format_style){ .header = true },
		   "     1.002003004,10,,cs,1000,100.00,,\n"
		   "     1.002003004,20,,faults,1000,100.00,,\n");
}

static void the_intervals_of_places_have_headers(void **state)
{
	static const struct {
		int line;
		enum place_kind kind;
		const char *header;
	} cases[] = {
		{ ROW, PLACE_CPU, "#           time CPU                    counts unit events\n" },
		{ ROW, PLACE_CORE,
		  "#           time core            cpus             counts unit events\n" },
		{ ROW, PLACE_SOCKET,
		  "#           time socket cpus             counts unit events\n" },
		{ ROW, PLACE_NODE,
		  "#           time node   cpus             counts unit events\n" },
		{ ROW, PLACE_DIE,
		  "#           time die          cpus             counts unit events\n" },
		{ ROW, PLACE_THREAD,
		  "#           time             comm-tid                  counts unit events\n" },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_free char *text = NULL;
		char *end;

		start(NULL);
		prepare("cs", cases[i].kind, sockets, 1);
		interval = (struct interval){ .run = run };
		part = &interval;
		text = text_of(&format_table, (struct format_style){ .header = true });
		end = strchr(text, '\n') + 1;
		/* the count below its heading, and the column of the unit after it */
		row_int(&cases[i], strstr(end, "10      cs") - end + 2,
			strstr(text, "counts") - text + 6);
		*end = '\0';
		row_string(&cases[i], text, cases[i].header);
		finish(NULL);
	}
}

static void a_summary_has_the_word_where_the_time_stands(void **state)
{
	prepare("cs", PLACE_SOCKET, sockets, 2);
	check_text(__LINE__, &format_perf_csv, (struct format_style){ .is_summary = true },
		   "         summary,S0,2,10,,cs,1000,100.00,,\n"
		   "         summary,S1,2,20,,cs,1000,100.00,,\n");
}

static void cgroups_are_a_column(void **state)
{
	prepare("cs,faults,r1", PLACE_TARGET, target, 1);
	events.events[0].cgroup = strdup("system.slice/x");
	events.events[2].cgroup = strdup("a");
	readings[2] = (struct reading){ NOT_COUNTED, { 0, 1000, 0 } };
	check_text(__LINE__, &format_table, (struct format_style){ 0 },
		   "\n"
		   " Performance counter stats for 'system wide':\n"
		   "\n"
		   "                10      cs                               system.slice/x\n"
		   "                20      faults\n"
		   "     <not counted>      r1                        a\n"
		   "\n"
		   "       1.000000000 seconds time elapsed\n"
		   "\n");
	check_text(__LINE__, &format_perf_csv, (struct format_style){ 0 },
		   "10,,cs,system.slice/x,1000,100.00,,\n"
		   "20,,faults,,1000,100.00,,\n"
		   "<not counted>,,r1,a,0,0.00,,\n");
}

/* A wide place does not shift the columns after it. */
static void metrics_of_places_are_in_their_column(void **state)
{
	prepare("cycles,instructions", PLACE_SOCKET, sockets, 1);
	events.events[1].cgroup = strdup("a");
	events.events[0].cgroup = strdup("a");
	interval = (struct interval){ .run = run, .at_ns = 1000000000 };
	part = &interval;
	check_text(
		__LINE__, &format_table, (struct format_style){ 0 },
		"     1.000000000 S0        2                 10      cycles                           a\n"
		"     1.000000000 S0        2                 20      instructions                     a #    2.00  insn per cycle\n");
	check_text(__LINE__, &format_perf_csv, (struct format_style){ 0 },
		   "     1.000000000,S0,2,10,,cycles,a,1000,100.00,,\n"
		   "     1.000000000,S0,2,20,,instructions,a,1000,100.00,2.00,insn per cycle\n");
}

/* The fields of the count are empty; time and place are repeated. */
static void a_second_metric_says_when_and_where(void **state)
{
	static const size_t indices[] = { 1, 0 };

	prepare("{cycles,instructions}", PLACE_SOCKET, sockets, 1);
	ask("mine=instructions - cycles", indices);
	check_text(__LINE__, &format_perf_csv, (struct format_style){ .is_summary = true },
		   "         summary,S0,2,10,,cycles,1000,100.00,,\n"
		   "         summary,S0,2,20,,instructions,1000,100.00,2.00,insn per cycle\n"
		   "         summary,S0,2,,,,,,10.000,mine\n");
	interval = (struct interval){ .run = run, .at_ns = 1002003004 };
	part = &interval;
	check_text(
		__LINE__, &format_table, (struct format_style){ 0 },
		"     1.002003004 S0        2                 10      cycles\n"
		"     1.002003004 S0        2                 20      instructions                     #    2.00  insn per cycle\n"
		"     1.002003004 S0        2                                                          #   10.000 mine\n");
	check_text(__LINE__, &format_perf_csv, (struct format_style){ 0 },
		   "     1.002003004,S0,2,10,,cycles,1000,100.00,,\n"
		   "     1.002003004,S0,2,20,,instructions,1000,100.00,2.00,insn per cycle\n"
		   "     1.002003004,S0,2,,,,,,10.000,mine\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cpus_stand_event_by_event),
		TEST(larger_places_stand_one_after_the_other),
		TEST(threads_stand_by_their_counts),
		TEST(places_that_are_kept_free_are_not_shown),
		TEST(a_place_that_counts_an_event_on_no_cpu_has_no_row),
		TEST(what_was_refused_has_its_rows),
		TEST(a_thread_without_counters_has_its_row),
		TEST(of_all_threads_those_without_a_count_are_left_out),
		TEST(the_tools_own_events_are_shown_once),
		TEST(instances_are_merged_place_by_place),
		TEST(what_ran_too_short_is_not_counted),
		TEST(a_run_that_was_too_short_is_left_out_of_the_mean),
		TEST(what_a_pass_did_not_count_is_no_run_of_the_event),
		TEST(counts_of_different_passes_are_not_divided),
		TEST(ratios_are_of_one_place),
		TEST(a_metric_stands_beside_its_first_event),
		TEST(a_metric_is_of_each_place),
		TEST(a_metric_is_of_each_cgroup),
		TEST(a_metric_that_cannot_be_formed_says_why),
		TEST(a_metric_of_counts_taken_together_is_formed),
		TEST(a_withheld_metric_is_told_once),
		TEST(each_kind_of_place_has_its_columns),
		TEST(a_long_thread_name_moves_the_others_columns),
		TEST(without_a_command_there_are_no_times_of_one),
		TEST(passes_are_told_below_the_table),
		TEST(an_interval_has_its_time_and_sometimes_a_header),
		TEST(the_intervals_of_places_have_headers),
		TEST(a_summary_has_the_word_where_the_time_stands),
		TEST(cgroups_are_a_column),
		TEST(metrics_of_places_are_in_their_column),
		TEST(a_second_metric_says_when_and_where),
	};

	return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
