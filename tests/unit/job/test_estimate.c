/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stopping rule, the progress line and the result take the same numbers from the same
 * readings. */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "job/compare.h"
#include "unit/result/counted.h"
#include "unit/reference.h"
#include "unit/test.h"

enum { SIDES_N = 2, RUNS_N = 3 };

/* Two sides that have counted the same events, and the values for the stopping rule. */
struct comparison_job {
	struct counted counted[SIDES_N];
	struct options options;
	struct counting counting;
	struct side sides[SIDES_N];
	struct stopping stopping;
};

static void job_init(struct comparison_job *job, const char *events)
{
	static char name[] = "side";

	*job = (struct comparison_job){ 0 };
	for (size_t i = 0; i < SIDES_N; i++) {
		counted_whole(&job->counted[i], events, RUNS_N);
		job->sides[i] = (struct side){ .name = name, .series = job->counted[i].series };
		job->sides[i].series.events = &job->counting.wanted.events;
		job->sides[i].series.openings = job->counted[0].openings;
		job->sides[i].series.places = job->counted[0].places;
		job->sides[i].series.rows = job->counted[0].rows;
	}
	job->counting.options = &job->options;
	job->counting.wanted.events = job->counted[0].events;
	job->counting.sides = (struct sides){ .v = job->sides, .n = SIDES_N };
	job->counting.runner = (struct runner){
		.settings.order = ORDER_SEQUENTIAL,
		.session = { .setup.events = &job->counting.wanted.events,
			     .openings = job->counted[0].openings,
			     .rows = job->counted[0].rows,
			     .rows_n = job->counted[0].series.rows_n },
	};
	job->stopping = (struct stopping){ .confidence = 0.95, .sides_n = SIDES_N, .math = &math };
	assert_int_equal(stopping_init(&job->stopping), 0);
}

static void job_release(struct comparison_job *job)
{
	for (size_t i = 0; i < SIDES_N; i++)
		counted_release(&job->counted[i]);
	stopping_release(&job->stopping);
}

/* Set the reading of a row in one run of a side. The runs of both sides take turns. */
static void set(struct comparison_job *job, size_t side, size_t run, size_t row,
		struct reading reading)
{
	job->sides[side].series.runs[run].readings[row] = reading;
}

static void set_all(struct comparison_job *job, size_t side, size_t row, struct reading reading)
{
	for (size_t run = 0; run < RUNS_N; run++)
		set(job, side, run, row, reading);
}

/* The plan is made after the first round, as has_enough() in job_compare.c makes it. */
static void plan(struct comparison_job *job)
{
	const struct side_input sides[SIDES_N] = {
		{ "old", job->counting.baseline ? &job->counting.baseline->document->series :
						  &job->sides[0].series },
		{ "new", &job->sides[1].series }
	};
	const struct comparison_input input = {
		.sides = sides, .sides_n = SIDES_N, .confidence = 0.95, .math = &math
	};
	struct comparison_plan made;

	assert_int_equal(comparison_plan_of(&made, &input), 0);
	stopping_set_plan(&job->stopping, &made);
}

static void take_turns(struct comparison_job *job)
{
	const struct sides *sides = &job->counting.sides;
	struct rounds_done done = { .sides = sides->v, .n = sides->n };

	for (done.rounds_n = 1; done.rounds_n <= RUNS_N; done.rounds_n++) {
		for (size_t i = 0; i < sides->n; i++)
			sides->v[i].series.runs_n = done.rounds_n;
		if (done.rounds_n == 1)
			plan(job);
		stopping_is_enough(&done, &job->stopping);
	}
}

/* The values of a side in the first row that is watched. */
static const struct summary *values(const struct comparison_job *job, size_t side)
{
	return &job->stopping.watched[side * COMPARISON_FIRSTS_MAX].values;
}

/* The row that decides is a row of the result, and has the same runs and the same mean there. */
static void agrees_with_result(struct comparison_job *job)
{
	for (size_t i = 0; i < SIDES_N; i++) {
		const struct series *series = &job->sides[i].series;
		cleanup_with(table_release) struct table result = { 0 };
		size_t at = 0;

		assert_int_equal(table_build(&result, series, NULL), 0);
		while (at < result.events_n &&
		       result.v[at].row != &series->rows[job->stopping.plan.firsts[0].row])
			at++;
		assert_true(at < result.events_n);
		assert_int_equal(values(job, i)->n, result.v[at].summary.n);
		assert_double(values(job, i)->mean, result.v[at].summary.mean);
	}
}

static void shows(const struct comparison_job *job, const char *text)
{
	cleanup_str struct str line = { 0 };

	compare_add_estimate(&line, &job->counting, &job->stopping);
	assert_string_equal(str_text(&line), text);
}

static void merged_instances_are_one_value(void **state)
{
	struct comparison_job job;

	job_init(&job, "r1,r1");
	job.counting.wanted.events.events[1].merged = true;
	job.counting.wanted.events.events[1].name_index =
		job.counting.wanted.events.events[0].name_index;
	set_all(&job, 0, 0, (struct reading){ COUNTED, { 10, 100, 100 } });
	set_all(&job, 1, 0, (struct reading){ COUNTED, { 10, 100, 100 } });
	set_all(&job, 0, 1, (struct reading){ COUNTED, { 20, 100, 100 } });
	set_all(&job, 1, 1, (struct reading){ SCALED, { 25, 100, 50 } });
	take_turns(&job);
	agrees_with_result(&job);
	/* 30, and 35 that ran for three quarters of the time */
	assert_double(values(&job, 0)->mean, 30);
	assert_double(values(&job, 1)->mean, 35 / 0.75);
	shows(&job, "; r1 +55.56 % exactly +17");
	job_release(&job);
}

static void a_row_with_an_instance_that_was_not_counted_has_no_value(void **state)
{
	struct comparison_job job;

	job_init(&job, "r1,r1,r2");
	job.counting.wanted.events.events[1].merged = true;
	job.counting.wanted.events.events[1].name_index =
		job.counting.wanted.events.events[0].name_index;
	set_all(&job, 1, 1, (struct reading){ NOT_COUNTED, { 0, 100, 0 } });
	take_turns(&job);
	assert_int_equal(job.stopping.plan.firsts[0].row, 0);
	assert_int_equal(values(&job, 1)->n, 0);
	agrees_with_result(&job);
	job_release(&job);
}

static void raw_counts_stay_raw_without_scaling(void **state)
{
	for (int raw = 0; raw < 2; raw++) {
		struct comparison_job job;

		job_init(&job, "task-clock");
		job.sides[0].series.scaling = raw ? SCALE_NOT : SCALE_BY_TIME;
		job.sides[1].series.scaling = job.sides[0].series.scaling;
		set_all(&job, 0, 0, (struct reading){ SCALED, { 1000000, 100, 50 } });
		set_all(&job, 1, 0, (struct reading){ SCALED, { 3000000, 100, 25 } });
		take_turns(&job);
		agrees_with_result(&job);
		assert_double(values(&job, 0)->mean, raw ? 1 : 2);
		assert_double(values(&job, 1)->mean, raw ? 3 : 12);
		shows(&job, raw ? "; task-clock +200.00 % exactly +2" :
				  "; task-clock +500.00 % exactly +10");
		job_release(&job);
	}
}

static void a_run_below_the_minimum_running_time_has_no_value(void **state)
{
	struct comparison_job job;

	job_init(&job, "r1");
	job.sides[0].series.min_running = job.sides[1].series.min_running = 20;
	set_all(&job, 0, 0, (struct reading){ SCALED, { 100, 100, 50 } });
	set_all(&job, 1, 0, (struct reading){ SCALED, { 150, 100, 50 } });
	set(&job, 1, 1, 0, (struct reading){ SCALED, { 1, 100, 19 } });
	take_turns(&job);
	agrees_with_result(&job);
	assert_int_equal(values(&job, 0)->n, 3);
	assert_int_equal(values(&job, 1)->n, 2);
	assert_double(values(&job, 1)->mean, 300);
	job_release(&job);
}

static void no_other_event_replaces_one_below_the_minimum_running_time(void **state)
{
	struct comparison_job job;

	job_init(&job, "r1,r2");
	set_all(&job, 1, 0, (struct reading){ SCALED, { 1, 100, 4 } });
	take_turns(&job);
	assert_int_equal(job.stopping.plan.firsts[0].row, 0);
	assert_int_equal(values(&job, 1)->n, 0);
	agrees_with_result(&job);
	job_release(&job);
}

static void save(struct document *document, const struct counted *counted)
{
	document->series = counted->series;
}

/* Otherwise the progress line would show a different change from the final result. */
static void a_baseline_is_scaled_as_its_document_says(void **state)
{
	struct comparison_job job;
	struct document document = { 0 };
	const struct baseline baseline = { .document = &document };

	job_init(&job, "r1");
	set_all(&job, 0, 0, (struct reading){ SCALED, { 100, 100, 50 } });
	set_all(&job, 1, 0, (struct reading){ SCALED, { 100, 100, 50 } });
	save(&document, &job.counted[0]);
	document.series.scaling = SCALE_NOT;
	job.counting.baseline = &baseline;
	job.counting.sides = (struct sides){ .v = &job.sides[1], .n = 1 };
	job.stopping.sides_n = 1;
	take_turns(&job);
	shows(&job, "; r1 +100.00 % exactly +100");
	job_release(&job);
}

/* Whoever watches the line may interrupt the rounds. After three of them, there is no interval
 * that is valid at any time. */
static void the_interval_of_paired_sides_is_valid_at_any_time(void **state)
{
	for (int is_paired = 0; is_paired < 2; is_paired++) {
		struct comparison_job job;

		job_init(&job, "r1");
		job.stopping.is_paired = is_paired;
		set_all(&job, 0, 0, (struct reading){ COUNTED, { 1000, 100, 100 } });
		for (size_t run = 0; run < RUNS_N; run++)
			set(&job, 1, run, 0, (struct reading){ COUNTED, { 1099 + run, 100, 100 } });
		take_turns(&job);
		shows(&job, is_paired ? "; r1 +10.00 %" : "; r1 +10.0 % [+9.8, +10.2]");
		job_release(&job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merged_instances_are_one_value),
		cmocka_unit_test(a_row_with_an_instance_that_was_not_counted_has_no_value),
		cmocka_unit_test(raw_counts_stay_raw_without_scaling),
		cmocka_unit_test(a_run_below_the_minimum_running_time_has_no_value),
		cmocka_unit_test(no_other_event_replaces_one_below_the_minimum_running_time),
		cmocka_unit_test(a_baseline_is_scaled_as_its_document_says),
		cmocka_unit_test(the_interval_of_paired_sides_is_valid_at_any_time),
	};

	return cmocka_run_group_tests(tests, load_math, NULL);
}
