/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A t test that stays valid if it is repeated after each round and decides when to stop: the
 * probability that it ever rejects a true hypothesis is at most its level. A test for
 * a planned number of rounds would reject with a probability of 30 % within 100 looks. The price
 * is a wider interval: about 1.6 times as wide with 20 to 100 rounds, and 1.8 times with 10.
 *
 * It is a mixture of likelihood ratios over the effects that a normal prior expects, whose variance
 * is 1 / SEQUENTIAL_G of that of a round (Wang and Ramdas 2023, arXiv 2310.03722; Lindon and others
 * 2022, arXiv 2210.08589). Values are the differences of pairs, one for each round.
 */
#ifndef PSTAT_STATS_SEQUENTIAL_H
#define PSTAT_STATS_SEQUENTIAL_H

#include <stddef.h>

#include "stats/rmath.h"

/*
 * The test is tuned to effects of 0.7 standard deviations (SD). Compared with a test that is tuned
 * to 0.5 SD, it ends earlier for effects above 0.6 SD: at 3 SD after 7 rounds instead of 8. For
 * smaller effects, it ends at most 7 % later.
 */
#define SEQUENTIAL_G 2

/*
 * The two-sided p of the hypothesis that the mean is 0, between 0 and 1. t: the mean divided by its
 * standard error. n: the rounds; p is 1 for fewer than two.
 */
double sequential_p(const struct math *math, double t, size_t n);

/*
 * The quantile of an interval: half its width in standard errors. The probability that the interval
 * of any round excludes the true mean is at most alpha. INFINITY: there are too few rounds.
 */
double sequential_t(const struct math *math, double alpha, size_t n);

/* The smallest p that n rounds can have. */
double sequential_floor(const struct math *math, size_t n);

/* The fewest rounds whose p can be at most level; no more than SEQUENTIAL_RUNS_MAX. */
size_t sequential_runs_min(const struct math *math, double level);
enum { SEQUENTIAL_RUNS_MAX = 1000 };

#endif
