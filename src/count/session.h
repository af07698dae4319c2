/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting: open, run, read all, then close. For a command and all that it starts the counters are
 * opened once, on pstat itself, for any number of runs: each run's tasks inherit them switched off,
 * the command's exec switches them on, and its end folds them back, so that a run is the difference
 * of two readings. Beside them a sentinel stays open (see plan_sentinel()). Where that is not enough
 * (the first task alone, counters that are switched while the command runs, programs that run beside
 * it) they are opened anew in each run, on the child before its exec. A breakpoint on a symbol of a
 * position-independent program is opened anew in each run, too, on the command while it stands still
 * behind its exec, since only then is the address known. On tasks and CPUs counters are opened once,
 * and are switched on and off for each run.
 */
#ifndef PSTAT_COUNT_SESSION_H
#define PSTAT_COUNT_SESSION_H

#include "count/control.h"
#include "count/hotplug.h"
#include "count/loop.h"
#include "count/opener.h"
#include "count/task_watch.h"
#include "count/workload.h"

struct why;

/* When something happens while counting, in milliseconds; 0: never. */
struct timing {
	unsigned int interval_ms;
	unsigned int interval_count; /* counting ends after this many intervals; 0: no limit */
	int delay_ms; /* counters are switched on after this time; -1: never */
	unsigned int timeout_ms;
	unsigned int progress_ms; /* how often to call the hook progress */
};

/* What to count, and how; all that is pointed to has to outlive the session. */
struct session_setup {
	const struct machine *machine;
	const struct event_list *events;
	struct target *target;
	enum plan_inherit inherit;
	bool has_command; /* beside tasks or CPUs, too */
	bool anew; /* other programs run beside the command, and must not inherit its counters */
	const size_t
		*units; /* with --no-multiplex: groups with the same number stay in one pass; else
			      * NULL */
	struct timing timing;
	struct control *control; /* NULL for none */
	counters_watch *watch; /* NULL for none */
};

/*
 * Descriptors kept for writing the result: a folder, a file, the file that it replaces, and one
 * to spare.
 */
enum { SESSION_RESERVE = 4 };

struct session {
	struct session_setup setup;
	struct opener opener;
	struct probe_events probes;
	struct counters counters;
	struct counters late; /* those of a command that stood still behind its exec */
	struct hotplug hotplug;
	struct task_watch task_watch;
	struct loop loop;
	int reserve[SESSION_RESERVE]; /* owned */
	size_t reserve_n;
	struct row *rows; /* owned: place by place one for each event, the tool's own too */
	size_t rows_n;
	struct opening *openings; /* owned: one for each event */
	struct reading
		*previous; /* owned: the last one of the run before, of counters that stayed open */
	bool has_reading;
	size_t *passes; /* owned: of each group; NULL: there is one */
	size_t passes_n;
	bool anew; /* opened in each run, on the command itself */
	bool stops; /* some group has to be opened behind the exec */
	const char *program; /* the file of the last run's command */
	bool on; /* the counters that counters_switch() switches are on */
	bool was_on; /* at some moment of some run */
};

/* What the session tells while it counts. Each may be NULL. */
struct session_hooks {
	/* Something was opened and nothing runs yet: 0 lets it run, anything else is returned. */
	int (*opened)(const struct session *s, void *data);
	/* An interval is over. 0, or what session_run() is to return. */
	int (*interval)(const struct session *s, const struct interval *interval, void *data);
	void (*cpu)(int cpu, enum hotplug_change change, void *data);
	void (*progress)(void *data); /* timing.progress_ms have passed */
	void (*misunderstood)(const char *line, void *data); /* no command of --control */
	/* A signal could not be sent to the command, with this errno. pstat still waits for its
	 * end. */
	void (*not_signalled)(int error, void *data);
	void *data;
};

/*
 * Prepare rows for the events and, unless they are opened in each run, open them. An event that
 * cannot be opened is marked, with the reason, and the others go on. 0; -ESRCH, with why: all the
 * tasks have ended; -ENOMEM. s is to be closed in any case.
 */
int session_open(struct session *s, const struct session_setup *setup, struct why *why);

/* Whether counters are switched while the command runs. */
bool session_is_switched(const struct session_setup *setup);

/* How many events were refused. */
size_t session_refused(const struct session *s);

/*
 * Run the workload's command once, or wait where there is none, and fill run, which is then the
 * caller's to release with run_release(). With --no-multiplex s->opener.pass says what is counted.
 * 0; -errno with why: the command did not start, nothing was counted; or what a hook returned.
 */
int session_run(struct session *s, struct workload *w, struct run *run,
		const struct session_hooks *hooks, struct why *why);

/* Set the reason of each event that was opened but not counted in any run, or that could not be
 * read or switched at some place in some run. 0 or -ENOMEM. */
int session_explain(struct session *s, const struct run *runs, size_t runs_n);

/* The same for one interval, but only for failures: an event need not run in every interval. */
int session_explain_interval(struct session *s, const struct run *run);

void run_release(struct run *run);

/*
 * Keep descriptors for later, before the counters take all. If there are fewer, there is no
 * reserve.
 */
void session_keep_reserve(struct session *s);

/*
 * After the last run: give back the descriptors that were kept for writing the result. The
 * counters stay open until session_close(): closing many function probes takes the kernel
 * seconds, and the result should not wait for that. Signals have to be blocked until then: if
 * one ended pstat, events would stay in tracefs.
 */
void session_give_back(struct session *s);

/* Close all counters and remove what was made in tracefs. The openings and counts stay. */
void session_end(struct session *s);

void session_close(struct session *s);

#endif
