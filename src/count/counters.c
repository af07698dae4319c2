/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "count/counters.h"
#include "count/kernel.h"

/* How often a group that a task's end takes apart is read again: for 20 ms or so. */
enum { READ_TRIES = 256 };

/* A row has a counter on each of the CPUs it is counted on: their sum. */
static void add_to_sample(struct reading *reading, uint64_t value, uint64_t enabled_ns,
			  uint64_t running_ns)
{
	reading->counts.raw += value;
	reading->counts.enabled_ns += enabled_ns;
	reading->counts.running_ns += running_ns;
}

/* The first reason stays. */
static void fail_reading(struct reading *reading, struct reason reason)
{
	if (reading->state != FAILED)
		reading->reason = reason;
	reading->state = FAILED;
}

/* n: what the read gave. Nothing at all is how a pinned group in its error state reads. */
static struct reason reason_of_read(ssize_t n)
{
	if (n == 0)
		return (struct reason){ CAUSE_NONE, 0 };
	return (struct reason){ CAUSE_READ, n < 0 ? (int)n : -EIO };
}

/*
 * The kernel takes a CPU's groups apart when the CPU goes offline (perf_event_exit_cpu() in
 * kernel/events/core.c): each event then reads as a group of its own.
 */
static void read_detached(const struct counters *c, const struct counter_group *group,
			  struct reading *readings)
{
	for (size_t i = group->first; i < group->first + group->n; i++) {
		uint64_t values[COUNTERS_VALUES_OF_GROUP(1)];
		ssize_t n = kernel_read(c->v[i].fd, values, sizeof(values));

		if (n == (ssize_t)sizeof(values) && values[0] == 1)
			add_to_sample(&readings[c->v[i].row], values[3], values[1], values[2]);
		else
			fail_reading(&readings[c->v[i].row], reason_of_read(n));
	}
}

/*
 * A task that ends takes its copy of a group apart, member by member, and until that is done the kernel
 * refuses to add the group up (__perf_read_group_add() in kernel/events/core.c, since Linux 6.6). The
 * task may be kept from going on while others run, this one too.
 */
static ssize_t read_whole(int fd, void *buffer, size_t size)
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
static void read_together(const struct counters *c, const struct counter_group *group,
			  struct reading *readings)
{
	uint64_t *values = c->values;
	ssize_t size = (ssize_t)(COUNTERS_VALUES_OF_GROUP(group->n) * sizeof(*values));
	ssize_t n = read_whole(c->v[group->first].fd, values, (size_t)size);

	if (n == (ssize_t)(COUNTERS_VALUES_OF_GROUP(1) * sizeof(*values)) && group->n > 1 &&
	    values[0] == 1) {
		read_detached(c, group, readings);
		return;
	}
	for (size_t i = 0; i < group->n; i++) {
		const struct counter *counter = &c->v[group->first + i];

		if (n == size && values[0] == group->n)
			add_to_sample(&readings[counter->row], values[3 + 2 * i], values[1],
				      values[2]);
		else
			fail_reading(&readings[counter->row], reason_of_read(n));
	}
}

/* "value, time_enabled, time_running" */
static void read_apart(const struct counters *c, const struct counter_group *group,
		       struct reading *readings)
{
	for (size_t i = group->first; i < group->first + group->n; i++) {
		uint64_t values[3];
		ssize_t n = kernel_read(c->v[i].fd, values, sizeof(values));

		if (n == (ssize_t)sizeof(values))
			add_to_sample(&readings[c->v[i].row], values[0], values[1], values[2]);
		else
			fail_reading(&readings[c->v[i].row], reason_of_read(n));
	}
}

static void read_group(const struct counters *c, const struct counter_group *group,
		       struct reading *readings)
{
	for (size_t i = group->first; group->reason.cause && i < group->first + group->n; i++)
		fail_reading(&readings[c->v[i].row], group->reason);
	if (group->one_read)
		read_together(c, group, readings);
	else
		read_apart(c, group, readings);
}

void counters_read(const struct counters *c, struct reading *readings)
{
	for (size_t i = 0; i < c->retired_n; i++) {
		const struct reading *retired = &c->retired[i];

		add_to_sample(&readings[i], retired->counts.raw, retired->counts.enabled_ns,
			      retired->counts.running_ns);
		if (retired->state == FAILED)
			fail_reading(&readings[i], retired->reason);
	}
	for (size_t i = 0; i < c->groups_n; i++)
		if (!c->groups[i].retired)
			read_group(c, &c->groups[i], readings);
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
		read_group(c, group, c->retired);
		for (size_t j = group->first; j < group->first + group->n; j++)
			close(take_fd(&c->v[j].fd));
		group->retired = true;
	}
	return 0;
}

bool counters_read_at_once(const struct counters *c)
{
	for (size_t i = 0; i < c->groups_n; i++)
		if (c->groups[i].n > 1 && !c->groups[i].one_read)
			return false;
	return true;
}

void counters_switch(struct counters *c, bool on)
{
	children_switch(&c->children, on);
	for (size_t i = 0; i < c->groups_n; i++) {
		struct counter_group *group = &c->groups[i];
		int err = group->retired ? 0 : kernel_switch(c->v[group->first].fd, on);

		if (err == 0 || err == -ESRCH || err == -ENODEV || group->reason.cause)
			continue;
		group->reason = (struct reason){ on ? CAUSE_ENABLE : CAUSE_DISABLE, err };
	}
}

void counters_forget_failures(struct counters *c)
{
	for (size_t i = 0; i < c->groups_n; i++)
		c->groups[i].reason = (struct reason){ 0 };
}

void counters_cut(struct counters *c, size_t n, size_t groups_n)
{
	while (c->n > n)
		if (c->v[--c->n].fd >= 0)
			close(c->v[c->n].fd);
	c->groups_n = groups_n;
}

void counters_close(struct counters *c)
{
	counters_cut(c, 0, 0);
	children_close(&c->children);
	for (size_t i = 0; i < c->sentinels_n; i++)
		close(c->sentinels[i].fd);
	free(c->v);
	free(c->groups);
	free(c->sentinels);
	free(c->values);
	free(c->retired);
	*c = (struct counters){ 0 };
}
