/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make a run: start the command or switch the counters on, wait, and read. */
#ifndef PSTAT_COUNT_SESSION_RUN_H
#define PSTAT_COUNT_SESSION_RUN_H

#include "count/session.h"

/* Called while the session counts. Each may be NULL. */
struct session_hooks {
	/* The counters are open, and the run has not begun. 0: begin the run; otherwise
	 * session_run() returns this value. */
	int (*opened)(const struct session *s, void *data);
	/* An interval is over. 0: go on; otherwise session_run() returns this value. */
	int (*interval)(const struct session *s, const struct interval *interval, void *data);
	/* All events are off at the start of a run, because of -D, or were switched on or off. */
	void (*switched)(bool on, void *data);
	void (*cpu)(int cpu, enum cpu_change change, void *data);
	void (*progress)(void *data); /* every timing.progress_ms */
	void (*unknown_command)(const char *line, void *data); /* of --control */
	void (*unknown_event)(const char *name, void *data); /* of "enable" or "disable" there */
	void (*list_events)(const char *options, void *data); /* "evlist" there */
	/* A signal could not be sent to the command: errno. pstat still waits for its end. */
	void (*not_signalled)(int error, void *data);
	/* The first answer of --control that was lost: errno. EAGAIN: the pipe is full. */
	void (*not_answered)(int error, void *data);
	void *data;
};

struct session_turn {
	struct workload *workload;
	const struct session_hooks *hooks;
	size_t round; /* from 0; all sides of a round open the groups in the same order */
	size_t pass; /* with --no-multiplex: which groups are counted */
};

/*
 * Run the workload's command once, or wait if there is none. Fills run; release it with
 * run_release(). 0; -errno with why: the command did not start, and nothing was counted; or the
 * result of a hook.
 */
int session_run(struct session *s, const struct session_turn *turn, struct run *run,
		struct why *why);

#endif
