/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The perf_event_attr of each event. Pure functions: they open nothing. */
#ifndef PSTAT_COUNT_PLAN_H
#define PSTAT_COUNT_PLAN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

/* One read(2) returns all values of a group (perf_event_open(2), "Reading results"). */
#define PLAN_GROUP_FORMAT ((__u64)(PERF_FORMAT_GROUP | PERF_FORMAT_ID))

enum plan_inherit {
	PLAN_FIRST_TASK, /* the task itself, or the tasks on the CPU */
	PLAN_ALL_TASKS, /* the task, and all threads and processes that it creates later */
};

enum plan_role {
	PLAN_LEADER, /* the leader of a group, or a single event: enabled by the command's exec */
	PLAN_MEMBER, /* enabled with its leader */
};

enum plan_start {
	PLAN_BY_EXEC, /* switched on by the command's exec */
	PLAN_AT_ONCE, /* on from the start: on a CPU, or on a command that stopped after its exec */
	PLAN_SWITCHED, /* switched on and off by counters_switch() */
};

/* The attr of an event in a group of group_n events. group_n is 1 for a single event. */
struct perf_event_attr plan_attr(const struct event *event, enum plan_role role, size_t group_n,
				 enum plan_inherit inherit, enum plan_start start);

/*
 * A sentinel for events like this one, which was opened with attr: a disabled event that is not
 * inherited, in the same kind of context of the task. Without a sentinel, the kernel would take the
 * contexts of pstat and of its child for clones, because every event of pstat is inherited. When it
 * switches between clones, it swaps the contexts, and the child would take the counters away
 * (perf_event_context_sched_out() in kernel/events/core.c). Before Linux 6.2, software and hardware
 * events have separate contexts: sentinels of the same type belong to the same kind.
 */
struct perf_event_attr plan_sentinel(const struct event *event, const struct perf_event_attr *attr);

/*
 * Whether the kernel counts the event without a hardware counter. In a mixed group, hardware events
 * have to be opened first: before Linux 4.18, the kernel refuses a software event if the group has
 * a hardware event and is led by a software event (perf_event_open() in kernel/events/core.c).
 */
bool plan_is_software(const struct event *event);

/* Whether the event happens only in the kernel, so that counting user mode would always give 0. */
bool plan_kernel_only(const struct perf_event_attr *attr);

#endif
