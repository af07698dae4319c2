/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "stats/effect.h"

enum { HARDWARE_IDS = 0xffffffff }; /* above them, the PMU of a hybrid machine */

static bool is_repeatable(const struct event *event)
{
	unsigned long long config = event->attr.config;

	switch (event->attr.type) {
	case PERF_TYPE_HARDWARE:
		config &= HARDWARE_IDS;
		return config == PERF_COUNT_HW_INSTRUCTIONS ||
		       config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	case PERF_TYPE_SOFTWARE:
		return config == PERF_COUNT_SW_PAGE_FAULTS ||
		       config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       config == PERF_COUNT_SW_ALIGNMENT_FAULTS ||
		       config == PERF_COUNT_SW_EMULATION_FAULTS;
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return true;
	default: /* as processors' manuals name them: INST_RETIRED, BR_INST_RETIRED, inst_retired */
		return event->probed || strncasecmp(event->name, "inst", 4) == 0 ||
		       strncasecmp(event->name, "br_inst", 7) == 0;
	}
}

double effect_minimum(const struct event *event)
{
	if (event->tool != TOOL_NONE)
		return event->tool == TOOL_MINOR_FAULTS ? 0.001 : 0.01;
	return is_repeatable(event) ? 0.001 : 0.01;
}
