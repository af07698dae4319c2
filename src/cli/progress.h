/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line on standard error's terminal that says how far a series of runs is, or how long running
 * tasks are counted already. It stands in a row of its own, the cursor at the start of the row below,
 * and is taken away again.
 *
 * The command writes to the same terminal whenever it likes. What it writes must not be mixed with the
 * line, nor taken away with it. So nothing is shown in its first run, which tells whether it writes
 * there: inotify(7) tells of writes to a terminal as to a file. If it does, there is no line at all. If
 * only a later run does, its text begins in a row of its own, the line stays above it, and no other one
 * is shown. While a command runs nothing is written, and nobody is woken up.
 */
#ifndef PSTAT_CLI_PROGRESS_H
#define PSTAT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* Append what there is to say at the moment; it is asked just before the line is drawn. */
typedef void progress_news(struct str *text, const void *data);

struct progress {
	bool on; /* what follows is of no meaning without it */
	int watch_fd; /* owned: readable when somebody has written to the terminal */
	bool shown;
	size_t warmups; /* runs before those that are counted */
	size_t runs; /* that are counted, all passes; 0: it is not known how many */
	size_t done; /* of both */
	uint64_t began_ns, drawn_ns; /* on CLOCK_MONOTONIC; drawn_ns 0: never */
	uint64_t ends_ns; /* when counting will be over, without runs; 0: unknown */
	progress_news *news; /* NULL: none */
	const void *data; /* for news */
};

/* A series of runs begins. */
void progress_begin(struct progress *p, size_t warmups, size_t runs);

/* What is said behind the times, from now on. */
void progress_tell_news(struct progress *p, progress_news *news, const void *data);

/* Running tasks are counted from now on; timeout_ms: for so long, 0: nobody knows. */
void progress_begin_attached(struct progress *p, unsigned int timeout_ms);

/* A run is about to start; a run has ended. */
void progress_run(struct progress *p);
void progress_ran(struct progress *p);

/* Some time has passed, and there is no command that could write. */
void progress_tick(struct progress *p);

/* Something else is about to be written to standard error; it has been. */
void progress_hide(struct progress *p);
void progress_resume(struct progress *p);

/* Take the line away: there is no further one. */
void progress_end(struct progress *p);

#endif
