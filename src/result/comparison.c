/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/repeatable.h"
#include "event/source.h"
#include "result/comparison.h"
#include "stats/gates.h"

/* ---- The default minimum effect. */

/* Minimum effects, as a share. */
#define EFFECT_OF_PROGRAM 0.001 /* of events that depend only on the program */
#define EFFECT_OF_MACHINE 0.01 /* of metrics, times and other values that depend on the machine */

#define MSEC_OF_SECOND 1000.0

double comparison_minimum_effect(const struct event *event)
{
	return repeatable_is(event) ? EFFECT_OF_PROGRAM : EFFECT_OF_MACHINE;
}

/* ---- The numbers of one row. */

/* The capacity is always a power of 2, so it is full if n is 0 or a power of 2. */
int comparison_row_add(struct comparison_side *side, size_t run, double value)
{
	if ((side->n & (side->n - 1)) == 0) {
		size_t size = side->n ? 2 * side->n : 1;
		double *values = reallocarray(side->values, size, sizeof(*values));
		size_t *runs;

		if (!values)
			return -ENOMEM;
		side->values = values;
		runs = reallocarray(side->runs, size, sizeof(*runs));
		if (!runs)
			return -ENOMEM;
		side->runs = runs;
	}
	side->values[side->n] = value;
	side->runs[side->n++] = run;
	return 0;
}

/* The 95 % interval of normally distributed errors, in standard errors. */
#define NORMAL_95 1.959963984540054

/* The summary of the side is known. */
static double half_of(const struct comparison_side *side, const struct comparison_input *input)
{
	const double tail = (1 - input->confidence) / 2;
	double of_runs = 0, of_estimates = 0;

	if (side->unbounded)
		return 0;
	if (side->n > 1)
		of_runs = summary_stderr(&side->summary) *
			  input->math->qt(tail, (double)side->n - 1, 0, 0);
	if (side->estimate_error > 0)
		of_estimates =
			side->estimate_error / NORMAL_95 * input->math->qt(tail, INFINITY, 0, 0);
	return of_runs > of_estimates ? of_runs : of_estimates;
}

static int sum_up(struct comparison_side *side, const struct comparison_input *input)
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
	side->half = half_of(side, input);
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

static void samples_release(struct samples *s)
{
	free(s->values);
}

/* For struct contrast_input. */
static double estimate_error_of(const struct comparison_side *side,
				const struct comparison_input *input)
{
	if (side->unbounded)
		return input->gate_scaled ? 0 : INFINITY;
	return isnan(side->estimate_error) ? 0 : side->estimate_error;
}

/*
 * Copy the values of two sides. If the sides are paired, copy only the values of rounds that have
 * one on both sides. 0 or -ENOMEM.
 */
static int samples_gather_pair(struct samples *s, const struct comparison_row *row, size_t first,
			       size_t side, const struct comparison_input *input)
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
					 .estimated = reference->scaled || other->scaled,
					 .reference_error = estimate_error_of(reference, input),
					 .other_error = estimate_error_of(other, input),
					 .confidence = input->confidence,
					 .minimum_effect = row->minimum_effect,
					 .seed = input->seed };
	return 0;
}

/* Copy the values of the reference and of a side. */
static int samples_gather(struct samples *s, const struct comparison_row *row, size_t side,
			  const struct comparison_input *input)
{
	return samples_gather_pair(s, row, 0, side, input);
}

/* A difference of less than one count does not matter. No program has a fraction of a count. */
static void widen_effect(struct comparison_row *row)
{
	double one = 1 / (double)row->sides[0].summary.mean;

	if (row->effect_asked || row->minimum_effect != EFFECT_OF_PROGRAM || row->sides[0].n == 0)
		return;
	if (one > row->minimum_effect)
		row->minimum_effect = one < EFFECT_OF_MACHINE ? one : EFFECT_OF_MACHINE;
}

int comparison_row_finish(struct comparison_row *row, const struct comparison_input *input)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < input->sides_n; i++)
		err = sum_up(&row->sides[i], input);
	widen_effect(row);
	for (size_t i = 1; err == 0 && i < input->sides_n; i++) {
		cleanup_with(samples_release) struct samples s = { 0 };

		err = samples_gather(&s, row, i, input);
		if (err == 0)
			row->contrasts[i] = contrast_of(&s.in, input->math, s.scratch);
	}
	return err;
}

static bool has_metric(const struct result_row *row, const struct metric_request *request)
{
	for (size_t i = 0; i < row->metrics.n; i++)
		if (row->metrics.v[i].request == request)
			return true;
	return false;
}

enum better comparison_better_of(const char *name)
{
	static const char *const more[] = { "ipc", "ghz", "cpus" };

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (strcmp(name, more[i]) == 0)
			return BETTER_MORE;
	return BETTER_LESS;
}

enum verdict comparison_verdict(const struct comparison_row *row, size_t side)
{
	bool less_is_better = row->better == BETTER_LESS;

	if (row->sides[0].n == 0 || row->sides[side].n == 0)
		return VERDICT_ABSENT;
	switch (row->contrasts[side].change) {
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

const char *comparison_verdict_text(enum verdict verdict)
{
	static const char *const texts[] = {
		[VERDICT_BETTER] = "better",
		[VERDICT_WORSE] = "worse",
		[VERDICT_SAME] = "same",
		[VERDICT_UNCLEAR] = "unclear",
		[VERDICT_TOO_FEW] = "too few runs",
		[VERDICT_ABSENT] = "not counted",
	};

	return texts[verdict];
}

void comparison_row_release(struct comparison_row *row, size_t sides_n)
{
	for (size_t i = 0; row->sides && i < sides_n; i++) {
		free(row->sides[i].values);
		free(row->sides[i].runs);
	}
	free(row->name);
	free(row->place);
	free(row->cgroup);
	free(row->sides);
	free(row->contrasts);
}

/* Rows that pstat measures itself. Every comparison shows the first one before the events, and the
 * others after them. */
static const struct {
	const char *name, *unit;
	enum tool_event tool;
	double factor;
	int decimals;
} own_rows[COMPARISON_OWN_ROWS_N] = {
	{ "duration_time", "msec", TOOL_DURATION_TIME, 1e-6, 3 },
	{ "user_time", "msec", TOOL_USER_TIME, 1e-6, 3 },
	{ "system_time", "msec", TOOL_SYSTEM_TIME, 1e-6, 3 },
	{ "max_rss", "KiB", TOOL_MAX_RSS, 1, 0 },
};

const struct comparison_row *comparison_elapsed(const struct comparison *c)
{
	for (size_t i = 0; i < c->rows_n; i++)
		if (strcmp(c->rows[i].name, own_rows[0].name) == 0)
			return &c->rows[i];
	return NULL;
}

const struct comparison_row *comparison_leading(const struct comparison *c)
{
	for (size_t i = 0; c->input.only_asked && i < c->rows_n; i++)
		for (size_t side = 0; !c->rows[i].own && side < c->input.sides_n; side++)
			if (c->rows[i].sides[side].n > 0)
				return &c->rows[i];
	return comparison_elapsed(c);
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

bool comparison_has_own(const char *name)
{
	for (size_t i = 0; i < COMPARISON_OWN_ROWS_N; i++)
		if (strcmp(own_rows[i].name, name) == 0)
			return true;
	return false;
}

bool comparison_means_elapsed(const char *name)
{
	static const char *const names[] = { "time",	  "duration", "elapsed", "elapsed_time",
					     "real_time", "runtime",  "wall",	 "wall_time" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

void comparison_add_own(struct str *names)
{
	for (size_t i = 0; i < COMPARISON_OWN_ROWS_N; i++)
		str_add_listed(names, own_rows[i].name);
}

static bool is_same_row(const struct result_row *a, const struct result_row *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->place->label, b->place->label) == 0 &&
	       str_equal(a->event->cgroup, b->event->cgroup);
}

const struct result_row *comparison_row_find(const struct result *result,
					     const struct result_row *row, size_t position)
{
	if (position < result->rows_n && is_same_row(&result->rows[position], row))
		return &result->rows[position];
	for (size_t i = 0; i < result->rows_n; i++)
		if (is_same_row(&result->rows[i], row))
			return &result->rows[i];
	return NULL;
}

/* pstat's own measurements are known even if the side did not count the event. */
static int fill_from_tool(const struct result *result, struct comparison_side *to,
			  enum tool_event tool, double factor)
{
	bool measured = tool == TOOL_DURATION_TIME || result->series->has_usage;
	bool unknown = tool == TOOL_MAX_RSS && result->max_rss_unknown;
	int err = 0;

	to->state = measured ? NOT_COUNTED : NOT_SUPPORTED;
	for (size_t run = 0; err == 0 && measured && run < result->runs_n; run++) {
		to->runs_n++;
		if (unknown)
			continue;
		to->state = COUNTED;
		err = comparison_row_add(to, run, (double)result->runs[run].tool[tool] * factor);
	}
	return err;
}

/* Whether the side counted the processes of the command, and this event. */
static bool counts_processes(const struct result *result, const struct result_row *of)
{
	for (size_t i = 0; result->series->split == PLACE_PROCESS && i < result->rows_n; i++)
		if (result->rows[i].place->kind == PLACE_PROCESS &&
		    strcmp(result->rows[i].name, of->name) == 0 &&
		    !result_absent(result->rows[i].state))
			return true;
	return false;
}

/* No process of this side had the program of the row. */
static int fill_with_zeros(const struct result *result, struct comparison_side *to)
{
	int err = 0;

	to->state = COUNTED;
	to->runs_n = result->runs_n;
	for (size_t run = 0; err == 0 && run < result->runs_n; run++)
		err = comparison_row_add(to, run, 0);
	return err;
}

static int fill_from_row(const struct result *result, struct comparison_side *to,
			 const struct result_row *row)
{
	int err = 0;

	to->state = row->state;
	to->unbounded = row->state == SCALED && !row->bounds.known;
	to->estimate_error = row->estimate_error;
	for (size_t run = 0; err == 0 && run < result->runs_n; run++) {
		const struct series_value value = result_value(result, row, run);

		if (value.state == ELSEWHERE)
			continue;
		to->runs_n++;
		to->scaled |= value.state == SCALED;
		if (!result_absent(value.state))
			err = comparison_row_add(to, run, (double)value.in_unit);
	}
	if (to->n == 0 && !result_absent(to->state))
		to->state = NOT_COUNTED;
	return err;
}

/*
 * The estimates of a metric. A metric of several estimates gets no error from them: its events were
 * on the PMU together, so their errors largely cancel. The error of a single estimate does not.
 */
static void set_estimates(struct comparison_side *to, const struct metric_estimates *estimates)
{
	double sum = 0;

	for (size_t i = 0; i < to->n; i++)
		sum += to->values[i];
	to->scaled = to->n > 0 && estimates->n > 0;
	to->unbounded = to->scaled && estimates->unbounded;
	if (to->scaled)
		to->state = SCALED;
	if (to->scaled && estimates->n == 1)
		to->estimate_error = fabs(estimates->error * sum / (double)to->n);
}

/*
 * Fill a side with a metric of -M, one value for each run. The metric may be at the same row as of,
 * or at another row of the same event.
 */
static int fill_from_metric(const struct result *result, struct comparison_side *to,
			    const struct result_row *of, size_t position, const char *name)
{
	const struct result_row *row = comparison_row_find(result, of, position);
	cleanup_free struct metric_value *values = calloc(result->runs_n + 1, sizeof(*values));
	struct metric_estimates estimates = { 0 };
	int err = 0;

	if (!values)
		return -ENOMEM;
	for (size_t run = 0; run < result->runs_n; run++)
		values[run].value = NAN;
	to->state = NOT_COUNTED;
	to->runs_n = result->runs_n;
	for (size_t i = 0; err == 0 && row && i <= result->rows_n; i++) {
		/* the preferred row first */
		const struct result_row *from = i == 0 ? row : &result->rows[i - 1];

		if ((i > 0 && from == row) || !is_same_row(from, of))
			continue;
		err = result_metric_by_run(result, from, name, values);
		result_metric_estimates(result, from, name, &estimates);
	}
	for (size_t run = 0; err == 0 && run < result->runs_n; run++) {
		if (isnan(values[run].value))
			continue;
		to->state = COUNTED;
		err = comparison_row_add(to, run, values[run].value);
	}
	if (err == 0)
		set_estimates(to, &estimates);
	return err;
}

/* ---- Rows. */

static bool is_own(enum tool_event tool)
{
	for (size_t i = 0; i < COMPARISON_OWN_ROWS_N; i++)
		if (own_rows[i].tool == tool)
			return true;
	return false;
}

static bool has_row(const struct comparison *c, const char *name,
		    const struct result_row *same_place_as)
{
	for (size_t i = 0; i < c->rows_n; i++)
		if (strcmp(c->rows[i].name, name) == 0 &&
		    strcmp(c->rows[i].place, same_place_as->place->label) == 0 &&
		    str_equal(c->rows[i].cgroup, same_place_as->event->cgroup))
			return true;
	return false;
}

/*
 * of: a row of a side at the same place; NULL: the whole target. The user's requests replace
 * minimum_effect and better.
 */
static struct comparison_row *new_row(struct comparison *c, const char *name,
				      const struct result_row *of, double minimum_effect,
				      enum better better)
{
	const char *cgroup = of ? of->event->cgroup : NULL;
	struct comparison_row *row = &c->rows[c->rows_n++];
	size_t n = c->input.sides_n;

	*row = (struct comparison_row){
		.name = strdup(name),
		.place = strdup(of ? of->place->label : ""),
		.cgroup = cgroup ? strdup(cgroup) : NULL,
		.better = better,
		.asked = of != NULL,
		.drifts = minimum_effect > EFFECT_OF_PROGRAM &&
			  strcmp(name, event_tool_names[TOOL_MAX_RSS]) != 0,
		.minimum_effect = minimum_effect,
		.sides = calloc(n, sizeof(*row->sides)),
		.contrasts = calloc(n, sizeof(*row->contrasts)),
	};
	if (!row->name || !row->place || !row->sides || !row->contrasts || (cgroup && !row->cgroup))
		return NULL;
	for (size_t i = 0; i < c->input.effects_n; i++) {
		const struct effect_request *request = &c->input.effects[i];

		if (request->name && !comparison_is_named(name, request->name, NAME_EXACT) &&
		    !comparison_is_named(name, request->name, NAME_ALIAS))
			continue;
		if (request->minimum >= 0) {
			row->minimum_effect = request->minimum;
			row->effect_asked = true;
		}
		if (request->more_is_better)
			row->better = BETTER_MORE;
	}
	return row;
}

/* The row has the counts of the rows of all sides with the same name, place and cgroup. */
static int add_event(struct comparison *c, const struct result_row *of, size_t position)
{
	struct comparison_row *row =
		new_row(c, of->name, of, comparison_minimum_effect(of->event), BETTER_LESS);
	int err = 0;

	if (!row)
		return -ENOMEM;
	row->unit = of->event->unit;
	row->decimals = of->decimals;
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++) {
		const struct result *result = &c->results[i];
		const struct result_row *from = comparison_row_find(result, of, position);

		row->sides[i].state = NOT_COUNTED;
		if (from)
			err = fill_from_row(result, &row->sides[i], from);
		else if (of->event->tool != TOOL_NONE)
			err = fill_from_tool(result, &row->sides[i], of->event->tool,
					     of->event->factor);
		else if (of->place->kind == PLACE_PROCESS && counts_processes(result, of))
			err = fill_with_zeros(result, &row->sides[i]);
	}
	return err < 0 ? err : comparison_row_finish(row, &c->input);
}

/* Add the rows of a side that no earlier side has. */
static int add_events(struct comparison *c, size_t side)
{
	const struct result *result = &c->results[side];
	int err = 0;

	for (size_t i = 0; err == 0 && i < result->rows_n; i++) {
		const struct result_row *row = &result->rows[i];

		if (side == 0 || (!is_own(row->event->tool) && !has_row(c, row->name, row)))
			err = add_event(c, row, i);
	}
	return err;
}

static int add_metric(struct comparison *c, const struct result_row *of, size_t position,
		      const struct metric_request *request)
{
	struct comparison_row *row = new_row(c, request->name, of, EFFECT_OF_MACHINE,
					     comparison_better_of(request->name));
	int err = 0;

	if (!row)
		return -ENOMEM;
	row->unit = "";
	row->decimals = 3;
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = fill_from_metric(&c->results[i], &row->sides[i], of, position, request->name);
	return err < 0 ? err : comparison_row_finish(row, &c->input);
}

/* Add the rows of a side that no earlier side has. */
static int add_metrics(struct comparison *c, size_t side)
{
	const struct result *result = &c->results[side];
	const struct metric_request_list *requests = result->series->metrics;
	int err = 0;

	for (size_t i = 0; requests && i < result->rows_n; i++)
		for (size_t j = 0; err == 0 && j < requests->n; j++)
			if (has_metric(&result->rows[i], &requests->v[j]) &&
			    (side == 0 || !has_row(c, requests->v[j].name, &result->rows[i])))
				err = add_metric(c, &result->rows[i], i, &requests->v[j]);
	return err;
}

static bool has_gate_on(const struct comparison_input *input, const char *name)
{
	for (size_t i = 0; i < input->gates_n; i++)
		if (strcmp(input->gates[i].name, name) == 0)
			return true;
	return false;
}

/* Whether the comparison has this one of pstat's own rows, unless it is an event. */
static bool has_own(const struct comparison_input *input, size_t i)
{
	return i == 0 || !input->only_asked || has_gate_on(input, own_rows[i].name);
}

static int add_own(struct comparison *c, size_t i)
{
	const struct result *reference = &c->results[0];
	struct comparison_row *row;
	int err = 0;

	for (size_t k = 0; k < reference->rows_n; k++)
		if (reference->rows[k].event->tool == own_rows[i].tool)
			return 0;
	row = new_row(c, own_rows[i].name, NULL, EFFECT_OF_MACHINE, BETTER_LESS);
	if (!row)
		return -ENOMEM;
	row->unit = own_rows[i].unit;
	row->decimals = own_rows[i].decimals;
	row->own = !has_gate_on(&c->input, row->name);
	row->asked = i == 0 || !row->own;
	for (size_t side = 0; err == 0 && side < c->input.sides_n; side++)
		err = fill_from_tool(&c->results[side], &row->sides[side], own_rows[i].tool,
				     own_rows[i].factor);
	return err < 0 ? err : comparison_row_finish(row, &c->input);
}

/* ---- Verdicts. All contrasts are computed before the first verdict. */

/* The elapsed time of this many runs of a side and of the reference; 0: unknown. */
static double seconds_of(const struct comparison *c, size_t side, size_t runs_n)
{
	const struct comparison_row *elapsed = comparison_elapsed(c);
	struct comparison_side *sides = elapsed ? elapsed->sides : NULL;

	if (!sides || sides[0].n == 0 || sides[side].n == 0)
		return 0;
	return (double)(sides[0].summary.mean + sides[side].summary.mean) / MSEC_OF_SECOND *
	       (double)runs_n;
}

/* Judge a row, and predict the number of runs that an unclear row needs. */
static int judge_side(struct comparison *c, struct comparison_row *row, size_t side)
{
	cleanup_with(samples_release) struct samples s = { 0 };
	const struct contrast_goal goal = { c->family.alpha, c->family.n, COMPARISON_POWER };
	struct comparison_side *it = &row->sides[side];
	int err;

	contrast_judge(&row->contrasts[side], &c->family);
	if (row->contrasts[side].change != CHANGE_UNCLEAR)
		return 0;
	err = samples_gather(&s, row, side, &c->input);
	if (err < 0)
		return err;
	it->runs_needed.n =
		contrast_runs_needed(&s.in, c->input.math, row->minimum_effect, &goal, s.scratch);
	it->runs_needed.seconds = seconds_of(c, side, it->runs_needed.n);
	return 0;
}

static int judge_rows(struct comparison *c)
{
	size_t size = c->rows_n * c->input.sides_n, n = 0;
	cleanup_free const struct contrast **contrasts = calloc(size + 1, sizeof(*contrasts));
	cleanup_free double *scratch = calloc(size + 1, sizeof(*scratch));
	int err = 0;

	if (!contrasts || !scratch)
		return -ENOMEM;
	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; side < c->input.sides_n; side++)
			contrasts[n++] = &c->rows[i].contrasts[side];
	c->family = contrast_family_of(contrasts, n, 1 - c->input.confidence, scratch);
	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; err == 0 && side < c->input.sides_n; side++)
			err = judge_side(c, &c->rows[i], side);
	return err;
}

/* ---- The best side. */

/* A number that is smaller for a better side, even if the difference is not significant. */
static double rank_of(const struct comparison_row *row, size_t sides_n, size_t side)
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

/* Compare two sides, neither of which has to be the reference. 0 or -ENOMEM. */
static int compare_pair(const struct comparison *c, const struct comparison_row *row, size_t first,
			size_t side, struct contrast *contrast)
{
	cleanup_with(samples_release) struct samples s = { 0 };
	int err = samples_gather_pair(&s, row, first, side, &c->input);

	if (err == 0)
		*contrast = contrast_of(&s.in, c->input.math, s.scratch);
	return err;
}

/*
 * Whether a side is proved worse than `than`, which is either the reference or a side that is
 * better than the reference. The verdicts against the reference are known. The other pairs share an
 * additional probability of error, by Bonferroni's method. 0 or -ENOMEM.
 */
static int is_worse(const struct comparison *c, const struct comparison_row *row, size_t than,
		    size_t side, bool *worse)
{
	const double alpha = 1 - c->input.confidence;
	const size_t others = c->input.sides_n - 1, pairs = others * (others - 1) / 2;
	const struct contrast_family family = { alpha, pairs, alpha / (double)pairs };
	struct contrast contrast;
	int err;

	*worse = side == 0 || comparison_verdict(row, side) == VERDICT_WORSE;
	if (than == 0 || side == 0)
		return 0;
	err = compare_pair(c, row, than, side, &contrast);
	if (err < 0)
		return err;
	contrast_judge(&contrast, &family);
	*worse = contrast.change == (row->better == BETTER_LESS ? CHANGE_MORE : CHANGE_LESS);
	return 0;
}

/* Set the order of the sides, the best first. */
static void rank_sides(const struct comparison_row *row, size_t sides_n, size_t *order)
{
	for (size_t side = 0; side < sides_n; side++) {
		const double rank = rank_of(row, sides_n, side);
		size_t i = side;

		for (; i > 0 && rank_of(row, sides_n, order[i - 1]) > rank; i--)
			order[i] = order[i - 1];
		order[i] = side;
	}
}

/*
 * Find the best side and all sides that are not proved worse. To find them, compare each side with
 * the first side in rank order that is proved better than the reference, or else with the
 * reference.
 */
static int find_best(struct comparison *c)
{
	const struct comparison_row *row = comparison_leading(c);
	cleanup_free size_t *order = calloc(c->input.sides_n + 1, sizeof(*order));
	size_t n = c->input.sides_n, first = 0;
	struct best_sides *best = &c->best;
	int err = 0;

	for (size_t i = 0; row && i < n; i++)
		if (row->sides[i].n == 0)
			row = NULL;
	if (!row || n < 3)
		return 0;
	best->sides = calloc(n, sizeof(*best->sides));
	if (!order || !best->sides)
		return -ENOMEM;
	rank_sides(row, n, order);
	for (size_t i = 0; first == 0 && i < n; i++)
		if (order[i] != 0 && comparison_verdict(row, order[i]) == VERDICT_BETTER)
			first = order[i];
	for (size_t i = 0; err == 0 && i < n; i++) {
		bool worse = false;

		if (order[i] != first)
			err = is_worse(c, row, first, order[i], &worse);
		if (!worse)
			best->sides[best->n++] = order[i];
	}
	best->row = row;
	best->next = order[0] == first ? order[1] : order[0];
	return err < 0 || best->n > 1 ? err :
					compare_pair(c, row, first, best->next, &best->contrast);
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

/* Whether an earlier row of this name has the same place and cgroup. */
static bool is_repeated(const struct comparison *c, size_t row, const char *name,
			enum name_match match)
{
	const struct comparison_row *it = &c->rows[row];

	for (size_t i = 0; i < row; i++)
		if (comparison_is_named(c->rows[i].name, name, match) &&
		    strcmp(c->rows[i].place, it->place) == 0 &&
		    str_equal(c->rows[i].cgroup, it->cgroup))
			return true;
	return false;
}

static int no_such_row(const struct comparison *c, const struct gate_request *request,
		       struct why *why)
{
	cleanup_str struct str names = { 0 };

	if (comparison_means_elapsed(request->name))
		return why_set(
			why, -ENOENT,
			"--fail-if '%s': '%s' is not compared; the elapsed time is called '%s'",
			request->text, request->name, own_rows[0].name);
	for (size_t i = 0; i < c->rows_n; i++)
		str_addf(&names, "%s%s", i ? ", " : "", c->rows[i].name);
	return why_set(why, -ENOENT, "--fail-if '%s': '%s' is not compared; choose from %s",
		       request->text, request->name, str_text(&names));
}

static int state_of(const struct comparison *c, const struct gate *gate)
{
	const struct comparison_side *reference = &gate->row->sides[0];
	const struct comparison_side *side = &gate->row->sides[gate->side];
	const struct contrast *contrast = &gate->row->contrasts[gate->side];

	if (reference->n == 0 || side->n == 0)
		return GATE_ABSENT;
	if ((reference->unbounded || side->unbounded) && !c->input.gate_scaled)
		return GATE_UNBOUNDED;
	return contrast->limit_floor <= 1 - c->input.confidence ? GATE_JUDGED : GATE_TOO_FEW;
}

/*
 * The distance of the observed ratio from the limit, as a share. It is the effect that the runs
 * have to show.
 */
static double distance(const struct gate *gate)
{
	const struct gate_request *request = gate->request;
	const struct contrast *contrast = &gate->row->contrasts[gate->side];
	double reference = (double)gate->row->sides[0].summary.mean;
	double limit = request->relative ?
			       1 + request->limit.value :
			       1 + request->limit.value / (reference > 0 ? reference : 1);
	double ratio = contrast->ratio.value;

	if (contrast->ratio.withheld || limit <= 0 || ratio <= 0)
		return 0;
	return (ratio > limit ? ratio / limit : limit / ratio) - 1;
}

/*
 * The smallest p of the permutation test has to reach the smallest level of Holm's method for
 * gates_n gates.
 */
static int gather_evidence(const struct comparison *c, struct gate *gate, size_t gates_n,
			   struct gate_evidence *evidence)
{
	const struct gate_request *request = gate->request;
	const struct contrast_limit beyond = { request->limit.value, request->relative,
					       request->above };
	const struct contrast_limit within = { request->limit.value, request->relative,
					       !request->above };
	const struct math *math = c->input.math;
	const double alpha = (1 - c->input.confidence) / 2;
	cleanup_with(samples_release) struct samples s = { 0 };
	int err = samples_gather(&s, gate->row, gate->side, &c->input);

	if (err < 0)
		return err;
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

/* Set the number of runs for a one-sided p of at most level. */
static int predict(const struct comparison *c, struct gate *gate, double level)
{
	cleanup_with(samples_release) struct samples s = { 0 };
	const struct contrast_goal goal = { 2 * level, 1, COMPARISON_POWER };
	int err = samples_gather(&s, gate->row, gate->side, &c->input);

	if (err < 0)
		return err;
	gate->runs_least = contrast_runs_least(&s.in, 2 * level);
	gate->runs_needed.n =
		contrast_runs_needed(&s.in, c->input.math, distance(gate), &goal, s.scratch);
	gate->runs_needed.seconds = seconds_of(c, gate->side, gate->runs_needed.n);
	return 0;
}

/* Set the outcomes of the judged gates, and the runs that the unclear gates need. */
static int set_outcomes(struct comparison *c, const struct gate_evidence *evidence, size_t n)
{
	const double alpha = (1 - c->input.confidence) / 2;
	size_t judged = 0;
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->gates_n; i++) {
		struct gate *gate = &c->gates[i];

		gate->evidence.outcome = GATE_UNCLEAR;
		if (gate->state != GATE_JUDGED)
			continue;
		gate->evidence = evidence[judged];
		if (gate->evidence.outcome == GATE_UNCLEAR) {
			if (n > 1 && gate->evidence.p_crossed <= alpha)
				gate->limits_n = n;
			err = predict(c, gate,
				      gates_level(evidence, n, c->input.confidence, judged));
		}
		judged++;
	}
	return err;
}

/* Holm's method takes only the gates that can be judged. */
static int judge_gates(struct comparison *c)
{
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
			err = gather_evidence(c, &c->gates[i], n, &evidence[judged++]);
	if (err < 0)
		return err;
	gates_judge(evidence, n, c->input.confidence, order);
	return set_outcomes(c, evidence, n);
}

/* Whether the row is the elapsed time, and task-clock varies less than half as much on both
 * sides. */
static bool does_cpu_time_vary_less(const struct comparison *c, const struct comparison_row *row,
				    size_t side)
{
	for (size_t i = 0; row == comparison_elapsed(c) && i < c->rows_n; i++) {
		const struct comparison_side *sides = c->rows[i].sides;

		if (strcmp(c->rows[i].name, "task-clock") == 0 && sides[0].n > 1 &&
		    sides[side].n > 1 &&
		    2 * sides[0].spread_percent < row->sides[0].spread_percent &&
		    2 * sides[side].spread_percent < row->sides[side].spread_percent)
			return true;
	}
	return false;
}

static int add_gate(struct comparison *c, const struct gate_request *request,
		    const struct comparison_row *row, size_t side)
{
	struct gate *gate;

	if (array_grow(&c->gates, c->gates_n, &c->gates_size, sizeof(*c->gates)) < 0)
		return -ENOMEM;
	gate = &c->gates[c->gates_n++];
	*gate = (struct gate){ .request = request,
			       .side = side,
			       .row = row,
			       .drifts = row->drifts && !c->input.paired,
			       .cpu_time_varies_less = does_cpu_time_vary_less(c, row, side) };
	gate->state = state_of(c, gate);
	return 0;
}

/* Add a gate for each row with the name: there is one row for each place. */
static int add_matching(struct comparison *c, const struct gate_request *request,
			enum name_match match)
{
	int err = 0;

	for (size_t i = 0; i < c->rows_n; i++) {
		if (!comparison_is_named(c->rows[i].name, request->name, match) ||
		    is_repeated(c, i, request->name, match))
			continue;
		for (size_t side = 1; err == 0 && side < c->input.sides_n; side++)
			err = add_gate(c, request, &c->rows[i], side);
	}
	return err;
}

/* Add the gates of a request. *found: whether there is a row for it. */
static int add_gates(struct comparison *c, const struct gate_request *request, bool *found)
{
	size_t before = c->gates_n;
	int err = 0;

	for (enum name_match match = NAME_EXACT;
	     err == 0 && c->gates_n == before && match < NAME_MATCHES_N; match++)
		err = add_matching(c, request, match);
	*found = c->gates_n > before;
	return err;
}

static bool has_name(const struct comparison *c, const char *name)
{
	for (size_t i = 0; i < c->rows_n; i++)
		if (strcmp(c->rows[i].name, name) == 0)
			return true;
	return false;
}

/* A metric without a value on any side has no row, and before the first run no metric has a value.
 * Count these metrics as rows, too, because they may get a value. */
static size_t count_verdicts(const struct comparison *c)
{
	size_t most = 0;

	for (size_t i = 0; c->results && i < c->input.sides_n; i++) {
		const struct metric_request_list *requests = c->results[i].series->metrics;
		size_t without_row = 0;

		for (size_t j = 0; requests && j < requests->n; j++)
			without_row += !has_name(c, requests->v[j].name);
		if (without_row > most)
			most = without_row;
	}
	return (c->rows_n + most) * (c->input.sides_n - 1);
}

/* Set runs_least of the comparison, and of its rows and gates that have too few runs. */
static void set_runs_least(struct comparison *c)
{
	const struct comparison_input *input = &c->input;
	const double alpha = 1 - input->confidence;
	const size_t verdicts = count_verdicts(c);
	const double level = alpha / (double)(verdicts ? verdicts : 1);
	const double limit_level = c->gates_n ? alpha / (double)c->gates_n : 0;

	c->runs_least = contrast_runs_min(input->paired, input->reference_n, level, limit_level);
	if (c->runs_least == 0) /* the reference needs more runs, too */
		c->runs_least = contrast_runs_min(input->paired, 0, level, limit_level);
	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; side < input->sides_n; side++)
			if (c->rows[i].contrasts[side].change == CHANGE_TOO_FEW)
				c->rows[i].sides[side].runs_least = c->runs_least;
	for (size_t i = 0; i < c->gates_n; i++)
		if (c->gates[i].state == GATE_TOO_FEW)
			c->gates[i].runs_least = c->runs_least;
}

int comparison_judge(struct comparison *c, struct why *why)
{
	const struct comparison_input *input = &c->input;
	int err = judge_rows(c);

	if (err == 0)
		err = find_best(c);
	for (size_t i = 0; err == 0 && i < input->gates_n; i++) {
		bool found;

		err = add_gates(c, &input->gates[i], &found);
		if (err == 0 && !found)
			err = no_such_row(c, &input->gates[i], why);
	}
	if (err == 0)
		err = judge_gates(c);
	set_runs_least(c);
	return err;
}

enum gate_outcome comparison_outcome_of(const struct comparison *c, size_t side)
{
	enum gate_outcome outcome = GATE_KEPT;

	for (size_t i = 0; i < c->gates_n; i++) {
		if (c->gates[i].side != side)
			continue;
		if (c->gates[i].evidence.outcome == GATE_CROSSED)
			return GATE_CROSSED;
		if (c->gates[i].evidence.outcome == GATE_UNCLEAR)
			outcome = GATE_UNCLEAR;
	}
	return outcome;
}

enum gate_outcome comparison_outcome(const struct comparison *c)
{
	enum gate_outcome outcome = GATE_KEPT;

	for (size_t side = 1; side < c->input.sides_n; side++) {
		enum gate_outcome of_side = comparison_outcome_of(c, side);

		if (of_side != GATE_KEPT && outcome != GATE_CROSSED)
			outcome = of_side;
	}
	return outcome;
}

/* ---- The whole comparison. */

/* The maximum number of rows. */
static size_t count_rows(const struct comparison *c)
{
	size_t n = COMPARISON_OWN_ROWS_N;

	for (size_t i = 0; i < c->input.sides_n; i++) {
		const struct metric_request_list *metrics = c->results[i].series->metrics;

		n += c->results[i].rows_n * (1 + (metrics ? metrics->n : 0));
	}
	return n;
}

/* The results of all sides. */
static int build_results(struct comparison *c)
{
	int err = 0;

	c->results = calloc(c->input.sides_n, sizeof(*c->results));
	if (!c->results)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = result_build(&c->results[i], c->input.sides[i].series, NULL);
	return err;
}

/* The elapsed time, then the rows of the reference, in the order of its result. */
static int build_rows(struct comparison *c)
{
	int err = build_results(c);

	if (err < 0)
		return err;
	c->rows = calloc(count_rows(c), sizeof(*c->rows));
	if (!c->rows)
		return -ENOMEM;
	err = add_own(c, 0);
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = add_events(c, i);
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = add_metrics(c, i);
	for (size_t i = 1; err == 0 && i < COMPARISON_OWN_ROWS_N; i++)
		if (has_own(&c->input, i))
			err = add_own(c, i);
	return err;
}

int comparison_build(struct comparison *c, const struct comparison_input *input, struct why *why)
{
	int err;

	*c = (struct comparison){ .input = *input };
	err = build_rows(c);
	return err < 0 ? err : comparison_judge(c, why);
}

int comparison_measure(struct comparison_size *size, const struct comparison_input *input)
{
	cleanup_with(comparison_release) struct comparison c = { .input = *input };
	size_t without_row = 0;
	int err = build_rows(&c);

	for (size_t i = 0; err == 0 && i < input->gates_n; i++) {
		bool found;

		err = add_gates(&c, &input->gates[i], &found);
		without_row += !found;
	}
	if (err < 0)
		return err;
	*size = (struct comparison_size){
		.verdicts_n = count_verdicts(&c),
		.limits_n = c.gates_n + without_row * (input->sides_n - 1),
	};
	return 0;
}

void comparison_release(struct comparison *c)
{
	for (size_t i = 0; i < c->rows_n; i++)
		comparison_row_release(&c->rows[i], c->input.sides_n);
	for (size_t i = 0; c->results && i < c->input.sides_n; i++)
		result_release(&c->results[i]);
	free(c->rows);
	free(c->results);
	free(c->gates);
	free(c->best.sides);
	*c = (struct comparison){ 0 };
}
