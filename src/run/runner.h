/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a command, and the programs around it: --setup, --pre, --post, --cleanup. The runner
 * prints nothing: it reports to an observer.
 */
#ifndef PSTAT_RUN_RUNNER_H
#define PSTAT_RUN_RUNNER_H

#include "count/session.h"
#include "run/side.h"
#include "stats/permutation.h"

/* The order in which several sides run. */
enum round_order {
	ORDER_RANDOM, /* each round runs every side once, in a random order */
	ORDER_ALTERNATE, /* every second round reverses the order of the sides */
	ORDER_SEQUENTIAL, /* all runs of one side, then all runs of the next */
};

/* What happens to a run that fails or is interrupted. A run during the warmup is never kept. */
enum bad_runs {
	BAD_RUNS_KEPT, /* but an interrupted run is dropped if there are other runs */
	BAD_RUNS_DROPPED,
};

struct run_settings {
	enum round_order order;
	uint64_t seed; /* of the order, and of the padding of environments */
	unsigned int warmups; /* rounds before the first one that is kept */
	enum bad_runs bad_runs;
	bool ignore_failure; /* continue after a command that failed */
	bool sync; /* write the page cache to the disks before each run */
};

enum step { STEP_SETUP, STEP_PRE, STEP_POST, STEP_CLEANUP };

/* A program around the runs that failed. */
struct step_failure {
	enum step step;
	const char *program;
	const char
		*text; /* why it was not started; NULL: it ran, and wait_status says how it ended */
	int wait_status; /* as waitpid(2) gives it */
};

/* The runner calls these while it runs. Each of them has to be set. */
struct run_observer {
	struct session_hooks
		counting; /* passed to session_run(); all functions below get its data, too */
	void (*run_begins)(void *data);
	/* wait_status: 0 if the run succeeded, or if --timeout ended the command. */
	void (*run_ended)(int wait_status, void *data);
	void (*run_interrupted)(void *data); /* the last run of the side is dropped after this */
	void (*step_failed)(const struct step_failure *failure, void *data);
	void (*failed)(const char *text, void *data); /* any other error that ends the series */
};

/* Why the series ended early, if no run failed. */
enum trouble {
	TROUBLE_NONE,
	TROUBLE_INTERRUPTED, /* a signal interrupted a step; workload.interrupted is its number */
	TROUBLE_KILLED, /* workload.killed_by ended the command before its exec */
	TROUBLE_EXEC, /* the program was not found or not executed: see exec_error */
	TROUBLE_PSTAT, /* a step failed, memory ran out, or the kernel refused to start a command */
};

/* The caller fills the first part and opens the session; the rest begins as zero. */
struct runner {
	struct run_settings settings;
	struct run_observer observer;
	struct side *sides; /* the caller's */
	size_t sides_n;
	struct workload workload;
	struct session session;
	struct child_setup child_setup; /* owned; used if the workload points to it */
	struct random padding; /* seeded by the caller: sizes of the padding of environments */

	struct side *side; /* of the current run, or of the last one */
	bool warming_up;
	int status; /* exit status of the first run that failed, 128+n after signal n; 0: none */
	bool run_failed; /* a run failed and ended the series */
	enum trouble trouble;
	int exec_error; /* -errno of TROUBLE_EXEC */
};

/*
 * Run --setup of the side, or --cleanup if --setup has succeeded. False if the program failed,
 * which sets r->trouble, or if a signal interrupted pstat.
 */
bool runner_setup(struct runner *r, struct side *side);
bool runner_cleanup(struct runner *r, struct side *side);

/* Run --setup or --cleanup of all sides. runner_setup_all() stops at the first failure. */
bool runner_setup_all(struct runner *r);
void runner_cleanup_all(struct runner *r);

/* Find the program of the side. False if there is none, which sets r->trouble. */
bool runner_find_program(struct runner *r, struct side *side);

/*
 * Run the side once, between --pre and --post, and keep the run unless r->warming_up. Returns
 * whether the series continues. If it does not, r->run_failed or r->trouble is set, or a signal
 * interrupted pstat.
 */
bool runner_run(struct runner *r, struct side *side);

/* Report that memory ran out, and set r->trouble. */
void runner_out_of_memory(struct runner *r);

#endif
