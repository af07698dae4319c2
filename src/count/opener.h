/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening an event list's groups on a task, with what the kernel refuses worked around or explained. */
#ifndef PSTAT_COUNT_OPENER_H
#define PSTAT_COUNT_OPENER_H

#include <sys/types.h>

#include "count/counters.h"
#include "count/plan.h"
#include "event/event.h"
#include "machine/machine.h"

/* Told of every perf_event_open(2): the attr, the group's descriptor or -1, the result or -errno. */
typedef void counters_watch(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			    int result);

/* What is to be opened, and what was learned of this kernel on the way. */
struct opener {
	const struct machine *machine;
	const struct event_list *events;
	struct row *rows; /* one for each event; what is refused is marked there */
	enum plan_inherit inherit;
	counters_watch *watch; /* NULL for none */
	enum plan_start start; /* PLAN_AT_ONCE: only the groups that need the load address */
	uint64_t moved; /* with PLAN_AT_ONCE: how far from where it was linked the command runs */
	bool user_only; /* the kernel may not be counted: narrow at once */
};

/*
 * Open on the task pid (0: pstat itself, then with sentinels) the groups that go with o->start: those
 * with a breakpoint whose address depends on where the command is loaded, or all the others. An event
 * that cannot be opened, or its sentinel, is marked in its row, with the reason, and the others go on.
 * pstat's soft limit of descriptors is raised where that helps. 0 or -ENOMEM.
 */
int counters_open(struct counters *c, struct opener *o, pid_t pid);

/* Whether a group needs to know where the command is loaded. */
bool opener_needs_address(const struct event_list *events, const struct event_group *group);

#endif
