/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event, resolved: what the kernel is to be asked for, and how the user named it. Plain data,
 * read by every room to the right of this one.
 */
#ifndef PSTAT_EVENT_EVENT_H
#define PSTAT_EVENT_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

/* What pstat measures itself, without a counter. Each counts nanoseconds. */
enum tool_event {
	TOOL_NONE, /* an event of the kernel */
	TOOL_DURATION_TIME, /* from before the command's exec until it was reaped */
	TOOL_USER_TIME,
	TOOL_SYSTEM_TIME,
};

/* PERF_COUNT_SW_CGROUP_SWITCHES, in Linux since 5.13; the headers of an older system lack it. */
enum { EVENT_SW_CGROUP_SWITCHES = 11 };

struct event {
	char *name; /* owned: the user's own spelling */
	const char *source; /* the source that resolved it, a static string */
	char *pmu; /* owned: its PMU's name in sysfs, or the kernel's word for its type */
	char *full_name; /* owned: libpfm4's own, complete name; NULL for other sources */
	char *unit; /* owned: "" for a plain count */
	double factor; /* a count times this is in unit */
	struct perf_event_attr attr; /* type, config…, precise, exclude_* and pinned, exclusive */
	enum tool_event tool;
	bool has_modifiers; /* its name ends in modifiers: another letter may be put to them */
	bool modes_chosen; /* the user named u, k or h: they are not ours to change */
	bool weak; /* modifier W: as a leader, makes its group weak */
};

/* Events first … first + n - 1, to be scheduled together. */
struct event_group {
	char *name; /* owned; NULL for none */
	size_t first, n;
	bool weak; /* may be taken apart when the PMU cannot hold it */
};

/* All zero is a valid empty list. Every event is in one group, the groups are in order. */
struct event_list {
	struct event *events;
	size_t n, size;
	struct event_group *groups;
	size_t groups_n, groups_size;
};

/*
 * Append an event with what holds for every event: factor 1, no unit, and guests excluded, as perf
 * does. source is a static string, pmu is copied; the name is the resolver's to set. The event, which
 * is valid until the next one is added, or NULL: out of memory.
 */
struct event *event_list_add(struct event_list *list, const char *source, const char *pmu);

/* Show its count times factor, in unit (copied). 0 or -ENOMEM. */
int event_set_unit(struct event *event, const char *unit, double factor);

/* Append a group of the last n events of the list. 0 or -ENOMEM. */
int event_list_add_group(struct event_list *list, size_t n);

/* The index of the group's first event of the kernel, which leads it; of its first where it has none. */
size_t event_group_leader(const struct event_list *list, const struct event_group *group);

void event_list_release(struct event_list *list);

#endif
