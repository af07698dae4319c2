/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose turn it is: rounds that hold every side once, so that what changes on the machine meanwhile meets
 * all sides alike.
 */
#ifndef PSTAT_CLI_ROUNDS_H
#define PSTAT_CLI_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/compare_options.h"
#include "stats/random.h"

struct rounds {
	enum round_order order;
	struct random random;
	size_t *turns; /* owned: the sides in the order of the round at hand */
	size_t sides_n;
	size_t n; /* how many rounds there were */
};

/* Before the first round. With ORDER_SEQUENTIAL each round is in the order of the sides. 0 or -ENOMEM. */
int rounds_init(struct rounds *b, enum round_order order, size_t sides_n, uint64_t seed);

/* The sides_n turns of the next round; valid until the next call. The same seed gives the same rounds. */
const size_t *rounds_next(struct rounds *b);

void rounds_release(struct rounds *b);

#endif
