/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "count/attempt.h"
#include "count/kernel.h"

int attempt_open(struct attempt *a, const struct seat *seat)
{
	struct open_call call = {
		.attr = &a->attr,
		.pid = seat->pid,
		.cpu = seat->cpu,
		.group_fd = seat->leader_fd,
		.flags = PERF_FLAG_FD_CLOEXEC | (seat->in_cgroup ? PERF_FLAG_PID_CGROUP : 0),
	};

	call.result = kernel_open(call.attr, call.pid, call.cpu, call.group_fd, call.flags);
	if (a->watch)
		a->watch(&call);
	return call.result;
}

/* Leave out the next thing that stood in the way of this errno on some kernels. Whether there is one. */
static bool relax(struct attempt *a, int error, bool may_narrow, bool guest_excluded)
{
	if (error == -EACCES || error == -EPERM) {
		if (!may_narrow || a->narrowed)
			return false;
		a->attr.exclude_kernel = 1;
		a->narrowed = true;
		return true;
	}
	if (error != -EINVAL)
		return false;
	if (a->attr.exclude_guest) {
		/* PMUs without any exclude bits (PERF_PMU_CAP_NO_EXCLUDE) */
		a->attr.exclude_guest = 0;
		return true;
	}
	if (a->attr.inherit && a->attr.read_format & PLAN_GROUP_FORMAT) {
		/* Linux before 4.13: each member of an inherited group is read by itself */
		a->attr.read_format &= ~PLAN_GROUP_FORMAT;
		a->attr.exclude_guest = guest_excluded;
		return true;
	}
	return false;
}

/* The kernel looks for an event after it has looked at permissions: who is told this lacks the event. */
static bool no_such_event(int error)
{
	return error == -ENOENT || error == -ENXIO || error == -ENODEV || error == -ESRCH;
}

int attempt_event(struct attempt *a, const struct event *event, const struct seat *seat)
{
	bool leads = seat->leader_fd < 0;
	bool may_narrow = !event->modes_chosen && !plan_kernel_only(&event->attr);
	bool guest_excluded = event->attr.exclude_guest;
	bool reads_group;
	int denied = 0;
	int fd;

	a->narrowed = false;
	a->attr = plan_attr(event, leads ? PLAN_LEADER : PLAN_MEMBER, seat->group_n, seat->inherit,
			    seat->start);
	probe_events_apply(a->probes, event, &a->attr);
	if (event->relocated)
		a->attr.bp_addr += a->moved;
	a->attr.pinned = leads && seat->pinned;
	a->attr.exclusive = leads && seat->exclusive;
	reads_group = a->attr.inherit && a->attr.read_format & PLAN_GROUP_FORMAT;
	if (reads_group && a->no_group_read)
		a->attr.read_format &= ~PLAN_GROUP_FORMAT;
	if (a->user_only && may_narrow) {
		denied = -EACCES;
		relax(a, denied, may_narrow, guest_excluded);
	}
	while ((fd = attempt_open(a, seat)) < 0) {
		if (fd == -EACCES || fd == -EPERM)
			denied = fd;
		if (!relax(a, fd, may_narrow, guest_excluded))
			return denied < 0 && !no_such_event(fd) ? denied : fd;
	}
	a->user_only |= a->narrowed;
	/* a member may be refused for its group's sake, a leader is not */
	a->no_group_read |= leads && reads_group && !(a->attr.read_format & PLAN_GROUP_FORMAT);
	return fd;
}
