/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --history: earlier results, and the gates whose limits follow from them. */
#ifndef PSTAT_JOB_HISTORY_GATES_H
#define PSTAT_JOB_HISTORY_GATES_H

#include "options/options.h"
#include "result/history.h"
#include "stats/rmath.h"

struct why;

/* All zero: there is no --history. */
struct history_gates {
	struct history history;
	/* Owned: the gates of the options with the limits of the history. Their texts and names
	 * belong to the options. */
	struct gate_request *requests;
	struct math math; /* for one command */
	enum gate_outcome outcome; /* of one command */
};

/*
 * If --history is given, open it and set the limits of the gates. For one command, the limits of
 * its rows are set by history_gates_judge(). 0; -errno with why. The caller releases g in any case.
 */
int history_gates_init(struct history_gates *g, const struct options *o, struct why *why);
void history_gates_release(struct history_gates *g);

/*
 * Compare the result of one command with the last entry, judge all gates, and print a line for
 * each. 0 or -ENOMEM.
 */
int history_gates_judge(struct history_gates *g, const struct options *o,
			const struct table *table);

#endif
