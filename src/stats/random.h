/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that a seed reproduces: xoshiro256** 1.0, seeded by SplitMix64 (Blackman and Vigna
 * 2021, ACM Transactions on Mathematical Software 47(4)). Not for secrets.
 */
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

/* 0 … n - 1 with equal probability. n: at least 1. */
uint64_t random_below(struct random *r, uint64_t n);

/* Shuffle the n indices at v; all orders have the same probability (Fisher and Yates). */
void random_shuffle(struct random *r, size_t *v, size_t n);

#endif
