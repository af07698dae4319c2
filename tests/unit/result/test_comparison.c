/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a comparison whose sides counted different events or places. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <math.h>

#include "base/num.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "format/terminal/compare_text.h"
#include "result/comparison.h"
#include "stats/rmath.h"
#include "unit/result/counted.h"
#include "unit/test.h"

enum { RUNS_N = 6 };

static struct math math;

/* Compare two sides, with a gate unless text is NULL. Returns the result of comparison_build(). */
struct pair {
	struct counted old, new;
	struct side_input sides[2];
	struct gate_request gate;
	bool gate_scaled;
	double limit; /* of the gate; 0: 0.1 */
	struct comparison comparison;
};

static int build(struct pair *p, const char *gate, struct why *why)
{
	struct comparison_input input = { .sides = p->sides,
					  .sides_n = 2,
					  .confidence = 0.95,
					  .gates = &p->gate,
					  .gates_n = gate != NULL,
					  .gate_scaled = p->gate_scaled,
					  .math = &math };

	p->sides[0].name = "old";
	p->sides[0].series = &p->old.series;
	p->sides[1].name = "new";
	p->sides[1].series = &p->new.series;
	p->gate = (struct gate_request){ .text = "a gate",
					 .name = (char *)(uintptr_t)gate,
					 .above = true,
					 .relative = true,
					 .limit.value = p->limit > 0 ? p->limit : 0.1 };
	return comparison_build(&p->comparison, &input, why);
}

static void pair_release(struct pair *p)
{
	comparison_release(&p->comparison);
	counted_release(&p->old);
	counted_release(&p->new);
}

/* "cs:10/10 faults:10/-": the first n rows with the mean of each side. */
static void assert_rows(const struct pair *p, size_t n, const char *expected)
{
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < n && i < p->comparison.rows_n; i++) {
		const struct comparison_row *row = &p->comparison.rows[i];

		str_addf(&text, "%s%s%s%s", i ? " " : "", row->of->name,
			 *row->of->place->label ? "@" : "", row->of->place->label);
		for (size_t side = 0; side < 2; side++) {
			str_add(&text, side ? "/" : ":");
			if (row->sides[side].n > 0)
				str_addf(&text, "%g", (double)row->sides[side].summary.mean);
			else
				str_add(&text, "-");
		}
	}
	assert_string_equal(str_text(&text), expected);
}

/* "cs:first faults:asked max_rss; user_time": the rows that are shown, then the others. A row
 * without a claim has only its name. */
static void assert_claims(const struct comparison *c, const char *expected)
{
	static const char *const words[] = { "", ":asked", ":first" };
	cleanup_str struct str shown = { 0 }, hidden = { 0 };

	for (size_t i = 0; i < c->rows_n; i++) {
		const struct comparison_row *row = &c->rows[i];

		if (row->shown)
			str_addf(&shown, "%s%s", shown.len ? " " : "", row->of->name);
		else
			str_addf(&hidden, "%s%s", hidden.len ? " " : "; ", row->of->name);
		str_addf(row->shown ? &shown : &hidden, "%s%s%s", *row->of->place->label ? "@" : "",
			 row->of->place->label, words[row->claim]);
	}
	str_append(&shown, &hidden);
	assert_string_equal(str_text(&shown), expected);
}

static void an_event_that_one_side_has_is_a_row(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "page-faults,cs", RUNS_N);
	counted_whole(&p.new, "migrations,cs,faults", RUNS_N);
	counted_set(&p.new, 1, 7);
	assert_int_equal(build(&p, NULL, &why), 0);
	assert_rows(&p, 5,
		    "duration_time:1000/1000 page-faults:1000/- cs:1000/7 migrations:-/1000 "
		    "faults:-/1000");
	assert_int_equal(p.comparison.rows[1].sides[1].state, NOT_COUNTED);
	assert_int_equal(comparison_verdict(&p.comparison.rows[1], 1), VERDICT_ABSENT);
	assert_int_equal(comparison_verdict(&p.comparison.rows[3], 1), VERDICT_ABSENT);
	assert_int_equal(comparison_verdict(&p.comparison.rows[2], 1), VERDICT_BETTER);
	assert_ptr_equal(comparison_elapsed(&p.comparison), &p.comparison.rows[0]);
	/* the first event that both sides have is judged alone */
	assert_claims(&p.comparison, "page-faults:asked cs:first migrations:asked faults:asked; "
				     "duration_time user_time system_time max_rss");
}

static void own_rows_exist_for_all_sides(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 }, q = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "max_rss,duration_time", RUNS_N);
	counted_whole(&p.new, "cs", RUNS_N);
	counted_set(&p.old, 1, 2000000000);
	assert_int_equal(build(&p, NULL, &why), 0);
	assert_rows(&p, 9,
		    "max_rss:1000/1000 duration_time:2000/1000 cs:-/1000 user_time:1000/1000 "
		    "system_time:0/0");
	counted_whole(&q.old, "cs", RUNS_N);
	counted_whole(&q.new, "duration_time,user_time", RUNS_N);
	assert_int_equal(build(&q, NULL, &why), 0);
	assert_rows(&q, 9,
		    "duration_time:1000/1000 cs:1000/- user_time:1000/1000 system_time:0/0 "
		    "max_rss:1000/1000");
}

/* The limit of a gate is in msec, whether or not the time is an event. */
static void a_time_is_compared_in_msec_with_an_exact_reference(void **state)
{
	static const struct {
		const char *events;
		double limit;
		enum gate_outcome outcome;
	} cases[] = {
		{ "cs", 5, GATE_CROSSED },
		{ "cs", 15, GATE_KEPT },
		{ "duration_time", 5, GATE_CROSSED },
		{ "duration_time", 15, GATE_KEPT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_with(counted_release) struct counted c = { 0 };
		cleanup_with(table_release) struct table table = { 0 };
		cleanup_with(comparison_release) struct comparison comparison = { 0 };
		const struct gate_request gate = { .text = "a gate",
						   .name = (char[]){ "duration_time" },
						   .above = true,
						   .limit.value = cases[i].limit };
		const struct comparison_input input = {
			.confidence = 0.95, .gates = &gate, .gates_n = 1, .math = &math
		};
		double references[16];

		counted_whole(&c, cases[i].events, RUNS_N);
		if (i > 1)
			counted_set(&c, 0, 1000000000);
		assert_int_equal(table_build(&table, &c.series, NULL), 0);
		assert_true(table.n <= N_OF(references));
		for (size_t k = 0; k < table.n; k++)
			references[k] = 990e6;
		assert_int_equal(comparison_begin_exact(&comparison, &input, &table, references),
				 0);
		assert_int_equal(comparison_judge_gates(&comparison), 0);
		assert_int_equal(comparison.gates_n, 1);
		assert_string_equal(comparison.gates->row->unit, "msec");
		assert_int_equal(comparison.gates->evidence.outcome, cases[i].outcome);
	}
}

static void a_max_rss_of_the_parent_is_unknown(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "max_rss", RUNS_N);
	counted_whole(&p.new, "max_rss", RUNS_N);
	p.new.series.max_rss_floor_kib = 999;
	assert_int_equal(build(&p, "max_rss", &why), 0);
	assert_rows(&p, 2, "duration_time:1000/1000 max_rss:1000/1000");
	comparison_release(&p.comparison);
	p.new.series.max_rss_floor_kib = 1000;
	assert_int_equal(build(&p, "max_rss", &why), 0);
	assert_rows(&p, 2, "duration_time:1000/1000 max_rss:1000/-");
	assert_int_equal(p.comparison.rows[1].sides[1].state, NOT_COUNTED);
	assert_int_equal(comparison_outcome(&p.comparison, 0), GATE_UNCLEAR);
}

static void a_metric_is_found_at_any_position_of_its_event(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "cs,faults,cs,faults", RUNS_N);
	counted_add_metric(&p.old, "x=cs/faults", (const size_t[]){ 2, 3 });
	counted_whole(&p.new, "cs,faults,migrations", RUNS_N);
	counted_add_metric(&p.new, "x=cs/faults", (const size_t[]){ 0, 1 });
	counted_add_metric(&p.new, "y=2*migrations", (const size_t[]){ 2 });
	counted_set(&p.new, 0, 2000);
	assert_int_equal(build(&p, NULL, &why), 0);
	assert_rows(
		&p, 8,
		"duration_time:1000/1000 cs:1000/2000 faults:1000/1000 cs:1000/2000 faults:1000/1000 migrations:-/1000 "
		"x:1/2 y:-/2000");
}

/* The metric in the result of a single run; NAN: the run has none. */
static double metric_of_run(const struct series *of, size_t run)
{
	cleanup_with(table_release) struct table result = { 0 };
	struct series series = *of;

	series.runs = &of->runs[run];
	series.runs_n = 1;
	assert_int_equal(table_build(&result, &series, NULL), 0);
	return result.v[0].metrics_n ? result.v[0].metrics[0].value : NAN;
}

static void a_metric_of_a_run_is_that_of_its_own_result(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };
	const struct comparison_side *side;
	size_t n = 0;

	counted_whole(&p.old, "cs,faults", RUNS_N);
	counted_whole(&p.new, "cs,faults", RUNS_N);
	counted_add_metric(&p.old, "x=cs/faults/time", (const size_t[]){ 0, 1 });
	counted_add_metric(&p.new, "x=cs/faults/time", (const size_t[]){ 0, 1 });
	for (size_t run = 0; run < RUNS_N; run++) {
		p.new.runs[run].readings[0].counts.raw = 1000 + 7 * run;
		p.new.runs[run].tool[TOOL_DURATION_TIME] += run * 1000000;
	}
	p.new.runs[1].readings[1].state = NOT_COUNTED;
	p.new.runs[2].readings[1].counts.raw = 0;
	assert_int_equal(build(&p, NULL, &why), 0);
	side = &p.comparison.rows[3].sides[1];
	assert_string_equal(p.comparison.rows[3].of->name, "x");
	for (size_t run = 0; run < RUNS_N; run++) {
		double expected = metric_of_run(&p.new.series, run);

		if (isnan(expected))
			continue;
		assert_true(n < side->n && side->runs[n] == run);
		assert_true(side->values[n++] == expected);
	}
	assert_int_equal(side->n, n);
	assert_int_equal(n, RUNS_N - 2);
}

/* A metric is an estimate if one of its events is. */
static void a_metric_of_scaled_counts_is_scaled(void **state)
{
	static const struct {
		int line;
		enum count_state state; /* of both events in each run */
		double half_width; /* of the second event; below 0: it is not scaled */
		bool scaled, unbounded;
		double error;
	} cases[] = {
		{ ROW, COUNTED, -1, false, false, 0 },
		{ ROW, SCALED, -1, true, true, 0 },
		{ ROW, COUNTED, NAN, true, true, 0 },
		{ ROW, COUNTED, 100, true, false, 0.0408 }, /* 0.1 / sqrt(6) of the metric */
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_with(pair_release) struct pair p = { 0 };
		cleanup_why struct why why = { 0 };
		const struct comparison_row *row;

		counted_whole(&p.old, "{cs,faults},migrations", RUNS_N);
		counted_whole(&p.new, "{cs,faults},migrations", RUNS_N);
		counted_add_metric(&p.old, "x=cs/faults", (const size_t[]){ 0, 1 });
		counted_add_metric(&p.new, "x=cs/faults", (const size_t[]){ 0, 1 });
		for (size_t run = 0; run < RUNS_N; run++) {
			struct reading *readings = p.new.runs[run].readings;

			readings[2].state = SCALED; /* it is not part of the metric */
			readings[0].state = cases[i].state;
			if (cases[i].half_width < 0) {
				readings[1].state = cases[i].state;
				continue;
			}
			readings[1].state = SCALED;
			readings[1].estimate = (struct count_estimate){ 1000, cases[i].half_width };
			readings[1].has_estimate = true;
		}
		row_int(&cases[i], build(&p, NULL, &why), 0);
		row = &p.comparison.rows[4];
		assert_string_equal(row->of->name, "x");
		row_int(&cases[i], row->sides[0].scaled, false);
		row_int(&cases[i], row->sides[1].n, RUNS_N);
		row_int(&cases[i], row->sides[1].scaled, cases[i].scaled);
		row_int(&cases[i], row->sides[1].unbounded, cases[i].unbounded);
		row_int(&cases[i], row->contrasts[1].constant, !cases[i].scaled);
		if (!cases[i].unbounded)
			row_true(&cases[i],
				 fabs(row->sides[1].estimate_error - cases[i].error) < 0.0001);
	}
}

static void rows_are_matched_by_their_places(void **state)
{
	static const char *const two[] = { "CPU0", "CPU1", NULL };
	static const char *const other[] = { "CPU1", "CPU2", NULL };
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_init(&p.old, "cs", two, RUNS_N);
	counted_init(&p.new, "cs", other, RUNS_N);
	counted_set(&p.new, 0, 5);
	assert_int_equal(build(&p, NULL, &why), 0);
	assert_rows(&p, 4, "duration_time:1000/1000 cs@CPU0:1000/- cs@CPU1:1000/5 cs@CPU2:-/1000");
}

static void a_gate_is_on_each_place(void **state)
{
	static const char *const two[] = { "CPU0", "CPU1", NULL };
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_init(&p.old, "cs", two, RUNS_N);
	counted_init(&p.new, "cs", two, RUNS_N);
	counted_set(&p.new, 1, 1200);
	assert_int_equal(build(&p, "cs", &why), 0);
	assert_int_equal(p.comparison.gates_n, 2);
	assert_int_equal(p.comparison.gates[0].evidence.outcome, GATE_KEPT);
	assert_int_equal(p.comparison.gates[1].evidence.outcome, GATE_CROSSED);
	assert_string_equal(p.comparison.gates[1].row->of->place->label, "CPU1");
	assert_int_equal(comparison_outcome(&p.comparison, 0), GATE_CROSSED);
}

static void a_row_matches_the_name_of_a_gate_in_these_ways(void **state)
{
	static const struct {
		int line;
		const char *row, *name;
		enum name_match match; /* the first one; NAME_MATCHES_N: none */
	} rows[] = {
		{ ROW, "faults", "faults", NAME_EXACT },
		{ ROW, "faults:u", "faults", NAME_USER_ONLY },
		{ ROW, "faults:Hu", "faults:H", NAME_USER_ONLY },
		{ ROW, "faults", "page-faults", NAME_ALIAS },
		{ ROW, "page-faults:u", "faults:u", NAME_ALIAS },
		{ ROW, "faults:u", "page-faults", NAME_ALIAS_USER_ONLY },
		{ ROW, "faults:Hu", "page-faults:H", NAME_ALIAS_USER_ONLY },
		{ ROW, "faults", "page-faults:u", NAME_MATCHES_N },
		{ ROW, "faults:k", "page-faults", NAME_MATCHES_N },
		{ ROW, "minor-faults", "faults", NAME_MATCHES_N },
		{ ROW, "ipc", "cpi", NAME_MATCHES_N },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		enum name_match match = NAME_EXACT;

		while (match < NAME_MATCHES_N &&
		       !comparison_is_named(rows[i].row, rows[i].name, match))
			match++;
		row_int(&rows[i], match, rows[i].match);
	}
}

static void a_minimum_effect_finds_its_events_as_a_gate_does(void **state)
{
	static const struct {
		int line;
		const char *name;
		double minimums[3]; /* of these rows */
	} rows[] = {
		{ ROW, NULL, { 0.5, 0.5, 0.5 } },
		{ ROW, "faults", { 0.5, 0.001, 0.001 } },
		{ ROW, "faults:u", { 0.001, 0.5, 0.001 } },
		{ ROW, "minor-faults", { 0.001, 0.001, 0.5 } },
		{ ROW, "page-faults", { 0.5, 0.001, 0.001 } },
		{ ROW, "migrations", { 0.001, 0.001, 0.001 } },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(pair_release) struct pair p = { 0 };
		cleanup_why struct why why = { 0 };
		const struct effect_request effect = { rows[i].name, 0.5, true };
		const struct comparison_input input = { .sides = p.sides,
							.sides_n = 2,
							.confidence = 0.95,
							.effects = &effect,
							.effects_n = 1,
							.math = &math };

		counted_whole(&p.old, "faults,faults:u,minor-faults:u", RUNS_N);
		counted_whole(&p.new, "faults,faults:u,minor-faults:u", RUNS_N);
		p.sides[0] = (struct side_input){ "old", &p.old.series };
		p.sides[1] = (struct side_input){ "new", &p.new.series };
		assert_int_equal(comparison_build(&p.comparison, &input, &why), 0);
		for (size_t k = 0; k < N_OF(rows[i].minimums); k++) {
			const struct comparison_row *row = &p.comparison.rows[k + 1];

			row_true(&rows[i], row->minimum_effect == rows[i].minimums[k]);
			row_true(&rows[i],
				 (row->better == BETTER_MORE) == (rows[i].minimums[k] == 0.5));
		}
	}
}

static void a_gate_finds_its_event_under_the_other_name(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 }, both = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "cs,faults", RUNS_N);
	counted_whole(&p.new, "cs,faults", RUNS_N);
	assert_int_equal(build(&p, "page-faults", &why), 0);
	assert_int_equal(p.comparison.gates_n, 1);
	assert_string_equal(p.comparison.gates[0].row->of->name, "faults");
	/* its own name is preferred */
	counted_whole(&both.old, "faults,page-faults", RUNS_N);
	counted_whole(&both.new, "faults,page-faults", RUNS_N);
	assert_int_equal(build(&both, "page-faults", &why), 0);
	assert_int_equal(both.comparison.gates_n, 1);
	assert_string_equal(both.comparison.gates[0].row->of->name, "page-faults");
}

/* The outcomes of the gates on two rows, for each of two sides. The reference counts 1000. */
static void the_gates_of_one_side_have_one_outcome(void **state)
{
	static char cs[] = "cs", faults[] = "faults";
	static const struct {
		int line;
		uint64_t counts[2][2]; /* of each side; 0: the side lacks the row */
		enum gate_outcome outcomes[2], all;
	} rows[] = {
		{ __LINE__,
		  { { 1000, 1000 }, { 1000, 1000 } },
		  { GATE_KEPT, GATE_KEPT },
		  GATE_KEPT },
		{ __LINE__,
		  { { 1000, 1000 }, { 1000, 1200 } },
		  { GATE_KEPT, GATE_CROSSED },
		  GATE_CROSSED },
		{ __LINE__,
		  { { 1200, 1000 }, { 1000, 1000 } },
		  { GATE_CROSSED, GATE_KEPT },
		  GATE_CROSSED },
		{ __LINE__,
		  { { 1000, 0 }, { 1000, 1000 } },
		  { GATE_UNCLEAR, GATE_KEPT },
		  GATE_UNCLEAR },
		{ __LINE__,
		  { { 1200, 0 }, { 1000, 0 } },
		  { GATE_CROSSED, GATE_UNCLEAR },
		  GATE_CROSSED },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct counted counted[3];
		const struct side_input sides[] = {
			{ "a side", &counted[0].series },
			{ "a side", &counted[1].series },
			{ "a side", &counted[2].series },
		};
		cleanup_with(comparison_release) struct comparison c = { 0 };
		cleanup_why struct why why = { 0 };
		struct gate_request gates[] = {
			{ .text = "a gate",
			  .name = cs,
			  .above = true,
			  .relative = true,
			  .limit.value = 0.1 },
			{ .text = "a gate",
			  .name = faults,
			  .above = true,
			  .relative = true,
			  .limit.value = 0.1 },
		};
		const struct comparison_input input = { .sides = sides,
							.sides_n = 3,
							.confidence = 0.95,
							.gates = gates,
							.gates_n = 2,
							.math = &math };

		for (size_t side = 0; side < 3; side++) {
			const uint64_t *counts = side ? rows[i].counts[side - 1] : NULL;

			counted_whole(&counted[side], counts && !counts[1] ? "cs" : "cs,faults",
				      RUNS_N);
			for (size_t row = 0; counts && row < 2 && counts[row]; row++)
				counted_set(&counted[side], row, counts[row]);
		}
		row_int(&rows[i], comparison_build(&c, &input, &why), 0);
		row_int(&rows[i], comparison_outcome(&c, 1), rows[i].outcomes[0]);
		row_int(&rows[i], comparison_outcome(&c, 2), rows[i].outcomes[1]);
		row_int(&rows[i], comparison_outcome(&c, 0), rows[i].all);
		comparison_release(&c);
		for (size_t side = 0; side < 3; side++)
			counted_release(&counted[side]);
	}
}

static void a_gate_on_a_row_that_a_side_lacks_is_unclear(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "cs", RUNS_N);
	counted_whole(&p.new, "faults,faults", RUNS_N);
	assert_int_equal(build(&p, "faults", &why), 0);
	assert_int_equal(p.comparison.gates_n, 1);
	assert_int_equal(p.comparison.gates[0].state, GATE_ABSENT);
	assert_int_equal(comparison_outcome(&p.comparison, 0), GATE_UNCLEAR);
}

static void a_gate_on_no_row_is_refused(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "cs", RUNS_N);
	counted_whole(&p.new, "faults", RUNS_N);
	assert_int_equal(build(&p, "cycles", &why), -ENOENT);
	assert_string_equal(
		why.text,
		"--fail-if 'a gate': 'cycles' is not compared; choose from duration_time, cs, faults, "
		"user_time, system_time, max_rss");
}

/* Fill all rows of a side with values of this mean: half of them above the mean by this percentage,
 * half below. */
static void make_side_of(struct side_input *side, struct counted *c, const char *events,
			 uint64_t mean, uint64_t percent)
{
	counted_whole(c, events, RUNS_N);
	*side = (struct side_input){ .name = "side", .series = &c->series };
	for (size_t i = 0; i < c->series.runs_n; i++)
		for (size_t row = 0; row < c->series.rows_n; row++)
			c->runs[i].readings[row].counts.raw =
				i % 2 ? mean + mean * percent / 100 : mean - mean * percent / 100;
}

static void make_side(struct side_input *side, struct counted *c, uint64_t mean, uint64_t percent)
{
	make_side_of(side, c, "cs", mean, percent);
}

static const char *hint_of(const struct comparison_row *row, size_t side)
{
	static const struct text_style text = { .numbers = &num_plain };
	static char shown[64];
	cleanup_str struct str hint = { 0 };

	text_add_hint(&hint, row, side, &text);
	snprintf(shown, sizeof(shown), "%s", str_text(&hint));
	return shown;
}

/*
 * The numbers are from R, see test_contrast.c, with a family of three: the times are equal. They
 * depend on the noise of each side, and not on its change. A run takes a second.
 */
static void each_side_needs_its_own_number_of_runs(void **state)
{
	static const uint64_t means[] = { 1000000, 1005000, 995000, 1000100 };
	static const uint64_t percents[] = { 1, 1, 1, 3 };
	struct counted counted[N_OF(means)];
	struct side_input sides[N_OF(means)];
	cleanup_with(comparison_release) struct comparison c = { 0 };
	cleanup_why struct why why = { 0 };
	const struct comparison_input input = {
		.sides = sides, .sides_n = N_OF(means), .confidence = 0.95, .math = &math
	};

	for (size_t i = 0; i < N_OF(means); i++)
		make_side(&sides[i], &counted[i], means[i], percents[i]);
	assert_int_equal(comparison_build(&c, &input, &why), 0);
	assert_string_equal(hint_of(&c.rows[1], 1), "to resolve 1 %: -r 55, about 2 min");
	assert_string_equal(hint_of(&c.rows[1], 2), "to resolve 1 %: -r 55, about 2 min");
	assert_string_equal(hint_of(&c.rows[1], 3), "to resolve 1 %: -r 320, about 11 min");
	for (size_t i = 0; i < N_OF(means); i++)
		counted_release(&counted[i]);
}

/* The conclusion on the second side begins with this text. */
static void assert_conclusion(const struct comparison *c, const char *expected)
{
	static const struct text_style text = { .numbers = &num_plain };
	cleanup_str struct str conclusion = { 0 };

	text_add_conclusion(&conclusion, c, 1, &text);
	assert_memory_equal(str_text(&conclusion), expected, strlen(expected));
}

static struct comparison_input gated_sides(const struct side_input *sides,
					   const struct gate_request *gate)
{
	return (struct comparison_input){ .sides = sides,
					  .sides_n = 2,
					  .paired = true,
					  .confidence = 0.95,
					  .gates = gate,
					  .gates_n = 1,
					  .math = &math };
}

static char per[] = "per";
static const struct gate_request gate_of_per = {
	.text = "per>+5%", .name = per, .above = true, .relative = true, .limit.value = 0.05
};

/* 5 rows after the first, so that the smallest p has to be 0.01: rows that could have a verdict with
 * 6 rounds need 8, too. */
static void too_few_runs_have_one_number_in_the_table(void **state)
{
	struct counted counted[2];
	struct side_input sides[2];
	cleanup_with(comparison_release) struct comparison c = { 0 };
	cleanup_why struct why why = { 0 };
	struct comparison_plan plan;
	static char cs[] = "cs";
	const struct gate_request gate = {
		.text = "cs>+1%", .name = cs, .above = true, .relative = true, .limit.value = 0.01
	};
	const struct comparison_input input = gated_sides(sides, &gate);

	for (size_t i = 0; i < N_OF(sides); i++) {
		make_side_of(&sides[i], &counted[i],
			     "cs,faults,migrations,major-faults,minor-faults,alignment-faults",
			     1000 + i, 1);
		counted[i].series.runs_n = 5;
	}
	assert_int_equal(comparison_build(&c, &input, &why), 0);
	assert_int_equal(c.verdicts_n, 5);
	assert_int_equal(c.runs_least, 8);
	for (size_t i = 1; i <= 6; i++)
		assert_string_equal(hint_of(&c.rows[i], 1), "8 needed");
	assert_int_equal(c.gates[0].state, GATE_TOO_FEW);
	assert_int_equal(c.gates[0].runs_least, 6); /* the only limit */
	assert_conclusion(&c, "side has too few runs for a verdict against side (8 needed): cs +");
	for (size_t i = 0; i < N_OF(sides); i++)
		counted[i].series.runs_n = 0; /* the plan is made before the first run */
	assert_int_equal(comparison_plan_of(&plan, &input), 0);
	assert_int_equal(plan.verdicts_n, 5);
	assert_int_equal(plan.limits_n, 1);
	for (size_t i = 0; i < N_OF(sides); i++) {
		counted[i].series.runs_n = RUNS_N;
		counted_release(&counted[i]);
	}
}

/* The mean counts of two events that are scaled, but not counted together, give no metric; some
 * runs do. Such values are estimates without an interval. */
static void a_metric_of_few_runs_is_as_scaled_as_its_events(void **state)
{
	static const size_t both[] = { 0, 1 };
	struct counted counted[2];
	struct side_input sides[2];
	cleanup_with(comparison_release) struct comparison c = { 0 };
	cleanup_why struct why why = { 0 };
	const struct comparison_input input = gated_sides(sides, &gate_of_per);

	for (size_t i = 0; i < N_OF(sides); i++) {
		counted_whole(&counted[i], "cs,faults", RUNS_N);
		counted_add_metric(&counted[i], "per=cs/faults", both);
		for (size_t run = 0; i == 1 && run < RUNS_N; run += 2)
			counted[i].runs[run].readings[0] =
				(struct reading){ SCALED, { 500, 100, 50 } };
		sides[i] = (struct side_input){ .name = i ? "new" : "old",
						.series = &counted[i].series };
	}
	assert_int_equal(comparison_build(&c, &input, &why), 0);
	assert_int_equal(c.gates_n, 1);
	assert_int_equal(c.gates[0].row->sides[0].state, COUNTED);
	assert_int_equal(c.gates[0].row->sides[1].n, RUNS_N / 2);
	assert_int_equal(c.gates[0].row->sides[1].state, SCALED);
	assert_true(c.gates[0].row->sides[1].unbounded);
	assert_int_equal(c.gates[0].state, GATE_UNBOUNDED);
	for (size_t i = 0; i < N_OF(sides); i++)
		counted_release(&counted[i]);
}

/* A gate on a metric judges it at each place, also before it has a value. */
static void a_gate_on_a_metric_counts_at_each_place(void **state)
{
	static const char *const places[] = { "CPU0", "CPU1", "CPU2", NULL };
	static const size_t both[] = { 0, 1 };
	struct counted counted[2];
	struct side_input sides[2];
	struct comparison_plan plan;
	const struct comparison_input input = gated_sides(sides, &gate_of_per);

	for (size_t i = 0; i < N_OF(sides); i++) {
		counted_init(&counted[i], "cs,faults", places, RUNS_N);
		counted_add_metric(&counted[i], "per=cs/faults", both);
		sides[i] = (struct side_input){ .name = i ? "new" : "old",
						.series = &counted[i].series };
	}
	for (size_t runs_n = 0; runs_n <= RUNS_N; runs_n += RUNS_N) {
		counted[0].series.runs_n = counted[1].series.runs_n = runs_n;
		assert_int_equal(comparison_plan_of(&plan, &input), 0);
		assert_int_equal(plan.limits_n, 3);
	}
	for (size_t i = 0; i < N_OF(sides); i++) {
		counted[i].series.runs_n = RUNS_N;
		counted_release(&counted[i]);
	}
}

/* A gate on the elapsed time or another row. The times of a side differ from 1 s by this
 * percentage, those of task-clock by 1 %. */
static void a_gate_on_the_time_knows_if_the_cpu_time_varies_less(void **state)
{
	static const struct {
		int line;
		const char *event, *gate;
		uint64_t old_percent, new_percent;
		bool varies_less;
	} cases[] = {
		{ ROW, "task-clock", "duration_time", 5, 3, true },
		{ ROW, "task-clock", "duration_time", 5, 1, false },
		{ ROW, "task-clock", "duration_time", 1, 5, false },
		{ ROW, "cpu-clock", "duration_time", 5, 5, false },
		{ ROW, "task-clock", "task-clock", 5, 5, false },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_with(pair_release) struct pair p = { 0 };
		cleanup_why struct why why = { 0 };
		const uint64_t percents[] = { cases[i].old_percent, cases[i].new_percent };
		struct counted *sides[] = { &p.old, &p.new };

		for (size_t side = 0; side < N_OF(sides); side++) {
			counted_whole(sides[side], cases[i].event, RUNS_N);
			for (size_t run = 0; run < RUNS_N; run++) {
				uint64_t part = run % 2 ? 10000000 : (uint64_t)-10000000;

				sides[side]->runs[run].readings[0].counts.raw = 1000000000 + part;
				sides[side]->runs[run].tool[TOOL_DURATION_TIME] =
					1000000000 + part * percents[side];
			}
		}
		row_int(&cases[i], build(&p, cases[i].gate, &why), 0);
		row_int(&cases[i], p.comparison.gates[0].cpu_time_varies_less,
			cases[i].varies_less);
	}
}

/* Whether the notes on the comparison of two sides have this one. */
static bool has_note(const struct side_input sides[2], bool paired, const char *note)
{
	static const struct text_style text = { .numbers = &num_plain };
	cleanup_with(comparison_release) struct comparison c = { 0 };
	cleanup_str_list struct str_list notes = { 0 };
	cleanup_why struct why why = { 0 };
	const struct comparison_input input = {
		.sides = sides, .sides_n = 2, .paired = paired, .confidence = 0.95, .math = &math
	};

	assert_int_equal(comparison_build(&c, &input, &why), 0);
	assert_int_equal(text_notes(&notes, &c, &text), 0);
	return str_list_has(&notes, note);
}

static void a_change_that_the_means_do_not_show_has_a_note(void **state)
{
	static const char pairs[] = "Change: from the pairs of each round, not from the means";
	static const char means[] = "Change: from the geometric means, not from the means";
	struct counted counted[2];
	struct side_input sides[2];

	make_side(&sides[0], &counted[0], 1000000, 1);
	make_side(&sides[1], &counted[1], 1100000, 5);
	assert_false(has_note(sides, true, pairs));
	assert_false(has_note(sides, false, means));
	/* the geometric mean is that of the reference, and the mean is 25 % above it */
	for (size_t i = 0; i < RUNS_N; i++)
		counted[1].runs[i].readings[0].counts.raw = i % 2 ? 2000000 : 500000;
	assert_true(has_note(sides, true, pairs));
	assert_true(has_note(sides, false, means));
	for (size_t i = 0; i < N_OF(sides); i++)
		counted_release(&counted[i]);
}

/* Multiplexed runs that differ. half_width: of their estimates, which stats/estimate.h may leave
 * unknown (NAN); below 0: there are no estimates. */
static void multiplex(struct counted *c, double half_width)
{
	for (size_t i = 0; i < RUNS_N; i++)
		c->runs[i].readings[0] = (struct reading){
			SCALED,
			{ 400 + i % 2, 1000, 400 },
			.estimate = { 1000 + (double)(i % 2), half_width },
			.has_estimate = !(half_width < 0),
		};
}

static void a_gate_on_scaled_counts_needs_their_intervals(void **state)
{
	static const struct {
		int line;
		double old_half_width, new_half_width;
		bool gate_scaled;
		int state;
		enum gate_outcome outcome;
	} cases[] = {
		{ ROW, 5, 5, false, GATE_JUDGED, GATE_KEPT },
		{ ROW, -1, 5, false, GATE_UNBOUNDED, GATE_UNCLEAR },
		{ ROW, 5, -1, false, GATE_UNBOUNDED, GATE_UNCLEAR },
		{ ROW, 5, NAN, false, GATE_JUDGED,
		  GATE_KEPT }, /* the spread of the runs bounds it */
		{ ROW, -1, NAN, true, GATE_JUDGED, GATE_KEPT },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_with(pair_release) struct pair p = { .gate_scaled = cases[i].gate_scaled };
		cleanup_why struct why why = { 0 };

		counted_whole(&p.old, "cs", RUNS_N);
		counted_whole(&p.new, "cs", RUNS_N);
		multiplex(&p.old, cases[i].old_half_width);
		multiplex(&p.new, cases[i].new_half_width);
		row_int(&cases[i], build(&p, "cs", &why), 0);
		row_int(&cases[i], p.comparison.gates[0].state, cases[i].state);
		row_int(&cases[i], p.comparison.gates[0].evidence.outcome, cases[i].outcome);
		row_true(&cases[i], p.comparison.rows[1].sides[0].scaled);
	}
}

/* Estimates around mean, with a tiny spread and this half-width. Without a half-width, the count of
 * each run is mean after scaling. */
static void estimate_around(struct counted *c, double mean, double half_width, double spread)
{
	multiplex(c, half_width);
	for (size_t i = 0; i < RUNS_N; i++) {
		struct reading *reading = &c->runs[i].readings[0];

		reading->estimate.count = mean + spread * (double)i;
		if (!(half_width >= 0))
			reading->counts.raw = (uint64_t)(mean * 0.4);
	}
}

/*
 * The second side counts 3 % more, and the runs of a side hardly differ. The verdict, the gate and
 * the interval depend on the half-widths of the estimates.
 */
static void estimates_are_compared_with_their_own_errors(void **state)
{
	static const struct {
		int line;
		double half_width, new_mean, spread, limit;
		enum verdict verdict;
		enum gate_outcome outcome;
		double low, high; /* of the ratio */
		bool by_estimates;
	} cases[] = {
		{ ROW, 200, 1030, 0.01, 0.01, VERDICT_UNCLEAR, GATE_UNCLEAR, 0.92, 1.16, true },
		{ ROW, 2, 1030, 0.01, 0.01, VERDICT_WORSE, GATE_CROSSED, 1.0288, 1.0312, true },
		{ ROW, 2, 1030, 0.01, 0.10, VERDICT_WORSE, GATE_KEPT, 1.0288, 1.0312, true },
		/* the spread of the runs is wider */
		{ ROW, 0.001, 1030, 1, 0.01, VERDICT_WORSE, GATE_CROSSED, 1.027, 1.033, false },
		/* equal estimates are not exact */
		{ ROW, 200, 1000, 0, 0.01, VERDICT_UNCLEAR, GATE_UNCLEAR, 0.89, 1.12, true },
		{ ROW, 0.1, 1000, 0, 0.01, VERDICT_SAME, GATE_KEPT, 0.9999, 1.0001, true },
		/* nothing is known about the errors */
		{ ROW, NAN, 1030, 0, 0.01, VERDICT_UNCLEAR, GATE_UNCLEAR, 1.03, 1.03, true },
		{ ROW, -1, 1030, 0.01, 0.01, VERDICT_UNCLEAR, GATE_UNCLEAR, 1.03, 1.03, true },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		cleanup_with(pair_release) struct pair p = { 0 };
		cleanup_why struct why why = { 0 };
		const struct comparison_row *row;

		counted_whole(&p.old, "cs", RUNS_N);
		counted_whole(&p.new, "cs", RUNS_N);
		estimate_around(&p.old, 1000, cases[i].half_width, cases[i].spread);
		estimate_around(&p.new, cases[i].new_mean, cases[i].half_width, cases[i].spread);
		p.limit = cases[i].limit;
		row_int(&cases[i], build(&p, "cs", &why), 0);
		row = &p.comparison.rows[1];
		row_int(&cases[i], comparison_verdict(row, 1), cases[i].verdict);
		row_int(&cases[i], p.comparison.gates[0].evidence.outcome, cases[i].outcome);
		row_int(&cases[i], row->contrasts[1].by_estimates, cases[i].by_estimates);
		row_int(&cases[i], row->contrasts[1].constant, false);
		row_true(&cases[i],
			 fabs(row->contrasts[1].ratio.low / cases[i].low - 1) < 0.01 &&
				 fabs(row->contrasts[1].ratio.high / cases[i].high - 1) < 0.01);
	}
}

/* The mean of a side has the same half-width in a comparison as in its own result. */
static void a_side_has_the_half_width_of_its_result(void **state)
{
	static const double half_widths[] = { 200, 0.001, NAN, -1 };

	for (size_t i = 0; i < N_OF(half_widths); i++) {
		cleanup_with(pair_release) struct pair p = { 0 };
		cleanup_why struct why why = { 0 };
		const struct comparison_side *side;
		double expected;

		counted_whole(&p.old, "cs", RUNS_N);
		counted_whole(&p.new, "cs", RUNS_N);
		estimate_around(&p.new, 1000, half_widths[i], 1);
		assert_int_equal(build(&p, NULL, &why), 0);
		side = &p.comparison.rows[1].sides[1];
		expected = (double)p.comparison.tables[1].v[0].half_width;
		assert_int_equal(comparison_has_half(side), !isnan(expected));
		if (!isnan(expected))
			assert_true(fabs(side->half / expected - 1) < 0.001);
	}
}

static void one_run_without_an_interval_does_not_block_a_gate(void **state)
{
	cleanup_with(pair_release) struct pair p = { 0 };
	cleanup_why struct why why = { 0 };

	counted_whole(&p.old, "cs", RUNS_N);
	counted_whole(&p.new, "cs", RUNS_N);
	multiplex(&p.new, 5);
	p.new.runs[3].readings[0].estimate.half_width = NAN;
	assert_int_equal(build(&p, "cs", &why), 0);
	assert_int_equal(p.comparison.gates[0].state, GATE_JUDGED);
}

/* Find the best of four sides by the first event. The counts of the runs are the mean ± a
 * percentage. */
static const struct best_row {
	int line;
	uint64_t means[4], percents[4];
	const char *best; /* the sides are named after their index */
	bool unclear;
} best_rows[] = {
	{ ROW, { 1000, 2000, 3000, 4000 }, { 1, 1, 1, 1 }, "Best: 0 (cs); the next, 1: +100 %" },
	{ ROW, { 2000, 1000, 3000, 4000 }, { 1, 1, 1, 1 }, "Best: 1 (cs); the next, 0: +100 %" },
	{ ROW, { 4000, 3000, 1000, 2000 }, { 1, 1, 1, 1 }, "Best: 2 (cs); the next, 3: +100 %" },
	{ ROW, { 3000, 1000, 1001, 2000 }, { 1, 1, 1, 1 }, "Best: 1 or 2 (cs): these are", true },
	{ ROW, { 3000, 1001, 1002, 1000 }, { 1, 1, 1, 1 }, "Best: 3, 1 or 2 (cs): these", true },
	{ ROW, { 1001, 1000, 2000, 3000 }, { 1, 1, 1, 1 }, "Best: 1 or 0 (cs): these are", true },
	{ ROW, { 1001, 1000, 1002, 1000 }, { 9, 9, 9, 9 }, "Best: unknown (cs): the sides", true },
	/* the smallest mean varies too much to be better than the reference */
	{ ROW, { 3000, 2000, 1990, 4000 }, { 1, 1, 90, 1 }, "Best: 2 or 1 (cs): these are", true },
	/* no ratio: the reference is 0 */
	{ ROW, { 0, 2000, 3000, 4000 }, { 0, 1, 1, 1 }, "Best: 0 (cs); the next, 1: +2,000" },
	{ ROW, { 2000, 0, 3000, 0 }, { 1, 0, 1, 0 }, "Best: 1 or 3 (cs): these are not" },
};

static void the_best_side_is_named_with_the_sides_not_proved_worse(void **state)
{
	static const struct num_style numbers = { .thousands = ",", .point = "." };
	static const struct text_style text = { .numbers = &numbers };
	static const char *const names[] = { "0", "1", "2", "3" };

	for (size_t i = 0; i < N_OF(best_rows); i++) {
		const struct best_row *row = &best_rows[i];
		struct counted counted[N_OF(names)];
		struct side_input sides[N_OF(names)];
		cleanup_with(comparison_release) struct comparison c = { 0 };
		cleanup_str_list struct str_list remarks = { 0 };
		cleanup_why struct why why = { 0 };
		const struct comparison_input input = {
			.sides = sides, .sides_n = N_OF(names), .confidence = 0.95, .math = &math
		};

		for (size_t side = 0; side < N_OF(names); side++) {
			make_side(&sides[side], &counted[side], row->means[side],
				  row->percents[side]);
			sides[side].name = names[side];
		}
		row_int(row, comparison_build(&c, &input, &why), 0);
		row_int(row, text_remarks(&remarks, &c, &text), 0);
		if (strncmp(remarks.v[0], row->best, strlen(row->best)) != 0)
			row_string(row, remarks.v[0], row->best);
		row_int(row, c.best.unclear, row->unclear);
		for (size_t side = 0; side < N_OF(names); side++)
			counted_release(&counted[side]);
	}
}

static void a_change_in_the_machine_is_mentioned_only_if_it_may_matter(void **state)
{
	static const char remark[] = "The sides were measured at different times";
	static const struct text_style text = { .numbers = &num_plain };
	static const struct {
		int line;
		const char *event;
		uint64_t count; /* the reference counts 1000 */
		bool paired, remarked;
	} rows[] = {
		{ ROW, "cs", 2000, false, true },      { ROW, "cs", 1000, false, false },
		{ ROW, "cs", 2000, true, false },      { ROW, "page-faults", 2000, false, false },
		{ ROW, "max_rss", 500, false, false },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(pair_release) struct pair p = { 0 };
		cleanup_str_list struct str_list remarks = { 0 };
		cleanup_why struct why why = { 0 };

		counted_whole(&p.old, rows[i].event, RUNS_N);
		counted_whole(&p.new, rows[i].event, RUNS_N);
		counted_set(&p.new, 0, rows[i].count);
		assert_int_equal(build(&p, NULL, &why), 0);
		p.comparison.input.paired = rows[i].paired;
		assert_int_equal(text_remarks(&remarks, &p.comparison, &text), 0);
		row_int(&rows[i], remarks.n, rows[i].remarked);
		if (remarks.n)
			assert_int_equal(strncmp(remarks.v[0], remark, strlen(remark)), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_that_one_side_has_is_a_row),
		cmocka_unit_test(own_rows_exist_for_all_sides),
		cmocka_unit_test(a_time_is_compared_in_msec_with_an_exact_reference),
		cmocka_unit_test(a_max_rss_of_the_parent_is_unknown),
		cmocka_unit_test(a_metric_is_found_at_any_position_of_its_event),
		cmocka_unit_test(a_metric_of_a_run_is_that_of_its_own_result),
		cmocka_unit_test(a_metric_of_scaled_counts_is_scaled),
		cmocka_unit_test(rows_are_matched_by_their_places),
		cmocka_unit_test(a_gate_is_on_each_place),
		cmocka_unit_test(a_row_matches_the_name_of_a_gate_in_these_ways),
		cmocka_unit_test(a_minimum_effect_finds_its_events_as_a_gate_does),
		cmocka_unit_test(a_gate_finds_its_event_under_the_other_name),
		cmocka_unit_test(the_gates_of_one_side_have_one_outcome),
		cmocka_unit_test(a_gate_on_a_row_that_a_side_lacks_is_unclear),
		cmocka_unit_test(a_gate_on_no_row_is_refused),
		cmocka_unit_test(each_side_needs_its_own_number_of_runs),
		cmocka_unit_test(too_few_runs_have_one_number_in_the_table),
		cmocka_unit_test(a_metric_of_few_runs_is_as_scaled_as_its_events),
		cmocka_unit_test(a_gate_on_a_metric_counts_at_each_place),
		cmocka_unit_test(a_gate_on_the_time_knows_if_the_cpu_time_varies_less),
		cmocka_unit_test(a_change_that_the_means_do_not_show_has_a_note),
		cmocka_unit_test(a_gate_on_scaled_counts_needs_their_intervals),
		cmocka_unit_test(estimates_are_compared_with_their_own_errors),
		cmocka_unit_test(a_side_has_the_half_width_of_its_result),
		cmocka_unit_test(one_run_without_an_interval_does_not_block_a_gate),
		cmocka_unit_test(the_best_side_is_named_with_the_sides_not_proved_worse),
		cmocka_unit_test(a_change_in_the_machine_is_mentioned_only_if_it_may_matter),
	};
	cleanup_why struct why why = { 0 };

	if (rmath_load(&math, &why) < 0) {
		print_message("1..0 # SKIP %s\n", why_text(&why, 0));
		return 77;
	}
	return cmocka_run_group_tests_name("comparison", tests, NULL, NULL);
}
