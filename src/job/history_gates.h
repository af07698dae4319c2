/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --history: earlier results, and the gates whose limits follow from them. */
#ifndef PSTAT_JOB_HISTORY_GATES_H
#define PSTAT_JOB_HISTORY_GATES_H

#include "options/options.h"
#include "result/history.h"
#include "stats/rmath.h"

struct why;

/* The gates that are judged, one for each --fail-if. All zero: none. */
struct gate_list {
	struct gate_request *v; /* owned; their texts and names belong to the options */
	size_t n;
};

/* All zero: there is no --history. */
struct history_gates {
	struct history history;
	struct math math; /* for one command */
	enum gate_outcome outcome; /* of one command */
};

/* If --history is given, open it. 0; -errno with why. The caller releases g in any case. */
int history_gates_init(struct history_gates *g, const struct options *o, struct why *why);
void history_gates_release(struct history_gates *g);

/*
 * If --history is given, set the limits of the gates 'EVENT>auto'. For one command, this is left to
 * history_gates_judge(), because each row has its limit. events: what is counted, or was.
 */
void history_gates_set_limits(const struct history_gates *g, const struct options *o,
			      struct gate_list *gates, const struct event_list *events);

/*
 * Compare the result of one command with the last entry, judge all gates, and print a line for
 * each. 0 or -ENOMEM.
 */
int history_gates_judge(struct history_gates *g, const struct options *o,
			const struct gate_list *gates, const struct table *table);

#endif
