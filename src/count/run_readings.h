/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readings of a run or an interval: the difference of two readings of its counters. */
#ifndef PSTAT_COUNT_RUN_READINGS_H
#define PSTAT_COUNT_RUN_READINGS_H

#include <stdint.h>

#include "count/session.h"
#include "machine/program.h"

/* If the kernel removes an event at an exec, the event's time enabled is less than this. */
#define AT_EXEC_NS UINT64_C(100000)

/* Why events are removed at the exec of a program that is guarded like this. */
enum cause run_readings_guard_cause(enum program_guard guard);

/* Which of pstat's own events are known. */
enum tools_known {
	TOOLS_ALL, /* the command has ended */
	TOOLS_CLOCK_ONLY, /* duration_time: there is no command, or it has not ended */
};

/* Fill run->readings from the readings before and after the run. run->tool has to be filled. */
void run_readings_fill(const struct session *s, enum tools_known tools,
		       const struct reading *before, const struct reading *after, struct run *run);

/*
 * Correct the times of counters in cgroups. At any switch, the kernel may add to the times of a
 * cgroup all the time since one of its events was last on the CPU (seen in Linux 6.18): to the time
 * enabled, or to both times. No counter is on for longer than elapsed_ns, which is the time from
 * the start of the first reading to the end of the second. The rest is cut off.
 */
void run_readings_limit_times(const struct session *s, uint64_t elapsed_ns, struct run *run);

#endif
