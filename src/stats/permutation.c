/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "stats/permutation.h"
#include "stats/random.h"

/* Sums of the same numbers in another order differ by this share of all of them, at most. */
#define ROUNDING 1e-12

/* As large as what was seen, but for rounding. */
static double threshold(double seen, double total)
{
	return fabs(seen) - ROUNDING * total;
}

/* Of two opposite ways the one or the other: half of the combinations are all. In Gray's order, in
 * which one sign changes at a time. */
static double share_of_signs(const double *d, size_t n, double sum, double total)
{
	double limit = threshold(sum, total);
	uint64_t ways = (uint64_t)1 << (n - 1), as_large = 0;
	uint64_t minus = 0;

	for (uint64_t i = 1; i <= ways; i++) {
		int changed = __builtin_ctzll(i);

		as_large += fabs(sum) >= limit;
		if (i == ways)
			break;
		minus ^= (uint64_t)1 << changed;
		sum += (minus >> changed & 1 ? -2 : 2) * d[changed];
	}
	return (double)as_large / (double)ways;
}

/*
 * The sums of some differences with the signs of a random number's bits, a minus where one is set: eight
 * values at a time by a table of all their combinations, as many as fit one number together.
 */
enum {
	TABLE_VALUES = 8,
	TABLE_SIZE = 1 << TABLE_VALUES,
	WORD_VALUES = 64,
	WORD_TABLES = WORD_VALUES / TABLE_VALUES,
	WORDS_MAX = 8, /* what does not fit is added value by value */
};

struct sign_tables {
	double sums[WORD_TABLES][TABLE_SIZE];
};

/* Values beyond n count 0. */
static void fill_tables(struct sign_tables *tables, const double *d, size_t n)
{
	for (size_t table = 0; table < WORD_TABLES; table++) {
		double *sums = tables->sums[table];
		size_t first = table * TABLE_VALUES;

		sums[0] = 0;
		for (size_t i = first; i < first + TABLE_VALUES && i < n; i++)
			sums[0] += d[i];
		for (size_t bits = 1; bits < TABLE_SIZE; bits++) {
			size_t i = first + (size_t)__builtin_ctzll(bits);

			sums[bits] = sums[bits & (bits - 1)] - (i < n ? 2 * d[i] : 0);
		}
	}
}

static double sum_by_tables(const struct sign_tables *tables, uint64_t bits)
{
	double sum = 0;

	for (size_t table = 0; table < WORD_TABLES; table++, bits >>= TABLE_VALUES)
		sum += tables->sums[table][bits % TABLE_SIZE];
	return sum;
}

static double sum_one_by_one(const double *d, size_t n, uint64_t bits)
{
	double sum = 0;

	for (size_t i = 0; i < n && i < WORD_VALUES; i++, bits >>= 1)
		sum += bits & 1 ? -d[i] : d[i];
	return sum;
}

static double share_of_random_signs(const double *d, size_t n, double limit, uint64_t seed)
{
	struct random r = random_of_seed(seed);
	struct sign_tables tables[WORDS_MAX];
	size_t words = (n + WORD_VALUES - 1) / WORD_VALUES;
	size_t as_large = 1; /* what was seen is one of the ways */

	for (size_t i = 0; i < words && i < WORDS_MAX; i++)
		fill_tables(&tables[i], d + i * WORD_VALUES, n - i * WORD_VALUES);
	for (size_t draw = 0; draw < PERMUTATION_DRAWS; draw++) {
		double sum = 0;

		for (size_t i = 0; i < words; i++)
			sum += i < WORDS_MAX ? sum_by_tables(&tables[i], random_next(&r)) :
					       sum_one_by_one(d + i * WORD_VALUES,
							      n - i * WORD_VALUES, random_next(&r));
		as_large += fabs(sum) >= limit;
	}
	return (double)as_large / (PERMUTATION_DRAWS + 1);
}

struct permutation permutation_paired(const double *differences, size_t n, uint64_t seed)
{
	double sum = 0, total = 0;

	for (size_t i = 0; i < n; i++) {
		sum += differences[i];
		total += fabs(differences[i]);
	}
	if (!(total > 0)) /* all ways are the same */
		return (struct permutation){ 1, true };
	if (n <= PERMUTATION_SIGNS_MAX)
		return (struct permutation){ share_of_signs(differences, n, sum, total), true };
	return (struct permutation){
		share_of_random_signs(differences, n, threshold(sum, total), seed), false
	};
}

/* C(n, k), or more than limit. */
static double ways_to_choose(size_t n, size_t k, double limit)
{
	double ways = 1;

	for (size_t i = 1; i <= k && ways <= limit; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}

/* What a split is judged by: how far the first side's sum is from its share of all values. */
struct split {
	const double *v;
	size_t n, first_n;
	double expected, limit;
};

static bool is_as_large(const struct split *s, double sum)
{
	return fabs(sum - s->expected) >= s->limit;
}

/* The next choice of first_n of n in order; whether there is one. chosen: a bit for each, n ≤ 64. */
static bool next_choice(uint64_t *chosen, size_t n)
{
	uint64_t lowest = *chosen & -*chosen, ripple = *chosen + lowest;

	if (ripple == 0)
		return false;
	*chosen = ripple | ((*chosen ^ ripple) >> 2) / lowest;
	return n >= 64 || *chosen >> n == 0;
}

static double share_of_splits(const struct split *s)
{
	uint64_t chosen = ((uint64_t)1 << s->first_n) - 1;
	size_t ways = 0, as_large = 0;

	do {
		double sum = 0;

		for (uint64_t rest = chosen; rest; rest &= rest - 1)
			sum += s->v[__builtin_ctzll(rest)];
		as_large += is_as_large(s, sum);
		ways++;
	} while (next_choice(&chosen, s->n));
	return (double)as_large / (double)ways;
}

/* Shuffles v as far as needed. */
static double share_of_random_splits(const struct split *s, double *v, uint64_t seed)
{
	struct random r = random_of_seed(seed);
	size_t as_large = 1;

	for (size_t draw = 0; draw < PERMUTATION_DRAWS; draw++) {
		double sum = 0;

		for (size_t i = 0; i < s->first_n; i++) {
			size_t j = i + random_below(&r, s->n - i);
			double taken = v[j];

			v[j] = v[i];
			v[i] = taken;
			sum += taken;
		}
		as_large += is_as_large(s, sum);
	}
	return (double)as_large / (PERMUTATION_DRAWS + 1);
}

struct permutation permutation_unpaired(const double *a, size_t a_n, const double *b, size_t b_n,
					uint64_t seed, double *scratch)
{
	size_t n = a_n + b_n;
	struct split s = { .v = scratch, .n = n, .first_n = a_n };
	double sum = 0, all = 0, total = 0;

	if (a_n == 0 || b_n == 0)
		return (struct permutation){ 1, true };
	for (size_t i = 0; i < n; i++) {
		scratch[i] = i < a_n ? a[i] : b[i - a_n];
		all += scratch[i];
		total += fabs(scratch[i]);
		if (i < a_n)
			sum += scratch[i];
	}
	s.expected = all * (double)a_n / (double)n;
	s.limit = threshold(sum - s.expected, total);
	if (n < 64 && ways_to_choose(n, a_n, PERMUTATION_SPLITS_MAX) <= PERMUTATION_SPLITS_MAX)
		return (struct permutation){ share_of_splits(&s), true };
	return (struct permutation){ share_of_random_splits(&s, scratch, seed), false };
}

double permutation_paired_floor(size_t n)
{
	double p = 1;

	for (; n > 1 && p > 1e-300; n--)
		p /= 2;
	return p;
}

double permutation_unpaired_floor(size_t a_n, size_t b_n)
{
	double ways;

	if (a_n == 0 || b_n == 0)
		return 1;
	ways = ways_to_choose(a_n + b_n, a_n, 1e300);
	return ways < 2 ? 1 : (a_n == b_n ? 2 : 1) / ways;
}
