/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening an event list's groups on a task, with what the kernel refuses worked around or explained,
 * and reading them. */
#ifndef PSTAT_COUNT_COUNTERS_H
#define PSTAT_COUNT_COUNTERS_H

#include <sys/resource.h>
#include <sys/types.h>

#include "count/plan.h"
#include "count/reading.h"
#include "event/event.h"
#include "machine/machine.h"

/* Told of every perf_event_open(2): the attr, the group's descriptor or -1, the result or -errno. */
typedef void counters_watch(const struct perf_event_attr *attr, pid_t pid, int group_fd,
			    int result);

/* What is to be opened, and what was learned of this kernel on the way. */
struct opener {
	const struct machine *machine;
	const struct event_list *events;
	struct row *rows; /* one for each event; what is refused is marked there */
	enum plan_inherit inherit;
	counters_watch *watch; /* NULL for none */
	bool user_only; /* the kernel may not be counted: narrow at once */
	struct rlimit limit; /* of descriptors, as it was before it was raised */
	bool limit_raised;
};

struct counter {
	size_t row;
	int fd;
};

/* Counters first … first + n - 1, a group of the kernel: the first one is its leader. */
struct counter_group {
	size_t first, n;
	bool one_read; /* all by one read of the leader */
};

struct sentinel {
	struct perf_event_attr attr;
	int fd;
};

/* Open counters. All zero is none at all. */
struct counters {
	struct counter *v;
	size_t n, size;
	struct counter_group *groups;
	size_t groups_n, groups_size;
	struct sentinel *sentinels; /* one of each kind, see plan_sentinel() */
	size_t sentinels_n, sentinels_size;
	uint64_t *values; /* room for what one read of the largest group gives */
};

/*
 * Open all groups on the task pid (0: pstat itself, then with sentinels). An event that cannot be
 * opened is marked in its row, with the reason, and the others go on. 0; -ENOMEM; another -errno: no
 * sentinel could be opened.
 */
int counters_open(struct counters *c, struct opener *o, pid_t pid);

/*
 * Read all, into the samples of the rows that are open: the state is COUNTED, or FAILED where there
 * was nothing to read. Nothing is closed.
 */
void counters_read(const struct counters *c, struct sample *samples);

void counters_close(struct counters *c);

#endif
