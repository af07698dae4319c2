/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes counts and times vary on a machine: settings of the kernel, and what happens at the
 * same time. pstat does not change any of it.
 */
#ifndef PSTAT_MACHINE_DISTURBANCES_H
#define PSTAT_MACHINE_DISTURBANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

/* A property of the machine. */
struct finding {
	const char *name; /* a static string */
	char *text; /* owned: its state; may contain names that others chose */
	const char *remedy; /* a static string: what helps; NULL: nothing, or it is not needed */
	bool disturbs;
};

/* All zero is an empty list. */
struct findings {
	struct finding *v; /* owned */
	size_t n, size;
};

/* Append a finding. It takes text over; NULL means that memory ran out. 0 or -ENOMEM. */
int findings_add(struct findings *list, struct finding finding);
void findings_release(struct findings *list);

/* Append the settings that the machine has; one that cannot be read is left out. 0 or -ENOMEM. */
int disturbances_of_settings(const struct machine *m, struct findings *list);

/* What the machine has done since its start; 0 if that is unknown. */
struct activity {
	unsigned int cpus; /* online now */
	uint64_t ticks; /* the time of all CPUs together (proc(5), /proc/stat) */
	uint64_t busy_ticks; /* of these, CPUs were not idle */
	uint64_t stolen_ticks; /* of these, CPUs of a virtual machine had to wait for the host */
	uint64_t swapped_pages; /* in and out */
	/* how often CPUs were slowed down because they were hot (x86: sysfs, thermal_throttle) */
	uint64_t throttled;
};

struct activity disturbances_read_activity(const struct machine *m);

/* Append what happened between two activities. own_ticks: the busy ticks that pstat caused. 0 or
 * -ENOMEM. */
int disturbances_of_activity(const struct activity *before, const struct activity *after,
			     uint64_t own_ticks, struct findings *list);

/* Append which processes have counters open, as far as this user may look. 0 or -ENOMEM. */
int disturbances_of_counters(const struct machine *m, struct findings *list);

#endif
