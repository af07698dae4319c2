/* SPDX-License-Identifier: GPL-2.0-or-later */

#include "stats/noise.h"
#include "stats/summary.h"

double noise_limit(const long double *sorted, size_t n)
{
	double first = summary_quantile(sorted, n, 0.25);
	double third = summary_quantile(sorted, n, 0.75);
	double limit = third + 3 * (third - first);

	return limit > NOISE_LIMIT_MIN ? limit : NOISE_LIMIT_MIN;
}
