/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "stats/scale.h"
#include "stats/summary.h"

void summary_add(struct summary *s, long double value)
{
	long double delta = value - s->mean;

	s->min = s->n == 0 || value < s->min ? value : s->min;
	s->max = s->n == 0 || value > s->max ? value : s->max;
	s->n++;
	s->mean += delta / s->n;
	s->squares += delta * (value - s->mean);
}

static int summary_compare_values(const void *a, const void *b)
{
	const long double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

struct summary summary_of(long double *values, size_t n)
{
	struct summary s = { 0 };

	for (size_t i = 0; i < n; i++)
		summary_add(&s, values[i]);
	if (n == 0)
		return s;
	qsort(values, n, sizeof(*values), summary_compare_values);
	s.median = values[(n - 1) / 2] + (values[n / 2] - values[(n - 1) / 2]) / 2;
	return s;
}

/* Interpolate between the two nearest values. */
double summary_quantile(const long double *sorted, size_t n, double share)
{
	double at = share * (double)(n - 1);
	size_t below = (size_t)at;
	long double value = sorted[below];

	if (below + 1 < n)
		value += (at - (double)below) * (sorted[below + 1] - value);
	return (double)value;
}

struct summary summary_times(const struct summary *s, double factor)
{
	return (struct summary){ .n = s->n,
				 .mean = scale_to_unit(s->mean, factor),
				 .squares = s->squares * factor * factor,
				 .min = scale_to_unit(s->min, factor),
				 .max = scale_to_unit(s->max, factor),
				 .median = scale_to_unit(s->median, factor) };
}

double summary_stddev(const struct summary *s)
{
	return s->n < 2 ? 0 : sqrt((double)(s->squares / (s->n - 1)));
}

double summary_stderr(const struct summary *s)
{
	return s->n < 2 ? 0 : summary_stddev(s) / sqrt((double)s->n);
}

double summary_stderr_percent(const struct summary *s)
{
	return s->mean == 0 ? 0 : fabs(100 * summary_stderr(s) / (double)s->mean);
}

bool summary_is_constant(const double *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i] != v[0])
			return false;
	return true;
}
