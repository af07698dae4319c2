/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line on the terminal of standard error that shows how far a series of runs is, or for how
 * long running tasks have been counted. The line has its own row. The cursor stays at the start of
 * the row below, and the line is cleared at the end.
 *
 * The command may write to the same terminal at any time. Its text must not mix with the line, and
 * must not be cleared with it. So there is no line during the first run, which shows whether the
 * command writes there: inotify(7) reports writes to a terminal as it does for a file. If the
 * command writes, there is no line at all. If only a later run writes, its text begins in its own
 * row, the line stays above it, and no other line follows. While a command runs, pstat neither
 * writes nor wakes up.
 */
#ifndef PSTAT_CLI_PROGRESS_H
#define PSTAT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* Append text to the line, just before it is drawn. */
typedef void progress_news(struct str *text, const void *data);

struct progress {
	bool on; /* otherwise the other members mean nothing */
	int watch_fd; /* owned: readable after somebody has written to the terminal */
	bool shown;
	size_t warmups; /* number of runs before those that are kept */
	size_t runs; /* number of runs that are kept, with all passes; 0: unknown */
	size_t done; /* number of runs so far, with the warmup */
	uint64_t began_ns, drawn_ns; /* on CLOCK_MONOTONIC; drawn_ns: 0 before the line is drawn */
	uint64_t ends_ns; /* when counting of running tasks ends; 0: unknown */
	progress_news *news; /* NULL: none */
	const void *data; /* for news */
};

/* Begin a series of runs. */
void progress_begin(struct progress *p, size_t warmups, size_t runs);

/* From now on, add this text after the times. */
void progress_set_news(struct progress *p, progress_news *news, const void *data);

/* Begin to count running tasks, for timeout_ms; 0: unknown. */
void progress_begin_attached(struct progress *p, unsigned int timeout_ms);

/* Before and after each run. */
void progress_run(struct progress *p);
void progress_ran(struct progress *p);

/* Some time has passed, and no command runs that could write. */
void progress_tick(struct progress *p);

/* Before and after another text is written to standard error. */
void progress_hide(struct progress *p);
void progress_resume(struct progress *p);

/* Clear the line. No other line follows. */
void progress_end(struct progress *p);

#endif
