/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "result/comparison.h"
#include "result/effect.h"

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

/* Interpolate between the two nearest values (R's type 7). */
static double quantile(const long double *sorted, size_t n, double share)
{
	double at = share * (double)(n - 1);
	size_t below = (size_t)at;
	long double value = sorted[below];

	if (below + 1 < n)
		value += (at - (double)below) * (sorted[below + 1] - value);
	return (double)value;
}

static size_t count_outliers(const struct comparison_side *side)
{
	double first = side->first_quartile, third = side->third_quartile;
	double far = 1.5 * (third - first);
	size_t n = 0;

	for (size_t i = 0; i < side->n; i++)
		n += side->values[i] < first - far || side->values[i] > third + far;
	return n;
}

static int sum_up(struct comparison_side *side, const struct comparison_input *input)
{
	cleanup_free long double *sorted = calloc(side->n + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < side->n; i++)
		sorted[i] = side->values[i];
	side->summary = summary_of(sorted, side->n);
	if (side->n == 0)
		return 0;
	side->first_quartile = quantile(sorted, side->n, 0.25);
	side->third_quartile = quantile(sorted, side->n, 0.75);
	if (side->n < 2)
		return 0;
	side->outliers = count_outliers(side);
	if (side->summary.mean > 0)
		side->spread_percent =
			(double)(100 * summary_stddev(&side->summary) / side->summary.mean);
	side->half = summary_stderr(&side->summary) *
		     input->math->qt((1 - input->confidence) / 2, (double)side->n - 1, 0, 0);
	return 0;
}

static void gather(struct comparison_samples *s, const struct comparison_side *reference,
		   const struct comparison_side *other, bool paired)
{
	size_t j = 0;

	for (size_t i = 0; i < reference->n; i++) {
		while (paired && j < other->n && other->runs[j] < reference->runs[i])
			j++;
		if (paired && (j == other->n || other->runs[j] != reference->runs[i]))
			continue;
		s->reference[s->reference_n++] = reference->values[i];
		if (paired)
			s->other[s->other_n++] = other->values[j];
	}
	for (size_t i = 0; !paired && i < other->n; i++)
		s->other[s->other_n++] = other->values[i];
}

int comparison_samples(struct comparison_samples *s, const struct comparison_row *row, size_t side,
		       const struct comparison_input *input, struct contrast_input *in)
{
	const struct comparison_side *reference = &row->sides[0], *other = &row->sides[side];
	size_t n = reference->n + other->n;

	*s = (struct comparison_samples){ .reference = calloc(3 * n + 1, sizeof(double)) };
	if (!s->reference)
		return -ENOMEM;
	s->other = s->reference + reference->n;
	s->scratch = s->reference + n;
	gather(s, reference, other, input->paired);
	*in = (struct contrast_input){ .reference = s->reference,
				       .other = s->other,
				       .reference_n = s->reference_n,
				       .other_n = s->other_n,
				       .paired = input->paired,
				       .confidence = input->confidence,
				       .minimum_effect = row->minimum_effect,
				       .seed = input->seed };
	return 0;
}

void comparison_samples_release(struct comparison_samples *s)
{
	free(s->reference);
}

static int contrast(struct comparison_row *row, size_t side, const struct comparison_input *input)
{
	cleanup_with(comparison_samples_release) struct comparison_samples s = { 0 };
	struct contrast_input in;
	int err = comparison_samples(&s, row, side, input, &in);

	if (err < 0)
		return err;
	row->contrasts[side] = contrast_of(&in, input->math, s.scratch);
	return 0;
}

int comparison_row_finish(struct comparison_row *row, const struct comparison_input *input)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < input->sides_n; i++)
		err = sum_up(&row->sides[i], input);
	for (size_t i = 1; err == 0 && i < input->sides_n; i++)
		err = contrast(row, i, input);
	return err;
}

/* The row's metric in this unit; NULL: the row has none, or row is NULL. */
static const struct metric *metric_of_row(const struct result_row *row, const char *unit)
{
	for (size_t i = 0; row && i < row->metrics.n; i++)
		if (strcmp(row->metrics.v[i].unit, unit) == 0)
			return &row->metrics.v[i];
	return NULL;
}

/* The better direction of a named metric; BETTER_LESS for a metric that the user defined. */
static enum better better_of_metric(const char *name)
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

/* Rows that pstat measures itself. Every comparison shows them, after the events. */
static const struct {
	const char *name, *unit;
	enum tool_event tool;
	double factor;
	int decimals;
} own_rows[] = {
	{ "duration_time", "msec", TOOL_DURATION_TIME, 1e-6, 3 },
	{ "user_time", "msec", TOOL_USER_TIME, 1e-6, 3 },
	{ "system_time", "msec", TOOL_SYSTEM_TIME, 1e-6, 3 },
	{ "max_rss", "KiB", TOOL_MAX_RSS, 1, 0 },
};

enum { OWN_ROWS_N = sizeof(own_rows) / sizeof(own_rows[0]) };

bool comparison_has_own(const char *name)
{
	for (size_t i = 0; i < OWN_ROWS_N; i++)
		if (strcmp(own_rows[i].name, name) == 0)
			return true;
	return false;
}

void comparison_add_own(struct str *names)
{
	for (size_t i = 0; i < OWN_ROWS_N; i++)
		str_add_listed(names, own_rows[i].name);
}

static bool is_same(const struct result_row *a, const struct result_row *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->place->label, b->place->label) == 0 &&
	       str_equal(a->event->cgroup, b->event->cgroup);
}

const struct result_row *comparison_row_find(const struct result *result,
					     const struct result_row *row, size_t position)
{
	if (position < result->rows_n && is_same(&result->rows[position], row))
		return &result->rows[position];
	for (size_t i = 0; i < result->rows_n; i++)
		if (is_same(&result->rows[i], row))
			return &result->rows[i];
	return NULL;
}

/*
 * Whether the max_rss of some run may be that of pstat itself. The comparison then uses none of the
 * side's max_rss, because leaving out only the low values would bias the mean.
 */
static bool is_of_starter(const struct result *result, enum tool_event tool)
{
	return tool == TOOL_MAX_RSS && result_floors(result) > 0;
}

/* pstat's own measurements are known even if the side did not count the event. */
static int fill_from_tool(const struct comparison *c, struct comparison_row *row, size_t side,
			  enum tool_event tool, double factor)
{
	const struct result *result = &c->results[side];
	bool known = tool == TOOL_DURATION_TIME || result->series->has_usage;
	bool of_starter = is_of_starter(result, tool);
	int err = 0;

	row->sides[side].state = known ? NOT_COUNTED : NOT_SUPPORTED;
	for (size_t run = 0; err == 0 && known && run < result->runs_n; run++) {
		row->sides[side].runs_n++;
		if (of_starter)
			continue;
		row->sides[side].state = COUNTED;
		err = comparison_row_add(&row->sides[side], run,
					 (double)result->runs[run].tool[tool] * factor);
	}
	return err;
}

static int fill_from_row(const struct comparison *c, struct comparison_row *row, size_t side,
			 const struct result_row *its)
{
	const struct result *result = &c->results[side];
	struct comparison_side *to = &row->sides[side];
	bool of_starter = is_of_starter(result, its->event->tool);
	int err = 0;

	to->state = its->state;
	for (size_t run = 0; err == 0 && run < result->runs_n; run++) {
		const struct series_value value = result_value(result, its, run);

		if (value.state == ELSEWHERE)
			continue;
		to->runs_n++;
		to->scaled |= value.state == SCALED;
		if (!result_absent(value.state) && !of_starter)
			err = comparison_row_add(to, run, (double)value.in_unit);
	}
	if (to->n == 0 && !result_absent(to->state))
		to->state = NOT_COUNTED;
	return err;
}

/*
 * Fill the row from the result rows of all sides. of: the row of one side; the other sides have
 * rows with the same name, place and cgroup.
 */
static int fill_from_rows(const struct comparison *c, struct comparison_row *row,
			  const struct result_row *of, size_t position)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++) {
		const struct result_row *its = comparison_row_find(&c->results[i], of, position);

		row->sides[i].state = NOT_COUNTED;
		if (its)
			err = fill_from_row(c, row, i, its);
		else if (of->event->tool != TOOL_NONE)
			err = fill_from_tool(c, row, i, of->event->tool, of->event->factor);
	}
	return err;
}

/*
 * Set values to the metric of each run. It may be at the same row, or at another row of the same
 * event.
 */
static int gather_metric(const struct result *result, const struct result_row *of, size_t position,
			 const char *unit, double *values)
{
	const struct result_row *row = comparison_row_find(result, of, position);
	int err = row ? result_metric_by_run(result, row, unit, values) : 0;

	for (size_t i = 0; err == 0 && i < result->rows_n; i++)
		if (&result->rows[i] != row && is_same(&result->rows[i], of))
			err = result_metric_by_run(result, &result->rows[i], unit, values);
	return err;
}

static int fill_side_from_metric(const struct result *result, struct comparison_side *to,
				 const struct result_row *of, size_t position, const char *unit)
{
	size_t runs_n = result->runs_n;
	cleanup_free double *values = calloc(runs_n + 1, sizeof(*values));
	int err;

	if (!values)
		return -ENOMEM;
	for (size_t run = 0; run < runs_n; run++)
		values[run] = NAN;
	to->state = NOT_COUNTED;
	to->runs_n = runs_n;
	err = gather_metric(result, of, position, unit, values);
	for (size_t run = 0; err == 0 && run < runs_n; run++) {
		if (isnan(values[run]))
			continue;
		to->state = COUNTED;
		err = comparison_row_add(to, run, values[run]);
	}
	return err;
}

/* Fill the row with the values of a metric of -M, one for each run. */
static int fill_from_metric(const struct comparison *c, struct comparison_row *row,
			    const struct result_row *of, size_t position, const char *unit)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = fill_side_from_metric(&c->results[i], &row->sides[i], of, position, unit);
	return err;
}

/* ---- Rows. */

static bool has_tool(const struct result *result, enum tool_event tool)
{
	for (size_t i = 0; i < result->rows_n; i++)
		if (result->rows[i].event->tool == tool)
			return true;
	return false;
}

static bool is_own(enum tool_event tool)
{
	for (size_t i = 0; i < OWN_ROWS_N; i++)
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

/* Replace the defaults of the row by the user's requests. */
static void apply_requests(const struct comparison_input *input, struct comparison_row *row)
{
	for (size_t i = 0; i < input->effects_n; i++) {
		const struct effect_request *request = &input->effects[i];

		if (request->name && strcmp(request->name, row->name) != 0)
			continue;
		if (request->minimum >= 0)
			row->minimum_effect = request->minimum;
		if (request->more_is_better)
			row->better = BETTER_MORE;
	}
}

static struct comparison_row *new_row(struct comparison *c, const char *name, const char *place,
				      const char *cgroup)
{
	struct comparison_row *row = &c->rows[c->rows_n++];
	size_t n = c->input.sides_n;

	row->name = strdup(name);
	row->place = strdup(place);
	row->cgroup = cgroup ? strdup(cgroup) : NULL;
	row->sides = calloc(n, sizeof(*row->sides));
	row->contrasts = calloc(n, sizeof(*row->contrasts));
	if (!row->name || !row->place || !row->sides || !row->contrasts || (cgroup && !row->cgroup))
		return NULL;
	return row;
}

static int add_event(struct comparison *c, const struct result_row *of, size_t position)
{
	struct comparison_row *row = new_row(c, of->name, of->place->label, of->event->cgroup);
	int err;

	if (!row)
		return -ENOMEM;
	row->unit = of->event->unit;
	row->decimals = of->decimals;
	row->minimum_effect = effect_minimum(of->event);
	apply_requests(&c->input, row);
	err = fill_from_rows(c, row, of, position);
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
	struct comparison_row *row = new_row(c, request->name, of->place->label, of->event->cgroup);
	int err;

	if (!row)
		return -ENOMEM;
	row->unit = "";
	row->decimals = 3;
	row->minimum_effect = EFFECT_OF_MACHINE;
	row->better = better_of_metric(request->name);
	apply_requests(&c->input, row);
	err = fill_from_metric(c, row, of, position, request->unit);
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
			if (metric_of_row(&result->rows[i], requests->v[j].unit) &&
			    (side == 0 || !has_row(c, requests->v[j].name, &result->rows[i])))
				err = add_metric(c, &result->rows[i], i, &requests->v[j]);
	return err;
}

static int add_own(struct comparison *c, size_t i)
{
	struct comparison_row *row;
	int err = 0;

	if (has_tool(&c->results[0], own_rows[i].tool))
		return 0;
	row = new_row(c, own_rows[i].name, "", NULL);
	if (!row)
		return -ENOMEM;
	row->unit = own_rows[i].unit;
	row->decimals = own_rows[i].decimals;
	row->minimum_effect = EFFECT_OF_MACHINE;
	apply_requests(&c->input, row);
	for (size_t side = 0; err == 0 && side < c->input.sides_n; side++)
		err = fill_from_tool(c, row, side, own_rows[i].tool, own_rows[i].factor);
	return err < 0 ? err : comparison_row_finish(row, &c->input);
}

static int build_result(struct comparison *c)
{
	int err = 0;

	c->results = calloc(c->input.sides_n, sizeof(*c->results));
	for (size_t i = 0; c->results && err == 0 && i < c->input.sides_n; i++)
		err = result_build(&c->results[i], c->input.sides[i].series, NULL);
	return c->results ? err : -ENOMEM;
}

/* The maximum number of rows. */
static size_t count_rows(const struct comparison *c)
{
	size_t n = OWN_ROWS_N;

	for (size_t i = 0; i < c->input.sides_n; i++) {
		const struct metric_request_list *metrics = c->results[i].series->metrics;

		n += c->results[i].rows_n * (1 + (metrics ? metrics->n : 0));
	}
	return n;
}

/* The rows of the reference come first, in the order of its result. */
static int build_rows(struct comparison *c)
{
	int err = 0;

	c->rows = calloc(count_rows(c), sizeof(*c->rows));
	if (!c->rows)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = add_events(c, i);
	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++)
		err = add_metrics(c, i);
	for (size_t i = 0; err == 0 && i < OWN_ROWS_N; i++)
		err = add_own(c, i);
	return err;
}

int comparison_build(struct comparison *c, const struct comparison_input *input, struct why *why)
{
	int err;

	*c = (struct comparison){ .input = *input };
	err = build_result(c);
	if (err == 0)
		err = build_rows(c);
	return err < 0 ? err : comparison_judge(c, why);
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
	*c = (struct comparison){ 0 };
}
