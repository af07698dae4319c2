/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "count/turns.h"

int turns_init(struct turns *t, size_t *sets, size_t n, uint64_t seed)
{
	*t = (struct turns){ .sets = sets, .n = n, .random = random_of_seed(seed) };
	t->order = calloc(n, sizeof(*t->order));
	if (!t->order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		t->order[i] = i;
	return 0;
}

size_t turns_begin(struct turns *t)
{
	random_shuffle(&t->random, t->order, t->n);
	t->at = 0;
	t->ended = false;
	return turns_now(t);
}

size_t turns_now(const struct turns *t)
{
	return t->order[t->at];
}

void turns_next(struct turns *t)
{
	if (++t->at < t->n)
		return;
	t->at = 0;
	random_shuffle(&t->random, t->order, t->n);
}

uint64_t turns_average_ns(uint64_t since_ns)
{
	const uint64_t part = since_ns / TURNS_PART;

	if (part < TURNS_FIRST_NS)
		return TURNS_FIRST_NS;
	return part < TURNS_NS ? part : TURNS_NS;
}

uint64_t turns_vary_ns(struct turns *t, uint64_t average_ns)
{
	return average_ns / 1000 * (600 + random_below(&t->random, 801));
}

void turns_release(struct turns *t)
{
	free(t->sets);
	free(t->order);
	*t = (struct turns){ 0 };
}
