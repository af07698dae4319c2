/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "cli/rounds.h"

int rounds_init(struct rounds *b, enum round_order order, size_t sides_n, uint64_t seed)
{
	*b = (struct rounds){ .order = order,
			      .random = random_of_seed(seed),
			      .turns = calloc(sides_n + 1, sizeof(*b->turns)),
			      .sides_n = sides_n };
	return b->turns ? 0 : -ENOMEM;
}

const size_t *rounds_next(struct rounds *b)
{
	size_t n = b->sides_n;

	for (size_t i = 0; i < n; i++)
		b->turns[i] = b->order == ORDER_ALTERNATE && b->n % 2 ? n - 1 - i : i;
	if (b->order == ORDER_RANDOM)
		random_shuffle(&b->random, b->turns, n);
	b->n++;
	return b->turns;
}

void rounds_release(struct rounds *b)
{
	free(b->turns);
	*b = (struct rounds){ 0 };
}
