/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mean of several values, their spread and their median. */
#ifndef PSTAT_STATS_SUMMARY_H
#define PSTAT_STATS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: there are no values. */
struct summary {
	size_t n;
	long double mean;
	long double squares; /* sum of the squared deviations from the mean */
	long double min, max;
	long double median; /* only summary_of() sets it */
};

/* The summary of n values. Sorts them. */
struct summary summary_of(long double *values, size_t n);

/* The quantile of n sorted values, at least one, that is above this share of them (R's type 7). */
double summary_quantile(const long double *sorted, size_t n, double share);

/* The summary of the same values multiplied by factor, which is above 0. */
struct summary summary_times(const struct summary *s, double factor);

/* Add a value (Welford 1962, Technometrics 4(3): one pass, no cancellation). */
void summary_add(struct summary *s, long double value);

/* The sample standard deviation (divisor n - 1), in the unit of the values; 0 below two values. */
double summary_stddev(const struct summary *s);

/* The standard error of the mean, stddev / √n; 0 below two values. */
double summary_stderr(const struct summary *s);

/* The standard error in percent of the mean, like perf's "+-"; 0 for a mean of 0. */
double summary_stderr_percent(const struct summary *s);

/* Whether all n values are equal. */
bool summary_is_constant(const double *v, size_t n);

#endif
