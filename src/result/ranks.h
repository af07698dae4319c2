/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the results of the ranks of a parallel job. The counts are the sums over the ranks;
 * the elapsed time and the peak memory are those of the rank with the largest ones. So that the
 * balance of the ranks can be seen, each measure also has the distribution of its values over the
 * ranks.
 */
#ifndef PSTAT_RESULT_RANKS_H
#define PSTAT_RESULT_RANKS_H

#include "result/series.h"

struct why;

/* One rank. */
struct rank {
	int number; /* -1: unknown */
	const char *path; /* of its file */
	char *name; /* owned */
	double *values; /* owned: means over its runs, as in struct series_ranks; NAN: unknown */
	bool failed; /* the command failed in a run */
};

/*
 * Add the rank more to sum, which becomes the series of all ranks. For the first rank, more is sum
 * itself, which does not change. Neither may be split into places or cgroups. Fills rank->values,
 * which the caller releases. 0; -EINVAL with why: the events, what they count, or the numbers of
 * runs differ, or more has intervals; -ENOMEM.
 */
int ranks_add(struct series *sum, const struct series *more, struct rank *rank, struct why *why);

/* Compute the distributions over n ranks. sum: the series of all. 0 or -ENOMEM. */
int ranks_sum_up(struct series_ranks *ranks, const struct rank *v, size_t n,
		 const struct series *sum);

#endif
