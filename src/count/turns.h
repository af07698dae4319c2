/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups that share counters take turns in an order that pstat draws at random. The kernel's own
 * rotation is regular: a program that repeats itself in step with it is always in the same phase
 * when a counter is on, and no estimate can correct that.
 *
 * The groups are divided into sets that the PMU can count at once (count/passes.h). One set is on
 * at a time. In each round, every set has one turn, and the order is drawn anew; the turns differ
 * in length, so that they are not in step with the program either. The turns of a group are thus a
 * stratified random sample of the run.
 */
#ifndef PSTAT_COUNT_TURNS_H
#define PSTAT_COUNT_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/random.h"

/*
 * The average length of a turn. Each run begins with short turns, for the sake of short runs; then
 * they last as long as a fixed part of the time since the start.
 */
#define TURNS_NS UINT64_C(3000000)
#define TURNS_FIRST_NS UINT64_C(1000000)
#define TURNS_PART 16

/* All zero: the kernel rotates the groups, if they have to wait at all. */
struct turns {
	size_t *sets; /* owned: the set of each group, or PASS_ALL: it is always on */
	size_t n; /* sets; at least 2 */
	size_t *order; /* owned: the sets in the order of this round */
	size_t at; /* index in order[] of the set that is on */
	bool ended; /* a turn of this run has ended; the caller sets it */
	struct random random;
};

/* Take turns with n sets. Takes ownership of sets. 0 or -ENOMEM. */
int turns_init(struct turns *t, size_t *sets, size_t n, uint64_t seed);

/* Begin a run. Returns the set that is on first. */
size_t turns_begin(struct turns *t);

/* The set that is on. */
size_t turns_now(const struct turns *t);

/* Begin the next turn. */
void turns_next(struct turns *t);

/* The average length of a turn at this time since the start of the run. */
uint64_t turns_average_ns(uint64_t since_ns);

/* Draw the length of a turn, whose average this is: between 0.6 and 1.4 times as long. */
uint64_t turns_vary_ns(struct turns *t, uint64_t average_ns);

void turns_release(struct turns *t);

#endif
