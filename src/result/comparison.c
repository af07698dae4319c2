/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/why.h"
#include "event/source.h"
#include "result/comparison.h"
#include "stats/sequential.h"

/* Default minimum effects, as a share. */
#define EFFECT_OF_PROGRAM 0.001 /* of events that depend only on the program */
#define EFFECT_OF_MACHINE 0.01 /* of metrics, times and other values that depend on the machine */

/* ---- The numbers of one row. */

/* Make room for the values of n runs. 0 or -ENOMEM. */
static int comparison_reserve(struct comparison_side *side, size_t n)
{
	side->values = calloc(n + 1, sizeof(*side->values));
	side->runs = calloc(n + 1, sizeof(*side->runs));
	return side->values && side->runs ? 0 : -ENOMEM;
}

static void comparison_add_value(struct comparison_side *side, size_t run, double value)
{
	side->values[side->n] = value;
	side->runs[side->n++] = run;
}

static int comparison_sum_up(struct comparison_side *side, const struct comparison_input *input)
{
	cleanup_free long double *sorted = calloc(side->n + 1, sizeof(*sorted));
	double far;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < side->n; i++)
		sorted[i] = side->values[i];
	side->summary = summary_of(sorted, side->n);
	if (side->n == 0)
		return 0;
	side->first_quartile = summary_quantile(sorted, side->n, 0.25);
	side->third_quartile = summary_quantile(sorted, side->n, 0.75);
	if (!side->unbounded)
		side->half = interval_half(input->math, input->confidence, &side->summary,
					   side->estimate_error);
	if (side->n < 2)
		return 0;
	far = 1.5 * (side->third_quartile - side->first_quartile);
	for (size_t i = 0; i < side->n; i++)
		side->outliers += side->values[i] < side->first_quartile - far ||
				  side->values[i] > side->third_quartile + far;
	if (side->summary.mean > 0)
		side->spread_percent =
			(double)(100 * summary_stddev(&side->summary) / side->summary.mean);
	return 0;
}

/* The values of two sides, as the input of a contrast. */
struct samples {
	struct contrast_input in; /* points into values */
	double *values; /* owned */
	double *scratch; /* a part of values */
};

static void comparison_samples_release(struct samples *s)
{
	free(s->values);
}

/* For struct contrast_input. */
static double comparison_estimate_error_of(const struct comparison_side *side,
					   const struct comparison_input *input)
{
	if (side->unbounded)
		return input->gate_scaled ? 0 : INFINITY;
	return isnan(side->estimate_error) ? 0 : side->estimate_error;
}

/*
 * Copy the values of a side and of first, which is the reference or another side. If the sides are
 * paired, copy only the values of rounds that have one on both sides. 0 or -ENOMEM.
 */
static int comparison_samples_gather(struct samples *s, const struct comparison_row *row,
				     size_t first, size_t side,
				     const struct comparison_input *input)
{
	const struct comparison_side *reference = &row->sides[first], *other = &row->sides[side];
	size_t n = reference->n + other->n, reference_n = 0, other_n = 0, j = 0;
	double *values = calloc(3 * n + 1, sizeof(*values));

	s->values = values;
	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < reference->n; i++) {
		while (input->paired && j < other->n && other->runs[j] < reference->runs[i])
			j++;
		if (input->paired && (j == other->n || other->runs[j] != reference->runs[i]))
			continue;
		values[reference_n++] = reference->values[i];
		if (input->paired)
			values[reference->n + other_n++] = other->values[j];
	}
	for (size_t i = 0; !input->paired && i < other->n; i++)
		values[reference->n + other_n++] = other->values[i];
	s->scratch = values + n;
	s->in = (struct contrast_input){ .reference = values,
					 .other = values + reference->n,
					 .reference_n = reference_n,
					 .other_n = other_n,
					 .paired = input->paired,
					 .any_time = input->any_time && input->paired,
					 .exact_reference = input->exact_reference,
					 .estimated = reference->scaled || other->scaled,
					 .reference_error =
						 comparison_estimate_error_of(reference, input),
					 .other_error = comparison_estimate_error_of(other, input),
					 .confidence = row->confidence,
					 .minimum_effect = row->minimum_effect,
					 .seed = input->seed };
	return 0;
}

/* Compare a side with first. 0 or -ENOMEM. */
static int comparison_contrast(struct contrast *contrast, const struct comparison_row *row,
			       size_t first, size_t side, const struct comparison_input *input)
{
	cleanup_with(comparison_samples_release) struct samples s = { 0 };
	int err = comparison_samples_gather(&s, row, first, side, input);

	if (err == 0 && row->claim == CLAIM_NONE) /* the tests take most of the time */
		*contrast = contrast_estimate(&s.in, input->math, s.scratch);
	else if (err == 0)
		*contrast = contrast_of(&s.in, input->math, s.scratch);
	return err;
}

int comparison_early_ratio(struct log_ratio *ratio, const struct comparison *c,
			   const struct comparison_row *row, size_t side, size_t rounds_n)
{
	cleanup_with(comparison_samples_release) struct samples s = { 0 };
	struct comparison_side sides[] = { row->sides[0], row->sides[side] };
	struct comparison_row early = *row;
	const struct log_ratio *whole = &row->contrasts[side].log_ratio;
	double least; /* the error that so few rounds would have if they varied like all */
	int err;

	for (size_t i = 0; i < 2; i++) {
		const double n = (double)sides[i].n;

		while (sides[i].n > 0 && sides[i].runs[sides[i].n - 1] >= rounds_n)
			sides[i].n--;
		if (sides[i].n > 0) /* the error of a mean of fewer estimates is larger */
			sides[i].estimate_error *= sqrt(n / (double)sides[i].n);
	}
	early.sides = sides;
	err = comparison_samples_gather(&s, &early, 0, 1, &c->input);
	if (err < 0)
		return err;
	*ratio = contrast_estimate(&s.in, c->input.math, s.scratch).log_ratio;
	if (!ratio->known || !whole->known)
		return 0;
	least = whole->error * sqrt((double)row->sides[0].n / (double)sides[0].n);
	if (ratio->error < least) { /* equal counts in the first rounds do not prove anything */
		ratio->error = least;
		ratio->df = math_smaller(ratio->df, whole->df);
	}
	return 0;
}

/* A difference of less than one count does not matter: no program has a fraction of a count. */
static void comparison_widen_effect(struct comparison_row *row)
{
	const struct comparison_side *reference = &row->sides[0];
	double one = reference->n > 0 ? 1 / (double)reference->summary.mean : 0; /* a share */

	if (!row->effect_asked && row->minimum_effect == EFFECT_OF_PROGRAM &&
	    one > row->minimum_effect)
		row->minimum_effect = one < EFFECT_OF_MACHINE ? one : EFFECT_OF_MACHINE;
}

/* Compute the summaries and the contrasts after all values are added. 0 or -ENOMEM. */
static int comparison_row_finish(struct comparison_row *row, const struct comparison_input *input)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < input->sides_n; i++)
		err = comparison_sum_up(&row->sides[i], input);
	comparison_widen_effect(row);
	for (size_t i = 1; err == 0 && i < input->sides_n; i++)
		err = comparison_contrast(&row->contrasts[i], row, 0, i, input);
	return err;
}

enum verdict comparison_verdict_of(const struct comparison_row *row, enum change change)
{
	bool less_is_better = row->better == BETTER_LESS;

	switch (change) {
	case CHANGE_LESS:
		return less_is_better ? VERDICT_BETTER : VERDICT_WORSE;
	case CHANGE_MORE:
		return less_is_better ? VERDICT_WORSE : VERDICT_BETTER;
	case CHANGE_SAME:
		return VERDICT_SAME;
	case CHANGE_TOO_FEW:
		return VERDICT_TOO_FEW;
	case CHANGE_UNCLEAR:
		break;
	}
	return VERDICT_UNCLEAR;
}

enum verdict comparison_verdict(const struct comparison_row *row, size_t side)
{
	if (row->sides[0].n == 0 || row->sides[side].n == 0)
		return VERDICT_ABSENT;
	if (row->claim == CLAIM_NONE)
		return VERDICT_NONE;
	return comparison_verdict_of(row, row->contrasts[side].change);
}

const char *comparison_verdict_text(enum verdict verdict)
{
	static const char *const texts[] = {
		[VERDICT_BETTER] = "better",
		[VERDICT_WORSE] = "worse",
		[VERDICT_SAME] = "same",
		[VERDICT_UNCLEAR] = "unclear",
		[VERDICT_TOO_FEW] = "too few runs",
		[VERDICT_ABSENT] = "not counted",
		[VERDICT_NONE] = "",
	};

	return texts[verdict];
}

const char *comparison_outcome_text(enum gate_outcome outcome)
{
	static const char *const texts[] = {
		[GATE_KEPT] = "kept",
		[GATE_CROSSED] = "crossed",
		[GATE_UNCLEAR] = "unclear",
	};

	return texts[outcome];
}

const struct comparison_row *comparison_elapsed(const struct comparison *c)
{
	for (size_t i = 0; i < c->rows_n; i++)
		if (c->rows[i].of->tool == TOOL_DURATION_TIME)
			return &c->rows[i];
	return NULL;
}

int comparison_parameters(const struct comparison_input *input, struct str_list *names)
{
	int err = 0;

	for (size_t i = 0; i < input->sides_n; i++) {
		const struct series_parameters *p = input->sides[i].series->parameters;

		for (size_t j = 0; err == 0 && p && j < p->names.n; j++)
			if (!str_list_has(names, p->names.v[j]))
				err = str_list_add(names, p->names.v[j]);
	}
	return err;
}

const char *comparison_name_meant(const char *name)
{
	static const char *const elapsed[] = { "time",	    "duration",	    "elapsed",
					       "real_time", "elapsed_time", "elapsed time",
					       "runtime",   "wall",	    "wall_time" };
	static const char *const cpu[] = { "CPU time", "cpu time", "cpu_time", "cputime", "cpu" };

	for (size_t i = 0; i < sizeof(elapsed) / sizeof(elapsed[0]); i++)
		if (strcmp(elapsed[i], name) == 0)
			return event_tool_names[TOOL_DURATION_TIME];
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++)
		if (strcmp(cpu[i], name) == 0)
			return "task-clock";
	return NULL;
}

/* ---- Rows: the measures of the sides, joined by name, place and cgroup. */

/* Whether pstat itself measures this time, in ns. It is compared in msec. */
static bool comparison_is_own_time(const struct measure *m)
{
	return m->tool != TOOL_NONE && m->tool <= TOOL_SYSTEM_TIME;
}

/* The unit of the measure / that of its row. */
static double comparison_factor_of(const struct measure *m)
{
	return comparison_is_own_time(m) ? 1e-6 : 1;
}

/* 0 or -ENOMEM. */
static int comparison_fill_from_measure(struct comparison_side *to, const struct measure *m,
					size_t runs_n)
{
	const double factor = comparison_factor_of(m);
	int err = comparison_reserve(to, runs_n);

	to->runs_n = m->runs_n;
	to->state = m->state;
	to->unbounded = measure_is_unbounded(m);
	to->estimate_error = m->estimate_error;
	for (size_t run = 0; err == 0 && run < runs_n; run++) {
		const struct series_value *value = &m->runs[run];

		to->scaled |= value->state == SCALED;
		if (reading_has_count(value->state))
			comparison_add_value(to, run, (double)value->in_unit * factor);
	}
	if (to->n == 0 && reading_has_count(to->state))
		to->state = NOT_COUNTED;
	return err;
}

/* pstat's own measurements are known even if the side did not count the event. */
static int comparison_fill_side(const struct table *table, struct comparison_side *to,
				const struct measure *of, size_t position)
{
	const struct measure *from = of->kind == OF_RUN ? NULL : table_find(table, of, position);
	bool processes = false; /* the side counted this event in the processes of the command */
	int err;

	if (!from && of->tool != TOOL_NONE)
		from = table_own(table, of->tool);
	if (from)
		return comparison_fill_from_measure(to, from, table->runs_n);
	for (size_t i = 0; of->place->kind == PLACE_PROCESS && i < table->events_n; i++)
		processes |= table->v[i].place->kind == PLACE_PROCESS &&
			     strcmp(table->v[i].name, of->name) == 0 &&
			     reading_has_count(table->v[i].state);
	if (!processes) {
		to->state = NOT_COUNTED;
		to->runs_n = of->kind == OF_METRIC ? table->runs_n : 0;
		return 0;
	}
	to->state = COUNTED; /* no process of this side had the program of the row */
	to->runs_n = table->runs_n;
	err = comparison_reserve(to, table->runs_n);
	for (size_t run = 0; err == 0 && run < table->runs_n; run++)
		comparison_add_value(to, run, 0);
	return err;
}

/*
 * Whether measure i of the side has no row yet. The rows of the first side have no conditions: it
 * may count an event twice.
 */
static bool comparison_is_new(const struct comparison *c, size_t side, size_t i)
{
	const struct measure *m = &c->tables[side].v[i];

	if (side == 0)
		return true;
	if (m->tool != TOOL_NONE && m->tool <= TOOL_MAX_RSS) /* comparison_add_own() adds it */
		return false;
	for (size_t earlier = 0; earlier < side; earlier++)
		if (table_find(&c->tables[earlier], m, i))
			return false;
	return table_find(&c->tables[side], m, SIZE_MAX) == m;
}

/* Whether the mean counts of some side give a metric a value. */
static bool comparison_is_defined(const struct comparison *c, const struct measure *metric,
				  size_t position)
{
	for (size_t side = 0; side < c->input.sides_n; side++) {
		const struct measure *m = table_find(&c->tables[side], metric, position);

		if (m && m->defined)
			return true;
	}
	return false;
}

/* Whether a gate may be on a row of this name, see enum name_match. */
static bool comparison_has_gate_on(const struct comparison_input *input, const char *name)
{
	for (size_t i = 0; i < input->gates_n; i++)
		for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
			if (comparison_is_named(name, input->gates[i].name, match))
				return true;
	return false;
}

/* Whether -e or -M asks for the measure. */
static bool comparison_is_asked(const struct measure *m)
{
	return m->kind == OF_METRIC || (m->kind == OF_EVENT && !m->event->implied);
}

/* Add the row of a measure, without values. 0 or -ENOMEM. */
static int comparison_begin_row(struct comparison *c, const struct measure *of)
{
	const struct comparison_input *input = &c->input;
	const double effect = of->kind == OF_EVENT && event_is_repeatable(of->event) ?
				      EFFECT_OF_PROGRAM :
				      EFFECT_OF_MACHINE;
	const bool in_msec = comparison_is_own_time(of);
	struct comparison_row *row = &c->rows[c->rows_n++];

	*row = (struct comparison_row){
		.of = of,
		.unit = in_msec ? "msec" : of->unit,
		.decimals = in_msec ? 3 : of->decimals,
		.better = of->better,
		.claim = comparison_is_asked(of) || comparison_has_gate_on(input, of->name) ?
				 CLAIM_ASKED :
				 CLAIM_NONE,
		.confidence = input->confidence,
		.drifts = effect > EFFECT_OF_PROGRAM && of->tool != TOOL_MAX_RSS &&
			  !input->exact_reference,
		.minimum_effect = effect,
		.sides = calloc(input->sides_n, sizeof(*row->sides)),
		.contrasts = calloc(input->sides_n, sizeof(*row->contrasts)),
	};
	row->shown = row->claim != CLAIM_NONE;
	return row->sides && row->contrasts ? 0 : -ENOMEM;
}

/* Add the row of a measure, with the values of all sides. position: see table_find(). 0 or
 * -ENOMEM. */
static int comparison_add_row(struct comparison *c, const struct measure *of, size_t position)
{
	int err = comparison_begin_row(c, of);
	struct comparison_side *sides = c->rows[c->rows_n - 1].sides;

	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = comparison_fill_side(&c->tables[i], &sides[i], of, position);
	return err;
}

/* Which metrics have a row. */
enum metric_rows {
	METRICS_DEFINED, /* those with a value on some side, or with a gate */
	METRICS_ALL,
};

/* Add the rows of a kind, OF_EVENT or OF_METRIC, and count their verdicts. 0 or -ENOMEM. */
static int comparison_add_rows(struct comparison *c, enum measure_kind kind,
			       enum metric_rows metrics)
{
	int err = 0;

	for (size_t side = 0; side < c->input.sides_n; side++)
		for (size_t i = 0; err == 0 && i < c->tables[side].n; i++) {
			const struct measure *m = &c->tables[side].v[i];

			if (m->kind != kind || !comparison_is_new(c, side, i))
				continue;
			if (comparison_is_asked(m) || comparison_has_gate_on(&c->input, m->name))
				c->verdicts_n += c->input.sides_n - 1;
			if (kind != OF_METRIC || metrics == METRICS_ALL ||
			    comparison_is_defined(c, m, i) ||
			    comparison_has_gate_on(&c->input, m->name))
				err = comparison_add_row(c, m, i);
		}
	return err;
}

/* Add what pstat itself measures, unless it is an event. 0 or -ENOMEM. */
static int comparison_add_own(struct comparison *c, enum tool_event tool)
{
	const struct measure *m = table_own(&c->tables[0], tool);

	if (table_counts(&c->tables[0], tool))
		return 0;
	if (comparison_has_gate_on(&c->input, m->name))
		c->verdicts_n += c->input.sides_n - 1;
	return comparison_add_row(c, m, 0);
}

/* ---- The first rows. */

enum counted_when {
	COUNTED_SO_FAR,
	COUNTED_LATER, /* perhaps: a later run may count what the first did not */
};

/* Whether each side that has runs counted the row in some of them. */
static bool comparison_is_counted(const struct comparison *c, const struct comparison_row *row,
				  enum counted_when when)
{
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const struct comparison_side *side = &row->sides[i];
		bool later = when == COUNTED_LATER && side->state == NOT_COUNTED &&
			     side->runs_n > 0; /* otherwise the side lacks the row */

		if (c->tables[i].runs_n > 0 && side->n == 0 && !later)
			return false;
		/* before the first run: a side that does not count the event */
		if (c->tables[i].runs_n == 0 && row->of->kind == OF_EVENT &&
		    row->of->place->kind == PLACE_TARGET &&
		    !table_find(&c->tables[i], row->of, SIZE_MAX))
			return false;
	}
	return true;
}

bool comparison_is_time(const struct comparison_row *row)
{
	const struct measure *m = row->of;

	if (m->tool == TOOL_DURATION_TIME)
		return true;
	return m->kind == OF_EVENT && m->place->kind == PLACE_TARGET && !m->cgroup &&
	       m->event->attr.type == PERF_TYPE_SOFTWARE &&
	       m->event->attr.config == PERF_COUNT_SW_TASK_CLOCK;
}

/* Choose the first rows, see enum claim, and the rows that are shown. Without a request, these are
 * the elapsed time and the default events. */
static void comparison_choose_firsts(struct comparison *c, enum counted_when when)
{
	struct comparison_row *firsts[COMPARISON_FIRSTS_MAX];
	const size_t others_n = c->input.sides_n - 1;
	bool asked = false;
	size_t n = 0;

	for (size_t i = 0; i < c->rows_n; i++) {
		if (!comparison_is_asked(c->rows[i].of))
			continue;
		asked = true;
		if (n == 0 && comparison_is_counted(c, &c->rows[i], when))
			firsts[n++] = &c->rows[i];
	}
	for (size_t i = 0; i < c->rows_n; i++) {
		struct comparison_row *row = &c->rows[i];

		row->shown |= c->input.all_rows ||
			      (!asked && (row->of->kind == OF_EVENT || comparison_is_time(row)));
		if ((n == 0 || !comparison_is_asked(firsts[0]->of)) && n < COMPARISON_FIRSTS_MAX &&
		    comparison_is_time(row) && comparison_is_counted(c, row, when))
			firsts[n++] = row;
	}
	for (size_t i = 0; i < n; i++) {
		if (firsts[i]->claim == CLAIM_ASKED) /* it has its own family */
			c->verdicts_n -= others_n;
		firsts[i]->claim = CLAIM_FIRST;
		firsts[i]->shown = true;
		firsts[i]->confidence = 1 - (1 - c->input.confidence) / (double)n;
	}
	if (c->verdicts_n < n * others_n)
		c->verdicts_n = n * others_n;
}

/* ---- Verdicts. All contrasts are computed before the first verdict. */

double comparison_run_seconds(const struct comparison *c, size_t side)
{
	const struct table *table = &c->tables[side];
	double ns = 0;

	for (size_t run = 0; run < table->runs_n; run++)
		ns += (double)table->runs[run].tool[TOOL_DURATION_TIME];
	return table->runs_n > 0 ? ns / (double)table->runs_n / NS_OF_S : 0;
}

/* The elapsed time of this many runs of a side and of the reference; 0: unknown. */
static double comparison_seconds_of(const struct comparison *c, size_t side, size_t runs_n)
{
	if (c->tables[0].runs_n == 0 || c->tables[side].runs_n == 0)
		return 0;
	return (comparison_run_seconds(c, 0) + comparison_run_seconds(c, side)) * (double)runs_n;
}

/* Predict the number of runs that an unclear row needs. 0 or -ENOMEM. */
static int comparison_predict_row(const struct comparison *c, const struct comparison_row *row,
				  size_t side)
{
	cleanup_with(comparison_samples_release) struct samples s = { 0 };
	const struct contrast_goal goal = { row->family.alpha, row->family.n, COMPARISON_POWER };
	struct runs_needed *needed = &row->sides[side].runs_needed;
	int err = comparison_samples_gather(&s, row, 0, side, &c->input);

	if (err < 0)
		return err;
	needed->n =
		contrast_runs_needed(&s.in, c->input.math, row->minimum_effect, &goal, s.scratch);
	needed->seconds = comparison_seconds_of(c, side, needed->n);
	return 0;
}

/* Judge rows that share a probability of error: this first row or, for NULL, all others that were
 * asked for. 0 or -ENOMEM. */
static int comparison_judge_family(struct comparison *c, const struct comparison_row *first)
{
	const double alpha = 1 - (first ? first->confidence : c->input.confidence);
	size_t size = c->rows_n * c->input.sides_n, n = 0;
	cleanup_free const struct contrast **contrasts = calloc(size + 1, sizeof(*contrasts));
	cleanup_free double *scratch = calloc(size + 1, sizeof(*scratch));
	struct contrast_family family;
	int err = 0;

	if (!contrasts || !scratch)
		return -ENOMEM;
	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; side < c->input.sides_n; side++)
			if (first ? &c->rows[i] == first : c->rows[i].claim == CLAIM_ASKED)
				contrasts[n++] = &c->rows[i].contrasts[side];
	family = contrast_family_of(contrasts, n, alpha, scratch);
	for (size_t i = 0; i < c->rows_n; i++) {
		struct comparison_row *row = &c->rows[i];

		if (first ? row != first : row->claim != CLAIM_ASKED)
			continue;
		row->family = family;
		for (size_t side = 1; err == 0 && side < c->input.sides_n; side++) {
			contrast_judge(&row->contrasts[side], &family);
			if (row->contrasts[side].change == CHANGE_UNCLEAR)
				err = comparison_predict_row(c, row, side);
		}
	}
	return err;
}

/* The number of sides with a verdict, one way or the other. */
static size_t comparison_count_decided(const struct comparison *c, const struct comparison_row *row)
{
	size_t n = 0;

	for (size_t side = 1; side < c->input.sides_n; side++)
		n += comparison_verdict(row, side) <= VERDICT_SAME;
	return n;
}

/* From this ratio of CPU time to elapsed time on, a command uses several CPUs. */
#define PARALLEL 1.1

struct time_spent comparison_time_spent(const struct comparison *c, size_t side)
{
	const struct table *table = &c->tables[side];
	struct time_spent spent = { .runs = table->runs_n };

	for (size_t run = 0; run < table->runs_n; run++) {
		const uint64_t *tool = table->runs[run].tool;

		spent.elapsed += (double)tool[TOOL_DURATION_TIME];
		spent.cpu += (double)(tool[TOOL_USER_TIME] + tool[TOOL_SYSTEM_TIME]);
		spent.waits += tool[TOOL_VOLUNTARY_SWITCHES];
		spent.preempted += tool[TOOL_INVOLUNTARY_SWITCHES];
	}
	return spent;
}

bool comparison_hardly_waits(const struct time_spent *spent)
{
	return 2 * spent->waits <= 3 * spent->runs ||
	       (spent->waits <= 4 * spent->runs && 8 * spent->waits <= spent->preempted);
}

bool comparison_cpu_time_is_speed(const struct comparison *c)
{
	for (size_t i = 0; i < c->input.sides_n; i++) {
		const struct time_spent spent = comparison_time_spent(c, i);

		if (!comparison_hardly_waits(&spent) || spent.cpu > PARALLEL * spent.elapsed)
			return false;
	}
	return true;
}

/* Whether a row agrees with another one, and is at least twice as precise. */
static bool comparison_is_sharper(const struct comparison *c, const struct comparison_row *row,
				  const struct comparison_row *other)
{
	for (size_t side = 1; side < c->input.sides_n; side++) {
		const struct estimate *a = &row->contrasts[side].ratio;
		const struct estimate *b = &other->contrasts[side].ratio;

		if (a->withheld || b->withheld || a->low > b->high || a->high < b->low ||
		    !(2 * (a->high - a->low) < b->high - b->low))
			return false;
	}
	return true;
}

/*
 * Judge all rows, and choose the leading one: the elapsed time, or the CPU time if it decides more
 * sides, or if it agrees with the elapsed time and is more precise. 0 or -ENOMEM.
 */
static int comparison_judge_rows(struct comparison *c)
{
	const bool may_replace = comparison_cpu_time_is_speed(c);
	int err = comparison_judge_family(c, NULL);
	size_t leading_decided = 0, decided;

	for (size_t i = 0; err == 0 && i < c->rows_n; i++) {
		const struct comparison_row *row = &c->rows[i];

		if (row->claim != CLAIM_FIRST)
			continue;
		err = comparison_judge_family(c, row);
		decided = comparison_count_decided(c, row);
		if (!c->leading || decided > leading_decided ||
		    (may_replace && decided == leading_decided &&
		     comparison_is_sharper(c, row, c->leading))) {
			c->leading = row;
			leading_decided = decided;
		}
	}
	return err;
}

/* ---- The best side. */

/* A number that is smaller for a better side, even if the difference is not significant. */
static double comparison_rank_of(const struct comparison_row *row, size_t sides_n, size_t side)
{
	double sign = row->better == BETTER_LESS ? 1 : -1;
	bool by_ratio = true;

	for (size_t i = 1; i < sides_n; i++)
		by_ratio &= !row->contrasts[i].ratio.withheld;
	if (side == 0)
		return by_ratio ? sign : 0;
	return sign * (by_ratio ? row->contrasts[side].ratio.value :
				  row->contrasts[side].difference.value);
}

/* All sides except the reference are also compared with each other. These pairs share an additional
 * probability of error, by Bonferroni's method. */
static struct contrast_family comparison_family_of_pairs(const struct comparison *c,
							 const struct comparison_row *row)
{
	const double alpha = 1 - row->confidence;
	const size_t others = c->input.sides_n - 1, pairs = others * (others - 1) / 2;

	return (struct contrast_family){ alpha, pairs, alpha / (double)pairs };
}

/*
 * Compare a side with `than`, which is either the reference or a side that is better than the
 * reference. The verdicts against the reference are known. 0 or -ENOMEM.
 */
static int comparison_compare_with(const struct comparison *c, const struct comparison_row *row,
				   size_t than, size_t side, enum verdict *verdict)
{
	const struct contrast_family family = comparison_family_of_pairs(c, row);
	struct contrast contrast;
	int err;

	*verdict = side == 0 ? VERDICT_WORSE : comparison_verdict(row, side);
	if (than == 0 || side == 0)
		return 0;
	err = comparison_contrast(&contrast, row, than, side, &c->input);
	if (err < 0)
		return err;
	contrast_judge(&contrast, &family);
	*verdict = comparison_verdict_of(row, contrast.change);
	return 0;
}

/*
 * Find the best side and all sides that are not proved worse. To find them, compare each side with
 * the first side in rank order that is proved better than the reference, or else with the
 * reference.
 */
static int comparison_find_best(struct comparison *c)
{
	const struct comparison_row *row = c->leading;
	size_t n = c->input.sides_n, first = 0, *order;
	struct best_sides *best = &c->best;
	struct comparison_row pair;
	int err = 0;

	c->order = order = calloc(n + 1, sizeof(*order));
	best->sides = calloc(n, sizeof(*best->sides));
	if (!order || !best->sides)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		order[i] = i;
		if (row && row->sides[i].n == 0)
			row = NULL;
	}
	if (!row || n < 3)
		return 0;
	for (size_t side = 0; side < n; side++) { /* the best first */
		const double rank = comparison_rank_of(row, n, side);
		size_t i = side;

		for (; i > 0 && comparison_rank_of(row, n, order[i - 1]) > rank; i--)
			order[i] = order[i - 1];
		order[i] = side;
	}
	for (size_t i = 0; first == 0 && i < n; i++)
		if (order[i] != 0 && comparison_verdict(row, order[i]) == VERDICT_BETTER)
			first = order[i];
	for (size_t i = 0; err == 0 && i < n; i++) {
		enum verdict verdict = VERDICT_SAME;

		if (order[i] != first)
			err = comparison_compare_with(c, row, first, order[i], &verdict);
		if (verdict != VERDICT_WORSE)
			best->sides[best->n++] = order[i];
		best->unclear |= verdict == VERDICT_UNCLEAR || verdict == VERDICT_TOO_FEW;
	}
	best->row = row;
	best->next = order[0] == first ? order[1] : order[0];
	if (err < 0)
		return err;
	if (best->n == 1)
		return comparison_contrast(&best->contrast, row, first, best->next, &c->input);
	best->next = best->sides[1];
	pair = *row; /* with the confidence of the test that did not tell the two apart */
	pair.confidence = 1 - (best->sides[0] == 0 || best->next == 0 ?
				       row->family.level :
				       comparison_family_of_pairs(c, row).level);
	return comparison_contrast(&best->contrast, &pair, best->sides[0], best->next, &c->input);
}

/* ---- Gates. */

bool comparison_is_named(const char *row, const char *name, enum name_match match)
{
	size_t n;

	if (match >= NAME_ALIAS) { /* now compare the modifiers and places */
		if (!source_generic_is_same(row, name))
			return false;
		row += source_generic_length(row);
		name += source_generic_length(name);
	}
	if (match == NAME_EXACT || match == NAME_ALIAS)
		return strcmp(row, name) == 0;
	n = strlen(name);
	return strncmp(row, name, n) == 0 &&
	       (strcmp(row + n, ":u") == 0 || strcmp(row + n, "u") == 0);
}

enum name_match comparison_closest_match(const struct comparison *c, const char *name)
{
	for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
		for (size_t i = 0; i < c->rows_n; i++)
			if (comparison_is_named(c->rows[i].of->name, name, match))
				return match;
	return NAME_MATCHES_N;
}

/* Whether an earlier row of this name has the same place and cgroup. */
static bool comparison_is_repeated(const struct comparison *c, size_t row, const char *name,
				   enum name_match match)
{
	const struct measure *it = c->rows[row].of;

	for (size_t i = 0; i < row; i++) {
		const struct measure *earlier = c->rows[i].of;

		if (comparison_is_named(earlier->name, name, match) &&
		    strcmp(earlier->place->label, it->place->label) == 0 &&
		    str_equal(earlier->cgroup, it->cgroup))
			return true;
	}
	return false;
}

static int comparison_no_such_row(const struct comparison *c, const struct gate_request *request,
				  struct why *why)
{
	const char *meant = comparison_name_meant(request->name);
	cleanup_str struct str names = { 0 };

	if (meant)
		return why_set(why, -ENOENT,
			       "--fail-if '%s': '%s' is not compared; did you mean '%s'?",
			       request->text, request->name, meant);
	for (size_t i = 0; i < c->rows_n; i++)
		str_addf(&names, "%s%s", i ? ", " : "", c->rows[i].of->name);
	return why_set(why, -ENOENT, "--fail-if '%s': '%s' is not compared; choose from %s",
		       request->text, request->name, str_text(&names));
}

/*
 * The smallest p of the permutation test has to reach the smallest level of Holm's method for
 * gates_n gates.
 */
static int comparison_gather_evidence(const struct comparison *c, struct gate *gate, size_t gates_n,
				      struct gate_evidence *evidence)
{
	const struct gate_request *request = gate->request;
	const struct contrast_limit beyond = { gate->limit.value, request->relative,
					       request->above };
	const struct contrast_limit within = { gate->limit.value, request->relative,
					       !request->above };
	const struct math *math = c->input.math;
	const double alpha = (1 - c->input.confidence) / 2;
	cleanup_with(comparison_samples_release) struct samples s = { 0 };
	int err = comparison_samples_gather(&s, gate->row, 0, gate->side, &c->input);

	if (err < 0)
		return err;
	if (gate->row->confidence > c->input.confidence) {
		s.in.confidence = c->input.confidence;
		gate->contrast = contrast_estimate(&s.in, math, s.scratch);
	}
	*evidence = (struct gate_evidence){
		.p_crossed = contrast_evidence_beyond(&s.in, math, &beyond, alpha,
						      alpha / (double)gates_n, s.scratch),
		.p_kept = contrast_evidence_beyond(&s.in, math, &within, alpha, alpha, s.scratch),
	};
	gate->disagree = evidence->p_crossed > alpha && evidence->p_kept > alpha &&
			 (contrast_p_beyond(&s.in, math, &beyond, s.scratch) <= alpha ||
			  contrast_p_beyond(&s.in, math, &within, s.scratch) <= alpha);
	/*
	 * Both p are 1 if a constant value equals the limit, because the value is not beyond the
	 * limit.
	 */
	if (evidence->p_crossed >= 1 && evidence->p_kept >= 1)
		evidence->p_kept = 0;
	return 0;
}

/* Set the number of runs that decide an unclear gate. They have to show the distance of the
 * observed ratio from the limit. 0 or -ENOMEM. */
static int comparison_predict_gate(const struct comparison *c, struct gate *gate)
{
	cleanup_with(comparison_samples_release) struct samples s = { 0 };
	const double level = 2 * gate->evidence.level; /* two-sided */
	const struct contrast_goal goal = { level, 1, COMPARISON_POWER };
	const struct estimate *ratio = &gate->contrast.ratio;
	const double reference = (double)gate->row->sides[0].summary.mean;
	const double unit = gate->request->relative || reference <= 0 ? 1 : reference;
	const double limit = 1 + gate->limit.value / unit;
	double distance = 0; /* as a share */
	int err;

	if (c->input.exact_reference)
		return 0;
	if (!ratio->withheld && limit > 0 && ratio->value > 0)
		distance = (ratio->value > limit ? ratio->value / limit : limit / ratio->value) - 1;
	err = comparison_samples_gather(&s, gate->row, 0, gate->side, &c->input);
	if (err < 0)
		return err;
	gate->runs_least = contrast_runs_least(&s.in, level);
	gate->runs_needed.n =
		contrast_runs_needed(&s.in, c->input.math, distance, &goal, s.scratch);
	gate->runs_needed.seconds = comparison_seconds_of(c, gate->side, gate->runs_needed.n);
	return 0;
}

/* Holm's method takes only the gates that can be judged. */
int comparison_judge_gates(struct comparison *c)
{
	const double confidence = c->input.confidence;
	cleanup_free struct gate_evidence *evidence = calloc(c->gates_n + 1, sizeof(*evidence));
	cleanup_free size_t *order = calloc(c->gates_n + 1, sizeof(*order));
	size_t n = 0, judged = 0;
	int err = 0;

	if (!evidence || !order)
		return -ENOMEM;
	for (size_t i = 0; i < c->gates_n; i++)
		n += c->gates[i].state == GATE_JUDGED;
	for (size_t i = 0; err == 0 && i < c->gates_n; i++)
		if (c->gates[i].state == GATE_JUDGED)
			err = comparison_gather_evidence(c, &c->gates[i], n, &evidence[judged++]);
	if (err < 0)
		return err;
	contrast_judge_gates(evidence, n, confidence, order);
	judged = 0;
	for (size_t i = 0; err == 0 && i < c->gates_n; i++) {
		struct gate *gate = &c->gates[i];

		gate->evidence.outcome = GATE_UNCLEAR;
		if (gate->state != GATE_JUDGED)
			continue;
		gate->evidence = evidence[judged];
		if (gate->evidence.outcome == GATE_UNCLEAR) {
			if (n > 1 && gate->evidence.p_crossed <= (1 - confidence) / 2)
				gate->limits_n = n;
			err = comparison_predict_gate(c, gate);
		}
		judged++;
	}
	return err;
}

/* Whether the row is the elapsed time, and task-clock varies less than half as much on both
 * sides. */
static bool comparison_does_cpu_time_vary_less(const struct comparison *c,
					       const struct comparison_row *row, size_t side)
{
	for (size_t i = 0; row == comparison_elapsed(c) && i < c->rows_n; i++) {
		const struct comparison_side *sides = c->rows[i].sides;

		if (strcmp(c->rows[i].of->name, "task-clock") == 0 && sides[0].n > 1 &&
		    sides[side].n > 1 &&
		    2 * sides[0].spread_percent < row->sides[0].spread_percent &&
		    2 * sides[side].spread_percent < row->sides[side].spread_percent)
			return true;
	}
	return false;
}

static int comparison_add_gate(struct comparison *c, const struct gate_request *request,
			       const struct comparison_row *row, size_t side)
{
	const struct comparison_side *reference = &row->sides[0], *other = &row->sides[side];
	struct gate *gate;

	if (array_grow(&c->gates, c->gates_n, &c->gates_size, sizeof(*c->gates)) < 0)
		return -ENOMEM;
	gate = &c->gates[c->gates_n++];
	*gate = (struct gate){ .request = request,
			       .limit = request->limit,
			       .side = side,
			       .row = row,
			       .contrast = row->contrasts[side],
			       .drifts = row->drifts && !c->input.paired,
			       .cpu_time_varies_less =
				       comparison_does_cpu_time_vary_less(c, row, side) };
	if (reference->n == 0 || other->n == 0)
		gate->state = GATE_ABSENT;
	else if ((reference->unbounded || other->unbounded) && !c->input.gate_scaled)
		gate->state = GATE_UNBOUNDED;
	else if (row->contrasts[side].limit_floor > 1 - c->input.confidence)
		gate->state = GATE_TOO_FEW;
	return 0;
}

/* Add the gates of a request: for each row with the name, because there is one for each place. 0 or
 * -ENOMEM. */
static int comparison_add_gates(struct comparison *c, const struct gate_request *request)
{
	const enum name_match match = comparison_closest_match(c, request->name);
	int err = 0;

	for (size_t i = 0; match < NAME_MATCHES_N && i < c->rows_n; i++) {
		if (!comparison_is_named(c->rows[i].of->name, request->name, match) ||
		    comparison_is_repeated(c, i, request->name, match))
			continue;
		for (size_t side = 1; err == 0 && side < c->input.sides_n; side++)
			err = comparison_add_gate(c, request, &c->rows[i], side);
	}
	return err;
}

/* The fewest runs of each side for a verdict. limit_level: see contrast_runs_min(). */
static size_t comparison_find_runs_least(const struct comparison *c, double level,
					 double limit_level)
{
	const struct comparison_input *input = &c->input;
	size_t least = contrast_runs_min(input->paired, input->reference_n, level, limit_level), n;

	if (least == 0) /* the reference needs more runs, too */
		least = contrast_runs_min(input->paired, 0, level, limit_level);
	if (!input->any_time || !input->paired)
		return least;
	n = sequential_runs_min(input->math,
				limit_level > 0 && limit_level < level ? limit_level : level);
	return least > n ? least : n;
}

/* Set runs_least of the comparison, and of its rows and gates that have too few runs. */
static void comparison_set_runs_least(struct comparison *c)
{
	const double alpha = 1 - c->input.confidence;
	const double level = alpha / (double)(c->verdicts_n ? c->verdicts_n : 1);
	const double limit_level = c->gates_n ? alpha / (double)c->gates_n : 0;

	c->runs_least = comparison_find_runs_least(c, level, limit_level);
	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; side < c->input.sides_n; side++)
			if (c->rows[i].contrasts[side].change == CHANGE_TOO_FEW)
				c->rows[i].sides[side].runs_least = c->runs_least;
	for (size_t i = 0; i < c->gates_n; i++)
		if (c->gates[i].state == GATE_TOO_FEW)
			c->gates[i].runs_least = comparison_find_runs_least(c, 1, limit_level);
}

/* Judge all rows, then the gates. 0; -ENOMEM; -ENOENT with why: no row has the name of a gate. */
static int comparison_judge(struct comparison *c, struct why *why)
{
	const struct comparison_input *input = &c->input;
	int err = comparison_judge_rows(c);

	if (err == 0)
		err = comparison_find_best(c);
	for (size_t i = 0; err == 0 && i < input->gates_n; i++) {
		const size_t before = c->gates_n;

		if (input->gates[i].is_geomean)
			continue;
		err = comparison_add_gates(c, &input->gates[i]);
		if (err == 0 && c->gates_n == before)
			err = comparison_no_such_row(c, &input->gates[i], why);
	}
	if (err == 0)
		err = comparison_judge_gates(c);
	comparison_set_runs_least(c);
	return err;
}

enum gate_outcome comparison_outcome(const struct comparison *c, size_t side)
{
	enum gate_outcome outcome = GATE_KEPT;

	for (size_t i = 0; i < c->gates_n; i++) {
		if (side != 0 && c->gates[i].side != side)
			continue;
		if (c->gates[i].evidence.outcome == GATE_CROSSED)
			return GATE_CROSSED;
		if (c->gates[i].evidence.outcome == GATE_UNCLEAR)
			outcome = GATE_UNCLEAR;
	}
	return outcome;
}

/* ---- The whole comparison. */

/* The user's request replaces the default minimum effect and better direction. */
static void comparison_apply_effect(struct comparison *c, const struct effect_request *request)
{
	const enum name_match match =
		request->name ? comparison_closest_match(c, request->name) : NAME_MATCHES_N;

	for (size_t i = 0; i < c->rows_n; i++) {
		struct comparison_row *row = &c->rows[i];

		if (request->name && (match == NAME_MATCHES_N ||
				      !comparison_is_named(row->of->name, request->name, match)))
			continue;
		if (request->minimum >= 0) {
			row->minimum_effect = request->minimum;
			row->effect_asked = true;
		}
		if (request->more_is_better)
			row->better = BETTER_MORE;
	}
}

/* The elapsed time, then the rows of the reference, in the order of its table. 0 or -ENOMEM. */
static int comparison_join(struct comparison *c, enum metric_rows metrics)
{
	const struct comparison_input *input = &c->input;
	size_t size = 0;
	int err = 0;

	c->tables = calloc(input->sides_n, sizeof(*c->tables));
	if (!c->tables)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < input->sides_n; i++) {
		err = table_build(&c->tables[i], input->sides[i].series, NULL);
		size += c->tables[i].n;
	}
	c->rows = calloc(size + TOOL_MAX_RSS, sizeof(*c->rows));
	if (err < 0 || !c->rows)
		return -ENOMEM;
	err = comparison_add_own(c, TOOL_DURATION_TIME);
	if (err == 0)
		err = comparison_add_rows(c, OF_EVENT, metrics);
	if (err == 0)
		err = comparison_add_rows(c, OF_METRIC, metrics);
	for (enum tool_event tool = TOOL_USER_TIME; err == 0 && tool <= TOOL_MAX_RSS; tool++)
		err = comparison_add_own(c, tool);
	for (size_t i = 0; err == 0 && i < input->effects_n; i++)
		comparison_apply_effect(c, &input->effects[i]);
	return err;
}

int comparison_build(struct comparison *c, const struct comparison_input *input, struct why *why)
{
	int err;

	*c = (struct comparison){ .input = *input };
	err = comparison_join(c, METRICS_DEFINED);
	if (err == 0)
		comparison_choose_firsts(c, COUNTED_SO_FAR);
	for (size_t i = 0; err == 0 && i < c->rows_n; i++)
		err = comparison_row_finish(&c->rows[i], input);
	return err < 0 ? err : comparison_judge(c, why);
}

/* Add the row of a measure, with the reference as the only value of the first side. */
static int comparison_add_exact_row(struct comparison *c, const struct measure *m, size_t runs_n,
				    double reference)
{
	int err = comparison_begin_row(c, m);
	struct comparison_row *row = &c->rows[c->rows_n - 1];
	struct comparison_side *side;

	if (err < 0)
		return err;
	side = &row->sides[1];
	err = comparison_reserve(&row->sides[0], 1);
	if (err == 0 && !isnan(reference))
		comparison_add_value(&row->sides[0], 0, reference * comparison_factor_of(m));
	if (err == 0 && measure_is_known(m))
		err = comparison_fill_from_measure(side, m, runs_n);
	return err < 0 ? err : comparison_row_finish(row, &c->input);
}

int comparison_begin_exact(struct comparison *c, const struct comparison_input *input,
			   const struct table *table, const double *references)
{
	int err = 0;

	*c = (struct comparison){ .input = *input, .runs_least = CONTRAST_RUNS_EXACT_MIN };
	c->input.sides_n = 2;
	c->input.exact_reference = true;
	c->rows = calloc(table->n + 1, sizeof(*c->rows));
	if (!c->rows)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < table->n; i++)
		if (table->v[i].listed)
			err = comparison_add_exact_row(c, &table->v[i], table->runs_n,
						       references[i]);
	for (size_t i = 0; err == 0 && i < input->gates_n; i++)
		err = comparison_add_gates(c, &input->gates[i]);
	for (size_t i = 0; i < c->gates_n; i++)
		c->gates[i].runs_least = CONTRAST_RUNS_EXACT_MIN;
	return err;
}

/* Let the stopping rule watch a row, if it is that of an event or the elapsed time. */
static void comparison_watch(struct comparison_plan *plan, const struct comparison *c,
			     struct comparison_row *row)
{
	const struct measure *m = row->of;
	struct comparison_side *reference = &row->sides[0];
	size_t watched;

	if (m->kind == OF_EVENT)
		m = table_find(&c->tables[c->input.sides_n - 1], m, SIZE_MAX);
	if (!m || (m->kind != OF_EVENT && m->tool != TOOL_DURATION_TIME) ||
	    plan->firsts_n == COMPARISON_FIRSTS_MAX)
		return;
	watched = m->kind == OF_RUN ? COMPARISON_ELAPSED : m->index;
	if (plan->firsts_n > 0 && plan->firsts[0].row == watched) /* it has a gate, too */
		return;
	reference->summary.mean = reference->n > 0 ? (long double)reference->values[0] : 0;
	comparison_widen_effect(row);
	plan->firsts[plan->firsts_n].row = watched;
	plan->firsts[plan->firsts_n++].effect = row->minimum_effect;
}

/* The rows with gates, if the runs are not paired; then the first rows; if these are metrics, the
 * first event that is counted. */
static void comparison_plan_firsts(struct comparison_plan *plan, const struct comparison *c)
{
	for (size_t i = 0; !c->input.paired && i < c->rows_n; i++)
		if (comparison_has_gate_on(&c->input, c->rows[i].of->name))
			comparison_watch(plan, c, &c->rows[i]);
	for (size_t i = 0; i < c->rows_n; i++)
		if (c->rows[i].claim == CLAIM_FIRST)
			comparison_watch(plan, c, &c->rows[i]);
	for (size_t i = 0; plan->firsts_n == 0 && i < c->rows_n; i++)
		if (c->rows[i].of->kind == OF_EVENT &&
		    comparison_is_counted(c, &c->rows[i], COUNTED_LATER))
			comparison_watch(plan, c, &c->rows[i]);
	if (plan->firsts_n == 0) {
		plan->firsts[0].row = COMPARISON_ELAPSED;
		plan->firsts[0].effect = EFFECT_OF_MACHINE;
		plan->firsts_n = 1;
	}
	plan->confidence = 1 - (1 - c->input.confidence) / (double)plan->firsts_n;
}

int comparison_plan_of(struct comparison_plan *plan, const struct comparison_input *input)
{
	cleanup_with(comparison_release) struct comparison c = { .input = *input };
	cleanup_free struct side_input *sides = calloc(input->sides_n, sizeof(*sides));
	cleanup_free struct series *series = calloc(input->sides_n, sizeof(*series));
	int err;

	if (!sides || !series)
		return -ENOMEM;
	for (size_t i = 0; i < input->sides_n; i++) {
		series[i] = *input->sides[i].series;
		if (series[i].runs_n > 1)
			series[i].runs_n = 1;
		sides[i].series = &series[i];
	}
	c.input.sides = sides;
	err = comparison_join(&c, METRICS_ALL);
	if (err < 0)
		return err;
	comparison_choose_firsts(&c, COUNTED_LATER);
	*plan = (struct comparison_plan){ .verdicts_n = c.verdicts_n };
	comparison_plan_firsts(plan, &c);
	for (size_t i = 0; i < c.rows_n; i++)
		plan->has_others |= c.rows[i].claim == CLAIM_ASKED;
	for (size_t i = 0; err == 0 && i < input->gates_n; i++) {
		const size_t before = c.gates_n;

		if (input->gates[i].is_geomean)
			continue;
		err = comparison_add_gates(&c, &input->gates[i]);
		if (c.gates_n == before) /* there is no row yet */
			plan->limits_n += input->sides_n - 1;
	}
	plan->limits_n += c.gates_n;
	return err;
}

void comparison_release(struct comparison *c)
{
	for (size_t i = 0; i < c->rows_n; i++) {
		for (size_t side = 0; c->rows[i].sides && side < c->input.sides_n; side++) {
			free(c->rows[i].sides[side].values);
			free(c->rows[i].sides[side].runs);
		}
		free(c->rows[i].sides);
		free(c->rows[i].contrasts);
	}
	for (size_t i = 0; c->tables && i < c->input.sides_n; i++)
		table_release(&c->tables[i]);
	free(c->rows);
	free(c->tables);
	free(c->gates);
	free(c->best.sides);
	free(c->order);
	*c = (struct comparison){ 0 };
}
