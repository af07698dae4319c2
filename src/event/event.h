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

/* What pstat measures itself, without a counter: the clock around a run, and what getrusage(2) says
 * of the command and all that it waited for. */
enum tool_event {
	TOOL_NONE, /* an event of the kernel */
	TOOL_DURATION_TIME, /* ns, from before the command's exec until it was reaped */
	TOOL_USER_TIME, /* ns */
	TOOL_SYSTEM_TIME, /* ns */
	TOOL_MAX_RSS, /* KiB */
	TOOL_MINOR_FAULTS,
	TOOL_MAJOR_FAULTS,
	TOOL_VOLUNTARY_SWITCHES,
	TOOL_INVOLUNTARY_SWITCHES,
	TOOL_IN_BLOCK, /* block inputs that needed the disk */
	TOOL_OUT_BLOCK,
	TOOL_N,
};

/* The name of each of these events; NULL of TOOL_NONE. */
extern const char *const event_tool_names[TOOL_N];

/* PERF_COUNT_SW_CGROUP_SWITCHES, in Linux since 5.13; the headers of an older system lack it. */
enum { EVENT_SW_CGROUP_SWITCHES = 11 };

struct event {
	char *name; /* owned: the user's own spelling */
	const char *source; /* the source that resolved it, a static string */
	char *pmu; /* owned: its PMU's name in sysfs, or the kernel's word for its type */
	char *full_name; /* owned: libpfm4's own, complete name; NULL for other sources */
	char *probed; /* owned: the file or function that attr.config1 points to; NULL for no probe */
	char *filter; /* owned: of a tracepoint; NULL for none */
	char *unit; /* owned: "" for a plain count */
	double factor; /* a count times this is in unit */
	struct perf_event_attr attr; /* type, config…, precise, exclude_* and pinned, exclusive */
	__u64 config3; /* of the attr, which has no such field in headers before Linux 6.3 */
	enum tool_event tool;
	char *cpus; /* owned: counted on these CPUs as a whole ("0,18"), whatever runs there; NULL: goes
		     * with the command's tasks */
	char *cgroup; /* owned: counted in this cgroup alone; NULL: wherever */
	size_t of_name; /* which of the names that were written, counted over all lists */
	bool one_of_several; /* its name stands for an event of each of several PMUs */
	bool merged; /* an instance of the event before it: their counts are one row */
	bool snapshot; /* a level, not a sum: a run's value is what it reads at its end */
	char *symbol; /* owned: what a breakpoint is on, to be found in the command; NULL for none */
	bool relocated; /* bp_addr is as linked: the command's load address is still to be added */
	__u64 entry; /* with relocated: the command's entry point as linked */
	bool has_modifiers; /* its name ends in modifiers: another letter may be put to them */
	bool modes_chosen; /* the user named u, k or h: they are not ours to change */
	bool weak; /* modifier W: as a leader, makes its group weak */
};

/* Events first … first + n - 1, to be scheduled together. */
struct event_group {
	char *name; /* owned; NULL for none */
	size_t first, n;
	bool weak; /* may be taken apart when the PMU cannot hold it */
	bool pinned, exclusive; /* whoever leads it */
};

/* All zero is a valid empty list. Every event is in one group, the groups are in order. */
struct event_list {
	struct event *events;
	size_t n, size;
	struct event_group *groups;
	size_t groups_n, groups_size;
	size_t names_n; /* how many names were written */
};

/*
 * Append an event with what holds for every event: factor 1, no unit, and guests excluded, as perf
 * does. source is a static string, pmu is copied; the name is the resolver's to set. The event, which
 * is valid until the next one is added, or NULL: out of memory.
 */
struct event *event_list_add(struct event_list *list, const char *source, const char *pmu);

/* Whether it probes a function of the kernel, or of a file. */
bool event_is_kprobe(const struct event *event);
bool event_is_uprobe(const struct event *event);

/* Show its count times factor, in unit (copied). 0 or -ENOMEM. */
int event_set_unit(struct event *event, const char *unit, double factor);

/* Append the group of the events first … first + n - 1. 0 or -ENOMEM. */
int event_list_add_group(struct event_list *list, size_t first, size_t n);

/* Give the events of the last name in the list this filter; they have to be tracepoints. 0; -EINVAL
 * with why; -ENOMEM. */
struct why;
int event_list_filter(struct event_list *list, const char *filter, struct why *why);

/*
 * Make the list hold all its events and groups for each of these cgroups in turn, instead of once. n:
 * 1 at least. 0 or -ENOMEM, and the list is still to be released.
 */
int event_list_for_cgroups(struct event_list *list, char *const *cgroups, size_t n);

/* Free what the event owns. */
void event_release(struct event *event);

/* The index of the group that an event is in; groups_n where it is in none. */
size_t event_list_group_of(const struct event_list *list, size_t event);

/* Whether its group is pinned: it counts all the time, or not at all. */
bool event_list_is_pinned(const struct event_list *list, size_t event);

/* The index of the group's first event of the kernel, which leads it; of its first where it has none. */
size_t event_group_leader(const struct event_list *list, const struct event_group *group);

void event_list_release(struct event_list *list);

#endif
