/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was read, of which event, where: plain data, the border between counting and judging. */
#ifndef PSTAT_COUNT_READING_H
#define PSTAT_COUNT_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

/* One counter over one run (perf_event_open(2), "Reading results"). */
struct counts {
	uint64_t raw; /* what the counter saw while it was on the PMU */
	uint64_t enabled_ns;
	uint64_t running_ns; /* less than enabled_ns: multiplexed */
};

enum count_state {
	COUNTED, /* ran all the time it was enabled: exact */
	SCALED, /* multiplexed: an estimate */
	NOT_COUNTED, /* never ran */
	NOT_SUPPORTED, /* could not be opened */
	FAILED, /* was opened, and could not be read or was put into an error state */
};

struct sample {
	enum count_state state;
	struct counts counts; /* 0 unless COUNTED or SCALED; of NOT_COUNTED, the time enabled */
};

/* How a count is split over the machine. */
enum where_kind {
	WHERE_TARGET, /* not at all: all of the target */
};

struct where {
	enum where_kind kind;
};

/* A row of the result: an event, and where. */
struct row {
	size_t event; /* index into the event list */
	struct where where;
	bool user_only; /* narrowed to user mode, since the kernel may not be counted */
	bool apart; /* of a weak group that was taken apart: not counted together with the others */
	bool refused; /* could not be opened: NOT_SUPPORTED in every run */
	char *reason; /* owned: why it was refused or narrowed; NULL where it was not */
};

/* One run of the command. */
struct run {
	struct sample *samples; /* owned: one for each row */
	uint64_t tool[TOOL_N]; /* by enum tool_event, in its unit */
	int wait_status; /* as waitpid(2) gives it */
};

#endif
