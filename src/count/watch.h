/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens to the target while it is counted: tasks end, CPUs go offline and come online. */
#ifndef PSTAT_COUNT_WATCH_H
#define PSTAT_COUNT_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "count/target.h"
#include "machine/cpulist.h"
#include "machine/machine.h"

/* ---- Tasks */

/*
 * The tasks of -p and -t that have not ended. Each has a pidfd, which becomes readable when the
 * task ends (pidfd_open(2), Linux 5.3; threads since 6.9). On older kernels pstat has to check
 * whether the task still exists.
 */
enum { WATCH_TASKS_MS = 100 };

struct watched_task {
	pid_t pid;
	int fd; /* owned; negative: the kernel does not support a pidfd for the task */
};

/* All zero: no task is watched. */
struct task_watch {
	const struct machine *machine;
	struct watched_task *v; /* owned */
	size_t n, size;
};

/* Watch the target's processes and threads that have not ended. 0 or -ENOMEM. Call
 * watch_tasks_release() in either case. */
int watch_tasks(struct task_watch *watch, const struct machine *m, const struct target *target);

/* Stop watching the task whose pidfd has become readable. fd -1: check the tasks that have no
 * pidfd, and stop watching those that have ended; call this every WATCH_TASKS_MS if there are any.
 * watch->n is the number of tasks that are left. */
void watch_tasks_check(struct task_watch *watch, int fd);

/* Stop watching all tasks that have ended. */
void watch_tasks_check_all(struct task_watch *watch);

void watch_tasks_release(struct task_watch *watch);

/* ---- CPUs */

/*
 * When a CPU goes offline, the kernel switches the events of this CPU off for good
 * (perf_event_exit_cpu() in kernel/events/core.c). The events stay off even if the CPU comes back
 * at once, for example after a suspend; nothing else shows that they no longer count. Therefore
 * pstat opens a dummy event on each CPU. If the time enabled of this event does not grow, the other
 * events of the CPU do not count either. To read the event, the kernel interrupts the CPU. So pstat
 * reads it rarely, and when the set of online CPUs has changed.
 */
enum { WATCH_CPUS_MS = 100 };

/* One in this number of checks reads all events. */
enum { WATCH_CPUS_ROUND = 10 };

struct watched_cpu {
	int cpu;
	int fd; /* owned; -1: the CPU is not counted now */
	uint64_t enabled_ns; /* the time enabled at the last reading */
};

/* All zero: no CPU is watched. */
struct cpu_watch {
	const struct machine *machine;
	bool all; /* watch CPUs that come online, too */
	struct watched_cpu *v; /* owned; in the order of their numbers */
	size_t n, size;
	struct cpulist online; /* the online CPUs at the last check */
	unsigned int checks; /* checks since all events were read */
	bool waits; /* a CPU is online but cannot be counted yet */
};

enum cpu_change { CPU_GONE, CPU_CAME };

/* Called for each change, in order. If a CPU was offline for a moment, this is called twice: gone,
 * then came. */
typedef int watch_cpu_changed(int cpu, enum cpu_change change, void *data);

/*
 * Watch the CPUs of the target's scopes, and CPUs that come online later if the target is all CPUs.
 * If the kernel refuses an event, no CPU is watched. 0 or -ENOMEM.
 */
int watch_cpus(struct cpu_watch *watch, const struct machine *m, const struct target *target);

/* Look for changes. 0, -ENOMEM, or the result of changed(), which ends the check unless it is 0. */
int watch_cpus_check(struct cpu_watch *watch, watch_cpu_changed *changed, void *data);

void watch_cpus_release(struct cpu_watch *watch);

#endif
