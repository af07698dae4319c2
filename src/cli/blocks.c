/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "cli/blocks.h"

int blocks_init(struct blocks *b, enum block_order order, size_t sides_n, uint64_t seed)
{
	*b = (struct blocks){ .order = order,
			      .random = random_of_seed(seed),
			      .turns = calloc(sides_n + 1, sizeof(*b->turns)),
			      .sides_n = sides_n };
	return b->turns ? 0 : -ENOMEM;
}

const size_t *blocks_next(struct blocks *b)
{
	size_t n = b->sides_n;

	for (size_t i = 0; i < n; i++)
		b->turns[i] = b->order == ORDER_ALTERNATE && b->n % 2 ? n - 1 - i : i;
	if (b->order == ORDER_RANDOM)
		random_shuffle(&b->random, b->turns, n);
	b->n++;
	return b->turns;
}

void blocks_release(struct blocks *b)
{
	free(b->turns);
	*b = (struct blocks){ 0 };
}
