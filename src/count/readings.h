/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From two readings of the counters to what was counted between them. */
#ifndef PSTAT_COUNT_READINGS_H
#define PSTAT_COUNT_READINGS_H

#include "count/session.h"

/* Which of the tool's own events the run knows. */
enum tools_known {
	TOOLS_ALL, /* a command's, at its end */
	TOOLS_CLOCK_ONLY, /* duration_time: there is no command, or it has not ended */
};

/* Fill run->readings from the readings before and after; run->tool is filled already. */
void readings_finish(const struct session *s, enum tools_known tools, const struct reading *before,
		     const struct reading *after, struct run *run);

/*
 * With cgroups: the kernel's time of one may gain, at any of its switches, all that has passed since an
 * event was last on there (seen in Linux 6.18), in both times or in that enabled alone. No counter is on
 * for longer than the elapsed_ns from the begin of the first reading to the end of the second: what lies
 * above it is cut off.
 */
void readings_limit_times(const struct session *s, uint64_t elapsed_ns, struct run *run);

#endif
