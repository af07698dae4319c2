/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/privilege.h"
#include "count/kernel.h"

/* Signals interrupt only a few calls in a row. If ftrace uses the same probe, however, the kernel
 * returns EINTR every time (probe_event_enable() in kernel/trace/trace_uprobe.c). */
enum { OPEN_TRIES = 100 };

int kernel_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		unsigned long flags)
{
	int result = -EINTR, err;

	privilege_raise(); /* if this fails, the kernel's error shows what is missing */
	for (int tries = 0; result == -EINTR && tries < OPEN_TRIES; tries++) {
		long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd,
				  flags | PERF_FLAG_FD_CLOEXEC);

		result = fd < 0 ? -errno : (int)fd;
	}
	err = privilege_lower();
	if (err < 0 && result >= 0)
		close(result);
	return err < 0 ? err : result;
}

bool kernel_is_reached(void)
{
	const struct perf_event_attr attr = { .size = sizeof(attr) };

	return kernel_open(&attr, 0, -1, -1, ~0UL) == -EINVAL;
}

bool kernel_refuses_user_mode(void)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = kernel_open(&attr, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd == -EACCES || fd == -EPERM;
}

bool kernel_counts_breakpoints(void)
{
	/* not on the stack: a removed breakpoint may still trap there later, which kills pstat */
	static volatile uint32_t watched;
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&watched,
		.bp_len = sizeof(watched),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	uint64_t count;
	ssize_t n;
	int fd = kernel_open(&attr, 0, -1, -1, 0);

	if (fd < 0)
		return true;
	watched = 1;
	n = kernel_read(fd, &count, sizeof(count));
	close(fd);
	return n != (ssize_t)sizeof(count) || count > 0;
}

int kernel_switch(int fd, enum kernel_switch to)
{
	unsigned long request = to == KERNEL_ON ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

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
