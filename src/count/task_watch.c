/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/str.h"
#include "count/task_watch.h"

/* PIDFD_THREAD of linux/pidfd.h, which older systems lack. */
#define THREAD_TOO O_EXCL

static int open_pidfd(pid_t pid, unsigned int flags)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, flags);

	if (fd < 0 && flags && errno == EINVAL) /* the first thread of a process has one of old */
		fd = (int)syscall(SYS_pidfd_open, pid, 0);
	return fd < 0 ? -errno : fd;
}

static int add(struct task_watch *lines, pid_t pid, unsigned int flags)
{
	int fd;

	if (array_grow(&lines->v, lines->n, &lines->size, sizeof(*lines->v)) < 0)
		return -ENOMEM;
	fd = open_pidfd(pid, flags);
	if (fd != -ESRCH)
		lines->v[lines->n++] = (struct watched_task){ .pid = pid, .fd = fd };
	return 0;
}

int task_watch_open(struct task_watch *lines, const struct machine *m,
		    const struct task_list *processes, const struct task_list *threads)
{
	int err = 0;

	*lines = (struct task_watch){ .machine = m };
	for (size_t i = 0; err == 0 && i < processes->n; i++)
		err = add(lines, processes->v[i], 0);
	for (size_t i = 0; err == 0 && i < threads->n; i++)
		err = add(lines, threads->v[i], THREAD_TOO);
	return err;
}

bool task_watch_need_checks(const struct task_watch *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].fd < 0)
			return true;
	return false;
}

static void let_go(struct task_watch *lines, size_t i)
{
	if (lines->v[i].fd >= 0)
		close(lines->v[i].fd);
	lines->v[i] = lines->v[--lines->n];
}

void task_watch_end(struct task_watch *lines, int fd)
{
	for (size_t i = lines->n; i-- > 0;)
		if (lines->v[i].fd == fd)
			let_go(lines, i);
}

void task_watch_check(struct task_watch *lines)
{
	for (size_t i = lines->n; i-- > 0;)
		if (lines->v[i].fd < 0 && !task_exists(lines->machine, lines->v[i].pid))
			let_go(lines, i);
}

void task_watch_release(struct task_watch *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].fd >= 0)
			close(lines->v[i].fd);
	free(lines->v);
	*lines = (struct task_watch){ 0 };
}
