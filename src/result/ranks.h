/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The results of the ranks of a parallel job as one result. The counts are the sums over the ranks;
 * the elapsed time and the peak memory are those of the rank with the largest ones. So that the
 * balance of the ranks can be seen, each row also has the distribution of its values over the
 * ranks.
 */
#ifndef PSTAT_RESULT_RANKS_H
#define PSTAT_RESULT_RANKS_H

#include "result/series.h"

struct why;

/* The values of a row over the ranks, in the unit of the event. A negative number is unknown. */
struct rank_summary {
	double sum, min, median, max;
	double imbalance; /* max / mean */
	char *largest; /* owned: the name of the rank with the largest value; NULL: no value */
};

/* The times and the peak memory of each rank. Each has a distribution over the ranks. */
enum { RANK_TIMES_N = 4 };
extern const enum tool_event rank_times[RANK_TIMES_N];

/* All zero: the series is not of several ranks. */
struct ranks {
	size_t n;
	struct rank_summary *rows; /* owned: one for each row of the series */
	size_t rows_n;
	struct rank_summary times[RANK_TIMES_N]; /* of rank_times, in its unit */
};

/* Collects the values until all ranks are there. All zero: no rank was added. */
struct ranks_builder {
	struct str_list names; /* of the ranks */
	double *values; /* owned: for each rank, those of the rows, then those of the times */
	size_t values_size;
};

/*
 * Add the rank more to sum, which becomes the series of all ranks. For the first rank, which is sum
 * itself, more is NULL. more does not change. Neither may be split into places or cgroups. 0;
 * -EINVAL with why: the events, what they count, or the numbers of runs differ, or more has
 * intervals; -ENOMEM.
 */
int ranks_add(struct ranks_builder *b, struct series *sum, const struct series *more,
	      const char *name, struct why *why);

/* Compute the distributions. 0 or -ENOMEM. */
int ranks_finish(struct ranks *ranks, struct ranks_builder *b, const struct series *sum);

void ranks_builder_release(struct ranks_builder *b);
void ranks_release(struct ranks *ranks);

#endif
