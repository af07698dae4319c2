/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening an event list's groups on a task, with what the kernel refuses worked around or explained. */
#ifndef PSTAT_COUNT_OPENER_H
#define PSTAT_COUNT_OPENER_H

#include "count/attempt.h"
#include "count/counters.h"
#include "count/plan.h"
#include "count/target.h"
#include "event/event.h"
#include "machine/machine.h"

/* The pass of a group that is counted in all of them. */
#define PASS_ALL SIZE_MAX

/* What is to be opened, and what was learned of this kernel on the way. */
struct opener {
	const struct machine *machine;
	const struct event_list *events;
	struct target *target;
	struct row *rows; /* events->n for each place of the target */
	struct opening *openings; /* one for each event */
	enum plan_inherit inherit; /* of what is opened on tasks */
	enum plan_start start;
	bool later; /* not the first opening: on a spot that came */
	bool stopped; /* the command stands behind its exec: open the groups that need its address */
	const size_t
		*passes; /* of each group, with --no-multiplex, or PASS_ALL; NULL: all in one */
	size_t pass; /* the one to be opened */
	struct attempt attempt;
};

/*
 * Open at the target's spots first … first + n - 1 the groups whose turn it is. An event that cannot be opened is marked in its
 * opening, with the reason, and the others go on; a spot that is not there any more is marked gone.
 * 0 or -ENOMEM.
 */
int counters_open(struct counters *c, struct opener *o, size_t first, size_t n);

/* Whether an event takes one of the PMU's counters, of which there are few. */
bool opener_needs_counter(const struct event *event);

/* Whether a group needs to know where the command is loaded. */
bool opener_needs_address(const struct event_list *events, const struct event_group *group);

#endif
