/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Permutation tests of "the two sides are alike": what share of all ways to exchange the labels leads
 * to a difference of the means at least as large as the one that was seen, in either direction. Nothing
 * is assumed of how the values are distributed. All ways are tried where there are few enough of them;
 * else a random choice, that the seed repeats (Ernst 2004, Statistical Science 19(4)). Of the signs of pairs
 * that is a group: of any two of its members, what one does behind the other is a member, too. Then a p of
 * at most x has at most the probability x where the sides are alike, as with all ways (Chung and Fraser 1958,
 * Journal of the American Statistical Association 53(283); Hemerik and Goeman 2018, TEST 27(4)), and any two
 * members are as independent as two draws, so that p is as near to that of all ways as by as many draws.
 */
#ifndef PSTAT_STATS_PERMUTATION_H
#define PSTAT_STATS_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PERMUTATION_SIGNS_MAX =
		24, /* differences of whose signs all combinations are tried; even */
	PERMUTATION_GROUP = 1 << 15, /* combinations of the signs of more of them that are tried */
	PERMUTATION_SPLITS_MAX = 200000, /* ways to split values in two that are all tried */
	PERMUTATION_DRAWS = 20000, /* of random ones otherwise */
};

struct permutation {
	double p; /* two-sided; never 0 */
	bool exact; /* all were tried */
};

/* Of the n differences of pairs: each could as well have had the other sign. */
struct permutation permutation_paired(const double *differences, size_t n, uint64_t seed);

/*
 * Of two unpaired samples, a_n and b_n values: each value could as well have come from the other side.
 * scratch: room for a_n + b_n numbers.
 */
struct permutation permutation_unpaired(const double *a, size_t a_n, const double *b, size_t b_n,
					uint64_t seed, double *scratch);

/* The smallest p that so many pairs can give: 2 / 2^n; 1 below 2. */
double permutation_paired_floor(size_t n);

/* The smallest p that two samples of these sizes can give: 2 / C(a_n + b_n, a_n), or half of it where
 * the sizes differ; 1 below that. */
double permutation_unpaired_floor(size_t a_n, size_t b_n);

#endif
