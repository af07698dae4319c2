/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting, while something is counted, for what ends the counting or divides it. */
#ifndef PSTAT_COUNT_WAITING_H
#define PSTAT_COUNT_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/control.h"
#include "count/lifelines.h"
#include "count/workload.h"

/* When things are to happen; in milliseconds, 0 for never. */
struct timing {
	unsigned int interval_ms;
	unsigned int interval_count; /* counting is over after so many intervals; 0: it is not */
	int delay_ms; /* switch the counters on so much later; -1: not at all */
	unsigned int timeout_ms;
	unsigned int
		progress_ms; /* tell, every now and then, that counting goes on; of no meaning for counts */
};

enum wake {
	WAKE_ENDED, /* the command has ended */
	WAKE_INTERRUPTED, /* there is no command, and a signal asks pstat to end */
	WAKE_GONE, /* there is no command, and the last task has ended */
	WAKE_TIMEOUT,
	WAKE_START, /* the delay is over */
	WAKE_TICK, /* an interval is over */
	WAKE_CONTROL, /* something has come by --control */
	WAKE_CHECK, /* time to see which CPUs are there */
	WAKE_PROGRESS, /* time to tell that counting goes on */
};

struct waiting {
	struct workload *workload;
	const struct timing *timing;
	struct control *control; /* NULL for none */
	struct lifelines *lifelines; /* NULL for none, and where a command's end is waited for */
	bool tasks_stir; /* a lifeline is to be looked at */
	bool checks; /* give WAKE_CHECK every now and then */
	int timer_fd; /* owned; -1 where no time is waited for */
	uint64_t origin_ns; /* of the grid of ticks and of the timeout, on CLOCK_MONOTONIC */
	uint64_t start_ns, check_ns, progress_ns; /* when the next one is due; 0: not at all */
	uint64_t ticks; /* how many intervals of the grid are over */
	uint64_t woke_ns; /* with WAKE_TICK: when, from the origin on */
	size_t late; /* with WAKE_TICK: how many ticks before it were missed */
};

/*
 * From the workload's start on. timing, control and lifelines have to outlive the waiting; where there
 * is a command, it is waited for, and not for the lifelines. 0 or -errno; to be released in any case.
 */
int waiting_begin(struct waiting *wait, struct workload *w, const struct timing *timing,
		  struct control *control, struct lifelines *lifelines, bool checks);

/* The next thing that happens. With WAKE_ENDED run holds the command's times and status. */
enum wake waiting_next(struct waiting *wait, struct run *run);

/* From now on no time is waited for. */
void waiting_forget_times(struct waiting *wait);

/* Nanoseconds since the grid's origin. */
uint64_t waiting_elapsed(const struct waiting *wait);

/* How many ticks are merged into a last block that ends at elapsed_ns, before one of its own. */
size_t waiting_missed(const struct waiting *wait, uint64_t elapsed_ns);

void waiting_release(struct waiting *wait);

#endif
