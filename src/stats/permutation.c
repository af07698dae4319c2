/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "stats/permutation.h"
#include "stats/random.h"

/* Sums of the same numbers in another order differ by this share of all of them, at most. */
#define ROUNDING 1e-12

enum {
	SUMS_MAX = 1 << (PERMUTATION_SIGNS_MAX / 2), /* of half of the values */
	TOGETHER = 1 << 12, /* members of a group: a power of 4 */
};

/* As large as what was seen, but for rounding. */
static double threshold(double seen, double total)
{
	return fabs(seen) - ROUNDING * total;
}

/* The sums of n values with all combinations of signs, in ascending order, into sums: 2^n of them. Each
 * value makes of the sums so far two ordered rows, which are merged from their ends on. */
static void fill_sums(double *sums, const double *d, size_t n)
{
	sums[0] = 0;
	for (size_t value = 0; value < n; value++) {
		size_t sums_n = (size_t)1 << value, less = sums_n, more = sums_n;
		double step = fabs(d[value]);

		while (less + more > 0) {
			size_t to = less + more - 1;

			if (less == 0 ||
			    (more > 0 && sums[more - 1] + step > sums[less - 1] - step))
				sums[to] = sums[--more] + step;
			else
				sums[to] = sums[--less] - step;
		}
	}
}

/*
 * All 2^n combinations of signs without trying each: those of either half of the values are put in order,
 * and of each sum of the one half, those of the other that make the whole large enough are counted from
 * where the count for the sum before ended (Horowitz and Sahni 1974, Journal of the ACM 21(2)). What is
 * as large on the other side of 0 are the same combinations with all signs changed.
 */
static double share_of_signs(const double *d, size_t n, double limit)
{
	double one[SUMS_MAX], other[SUMS_MAX];
	size_t half = n / 2, one_n = (size_t)1 << half, other_n = (size_t)1 << (n - half);
	size_t from = other_n; /* of other: what is large enough, at the end */
	uint64_t as_large = 0;

	if (limit <= 0)
		return 1;
	fill_sums(one, d, half);
	fill_sums(other, d + half, n - half);
	for (size_t i = 0; i < one_n; i++) {
		while (from > 0 && one[i] + other[from - 1] >= limit)
			from--;
		as_large += other_n - from;
	}
	return 2 * (double)as_large / ((double)one_n * (double)other_n);
}

/* Two stages of the transform below at once, which take half of the way through memory. */
static void transform_four(double *v, size_t width)
{
	double sum = v[0] + v[width], other_sum = v[2 * width] + v[3 * width];
	double difference = v[0] - v[width], other_difference = v[2 * width] - v[3 * width];

	v[0] = sum + other_sum;
	v[width] = difference + other_difference;
	v[2 * width] = sum - other_sum;
	v[3 * width] = difference - other_difference;
}

/* In the place of n values, a power of 4, the sums of all of them with the signs of each row of Hadamard's
 * matrix of order n (the fast Walsh transform): value i of row k is subtracted where i and k have an odd
 * number of bits in common. */
static void transform(double *v, size_t n)
{
	for (size_t width = 1; width < n; width *= 4)
		for (size_t first = 0; first < n; first += 4 * width)
			for (size_t i = first; i < first + width; i++)
				transform_four(v + i, width);
}

/*
 * A group of sign changes by chance: each of the values has a random column of bits, and changes its sign
 * where column and number of the member have an odd number of bits in common. Values of one column have
 * their signs in common, so that what is transformed are the sums of columns: for each of the members' upper
 * bits, of which the signs are known before, as many members as have room in the innermost cache.
 */
static double share_of_sign_group(const double *d, size_t n, double limit, uint64_t seed)
{
	size_t as_large = 0;

	for (size_t upper = 0; upper < PERMUTATION_GROUP / TOGETHER; upper++) {
		struct random r = random_of_seed(seed);
		double sums[TOGETHER] = { 0 };

		for (size_t i = 0; i < n; i++) {
			uint64_t column = random_next(&r) % PERMUTATION_GROUP;
			bool minus = __builtin_parityll(column / TOGETHER & upper);

			sums[column % TOGETHER] += minus ? -d[i] : d[i];
		}
		transform(sums, TOGETHER);
		for (size_t i = 0; i < TOGETHER; i++)
			as_large += fabs(sums[i]) >= limit;
	}
	return (double)as_large / PERMUTATION_GROUP;
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
		return (struct permutation){ share_of_signs(differences, n, threshold(sum, total)),
					     true };
	return (struct permutation){
		share_of_sign_group(differences, n, threshold(sum, total), seed), false
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
