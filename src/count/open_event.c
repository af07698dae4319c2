/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "count/kernel.h"
#include "count/open_event.h"

int open_event_once(struct event_opener *o, const struct open_request *request)
{
	struct open_call call = {
		.attr = &o->attr,
		.pid = request->pid,
		.cpu = request->cpu,
		.group_fd = request->leader_fd,
		.flags = PERF_FLAG_FD_CLOEXEC | (request->in_cgroup ? PERF_FLAG_PID_CGROUP : 0),
	};

	call.result = kernel_open(call.attr, call.pid, call.cpu, call.group_fd, call.flags);
	if (o->observer)
		o->observer(&call);
	return call.result;
}

static bool may_narrow(const struct event *event)
{
	return !event->modes_chosen && !plan_kernel_only(&event->attr);
}

static bool is_of_permission(int error)
{
	return error == -EACCES || error == -EPERM;
}

/* Remove from the attr the next thing that some kernels refuse with this error. False: there is
 * none. */
static bool relax(struct event_opener *o, const struct event *event, int error)
{
	if (is_of_permission(error)) {
		if (!may_narrow(event) || o->narrowed)
			return false;
		o->attr.exclude_kernel = 1;
		o->narrowed = true;
		return true;
	}
	if (error != -EINVAL)
		return false;
	if (o->attr.exclude_guest) {
		/* PMUs without any exclude bits (PERF_PMU_CAP_NO_EXCLUDE) */
		o->attr.exclude_guest = 0;
		return true;
	}
	if (o->attr.inherit && o->attr.read_format & PLAN_GROUP_FORMAT) {
		/* before Linux 4.13, the members of an inherited group are read one by one */
		o->attr.read_format &= ~PLAN_GROUP_FORMAT;
		o->attr.exclude_guest = event->attr.exclude_guest;
		return true;
	}
	return false;
}

/* The kernel checks permissions before it looks for the event. So these errors show that the event
 * does not exist, whatever was forbidden before. */
static bool no_such_event(int error)
{
	return error == -ENOENT || error == -ENXIO || error == -ENODEV || error == -ESRCH;
}

static struct perf_event_attr first_attr(const struct event_opener *o, const struct event *event,
					 const struct open_request *request)
{
	bool leads = request->leader_fd < 0;
	struct perf_event_attr attr = plan_attr(event, leads ? PLAN_LEADER : PLAN_MEMBER,
						request->group_n, request->inherit, request->start);

	probe_events_apply(o->probes, event, &attr);
	if (event->relocated)
		attr.bp_addr += o->load_offset;
	attr.pinned = leads && request->pinned;
	attr.exclusive = leads && request->exclusive;
	return attr;
}

int open_event(struct event_opener *o, const struct event *event,
	       const struct open_request *request)
{
	bool leads = request->leader_fd < 0;
	bool reads_group;
	int denied = 0;
	int fd;

	o->narrowed = false;
	o->attr = first_attr(o, event, request);
	reads_group = o->attr.inherit && o->attr.read_format & PLAN_GROUP_FORMAT;
	if (reads_group && o->no_group_read)
		o->attr.read_format &= ~PLAN_GROUP_FORMAT;
	if (o->user_only && may_narrow(event)) {
		denied = -EACCES;
		relax(o, event, denied);
	}
	while ((fd = open_event_once(o, request)) < 0) {
		if (is_of_permission(fd))
			denied = fd;
		if (!relax(o, event, fd))
			return denied < 0 && !no_such_event(fd) ? denied : fd;
	}
	o->user_only |= o->narrowed;
	/* only of a leader: a member may be refused because of its group */
	o->no_group_read |= leads && reads_group && !(o->attr.read_format & PLAN_GROUP_FORMAT);
	return fd;
}
