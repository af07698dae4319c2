/* SPDX-License-Identifier: GPL-2.0-or-later */

#include "stats/noise.h"
#include "stats/summary.h"

double noise_limit_of_sorted(const long double *changes, size_t n)
{
	double first = summary_quantile(changes, n, 0.25);
	double third = summary_quantile(changes, n, 0.75);
	double limit = third + 3 * (third - first);

	return limit > NOISE_LIMIT_MIN ? limit : NOISE_LIMIT_MIN;
}

double noise_limit(long double *changes, size_t n)
{
	summary_of(changes, n); /* sorts */
	return noise_limit_of_sorted(changes, n);
}
