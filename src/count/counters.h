/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attr of each counter. The open counters: switch, read and close them. */
#ifndef PSTAT_COUNT_COUNTERS_H
#define PSTAT_COUNT_COUNTERS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/kernel.h"
#include "count/reading.h"
#include "event/event.h"

/* One read(2) returns all values of a group (perf_event_open(2), "Reading results"). */
#define COUNTER_GROUP_FORMAT ((__u64)(PERF_FORMAT_GROUP | PERF_FORMAT_ID))

enum counter_inherit {
	COUNTER_FIRST_TASK, /* the task itself, or the tasks on the CPU */
	COUNTER_ALL_THREADS, /* the task, and all threads that it creates later (Linux 5.13) */
	COUNTER_ALL_TASKS, /* the task, and all threads and processes that it creates later */
};

enum counter_role {
	/* the leader of a group, or a single event: enabled by the command's exec */
	COUNTER_LEADER,
	COUNTER_MEMBER, /* enabled with its leader */
};

enum counter_start {
	COUNTER_BY_EXEC, /* switched on by the command's exec */
	/* on from the start: on a CPU, or on a command that stopped after its exec */
	COUNTER_AT_ONCE,
	COUNTER_SWITCHED, /* switched on and off by counters_switch() */
};

/* The attr of an event in a group of group_n events. group_n is 1 for a single event. */
struct perf_event_attr counter_attr(const struct event *event, enum counter_role role,
				    size_t group_n, enum counter_inherit inherit,
				    enum counter_start start);

/* Whether the event happens only in the kernel, so that counting user mode would always give 0. */
bool counter_kernel_only(const struct event *event);

struct counter {
	size_t row;
	int fd;
};

/* Counters first … first + n - 1, a group of the kernel: the first one is its leader. */
struct counter_group {
	size_t first, n;
	bool one_read; /* one read(2) returns all values; otherwise each counter is read */
	int cpu; /* closed when this CPU goes offline; -1: stays open */
	bool retired; /* closed: its counts are part of the retired readings */
	bool waits; /* another set is on: counters_switch() does not switch this group on */
	struct reason reason; /* why it could not be switched on or off */
};

struct sentinel {
	__u32 type; /* as in its attr */
	int fd; /* owned */
};

/* Two events on a task, see counters_watch_children(). */
struct child_watch {
	pid_t pid;
	size_t place_index; /* of the task, as in struct scope */
	int own_fd; /* not inherited; owned */
	int all_fd; /* inherited; owned */
};

/* A dummy software event on a scope, see opener_open_clocks() in opener.c. */
struct counters_clock {
	int fd; /* owned; -1: its CPU has gone offline */
	int cpu; /* -1: of a task */
	size_t place_index; /* of the scope */
	uint64_t begin_ns; /* the time enabled at counters_begin_clocks() */
	uint64_t gone_ns; /* the time enabled when the CPU went offline */
};

/* All zero: there are none. */
struct counters {
	struct counter *v; /* owned, like the other arrays */
	size_t n, size;
	struct counter_group *groups;
	size_t groups_n, groups_size;
	struct sentinel *sentinels; /* one of each kind, see opener_sentinel_attr() */
	size_t sentinels_n, sentinels_size;
	struct child_watch *child_watches;
	size_t child_watches_n, child_watches_size;
	struct counters_clock *clocks;
	size_t clocks_n, clocks_size;
	bool lacks_clock; /* a clock could not be opened */
	struct reading *retired; /* by row, see counters_retire(); NULL: nothing is retired */
	size_t retired_n;
	bool members_switched; /* off, one by one: a leader does not switch them on again */
	uint64_t *values; /* owned: space for one read of the largest group */
};

/* The numbers in one read of a group: nr, time enabled, time running, and a value and an id for
 * each member (perf_event_open(2), PERF_FORMAT_GROUP and PERF_FORMAT_ID). */
#define COUNTERS_VALUES_OF_GROUP(n) (3 + 2 * (n))

/*
 * Switch all counters, including those that children have inherited. A task or CPU that is gone is
 * not an error. A group that cannot be switched fails in every reading until its reason is cleared.
 */
void counters_switch(struct counters *c, enum kernel_switch to);

/* The same for the counters of one event, in rows[] of all places, from this group on. */
void counters_switch_event(struct counters *c, size_t first_group, const struct row *rows,
			   size_t event, enum kernel_switch to);

/* Switch all counters of one group, as counters_switch() does. */
void counters_switch_group(struct counters *c, struct counter_group *group, enum kernel_switch to);

/*
 * A CPU has gone offline: read its counters for the last time, and close them. If pstat switched
 * them on again, their clocks would run, although they do not count. rows_n: the number of rows. 0
 * or -ENOMEM.
 */
int counters_retire(struct counters *c, int cpu, size_t rows_n);

/* Close all counters and groups except the first n counters and groups_n groups. */
void counters_truncate(struct counters *c, size_t n, size_t groups_n);

/*
 * Read all counters and add to the readings of the open rows. The caller has set these readings to
 * zero (COUNTED). If a counter of a row could not be read or switched, the row is FAILED, with the
 * reason. Nothing is closed.
 */
void counters_read(const struct counters *c, struct reading *readings);

/* The same for some rows. rows: whether to read each row, the same for all members of a group;
 * NULL: all rows. */
void counters_read_rows(const struct counters *c, const bool *rows, struct reading *readings);

/* Open a software event on a task or, if pid is -1, on a CPU, in user mode, with the times in each
 * reading. Returns the descriptor, which the caller closes, or -errno. */
int counters_open_software(__u64 config, pid_t pid, int cpu, enum counter_inherit inherit,
			   enum counter_start start);

/*
 * From start on, watch whether a task creates threads or processes, unless the task is watched
 * already. Two dummy software events are opened on the task, and only one of them is inherited. The
 * kernel adds the time enabled in all children to the inherited event. So when a child has run, the
 * inherited event has been enabled for longer than the other event. A task for which the events
 * cannot be opened is not watched. 0 or -ENOMEM.
 */
int counters_watch_children(struct counters *c, pid_t pid, size_t place_index,
			    enum counter_start start);

/*
 * Whether a child of a watched task of this place has run since the watch began. If so, a count of
 * 0 is not valid for an event that is not inherited. With -I, the result stays true in all later
 * intervals.
 */
bool counters_child_ran(const struct counters *c, size_t place_index);

/* A run begins: counters_clock_ns() counts from now on. */
void counters_begin_clocks(struct counters *c);

/* Switch the clocks from this one on. */
void counters_switch_clocks(const struct counters *c, size_t first, enum kernel_switch to);

#define COUNTERS_ALL_PLACES SIZE_MAX

/* How long the clocks of a place, or of all places, have been enabled in this run, in nanoseconds;
 * 0: there are none. */
uint64_t counters_clock_ns(const struct counters *c, size_t place_index);

void counters_close(struct counters *c);

#endif
