/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Permutation tests of "the two sides are alike": what share of all ways to exchange the labels leads
 * to a difference of the means at least as large as the one that was seen, in either direction or in one.
 * Nothing is assumed of how the values are distributed. All ways are tried where there are few enough of
 * them; else some by chance, that the seed repeats (Ernst 2004, Statistical Science 19(4)).
 *
 * Of the signs of pairs these are a group: of any two of its members, what one does behind the other is a
 * member, too. Then a p of at most x has at most the probability x where the sides are alike, as with all ways
 * (Chung and Fraser 1958, Journal of the American Statistical Association 53(283); Hemerik and Goeman 2018,
 * TEST 27(4)), and any two members are as independent as two draws, so that p is as near to that of all ways
 * as by as many draws.
 *
 * Of unpaired samples they are drawn one by one as long as these are small. Of larger ones, whose draws would
 * take seconds, some orders of all values are drawn, what was seen being the first, and with each a group is
 * tried that swaps values of one side with values of the other. What was seen is then as likely to be any of
 * the ways that are tried as any other, and p holds as above: seen from a member h of the group behind a drawn
 * order g, all the others are again that group behind orders of which any is as likely, g's being among them.
 *
 * The standard error of a p of 0.05 by chance is 0.0012. With 20,000 values of the smaller side it is 0.002
 * where the other has twice as many, and 0.0045 where it has ten times as many, since a swap then leaves many
 * values where they are.
 */
#ifndef PSTAT_STATS_PERMUTATION_H
#define PSTAT_STATS_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PERMUTATION_SIGNS_MAX =
		24, /* differences of whose signs all combinations are tried; even */
	PERMUTATION_SPLITS_MAX = 200000, /* ways to split values in two that are all tried */
	PERMUTATION_WAYS = 1 << 15, /* that are tried otherwise, at least */
	PERMUTATION_WAYS_MAX = 1 << 24,
};

/* Which differences are as large as what was seen. */
enum permutation_tail {
	PERMUTATION_BOTH, /* in either direction: p is two-sided */
	PERMUTATION_ABOVE, /* the differences, or b behind a, as far above or more: one-sided */
	PERMUTATION_BELOW,
};

struct permutation_test {
	enum permutation_tail tail;
	/* What p is to be compared with: by chance so many ways are tried that it can be far below. 0: any. */
	double level;
	uint64_t seed;
};

struct permutation {
	double p; /* never 0 */
	bool exact; /* all were tried */
};

/* Of the n differences of pairs: each could as well have had the other sign. */
struct permutation permutation_paired(const double *differences, size_t n,
				      const struct permutation_test *test);

/*
 * Of two unpaired samples, a_n and b_n values: each value could as well have come from the other side.
 * scratch: room for a_n + b_n numbers.
 */
struct permutation permutation_unpaired(const double *a, size_t a_n, const double *b, size_t b_n,
					const struct permutation_test *test, double *scratch);

/* The smallest p that so many pairs can give: 1 / 2^n, and of both tails twice as much; 1 below 2. */
double permutation_paired_floor(size_t n, enum permutation_tail tail);

/* The smallest p that two samples of these sizes can give: 1 / C(a_n + b_n, a_n), and of both tails twice as
 * much where the sizes are equal; 1 where that is all. */
double permutation_unpaired_floor(size_t a_n, size_t b_n, enum permutation_tail tail);

#endif
