/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom to count: a command, tasks that run already, or CPUs with whatever runs there; where counters
 * are opened for it, and to which place of the result each of them belongs.
 */
#ifndef PSTAT_COUNT_TARGET_H
#define PSTAT_COUNT_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "count/reading.h"
#include "event/event.h"
#include "machine/cpulist.h"
#include "machine/machine.h"
#include "machine/tasks.h"

struct why;

enum target_kind {
	TARGET_COMMAND, /* a command that pstat starts */
	TARGET_TASKS, /* -p, -t */
	TARGET_CPUS, /* -a, -C */
};

/* A task or a CPU, on which every event is opened. */
struct scope {
	pid_t pid; /* 0: pstat itself, for a command; -1: whatever runs on the CPU */
	int cpu; /* -1: wherever the task runs */
	size_t place_index; /* whose rows it adds to */
	bool gone; /* the task has ended, or the CPU is offline */
	bool again; /* the CPU was here before: it is no further one in its place */
};

struct cgroup {
	char *name; /* owned: the user's spelling */
	int fd; /* owned */
};

struct target {
	enum target_kind kind;
	bool all_cpus; /* TARGET_CPUS: all that are online, and that come online */
	bool all_tasks; /* TARGET_TASKS: all of the machine */
	enum place_kind split;
	int cache_level; /* of PLACE_CACHE; 0: the last one */
	struct scope *scopes; /* owned */
	size_t scopes_n, scopes_size;
	struct place
		*places; /* owned, with their labels; a NULL label: free for a CPU that comes */
	size_t places_n;
	struct cgroup *cgroups; /* owned */
	size_t cgroups_n, cgroups_size;
	struct task_list processes, threads; /* what was asked for by -p and -t, to see its end */
};

/* What the command line asks for; strings as they were given, NULL where they were not. */
struct target_request {
	const char *pids, *tids, *cpus;
	bool all_cpus;
	enum place_kind split;
	int cache_level;
};

/*
 * Find the tasks or CPUs, and their places. All zero is a command. 0; -errno, with why: a list that
 * makes no sense (-EINVAL), a task that is not there (-ESRCH), a CPU that is not there or offline
 * (-ENODEV). t is to be released in any case.
 */
int target_init(struct target *t, const struct machine *m, const struct target_request *request,
		struct why *why);

/* Open the cgroups of the events. 0; -errno with why. */
int target_open_cgroups(struct target *t, const struct machine *m, const struct event_list *events,
			struct why *why);

/* The descriptor of a cgroup that was opened. */
int target_cgroup_fd(const struct target *t, const char *name);

/*
 * -p: append a spot for each thread that there is now, is in no spot yet, and is too old to have
 * inherited counters that were opened at started (clock ticks since boot) or later. How many these
 * are, or -ENOMEM.
 */
int target_find_older_threads(struct target *t, const struct machine *m, uint64_t started);

/*
 * A CPU has come online: *index becomes that of its spot, the old one where it was here before. 0;
 * -ENOSPC: there is no place left to show it; -errno.
 */
int target_add_cpu(struct target *t, const struct machine *m, int cpu, size_t *index);

void target_release(struct target *t);

#endif
