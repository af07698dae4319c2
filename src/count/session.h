/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting: open the counters, run, read all of them, close them.
 *
 * For a command with all its children, the counters are opened once for any number of runs, on
 * pstat itself. The tasks of each run inherit them switched off, and the command's exec switches
 * them on. When a task ends, the kernel adds its counts to those of pstat. A run is thus the
 * difference of two readings. A sentinel stays open with these counters, see
 * opener_sentinel_attr().
 *
 * Counters are opened in each run, on the child before its exec, if
 *	they count only the first task
 *	they are switched while the command runs, also because they take turns
 *	pstat starts other programs, such as --pre, which must not inherit the counters
 *
 * A breakpoint on a symbol of a position-independent program is also opened in each run. Its
 * address is known only after the exec, and the command is stopped there for this.
 *
 * With a row for each thread or process of a command, counters are opened on each of them
 * (count/follow.h), and the number of rows grows during a run.
 *
 * Counters on tasks and CPUs are opened once, and switched on and off for each run.
 */
#ifndef PSTAT_COUNT_SESSION_H
#define PSTAT_COUNT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/control.h"
#include "count/loop.h"
#include "count/opener.h"
#include "count/passes.h"
#include "count/sampler.h"
#include "count/tracer.h"
#include "count/turns.h"
#include "count/watch.h"
#include "count/workload.h"
#include "machine/program.h"

struct why;

/* When something happens during a run, in milliseconds; 0: never. */
struct timing {
	unsigned int interval_ms;
	unsigned int interval_count; /* counting ends after this number of intervals; 0: no limit */
	int delay_ms; /* counters are switched on after this time; -1: never */
	unsigned int timeout_ms;
	unsigned int progress_ms; /* how often the hook progress is called */
};

/* What to count, and how. All pointers have to outlive the session. */
struct session_setup {
	const struct machine *machine;
	const struct event_list *events;
	struct target *target;
	enum counter_inherit inherit;
	bool has_command; /* also if tasks or CPUs are counted while it runs */
	bool reopens; /* pstat starts other programs, which must not inherit the counters */
	/* With --no-multiplex, the unit of each group, or NULL. The groups of a unit are counted in
	 * one pass, unless the PMU cannot hold them. */
	const size_t *units;
	/* no turns: the kernel rotates the groups, and counts are scaled by time, or not at all */
	bool perf_scaling;
	struct timing timing;
	struct control *control; /* NULL: none */
	open_call_observer *watch; /* NULL: none */
};

/* Descriptors kept for writing the result: a folder, a file, the file that it replaces, a spare. */
enum { SESSION_RESERVE = 4 };

/* How an event was switched last, by pstat or by --control. */
enum switched {
	/* as it was opened: a leader is off, a member counts while its leader is on */
	SWITCHED_NOT,
	SWITCHED_ON,
	SWITCHED_OFF, /* by its name: a member then stays off while its leader is on */
};

/* A task that has counters and has not ended. */
struct followed {
	pid_t tid;
	pid_t process; /* the task's process */
	size_t place_index; /* the present place of its counts */
	int error; /* -errno: its counters could not be opened; 0: they are open */
	struct counters counters; /* owned; their rows are those of the first place: the events */
	struct reading *counted; /* owned: for each event, the counts that are in a place already */
	uint64_t clock_counted_ns; /* the part of counters_clock_ns() that is in a place already */
	enum program_guard guard; /* of the program */
	bool untraced; /* so the kernel guards it for certain */
	int faults_fd; /* counts the page faults of this task; -1: none */
};

/* A task that has been created, and has not stopped yet. */
struct creation {
	pid_t child;
	size_t place_index; /* of its creator; PLACE_NONE: unknown */
};

/* The tasks of a command that is followed (count/follow.h). All zero: nothing is followed. */
struct follow {
	bool on; /* during a run */
	bool by_process; /* false: each thread is a place */
	bool has_executed; /* the command */
	bool is_over; /* counting has ended: tasks are only traced */
	enum counter_inherit inherit; /* of the counters on a task */
	const struct workload *workload; /* of the current run */
	pid_t command;
	struct tracer tracer;
	struct tracer_hooks hooks;
	struct creation *creations; /* owned */
	size_t creations_n, creations_size;
	struct followed *tasks; /* owned */
	size_t tasks_n, tasks_size;
	/* Owned: of each row, in this run. ELSEWHERE: no task was there. */
	struct reading *readings;
	size_t rows_n, rows_size; /* the number of readings */
	/*
	 * Tasks that are not traced (CLONE_UNTRACED) have no row. Their page faults in user mode
	 * reveal them: all tasks inherit faults_fd, and each followed task also has a counter of
	 * its own. A traced task has no such fault before its first stop.
	 */
	int faults_fd; /* -1: none */
	uint64_t faults; /* of the followed tasks */
	bool faults_off; /* these counters are switched off */
	bool faults_lost; /* some of them could not be opened or read */
	int trace_error; /* -errno: the command could not be traced in this run */
	/* For notes, about all runs: */
	int first_trace_error; /* 0: none */
	int faults_error; /* -errno: why they were not counted in some run; 0: no note */
	struct str untraced; /* programs that were not traced: "gdb, sudo" */
	struct str deprived; /* programs that gained no privileges, because they were traced */
};

/* The passes of session.lasting: two jobs. */
enum { REOPENED, LASTING };

struct session {
	struct session_setup setup;
	struct opener opener;
	struct open_job job; /* how counters are opened now; copies of it name the scopes */
	struct probe_events probes;
	struct counters counters;
	struct counters exec_counters; /* opened on the command after its exec */
	struct cpu_watch cpu_watch;
	struct task_watch task_watch;
	struct loop loop;
	int reserve[SESSION_RESERVE]; /* owned */
	size_t reserve_n;
	struct row *rows; /* owned: one for each event and place, with pstat's own events */
	size_t rows_n, rows_size;
	struct opening *openings; /* owned: one for each event */
	struct reading *previous; /* owned: the last reading of each row, as the kernel gives it */
	bool has_previous; /* previous[] is from the end of the previous run */
	size_t *passes; /* owned: the pass of each group; NULL: there is one pass */
	size_t passes_n;
	struct budget budget; /* with passes or turns: how the events fit the PMU */
	struct turns turns;
	bool reopens; /* the counters are opened in each run, on the command */
	bool stops_at_exec; /* some group has to be opened after the exec */
	bool follows; /* each thread or process of the command is a place */
	struct follow follow;
	const char *program; /* the file of the last run's command */
	enum switched *switched; /* owned: one for each event */
	bool *shares; /* owned: one for each event, see session_find_shares() */
	struct sampler sampler;
	uint64_t online_cpus; /* 0: not known yet */
	/* how much the times of counters that are enabled together may differ, because pstat does
	 * not switch and read them at the same instant */
	uint64_t skew_ns;
	bool multiplexed; /* in some run, an event was off the PMU */
	size_t multiplexed_round; /* the first such round */
	/* If some groups are slow to open: LASTING for these groups, which stay open for all runs,
	 * and REOPENED for the others. Otherwise NULL. */
	size_t *lasting; /* owned: one for each group, like open_job.passes */
	size_t lasting_counters_n, lasting_groups_n;
	bool was_on; /* some event has been switched on */
	bool switched_by_name; /* in this run or with these counters: not enabled together */
	bool not_answered; /* an answer of --control was lost */
};

/*
 * Make rows for the events, and open the events unless each run opens them. If an event cannot be
 * opened, its opening has the reason, and the other events are opened. 0; -ESRCH, with why: all the
 * tasks have ended; -ENOMEM. Call session_close() in any case.
 */
int session_open(struct session *s, const struct session_setup *setup, struct why *why);

/* Open session.job on n scopes of the target. 0 or -ENOMEM. */
int session_open_counters(struct session *s, struct scope *scopes, size_t n);

/* Whether an event that was not refused uses a counter of the PMU. */
bool session_needs_counters(const struct session *s);

/* If a clock is missing, the time that a counter was off is unknown: end the turns, and leave the
 * rotation to the kernel. Returns whether it ended them. */
bool session_end_turns_without_clock(struct session *s);

/* Whether the target is tasks, and the last one has ended. */
bool session_tasks_have_ended(struct session *s);

/* The number of CPUs that are online, as found by the first call in a run. */
uint64_t session_online_cpus(struct session *s);

/*
 * Find the events whose counters on a task may be multiplexed: s->shares. They are enabled
 * together, see reading_share_time(). After a turn has ended, events that take turns are not among
 * them. Returns whether there is any; false if a name was switched.
 */
bool session_find_shares(struct session *s);

/* The set of the event (struct turns); PASS_ALL: it takes no turns. */
size_t session_set_of(const struct session *s, size_t event);

/* Switch new counters, from this group on, like the open counters of the same events. */
void session_switch_new(const struct session *s, struct counters *c, size_t first_group);

/* The number of events that were refused. */
size_t session_refused(const struct session *s);

enum session_reasons {
	REASONS_ALL,
	REASONS_OF_FAILURES, /* for an interval, because an event need not run in every interval */
};

/*
 * Set the reason of each event that was opened but did not count in any run, and of each event with
 * a counter that failed: it could not be read or switched. Withhold the readings of a tracepoint
 * that may happen only in the kernel, if only user mode is counted and no run saw it. 0 or -ENOMEM.
 */
int session_explain(struct session *s, const struct run *runs, size_t runs_n,
		    enum session_reasons reasons);

void run_release(struct run *run);

/* Reserve up to SESSION_RESERVE descriptors before the counters use all of them. */
void session_keep_reserve(struct session *s);

/*
 * After the last run: close the reserved descriptors, for writing the result. The counters stay
 * open until session_close(): closing many function probes takes seconds, and the result should not
 * wait for that. Signals have to be blocked until then: if a signal ended pstat, events would stay
 * in tracefs.
 */
void session_release_reserve(struct session *s);

/* Close all counters, and remove the events in tracefs. The openings and rows stay valid. */
void session_close_counters(struct session *s);

void session_close(struct session *s);

#endif
