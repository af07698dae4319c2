/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The geometric mean of the ratios of several cases. The cases are given, and their rounds are
 * random: the mean of the logarithms has the variance that its independent terms have together, and
 * the degrees of freedom of Welch (1947, Biometrika 34) and Satterthwaite (1946, Biometrics 2).
 */
#ifndef PSTAT_STATS_GEOMEAN_H
#define PSTAT_STATS_GEOMEAN_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/contrast.h"
#include "stats/rmath.h"

/* The geometric mean of n ratios, at least 1. Unknown if one of them is. */
struct log_ratio geomean_of(const struct log_ratio *ratios, size_t n);

/*
 * The ratio itself with its interval, whose confidence is between 0 and 1. any_time: the values
 * decided when the rounds ended. The sequential test then takes the degrees of freedom for the
 * number of rounds (tests/bench/calibrate). Withheld if the ratio is unknown.
 */
struct estimate geomean_interval(const struct log_ratio *mean, double confidence, bool any_time,
				 const struct math *math);

/* The one-sided p of a ratio beyond the limit, see contrast_p_beyond(). The limit is relative: the
 * ratio - 1. 1 if the ratio is unknown. */
double geomean_p_beyond(const struct log_ratio *mean, const struct contrast_limit *limit,
			bool any_time, const struct math *math);

#endif
