/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From events to the attrs that are opened for them: pure functions, nothing is opened here. */
#ifndef PSTAT_COUNT_PLAN_H
#define PSTAT_COUNT_PLAN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

/* What makes one read give a whole group (perf_event_open(2), "Reading results"). */
#define PLAN_GROUP_FORMAT ((__u64)(PERF_FORMAT_GROUP | PERF_FORMAT_ID))

enum plan_inherit {
	PLAN_FIRST_TASK, /* the task, or whatever runs on the CPU, and not what a task creates */
	PLAN_ALL_TASKS, /* the task and all that it creates from then on */
};

enum plan_role {
	PLAN_LEADER, /* of a group, or an event alone: enabled by the command's exec */
	PLAN_MEMBER, /* goes with its leader */
};

enum plan_start {
	PLAN_BY_EXEC, /* switched on by the command's exec */
	PLAN_AT_ONCE, /* opened on a command that stands still behind its exec */
	PLAN_SWITCHED, /* switched on and off by counters_switch() */
};

/* The attr of an event that is counted in a group of n (1: alone). */
struct perf_event_attr plan_attr(const struct event *event, enum plan_role role, size_t group_n,
				 enum plan_inherit inherit, enum plan_start start);

/*
 * A sentinel for events such as this one, which was opened with attr: never enabled, not inherited, in the same kind of context
 * of the task. While one is open, the kernel does not take pstat's context and that of a child for
 * clones of each other, and does not swap them when it switches between the two, which would carry
 * the counters away with the child (perf_event_context_sched_out() in kernel/events/core.c). Software
 * and hardware events have contexts of their own before Linux 6.2.
 */
struct perf_event_attr plan_sentinel(const struct event *event, const struct perf_event_attr *attr);

/*
 * Whether the kernel counts the event by itself, without a hardware counter. In a group that has
 * both, hardware events are to be opened first: before Linux 4.18, the kernel refuses a software
 * event in a group that has a hardware event but is led by a software event (perf_event_open()
 * in kernel/events/core.c).
 */
bool plan_is_software(const struct event *event);

/* Whether two sentinels are of the same kind of context, so that one of them is enough. */
bool plan_same_kind(const struct perf_event_attr *a, const struct perf_event_attr *b);

/* Whether the event happens in the kernel alone, so that counting user mode would always give 0. */
bool plan_kernel_only(const struct perf_event_attr *attr);

#endif
