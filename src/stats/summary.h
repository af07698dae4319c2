/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several values as one: their mean and how far it may be trusted. */
#ifndef PSTAT_STATS_SUMMARY_H
#define PSTAT_STATS_SUMMARY_H

#include <stddef.h>

/* Built by summary_add(); all zero is the summary of no value. */
struct summary {
	size_t n;
	long double mean;
	long double squares; /* sum of the squared deviations from the mean */
};

/* Add a value (Welford 1962, Technometrics 4(3): one pass, no cancellation). */
void summary_add(struct summary *s, long double value);

/* The sample standard deviation, divisor n - 1, of the values' unit; 0 below two values. */
double summary_stddev(const struct summary *s);

/* The standard error of the mean, stddev / √n; 0 below two values. */
double summary_stderr(const struct summary *s);

/* The standard error in percent of the mean, as perf's "+-"; 0 for a mean of 0. */
double summary_stderr_percent(const struct summary *s);

#endif
