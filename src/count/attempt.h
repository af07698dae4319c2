/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening one event, with what older kernels and plainer PMUs do not know left out. */
#ifndef PSTAT_COUNT_ATTEMPT_H
#define PSTAT_COUNT_ATTEMPT_H

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
typedef void counters_watch(const struct open_call *call);

/* Where a counter goes. */
struct seat {
	pid_t pid; /* -1: whatever runs on the CPU; a cgroup's descriptor */
	int cpu; /* -1: wherever the task runs */
	bool in_cgroup; /* pid is a cgroup's descriptor */
	int leader_fd; /* -1: it is a leader itself */
	size_t group_n;
	bool pinned, exclusive; /* of the group, whoever leads it */
	enum plan_inherit inherit;
	enum plan_start start;
};

/* One try, and the attr as it was tried last. */
struct attempt {
	counters_watch *watch; /* NULL for none */
	const struct probe_events *probes; /* NULL for none */
	uint64_t moved; /* added to a breakpoint's address as linked */
	bool user_only; /* narrow at once; set when the kernel may not be counted */
	bool no_group_read; /* of inherited events; set when the kernel refused it (before Linux 4.13) */
	struct perf_event_attr attr;
	bool narrowed;
};

/* Open what is described by attr, once. The descriptor or -errno. */
int attempt_open(struct attempt *a, const struct seat *seat);

/*
 * Open an event. The descriptor; where nothing helps, the last -errno, or that of permission if it was
 * one of them and the event exists.
 */
int attempt_event(struct attempt *a, const struct event *event, const struct seat *seat);

#endif
