/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Permutation tests. Exact tests are compared with a plain enumeration, random tests with the
 * theoretical share. test_contrast.c compares with R.
 */
#include <math.h>
#include <stdio.h>

#include "stats/permutation.h"
#include "stats/random.h"
#include "unit/test.h"

enum { VALUES_MAX = 12, EXACT_SIGNS = 20 /* 2^20 ways: PERMUTATION_EXACT_MAX */ };

static const enum permutation_tail tails[] = { PERMUTATION_BOTH, PERMUTATION_ABOVE,
					       PERMUTATION_BELOW };

static struct permutation two_sided_paired(const double *d, size_t n, uint64_t seed)
{
	return permutation_paired(d, n, &(struct permutation_test){ .seed = seed });
}

static struct permutation two_sided_unpaired(const double *a, size_t a_n, const double *b,
					     size_t b_n, uint64_t seed, double *scratch)
{
	return permutation_unpaired(a, a_n, b, b_n, &(struct permutation_test){ .seed = seed },
				    scratch);
}

/*
 * The share of ways with a sum at least as large as the observed one. The differences have no
 * rounding.
 */
static bool is_as_large(double difference, double seen, enum permutation_tail tail)
{
	if (tail == PERMUTATION_BOTH)
		return fabs(difference) >= fabs(seen);
	return tail == PERMUTATION_ABOVE ? difference >= seen : difference <= seen;
}

static const struct pairs {
	int line;
	size_t n;
	double d[VALUES_MAX];
} pairs[] = {
	{ ROW, 1, { 3 } },
	{ ROW, 2, { 3, 4 } },
	{ ROW, 2, { 3, -3 } },
	{ ROW, 3, { 1, 2, 4 } },
	{ ROW, 4, { 1, -1, 1, 1 } },
	{ ROW, 5, { 0, 0, 1, 0, 2 } },
	{ ROW, 6, { 1, 2, 3, 4, 5, 6 } },
	{ ROW, 6, { -1, -2, -3, -4, -5, -6 } },
	{ ROW, 6, { 1, 2, 3, 4, 5, -15 } },
	{ ROW, 7, { 10, -3, 5, 8, 2, 2, -1 } },
	{ ROW, 8, { 0, 0, 0, 0, 0, 0, 0, 5 } },
	{ ROW, 8, { 1e9, 1, -1, 2, 3, -2, 1, 1 } }, /* one outlier */
	{ ROW, 9, { 7, 7, 7, 7, 7, 7, 7, 7, 7 } },
	{ ROW, 10, { 31, -4, 15, 9, 26, -5, 35, 8, 9, 7 } },
	{ ROW, 12, { 2, 7, 1, -8, 2, 8, 1, 8, -2, 8, 4, 5 } },
};

/* Whole numbers, whose sums have no rounding. */
static double share_of_all_signs(const struct pairs *row, enum permutation_tail tail)
{
	double seen = 0;
	size_t as_large = 0, ways = (size_t)1 << row->n;

	for (size_t i = 0; i < row->n; i++)
		seen += row->d[i];
	for (size_t way = 0; way < ways; way++) {
		double sum = 0;

		for (size_t i = 0; i < row->n; i++)
			sum += way >> i & 1 ? -row->d[i] : row->d[i];
		as_large += is_as_large(sum, seen, tail);
	}
	return (double)as_large / (double)ways;
}

static void all_signs_of_few_pairs_are_tried(void **state)
{
	for (size_t i = 0; i < N_OF(pairs); i++) {
		for (size_t k = 0; k < N_OF(tails); k++) {
			const struct permutation_test test = { .tail = tails[k], .seed = 1 };
			struct permutation p = permutation_paired(pairs[i].d, pairs[i].n, &test);

			row_true(&pairs[i], p.exact);
			row_true(&pairs[i], p.p == share_of_all_signs(&pairs[i], tails[k]));
		}
	}
}

static const struct samples {
	int line;
	size_t a_n, b_n;
	double a[VALUES_MAX], b[VALUES_MAX];
} samples[] = {
	{ ROW, 1, 1, { 3 }, { 4 } },
	{ ROW, 1, 5, { 3 }, { 4, 5, 6, 7, 8 } },
	{ ROW, 5, 1, { 4, 5, 6, 7, 8 }, { 5 } },
	{ ROW, 2, 2, { 1, 2 }, { 3, 4 } },
	{ ROW, 3, 3, { 1, 2, 3 }, { 4, 5, 6 } },
	{ ROW, 3, 3, { 7, 7, 7 }, { 7, 7, 7 } },
	{ ROW, 3, 3, { 7, 7, 7 }, { 8, 8, 8 } },
	{ ROW, 4, 4, { 0, 0, 0, 0 }, { 0, 0, 0, 1 } },
	{ ROW, 4, 6, { 10, 12, 9, 14 }, { 13, 15, 11, 18, 17, 16 } },
	{ ROW, 6, 4, { 13, 15, 11, 18, 17, 16 }, { 10, 12, 9, 14 } },
	{ ROW, 5, 5, { 1, 2, 1, 2, 1 }, { 2, 1, 2, 2, 2 } },
	{ ROW, 6, 6, { 1000, 1001, 999, 1000, 1002, 1000 }, { 1001, 1000, 1e9, 999, 1001, 1003 } },
	{ ROW, 8, 3, { 3, 1, 4, 1, 5, 9, 2, 6 }, { 27, 18, 28 } },
};

/* The second mean minus the first, times both sizes, so that it is a whole number. */
static double apart(const struct samples *row, double sum, double all)
{
	return (all - sum) * (double)row->a_n - sum * (double)row->b_n;
}

static double share_of_all_splits(const struct samples *row, enum permutation_tail tail)
{
	size_t n = row->a_n + row->b_n, ways = 0, as_large = 0;
	double v[2 * VALUES_MAX], seen = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		v[i] = i < row->a_n ? row->a[i] : row->b[i - row->a_n];
		all += v[i];
		seen += i < row->a_n ? v[i] : 0;
	}
	for (size_t way = 0; way < (size_t)1 << n; way++) {
		double sum = 0;

		if ((size_t)__builtin_popcountll(way) != row->a_n)
			continue;
		for (size_t i = 0; i < n; i++)
			sum += way >> i & 1 ? v[i] : 0;
		ways++;
		as_large += is_as_large(apart(row, sum, all), apart(row, seen, all), tail);
	}
	return (double)as_large / (double)ways;
}

static void all_splits_of_small_samples_are_tried(void **state)
{
	for (size_t i = 0; i < N_OF(samples); i++) {
		const struct samples *row = &samples[i];
		double scratch[2 * VALUES_MAX];

		for (size_t k = 0; k < N_OF(tails); k++) {
			const struct permutation_test test = { .tail = tails[k], .seed = 1 };
			struct permutation p = permutation_unpaired(row->a, row->a_n, row->b,
								    row->b_n, &test, scratch);

			row_true(row, p.exact);
			row_true(row, p.p == share_of_all_splits(row, tails[k]));
		}
	}
}

/* Sums of fractions are rounded. They still count as equal to the observed sum. */
static void rounding_does_not_hide_a_hit(void **state)
{
	const double d[] = { 0.1, 0.2, -0.3, 0.1, 0.2, -0.3, 0.7 };
	const double a[] = { 0.1, 0.2, 0.3, 0.7 }, b[] = { 0.7, 0.3, 0.2, 0.1 };
	const struct pairs tenths = { .n = 7, .d = { 1, 2, -3, 1, 2, -3, 7 } };
	double scratch[8];

	assert_true(two_sided_paired(d, 7, 1).p == share_of_all_signs(&tenths, PERMUTATION_BOTH));
	assert_true(two_sided_unpaired(a, 4, b, 4, 1, scratch).p == 1);
}

static void equal_values_have_a_p_of_1(void **state)
{
	const double zeros[40] = { 0 };
	const double sevens[40] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
				    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };
	double scratch[40];

	for (size_t n = 0; n <= N_OF(zeros); n++)
		assert_true(two_sided_paired(zeros, n, 1).p == 1);
	for (size_t n = 0; n <= N_OF(sevens); n++)
		assert_true(two_sided_unpaired(sevens, n, sevens, 40 - n, 1, scratch).p == 1);
}

/* n differences of 1; the first minus of them are -1. */
static void fill_ones(double *d, size_t n, size_t minus)
{
	for (size_t i = 0; i < n; i++)
		d[i] = i < minus ? -1 : 1;
}

/* The probability of at most k minuses among n signs. */
static double binomial_tail(size_t n, size_t k)
{
	double tail = 0;

	for (size_t i = 0; i <= k; i++)
		tail += exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
			    lgamma((double)(n - i) + 1) - (double)n * M_LN2);
	return tail;
}

/* The probability of at most k minuses or at most k pluses. */
static double binomial_tails(size_t n, size_t k)
{
	double tail = binomial_tail(n, k);

	return tail < 0.5 ? 2 * tail : 1;
}

/* Four standard errors of a share that is estimated by this number of draws. */
static double tolerance(double p, size_t draws)
{
	return 4 * sqrt(p * (1 - p) / (double)draws) + 1.0 / (double)draws;
}

/* Numbers just below and above the limit of exact tests, and much larger ones. */
static void drawn_signs_approximate_the_exact_share(void **state)
{
	static const struct {
		int line;
		size_t n, minus;
	} rows[] = {
		{ ROW, 19, 5 },	   { ROW, 20, 5 },    { ROW, 21, 6 },	 { ROW, 25, 7 },
		{ ROW, 25, 0 },	   { ROW, 26, 10 },   { ROW, 63, 25 },	 { ROW, 64, 24 },
		{ ROW, 65, 24 },   { ROW, 100, 40 },  { ROW, 100, 50 },	 { ROW, 129, 60 },
		{ ROW, 511, 230 }, { ROW, 513, 240 }, { ROW, 700, 320 },
	};
	double d[700];

	for (size_t i = 0; i < N_OF(rows); i++) {
		double exact = binomial_tails(rows[i].n, rows[i].minus);

		fill_ones(d, rows[i].n, rows[i].minus);
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct permutation p = two_sided_paired(d, rows[i].n, seed);

			row_int(&rows[i], p.exact, rows[i].n <= EXACT_SIGNS);
			if (p.exact)
				row_true(&rows[i], fabs(p.p - exact) <= 1e-9 * exact);
			row_true(&rows[i], fabs(p.p - exact) <= tolerance(exact, PERMUTATION_WAYS));
			row_true(&rows[i], p.p > 0);
		}
	}
}

/*
 * One-sided tests, and tests at a small level, for which p has to be able to fall below the level.
 */
static void drawn_signs_of_one_tail_approximate_the_exact_share(void **state)
{
	static const struct {
		int line;
		size_t n, minus;
		double level;
		size_t ways;
	} rows[] = {
		{ ROW, 40, 16, 0.05, 1 << 15 },	  { ROW, 40, 24, 0, 1 << 15 },
		{ ROW, 100, 40, 0.001, 1 << 15 }, { ROW, 100, 30, 1e-4, 1 << 18 },
		{ ROW, 50, 8, 1e-5, 1 << 21 },	  { ROW, 60, 40, 1e-9, 1 << 24 },
	};
	double d[100];

	for (size_t i = 0; i < N_OF(rows); i++) {
		double below = binomial_tail(rows[i].n, rows[i].n - rows[i].minus);
		double above = binomial_tail(rows[i].n, rows[i].minus);
		struct permutation_test test = { PERMUTATION_ABOVE, rows[i].level, 1 };

		fill_ones(d, rows[i].n, rows[i].minus);
		row_true(&rows[i], fabs(permutation_paired(d, rows[i].n, &test).p - above) <=
					   tolerance(above, rows[i].ways));
		test.tail = PERMUTATION_BELOW;
		row_true(&rows[i], fabs(permutation_paired(d, rows[i].n, &test).p - below) <=
					   tolerance(below, rows[i].ways));
		fill_ones(d, rows[i].n, 0);
		test.tail = PERMUTATION_ABOVE;
		row_true(&rows[i],
			 permutation_paired(d, rows[i].n, &test).p == 1 / (double)rows[i].ways);
	}
}

/*
 * Try all signs in the order of a Gray code, which changes one sign at a time. Of two opposite
 * ways, only one is tried.
 */
static double share_of_all_in_turn(const double *d, size_t n)
{
	uint64_t ways = (uint64_t)1 << (n - 1), as_large = 0, minus = 0;
	double sum = 0, seen;

	for (size_t i = 0; i < n; i++)
		sum += d[i];
	seen = fabs(sum);
	for (uint64_t i = 1; i <= ways; i++) {
		int changed = __builtin_ctzll(i);

		as_large += fabs(sum) >= seen;
		minus ^= (uint64_t)1 << changed;
		sum += (minus >> changed & 1 ? -2 : 2) * d[changed];
	}
	return (double)as_large / (double)ways;
}

/* Whole differences that are all distinct, like those of a clock. */
static void fill_apart(double *d, size_t n, double by)
{
	struct random r = random_of_seed(n);

	for (size_t i = 0; i < n; i++)
		d[i] = (double)random_below(&r, 200001) - 100000 + by;
}

static void both_ways_to_try_signs_agree_with_trying_each(void **state)
{
	static const struct {
		int line;
		size_t n;
		double by;
	} rows[] = {
		{ ROW, 19, 20000 }, { ROW, 20, -30000 }, { ROW, 21, 0 },
		{ ROW, 22, 10000 }, { ROW, 25, 10000 },	 { ROW, 26, 25000 },
	};
	double d[26];

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct permutation p;
		double exact;

		fill_apart(d, rows[i].n, rows[i].by);
		p = two_sided_paired(d, rows[i].n, 1);
		exact = share_of_all_in_turn(d, rows[i].n);
		row_int(&rows[i], p.exact, rows[i].n <= EXACT_SIGNS);
		row_true(&rows[i],
			 fabs(p.p - exact) <= (p.exact ? 0 : tolerance(exact, PERMUTATION_WAYS)));
	}
}

/* If all signs are equally likely, p is at most x with a probability of at most x, for any seed. */
static void check_small_p(size_t n, size_t times)
{
	static const double limits[] = { 0.005, 0.01, 0.05, 0.1, 0.5 };
	size_t small[N_OF(limits)] = { 0 };
	struct random r = random_of_seed(10);
	double sizes[600], d[600];

	fill_apart(sizes, n, 0);
	for (size_t i = 0; i < times; i++) {
		double p;

		for (size_t k = 0; k < n; k++)
			d[k] = random_below(&r, 2) ? sizes[k] : -sizes[k];
		p = two_sided_paired(d, n, 7).p;
		for (size_t k = 0; k < N_OF(limits); k++)
			small[k] += p <= limits[k];
	}
	for (size_t k = 0; k < N_OF(limits); k++) {
		double expected = limits[k] * (double)times;

		assert_true(fabs((double)small[k] - expected) <
			    3.5 * sqrt(expected * (1 - limits[k])));
	}
}

static void small_p_values_are_rare_enough(void **state)
{
	check_small_p(30, 3000); /* each difference is a parcel */
	check_small_p(600, 3000); /* parcels of several differences */
}

/* C(n, k) */
static double choices(size_t n, size_t k)
{
	return exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1));
}

/*
 * Two samples contain ones in total. The probability that the first sample has at most as many of
 * them as observed.
 */
static double hypergeometric_tail(size_t a_n, size_t b_n, size_t ones, size_t seen)
{
	double n = (double)(a_n + b_n), tail = 0;

	for (size_t i = 0; i <= seen; i++) {
		double in_b = (double)(ones - i);

		tail += exp(lgamma((double)ones + 1) - lgamma((double)i + 1) - lgamma(in_b + 1) +
			    lgamma(n - (double)ones + 1) - lgamma((double)(a_n - i) + 1) -
			    lgamma((double)b_n - in_b + 1) - lgamma(n + 1) +
			    lgamma((double)a_n + 1) + lgamma((double)b_n + 1));
	}
	return tail;
}

/* The probability for either of two samples of equal size. */
static double hypergeometric_tails(size_t n, size_t ones, size_t seen)
{
	double tail = hypergeometric_tail(n, n, ones, seen);

	return tail < 0.5 ? 2 * tail : 1;
}

static void drawn_splits_approximate_the_exact_share(void **state)
{
	static const struct {
		int line;
		size_t n, a_ones, b_ones;
	} rows[] = {
		{ ROW, 9, 2, 6 },   { ROW, 11, 2, 6 },	 { ROW, 12, 2, 6 },
		{ ROW, 30, 8, 16 }, { ROW, 32, 10, 16 }, { ROW, 100, 40, 55 },
	};
	double a[100], b[100], scratch[200];

	for (size_t i = 0; i < N_OF(rows); i++) {
		size_t n = rows[i].n, ones = rows[i].a_ones + rows[i].b_ones;
		double exact = hypergeometric_tails(n, ones, rows[i].a_ones);

		for (size_t k = 0; k < n; k++) {
			a[k] = k < rows[i].a_ones;
			b[k] = k < rows[i].b_ones;
		}
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct permutation p = two_sided_unpaired(a, n, b, n, seed, scratch);

			row_int(&rows[i], p.exact, choices(2 * n, n) <= PERMUTATION_EXACT_MAX);
			row_true(&rows[i], fabs(p.p - exact) <= tolerance(exact, PERMUTATION_WAYS));
		}
	}
}

/* Single draws and swaps; sides of equal and of different size. */
static void drawn_splits_of_one_tail_approximate_the_exact_share(void **state)
{
	enum { MANY = 4000 };
	static const struct {
		int line;
		size_t a_n, b_n, a_ones, b_ones;
	} rows[] = {
		{ ROW, 30, 30, 8, 16 },		 { ROW, 20, 90, 4, 40 },
		{ ROW, 500, 700, 200, 320 },	 { ROW, 600, 600, 270, 300 },
		{ ROW, MANY, MANY, 1940, 2000 }, { ROW, 2000, MANY, 960, 2000 },
	};
	static double a[MANY], b[MANY], scratch[2 * MANY];

	for (size_t i = 0; i < N_OF(rows); i++) {
		size_t a_n = rows[i].a_n, b_n = rows[i].b_n, a_ones = rows[i].a_ones;
		double exact = hypergeometric_tail(a_n, b_n, a_ones + rows[i].b_ones, a_ones);
		const struct permutation_test above = { PERMUTATION_ABOVE, 0.05, 1 };
		const struct permutation_test below = { PERMUTATION_BELOW, 0.05, 2 };
		/* twice the standard error of independent draws */
		double far = 2 * tolerance(exact, PERMUTATION_WAYS);

		for (size_t k = 0; k < a_n; k++)
			a[k] = k < a_ones;
		for (size_t k = 0; k < b_n; k++)
			b[k] = k < rows[i].b_ones;
		row_true(&rows[i], fabs(permutation_unpaired(a, a_n, b, b_n, &above, scratch).p -
					exact) <= far);
		row_true(&rows[i], fabs(permutation_unpaired(b, b_n, a, a_n, &below, scratch).p -
					exact) <= far);
	}
}

/* The same for unpaired samples of different sizes, which are large enough for swaps. */
static void small_p_values_of_swaps_are_rare_enough(void **state)
{
	enum { A_N = 520, B_N = 700, TIMES = 100 };
	static const double limits[] = { 0.05, 0.1, 0.5 };
	static double v[A_N + B_N], scratch[A_N + B_N];
	size_t small[N_OF(limits)] = { 0 };
	struct random r = random_of_seed(11);

	for (size_t i = 0; i < TIMES; i++) {
		double p;

		for (size_t k = 0; k < A_N + B_N; k++)
			v[k] = (double)random_below(&r, 100000);
		p = two_sided_unpaired(v, A_N, v + A_N, B_N, 7, scratch).p;
		for (size_t k = 0; k < N_OF(limits); k++)
			small[k] += p <= limits[k];
	}
	for (size_t k = 0; k < N_OF(limits); k++) {
		double deviation = sqrt(limits[k] * (1 - limits[k]) * TIMES);

		assert_true(fabs((double)small[k] - limits[k] * TIMES) < 3.5 * deviation);
	}
}

static void a_seed_repeats_its_draws(void **state)
{
	struct random r = random_of_seed(9);
	double a[40], b[40], d[40], scratch[80];
	bool differ = false;

	for (size_t i = 0; i < 40; i++) {
		a[i] = (double)random_below(&r, 1000);
		b[i] = (double)random_below(&r, 1000) + 40;
		d[i] = b[i] - a[i];
	}
	for (uint64_t seed = 0; seed < 5; seed++) {
		double p = two_sided_paired(d, 40, seed).p;
		double q = two_sided_unpaired(a, 40, b, 40, seed, scratch).p;

		assert_true(two_sided_paired(d, 40, seed).p == p);
		assert_true(two_sided_unpaired(a, 40, b, 40, seed, scratch).p == q);
		differ |= two_sided_paired(d, 40, seed + 5).p != p;
	}
	assert_true(differ);
}

/* p is not 0 even if no draw is a hit, because the observed way counts as one. */
static void p_is_never_0(void **state)
{
	double d[64], scratch[128];
	const double zeros[64] = { 0 };

	fill_ones(d, 64, 0);
	assert_true(two_sided_paired(d, 64, 1).p == 1.0 / PERMUTATION_WAYS);
	assert_true(two_sided_unpaired(zeros, 64, d, 64, 1, scratch).p == 1.0 / PERMUTATION_WAYS);
}

/* Samples that do not overlap have the smallest possible p of their sizes. */
static void floors_are_reached(void **state)
{
	for (size_t n = 2; n <= 10; n++) {
		double d[10], zeros[10] = { 0 }, scratch[20];

		fill_ones(d, n, 0);
		assert_true(permutation_paired_floor(n, PERMUTATION_BOTH) == ldexp(2, -(int)n));
		assert_true(two_sided_paired(d, n, 1).p ==
			    permutation_paired_floor(n, PERMUTATION_BOTH));
		if (n < 10)
			assert_true(two_sided_unpaired(zeros, n, d, n, 1, scratch).p ==
				    permutation_unpaired_floor(n, n, PERMUTATION_BOTH));
	}
	assert_true(permutation_paired_floor(6, PERMUTATION_ABOVE) == 1.0 / 64);
	assert_true(permutation_paired_floor(1, PERMUTATION_BELOW) == 1);
	assert_double(permutation_unpaired_floor(4, 4, PERMUTATION_ABOVE), 1.0 / 70);
	assert_double(permutation_unpaired_floor(2, 5, PERMUTATION_BELOW), 1.0 / 21);
	assert_double(permutation_unpaired_floor(3, 3, PERMUTATION_BOTH), 0.1);
	assert_double(permutation_unpaired_floor(4, 4, PERMUTATION_BOTH), 2.0 / 70);
	assert_double(permutation_unpaired_floor(5, 5, PERMUTATION_BOTH), 2.0 / 252);
	assert_double(permutation_unpaired_floor(2, 5, PERMUTATION_BOTH), 1.0 / 21);
	assert_double(permutation_unpaired_floor(5, 2, PERMUTATION_BOTH), 1.0 / 21);
	assert_double(permutation_paired_floor(1, PERMUTATION_BOTH), 1);
	assert_double(permutation_unpaired_floor(1, 1, PERMUTATION_BOTH), 1);
	assert_double(permutation_unpaired_floor(0, 4, PERMUTATION_BOTH), 1);
	assert_double(permutation_unpaired_floor(4, 0, PERMUTATION_BOTH), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_signs_of_few_pairs_are_tried),
		cmocka_unit_test(all_splits_of_small_samples_are_tried),
		cmocka_unit_test(rounding_does_not_hide_a_hit),
		cmocka_unit_test(equal_values_have_a_p_of_1),
		cmocka_unit_test(drawn_signs_approximate_the_exact_share),
		cmocka_unit_test(drawn_signs_of_one_tail_approximate_the_exact_share),
		cmocka_unit_test(both_ways_to_try_signs_agree_with_trying_each),
		cmocka_unit_test(small_p_values_are_rare_enough),
		cmocka_unit_test(drawn_splits_approximate_the_exact_share),
		cmocka_unit_test(drawn_splits_of_one_tail_approximate_the_exact_share),
		cmocka_unit_test(small_p_values_of_swaps_are_rare_enough),
		cmocka_unit_test(a_seed_repeats_its_draws),
		cmocka_unit_test(p_is_never_0),
		cmocka_unit_test(floors_are_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
