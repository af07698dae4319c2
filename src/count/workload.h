/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is counted: start it, pass signals on to it, wait for its end. The command gets
 * the same environment, descriptors, signal mask and dispositions, limits, session, process group,
 * terminal and working directory as without pstat.
 */
#ifndef PSTAT_COUNT_WORKLOAD_H
#define PSTAT_COUNT_WORKLOAD_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/str.h"
#include "count/reading.h"
#include "machine/cpulist.h"

struct capture;
struct tracer;
struct why;

/*
 * The signals that pstat takes. They are passed on to the command, and some request that pstat end
 * its series. While pstat writes results, signals wait.
 */
struct signals {
	sigset_t mask; /* of pstat when it was started, and of the command */
	sigset_t before; /* of pstat before workload_init(), restored by workload_release() */
	sigset_t awaited; /* SIGCHLD, and the signals that are passed on to the command */
	bool child_ignored; /* pstat was started with SIGCHLD ignored; so is the command */
	int fd; /* owned: readable when a signal is pending */
	int interrupted; /* the signal that ends the series; 0: none */
	/* errno of a signal that was not passed on; 0: none; the caller resets it */
	int kill_error;
};

/* The time that pstat has to write its results after a signal that requests its end. */
enum { WORKLOAD_PATIENCE_S = 2 };

/*
 * The maximum number of letters in the variable PSTAT_PADDING, which moves the command's stack.
 * This number reaches every offset within a page of 4096 bytes.
 */
enum { WORKLOAD_PADDING_MAX = 4095 };

/* How the command differs from pstat. All zero: no differences. */
struct child_setup {
	const char *input; /* a file that each run reads from the beginning; NULL: pstat's own */
	bool discard; /* standard output and error are /dev/null */
	bool no_aslr;
	const struct cpulist *cpus; /* the only CPUs of the command; NULL: those of pstat */
	bool pads; /* the environment has the variable PSTAT_PADDING */
	/* Set by workload_init_child(): */
	int null_fd; /* owned: /dev/null, if the setup needs it; otherwise -1 */
	cpu_set_t *cpu_set; /* owned; NULL: those of pstat */
	size_t cpu_set_size; /* in bytes */
	/* Owned, for execve(2); its strings belong to environ, except padding. NULL: environ. */
	char **environment;
	char *padding; /* owned; NULL: not requested */
	size_t padding_n; /* letters of padding */
};

struct workload {
	/* The caller may change these two between runs. They have to outlive w. */
	char *const *argv;
	const char *path; /* the program's file */
	char *found; /* owned: the path that workload_init() found, or NULL */
	struct child_setup child_setup; /* may be initialised before workload_init() */
	bool others_to_stderr; /* pstat's standard output is not for --pre, --post, … */
	int channel_fd; /* the command inherits it, but --pre and --post do not; -1: none */
	bool exec_failed; /* the program does not exist, or the kernel does not execute it */
	int killed_by; /* a signal that ended the command before its exec; 0: none did */
	struct signals signals;
	struct rlimit limit; /* of descriptors for the command; pstat raises its own limit */
	bool limit_known; /* if false, neither limit is changed */
	bool stops_at_exec; /* the command stops after its exec, before its first instruction */
	bool checks_ids; /* workload_reap() finds out run->has_other_ids */
	struct tracer *tracer; /* not owned: it traces the command; NULL: nothing is traced */
	struct capture *capture; /* not owned: reads the output of the command; NULL: nothing */
	bool alone; /* no process outlived the last run, so no count has changed since */
	bool ended; /* pstat has sent the command SIGTERM */
	/* The command begins as a copy of pstat, which has little memory of its own (fork(2)), so
	 * that max_rss is the command's. Otherwise it begins with the peak of pstat (vfork(2)). */
	bool begins_as_copy;
	struct rusage used; /* by the process of the command before its exec */
	pid_t pid; /* of the running command; 0: none runs */
	int hold_fd; /* a byte written to it releases the held child */
	/* On CLOCK_MONOTONIC: the start of the counted time. The caller sets it just before the
	 * command starts, or before counters are switched on. */
	uint64_t start_ns;
	struct str_list known; /* children that do not belong to the command, or were reported */
	struct str survivors; /* "1234 (name), …": processes of the last run that still run */
};

/*
 * Check that runs are possible with this setup, and prepare it. If padding is requested, a
 * PSTAT_PADDING from an outer pstat is replaced. The strings of the setup and of environ have to
 * outlive it. 0; with why: -EINVAL, -ESPIPE (an input that cannot be read twice), or another -errno
 * of the input; -ENOMEM. workload_release() releases the setup in any case.
 */
int workload_init_child(struct child_setup *setup, struct why *why);

/* Set the number of letters for the next run: 0 … WORKLOAD_PADDING_MAX. The setup has padding. */
void workload_set_padding(struct child_setup *setup, size_t letters);

/*
 * Find the program of argv, and take signals from now on until workload_release(). argv has to
 * outlive w. If argv is empty, there is no command until the caller sets argv and path. mask: the
 * signal mask of the command. 0; -ENOENT, -EACCES, -EISDIR with why: there is no such program. Call
 * workload_release() in any case.
 */
int workload_init(struct workload *w, char *const argv[], const sigset_t *mask, struct why *why);

/* Take the pending signals. Returns true if one of them, or an earlier signal, requests that pstat
 * end. */
bool workload_interrupted(struct workload *w);

/* Start a command that does not stop after its exec. 0, or -errno with why. If w->exec_failed, the
 * exec failed; otherwise an earlier step. */
int workload_start(struct workload *w, struct why *why);

/* Whether the kernel would not give the program its privileges if pstat traced it. */
bool workload_loses_privileges(const struct workload *w);

/* Start a child that waits before its exec, so that counters can be opened on its pid. 0; -errno
 * with why. */
int workload_start_held(struct workload *w, struct why *why);

/* Let the held child continue to its exec. 0, or -errno with why, as workload_start(). -ECHILD with
 * w->killed_by: a signal ended the child first. */
int workload_exec_held(struct workload *w, struct why *why);

/*
 * With w->stops_at_exec, call this after workload_exec_held(): the command has stopped after its
 * exec. *entry: the address of its entry point in memory. 0; -errno, with why.
 */
int workload_find_entry(struct workload *w, uint64_t *entry, struct why *why);

/* Let the stopped command run. pstat no longer traces it. */
void workload_resume(struct workload *w);

/* End a command that is held or stopped after its exec, if an error prevents the run. */
void workload_kill(struct workload *w);

/*
 * Run another program to its end, without counting it (--pre, --post). Signals are passed on to it.
 * Processes that it leaves running do not belong to the command. *wait_status is the status from
 * waitpid(2). 0; -errno, with why.
 */
int workload_run_other(struct workload *w, char *const argv[], int *wait_status, struct why *why);

/*
 * Whether the command has ended. If so, the times and the status of run are filled, w->pid is 0,
 * and w->survivors names processes of the command that still run.
 */
bool workload_reap(struct workload *w, struct run *run);

/* Wait for a signal and take it. A signal that was sent only to pstat is passed on to the
 * command. */
void workload_await_signal(struct workload *w);

/* Wait for the end of the command, if it runs. */
void workload_wait(struct workload *w, struct run *run);

/* Send the command SIGTERM. */
void workload_terminate(struct workload *w);

/*
 * Call this after the last run. While pstat writes results, signals do not end it at once. If
 * writing takes longer than WORKLOAD_PATIENCE_S after a signal, the signal ends pstat. This
 * happens, for example, if nobody reads the pipe.
 */
void workload_begin_writing(struct workload *w);

/* The results are written. No signal ends pstat before workload_release(). */
void workload_end_writing(void);

/* Stop taking signals, so that they can interrupt pstat again. Call this when all results are
 * written. A workload that is all zero may be released, too. */
void workload_release(struct workload *w);

#endif
