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
 * task ends (pidfd_open(2), Linux 5.3; threads since 6.9). On older kernels pstat has to look for
 * the task.
 */
enum { WATCH_TASKS_MS = 100 };

struct watched_task {
	pid_t pid;
	int fd; /* owned; negative: the kernel has no pidfd for it */
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

/* Whether some of the tasks have no pidfd, so that watch_tasks_check() has to look for them. */
bool watch_tasks_needs_checks(const struct task_watch *watch);

/* Close this pidfd, whose task has ended. watch->n is the number of tasks that are left. */
void watch_tasks_end(struct task_watch *watch, int fd);

/* Look for the tasks that have no pidfd, and forget those that have ended. */
void watch_tasks_check(struct task_watch *watch);

void watch_tasks_release(struct task_watch *watch);

/* ---- CPUs */

/*
 * When a CPU goes offline, the kernel switches the events of this CPU off for good
 * (perf_event_exit_cpu() in kernel/events/core.c). This is also so if the CPU comes back at once,
 * or if the machine was suspended: all looks as before, and no event counts. Each CPU therefore has
 * an event that counts nothing. If its time enabled does not grow, the other events of the CPU do
 * not count either. To read this event, the kernel interrupts the CPU. So it is read rarely, and
 * when the set of CPUs that are online has changed.
 */
enum { WATCH_CPUS_MS = 100 };

/* In one of so many checks, all events are read. */
enum { WATCH_CPUS_ROUND = 10 };

struct watched_cpu {
	int cpu;
	int fd; /* owned; -1: the CPU is not counted now */
	uint64_t enabled_ns; /* at the last reading */
};

/* All zero: no CPU is watched. */
struct cpu_watch {
	const struct machine *machine;
	bool all; /* watch CPUs that come online, too */
	struct watched_cpu *v; /* owned; in the order of their numbers */
	size_t n, size;
	struct cpulist online; /* at the last check */
	unsigned int checks; /* since all events were read */
	bool waits; /* for a CPU that is online and cannot be counted yet */
};

enum cpu_change { CPU_GONE, CPU_CAME };

/* Called for each change, in order. A CPU that was offline for a moment is gone, and then came. */
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
