/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates of multiplexed counts, with a confidence interval. src/README describes the method. */
#ifndef PSTAT_STATS_ESTIMATE_H
#define PSTAT_STATS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/scale.h"

/* An estimate of the count for the whole time enabled. */
struct count_estimate {
	double count;
	double half_width; /* of the 95 % interval around count; NAN: unknown */
};

/* What the half-width consists of, for estimate_pool(). */
struct estimate_spread {
	double variance, df; /* of the count, and its degrees of freedom; NAN: unknown */
	/* the part of the variance that is due to the number of events seen: few vary more */
	double noise;
	double fixed, edges; /* the other variances; the largest error from the ends of the turns */
};

/*
 * Estimate the count of one event from the readings during a run: windows[i] has the count and the
 * times between two readings, in chronological order. The windows have to cover the whole run. The
 * estimate is at least the number of events counted.
 *
 * lengths_ns: how long each window was by the clock. The time enabled differs from that if tasks
 * sleep, or if several tasks are counted.
 *
 * companion: the same windows of an event that was on the PMU all the time, or NULL. If the counts
 * of the two events vary together, the estimate is the companion's count times their ratio.
 * Otherwise it is the time enabled times the event's rate in the time running. In both cases, the
 * difference from that in each turn is added, scaled to the length of its round.
 *
 * round: the number of windows in a round, at least 1. In each round, the event was on once, at a
 * random time (count/turns.h). So the interval holds even for a program that repeats itself in step
 * with the turns. With few rounds, the interval may miss bursts that no turn has seen.
 *
 * False: there is no estimate, because no window has time running, the event was not on in the
 * turns that pstat drew, or there is no memory.
 */
bool estimate_count(const struct counts *windows, const struct counts *companion,
		    const uint64_t *lengths_ns, size_t n, size_t round,
		    struct count_estimate *estimate, struct estimate_spread *spread);

struct pooled_estimate {
	struct count_estimate *estimate;
	struct estimate_spread spread;
	size_t set; /* events with the same number have their turns together */
};

/*
 * Widen the intervals of events that were counted in the same run, at the same place. An event may
 * have been off whenever the program did something else, and then looks steady. But the events of
 * another set were on at these times. So each event gets at least the largest variance that a
 * typical event of a set has for each degree of freedom. Variances are relative to the counts, and
 * without the noise of rare events. A set of one event has no typical event. No interval becomes
 * narrower.
 */
void estimate_pool(const struct pooled_estimate *pool, size_t n);

#endif
