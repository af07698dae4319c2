/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/math.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "count/counters.h"

/* The number of attempts to read a group while one of its tasks ends: about 20 ms. */
enum { READ_TRIES = 256 };

struct perf_event_attr counter_attr(const struct event *event, enum counter_role role,
				    size_t group_n, enum counter_inherit inherit,
				    enum counter_start start)
{
	struct perf_event_attr attr = event->attr;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (group_n > 1)
		attr.read_format |= COUNTER_GROUP_FORMAT;
	attr.inherit = inherit != COUNTER_FIRST_TASK;
	attr.inherit_thread = inherit == COUNTER_ALL_THREADS;
	attr.disabled = role == COUNTER_LEADER && start != COUNTER_AT_ONCE;
	attr.enable_on_exec = role == COUNTER_LEADER && start == COUNTER_BY_EXEC;
	return attr;
}

bool counter_kernel_only(const struct event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	if (event->in_kernel || event_is_kprobe(event))
		return true;
	if (event->tool != TOOL_NONE || attr->type != PERF_TYPE_SOFTWARE)
		return false;
	return attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
	       attr->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
	       attr->config == EVENT_SW_CGROUP_SWITCHES;
}

/* A reading that failed. n: the result of read(2). It is 0 for a pinned group in its error
 * state. */
static struct reading counters_failed_read(ssize_t n)
{
	struct reading failed = { .state = FAILED };

	if (n != 0)
		failed.reason = (struct reason){ CAUSE_READ, n < 0 ? (int)n : -EIO };
	return failed;
}

/*
 * Read each counter of the group. A group for one read is read like this after its CPU went
 * offline: the kernel then splits the groups on the CPU (perf_event_exit_cpu() in
 * kernel/events/core.c), and each event reads as a group of one.
 */
static void counters_read_each(const struct counters *c, const struct counter_group *group,
			       struct reading *readings)
{
	/* "value, time enabled, time running", or the numbers of a group */
	uint64_t values[COUNTERS_VALUES_OF_GROUP(1)];
	size_t size = group->one_read ? sizeof(values) : 3 * sizeof(*values);

	for (size_t i = group->first; i < group->first + group->n; i++) {
		ssize_t n = kernel_read(c->v[i].fd, values, size);
		struct reading part = counters_failed_read(n);

		if (n == (ssize_t)size && (!group->one_read || values[0] == 1))
			part = (struct reading){
				COUNTED, { values[group->one_read ? 3 : 0], values[1], values[2] }
			};
		reading_add(&readings[c->v[i].row], &part);
	}
}

/*
 * When a task ends, the kernel removes the task's copy of a group, member by member. Until the last
 * member is removed, the kernel refuses to read the sum of the group (__perf_read_group_add() in
 * kernel/events/core.c, since Linux 6.6). The ending task may wait for the CPU that pstat is using,
 * so pstat sleeps before the next attempt.
 */
static ssize_t counters_read_whole(int fd, void *buffer, size_t size)
{
	static const struct timespec moment = { .tv_nsec = 20000 };
	ssize_t n = kernel_read(fd, buffer, size);

	for (int tries = 1; n == -ECHILD && tries < READ_TRIES; tries++) {
		if (tries > 1)
			nanosleep(&moment, NULL);
		n = kernel_read(fd, buffer, size);
	}
	return n;
}

/* perf_event_open(2), PERF_FORMAT_GROUP */
static void counters_read_together(const struct counters *c, const struct counter_group *group,
				   struct reading *readings)
{
	uint64_t *values = c->values;
	ssize_t size = (ssize_t)(COUNTERS_VALUES_OF_GROUP(group->n) * sizeof(*values));
	ssize_t n = counters_read_whole(c->v[group->first].fd, values, (size_t)size);

	if (n == (ssize_t)(COUNTERS_VALUES_OF_GROUP(1) * sizeof(*values)) && group->n > 1 &&
	    values[0] == 1) {
		counters_read_each(c, group, readings);
		return;
	}
	for (size_t i = 0; i < group->n; i++) {
		struct reading part = counters_failed_read(n);

		if (n == size && values[0] == group->n)
			part = (struct reading){ COUNTED,
						 { values[3 + 2 * i], values[1], values[2] } };
		reading_add(&readings[c->v[group->first + i].row], &part);
	}
}

static void counters_read_group(const struct counters *c, const struct counter_group *group,
				struct reading *readings)
{
	const struct reading not_switched = { .state = FAILED, .reason = group->reason };

	for (size_t i = group->first; group->reason.cause && i < group->first + group->n; i++)
		reading_add(&readings[c->v[i].row], &not_switched);
	if (group->one_read)
		counters_read_together(c, group, readings);
	else
		counters_read_each(c, group, readings);
}

void counters_read_rows(const struct counters *c, const bool *rows, struct reading *readings)
{
	for (size_t i = 0; i < c->retired_n; i++)
		if (!rows || rows[i])
			reading_add(&readings[i], &c->retired[i]);
	for (size_t i = 0; i < c->groups_n; i++)
		if (!c->groups[i].retired && (!rows || rows[c->v[c->groups[i].first].row]))
			counters_read_group(c, &c->groups[i], readings);
}

void counters_read(const struct counters *c, struct reading *readings)
{
	counters_read_rows(c, NULL, readings);
}

static uint64_t counters_enabled_ns(int fd)
{
	uint64_t values[3]; /* count, time enabled, time running */

	return kernel_read(fd, values, sizeof(values)) == (ssize_t)sizeof(values) ? values[1] : 0;
}

int counters_retire(struct counters *c, int cpu, size_t rows_n)
{
	if (!c->retired) {
		c->retired = calloc(rows_n, sizeof(*c->retired));
		if (!c->retired)
			return -ENOMEM;
		c->retired_n = rows_n;
	}
	for (size_t i = 0; i < c->groups_n; i++) {
		struct counter_group *group = &c->groups[i];

		if (group->cpu != cpu || group->retired)
			continue;
		counters_read_group(c, group, c->retired);
		for (size_t j = group->first; j < group->first + group->n; j++)
			close(take_fd(&c->v[j].fd));
		group->retired = true;
	}
	for (size_t i = 0; i < c->clocks_n; i++) {
		struct counters_clock *clock = &c->clocks[i];

		if (clock->cpu != cpu || clock->fd < 0)
			continue;
		clock->gone_ns = counters_enabled_ns(clock->fd);
		close(take_fd(&clock->fd));
	}
	return 0;
}

/* A failure is that of the whole group. */
static void counters_switch_one(const struct counters *c, struct counter_group *group,
				size_t counter, enum kernel_switch to)
{
	int err = group->retired ? 0 : kernel_switch(c->v[counter].fd, to);

	if (err == 0 || err == -ESRCH || err == -ENODEV || group->reason.cause)
		return;
	group->reason.cause = to == KERNEL_ON ? CAUSE_ENABLE : CAUSE_DISABLE;
	group->reason.error = err;
}

void counters_switch_group(struct counters *c, struct counter_group *group, enum kernel_switch to)
{
	for (size_t j = 1; c->members_switched && to == KERNEL_ON && j < group->n; j++)
		counters_switch_one(c, group, group->first + j, to);
	counters_switch_one(c, group, group->first, to);
}

/* Whether the group stays off because another set is on. */
static bool counters_waits(const struct counter_group *group, enum kernel_switch to)
{
	return to == KERNEL_ON && group->waits;
}

void counters_switch(struct counters *c, enum kernel_switch to)
{
	counters_switch_clocks(c, 0, to);
	/* In a task without children, the event that is not inherited is on for at least as long as
	 * the inherited one. */
	for (size_t i = 0; i < c->child_watches_n; i++) {
		const struct child_watch *watch = &c->child_watches[i];

		kernel_switch(to == KERNEL_ON ? watch->own_fd : watch->all_fd, to);
		kernel_switch(to == KERNEL_ON ? watch->all_fd : watch->own_fd, to);
	}
	for (size_t i = 0; i < c->groups_n; i++)
		if (!counters_waits(&c->groups[i], to))
			counters_switch_group(c, &c->groups[i], to);
}

void counters_switch_event(struct counters *c, size_t first_group, const struct row *rows,
			   size_t event, enum kernel_switch to)
{
	c->members_switched |= to == KERNEL_OFF;
	for (size_t i = first_group; i < c->groups_n; i++)
		for (size_t j = c->groups[i].first; j < c->groups[i].first + c->groups[i].n; j++)
			if (rows[c->v[j].row].event == event && !counters_waits(&c->groups[i], to))
				counters_switch_one(c, &c->groups[i], j, to);
}

void counters_truncate(struct counters *c, size_t n, size_t groups_n)
{
	while (c->n > n)
		if (c->v[--c->n].fd >= 0)
			close(c->v[c->n].fd);
	c->groups_n = groups_n;
}

int counters_open_software(__u64 config, pid_t pid, int cpu, enum counter_inherit inherit,
			   enum counter_start start)
{
	const struct event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .config = config,
					       .exclude_kernel = 1,
					       .exclude_hv = 1 } };
	const struct perf_event_attr attr = counter_attr(&event, COUNTER_LEADER, 1, inherit, start);

	return kernel_open(&attr, pid, cpu, -1, 0);
}

/* The event that is not inherited is enabled first, so the task itself is never mistaken for a
 * child. */
int counters_watch_children(struct counters *c, pid_t pid, size_t place_index,
			    enum counter_start start)
{
	cleanup_fd int own_fd = -1, all_fd = -1;

	for (size_t i = 0; i < c->child_watches_n; i++)
		if (c->child_watches[i].pid == pid)
			return 0;
	if (array_grow(&c->child_watches, c->child_watches_n, &c->child_watches_size,
		       sizeof(*c->child_watches)) < 0)
		return -ENOMEM;
	own_fd = counters_open_software(PERF_COUNT_SW_DUMMY, pid, -1, COUNTER_FIRST_TASK, start);
	all_fd = own_fd < 0 ? -1 :
			      counters_open_software(PERF_COUNT_SW_DUMMY, pid, -1,
						     COUNTER_ALL_TASKS, start);
	if (all_fd < 0)
		return 0;
	c->child_watches[c->child_watches_n++] =
		(struct child_watch){ pid, place_index, take_fd(&own_fd), take_fd(&all_fd) };
	return 0;
}

bool counters_child_ran(const struct counters *c, size_t place_index)
{
	for (size_t i = 0; i < c->child_watches_n; i++) {
		const struct child_watch *watch = &c->child_watches[i];
		uint64_t all_ns;

		if (watch->place_index != place_index)
			continue;
		all_ns = counters_enabled_ns(
			watch->all_fd); /* read first, because the task may run now */
		if (all_ns > counters_enabled_ns(watch->own_fd))
			return true;
	}
	return false;
}

void counters_switch_clocks(const struct counters *c, size_t first, enum kernel_switch to)
{
	for (size_t i = first; i < c->clocks_n; i++)
		if (c->clocks[i].fd >= 0)
			kernel_switch(c->clocks[i].fd, to);
}

static uint64_t counters_enabled_ns_of(const struct counters_clock *clock)
{
	return clock->fd >= 0 ? counters_enabled_ns(clock->fd) : clock->gone_ns;
}

void counters_begin_clocks(struct counters *c)
{
	for (size_t i = 0; i < c->clocks_n; i++)
		c->clocks[i].begin_ns = counters_enabled_ns_of(&c->clocks[i]);
}

uint64_t counters_clock_ns(const struct counters *c, size_t place_index)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < c->clocks_n; i++)
		if (place_index == COUNTERS_ALL_PLACES || c->clocks[i].place_index == place_index)
			sum_ns += math_gain(c->clocks[i].begin_ns,
					    counters_enabled_ns_of(&c->clocks[i]));
	return sum_ns;
}

void counters_close(struct counters *c)
{
	counters_truncate(c, 0, 0);
	for (size_t i = 0; i < c->clocks_n; i++)
		if (c->clocks[i].fd >= 0)
			close(c->clocks[i].fd);
	for (size_t i = 0; i < c->child_watches_n; i++) {
		close(c->child_watches[i].own_fd);
		close(c->child_watches[i].all_fd);
	}
	for (size_t i = 0; i < c->sentinels_n; i++)
		close(c->sentinels[i].fd);
	free(c->v);
	free(c->groups);
	free(c->clocks);
	free(c->sentinels);
	free(c->child_watches);
	free(c->values);
	free(c->retired);
	*c = (struct counters){ 0 };
}
