/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was read, of which event, where: plain data, the border between counting and judging. */
#ifndef PSTAT_COUNT_READING_H
#define PSTAT_COUNT_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "stats/scale.h"

enum count_state {
	COUNTED, /* ran all the time it was enabled: exact */
	SCALED, /* multiplexed: an estimate */
	NOT_COUNTED, /* never ran, or was 0 in the first task though children ran */
	NOT_SUPPORTED, /* could not be opened */
	FAILED, /* was opened, and could not be read or was put into an error state */
	ELSEWHERE, /* not in this run: in another pass of --no-multiplex */
};

/* Why a counter that was opened has no count. */
enum cause {
	CAUSE_NONE, /* no cause, or none except the state itself */
	CAUSE_READ, /* read(2) failed */
	CAUSE_ENABLE, /* the ioctl that switches the counter on failed */
	CAUSE_DISABLE, /* the ioctl that switches it off failed */
	CAUSE_UNREADABLE, /* the kernel ended the counting at the exec of a program: see program.h */
	CAUSE_SET_ID,
	CAUSE_CAPABILITIES,
	CAUSE_PARTLY_UNSEEN, /* the counters were not enabled for part of the user time */
};

struct reason {
	enum cause cause;
	int error; /* -errno of the system call that failed, or 0 */
};

struct reading {
	enum count_state state;
	struct counts counts; /* 0 unless COUNTED or SCALED; NOT_COUNTED has the times */
	struct reason reason; /* of FAILED and NOT_COUNTED */
};

/* How counts are split over what is counted. */
enum place_kind {
	PLACE_TARGET, /* not at all: all of the target */
	PLACE_CPU,
	PLACE_CORE,
	PLACE_CLUSTER,
	PLACE_CACHE,
	PLACE_DIE,
	PLACE_SOCKET,
	PLACE_NODE,
	PLACE_THREAD,
	PLACE_N,
};

struct place {
	enum place_kind kind;
	char *label; /* owned by the target: "CPU0", "S0-D0-C1", "comm-tid"; "" for all of the target */
};

/* How the opening of an event went, wherever it is counted. */
struct opening {
	bool user_only; /* narrowed to user mode, since the kernel may not be counted */
	bool apart; /* of a weak group that was taken apart: not counted together with the others */
	bool first_only; /* not inherited by the threads and processes that the tasks create */
	bool refused; /* could not be opened: NOT_SUPPORTED in every run */
	bool uncounted; /* opened, but without a count in some or all places and runs, see reason */
	char *reason; /* owned: why it was refused, narrowed, not inherited or not counted */
};

/* A row of the result: an event, and where. */
struct row {
	size_t event; /* index into the event list, and of its struct opening */
	size_t place_index; /* index into the target's places */
	struct place place;
	size_t counters; /* how many tasks or CPUs its event is counted on there; 0: it is not */
};

/* One run, of a command or of the time that a target was counted. */
struct run {
	struct reading *readings; /* owned: one for each row */
	uint64_t tool[TOOL_N]; /* by enum tool_event, in its unit */
	int wait_status; /* as waitpid(2) gives it; 0 without a command */
};

/* What was counted between two ticks of -I. */
struct interval {
	struct run run; /* of this block alone; of the tool's own events only the clock is known */
	size_t of_run; /* which of the series, from 0; who keeps the runs counts them */
	uint64_t at_ns; /* its end, from the start of the run */
	size_t late; /* how many ticks before it were missed, and are part of it */
};

#endif
