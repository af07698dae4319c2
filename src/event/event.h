/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A resolved event: the attributes to open it with, and the user's name for it. It is plain data
 * for all later steps.
 */
#ifndef PSTAT_EVENT_EVENT_H
#define PSTAT_EVENT_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/*
 * Values that pstat measures without a counter: the elapsed time of a run, and the resources
 * (getrusage(2)) of the command and the children it waited for.
 */
enum tool_event {
	TOOL_NONE, /* an event of the kernel */
	TOOL_DURATION_TIME, /* ns, from before the exec of the command until it was reaped */
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

/* The names of the tool events; NULL for TOOL_NONE. */
extern const char *const event_tool_names[TOOL_N];

/* PERF_COUNT_SW_CGROUP_SWITCHES of Linux 5.13. Older kernel headers do not define it. */
enum { EVENT_SW_CGROUP_SWITCHES = 11 };

/*
 * The position of the PMU type in the config of a generic event, for one of several core PMUs
 * (Linux 5.13).
 */
enum { EVENT_PMU_TYPE_SHIFT = 32 };

/* Intel's event slots, and the events topdown-* that count its parts, from Ice Lake on. */
enum event_slots {
	SLOTS_NONE,
	SLOTS_ALL, /* slots */
	SLOTS_PART, /* topdown-*: the kernel accepts it only in a group whose leader is slots */
};

struct event {
	char *name; /* owned: as the user wrote it */
	/* owned: the event's name in a row for its kind of core only, as in perf:
	 * "cpu_core/cycles/". NULL: the same as name */
	char *kind_name;
	/* the source that resolved it: a static string or, of a saved result, one that the
	 * document owns */
	const char *source;
	char *pmu; /* owned: the name of the PMU in sysfs, or of the type in the kernel */
	char *full_name; /* owned: the complete name from libpfm4; NULL for other sources */
	/* owned: the file or function that attr.config1 points to; NULL: not a probe */
	char *probed;
	char *filter; /* owned: the filter of a tracepoint, or NULL */
	char *unit; /* owned: "" if there is none */
	double factor; /* a count times factor is a value in unit */
	/* All fields except those of ATTR_OPENING. Older kernel headers end before config3. */
	union {
		struct perf_event_attr attr;
		struct {
			__u64 before_config3[16];
			__u64 config3, config4;
		};
	};
	enum tool_event tool;
	enum event_slots slots;
	/* owned: count all tasks on these CPUs ("0,18"); NULL: count the target's tasks */
	char *cpus;
	char *cgroup; /* owned: count this cgroup only, or NULL */
	/* The index of its name among all names that the user wrote, in all lists. All instances of
	 * one event have the same index. In a saved result: the index of the first instance. */
	size_t name_index;
	bool one_of_several; /* one name stands for events of several PMUs */
	bool optional; /* it is left out if it cannot be counted */
	/* its row is the sum of several instances: those of an uncore PMU, or one for each kind of
	 * core */
	bool summed;
	bool merged; /* an earlier instance has the row of the sum */
	bool implied; /* no option names it: a default event, or only a metric needs it */
	bool snapshot; /* a level, not a sum: the value of a run is the last reading */
	/* owned: the symbol of a breakpoint, to be found in the command; NULL: none */
	char *symbol;
	bool relocated; /* bp_addr is as linked, without the load address of the command */
	__u64 entry; /* if relocated: the entry point of the command as linked */
	bool has_modifiers; /* the name ends in modifiers, so another letter can follow */
	bool modes_chosen; /* the user wrote u, k or h, so pstat must not change them */
	bool has_ignored_terms; /* the user wrote terms that have no effect on counts */
	bool weak; /* modifier W: if it leads a group, the group is weak */
	bool in_kernel; /* a tracepoint that is known to happen only in the kernel */
	bool in_user; /* a tracepoint that is known to count in user mode */
};

/* The events first … first + n - 1, which the kernel schedules together. */
struct event_group {
	char *name; /* owned, or NULL */
	size_t first, n;
	bool weak; /* may be split if the PMU has too few counters for it */
	bool pinned, exclusive; /* set by modifier D or e on the leader or on the whole group */
};

/* All zero is a valid empty list. Every event is in one group, and the groups are sorted. */
struct event_list {
	struct event *events;
	size_t n, size;
	struct event_group *groups;
	size_t groups_n, groups_size;
	size_t names_n; /* the number of names that the user wrote */
	bool no_suggestions; /* set by the caller: suggest no names in place of an unknown one */
	bool all_optional; /* set by the caller: as if each name ended with '?' */
	struct str_list left_out; /* owned: the optional events without a meaning here, and why */
};

/* Whether all events but duration_time count whole CPUs, whatever runs there, and there is such an
 * event. Then perf counts as with -a. */
bool event_list_counts_whole_cpus(const struct event_list *list);

/*
 * Append an event with the defaults of all events: factor 1, no unit, guests excluded (as in perf).
 * source is a static string; pmu is copied; the resolver sets the name. Returns the event, which is
 * valid until the next one is added. NULL: out of memory.
 */
struct event *event_list_add(struct event_list *list, const char *source, const char *pmu);

/* Whether the event probes a kernel function, or a function of a file. */
bool event_is_kprobe(const struct event *event);
bool event_is_uprobe(const struct event *event);

/* Show values as count times factor in unit, which is copied. 0 or -ENOMEM. */
int event_set_unit(struct event *event, const char *unit, double factor);

/*
 * Whether the event is task-clock or cpu-clock. The kernel ignores the modes of a counting clock:
 * it counts all time (kernel/events/core.c reads exclude_user and exclude_kernel only for samples).
 */
bool event_is_clock(const struct event *event);

/*
 * The type of the PMU that alone counts the event. 0 (PERF_TYPE_HARDWARE): a generic hardware or
 * cache event that names no PMU.
 */
__u32 event_pmu_type(const struct event *event);

/* Whether the event counts on one of several kinds of cores, and its name also stands for the
 * events of the other kinds. */
bool event_is_of_kind(const struct event *event);

/* Append a group of the events first … first + n - 1. 0 or -ENOMEM. */
int event_list_add_group(struct event_list *list, size_t first, size_t n);

/* Remove an event, also from its group. */
void event_list_remove(struct event_list *list, size_t event);

/*
 * Set the filter of all events of the last name. They have to be tracepoints. 0; -EINVAL with why;
 * -ENOMEM.
 */
struct why;
int event_list_filter(struct event_list *list, const char *filter, struct why *why);

/*
 * Replace the events and groups with one copy for each of the n cgroups (at least 1). 0; -ENOMEM,
 * and the caller still has to release the list.
 */
int event_list_for_cgroups(struct event_list *list, char *const *cgroups, size_t n);

/* Free everything that the event owns. */
void event_release(struct event *event);

/* The index of the event's group; groups_n if it has none. */
size_t event_list_group_of(const struct event_list *list, size_t event);

/* Whether the event's group is pinned: it counts all the time or not at all. */
bool event_list_is_pinned(const struct event_list *list, size_t event);

/* Whether groups i and j have instances of the same event on different kinds of cores. The time
 * that the tasks ran on each kind is known only if both groups are counted at once. */
bool event_list_has_kinds(const struct event_list *list, size_t i, size_t j);

/*
 * The index of the group's leader: its first kernel event, or its first event if it has no kernel
 * event.
 */
size_t event_group_leader(const struct event_list *list, const struct event_group *group);

void event_list_release(struct event_list *list);

/*
 * Whether a program repeats the count almost exactly from run to run. True for retired instructions
 * and branches, page faults, calls and breakpoints. False for all others: cycles, times, misses,
 * switches. Instructions and branches are recognised as generic events, by their names in sysfs and
 * libpfm4, and by their numbers on a core PMU.
 */
bool event_is_repeatable(const struct event *event);

#endif
