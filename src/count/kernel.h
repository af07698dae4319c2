/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls of perf_event_open(2), here and nowhere else; unit tests link another one. */
#ifndef PSTAT_COUNT_KERNEL_H
#define PSTAT_COUNT_KERNEL_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Open one event, close-on-exec. pid, cpu, group_fd and flags as in perf_event_open(2): 0 is the
 * caller, -1 any CPU and no group; with PERF_FLAG_PID_CGROUP pid is a cgroup's descriptor. The
 * descriptor, the caller's to close, or -errno.
 */
int kernel_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		unsigned long flags);

/* Switch an open event, with the group that it leads and all that inherited them, on or off. 0 or
 * -errno. */
int kernel_switch(int fd, bool on);

/* Give an open tracepoint a filter (Documentation/trace/events.rst, 5). 0 or -errno. */
int kernel_set_filter(int fd, const char *filter);

/* read(2) of an event: the bytes read, 0 for a pinned event in its error state, or -errno. */
ssize_t kernel_read(int fd, void *buffer, size_t size);

#endif
