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
 * The count of a sample that is COUNTED or SCALED; exact where running_ns equals enabled_ns. The
 * quotient assumes that the event was as frequent while the counter was off the PMU
 * (perf_event_open(2), PERF_FORMAT_TOTAL_TIME_RUNNING).
 */
long double scale_count(const struct counts *counts, enum scaling scaling);

/*
 * The share of the time enabled that the counter ran, in percent, 0 … 100, cut after two decimals:
 * 100 means all of it and nothing less. 100 where enabled_ns is 0, as perf prints it.
 */
double scale_running_percent(uint64_t enabled_ns, uint64_t running_ns);

/*
 * A count, or a mean of them, times an event's factor: exact to the last bit where that is one
 * over a whole number, which no double is (nanoseconds as milliseconds).
 */
long double scale_to_unit(long double count, double factor);

#endif
