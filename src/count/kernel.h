/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls for perf events (perf_event_open(2)). No other file makes them, so that unit
 * tests can link fake ones. */
#ifndef PSTAT_COUNT_KERNEL_H
#define PSTAT_COUNT_KERNEL_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

/* Whether an open event counts. */
enum kernel_switch { KERNEL_OFF, KERNEL_ON };

/*
 * Open one event, close-on-exec. The attr has attr->size bytes, which may exceed the struct of
 * older kernel headers. pid, cpu, group_fd and flags are as in perf_event_open(2): pid 0 is the
 * caller, cpu -1 is any CPU, and group_fd -1 is no group. With PERF_FLAG_PID_CGROUP, pid is a
 * cgroup's descriptor. A call that a signal interrupts is repeated a few times. Returns the
 * descriptor, which the caller closes, or -errno.
 */
int kernel_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		unsigned long flags);

/* Whether perf_event_open(2) reaches the kernel. The kernel checks the flags before anything else,
 * and answers unknown flags with EINVAL. A seccomp filter answers with another error. */
bool kernel_is_reached(void);

/* Whether the kernel refuses, with EACCES or EPERM, to count even the user mode of pstat itself. */
bool kernel_refuses_user_mode(void);

/*
 * Whether a hardware breakpoint on a variable of pstat counts a write. It does not if the
 * hypervisor delivers no debug exceptions. Also true if the breakpoint cannot be opened or read.
 * Takes about 20 us.
 */
bool kernel_counts_breakpoints(void);

/*
 * Switch an open event, the group that it leads, and all events inherited from them. 0 or -errno.
 */
int kernel_switch(int fd, enum kernel_switch to);

/* Give an open tracepoint a filter (Documentation/trace/events.rst, 5). 0 or -errno. */
int kernel_set_filter(int fd, const char *filter);

/* read(2) of an event: the bytes read, 0 for a pinned event in its error state, or -errno. */
ssize_t kernel_read(int fd, void *buffer, size_t size);

#endif
