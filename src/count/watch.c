/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/kernel.h"
#include "count/watch.h"
#include "machine/cpulist.h"

/* ---- Tasks */

/* PIDFD_THREAD of linux/pidfd.h, which older systems lack. */
#define PIDFD_OF_THREAD O_EXCL

static int watch_add(struct task_watch *watch, pid_t pid, unsigned int flags)
{
	int fd;

	if (array_grow(&watch->v, watch->n, &watch->size, sizeof(*watch->v)) < 0)
		return -ENOMEM;
	fd = (int)syscall(SYS_pidfd_open, pid, flags);
	/* before Linux 6.9, only the first thread of a process has a pidfd */
	if (fd < 0 && flags && errno == EINVAL)
		fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd >= 0 || errno != ESRCH)
		watch->v[watch->n++] = (struct watched_task){ .pid = pid, .fd = fd };
	return 0;
}

int watch_tasks(struct task_watch *watch, const struct machine *m, const struct target *target)
{
	const struct task_list *processes = &target->processes, *threads = &target->threads;
	int err = 0;

	*watch = (struct task_watch){ .machine = m };
	for (size_t i = 0; err == 0 && i < processes->n; i++)
		err = watch_add(watch, processes->v[i], 0);
	for (size_t i = 0; err == 0 && i < threads->n; i++)
		err = watch_add(watch, threads->v[i], PIDFD_OF_THREAD);
	return err;
}

void watch_tasks_check(struct task_watch *watch, int fd)
{
	for (size_t i = watch->n; i-- > 0;) {
		const struct watched_task *task = &watch->v[i];

		if (fd >= 0 ? task->fd != fd :
			      task->fd >= 0 || task_exists(watch->machine, task->pid))
			continue;
		if (task->fd >= 0)
			close(task->fd);
		watch->v[i] = watch->v[--watch->n];
	}
}

void watch_tasks_check_all(struct task_watch *watch)
{
	watch_tasks_check(watch, -1);
	for (size_t i = watch->n; i-- > 0;) {
		struct pollfd ended = { .fd = watch->v[i].fd, .events = POLLIN };

		if (ended.fd >= 0 && poll(&ended, 1, 0) > 0)
			watch_tasks_check(watch, ended.fd);
	}
}

void watch_tasks_release(struct task_watch *watch)
{
	for (size_t i = 0; i < watch->n; i++)
		if (watch->v[i].fd >= 0)
			close(watch->v[i].fd);
	free(watch->v);
	*watch = (struct task_watch){ 0 };
}

/* ---- CPUs */

static int watch_open_cpu(int cpu)
{
	const struct perf_event_attr nothing = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(nothing),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
	};

	return kernel_open(&nothing, -1, cpu, -1, 0);
}

static int watch_insert_cpu(struct cpu_watch *watch, size_t index, int cpu)
{
	struct watched_cpu *v;

	if (array_grow(&watch->v, watch->n, &watch->size, sizeof(*watch->v)) < 0)
		return -ENOMEM;
	v = watch->v;
	memmove(&v[index + 1], &v[index], (watch->n - index) * sizeof(*v));
	v[index] = (struct watched_cpu){ .cpu = cpu, .fd = -1 };
	watch->n++;
	return 0;
}

int watch_cpus(struct cpu_watch *watch, const struct machine *m, const struct target *target)
{
	*watch = (struct cpu_watch){ .machine = m, .all = target->all_cpus };
	for (size_t i = 0; i < target->scopes_n; i++) {
		int cpu = target->scopes[i].cpu;
		int fd = watch_open_cpu(cpu);
		size_t index = 0;

		if (fd < 0 && fd != -ENODEV) { /* ENODEV: the CPU has just gone offline */
			watch_cpus_release(watch);
			return 0;
		}
		while (index < watch->n && watch->v[index].cpu < cpu)
			index++;
		if (watch_insert_cpu(watch, index, cpu) < 0) {
			if (fd >= 0)
				close(fd);
			return -ENOMEM;
		}
		watch->v[index].fd = fd < 0 ? -1 : fd;
	}
	return cpulist_online(m, &watch->online) == -ENOMEM ? -ENOMEM : 0;
}

/* Close the event of a CPU that went offline: its time enabled no longer grows. */
static int watch_check_cpu(struct cpu_watch *watch, struct watched_cpu *watched,
			   watch_cpu_changed *changed, void *data)
{
	uint64_t values[2]; /* count, time enabled */
	bool grown = false;

	if (watched->fd < 0)
		return 0;
	if (kernel_read(watched->fd, values, sizeof(values)) == (ssize_t)sizeof(values)) {
		grown = values[1] > watched->enabled_ns;
		watched->enabled_ns = values[1];
	}
	if (grown && cpulist_has(&watch->online, watched->cpu))
		return 0;
	close(take_fd(&watched->fd));
	watched->enabled_ns = 0;
	return changed(watched->cpu, CPU_GONE, data);
}

int watch_cpus_check(struct cpu_watch *watch, watch_cpu_changed *changed, void *data)
{
	struct cpulist online = { 0 };
	size_t index = 0;
	bool as_before;
	int err = 0;

	if (watch->n == 0 || cpulist_online(watch->machine, &online) < 0)
		return 0;
	as_before = online.n == watch->online.n &&
		    memcmp(online.v, watch->online.v, online.n * sizeof(*online.v)) == 0;
	cpulist_release(&watch->online);
	watch->online = online;
	if (as_before && !watch->waits && ++watch->checks < WATCH_CPUS_ROUND)
		return 0;
	watch->checks = 0;
	watch->waits = false;
	for (size_t i = 0; err == 0 && i < watch->n; i++)
		err = watch_check_cpu(watch, &watch->v[i], changed, data);
	for (size_t i = 0; err == 0 && i < online.n; i++) {
		int cpu = online.v[i];

		while (index < watch->n && watch->v[index].cpu < cpu)
			index++;
		if (index == watch->n || watch->v[index].cpu != cpu) {
			if (!watch->all)
				continue;
			if (watch_insert_cpu(watch, index, cpu) < 0)
				return -ENOMEM;
		}
		if (watch->v[index].fd >= 0)
			continue;
		watch->v[index].fd = watch_open_cpu(cpu);
		watch->waits |= watch->v[index].fd < 0;
		if (watch->v[index].fd >= 0)
			err = changed(cpu, CPU_CAME, data);
	}
	return err;
}

void watch_cpus_release(struct cpu_watch *watch)
{
	for (size_t i = 0; i < watch->n; i++)
		if (watch->v[i].fd >= 0)
			close(watch->v[i].fd);
	free(watch->v);
	cpulist_release(&watch->online);
	*watch = (struct cpu_watch){ 0 };
}
