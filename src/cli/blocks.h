/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose turn it is: blocks that hold every side once, so that what changes on the machine meanwhile meets
 * all sides alike.
 */
#ifndef PSTAT_CLI_BLOCKS_H
#define PSTAT_CLI_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/comparing.h"
#include "stats/random.h"

struct blocks {
	enum block_order order;
	struct random random;
	size_t *turns; /* owned: the sides in the order of the block at hand */
	size_t sides_n;
	size_t n; /* how many blocks there were */
};

/* Before the first block. With ORDER_SEQUENTIAL each block is in the order of the sides. 0 or -ENOMEM. */
int blocks_init(struct blocks *b, enum block_order order, size_t sides_n, uint64_t seed);

/* The sides_n turns of the next block; valid until the next call. The same seed gives the same blocks. */
const size_t *blocks_next(struct blocks *b);

void blocks_release(struct blocks *b);

#endif
