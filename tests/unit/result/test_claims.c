/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rows of a comparison may claim: which are judged alone, which together, and which not at
 * all; which row leads; and what the stopping rule is told before. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "result/comparison.h"
#include "unit/result/counted.h"
#include "unit/reference.h"
#include "unit/test.h"

enum { RUNS_N = 10, SIDES_MAX = 4 };

/* Sides with made-up counts, and their comparison. */
struct made {
	struct counted counted[SIDES_MAX];
	struct side_input sides[SIDES_MAX];
	struct gate_request gate;
	struct effect_request effect;
	struct comparison_input input;
	struct comparison c;
};

static void made_release(struct made *m)
{
	comparison_release(&m->c);
	for (size_t i = 0; i < m->input.sides_n; i++)
		counted_release(&m->counted[i]);
}
#define cleanup_made cleanup_with(made_release)

static void make(struct made *m, size_t sides_n)
{
	m->input = (struct comparison_input){ .sides = m->sides,
					      .sides_n = sides_n,
					      .paired = true,
					      .confidence = 0.95,
					      .math = &math };
	for (size_t i = 0; i < sides_n; i++)
		m->sides[i] = (struct side_input){ "side", &m->counted[i].series };
}

/* Make sides that count the same events, separated by commas. No option names the events in "( )". */
static void make_equal(struct made *m, size_t sides_n, const char *events)
{
	cleanup_str struct str names = { 0 };

	for (const char *at = events; *at; at++)
		if (!strchr("()", *at))
			str_add_n(&names, at, 1);
	for (size_t i = 0; i < sides_n; i++) {
		bool implied = false;
		size_t event = 0;

		counted_whole(&m->counted[i], str_text(&names), RUNS_N);
		for (const char *at = events; *at; at++) {
			implied = *at == '(' || (implied && *at != ')');
			event += *at == ',';
			m->counted[i].events.events[event].implied |= implied && *at != ',';
		}
	}
	make(m, sides_n);
}

static void build(struct made *m)
{
	cleanup_why struct why why = { 0 };
	int err;

	comparison_release(&m->c);
	err = comparison_build(&m->c, &m->input, &why);
	if (err < 0)
		fail_msg("%s", why_text(&why, err));
}

static void set_gate(struct made *m, const char *name)
{
	m->gate = (struct gate_request){ .text = "a gate",
					 .name = (char *)(uintptr_t)name,
					 .above = true,
					 .relative = true,
					 .limit.value = 0.1 };
	m->input.gates = &m->gate;
	m->input.gates_n = 1;
}

/* No run of the side counted the row. */
static void set_absent(struct made *m, size_t side, size_t row, enum count_state state)
{
	for (size_t run = 0; run < m->counted[side].series.runs_n; run++)
		m->counted[side].runs[run].readings[row].state = state;
}

static const struct comparison_row *row_of(const struct made *m, const char *name)
{
	for (size_t i = 0; i < m->c.rows_n; i++)
		if (strcmp(m->c.rows[i].of->name, name) == 0)
			return &m->c.rows[i];
	fail_msg("no row '%s'", name);
	return NULL;
}

/* "duration_time:first faults:asked cs; user_time": the rows that are shown, then those that are
 * not. A row without a claim has only its name. */
static void add_claims(struct str *out, const struct comparison *c)
{
	static const char *const words[] = { "", ":asked", ":first" };
	cleanup_str struct str hidden = { 0 };

	for (size_t i = 0; i < c->rows_n; i++) {
		const struct comparison_row *row = &c->rows[i];
		struct str *to = row->shown ? out : &hidden;

		str_addf(to, "%s%s%s%s%s",
			 row->shown ? (to->len ? " " : "") :
			 to->len    ? " " :
				      "; ",
			 row->of->name, *row->of->place->label ? "@" : "", row->of->place->label,
			 words[row->claim]);
	}
	str_append(out, &hidden);
}

/* ---- Which row claims what. */

#define OTHERS "; user_time system_time max_rss"

static const struct claim_row {
	int line;
	const char *events; /* see make_equal() */
	const char *absent; /* digits: the second side lacks the counts of these rows */
	const char *gate;
	bool all_rows;
	const char *claims;
	double confidence; /* of the first rows */
} claim_rows[] = {
	/* without a request, the times share one probability of error */
	{ ROW, "(task-clock,cs)", "", NULL, false, "duration_time:first task-clock:first cs" OTHERS,
	  0.975 },
	{ ROW, "(cs,cpu-clock)", "", NULL, false, "duration_time:first cs cpu-clock" OTHERS, 0.95 },
	{ ROW, "(task-clock,cpu-clock)", "", NULL, false,
	  "duration_time:first task-clock:first cpu-clock" OTHERS, 0.975 },
	{ ROW, "(cs)", "", NULL, false, "duration_time:first cs" OTHERS, 0.95 },
	{ ROW, "(task-clock,cs)", "0", NULL, false, "duration_time:first task-clock cs" OTHERS,
	  0.95 },
	{ ROW, "(task-clock)", "", NULL, true,
	  "duration_time:first task-clock:first user_time system_time max_rss", 0.975 },
	/* the first one that the user asked for */
	{ ROW, "cs,faults", "", NULL, false,
	  "cs:first faults:asked; duration_time user_time "
	  "system_time max_rss",
	  0.95 },
	{ ROW, "cs,task-clock", "", NULL, false,
	  "cs:first task-clock:asked; duration_time user_time "
	  "system_time max_rss",
	  0.95 },
	{ ROW, "faults,duration_time", "", NULL, false, "faults:first duration_time:asked" OTHERS,
	  0.95 },
	{ ROW, "(cs),faults", "", NULL, false,
	  "faults:first; duration_time cs user_time system_time "
	  "max_rss",
	  0.95 },
	{ ROW, "cs", "", NULL, true, "duration_time cs:first user_time system_time max_rss", 0.95 },
	/* that both sides have counted */
	{ ROW, "cs,faults,migrations", "0", NULL, false,
	  "cs:asked faults:first migrations:asked; "
	  "duration_time user_time system_time max_rss",
	  0.95 },
	{ ROW, "cs,task-clock", "0", NULL, false,
	  "cs:asked task-clock:first; duration_time "
	  "user_time system_time max_rss",
	  0.95 },
	/* nothing of it was counted: the times replace it */
	{ ROW, "cs,faults", "01", NULL, false, "duration_time:first cs:asked faults:asked" OTHERS,
	  0.95 },
	{ ROW, "cs,(task-clock)", "0", NULL, false,
	  "duration_time:first cs:asked "
	  "task-clock:first" OTHERS,
	  0.975 },
	/* a gate asks for its row, but does not make it the first */
	{ ROW, "(task-clock)", "", "max_rss", false,
	  "duration_time:first task-clock:first "
	  "max_rss:asked; user_time system_time",
	  0.975 },
	{ ROW, "(task-clock,cs)", "", "cs", false,
	  "duration_time:first task-clock:first cs:asked" OTHERS, 0.975 },
	{ ROW, "cs", "", "duration_time", false, "duration_time:asked cs:first" OTHERS, 0.95 },
	{ ROW, "(cs)", "", "duration_time", false, "duration_time:first cs" OTHERS, 0.95 },
};

static void a_row_claims_what_the_user_asked_for(void **state)
{
	for (size_t i = 0; i < N_OF(claim_rows); i++) {
		const struct claim_row *row = &claim_rows[i];
		cleanup_made struct made m = { 0 };
		cleanup_str struct str claims = { 0 };

		make_equal(&m, 2, row->events);
		for (const char *at = row->absent; *at; at++)
			set_absent(&m, 1, (size_t)(*at - '0'), NOT_SUPPORTED);
		if (row->gate)
			set_gate(&m, row->gate);
		m.input.all_rows = row->all_rows;
		build(&m);
		add_claims(&claims, &m.c);
		row_string(row, str_text(&claims), row->claims);
		for (size_t k = 0; k < m.c.rows_n; k++) {
			bool first = m.c.rows[k].claim == CLAIM_FIRST;
			double expected = first ? row->confidence : 0.95;

			row_true(row, fabs(m.c.rows[k].confidence - expected) < 1e-12);
		}
	}
}

/* An event at several places is several rows. A place that one side lacks is skipped. */
static void the_first_row_is_at_the_first_common_place(void **state)
{
	static const char *const old_places[] = { "CPU0", "CPU1", NULL };
	static const char *const new_places[] = { "CPU1", "CPU2", NULL };
	cleanup_made struct made m = { 0 };
	cleanup_str struct str claims = { 0 };

	counted_init(&m.counted[0], "cs,faults", old_places, RUNS_N);
	counted_init(&m.counted[1], "cs,faults", new_places, RUNS_N);
	make(&m, 2);
	build(&m);
	add_claims(&claims, &m.c);
	assert_string_equal(
		str_text(&claims),
		"cs@CPU0:asked cs@CPU1:first faults@CPU0:asked faults@CPU1:asked cs@CPU2:asked "
		"faults@CPU2:asked; duration_time user_time system_time max_rss");
	/* the CPU time of a place is not the CPU time of the command */
	assert_false(comparison_is_time(&m.c.rows[1]));
}

/* The events of a metric are not asked for. */
static void a_metric_is_the_first_row_if_only_metrics_are_asked_for(void **state)
{
	static const size_t both[] = { 0, 1 };
	cleanup_made struct made m = { 0 };
	cleanup_str struct str claims = { 0 };
	struct comparison_plan plan;

	make_equal(&m, 2, "(cs,faults)");
	for (size_t i = 0; i < 2; i++) {
		counted_add_metric(&m.counted[i], "per=cs/faults", both);
		counted_add_metric(&m.counted[i], "twice=2*cs", both);
	}
	build(&m);
	add_claims(&claims, &m.c);
	assert_string_equal(str_text(&claims),
			    "per:first twice:asked; duration_time cs faults user_time system_time "
			    "max_rss");
	/* the stopping rule watches an event, because a metric has no row in a series */
	assert_int_equal(comparison_plan_of(&plan, &m.input), 0);
	assert_int_equal(plan.firsts_n, 1);
	assert_int_equal(plan.firsts[0].row, 0);
}

static void a_row_without_a_claim_has_an_interval_and_no_verdict(void **state)
{
	cleanup_made struct made m = { 0 };
	const struct comparison_row *row;

	make_equal(&m, 2, "(task-clock,cs)");
	for (size_t run = 0; run < RUNS_N; run++)
		m.counted[1].runs[run].readings[1].counts.raw = 5000 + run;
	build(&m);
	row = row_of(&m, "cs");
	assert_int_equal(comparison_verdict(row, 1), VERDICT_NONE);
	assert_string_equal(comparison_verdict_text(VERDICT_NONE), "");
	assert_true(row->contrasts[1].ratio.low > 5 && row->contrasts[1].ratio.high < 5.1);
	assert_true(row->contrasts[1].ratio.low < row->contrasts[1].ratio.high);
	assert_int_equal(row->sides[1].runs_needed.n, 0);
	set_absent(&m, 1, 1, NOT_SUPPORTED);
	build(&m);
	assert_int_equal(comparison_verdict(row_of(&m, "cs"), 1), VERDICT_ABSENT);
}

/* ---- Families. */

/* Differences of pairs with a p of 0.03, from t = 2.55 with 9 degrees of freedom. */
static const double weak[RUNS_N] = { 12, 15, 9, -6, 14, 8, -6, 11, -1, 7 };

/* Let the second side differ weakly in a row, of which the first side counts 400 each time. */
static void set_weak(struct made *m, size_t row)
{
	double reference[RUNS_N], other[RUNS_N];

	for (size_t run = 0; run < RUNS_N; run++) {
		reference[run] = 400;
		other[run] = 400 + weak[run];
	}
	counted_set_values(&m->counted[0], row, reference);
	counted_set_values(&m->counted[1], row, other);
}

/* Rows without a difference that vary. */
static void set_noise(struct made *m, size_t row)
{
	double values[2][RUNS_N];

	for (size_t run = 0; run < RUNS_N; run++)
		for (size_t side = 0; side < 2; side++)
			values[side][run] = 10000 + (double)((run * 7 + side * 3 + row) % 10 * 20);
	for (size_t side = 0; side < 2; side++)
		counted_set_values(&m->counted[side], row, values[side]);
}

static void the_first_row_is_judged_alone(void **state)
{
	static const char events[] = "cs,faults,migrations,major-faults,minor-faults";
	cleanup_made struct made m = { 0 }, q = { 0 };
	const struct comparison_row *row;

	make_equal(&m, 2, events);
	make_equal(&q, 2, events);
	for (size_t i = 0; i < 5; i++) {
		set_noise(&m, i);
		set_noise(&q, i);
	}
	/* the same change: enough in the first row, too weak among the four others */
	set_weak(&m, 0);
	set_weak(&q, 1);
	build(&m);
	build(&q);
	row = row_of(&m, "cs");
	assert_true(row->contrasts[1].p > 0.025 && row->contrasts[1].p < 0.04);
	assert_int_equal(comparison_verdict(row, 1), VERDICT_WORSE);
	assert_int_equal(row->family.n, 1);
	assert_double(row->family.alpha, 0.05);
	row = row_of(&q, "faults");
	assert_int_equal(comparison_verdict(row, 1), VERDICT_UNCLEAR);
	assert_true(row->contrasts[1].corrected);
	assert_int_equal(row->family.n, 4);
	assert_double(row->family.alpha, 0.05);
	/* the others do not share theirs with the first row */
	assert_int_equal(row_of(&m, "faults")->family.n, 4);
}

/* Two first rows have half of the probability of error each. */
static void two_first_rows_share_their_probability_of_error(void **state)
{
	cleanup_made struct made m = { 0 }, q = { 0 };
	struct made *both[] = { &m, &q };

	make_equal(&m, 2, "(task-clock)");
	make_equal(&q, 2, "duration_time");
	for (size_t i = 0; i < 2; i++) {
		for (size_t run = 0; run < RUNS_N; run++) {
			uint64_t ns = (uint64_t)(400000 + weak[run] * 1000);

			both[i]->counted[0].runs[run].tool[TOOL_DURATION_TIME] = 400000;
			both[i]->counted[1].runs[run].tool[TOOL_DURATION_TIME] = ns;
			for (size_t side = 0; side < 2; side++)
				both[i]->counted[side].runs[run].readings[0].counts.raw =
					side ? ns : 400000;
		}
		build(both[i]);
	}
	assert_int_equal(comparison_verdict(row_of(&m, "duration_time"), 1), VERDICT_UNCLEAR);
	assert_double(row_of(&m, "duration_time")->family.alpha, 0.025);
	/* the same numbers, judged alone */
	assert_int_equal(comparison_verdict(row_of(&q, "duration_time"), 1), VERDICT_WORSE);
	assert_double(row_of(&q, "duration_time")->family.alpha, 0.05);
	/* the intervals say the same */
	assert_true(row_of(&m, "duration_time")->contrasts[1].ratio.low < 1);
	assert_true(row_of(&q, "duration_time")->contrasts[1].ratio.low > 1);
}

/* Not to be confused with `unclear` in an interval that excludes 0. */
static void the_interval_of_a_first_row_agrees_with_its_verdict(void **state)
{
	for (int shift = -40; shift <= 40; shift++) {
		cleanup_made struct made m = { 0 };
		const struct comparison_row *row;
		const struct contrast *contrast;
		double reference[RUNS_N], other[RUNS_N];

		make_equal(&m, 2, "cs,faults,migrations,major-faults,minor-faults");
		for (size_t i = 1; i < 5; i++)
			set_noise(&m, i);
		for (size_t run = 0; run < RUNS_N; run++) {
			reference[run] = 400;
			other[run] = 400 + weak[run] - 6 + shift;
		}
		counted_set_values(&m.counted[0], 0, reference);
		counted_set_values(&m.counted[1], 0, other);
		build(&m);
		row = row_of(&m, "cs");
		contrast = &row->contrasts[1];
		if (contrast->disagree) /* the permutation test does not make the interval */
			continue;
		assert_int_equal(contrast->change == CHANGE_MORE, contrast->ratio.low > 1);
		assert_int_equal(contrast->change == CHANGE_LESS, contrast->ratio.high < 1);
	}
}

/* ---- The leading row. */

/* Let a side differ by this percentage in the times of the command: 1 s ± 1 ms. */
static void set_times(struct made *m, size_t side, int elapsed, int cpu)
{
	for (size_t run = 0; run < RUNS_N; run++) {
		struct run *it = &m->counted[side].runs[run];
		uint64_t noise = (run * 7 + side * 3) % 10 * 200000;

		it->tool[TOOL_DURATION_TIME] = (uint64_t)(100 + elapsed) * 10000000 + noise;
		it->readings[0].counts.raw = (uint64_t)(100 + cpu) * 10000000 + noise;
	}
}

/* The runs of a side take between half as long and twice as long. */
static void set_unclear(struct made *m, size_t side, bool elapsed, bool cpu)
{
	for (size_t run = 0; run < RUNS_N; run++) {
		struct run *it = &m->counted[side].runs[run];
		uint64_t ns = 500000000 + (run * 7 + side * 3) % 10 * 150000000;

		if (elapsed)
			it->tool[TOOL_DURATION_TIME] = ns;
		if (cpu)
			it->readings[0].counts.raw = ns;
	}
}

static void the_leading_row_has_the_most_decided_sides(void **state)
{
	static const struct {
		int line;
		bool unclear[2][2]; /* of both other sides: elapsed, CPU time */
		const char *leading;
	} rows[] = {
		{ ROW, { { false, false }, { false, false } }, "duration_time" },
		{ ROW, { { true, true }, { true, true } }, "duration_time" },
		{ ROW, { { true, false }, { true, false } }, "task-clock" },
		{ ROW, { { true, false }, { false, false } }, "task-clock" },
		{ ROW, { { true, false }, { false, true } }, "duration_time" },
		{ ROW, { { false, true }, { false, true } }, "duration_time" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_made struct made m = { 0 };

		make_equal(&m, 3, "(task-clock,cs)");
		for (size_t side = 0; side < 3; side++) {
			set_times(&m, side, 5 * (int)side, 5 * (int)side);
			if (side > 0)
				set_unclear(&m, side, rows[i].unclear[side - 1][0],
					    rows[i].unclear[side - 1][1]);
		}
		build(&m);
		row_string(&rows[i], m.c.leading->of->name, rows[i].leading);
	}
}

/* Both times are decided. The elapsed time varies by up to 4 %, the CPU time by 0.2 %. */
static void the_more_precise_of_two_rows_that_agree_leads(void **state)
{
	static const struct {
		int line;
		int elapsed, cpu; /* the change, in percent */
		uint64_t waits; /* of each run */
		unsigned int cpus; /* that the command uses */
		const char *leading;
	} rows[] = {
		{ ROW, 20, 20, 1, 1, "task-clock" },	{ ROW, 20, 19, 1, 1, "task-clock" },
		{ ROW, 20, 5, 1, 1, "duration_time" }, /* they differ */
		{ ROW, 20, 40, 1, 1, "duration_time" }, { ROW, -20, -20, 1, 1, "task-clock" },
		{ ROW, 20, 20, 2, 1, "duration_time" }, /* the CPU time does not say how fast it is */
		{ ROW, 20, 20, 1, 2, "duration_time" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_made struct made m = { 0 };

		make_equal(&m, 2, "(task-clock)");
		for (size_t side = 0; side < 2; side++) {
			set_times(&m, side, side ? rows[i].elapsed : 0, side ? rows[i].cpu : 0);
			for (size_t run = 0; run < RUNS_N; run++) {
				uint64_t *tool = m.counted[side].runs[run].tool;

				tool[TOOL_DURATION_TIME] += (run * 7 + side * 3) % 10 * 4000000;
				tool[TOOL_USER_TIME] = tool[TOOL_DURATION_TIME] * rows[i].cpus;
				tool[TOOL_SYSTEM_TIME] = 0;
				tool[TOOL_VOLUNTARY_SWITCHES] = rows[i].waits;
			}
		}
		build(&m);
		assert_true(comparison_verdict(&m.c.rows[1], 1) <= VERDICT_WORSE);
		row_string(&rows[i], m.c.leading->of->name, rows[i].leading);
	}
}

/* "same" decides, too. */
static void a_row_that_is_the_same_leads(void **state)
{
	cleanup_made struct made m = { 0 };

	make_equal(&m, 2, "(task-clock)");
	set_times(&m, 0, 0, 0);
	set_times(&m, 1, 0, 0);
	set_unclear(&m, 1, true, false);
	build(&m);
	assert_string_equal(m.c.leading->of->name, "task-clock");
	assert_int_equal(comparison_verdict(m.c.leading, 1), VERDICT_SAME);
}

static void no_row_leads_if_no_side_has_one(void **state)
{
	cleanup_made struct made m = { 0 };

	counted_whole(&m.counted[0], "duration_time", RUNS_N);
	counted_whole(&m.counted[1], "duration_time", RUNS_N);
	make(&m, 2);
	set_absent(&m, 1, 0, NOT_COUNTED);
	build(&m);
	assert_null(m.c.leading);
	assert_null(m.c.best.row);
	assert_int_equal(m.c.order[0], 0);
	assert_int_equal(m.c.order[1], 1);
}

static void sides_are_ordered_by_the_leading_row(void **state)
{
	static const struct {
		int line;
		int percents[4]; /* of the elapsed time */
		bool more_is_better, absent;
		size_t order[4];
	} rows[] = {
		{ ROW, { 0, 5, -5, 10 }, false, false, { 2, 0, 1, 3 } },
		{ ROW, { 0, 5, -5, 10 }, true, false, { 3, 1, 0, 2 } },
		/* even if the differences are not significant */
		{ ROW, { 0, 0, 0, -1 }, false, false, { 3, 0, 1, 2 } },
		{ ROW, { 0, 5, -5, 10 }, false, true, { 0, 1, 2, 3 } },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_made struct made m = { 0 };

		make_equal(&m, 4, "duration_time");
		m.effect = (struct effect_request){ .minimum = -1,
						    .more_is_better = rows[i].more_is_better };
		m.input.effects = &m.effect;
		m.input.effects_n = 1;
		for (size_t side = 0; side < 4; side++)
			for (size_t run = 0; run < RUNS_N; run++) {
				uint64_t ns = (uint64_t)(100 + rows[i].percents[side]) * 10000000;

				m.counted[side].runs[run].tool[TOOL_DURATION_TIME] = ns;
				m.counted[side].runs[run].readings[0].counts.raw = ns;
			}
		if (rows[i].absent)
			set_absent(&m, 3, 0, NOT_COUNTED);
		build(&m);
		for (size_t k = 0; k < 4; k++)
			row_int(&rows[i], m.c.order[k], rows[i].order[k]);
	}
}

/* ---- The plan. */

static void set_runs_n(struct made *m, size_t n)
{
	for (size_t i = 0; i < m->input.sides_n; i++)
		m->counted[i].series.runs_n = n;
}

static const struct plan_row {
	int line;
	const char *events, *absent, *gate;
	size_t runs_n, sides_n;
	/* expected */
	size_t verdicts_n, limits_n, firsts_n, rows[2];
	double confidence;
} plan_rows[] = {
	/* the two times of one side, then of three */
	{ ROW, "(task-clock,cs)", "", NULL, 0, 2, 2, 0, 2, { COMPARISON_ELAPSED, 0 }, 0.975 },
	{ ROW, "(task-clock,cs)", "", NULL, 1, 4, 6, 0, 2, { COMPARISON_ELAPSED, 0 }, 0.975 },
	{ ROW, "(cs)", "", NULL, 0, 2, 1, 0, 1, { COMPARISON_ELAPSED }, 0.95 },
	/* the larger family: the other rows that are asked for */
	{ ROW, "cs", "", NULL, 0, 2, 1, 0, 1, { 0 }, 0.95 },
	{ ROW, "cs,faults", "", NULL, 0, 2, 1, 0, 1, { 0 }, 0.95 },
	{ ROW, "cs,faults,migrations", "", NULL, 0, 2, 2, 0, 1, { 0 }, 0.95 },
	{ ROW, "cs,faults,migrations", "", NULL, 1, 3, 4, 0, 1, { 0 }, 0.95 },
	/* before the first run, no event is known to be impossible */
	{ ROW, "cs,faults,migrations", "0", NULL, 0, 2, 2, 0, 1, { 0 }, 0.95 },
	{ ROW, "cs,faults,migrations", "0", NULL, 1, 2, 2, 0, 1, { 1 }, 0.95 },
	{ ROW, "cs,faults", "01", NULL, 1, 2, 2, 0, 1, { COMPARISON_ELAPSED }, 0.95 },
	{ ROW, "(task-clock,cs)", "0", NULL, 1, 2, 1, 0, 1, { COMPARISON_ELAPSED }, 0.95 },
	/* gates */
	{ ROW, "cs,faults", "", "faults", 0, 3, 2, 2, 1, { 0 }, 0.95 },
	{ ROW, "(cs)", "", "max_rss", 0, 2, 1, 1, 1, { COMPARISON_ELAPSED }, 0.95 },
	{ ROW, "(cs)", "", "not-a-row-yet", 0, 2, 1, 1, 1, { COMPARISON_ELAPSED }, 0.95 },
};

static void the_plan_is_made_from_the_rows(void **state)
{
	for (size_t i = 0; i < N_OF(plan_rows); i++) {
		const struct plan_row *row = &plan_rows[i];
		cleanup_made struct made m = { 0 };
		struct comparison_plan plan;

		make_equal(&m, row->sides_n, row->events);
		for (const char *at = row->absent; *at; at++)
			set_absent(&m, 1, (size_t)(*at - '0'), NOT_SUPPORTED);
		if (row->gate)
			set_gate(&m, row->gate);
		set_runs_n(&m, row->runs_n);
		row_int(row, comparison_plan_of(&plan, &m.input), 0);
		set_runs_n(&m, RUNS_N);
		row_int(row, plan.verdicts_n, row->verdicts_n);
		row_int(row, plan.limits_n, row->limits_n);
		row_int(row, plan.firsts_n, row->firsts_n);
		for (size_t k = 0; k < row->firsts_n; k++)
			row_int(row, plan.firsts[k].row, row->rows[k]);
		row_true(row, fabs(plan.confidence - row->confidence) < 1e-12);
	}
}

/* Otherwise a report would need more runs than the stopping rule makes. */
static void the_plan_and_the_comparison_have_the_same_size(void **state)
{
	static const char *const events[] = { "(task-clock,cs)", "cs", "cs,faults,migrations",
					      "faults,duration_time" };

	for (size_t i = 0; i < N_OF(events); i++)
		for (size_t sides_n = 2; sides_n <= SIDES_MAX; sides_n++) {
			cleanup_made struct made m = { 0 };
			struct comparison_plan plan;

			make_equal(&m, sides_n, events[i]);
			build(&m);
			for (size_t runs_n = 0; runs_n <= 1; runs_n++) {
				set_runs_n(&m, runs_n);
				assert_int_equal(comparison_plan_of(&plan, &m.input), 0);
				assert_int_equal(plan.verdicts_n, m.c.verdicts_n);
			}
			set_runs_n(&m, RUNS_N);
		}
}

/* A count that the first run lacks may come, so that no other event decides when the runs end. */
static void the_plan_waits_for_an_event_that_is_not_counted_yet(void **state)
{
	cleanup_made struct made m = { 0 };
	struct comparison_plan plan;

	make_equal(&m, 2, "cs,faults");
	m.counted[1].runs[0].readings[0].state = NOT_COUNTED;
	assert_int_equal(comparison_plan_of(&plan, &m.input), 0);
	assert_int_equal(plan.firsts[0].row, 0);
	build(&m);
	assert_string_equal(m.c.leading->of->name, "cs");
}

/* A saved reference may have its rows in another order. */
static void the_rows_of_a_plan_are_those_of_the_last_side(void **state)
{
	cleanup_made struct made m = { 0 };
	struct comparison_plan plan;

	counted_whole(&m.counted[0], "cs,faults", RUNS_N);
	counted_whole(&m.counted[1], "faults,migrations,cs", RUNS_N);
	make(&m, 2);
	assert_int_equal(comparison_plan_of(&plan, &m.input), 0);
	assert_int_equal(plan.firsts[0].row, 2);
}

/* The minimum effect: that of the event or of --min-effect, but one count at least. */
static void the_plan_has_the_minimum_effect_of_the_row(void **state)
{
	static const struct {
		int line;
		const char *events;
		uint64_t count;
		double asked, effect; /* asked: below 0: not */
	} rows[] = {
		{ ROW, "page-faults", 100000, -1, 0.001 },
		{ ROW, "page-faults", 500, -1, 0.002 },
		{ ROW, "page-faults", 5, -1, 0.01 },
		{ ROW, "page-faults", 500, 0.0005, 0.0005 },
		{ ROW, "page-faults", 0, -1, 0.01 },
		{ ROW, "task-clock", 500, -1, 0.01 },
		{ ROW, "task-clock", 500, 0.03, 0.03 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_made struct made m = { 0 };
		struct comparison_plan plan;

		make_equal(&m, 2, rows[i].events);
		counted_set(&m.counted[0], 0, rows[i].count);
		m.effect = (struct effect_request){ .minimum = rows[i].asked };
		m.input.effects = &m.effect;
		m.input.effects_n = rows[i].asked >= 0;
		row_int(&rows[i], comparison_plan_of(&plan, &m.input), 0);
		row_true(&rows[i], fabs(plan.firsts[0].effect - rows[i].effect) < 1e-12);
	}
}

/* ---- Comparisons whose values decided when their rounds ended. */

/* All rows have the sequential test's intervals: nobody could tell whether they are independent of
 * the row that ended the rounds. */
static void all_intervals_are_valid_at_any_time(void **state)
{
	cleanup_made struct made m = { 0 }, q = { 0 };
	struct made *both[] = { &m, &q };

	for (size_t i = 0; i < 2; i++) {
		make_equal(both[i], 2, "cs,faults,(migrations)");
		for (size_t row = 0; row < 3; row++)
			set_noise(both[i], row);
		both[i]->input.any_time = i == 1;
		build(both[i]);
	}
	for (size_t row = 1; row <= 3; row++) {
		const struct contrast *planned = &m.c.rows[row].contrasts[1];
		const struct contrast *any = &q.c.rows[row].contrasts[1];

		assert_int_equal(planned->ratio.method, ESTIMATE_T);
		assert_int_equal(any->ratio.method, ESTIMATE_ANY_TIME);
		assert_true(any->ratio.low < planned->ratio.low);
		assert_true(any->ratio.high > planned->ratio.high);
		assert_true(any->ratio.value == planned->ratio.value);
		assert_true(any->p >= planned->p);
	}
	/* the test is one of pairs */
	q.input.paired = false;
	build(&q);
	assert_int_equal(q.c.rows[1].contrasts[1].ratio.method, ESTIMATE_WELCH);
}

/* The t test proves the weak difference, the sequential test does not. */
static void a_verdict_at_any_time_needs_more_evidence(void **state)
{
	cleanup_made struct made m = { 0 };

	make_equal(&m, 2, "cs");
	set_weak(&m, 0);
	build(&m);
	assert_int_equal(comparison_verdict(row_of(&m, "cs"), 1), VERDICT_WORSE);
	m.input.any_time = true;
	build(&m);
	assert_int_equal(comparison_verdict(row_of(&m, "cs"), 1), VERDICT_UNCLEAR);
	assert_true(row_of(&m, "cs")->contrasts[1].ratio.low < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_claims_what_the_user_asked_for),
		cmocka_unit_test(the_first_row_is_at_the_first_common_place),
		cmocka_unit_test(a_metric_is_the_first_row_if_only_metrics_are_asked_for),
		cmocka_unit_test(a_row_without_a_claim_has_an_interval_and_no_verdict),
		cmocka_unit_test(the_first_row_is_judged_alone),
		cmocka_unit_test(two_first_rows_share_their_probability_of_error),
		cmocka_unit_test(the_interval_of_a_first_row_agrees_with_its_verdict),
		cmocka_unit_test(the_leading_row_has_the_most_decided_sides),
		cmocka_unit_test(the_more_precise_of_two_rows_that_agree_leads),
		cmocka_unit_test(a_row_that_is_the_same_leads),
		cmocka_unit_test(no_row_leads_if_no_side_has_one),
		cmocka_unit_test(sides_are_ordered_by_the_leading_row),
		cmocka_unit_test(the_plan_is_made_from_the_rows),
		cmocka_unit_test(the_plan_and_the_comparison_have_the_same_size),
		cmocka_unit_test(the_plan_waits_for_an_event_that_is_not_counted_yet),
		cmocka_unit_test(the_rows_of_a_plan_are_those_of_the_last_side),
		cmocka_unit_test(the_plan_has_the_minimum_effect_of_the_row),
		cmocka_unit_test(all_intervals_are_valid_at_any_time),
		cmocka_unit_test(a_verdict_at_any_time_needs_more_evidence),
	};

	return cmocka_run_group_tests(tests, load_math, NULL);
}
