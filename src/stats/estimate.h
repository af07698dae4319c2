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
	double half_width; /* of the 95 % interval around count; NAN: too little data for one */
};

/*
 * Estimate the count of one event from the readings during a run: windows[i] has the count and the
 * times between two readings, in chronological order. The windows have to cover the whole run. The
 * estimate is at least the number of events counted. With very little data, the count is scaled by
 * time enabled / time running. False if no window has time running, or memory runs out: there is no
 * estimate.
 *
 * unevenness: the standard deviation, over the events that take turns, of the share of time on the
 * PMU, divided by the mean share. If all events get equal turns, the unevenness is nearly 0. It is
 * greater if tasks are so short that the first events of the list get more turns than the last: the
 * kernel begins with the first events in each new task. Each event then counts only one part of
 * each task, so the interval is widened.
 */
bool estimate_count(const struct counts *windows, size_t n, double unevenness,
		    struct count_estimate *estimate);

#endif
