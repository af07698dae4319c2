/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From two readings of the counters to what was counted between them. */
#ifndef PSTAT_COUNT_SAMPLES_H
#define PSTAT_COUNT_SAMPLES_H

#include "count/session.h"

/* Which of the tool's own events the run knows. */
enum tools_known {
	TOOLS_ALL, /* a command's, at its end */
	TOOLS_CLOCK_ONLY, /* duration_time: there is no command, or it has not ended */
};

/* Fill run->samples from the readings before and after; run->tool is filled already. */
void samples_finish(const struct session *s, enum tools_known tools, const struct sample *before,
		    const struct sample *after, struct run *run);

#endif
