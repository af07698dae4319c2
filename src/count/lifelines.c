/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

static bool is_gone(const struct lifelines *lines, const struct lifeline *line)
{
	struct pollfd fd = { .fd = line->fd, .events = POLLIN };

	if (line->fd >= 0)
		return poll(&fd, 1, 0) > 0;
	return !task_exists(lines->machine, line->pid);
}

bool lifelines_need_checks(const struct lifelines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].fd < 0)
			return true;
	return false;
}

bool lifelines_all_gone(struct lifelines *lines)
{
	for (size_t i = lines->n; i-- > 0;) {
		if (!is_gone(lines, &lines->v[i]))
			continue;
		if (lines->v[i].fd >= 0)
			close(lines->v[i].fd);
		lines->v[i] = lines->v[--lines->n];
	}
	return lines->n == 0;
}

void lifelines_release(struct lifelines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].fd >= 0)
			close(lines->v[i].fd);
	free(lines->v);
	*lines = (struct lifelines){ 0 };
}
