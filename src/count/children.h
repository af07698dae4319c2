/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether counted tasks have created threads or processes. Two software events that count nothing
 * are opened on each task, and only one of them is inherited. The kernel adds the time enabled in
 * all children to the inherited event. Once a child has run, this event was thus enabled for longer
 * than the other. The count 0 of an event that is not inherited is valid only if no child has run.
 */
#ifndef PSTAT_COUNT_CHILDREN_H
#define PSTAT_COUNT_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "count/plan.h"

/* The events on one task. */
struct children_pair {
	pid_t pid;
	size_t place_index; /* of the task, as in struct scope */
	int own_fd; /* not inherited; owned */
	int all_fd; /* inherited; owned */
};

/* All zero: no task is watched. */
struct children {
	struct children_pair *v; /* owned */
	size_t n, size;
};

/*
 * Watch a task from start on, unless it is watched already. A task for which the events cannot be
 * opened is not watched. 0 or -ENOMEM.
 */
int children_watch(struct children *c, pid_t pid, size_t place_index, enum plan_start start);

/* Start or stop the watch, as counters_switch() does with the counters. A task that has ended is no
 * error. */
void children_switch(const struct children *c, bool on);

/*
 * Whether a child of a watched task of this place has run while it was watched. With -I, this is
 * true in all later intervals, too.
 */
bool children_ran(const struct children *c, size_t place_index);

void children_close(struct children *c);

#endif
