/* SPDX-License-Identifier: GPL-2.0-or-later */

#include "stats/noise.h"
#include "stats/summary.h"

double noise_limit(long double *changes, size_t n)
{
	double first, third, limit;

	summary_of(changes, n); /* sorts */
	first = summary_quantile(changes, n, 0.25);
	third = summary_quantile(changes, n, 0.75);
	limit = third + 3 * (third - first);
	return limit > NOISE_LIMIT_MIN ? limit : NOISE_LIMIT_MIN;
}
