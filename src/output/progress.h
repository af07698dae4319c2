/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The progress line: one line on the terminal of standard error that shows how far a series of
 * runs is, or for how long running tasks have been counted. The line has its own row. The cursor
 * stays at the start of the row below, and the line is cleared at the end.
 *
 * The command may write to the same terminal at any time. Its text must not mix with the line, and
 * must not be cleared with it. So there is no line during the first run, which shows whether the
 * command writes there: inotify(7) reports writes to a terminal as it does for a file. If the
 * command writes, there is no line at all. If only a later run writes, its text begins in its own
 * row, the line stays above it, and no other line follows. While a command runs, pstat neither
 * writes nor wakes up.
 */
#ifndef PSTAT_OUTPUT_PROGRESS_H
#define PSTAT_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

struct progress {
	bool on; /* otherwise the other members mean nothing */
	int watch_fd; /* owned: readable after another program has written to the terminal */
	bool shown;
	struct progress_plan {
		size_t warmups; /* number of runs before those that are kept */
		size_t runs; /* number of runs that are kept, with all passes; 0: unknown */
		bool at_least; /* runs is only the minimum */
		uint64_t limit_ns; /* after the minimum, the runs end at this time at the latest */
		unsigned int timeout_ms; /* how long running tasks are counted; 0: unknown */
		/* Append text after the times, just before the line is drawn. NULL: none. */
		void (*add_text)(struct str *text, const void *data);
		const void *data;
	} plan;
	size_t done; /* number of runs so far, with the warmup */
	uint64_t began_ns, drawn_ns; /* on CLOCK_MONOTONIC; drawn_ns: 0 before the line is drawn */
	uint64_t ends_ns; /* when counting of running tasks ends; 0: unknown */
};

/* Begin a series of runs, or to count running tasks. p has to exist until progress_end(). */
void progress_begin(struct progress *p, struct progress_plan plan);

/* Before and after each run. */
void progress_run(struct progress *p);
void progress_ran(struct progress *p);

/* Some time has passed, and no command runs that could write. */
void progress_tick(struct progress *p);

/* Clear the line. No other line follows. */
void progress_end(struct progress *p);

/* Before and after a message: clear the line, which the next tick draws again. */
void progress_before_message(void);
void progress_after_message(void);

#endif
