/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job that counts: one command, several commands in turn, or running tasks and CPUs. */
#ifndef PSTAT_JOB_COUNTING_H
#define PSTAT_JOB_COUNTING_H

#include "job/events.h"
#include "job/history_gates.h"
#include "job/sides.h"
#include "options/options.h"
#include "output/message.h"
#include "output/outputs.h"
#include "output/progress.h"
#include "run/runner.h"

struct counting {
	const struct options *options;
	struct machine machine;
	struct wanted wanted;
	struct target target;
	struct control control;
	struct outputs outputs;
	struct provenance provenance; /* of the result, if the outputs show it */
	struct sides sides; /* one, unless commands are compared with each other */
	const struct baseline *baseline; /* the saved reference; NULL: none */
	struct history_gates history; /* of --history */
	struct runner runner;
	struct cpulist cpu_list;
	struct progress progress;
	size_t *units; /* owned: for --no-multiplex, the number of each group's unit */
	size_t missed_intervals; /* of -I */
	size_t printed_runs; /* the number of runs that were printed as they ended */
};

static inline bool counting_compares(const struct counting *counting)
{
	return options_is_comparison(counting->options);
}

/* Whether run i belongs to the same round on all sides of the comparison. */
static inline bool counting_is_paired(const struct counting *counting)
{
	return counting->runner.settings.order != ORDER_SEQUENTIAL && !counting->baseline;
}

/*
 * Prepare everything that does not depend on the events: the machine, the commands and the result
 * files. Returns 0, or -errno with why. The caller releases counting in any case.
 */
int counting_prepare(struct counting *counting, struct why *why);

/* Take over the signals. mask: the signal mask of the commands. 0; -errno with why. */
int counting_take_over(struct counting *counting, const sigset_t *mask, struct why *why);

/* Open the counters, check whether the events fit the PMU, and begin the series of each side. 0;
 * -errno with why. */
int counting_open(struct counting *counting, struct why *why);

void counting_release(struct counting *counting);

/* The exit status if something other than a failed run ended the series early; 0: nothing did. */
int counting_trouble_status(const struct counting *counting);

#endif
