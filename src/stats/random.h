/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that a seed repeats: xoshiro256** 1.0, seeded by SplitMix64 (Blackman and Vigna 2021,
 * ACM Transactions on Mathematical Software 47(4)). Not for secrets. */
#ifndef PSTAT_STATS_RANDOM_H
#define PSTAT_STATS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t s[4];
};

struct random random_of_seed(uint64_t seed);

/* 0 … 2^64 - 1 */
uint64_t random_next(struct random *r);

/* 0 … n - 1, each as likely as the others. n: 1 at least. */
uint64_t random_below(struct random *r, uint64_t n);

/* Put the n indices at v into a random order, each as likely as the others (Fisher and Yates). */
void random_shuffle(struct random *r, size_t *v, size_t n);

#endif
