/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open counters, and reading them. */
#ifndef PSTAT_COUNT_COUNTERS_H
#define PSTAT_COUNT_COUNTERS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/children.h"
#include "count/reading.h"

struct counter {
	size_t row;
	int fd;
};

/* Counters first … first + n - 1, a group of the kernel: the first one is its leader. */
struct counter_group {
	size_t first, n;
	bool one_read; /* all by one read of the leader */
	int cpu; /* whose end is theirs; -1: of a task, or of a PMU that goes on by another CPU */
	bool retired; /* closed: what it counted is part of the retired readings */
	struct reason reason; /* why it could not be switched on or off */
};

struct sentinel {
	struct perf_event_attr attr;
	int fd;
};

/* Open counters. All zero is none at all. */
struct counters {
	struct counter *v;
	size_t n, size;
	struct counter_group *groups;
	size_t groups_n, groups_size;
	struct sentinel *sentinels; /* one of each kind, see plan_sentinel() */
	size_t sentinels_n, sentinels_size;
	struct children children; /* of the tasks with counters that are not inherited */
	struct reading
		*retired; /* owned: by row, see counters_retire(); NULL: nothing is retired */
	size_t retired_n;
	uint64_t *values; /* room for what one read of the largest group gives */
};

/* What a read of a group gives: nr, time enabled, time running, and a value and an id for each
 * (perf_event_open(2), PERF_FORMAT_GROUP and PERF_FORMAT_ID). */
#define COUNTERS_VALUES_OF_GROUP(n) (3 + 2 * (n))

/* Whether one system call reads each group, and thus reads all its members at the same moment. */
bool counters_read_at_once(const struct counters *c);

/*
 * Switch all counters on or off, including those that children have inherited. A task or CPU that
 * is gone is not a failure. A group that cannot be switched fails in every reading until
 * counters_forget_failures().
 */
void counters_switch(struct counters *c, bool on);

/* Call this before the first reading of a run. */
void counters_forget_failures(struct counters *c);

/*
 * A CPU has gone offline: read its counters for the last time, and close them. (To switch them on once
 * more would revive their clocks, though they count nothing.) rows_n: how many rows there are. 0 or
 * -ENOMEM.
 */
int counters_retire(struct counters *c, int cpu, size_t rows_n);

/* Close what was opened behind the first n counters and groups_n groups. */
void counters_cut(struct counters *c, size_t n, size_t groups_n);

/*
 * Read all counters and add to the readings of the open rows, which are all zero (COUNTED) before.
 * If a counter of a row could not be read or switched, the row is FAILED, with the reason. Nothing
 * is closed.
 */
void counters_read(const struct counters *c, struct reading *readings);

void counters_close(struct counters *c);

#endif
