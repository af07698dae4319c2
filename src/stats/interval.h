/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence intervals of means and of estimates. */
#ifndef PSTAT_STATS_INTERVAL_H
#define PSTAT_STATS_INTERVAL_H

#include "stats/rmath.h"
#include "stats/summary.h"

/* The confidence of all intervals, except those of a comparison with --confidence. */
#define INTERVAL_CONFIDENCE 0.95

/* Half the width of a 95 % interval of normally distributed errors, in standard errors. */
#define INTERVAL_NORMAL 1.959963984540054

/*
 * Half the width of an interval in standard errors: a quantile of Student's t distribution.
 * confidence: between 0 and 1. df: the degrees of freedom, above 0; INFINITY: the normal
 * distribution.
 *
 * math: NULL if confidence is INTERVAL_CONFIDENCE, and no library should be loaded. From 3.5
 * degrees of freedom on, the result is then accurate to 0.06 %. Below, df is rounded to 1, 2 or 3,
 * for which it is accurate to 0.0002 %.
 */
double interval_t(const struct math *math, double confidence, double df);

/*
 * Half the width of the interval around the mean of these values; 0: there is none. error: half the
 * width of the 95 % interval that the errors of multiplexed counts alone cause; 0 or NAN: these
 * errors are part of the spread of the values, or unknown. Returns the larger of the two
 * half-widths. math: see interval_t().
 */
double interval_half(const struct math *math, double confidence, const struct summary *values,
		     double error);

#endif
