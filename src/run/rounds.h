/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run all sides in rounds. Each round runs every side once, so that a change of the machine affects
 * all sides alike. With ORDER_SEQUENTIAL, each round has only one side.
 */
#ifndef PSTAT_RUN_ROUNDS_H
#define PSTAT_RUN_ROUNDS_H

#include "run/runner.h"

/* The input of a stopping rule, after each round. */
struct rounds_done {
	const struct side *sides; /* all of them */
	size_t first, n; /* the sides of this round, n from first on */
	size_t rounds_n; /* the number of rounds of these sides, without the warmup */
	uint64_t elapsed_ns; /* the time of these rounds */
};

/* Whether these sides have enough runs. */
typedef bool rounds_rule(const struct rounds_done *done, void *data);

/* All zero is valid for rounds_release(). */
struct rounds {
	enum round_order order;
	struct random random;
	size_t *turns; /* owned: the sides in the order of the current round */
	size_t sides_n;
	size_t n; /* number of rounds so far */
	size_t *sides; /* owned: the side of each run that was kept, in the order of the runs */
	size_t runs_n, runs_size;
};

/* Begin before the first round. The same seed gives the same rounds. 0 or -ENOMEM. */
int rounds_init(struct rounds *rounds, enum round_order order, size_t sides_n, uint64_t seed);

/*
 * The sides_n turns of the next round, valid until the next call. ORDER_SEQUENTIAL gives the sides
 * in their own order.
 */
const size_t *rounds_next(struct rounds *rounds);

/*
 * Run the warmup, then rounds until is_enough returns true. With ORDER_SEQUENTIAL, --setup and
 * --cleanup of a side run before and after its runs; otherwise the caller runs them. False if the
 * series ended early: see runner_run().
 */
bool rounds_run(struct rounds *rounds, struct runner *r, rounds_rule *is_enough, void *data);

void rounds_release(struct rounds *rounds);

#endif
