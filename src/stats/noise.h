/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much a number changes from one result to the next although nothing happened. */
#ifndef PSTAT_STATS_NOISE_H
#define PSTAT_STATS_NOISE_H

#include <stddef.h>

/* With fewer changes the quartiles say too little. Only the latest changes are used, because
 * the machine and the program change over time. */
enum { NOISE_CHANGES_MIN = 10, NOISE_CHANGES_MAX = 100 };

/* Counts that hardly ever change have quartiles of 0. A smaller change than this never matters. */
#define NOISE_LIMIT_MIN 0.001

/*
 * The limit above which a change is not noise: the third quartile and 3 times the interquartile
 * range of the earlier changes, which is the upper outer fence of Tukey (1977). rustc-perf judges
 * the Rust compiler with the same rule. At least NOISE_LIMIT_MIN.
 *
 * sorted: n > 0 absolute changes as shares, 0.01 for 1 %, the smallest first.
 */
double noise_limit(const long double *sorted, size_t n);

#endif
