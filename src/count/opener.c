/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/diagnose.h"
#include "count/kernel.h"
#include "count/opener.h"
#include "machine/cpulist.h"
#include "machine/pmu.h"

#define GROUP_FORMAT ((__u64)(PERF_FORMAT_GROUP | PERF_FORMAT_ID))

/*
 * Descriptors are there up to the hard limit. It stays raised for pstat, which opens more files while
 * the counters are open; the command gets the old one (workload.h).
 */
static bool raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* Where a counter goes. */
struct seat {
	pid_t pid; /* -1: whatever runs on the CPU */
	int cpu; /* -1: wherever the task runs */
	int leader_fd; /* -1: it is a leader itself */
	size_t group_n;
	bool pinned, exclusive; /* of the group, whoever leads it */
};

static int try_open(struct opener *o, const struct perf_event_attr *attr, const struct seat *seat)
{
	int fd = kernel_open(attr, seat->pid, seat->cpu, seat->leader_fd);

	if (fd == -EMFILE && raise_limit())
		fd = kernel_open(attr, seat->pid, seat->cpu, seat->leader_fd);
	if (o->watch)
		o->watch(attr, seat->pid, seat->cpu, seat->leader_fd, fd);
	return fd;
}

/* An attempt to open one event: the attr as it was tried last. */
struct attempt {
	struct perf_event_attr attr;
	bool narrowed;
	bool guest_excluded; /* as it was wanted */
};

/* Leave out the next thing that stood in the way of this errno on some kernels. Whether there is one. */
static bool relax(struct attempt *a, int error, bool may_narrow)
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
	if (a->attr.inherit && a->attr.read_format & GROUP_FORMAT) {
		/* Linux before 4.13: members of an inherited group are read one by one */
		a->attr.read_format &= ~GROUP_FORMAT;
		a->attr.exclude_guest = a->guest_excluded;
		return true;
	}
	return false;
}

/* The kernel looks for an event after it has looked at permissions: who is told this lacks the event. */
static bool no_such_event(int error)
{
	return error == -ENOENT || error == -ENXIO || error == -ENODEV;
}

/* One event, with what older kernels and plainer PMUs do not know left out. Where nothing helps, the
 * last -errno, or that of permission if it was one of them and the event exists. */
static int open_event(struct opener *o, const struct event *event, const struct seat *seat,
		      struct attempt *a)
{
	bool leads = seat->leader_fd < 0;
	bool whole_cpu = seat->cpu >= 0;
	bool may_narrow = !event->modes_chosen && !plan_kernel_only(&event->attr);
	int denied = 0;
	int fd;

	*a = (struct attempt){ .attr = plan_attr(event, leads ? PLAN_LEADER : PLAN_MEMBER,
						 seat->group_n,
						 whole_cpu ? PLAN_FIRST_TASK : o->inherit,
						 whole_cpu ? PLAN_AT_ONCE : o->start) };
	if (event->relocated)
		a->attr.bp_addr += o->moved;
	a->guest_excluded = a->attr.exclude_guest;
	a->attr.pinned = leads && seat->pinned;
	a->attr.exclusive = leads && seat->exclusive;
	if (o->user_only && may_narrow) {
		denied = -EACCES;
		relax(a, denied, may_narrow);
	}
	while ((fd = try_open(o, &a->attr, seat)) < 0) {
		if (fd == -EACCES || fd == -EPERM)
			denied = fd;
		if (!relax(a, fd, may_narrow))
			return denied < 0 && !no_such_event(fd) ? denied : fd;
	}
	o->user_only |= a->narrowed;
	return fd;
}

/* Say why a row is refused or narrowed; the first reason stays. */
static int set_reason(struct row *row, struct str *reason)
{
	if (reason->failed)
		return -ENOMEM;
	if (!row->reason)
		row->reason = take_ptr(reason->text);
	return 0;
}

static int refuse(struct opener *o, size_t row, const struct perf_event_attr *attr, int error)
{
	cleanup_str struct str reason = { 0 };

	o->rows[row].refused = true;
	diagnose_open(o->machine, &o->events->events[row], attr, error, o->events->n, &reason);
	return set_reason(&o->rows[row], &reason);
}

static int refuse_filter(struct opener *o, size_t row, int error)
{
	cleanup_str struct str reason = { 0 };

	o->rows[row].refused = true;
	str_addf(&reason, "the kernel refuses the filter '%s': %s%s", o->events->events[row].filter,
		 strerror(-error),
		 error == -EINVAL ?
			 " (a field that the event does not have, or not in this form: see "
			 "its format file in tracefs)" :
			 "");
	return set_reason(&o->rows[row], &reason);
}

static int keep(struct opener *o, struct counters *c, size_t row, int fd, bool narrowed)
{
	cleanup_str struct str reason = { 0 };

	if (array_grow(&c->v, c->n, &c->size, sizeof(*c->v)) < 0) {
		close(fd);
		return -ENOMEM;
	}
	c->v[c->n++] = (struct counter){ .row = row, .fd = fd };
	if (!narrowed)
		return 0;
	o->rows[row].user_only = true;
	diagnose_narrowed(o->machine, &reason);
	return set_reason(&o->rows[row], &reason);
}

/* Sentinels are needed by kind, not by event. */
static int open_sentinel(struct opener *o, struct counters *c, const struct event *event,
			 const struct perf_event_attr *attr)
{
	const struct seat own = { .pid = 0, .cpu = -1, .leader_fd = -1 };
	struct sentinel sentinel = { .attr = plan_sentinel(event, attr) };

	for (size_t i = 0; i < c->sentinels_n; i++)
		if (plan_same_kind(&c->sentinels[i].attr, &sentinel.attr))
			return 0;
	if (array_grow(&c->sentinels, c->sentinels_n, &c->sentinels_size, sizeof(*c->sentinels)) <
	    0)
		return -ENOMEM;
	sentinel.fd = try_open(o, &sentinel.attr, &own);
	if (sentinel.fd < 0)
		return sentinel.fd;
	c->sentinels[c->sentinels_n++] = sentinel;
	return 0;
}

/* Without its sentinel an event on pstat itself would be lost after a few runs: it is not opened. */
static int open_with_sentinel(struct opener *o, struct counters *c, const struct event *event,
			      const struct seat *seat, struct attempt *a)
{
	int fd = open_event(o, event, seat, a);
	int err = fd >= 0 && seat->pid == 0 ? open_sentinel(o, c, event, &a->attr) : 0;

	if (err == 0)
		return fd;
	close(fd);
	return err;
}

static int add_group(struct counters *c, size_t first, bool one_read)
{
	struct counter_group group = { .first = first, .n = c->n - first, .one_read = one_read };

	if (group.n == 0)
		return 0;
	if (array_grow(&c->groups, c->groups_n, &c->groups_size, sizeof(*c->groups)) < 0)
		return -ENOMEM;
	c->groups[c->groups_n++] = group;
	return 0;
}

static bool needs_counter(const struct event *event)
{
	return event->tool == TOOL_NONE && event->attr.type != PERF_TYPE_SOFTWARE &&
	       event->attr.type != PERF_TYPE_TRACEPOINT;
}

/* An event that its group did not take: would the PMU take it alone? */
static bool opens_alone(struct opener *o, const struct event *event, const struct seat *seat)
{
	const struct seat alone = {
		.pid = seat->pid, .cpu = seat->cpu, .leader_fd = -1, .group_n = 1
	};
	struct attempt attempt;
	int fd = open_event(o, event, &alone, &attempt);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A group is opened member by member; what the kernel refuses by itself is left out. */
enum group_outcome {
	GROUP_OPEN,
	GROUP_TOO_LARGE, /* the members do not go together, though each would go alone */
};

static size_t kernel_events(const struct opener *o, const struct event_group *group)
{
	size_t n = 0;

	for (size_t i = group->first; i < group->first + group->n; i++)
		n += o->events->events[i].tool == TOOL_NONE;
	return n;
}

/* One event into its seat, where that is possible. GROUP_TOO_LARGE, 0 or -errno. */
static int open_member(struct opener *o, struct counters *c, size_t row, struct seat *seat,
		       struct attempt *attempt)
{
	const struct event *event = &o->events->events[row];
	int fd = open_with_sentinel(o, c, event, seat, attempt);
	int err;

	if (fd < 0 && fd != -EMFILE && seat->leader_fd >= 0 && opens_alone(o, event, seat))
		return GROUP_TOO_LARGE;
	if (fd < 0)
		return refuse(o, row, &attempt->attr, fd);
	if (event->filter) {
		err = kernel_set_filter(fd, event->filter);
		if (err < 0) {
			close(fd);
			return refuse_filter(o, row, err);
		}
	}
	if (seat->leader_fd < 0)
		seat->leader_fd = fd;
	return keep(o, c, row, fd, attempt->narrowed);
}

/* The kernel's events of the group, opened together. An enum group_outcome or -errno. */
static int open_together(struct opener *o, struct counters *c, const struct event_group *group,
			 pid_t pid, int cpu)
{
	struct seat seat = { .pid = pid,
			     .cpu = cpu,
			     .leader_fd = -1,
			     .group_n = kernel_events(o, group),
			     .pinned = group->pinned,
			     .exclusive = group->exclusive };
	size_t first_counter = c->n;
	bool one_read = false;
	int err = 0;

	for (size_t i = group->first; err == 0 && i < group->first + group->n; i++) {
		bool leads = seat.leader_fd < 0;
		struct attempt attempt;

		if (o->events->events[i].tool != TOOL_NONE)
			continue;
		err = open_member(o, c, i, &seat, &attempt);
		if (leads)
			one_read = attempt.attr.read_format & GROUP_FORMAT;
	}
	return err != 0 ? err : add_group(c, first_counter, one_read);
}

static int open_apart(struct opener *o, struct counters *c, const struct event_group *group,
		      pid_t pid, int cpu)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < group->n; i++) {
		const struct event_group alone = { .first = group->first + i,
						   .n = 1,
						   .pinned = group->pinned,
						   .exclusive = group->exclusive };

		o->rows[group->first + i].apart = true;
		err = open_together(o, c, &alone, pid, cpu);
	}
	return err;
}

/* Which PMU an event's counter is taken from. */
static const char *pmu_of(const struct opener *o, const struct event *event)
{
	return event->attr.type <= PERF_TYPE_RAW || pmu_is_core(o->machine, event->pmu) ?
		       "cpu" :
		       event->pmu;
}

static int refuse_group(struct opener *o, const struct event_group *group, size_t fitted)
{
	const struct event *events = o->events->events;
	cleanup_str struct str reason = { 0 };
	size_t needed = 0;
	int err = 0;

	for (size_t i = group->first; i < group->first + group->n; i++)
		needed += needs_counter(&events[i]);
	diagnose_group(o->machine, pmu_of(o, &events[group->first]),
		       pmu_of(o, &events[group->first + group->n - 1]), needed, fitted, &reason);
	for (size_t i = group->first; err == 0 && i < group->first + group->n; i++) {
		cleanup_str struct str copy = { 0 };

		if (events[i].tool != TOOL_NONE)
			continue;
		o->rows[i].refused = true;
		str_add(&copy, str_text(&reason));
		err = set_reason(&o->rows[i], &copy);
	}
	return err;
}

/* The counter opened last is closed, and what was said of its row is no longer so. */
static void forget(struct opener *o, struct counters *c)
{
	struct row *row = &o->rows[c->v[--c->n].row];

	close(c->v[c->n].fd);
	row->user_only = false;
	free(take_ptr(row->reason));
}

static int open_group_on(struct opener *o, struct counters *c, const struct event_group *group,
			 pid_t pid, int cpu)
{
	size_t first = c->n;
	size_t fitted = 0;
	int outcome = open_together(o, c, group, pid, cpu);

	if (outcome != GROUP_TOO_LARGE)
		return outcome;
	for (size_t i = first; i < c->n; i++)
		fitted += needs_counter(&o->events->events[c->v[i].row]);
	while (c->n > first)
		forget(o, c);
	return group->weak ? open_apart(o, c, group, pid, cpu) : refuse_group(o, group, fitted);
}

/* On the task, or, what counts whole CPUs, on each of the CPUs that its PMU names. */
static int open_group(struct opener *o, struct counters *c, const struct event_group *group,
		      pid_t pid)
{
	const char *text = o->events->events[event_group_leader(o->events, group)].cpus;
	cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
	int err;

	if (!text)
		return open_group_on(o, c, group, pid, -1);
	err = cpulist_parse(&cpus, text);
	for (size_t i = 0; err == 0 && i < cpus.n; i++)
		err = open_group_on(o, c, group, -1, cpus.v[i]);
	return err == -EINVAL ? 0 : err;
}

bool opener_needs_address(const struct event_list *events, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (events->events[i].relocated)
			return true;
	return false;
}

int counters_open(struct counters *c, struct opener *o, pid_t pid)
{
	size_t largest = 0;
	int err = 0;

	for (size_t i = 0; err == 0 && i < o->events->groups_n; i++) {
		const struct event_group *group = &o->events->groups[i];

		if (opener_needs_address(o->events, group) == (o->start == PLAN_AT_ONCE))
			err = open_group(o, c, group, pid);
	}
	for (size_t i = 0; i < c->groups_n; i++)
		if (c->groups[i].n > largest)
			largest = c->groups[i].n;
	c->values = calloc(COUNTERS_VALUES_OF_GROUP(largest), sizeof(*c->values));
	return err == 0 && !c->values ? -ENOMEM : err;
}
