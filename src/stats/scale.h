/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a raw counter value to a count. */
#ifndef PSTAT_STATS_SCALE_H
#define PSTAT_STATS_SCALE_H

#include <stdint.h>

/* One counter over one run (perf_event_open(2), "Reading results"). */
struct counts {
	uint64_t raw; /* counted while it was on the PMU */
	uint64_t enabled_ns;
	uint64_t running_ns; /* less than enabled_ns: multiplexed */
};

enum scaling {
	SCALE_BY_TIME, /* raw × time enabled / time running: an estimate for the whole time */
	SCALE_NOT, /* raw, for the time running */
};

/*
 * The count of a reading that is COUNTED or SCALED. Exact if running_ns equals enabled_ns. Scaling
 * assumes that the event was equally frequent while the counter was off the PMU
 * (perf_event_open(2), PERF_FORMAT_TOTAL_TIME_RUNNING).
 */
long double scale_count(const struct counts *counts, enum scaling scaling);

/*
 * The share of the time enabled that the counter ran, in percent, 0 … 100. It is truncated to two
 * decimals, so that 100 means all of the time. 100 if enabled_ns is 0, as perf prints it.
 */
double scale_running_percent(uint64_t enabled_ns, uint64_t running_ns);

/*
 * A count, or a mean of counts, times an event's factor. If the factor is 1 / n with a whole n, for
 * example for nanoseconds shown in milliseconds, the count is divided by n, because a double cannot
 * hold most of these factors exactly.
 */
long double scale_to_unit(long double count, double factor);

#endif
