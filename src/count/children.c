/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/children.h"
#include "count/kernel.h"

static int open_on(pid_t pid, enum plan_inherit inherit, enum plan_start start)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = inherit == PLAN_ALL_TASKS,
		.disabled = start != PLAN_AT_ONCE,
		.enable_on_exec = start == PLAN_BY_EXEC,
	};

	return kernel_open(&attr, pid, -1, -1, 0);
}

/*
 * The event that is not inherited is enabled first, so that its own task is never taken for a
 * child.
 */
int children_watch(struct children *c, pid_t pid, size_t place_index, enum plan_start start)
{
	cleanup_fd int own_fd = -1, all_fd = -1;

	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].pid == pid)
			return 0;
	if (array_grow(&c->v, c->n, &c->size, sizeof(*c->v)) < 0)
		return -ENOMEM;
	own_fd = open_on(pid, PLAN_FIRST_TASK, start);
	all_fd = own_fd < 0 ? -1 : open_on(pid, PLAN_ALL_TASKS, start);
	if (all_fd < 0)
		return 0;
	c->v[c->n++] =
		(struct children_pair){ pid, place_index, take_fd(&own_fd), take_fd(&all_fd) };
	return 0;
}

/* The event that is not inherited is on for as long as the other, or longer. */
void children_switch(const struct children *c, bool on)
{
	for (size_t i = 0; i < c->n; i++) {
		kernel_switch(on ? c->v[i].own_fd : c->v[i].all_fd, on);
		kernel_switch(on ? c->v[i].all_fd : c->v[i].own_fd, on);
	}
}

static uint64_t enabled_ns(int fd)
{
	uint64_t values[2]; /* count, time enabled */

	return kernel_read(fd, values, sizeof(values)) == (ssize_t)sizeof(values) ? values[1] : 0;
}

bool children_ran(const struct children *c, size_t place_index)
{
	for (size_t i = 0; i < c->n; i++) {
		uint64_t all_ns;

		if (c->v[i].place_index != place_index)
			continue;
		all_ns = enabled_ns(c->v[i].all_fd); /* first: the task may run in between */
		if (all_ns > enabled_ns(c->v[i].own_fd))
			return true;
	}
	return false;
}

void children_close(struct children *c)
{
	for (size_t i = 0; i < c->n; i++) {
		close(c->v[i].own_fd);
		close(c->v[i].all_fd);
	}
	free(c->v);
	*c = (struct children){ 0 };
}
