/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/str.h"
#include "count/lifelines.h"

/* PIDFD_THREAD of linux/pidfd.h, which older systems lack. */
#define THREAD_TOO O_EXCL

static int open_pidfd(pid_t pid, unsigned int flags)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, flags);

	if (fd < 0 && flags && errno == EINVAL) /* the first thread of a process has one of old */
		fd = (int)syscall(SYS_pidfd_open, pid, 0);
	return fd < 0 ? -errno : fd;
}

static int add(struct lifelines *lines, pid_t pid, unsigned int flags)
{
	int fd;

	if (array_grow(&lines->v, lines->n, &lines->size, sizeof(*lines->v)) < 0)
		return -ENOMEM;
	fd = open_pidfd(pid, flags);
	if (fd != -ESRCH)
		lines->v[lines->n++] = (struct lifeline){ .pid = pid, .fd = fd };
	return 0;
}

int lifelines_open(struct lifelines *lines, const struct machine *m,
		   const struct task_list *processes, const struct task_list *threads)
{
	int err = 0;

	*lines = (struct lifelines){ .machine = m };
	for (size_t i = 0; err == 0 && i < processes->n; i++)
		err = add(lines, processes->v[i], 0);
	for (size_t i = 0; err == 0 && i < threads->n; i++)
		err = add(lines, threads->v[i], THREAD_TOO);
	return err;
}

bool lifelines_need_checks(const struct lifelines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].fd < 0)
			return true;
	return false;
}

static void let_go(struct lifelines *lines, size_t i)
{
	if (lines->v[i].fd >= 0)
		close(lines->v[i].fd);
	lines->v[i] = lines->v[--lines->n];
}

void lifelines_end(struct lifelines *lines, int fd)
{
	for (size_t i = lines->n; i-- > 0;)
		if (lines->v[i].fd == fd)
			let_go(lines, i);
}

void lifelines_check(struct lifelines *lines)
{
	for (size_t i = lines->n; i-- > 0;)
		if (lines->v[i].fd < 0 && !task_exists(lines->machine, lines->v[i].pid))
			let_go(lines, i);
}

void lifelines_release(struct lifelines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].fd >= 0)
			close(lines->v[i].fd);
	free(lines->v);
	*lines = (struct lifelines){ 0 };
}
