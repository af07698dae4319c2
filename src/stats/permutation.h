/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Permutation tests of "the two sides are alike". A way is one assignment of the values to the
 * sides. p is the share of all ways whose difference of the means is at least as large as the
 * observed one. The tests assume no distribution of the values.
 *
 * All ways are tried if there are at most PERMUTATION_EXACT_MAX. Otherwise, ways are drawn at
 * random with a seed (Monte Carlo), and p = (hits + 1) / (draws + 1). If the sides are alike, this
 * p is at most x with a probability of at most x, for any number of draws (Phipson and Smyth 2010,
 * Statistical Applications in Genetics and Molecular Biology 9(1)).
 *
 * There are 2^15 - 1 draws, so that the standard error of a p of 0.05 is 0.0012. A small level
 * needs more draws, because the smallest possible p has to be far below the level. The number of
 * ways is therefore doubled until it is at least 16 / level, but not beyond 2^24. The smallest p is
 * then 6e-8.
 *
 * A random order of many values takes long. In large samples, several draws therefore share each
 * order: they change the signs of sums of values (see permutation.c). p stays valid, because the
 * draws from the observed order are the first group, and all groups are made in the same way. The
 * standard error of a p of 0.05 for 20,000 values of the smaller side is 0.0013 if the sides have
 * the same size, 0.004 if one has twice as many values, and 0.007 if one has ten times as many.
 */
#ifndef PSTAT_STATS_PERMUTATION_H
#define PSTAT_STATS_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PERMUTATION_EXACT_MAX = 1 << 20, /* up to this number, all ways are tried */
	PERMUTATION_WAYS = 1 << 15, /* otherwise the minimum, including the observed way */
	PERMUTATION_WAYS_MAX = 1 << 24, /* and the maximum */
};

/* Which differences count as at least as large as the observed one. */
enum permutation_tail {
	PERMUTATION_BOTH, /* in either direction: p is two-sided */
	PERMUTATION_ABOVE, /* the differences, or b minus a, are at least as high: one-sided */
	PERMUTATION_BELOW,
};

struct permutation_test {
	enum permutation_tail tail;
	double level; /* p is compared with it, so it sets the number of draws; 0: the minimum */
	uint64_t seed;
};

struct permutation {
	double p; /* never 0 */
	bool exact; /* all ways were tried */
};

/* Test n differences of pairs. Under the hypothesis, both signs of each are equally likely. */
struct permutation permutation_paired(const double *differences, size_t n,
				      const struct permutation_test *test);

/*
 * Test two unpaired samples of a_n and b_n values. Under the hypothesis, each value is equally
 * likely in either sample. scratch: room for a_n + b_n numbers.
 */
struct permutation permutation_unpaired(const double *a, size_t a_n, const double *b, size_t b_n,
					const struct permutation_test *test, double *scratch);

/* The smallest p of n pairs: 1 / 2^n for one tail, 2 / 2^n for both; 1 if n < 2. */
double permutation_paired_floor(size_t n, enum permutation_tail tail);

/*
 * The smallest p of two samples of these sizes: 1 / C(a_n + b_n, a_n). It is twice as large for
 * both tails of samples of the same size. 1 if a sample is empty.
 */
double permutation_unpaired_floor(size_t a_n, size_t b_n, enum permutation_tail tail);

#endif
