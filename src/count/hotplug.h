/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seeing CPUs go and come while they are counted. When a CPU goes offline the kernel switches its
 * events off for good (perf_event_exit_cpu() in kernel/events/core.c), also when it comes back at
 * once, or when the machine was suspended: then all looks as before, and nothing is counted any more.
 * So each CPU has an event that counts nothing: when the time it was enabled stands still, the CPU's
 * other events are as dead as this one. Reading it interrupts the CPU, which is why that is done
 * seldom, and otherwise when another set of CPUs is online.
 */
#ifndef PSTAT_COUNT_HOTPLUG_H
#define PSTAT_COUNT_HOTPLUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/cpulist.h"
#include "machine/machine.h"

struct probe {
	int cpu;
	int fd; /* owned; -1: the CPU is not counted now */
	uint64_t enabled_ns; /* when it was last looked at */
};

/* All zero watches nothing. */
struct hotplug {
	const struct machine *machine;
	bool all; /* CPUs that were not there before, too */
	struct probe *probes; /* owned; in the order of the CPUs */
	size_t n, size;
	struct cpulist online; /* as seen last */
	unsigned int checks; /* since all CPUs were asked */
	bool waits; /* for a CPU that is online and cannot be counted yet */
};

enum { HOTPLUG_ROUND = 10 };

enum hotplug_change { HOTPLUG_GONE, HOTPLUG_CAME };

/* Told of each change, in order: a CPU that was away for a moment is gone first, and then came. */
typedef int hotplug_tell(int cpu, enum hotplug_change change, void *data);

/* Watch these n CPUs. all: also those that come. Where the kernel does not let them be watched, they are not. 0 or -ENOMEM. */
int hotplug_open(struct hotplug *h, const struct machine *m, const int *cpus, size_t n, bool all);

/* Look what has changed; in one of HOTPLUG_ROUND calls also at CPUs that are online as before. 0, -ENOMEM, or what tell returned. */
int hotplug_check(struct hotplug *h, hotplug_tell *tell, void *data);

void hotplug_release(struct hotplug *h);

#endif
