/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers that every format prints, computed once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "metric/metric_list.h"
#include "result/table.h"
#include "unit/resolve.h"
#include "unit/test.h"

enum { RUNS_N = 3, ROWS_MAX = 6 };

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static struct event_list events;
static struct row rows[ROWS_MAX];
static struct opening openings[ROWS_MAX];
static struct reading readings[RUNS_N][ROWS_MAX];
static struct run runs[RUNS_N];
static struct series series;
static struct table result;

static struct reading estimate(uint64_t raw, double count, double half_width)
{
	return (struct reading){
		SCALED, { raw, 100, 40 }, .estimate = { count, half_width }, .has_estimate = true
	};
}

static int start(void **state)
{
	static char no_label[] = "";
	static const struct place whole = { .label = no_label };

	series = (struct series){ .subject = "'prog'",
				  .events = &events,
				  .openings = openings,
				  .cgroups_n = 1,
				  .has_usage = true,
				  .places = &whole,
				  .rows = rows,
				  .rows_n = 1,
				  .runs = runs,
				  .runs_n = RUNS_N };
	for (size_t i = 0; i < ROWS_MAX; i++) {
		rows[i] = (struct row){ .event = i, .counters = 1 };
		openings[i] = (struct opening){ 0 };
	}
	events = (struct event_list){ 0 };
	result = (struct table){ 0 };
	memset(readings, 0, sizeof(readings));
	for (size_t i = 0; i < RUNS_N; i++)
		runs[i] = (struct run){ .readings = readings[i] };
	return 0;
}

static int finish(void **state)
{
	table_release(&result);
	event_list_release(&events);
	return 0;
}

static void resolve(const char *list)
{
	cleanup_why struct why why = { 0 };

	if (resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why) < 0)
		fail_msg("%s: %s", list, why_text(&why, 0));
}

static void build_resolved(void)
{
	series.rows_n = events.n;
	assert_int_equal(table_build(&result, &series, NULL), 0);
}

static void build(const char *list)
{
	resolve(list);
	build_resolved();
}

static void the_state_of_a_row_is_that_of_its_runs(void **state)
{
	static const struct {
		int line;
		enum count_state runs[RUNS_N], row;
		size_t counted;
	} cases[] = {
		{ ROW, { COUNTED, COUNTED, COUNTED }, COUNTED, 3 },
		{ ROW, { COUNTED, SCALED, COUNTED }, SCALED, 3 },
		{ ROW, { SCALED, SCALED, SCALED }, SCALED, 3 },
		/* a run without a count is left out of the mean */
		{ ROW, { NOT_COUNTED, COUNTED, COUNTED }, COUNTED, 2 },
		{ ROW, { COUNTED, FAILED, SCALED }, SCALED, 2 },
		{ ROW, { FAILED, NOT_COUNTED, COUNTED }, COUNTED, 1 },
		{ ROW, { NOT_COUNTED, NOT_COUNTED, NOT_COUNTED }, NOT_COUNTED, 0 },
		{ ROW, { NOT_SUPPORTED, NOT_SUPPORTED, NOT_SUPPORTED }, NOT_SUPPORTED, 0 },
		{ ROW, { FAILED, FAILED, FAILED }, FAILED, 0 },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		start(NULL);
		for (size_t run = 0; run < RUNS_N; run++) {
			readings[run][0].state = cases[i].runs[run];
			if (cases[i].runs[run] == COUNTED || cases[i].runs[run] == SCALED)
				readings[run][0].counts = (struct counts){ 50, 100, 100 };
		}
		build("cycles");
		row_int(&cases[i], result.v[0].state, cases[i].row);
		row_int(&cases[i], result.v[0].count.n, cases[i].counted);
		row_true(&cases[i], result.v[0].value == (cases[i].counted ? 50 : 0));
		finish(NULL);
	}
}

static void the_value_is_the_mean_in_the_events_unit(void **state)
{
	for (uint64_t i = 0; i < RUNS_N; i++)
		readings[i][0].counts = readings[i][1].counts =
			(struct counts){ (i + 1) * 1500000, 10, 10 };
	build("task-clock,cycles");
	assert_double(result.v[0].value, 3);
	assert_int_equal(result.v[0].decimals, 2);
	assert_double(result.v[1].value, 3000000);
	assert_int_equal(result.v[1].decimals, 0);
	/* s = 1.5e6, √3 runs, of 3e6: 100 / (2√3) */
	assert_double(result.v[0].spread_percent, 28.8675134594813);
	assert_double(result.v[1].spread_percent, 28.8675134594813);
}

static void times_are_means_and_shares_of_the_sums(void **state)
{
	readings[0][0] = (struct reading){ SCALED, { 10, 100, 50 } };
	readings[1][0] = (struct reading){ SCALED, { 10, 100, 30 } };
	readings[2][0] = (struct reading){ COUNTED, { 10, 100, 100 } };
	for (uint64_t i = 0; i < RUNS_N; i++) {
		runs[i].tool[TOOL_DURATION_TIME] = 100 * (i + 1);
		runs[i].tool[TOOL_USER_TIME] = 10 * (i + 1);
		runs[i].tool[TOOL_SYSTEM_TIME] = i;
	}
	build("cycles");
	assert_int_equal(result.v[0].running_ns, 60);
	assert_double(result.v[0].running_percent, 60);
	assert_double(table_own(&result, TOOL_DURATION_TIME)->value, 200);
	assert_double(table_own(&result, TOOL_USER_TIME)->value, 20);
	assert_double(table_own(&result, TOOL_SYSTEM_TIME)->value, 1);
	assert_int_equal(table_own(&result, TOOL_DURATION_TIME)->summary.n, 3);
}

static void counts_are_scaled_unless_scaling_is_off(void **state)
{
	for (size_t i = 0; i < RUNS_N; i++)
		readings[i][0] = (struct reading){ SCALED, { 10, 100, 50 } };
	build("cycles");
	assert_double(result.v[0].value, 20);
	finish(NULL);
	series.scaling = SCALE_NOT;
	build("cycles");
	assert_double(result.v[0].value, 10);
}

/* 10 * 100 / 30 = 33.3, 20 * 100 / 30 = 66.6, and 5 */
static void perf_truncates_the_scaled_count_of_each_run(void **state)
{
	readings[0][0] = (struct reading){ SCALED, { 10, 100, 30 } };
	readings[1][0] = (struct reading){ SCALED, { 20, 100, 30 } };
	readings[2][0] = (struct reading){ COUNTED, { 5, 100, 100 } };
	build("task-clock");
	assert_double(result.v[0].count.mean, 35);
	assert_double(measure_perf_value(&result.v[0]), 104 / 3.0 * 1e-6);
	finish(NULL);
	readings[0][0] = readings[1][0] = readings[2][0];
	build("cycles");
	assert_double(measure_perf_value(&result.v[0]), 5);
}

static void a_row_restricted_to_user_mode_has_the_modifier(void **state)
{
	static const struct {
		int line;
		const char *event, *name;
	} names[] = {
		{ ROW, "cycles", "cycles:u" },
		{ ROW, "r3c", "r3c:u" },
		{ ROW, "cycles:D", "cycles:Du" },
		{ ROW, "cycles:pp", "cycles:ppu" },
		{ ROW, "4:0x3c", "4:0x3c:u" },
		/* a '/' that does not end a PMU's terms */
		{ ROW, "mem:0x1000/4:w", "mem:0x1000/4:w:u" },
		{ ROW, "mem:0x1000/4:w:D", "mem:0x1000/4:w:Du" },
	};

	for (size_t i = 0; i < N_OF(names); i++) {
		start(NULL);
		build(names[i].event);
		row_string(&names[i], result.v[0].name, names[i].event);
		finish(NULL);
		openings[0].user_only = true;
		build(names[i].event);
		row_string(&names[i], result.v[0].name, names[i].name);
		finish(NULL);
	}
}

static void ratios_are_formed_within_groups(void **state)
{
	for (size_t i = 0; i < RUNS_N; i++) {
		readings[i][0] = (struct reading){ SCALED, { 300, 100, 50 } };
		readings[i][1] = (struct reading){ SCALED, { 200, 100, 50 } };
	}
	build("{instructions,cycles}");
	assert_int_equal(result.v[0].metrics_n, 1);
	assert_double(result.v[0].metrics[0].value, 1.5);
	assert_false(result.ratio_withheld);
	finish(NULL);
	build("instructions,cycles");
	assert_int_equal(result.v[0].metrics_n, 0);
	assert_true(result.ratio_withheld);
}

/* The counts of one group are missing for the same time, so the error of their ratio is that of the
 * less certain count. Errors of several groups are added. */
static void a_metric_of_estimates_has_their_error(void **state)
{
	static const struct {
		int line;
		const char *metric, *events;
		double half_widths[3]; /* of 3000, 2000 and 1000; 0: exact, NAN: unknown */
		double error;
	} cases[] = {
		{ ROW, "x=instructions/cycles", "{instructions,cycles},r1", { 0, 0, 0 }, 0 },
		{ ROW, "x=instructions/cycles", "{instructions,cycles},r1", { 30, 60, 0 }, 0.03 },
		{ ROW, "x=instructions/cycles", "{instructions,cycles},r1", { 30, NAN, 0 }, NAN },
		{ ROW, "x=instructions/cycles", "{instructions,cycles},r1", { 30, 60, 500 }, 0.03 },
		{ ROW, "x=instructions/cycles", "instructions,cycles,r1", { 0, 0, 20 }, 0 },
		/* groups of their own: 1 % more, and 1 / 0.97 - 1 more */
		{ ROW,
		  "x=instructions/cycles",
		  "instructions,cycles,r1",
		  { 30, 60, 0 },
		  0.01 + 0.03 / 0.97 },
		/* 90 of 1000, 90 of 5000 */
		{ ROW, "x=instructions - cycles", "{instructions,cycles},r1", { 30, 60, 0 }, 0.09 },
		{ ROW,
		  "x=instructions + cycles",
		  "{instructions,cycles},r1",
		  { 30, 60, 0 },
		  0.018 },
		{ ROW, "x=instructions - cycles", "{instructions,cycles},r1", { 0, 0, 0 }, 0 },
		{ ROW, "x=instructions - cycles", "{instructions,cycles},r1", { NAN, 0, 0 }, NAN },
	};
	static const uint64_t counts[] = { 3000, 2000, 1000 };

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_with(metric_list_release) struct metric_request_list metrics = { 0 };
		static const size_t metric_events[] = { 0, 1 };
		const struct metric *metric;
		double error;

		start(NULL);
		series.runs_n = 1;
		for (size_t row = 0; row < 3; row++) {
			double half_width = cases[i].half_widths[row];

			readings[0][row] =
				estimate(counts[row] / 2, (double)counts[row], half_width);
			if (half_width == 0)
				readings[0][row] =
					(struct reading){ COUNTED, { counts[row], 100, 100 } };
		}
		resolve_metrics(&metrics, cases[i].metric, metric_events);
		series.metrics = &metrics;
		build(cases[i].events);
		metric = &result.v[0].metrics[result.v[0].metrics_n - 1];
		row_true(&cases[i], metric->measure != NULL);
		error = measure_error_percent(metric->measure) / 100;
		row_true(&cases[i], isnan(cases[i].error) ? isnan(error) :
							    fabs(error - cases[i].error) < 1e-9);
		finish(NULL);
	}
}

/* A weak group that was taken apart was not counted together. */
static void counts_of_a_split_group_are_not_divided(void **state)
{
	for (size_t i = 0; i < RUNS_N; i++) {
		readings[i][0] = (struct reading){ SCALED, { 300, 100, 50 } };
		readings[i][1] = (struct reading){ SCALED, { 200, 100, 30 } };
	}
	openings[0].apart = openings[1].apart = true;
	build("{instructions,cycles}:W");
	assert_int_equal(result.v[0].metrics_n, 0);
	assert_true(result.ratio_withheld);
}

/* Instances of one PMU are one row, whose count is their sum. */
static void merged_instances_are_one_row(void **state)
{
	for (size_t i = 0; i < RUNS_N; i++) {
		readings[i][0] = (struct reading){ COUNTED, { 300, 100, 100 } };
		readings[i][1] = (struct reading){ COUNTED, { 40, 100, 100 } };
	}
	resolve("r1,r1");
	events.events[1].merged = true;
	events.events[1].name_index = events.events[0].name_index;
	build_resolved();
	assert_int_equal(result.events_n, 1);
	assert_string_equal(result.v[0].name, "r1");
	assert_int_equal(result.v[0].state, COUNTED);
	assert_double(result.v[0].value, 340);
	assert_double(result.v[0].running_percent, 100);
}

/* A group on three instances: the groups follow each other, so the instances of an event do not. */
static void instances_of_groups_are_added(void **state)
{
	static const struct {
		int line;
		const char *list;
		size_t names[ROWS_MAX];
		double first, second;
	} cases[] = {
		{ ROW, "{r1,r2},{r1,r2},{r1,r2}", { 0, 1, 0, 1, 0, 1 }, 10101, 20202 },
		/* the same name twice */
		{ ROW, "{r1,r1},{r1,r1},{r1,r1}", { 0, 1, 0, 1, 0, 1 }, 10101, 20202 },
		/* not every event has another instance */
		{ ROW, "{r1,r2},r1,r1,r1,r1", { 0, 1, 0, 0, 0, 0 }, 4030201, 2 },
	};
	static const uint64_t raw[][ROWS_MAX] = { { 1, 2, 100, 200, 10000, 20000 },
						  { 1, 2, 100, 200, 10000, 20000 },
						  { 1, 2, 200, 30000, 4000000, 0 } };

	for (size_t i = 0; i < N_OF(cases); i++) {
		start(NULL);
		resolve(cases[i].list);
		for (size_t j = 0; j < events.n; j++) {
			for (size_t run = 0; run < RUNS_N; run++)
				readings[run][j] = (struct reading){ COUNTED, { raw[i][j], 1, 1 } };
			events.events[j].merged = j >= 2;
			events.events[j].name_index = cases[i].names[j];
		}
		build_resolved();
		row_int(&cases[i], result.events_n, 2);
		row_true(&cases[i], result.v[0].value == cases[i].first);
		row_true(&cases[i], result.v[1].value == cases[i].second);
		finish(NULL);
	}
}

static void a_merged_row_needs_a_count_of_each_instance(void **state)
{
	static const struct {
		int line;
		enum count_state first, second, row;
	} cases[] = {
		{ ROW, COUNTED, COUNTED, COUNTED },
		{ ROW, COUNTED, SCALED, SCALED },
		{ ROW, SCALED, COUNTED, SCALED },
		{ ROW, COUNTED, NOT_SUPPORTED, NOT_SUPPORTED },
		{ ROW, NOT_SUPPORTED, COUNTED, NOT_SUPPORTED },
		{ ROW, COUNTED, NOT_COUNTED, NOT_COUNTED },
		{ ROW, FAILED, COUNTED, FAILED },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		start(NULL);
		for (size_t run = 0; run < RUNS_N; run++) {
			readings[run][0] = (struct reading){ cases[i].first, { 5, 10, 10 } };
			readings[run][1] = (struct reading){ cases[i].second, { 5, 10, 10 } };
		}
		resolve("r1,r1");
		events.events[1].merged = true;
		events.events[1].name_index = events.events[0].name_index;
		build_resolved();
		row_int(&cases[i], result.events_n, 1);
		row_int(&cases[i], result.v[0].state, cases[i].row);
		finish(NULL);
	}
}

/* A sum has a count even if the task never ran on one kind of core, no matter which. */
static void a_kind_of_core_without_time_adds_nothing(void **state)
{
	for (size_t idle = 0; idle < 2; idle++) {
		start(NULL);
		for (size_t run = 0; run < RUNS_N; run++) {
			readings[run][idle] = (struct reading){ .state = NOT_COUNTED };
			readings[run][1 - idle] = (struct reading){ SCALED, { 5, 20, 10 } };
		}
		resolve("cycles,cycles");
		events.events[1].merged = true;
		events.events[1].name_index = events.events[0].name_index;
		build_resolved();
		assert_int_equal(result.events_n, 1);
		assert_int_equal(result.v[0].state, SCALED);
		assert_double(result.v[0].value, 10);
		finish(NULL);
	}
}

static void an_unmerged_event_has_its_own_row(void **state)
{
	for (size_t i = 0; i < RUNS_N; i++) {
		readings[i][0].counts = (struct counts){ 300, 100, 100 };
		readings[i][1].counts = (struct counts){ 40, 100, 100 };
	}
	build("r1,r2");
	assert_int_equal(result.events_n, 2);
	assert_double(result.v[0].value, 300);
	assert_double(result.v[1].value, 40);
}

/* The value of one run is judged and scaled in the same way as the row. */
static void the_value_of_each_run_is_available(void **state)
{
	struct series_value value;

	series.min_running = 20;
	readings[0][0] = (struct reading){ SCALED, { 1000000, 300, 100 } };
	readings[1][0] = (struct reading){ SCALED, { 1000000, 300, 30 } };
	readings[2][0] = (struct reading){ .state = ELSEWHERE };
	build("task-clock");
	value = result.v[0].runs[0];
	assert_int_equal(value.state, SCALED);
	assert_int_equal(value.counts.raw, 1000000);
	assert_true(value.in_unit == 3);
	assert_double(value.running_percent, 33.33);
	assert_true(result.v[0].value == value.in_unit);
	value = result.v[0].runs[1];
	assert_int_equal(value.state, NOT_COUNTED);
	assert_true(value.in_unit == 0);
	assert_double(value.running_percent, 10);
	value = result.v[0].runs[2];
	assert_int_equal(value.state, ELSEWHERE);
}

static void the_command_has_no_quotes(void **state)
{
	static const struct {
		int line;
		const char *subject, *command;
	} subjects[] = {
		{ ROW, "'prog --flag'", "prog --flag" },
		{ ROW, "'sh -c 'a''", "sh -c 'a'" },
		{ ROW, "'system wide'", "system wide" },
		{ ROW, "process id '1'", "process id '1'" },
		{ ROW, "process id '1', thread id '2'", "process id '1', thread id '2'" },
		{ ROW, "'", "'" },
		{ ROW, "", "" },
	};

	for (size_t i = 0; i < N_OF(subjects); i++) {
		start(NULL);
		series.subject = subjects[i].subject;
		build("cs");
		row_string(&subjects[i], result.command, subjects[i].command);
		finish(NULL);
	}
}

static void a_small_mean_has_decimals(void **state)
{
	static const struct {
		int line;
		struct measure row;
		int decimals;
	} means[] = {
		{ ROW, { .value = 0 }, 0 },
		{ ROW, { .value = 0.25L }, 2 },
		{ ROW, { .value = 1 }, 0 },
		{ ROW, { .value = 9.5L }, 2 },
		{ ROW, { .value = 10.5L }, 0 },
		{ ROW, { .value = 9.5L, .state = SCALED }, 0 }, /* an estimate of one run */
		{ ROW, { .value = 1.5L, .decimals = 3 }, 3 },
	};

	for (size_t i = 0; i < N_OF(means); i++)
		row_int(&means[i], measure_shown_decimals(&means[i].row), means[i].decimals);
}

/* ---- Estimates of multiplexed counts. */

static void a_value_has_the_bounds_of_its_estimate(void **state)
{
	struct series_value value;

	readings[0][0] = estimate(1000000, 3000000, 500000);
	readings[1][0] = estimate(1000000, 3000000, NAN);
	readings[2][0] = (struct reading){ SCALED, { 1000000, 100, 40 } };
	resolve("task-clock,cycles");
	value = series_value(&series, 0, &runs[0]);
	assert_int_equal(value.estimator, ESTIMATOR_MODEL);
	assert_double(value.in_unit, 3);
	assert_true(value.bounds.known);
	assert_double(value.bounds.low, 2.5);
	assert_double(value.bounds.high, 3.5);
	value = series_value(&series, 0, &runs[1]);
	/* without an interval, as perf scales it */
	assert_int_equal(value.estimator, ESTIMATOR_SCALING);
	assert_true(value.shows_error);
	assert_double(value.in_unit, 2.5);
	assert_false(value.bounds.known);
	value = series_value(&series, 0, &runs[2]);
	assert_int_equal(value.estimator, ESTIMATOR_SCALING);
	assert_true(value.shows_error);
	assert_double(value.in_unit, 2.5);
	assert_false(value.bounds.known);
	series.no_error = true;
	value = series_value(&series, 0, &runs[2]);
	assert_false(value.shows_error);
	series.no_error = false;
	series.scaling = SCALE_NOT;
	value = series_value(&series, 0, &runs[0]);
	assert_false(value.shows_error);
	assert_int_equal(value.estimator, ESTIMATOR_UNSCALED);
	assert_double(value.in_unit, 1);
	assert_false(value.bounds.known);
}

/* The half-widths are added, because the errors of the instances may have the same cause. */
static void the_estimates_of_merged_instances_are_added(void **state)
{
	static const struct reading exact = { COUNTED, { 300, 100, 100 } };
	static const struct reading scaled = { SCALED, { 120, 100, 40 } };
	const struct {
		int line;
		struct reading first, second;
		enum estimator estimator;
		double value, half_width; /* NAN: unknown */
	} cases[] = {
		{ ROW, exact, exact, ESTIMATOR_EXACT, 600, 0 },
		{ ROW, exact, estimate(120, 310, 5), ESTIMATOR_MODEL, 610, 5 },
		{ ROW, estimate(120, 310, 5), estimate(60, 200, 7), ESTIMATOR_MODEL, 510, 12 },
		{ ROW, estimate(120, 310, NAN), exact, ESTIMATOR_SCALING, 600, NAN },
		{ ROW, scaled, estimate(120, 310, 5), ESTIMATOR_SCALING, 600, NAN },
		{ ROW, exact, scaled, ESTIMATOR_SCALING, 600, NAN },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		struct series_value value;

		start(NULL);
		readings[0][0] = cases[i].first;
		readings[0][1] = cases[i].second;
		resolve("r1,r1");
		events.events[1].merged = true;
		events.events[1].name_index = events.events[0].name_index;
		series.rows_n = 2;
		value = series_value(&series, 0, &runs[0]);
		row_int(&cases[i], value.estimator, cases[i].estimator);
		row_true(&cases[i], value.count == cases[i].value);
		row_int(&cases[i], value.bounds.known, !isnan(cases[i].half_width));
		if (value.bounds.known)
			row_true(&cases[i], value.half_width == cases[i].half_width);
		finish(NULL);
	}
}

static void bounds_surround_the_value(void **state)
{
	static const struct {
		int line;
		long double value, half_width, low, high;
	} cases[] = {
		{ ROW, 100, 0, 100, 100 },    { ROW, 100, 20, 80, 120 },
		{ ROW, 100, 300, 0, 400 },    { ROW, 0, 5, 0, 5 },
		{ ROW, -100, 20, -120, -80 }, { ROW, -100, -20, -120, -80 },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		struct series_bounds bounds = series_bounds(cases[i].value, cases[i].half_width);

		row_true(&cases[i], bounds.known);
		row_true(&cases[i], bounds.low == cases[i].low);
		row_true(&cases[i], bounds.high == cases[i].high);
	}
	assert_false(series_bounds(100, NAN).known);
}

/* The least certain run determines the estimator of the row. */
static void the_interval_of_a_row_is_that_of_its_runs(void **state)
{
	static const struct reading exact = { COUNTED, { 300, 100, 100 } };
	static const struct reading scaled = { SCALED, { 120, 100, 40 } };
	const struct {
		int line;
		struct reading runs[RUNS_N];
		enum estimator estimator;
		double half_width; /* NAN: unknown */
	} cases[] = {
		{ ROW, { exact, exact, exact }, ESTIMATOR_EXACT, 0 },
		/* 3 * sqrt(3) / 3 */
		{ ROW,
		  { estimate(120, 300, 3), estimate(120, 300, 3), estimate(120, 300, 3) },
		  ESTIMATOR_MODEL,
		  1.7320508 },
		{ ROW, { exact, exact, estimate(120, 300, 3) }, ESTIMATOR_MODEL, 1 },
		/* the runs differ more: 4.30265 * 10 / sqrt(3) */
		{ ROW,
		  { estimate(120, 290, 3), estimate(120, 300, 3), estimate(120, 310, 3) },
		  ESTIMATOR_MODEL,
		  24.84136 },
		/* too few runs for an interval from their spread */
		{ ROW,
		  { estimate(120, 290, NAN), estimate(120, 300, NAN), estimate(120, 310, NAN) },
		  ESTIMATOR_SCALING,
		  NAN },
		/* an exact count is not an estimate with an interval */
		{ ROW, { exact, exact, estimate(120, 310, NAN) }, ESTIMATOR_SCALING, NAN },
		{ ROW,
		  { exact, estimate(120, 300, NAN), estimate(120, 300, 3) },
		  ESTIMATOR_MODEL,
		  1.4142136 }, /* sqrt(3 * 3 * 2) / 3 */
		{ ROW,
		  { estimate(120, 300, NAN), estimate(120, 300, NAN), estimate(120, 300, NAN) },
		  ESTIMATOR_SCALING,
		  NAN },
		/* one of three is unknown: sqrt((9 + 9) / 2 / 3) */
		{ ROW,
		  { estimate(120, 300, NAN), estimate(120, 300, 3), estimate(120, 300, 3) },
		  ESTIMATOR_MODEL,
		  1.7320508 },
		{ ROW, { exact, scaled, estimate(120, 300, 3) }, ESTIMATOR_SCALING, NAN },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		const struct measure *row;

		start(NULL);
		for (size_t run = 0; run < RUNS_N; run++)
			readings[run][0] = cases[i].runs[run];
		build("cycles");
		row = &result.v[0];
		row_int(&cases[i], row->estimator, cases[i].estimator);
		row_int(&cases[i], row->bounds.known, !isnan(cases[i].half_width));
		if (row->bounds.known)
			row_true(&cases[i],
				 fabs((double)row->half_width - cases[i].half_width) < 1e-4);
		finish(NULL);
	}
}

/* No estimate has an interval. The spread of six scaled runs gives one, but not that of five, even
 * next to an exact run. */
static void the_spread_of_six_runs_gives_an_interval(void **state)
{
	static const struct {
		int line;
		size_t scaled_n, exact_n;
		bool known;
	} cases[] = { { ROW, 5, 0, false }, { ROW, 5, 1, false }, { ROW, 6, 0, true } };
	struct reading many[6];
	struct run many_runs[6];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(NULL);
		series.runs = many_runs;
		series.runs_n = cases[i].scaled_n + cases[i].exact_n;
		for (size_t run = 0; run < series.runs_n; run++) {
			many[run] = estimate(120 + 2 * run, 0, NAN); /* 300, 305 … */
			if (run >= cases[i].scaled_n)
				many[run] = (struct reading){ COUNTED, { 300, 100, 100 } };
			many_runs[run] = (struct run){ .readings = &many[run] };
		}
		build("cycles");
		row_int(&cases[i], result.v[0].bounds.known, cases[i].known);
		/* 2.57058 * 5 * sqrt(3.5 / 6) */
		if (cases[i].known)
			row_true(&cases[i], fabs((double)result.v[0].half_width - 9.81655) < 1e-2);
		finish(NULL);
	}
}

static void an_interval_is_not_shown_as_zero(void **state)
{
	readings[0][0] = estimate(100, 1000, 20);
	readings[0][1] = estimate(100, 1000, 0.01);
	series.runs_n = 1;
	build("cycles,instructions");
	assert_double(measure_shown_error(&result.v[0]), 2);
	assert_double(measure_shown_error(&result.v[1]), 0.1);
	table_release(&result);
	readings[0][0] = estimate(100, 1000, NAN);
	readings[0][1] = estimate(0, 0, NAN);
	build_resolved();
	assert_double(measure_shown_error(&result.v[0]), 0);
	assert_double(measure_shown_error(&result.v[1]), 0);
	assert_false(result.v[0].bounds.known);
}

static void a_row_without_a_count_has_no_interval(void **state)
{
	for (size_t i = 0; i < RUNS_N; i++)
		readings[i][0].state = NOT_COUNTED;
	build("cycles");
	assert_int_equal(result.v[0].estimator, ESTIMATOR_NONE);
	assert_false(result.v[0].bounds.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_mean_has_decimals),
		cmocka_unit_test(the_state_of_a_row_is_that_of_its_runs),
		cmocka_unit_test_setup_teardown(the_value_is_the_mean_in_the_events_unit, start,
						finish),
		cmocka_unit_test_setup_teardown(times_are_means_and_shares_of_the_sums, start,
						finish),
		cmocka_unit_test_setup_teardown(counts_are_scaled_unless_scaling_is_off, start,
						finish),
		cmocka_unit_test_setup_teardown(perf_truncates_the_scaled_count_of_each_run, start,
						finish),
		cmocka_unit_test(a_row_restricted_to_user_mode_has_the_modifier),
		cmocka_unit_test_setup_teardown(ratios_are_formed_within_groups, start, finish),
		cmocka_unit_test_setup(a_metric_of_estimates_has_their_error, start),
		cmocka_unit_test_setup_teardown(counts_of_a_split_group_are_not_divided, start,
						finish),
		cmocka_unit_test_setup_teardown(merged_instances_are_one_row, start, finish),
		cmocka_unit_test(instances_of_groups_are_added),
		cmocka_unit_test(a_merged_row_needs_a_count_of_each_instance),
		cmocka_unit_test(a_kind_of_core_without_time_adds_nothing),
		cmocka_unit_test_setup_teardown(an_unmerged_event_has_its_own_row, start, finish),
		cmocka_unit_test_setup_teardown(the_value_of_each_run_is_available, start, finish),
		cmocka_unit_test(the_command_has_no_quotes),
		cmocka_unit_test_setup_teardown(a_value_has_the_bounds_of_its_estimate, start,
						finish),
		cmocka_unit_test(the_estimates_of_merged_instances_are_added),
		cmocka_unit_test(bounds_surround_the_value),
		cmocka_unit_test(the_interval_of_a_row_is_that_of_its_runs),
		cmocka_unit_test(the_spread_of_six_runs_gives_an_interval),
		cmocka_unit_test_setup_teardown(an_interval_is_not_shown_as_zero, start, finish),
		cmocka_unit_test_setup_teardown(a_row_without_a_count_has_no_interval, start,
						finish),
	};

	return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
