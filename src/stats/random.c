/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/random.h"

struct random random_of_seed(uint64_t seed)
{
	struct random r;

	for (size_t i = 0; i < 4; i++) { /* SplitMix64 */
		uint64_t z = seed += 0x9e3779b97f4a7c15;

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
		z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
		r.s[i] = z ^ (z >> 31);
	}
	return r;
}

static uint64_t random_rotate(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

uint64_t random_next(struct random *r)
{
	uint64_t result = random_rotate(r->s[1] * 5, 7) * 9;
	uint64_t t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = random_rotate(r->s[3], 45);
	return result;
}

uint64_t random_below(struct random *r, uint64_t n)
{
	uint64_t x;

	do /* without the lowest 2^64 % n numbers, each remainder is equally frequent */
		x = random_next(r);
	while (x < n && x < (UINT64_MAX - n + 1) % n);
	return x % n;
}

void random_shuffle(struct random *r, size_t *v, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)random_below(r, i);
		size_t swapped = v[i - 1];

		v[i - 1] = v[j];
		v[j] = swapped;
	}
}
