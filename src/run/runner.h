/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run all sides in rounds, and the programs around the runs: --setup, --pre, --post, --cleanup.
 * Each round runs every side once, so that a change of the machine affects all sides alike. The
 * runner prints nothing: it reports to an observer.
 */
#ifndef PSTAT_RUN_RUNNER_H
#define PSTAT_RUN_RUNNER_H

#include "count/capture.h"
#include "count/session_run.h"
#include "result/series.h"
#include "stats/random.h"

/* One of the commands that are run, the programs that run around it, and its series of runs. */
struct side {
	char *name; /* owned: the name that is shown */
	struct str_list words; /* the command, with a NULL after the last word; none: no command */
	char *path; /* owned: the path of its program; NULL: not searched yet */
	struct str_list setup, cleanup, pre, post; /* words of these programs; none: not given */
	struct series_parameters parameters; /* owned: of -L, the values of this side */
	struct provenance provenance; /* of the series; its strings are not owned */
	struct series series; /* the caller fills the settings, the runner adds the runs */
	bool is_set_up; /* --setup succeeded, so --cleanup has to run */
};

/*
 * Find the program of the side, unless it was found before. 0; -errno of program_find(), with why.
 */
int side_find_program(struct side *side, struct why *why);

void side_release(struct side *side);

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
	const char *text; /* why it was not started; NULL: it ran and failed */
	int wait_status; /* of a program that ran, as waitpid(2) gives it */
};

/* The runner calls these while it runs. Each of them has to be set. */
struct run_observer {
	struct session_hooks counting; /* for session_run(); the functions below get its data */
	void (*run_begins)(void *data);
	/* wait_status: 0 if the command succeeded, or if --timeout ended it and that is no failure.
	 * In comparisons it is one: see workload.ended. */
	void (*run_ended)(int wait_status, void *data);
	void (*run_interrupted)(void *data); /* the last run of the side is dropped after this */
	void (*step_failed)(const struct step_failure *failure, void *data);
	void (*failed)(const char *text, void *data); /* any other error that ends the series */
};

/* Why the series ended early, if no run failed. */
enum trouble {
	TROUBLE_NONE,
	/* a signal interrupted a step; workload.signals.interrupted is its number */
	TROUBLE_INTERRUPTED,
	TROUBLE_KILLED, /* workload.killed_by ended the command before its exec */
	TROUBLE_EXEC, /* the program was not found or not executed: see exec_error */
	TROUBLE_STEP, /* a step failed: --setup, --pre, --post or --cleanup */
	TROUBLE_PSTAT, /* memory ran out, or the kernel refused to start a command */
};

/* The caller fills the first part and opens the session; the rest begins as zero. */
struct runner {
	struct run_settings settings;
	struct run_observer observer;
	struct side *sides; /* the caller's: those of each case follow each other */
	size_t sides_n;
	size_t case_sides_n; /* the sides of each case; 0: there is only one case */
	struct workload workload;
	struct session session;
	struct random padding; /* seeded by the caller: sizes of the padding of environments */

	struct side *side; /* of the current run, or of the last one */
	bool warming_up;
	int status; /* exit status of the first run that failed, 128+n after signal n; 0: none */
	int wait_status; /* of the last run, as wait4(2) gives it */
	bool run_failed; /* a run failed and ended the series */
	enum trouble trouble;
	int exec_error; /* -errno of TROUBLE_EXEC */

	struct random random; /* the order of the sides */
	size_t *turns; /* owned: the sides in the order of the current round */
	size_t *run_sides; /* owned: the side of each run that was kept, in the order of the runs */
	size_t runs_n, runs_size;
};

/* The input of a stopping rule, after each round. */
struct rounds_done {
	const struct side *sides; /* all of them */
	size_t first, n; /* the sides of this round, n from first on */
	size_t rounds_n; /* the number of rounds of these sides, without the warmup */
	uint64_t elapsed_ns; /* the time of the rounds of all cases so far */
};

/* Whether these sides have enough runs. */
typedef bool rounds_rule(const struct rounds_done *done, void *data);

/* Run --setup of all sides. False if a program failed, which sets r->trouble, or if a signal
 * interrupted pstat. */
bool runner_setup_all(struct runner *r);

/* Run --cleanup of each side whose --setup succeeded and that has not been cleaned up yet. A
 * failure sets r->trouble. */
void runner_cleanup_all(struct runner *r);

/*
 * Run a side once, and hash its standard output. The run is not kept, as in the warmup. Returns
 * whether the series goes on.
 */
bool runner_hash_output(struct runner *r, struct side *side, struct output_hash *hash);

/*
 * Run the warmup, then rounds until is_enough returns true. With several cases, each round runs the
 * sides of one case. The cases that need more rounds have one each, in a random order; then
 * is_enough is called for each of them. The same seed gives the same rounds. With ORDER_SEQUENTIAL,
 * each round has only one side, and --setup and --cleanup of a side run before and after its runs;
 * otherwise the caller runs them. False if the series ended early: then
 * r->run_failed or r->trouble is set, or a signal interrupted pstat.
 */
bool runner_run(struct runner *r, rounds_rule *is_enough, void *data);

/* Release what is owned, but not the workload and the session. */
void runner_release(struct runner *r);

#endif
