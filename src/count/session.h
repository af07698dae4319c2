/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting a command: open, run, read all, then close. For a command and all that it starts the
 * counters are opened once, on pstat itself, for any number of runs: each run's tasks inherit them
 * switched off, the command's exec switches them on, and its end folds them back, so that a run is
 * the difference of two readings. Beside them a sentinel stays open (see plan_sentinel()). For the
 * first task alone they are opened anew in each run, on the child before its exec. A breakpoint on a
 * symbol of a position-independent program is opened anew in each run, too, on the command while it
 * stands still behind its exec, since only then is the address known.
 */
#ifndef PSTAT_COUNT_SESSION_H
#define PSTAT_COUNT_SESSION_H

#include "count/opener.h"
#include "count/workload.h"

struct why;

struct session {
	struct opener opener;
	struct counters counters; /* of PLAN_ALL_TASKS, open from session_open() on */
	struct row *rows; /* owned: one for each event, the tool's own too */
	size_t rows_n;
	bool stops; /* some group has to be opened behind the exec */
};

/*
 * Prepare rows for the events, which have to outlive s, and, for PLAN_ALL_TASKS, open them. An event
 * that cannot be opened is marked in its row, with the reason, and the others go on. 0 or -ENOMEM.
 * s is to be closed in any case.
 */
int session_open(struct session *s, const struct machine *m, const struct event_list *events,
		 enum plan_inherit inherit, counters_watch *watch);

/* How many rows were refused. */
size_t session_refused(const struct session *s);

/*
 * Run the command once, and fill run, which is then the caller's to release with run_release().
 * opened, unless NULL, is called when something was opened and the command has not run yet: 0 lets it
 * run, anything else is returned. 0; -errno with why: the command did not start, nothing was counted.
 */
int session_run(struct session *s, struct workload *w, struct run *run,
		int (*opened)(const struct session *s, void *data), void *data, struct why *why);

/* Give the rows that were opened and that none of the runs has counted their reason. 0 or -ENOMEM. */
int session_explain(struct session *s, const struct run *runs, size_t runs_n);

void run_release(struct run *run);
void session_close(struct session *s);

#endif
