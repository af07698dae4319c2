/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open the groups of an event list on the target, and explain what the kernel refuses. */
#ifndef PSTAT_COUNT_OPENER_H
#define PSTAT_COUNT_OPENER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "count/counters.h"
#include "count/probe_events.h"
#include "count/target.h"
#include "event/event.h"
#include "machine/machine.h"
#include "machine/pmu.h"

/* One perf_event_open(2): its arguments and its result. */
struct open_call {
	const struct perf_event_attr *attr;
	pid_t pid;
	int cpu;
	int group_fd; /* -1: the event leads a group */
	unsigned long flags; /* with PERF_FLAG_PID_CGROUP, pid is a cgroup's descriptor */
	int result; /* a descriptor or -errno */
};

/* Called after every perf_event_open(2). */
typedef void open_call_observer(const struct open_call *call);

/* What is known about this kernel, and the last event that was opened. */
struct event_opener {
	open_call_observer *observer; /* NULL: none */
	const struct probe_events *probes; /* NULL: none */
	bool user_only; /* count user mode only; set when the kernel forbids more */
	enum { BREAKPOINTS_UNKNOWN, BREAKPOINTS_COUNT, BREAKPOINTS_FAIL } breakpoints;
	union { /* the attr of the last call; older kernel headers end before config3 */
		struct perf_event_attr attr;
		struct {
			__u64 before_config3[16];
			__u64 config3, config4;
		};
	};
	bool narrowed; /* the last event is counted in user mode only, though more was requested */
};

/* The pass of a group that is counted in every pass. */
#define PASS_ALL SIZE_MAX

enum open_when {
	OPEN_FIRST, /* the first scopes of a run or a session */
	OPEN_LATER, /* tasks or CPUs that were found later: no group is refused as a whole */
	OPEN_STOPPED, /* a command that stopped after its exec: groups that need its load address */
};

/* What to open, and how. A job that is all zero opens nothing. */
struct open_job {
	struct scope *scopes; /* marked gone if they no longer exist */
	size_t scopes_n;
	enum open_when when;
	enum counter_start start;
	enum counter_inherit inherit; /* of the counters on tasks */
	const size_t *passes; /* for each group: its pass or PASS_ALL; NULL: open all groups */
	size_t pass; /* with passes: the pass to open */
	/* for each group: its set (struct turns) or PASS_ALL; NULL: groups do not take turns */
	const size_t *turns;
	size_t turn; /* with turns: the set that is on; other sets are opened switched off */
	size_t first_group; /* open this group first, and the groups before it last */
	uint64_t load_offset; /* OPEN_STOPPED: the load address minus the linked address */
};

/* Where to open events and keep the results, and what is known about this kernel. */
struct opener {
	const struct machine *machine;
	const struct event_list *events;
	struct target *target;
	struct row *rows; /* events->n for each place of the target */
	struct opening *openings; /* one for each event */
	/* the kinds of cores. n = 0: all cores are alike, the target is CPUs, or no event is for
	 * one kind only */
	struct pmu_kinds kinds;
	bool separate; /* --control may switch each event, so events are not joined */
	int group_error; /* -errno of the last event that was refused only because of its group */
	/* -errno: the last job did not open the counters of a task that the command created */
	int task_error;
	struct event_opener event_opener;
};

/*
 * Open the groups of the job on its scopes. If an event cannot be opened, its opening has the
 * reason, and the other events are opened. 0 or -ENOMEM.
 */
int opener_open(struct opener *o, struct counters *c, const struct open_job *job);

/* Whether an event uses a counter of the PMU. There are only a few. */
bool opener_needs_counter(const struct event *event);

/* Whether a counter of an event on a task may be off the PMU while the task runs. */
bool opener_takes_turns(const struct event *event);

/* The only kind of core on which the event counts, as an index of o->kinds. SIZE_MAX: the event
 * counts on all kinds. */
size_t opener_kind_of(const struct opener *o, const struct event *event);

/* Whether an event of a group, given by index, uses a counter of the PMU. */
bool opener_group_needs_counter(const struct opener *o, size_t group);

/* Whether a group can be opened only when the load address of the command is known. */
bool opener_needs_address(const struct event_list *events, const struct event_group *group);

#endif
