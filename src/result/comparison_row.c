/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "result/comparison_row.h"

/* The capacity is the next power of 2. */
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

/* Interpolated between the two nearest values (R's type 7). */
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

const struct metric *comparison_row_metric(const struct result_row *row, const char *unit)
{
	for (size_t i = 0; row && i < row->metrics.n; i++)
		if (strcmp(row->metrics.v[i].unit, unit) == 0)
			return &row->metrics.v[i];
	return NULL;
}

enum better comparison_row_metric_better(const char *name)
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
