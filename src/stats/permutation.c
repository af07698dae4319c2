/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "stats/permutation.h"
#include "stats/random.h"
#include "stats/summary.h"

/* Sums of the same numbers in another order differ by this share of all of them, at most. */
#define ROUNDING 1e-12

enum {
	SUMS_MAX = 1 << (PERMUTATION_SIGNS_MAX / 2), /* of half of the values */
	TOGETHER = 1 << 12, /* members of a group: a power of 4 */
	/* Values of the smaller side that are drawn, in all orders together; and where the sides are as many but
	 * for a tenth, so that swaps leave next to no value where it is. */
	DRAWN_MAX = 1 << 24,
	DRAWN_EVEN_MAX = 1 << 22,
	FINER = 16, /* as the level that p is compared with */
};

/* How large a difference is, of those that count. */
static double extent(double difference, enum permutation_tail tail)
{
	switch (tail) {
	case PERMUTATION_ABOVE:
		return difference;
	case PERMUTATION_BELOW:
		return -difference;
	case PERMUTATION_BOTH:
		break;
	}
	return fabs(difference);
}

/* As large as what was seen, but for rounding. */
static double threshold(double seen, double total, enum permutation_tail tail)
{
	return extent(seen, tail) - ROUNDING * total;
}

/* How many ways are tried by chance: a power of 2. */
static size_t ways_for(double level)
{
	size_t ways = PERMUTATION_WAYS;

	while (ways < PERMUTATION_WAYS_MAX && (double)ways * level < FINER && level > 0)
		ways *= 2;
	return ways;
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
 * as far on the other side of 0 are the same combinations with all signs changed.
 */
static double share_of_signs(const double *d, size_t n, double limit, enum permutation_tail tail)
{
	double one[SUMS_MAX], other[SUMS_MAX];
	size_t half = n / 2, one_n = (size_t)1 << half, other_n = (size_t)1 << (n - half);
	size_t from = other_n; /* of other: what is large enough, at the end */
	uint64_t as_large = 0;
	double sides = tail == PERMUTATION_BOTH ? 2 : 1;

	if (limit <= 0 && tail == PERMUTATION_BOTH)
		return 1;
	fill_sums(one, d, half);
	fill_sums(other, d + half, n - half);
	for (size_t i = 0; i < one_n; i++) {
		while (from > 0 && one[i] + other[from - 1] >= limit)
			from--;
		as_large += other_n - from;
	}
	return sides * (double)as_large / ((double)one_n * (double)other_n);
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
static double share_of_sign_group(const double *d, size_t n, double limit,
				  const struct permutation_test *test)
{
	size_t ways = ways_for(test->level), as_large = 0;

	for (size_t upper = 0; upper < ways / TOGETHER; upper++) {
		struct random r = random_of_seed(test->seed);
		double sums[TOGETHER] = { 0 };

		for (size_t i = 0; i < n; i++) {
			uint64_t column = random_next(&r) & (ways - 1);
			bool minus = __builtin_parityll(column / TOGETHER & upper);

			sums[column % TOGETHER] += minus ? -d[i] : d[i];
		}
		transform(sums, TOGETHER);
		for (size_t i = 0; i < TOGETHER; i++)
			as_large += extent(sums[i], test->tail) >= limit;
	}
	return (double)as_large / (double)ways;
}

struct permutation permutation_paired(const double *differences, size_t n,
				      const struct permutation_test *test)
{
	double sum = 0, total = 0, limit;

	for (size_t i = 0; i < n; i++) {
		sum += differences[i];
		total += fabs(differences[i]);
	}
	if (!(total > 0)) /* all ways are the same */
		return (struct permutation){ 1, true };
	limit = threshold(sum, total, test->tail);
	if (n <= PERMUTATION_SIGNS_MAX)
		return (struct permutation){ share_of_signs(differences, n, limit, test->tail),
					     true };
	return (struct permutation){ share_of_sign_group(differences, n, limit, test), false };
}

/* C(n, k), or more than limit. */
static double ways_to_choose(size_t n, size_t k, double limit)
{
	double ways = 1;

	for (size_t i = 1; i <= k && ways <= limit; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}

/* What a split is judged by: how far the first side's sum is from its share of all values. The first side is
 * not the larger one. */
struct split {
	const struct permutation_test *test;
	double *v; /* scratch: the values of the first side first */
	size_t n, first_n;
	double expected, limit;
};

static bool is_as_large(const struct split *s, double sum)
{
	return extent(s->expected - sum, s->test->tail) >= s->limit;
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

/* Any n of all values come first, in any order. */
static void draw(const struct split *s, size_t n, struct random *r)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = i + random_below(r, s->n - i);
		double drawn = s->v[j];

		s->v[j] = s->v[i];
		s->v[i] = drawn;
	}
}

/*
 * A group of swaps: value i of the first side and the one that stands first_n behind it, in the other, change
 * places in every second member, as by share_of_sign_group(). How many of them are as large. The columns are
 * the same for any order of the values.
 */
static size_t count_swaps(const struct split *s, size_t members)
{
	struct random r = random_of_seed(~s->test->seed);
	double sums[TOGETHER] = { 0 }, middle = 0;
	size_t as_large = 0;

	for (size_t i = 0; i < s->first_n; i++) {
		double one = s->v[i], other = s->v[s->first_n + i];

		middle += (one + other) / 2;
		sums[random_next(&r) & (members - 1)] += (one - other) / 2;
	}
	transform(sums, members);
	for (size_t i = 0; i < members; i++)
		as_large += is_as_large(s, middle + sums[i]);
	return as_large;
}

static size_t count_one(const struct split *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->first_n; i++)
		sum += s->v[i];
	return is_as_large(s, sum);
}

/* As many orders as can be drawn, and the rest of all ways by swaps. */
static double share_of_drawn_splits(const struct split *s)
{
	struct random r = random_of_seed(s->test->seed);
	size_t ways = ways_for(s->test->level), members = 1, as_large = 0;
	bool even = s->n - 2 * s->first_n <= s->first_n / 10;
	size_t drawn_max = even ? DRAWN_EVEN_MAX : DRAWN_MAX;

	while (members < TOGETHER && ways / members * s->first_n > drawn_max)
		members *= 4;
	for (size_t tried = 0; tried < ways; tried += members) {
		if (tried > 0)
			draw(s, members > 1 ? 2 * s->first_n : s->first_n, &r);
		as_large += members > 1 ? count_swaps(s, members) : count_one(s);
	}
	return (double)as_large / (double)ways;
}

/* The same test of the sides the other way round. */
static struct permutation_test reverse(const struct permutation_test *test)
{
	static const enum permutation_tail reversed[] = {
		[PERMUTATION_BOTH] = PERMUTATION_BOTH,
		[PERMUTATION_ABOVE] = PERMUTATION_BELOW,
		[PERMUTATION_BELOW] = PERMUTATION_ABOVE,
	};
	struct permutation_test other = *test;

	other.tail = reversed[test->tail];
	return other;
}

struct permutation permutation_unpaired(const double *a, size_t a_n, const double *b, size_t b_n,
					const struct permutation_test *test, double *scratch)
{
	size_t n = a_n + b_n;
	struct split s = { .test = test, .v = scratch, .n = n, .first_n = a_n };
	double sum = 0, all = 0, total = 0;

	if (a_n > b_n) {
		const struct permutation_test reversed = reverse(test);

		return permutation_unpaired(b, b_n, a, a_n, &reversed, scratch);
	}
	for (size_t i = 0; i < n; i++) {
		scratch[i] = i < a_n ? a[i] : b[i - a_n];
		all += scratch[i];
		total += fabs(scratch[i]);
		if (i < a_n)
			sum += scratch[i];
	}
	if (a_n == 0 || summary_is_constant(scratch, n)) /* all ways are the same */
		return (struct permutation){ 1, true };
	s.expected = all * (double)a_n / (double)n;
	s.limit = threshold(s.expected - sum, total, test->tail);
	if (n < 64 && ways_to_choose(n, a_n, PERMUTATION_SPLITS_MAX) <= PERMUTATION_SPLITS_MAX)
		return (struct permutation){ share_of_splits(&s), true };
	return (struct permutation){ share_of_drawn_splits(&s), false };
}

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
	ways = ways_to_choose(a_n + b_n, a_n, 1e300);
	return (a_n == b_n && tail == PERMUTATION_BOTH ? 2 : 1) / ways;
}
