/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "stats/summary.h"

void summary_add(struct summary *s, long double value)
{
	long double delta = value - s->mean;

	s->n++;
	s->mean += delta / s->n;
	s->squares += delta * (value - s->mean);
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
