/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "stats/permutation.h"
#include "stats/random.h"
#include "stats/summary.h"

/* Sums of the same numbers in another order differ by at most this share of their absolute sum. */
#define ROUNDING 1e-12

enum {
	FINER = 16, /* the level divided by the smallest p of random draws */
	PARCELS = 256, /* partial sums, each with one sign; a multiple of 64 */
	ORDERS_MIN = 128, /* the minimum number of orders of large samples */
	MOVED_MAX = 1 << 22, /* above ORDERS_MIN orders, the maximum number of moved values */
};

/* The observed difference. A way whose difference reaches it is a hit. */
struct goal {
	enum permutation_tail tail;
	double limit;
};

static double permutation_extent(double difference, enum permutation_tail tail)
{
	if (tail == PERMUTATION_BOTH)
		return fabs(difference);
	return tail == PERMUTATION_ABOVE ? difference : -difference;
}

/* total: the sum of all absolute values. */
static struct goal permutation_goal_of(double seen, double total, enum permutation_tail tail)
{
	return (struct goal){ tail, permutation_extent(seen, tail) - ROUNDING * total };
}

static bool permutation_is_hit(const struct goal *goal, double difference)
{
	return permutation_extent(difference, goal->tail) >= goal->limit;
}

/* The number of ways to draw, including the observed one: a power of 2. */
static size_t permutation_ways_for(double level)
{
	size_t ways = PERMUTATION_WAYS;

	while (ways < PERMUTATION_WAYS_MAX && (double)ways * level < FINER && level > 0)
		ways *= 2;
	return ways;
}

/* Parcels with all signs: table i has the sums of four parcels for the 16 combinations of signs. */
struct signs {
	double table[PARCELS / 4][16];
	size_t words; /* how many random numbers, of 64 signs each, are needed */
};

static double permutation_draw_signs(const struct signs *signs, struct random *r)
{
	double sum = 0;

	for (size_t word = 0; word < signs->words; word++) {
		uint64_t bits = random_next(r);
		double part = 0;

		for (size_t i = 16 * word; i < 16 * word + 16; i++, bits >>= 4)
			part += signs->table[i][bits & 15];
		sum += part;
	}
	return sum;
}

/*
 * The number of hits among draws random combinations of the signs of n parcels. middle: the sum
 * without the parcels.
 */
static size_t permutation_count_drawn_signs(const struct goal *goal, const double parcels[PARCELS],
					    size_t n, double middle, size_t draws, struct random *r)
{
	struct signs signs = { .words = (n + 63) / 64 };
	size_t hits = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t bits = 0; bits < 16; bits++)
			signs.table[i / 4][bits] += bits >> i % 4 & 1 ? -parcels[i] : parcels[i];
	for (size_t i = 0; i < draws; i++)
		hits += permutation_is_hit(goal, middle + permutation_draw_signs(&signs, r));
	return hits;
}

/* ---- Pairs. */

/* The number of hits among all signs of the first n differences. sum: the sum of the others. */
static size_t permutation_count_signs(const struct goal *goal, const double *d, size_t n,
				      double sum)
{
	if (n == 0)
		return permutation_is_hit(goal, sum);
	return permutation_count_signs(goal, d, n - 1, sum + d[n - 1]) +
	       permutation_count_signs(goal, d, n - 1, sum - d[n - 1]);
}

/*
 * If each difference is a separate parcel, one order is enough. Otherwise, each order after the
 * observed one gives each difference a random sign, and then sums up the parcels.
 */
static double permutation_p_of_drawn_signs(const struct goal *goal, const double *d, size_t n,
					   const struct permutation_test *test)
{
	struct random r = random_of_seed(test->seed);
	size_t ways = permutation_ways_for(test->level), hits = 1; /* the observed way */
	size_t orders = n <= PARCELS ? 1 : ORDERS_MIN;

	for (size_t order = 0; order < orders; order++) {
		double parcels[PARCELS] = { 0 };

		for (size_t i = 0; i < n; i++) {
			bool minus = order > 0 && random_next(&r) >> 63;

			parcels[i % PARCELS] += minus ? -d[i] : d[i];
		}
		hits += permutation_count_drawn_signs(goal, parcels, n < PARCELS ? n : PARCELS, 0,
						      ways / orders - (order == 0), &r);
	}
	return (double)hits / (double)ways;
}

struct permutation permutation_paired(const double *differences, size_t n,
				      const struct permutation_test *test)
{
	double sum = 0, total = 0, ways;
	struct goal goal;

	for (size_t i = 0; i < n; i++) {
		sum += differences[i];
		total += fabs(differences[i]);
	}
	if (!(total > 0)) /* all ways are the same */
		return (struct permutation){ 1, true };
	goal = permutation_goal_of(sum, total, test->tail);
	ways = n < 64 ? (double)((uint64_t)1 << n) : INFINITY;
	if (ways > PERMUTATION_EXACT_MAX)
		return (struct permutation){
			permutation_p_of_drawn_signs(&goal, differences, n, test), false
		};
	return (struct permutation){
		(double)permutation_count_signs(&goal, differences, n, 0) / ways, true
	};
}

/* ---- Unpaired samples. */

/*
 * The values of both sides: first those of the first side, which is not larger than the other one.
 */
struct split {
	struct goal goal;
	double *v; /* scratch */
	size_t n, first_n;
	double expected; /* the first side's sum, if the sides have the same mean */
};

/* C(n, k), or more than limit. */
static double permutation_ways_to_choose(size_t n, size_t k, double limit)
{
	double ways = 1;

	for (size_t i = 1; i <= k && ways <= limit; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}

/*
 * The number of hits among all ways to choose k of the first n values. sum: the sum of the values
 * that are chosen already.
 */
static size_t permutation_count_splits(const struct split *s, size_t n, size_t k, double sum)
{
	size_t hits;

	if (k == 0)
		return permutation_is_hit(&s->goal, s->expected - sum);
	hits = permutation_count_splits(s, n - 1, k - 1, sum + s->v[n - 1]);
	return n == k ? hits : hits + permutation_count_splits(s, n - 1, k, sum);
}

/* Move random values to the first n places, in a random order. */
static void permutation_draw_order(const struct split *s, size_t n, struct random *r)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = i + random_below(r, s->n - i);
		double drawn = s->v[j];

		s->v[j] = s->v[i];
		s->v[i] = drawn;
	}
}

static bool permutation_is_order_hit(const struct split *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->first_n; i++)
		sum += s->v[i];
	return permutation_is_hit(&s->goal, s->expected - sum);
}

/*
 * Value i of the first side may be swapped with value first_n + i of the other side. The pairs of a
 * parcel are swapped together.
 */
static size_t permutation_count_drawn_swaps(const struct split *s, size_t draws, struct random *r)
{
	double parcels[PARCELS] = { 0 }, middle = s->expected;

	for (size_t i = 0; i < s->first_n; i++) {
		double one = s->v[i], other = s->v[s->first_n + i];

		middle -= (one + other) / 2;
		parcels[i % PARCELS] += (other - one) / 2;
	}
	return permutation_count_drawn_signs(
		&s->goal, parcels, s->first_n < PARCELS ? s->first_n : PARCELS, middle, draws, r);
}

/* One draw from each order, or several draws by swaps if so many orders would take too long. */
static double permutation_p_of_drawn_splits(const struct split *s,
					    const struct permutation_test *test)
{
	struct random r = random_of_seed(test->seed);
	size_t ways = permutation_ways_for(test->level), hits = 1; /* the observed way */
	size_t orders = ways;

	while (orders > ORDERS_MIN && orders * s->first_n > MOVED_MAX)
		orders /= 2;
	for (size_t order = 1; orders == ways && order < orders; order++) {
		permutation_draw_order(s, s->first_n, &r);
		hits += permutation_is_order_hit(s);
	}
	for (size_t order = 0; orders < ways && order < orders; order++) {
		if (order > 0)
			permutation_draw_order(s, 2 * s->first_n, &r);
		hits += permutation_count_drawn_swaps(s, ways / orders - (order == 0), &r);
	}
	return (double)hits / (double)ways;
}

struct permutation permutation_unpaired(const double *a, size_t a_n, const double *b, size_t b_n,
					const struct permutation_test *test, double *scratch)
{
	size_t n = a_n + b_n;
	struct split s = { .v = scratch, .n = n, .first_n = a_n };
	double sum = 0, all = 0, total = 0, ways;

	if (a_n > b_n) { /* test the sides the other way round */
		struct permutation_test reversed = *test;

		if (test->tail != PERMUTATION_BOTH)
			reversed.tail = test->tail == PERMUTATION_ABOVE ? PERMUTATION_BELOW :
									  PERMUTATION_ABOVE;
		return permutation_unpaired(b, b_n, a, a_n, &reversed, scratch);
	}
	for (size_t i = 0; i < n; i++) {
		scratch[i] = i < a_n ? a[i] : b[i - a_n];
		all += scratch[i];
		total += fabs(scratch[i]);
		sum += i < a_n ? scratch[i] : 0;
	}
	if (a_n == 0 || summary_is_constant(scratch, n)) /* all ways are the same */
		return (struct permutation){ 1, true };
	s.expected = all * (double)a_n / (double)n;
	s.goal = permutation_goal_of(s.expected - sum, total, test->tail);
	ways = permutation_ways_to_choose(n, a_n, PERMUTATION_EXACT_MAX);
	if (n < 64 && ways <= PERMUTATION_EXACT_MAX)
		return (struct permutation){ (double)permutation_count_splits(&s, n, a_n, 0) / ways,
					     true };
	return (struct permutation){ permutation_p_of_drawn_splits(&s, test), false };
}

/* ---- Floors. */

double permutation_paired_floor(size_t n, enum permutation_tail tail)
{
	double p = tail == PERMUTATION_BOTH ? 1 : 0.5;

	if (n < 2)
		return 1;
	for (; n > 1 && p > 1e-300; n--)
		p /= 2;
	return p;
}

double permutation_unpaired_floor(size_t a_n, size_t b_n, enum permutation_tail tail)
{
	double ways;

	if (a_n == 0 || b_n == 0)
		return 1;
	ways = permutation_ways_to_choose(a_n + b_n, a_n, 1e300);
	return (a_n == b_n && tail == PERMUTATION_BOTH ? 2 : 1) / ways;
}
