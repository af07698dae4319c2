/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "stats/noise.h"
#include "stats/summary.h"

double noise_limit(long double *changes, size_t n)
{
	double first, third;

	summary_of(changes, n); /* sorts */
	first = summary_quantile(changes, n, 0.25);
	third = summary_quantile(changes, n, 0.75);
	return fmax(third + 3 * (third - first), NOISE_LIMIT_MIN);
}
