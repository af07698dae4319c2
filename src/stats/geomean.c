/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "base/math.h"
#include "stats/geomean.h"
#include "stats/interval.h"
#include "stats/sequential.h"

struct log_ratio geomean_of(const struct log_ratio *ratios, size_t n)
{
	struct log_ratio mean = { .known = n > 0, .df = INFINITY };
	double square = 0, below = 0;

	for (size_t i = 0; i < n; i++) {
		const double variance = ratios[i].error * ratios[i].error;

		mean.known &= ratios[i].known;
		mean.value += ratios[i].value / (double)n;
		square += variance;
		if (variance > 0)
			below += variance * variance / ratios[i].df;
	}
	mean.error = sqrt(square) / (double)n;
	if (below > 0)
		mean.df = square * square / below;
	return mean;
}

/* As in a contrast, the errors of multiplexed counts, which have infinite degrees of freedom, are
 * normally distributed at any time. */
static bool geomean_is_sequential(const struct log_ratio *mean, bool any_time)
{
	return any_time && isfinite(mean->df);
}

/* The number of rounds of one case with as many degrees of freedom. From 1e9 on, the test hardly
 * changes. */
static size_t geomean_rounds_of(const struct log_ratio *mean)
{
	return (size_t)math_smaller(mean->df, 1e9) + 1;
}

struct estimate geomean_interval(const struct log_ratio *mean, double confidence, bool any_time,
				 const struct math *math)
{
	struct estimate ratio = { .withheld = !mean->known };
	double half = 0;

	if (!mean->known)
		return ratio;
	ratio.value = ratio.low = ratio.high = math->exp(mean->value);
	if (mean->error > 0)
		half = mean->error *
		       (geomean_is_sequential(mean, any_time) ?
				sequential_t(math, 1 - confidence, geomean_rounds_of(mean)) :
				interval_t(math, confidence, mean->df));
	if (half <= 0 || !isfinite(half))
		return ratio;
	ratio.low = math->exp(mean->value - half);
	ratio.high = math->exp(mean->value + half);
	ratio.method = geomean_is_sequential(mean, any_time) ? ESTIMATE_ANY_TIME : ESTIMATE_WELCH;
	return ratio;
}

double geomean_p_beyond(const struct log_ratio *mean, const struct contrast_limit *limit,
			bool any_time, const struct math *math)
{
	const double distance = mean->value - math->log(1 + limit->value);
	double p;

	if (!mean->known)
		return 1;
	if (mean->error <= 0)
		return (limit->above ? distance : -distance) > CONTRAST_LOG_ROUNDING ? 0 : 1;
	p = math->pt(distance / mean->error, mean->df, !limit->above, 0);
	if (geomean_is_sequential(mean, any_time))
		p = math_larger(
			p, sequential_p(math, distance / mean->error, geomean_rounds_of(mean)) / 2);
	return p;
}
