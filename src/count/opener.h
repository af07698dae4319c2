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
typedef void counters_watch(const struct perf_event_attr *attr, pid_t pid, int group_fd,
			    int result);

/* What is to be opened, and what was learned of this kernel on the way. */
struct opener {
	const struct machine *machine;
	const struct event_list *events;
	struct row *rows; /* one for each event; what is refused is marked there */
	enum plan_inherit inherit;
	counters_watch *watch; /* NULL for none */
	bool user_only; /* the kernel may not be counted: narrow at once */
};

/*
 * Open all groups on the task pid (0: pstat itself, then with sentinels). An event that cannot be
 * opened, or its sentinel, is marked in its row, with the reason, and the others go on. pstat's soft
 * limit of descriptors is raised where that helps. 0 or -ENOMEM.
 */
int counters_open(struct counters *c, struct opener *o, pid_t pid);

#endif
