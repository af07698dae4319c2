/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is counted: started, waited for, and sent the signals that were meant for it. It
 * finds everything as it would without pstat: environment, descriptors, signal mask and dispositions,
 * limits, session, process group, terminal and working directory.
 */
#ifndef PSTAT_COUNT_WORKLOAD_H
#define PSTAT_COUNT_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/str.h"
#include "count/child_setup.h"
#include "count/reading.h"

struct why;

struct workload {
	char *const *argv;
	const char *path; /* the program's file */
	char *found; /* owned: what workload_init() has found; NULL: nothing was looked for */
	const struct child_setup *child_setup; /* how the command is run; NULL: as pstat itself */
	int channel_fd; /* only the command inherits it, not what runs before and after; -1: none */
	bool exec_failed; /* there is no such program, or the kernel does not execute it */
	int killed_by; /* a signal that ended the command before its exec; 0: none did */
	int kill_error; /* errno of a signal that could not be sent; 0: none; the caller resets it */
	sigset_t mask; /* with which pstat was started, and which the command gets */
	sigset_t before; /* as it was when the workload took the signals, given back at its end */
	sigset_t awaited; /* SIGCHLD, and the signals that are meant for the command */
	struct rlimit limit; /* of descriptors, as the command gets it: pstat's own is raised */
	bool limit_known; /* otherwise neither pstat's limit nor the command's is changed */
	bool child_ignored; /* pstat was started with SIGCHLD ignored, and so is the command */
	bool stops_at_exec; /* the command is to stop behind its exec, before its first instruction */
	int interrupted; /* by Ctrl-C, or a signal for pstat: this one, and no further run is started; else 0 */
	bool alone; /* since the last run's end nothing can have counted: it has left nothing running */
	bool ended; /* pstat itself has asked the command to end */
	pid_t pid; /* of the running command, else 0 */
	int hold_fd; /* a held child runs on when this is written to */
	int signal_fd; /* readable when a signal waits to be taken */
	uint64_t start_ns; /* on CLOCK_MONOTONIC: when what is counted began */
	struct str_list known; /* children that are none of the command's, or were told already */
	struct str survivors; /* "1234 (name), …": left running by the last run */
};

/*
 * Get ready to run argv, which has to outlive w: find the program, take over the signals (until
 * workload_release()). An empty argv: there is no command, only the signals; one may come by
 * workload_use(). mask: the signal mask that the command is to have. 0; -ENOENT, -EACCES, -EISDIR with
 * why: there is no such program to run. w is to be released in any case.
 */
int workload_init(struct workload *w, char *const argv[], const sigset_t *mask, struct why *why);

/* From now on run argv, whose program is the file at path; both have to outlive w, or the next call. */
void workload_use(struct workload *w, char *const argv[], const char *path);

/* Take the pending signals. True if one of them, or an earlier one, asks pstat to end. */
bool workload_interrupted(struct workload *w);

/* Start a command that does not stop after its exec. 0, or -errno with why: of the exec if
 * w->exec_failed, otherwise of an earlier step. */
int workload_start(struct workload *w, struct why *why);

/* Start a child that waits before its exec, so that it can be opened by its pid. 0; -errno, why. */
int workload_start_held(struct workload *w, struct why *why);

/* Let the held child go on to its exec. 0, or -errno with why, as workload_start(). -ECHILD with
 * w->killed_by: a signal ended the child first. */
int workload_go_on(struct workload *w, struct why *why);

/*
 * With w->stops_at_exec, behind workload_go_on(): wait until the command stands still.
 * *entry: where its entry point is now. 0; -errno, with why: it runs no more.
 */
int workload_stopped(struct workload *w, uint64_t *entry, struct why *why);

/* Let the stopped command run. */
void workload_continue(struct workload *w);

/* End a command that is held, or stopped behind its exec, and that is not to run after all. */
void workload_drop(struct workload *w);

/* The clock starts now: just before the command does, or before its counters are switched on. */
void workload_begin(struct workload *w);

/* Nanoseconds since the start. */
uint64_t workload_elapsed(const struct workload *w);

/*
 * Run another program to its end, beside the command and not counted (--pre, --post); signals are
 * passed on to it, and what it leaves running is none of the command's. *wait_status as waitpid(2) gives it. 0; -errno, with why.
 */
int workload_aside(struct workload *w, char *const argv[], int *wait_status, struct why *why);

/*
 * Whether the command has ended. If so, the times and the status of run are filled, w->pid is 0, and
 * w->survivors names processes of the command that still run.
 */
bool workload_reap(struct workload *w, struct run *run);

/* Wait for a signal and take it: those sent to pstat alone are passed on to the command. */
void workload_await_signal(struct workload *w);

/* Wait for the command's end, if it runs. */
void workload_wait(struct workload *w, struct run *run);

/* Ask the command to end, by SIGTERM. */
void workload_end(struct workload *w);

/* For how long a signal that asks pstat to end waits for a result to be written. */
enum { WORKLOAD_PATIENCE_S = 2 };

/*
 * After the last run: signals do not end pstat while it writes results. But if it takes longer than
 * WORKLOAD_PATIENCE_S from when one has asked it to end (nobody reads the pipe), that signal does.
 */
void workload_begin_writing(struct workload *w);

/* Results are written: from now on no signal ends pstat before workload_release(). */
void workload_end_writing(void);

/* Stop taking signals, so that they can interrupt pstat again. Call this when all results are
 * written. A workload that is all zero may be released, too. */
void workload_release(struct workload *w);

#endif
