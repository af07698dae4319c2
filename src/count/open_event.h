/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open one event. If an older kernel or a simpler PMU refuses it, try again without what they
 * lack. */
#ifndef PSTAT_COUNT_OPEN_EVENT_H
#define PSTAT_COUNT_OPEN_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "count/plan.h"
#include "count/probe_events.h"

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

/* On which task or CPU, and in which group, an event is opened. */
struct open_request {
	pid_t pid; /* -1: all tasks on the CPU; or a cgroup's descriptor */
	int cpu; /* -1: any CPU on which the task runs */
	bool in_cgroup; /* pid is a cgroup's descriptor */
	int leader_fd; /* -1: the event leads its group */
	size_t group_n; /* events of the group */
	bool pinned, exclusive; /* of the group */
	enum plan_inherit inherit;
	enum plan_start start;
};

/* What is known about this kernel, and the last event that was opened. */
struct event_opener {
	open_call_observer *observer; /* NULL: none */
	const struct probe_events *probes; /* NULL: none */
	uint64_t load_offset; /* the command's load address minus its linked address */
	bool user_only; /* count user mode only; set when the kernel forbids more */
	bool no_group_read; /* of inherited events; set when refused (before Linux 4.13) */
	struct perf_event_attr attr; /* of the last call */
	bool narrowed; /* the last event is counted in user mode only, though more was requested */
};

/* Open an event with o->attr as it is. The descriptor or -errno. */
int open_event_once(struct event_opener *o, const struct open_request *request);

/*
 * Open an event. The descriptor; or the last -errno. If a permission was missing on the way, and
 * the event exists, the error is that of the permission.
 */
int open_event(struct event_opener *o, const struct event *event,
	       const struct open_request *request);

#endif
