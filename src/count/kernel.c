/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "count/kernel.h"

int kernel_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd,
			  flags | PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int kernel_switch(int fd, bool on)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	return ioctl(fd, request, 0) < 0 ? -errno : 0;
}

int kernel_set_filter(int fd, const char *filter)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) < 0 ? -errno : 0;
}

ssize_t kernel_read(int fd, void *buffer, size_t size)
{
	ssize_t n = read(fd, buffer, size);

	return n < 0 ? -errno : n;
}
