/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/interval.h"

#include <math.h>

#include "base/math.h"

double interval_t(const struct math *math, double confidence, double df)
{
	/* Below 3.5 degrees of freedom, interpolate between the quantiles for 1, 1.5, … 3.5: the
	 * result is never too small. Above, use the expansion of Cornish and Fisher (Abramowitz and
	 * Stegun 26.7.5). */
	static const double exact[] = {
		12.706205, 6.016663, 4.302653, 3.574655, 3.182446, 2.940089
	};
	static const double z = INTERVAL_NORMAL;
	const double z2 = z * z;
	double g[4], sum = z, power = 1;

	if (math)
		return math->qt((1 - confidence) / 2, df, 0, 0);
	if (df < 3.5) {
		const double least = math_larger(df, 1);
		const int i = (int)(2 * least) - 2;
		const double low = 1 + i / 2.0, high = low + 0.5;
		const double part = (1 / low - 1 / least) / (1 / low - 1 / high);

		return exact[i] + part * (exact[i + 1] - exact[i]);
	}
	g[0] = z * (z2 + 1) / 4;
	g[1] = z * ((5 * z2 + 16) * z2 + 3) / 96;
	g[2] = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
	g[3] = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
	for (int i = 0; i < 4; i++) {
		power *= df;
		sum += g[i] / power;
	}
	return sum;
}

double interval_half(const struct math *math, double confidence, const struct summary *values,
		     double error)
{
	double of_values = 0, of_estimates = 0;

	if (values->n > 1)
		of_values = summary_stderr(values) *
			    interval_t(math, confidence, (double)values->n - 1);
	if (error > 0)
		of_estimates = error / INTERVAL_NORMAL * interval_t(math, confidence, INFINITY);
	return math_larger(of_values, of_estimates);
}
