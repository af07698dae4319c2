/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is counted: a command, running tasks, or CPUs. A target consists of scopes, on which
 * counters are opened, and of places, which are the rows of the result.
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

/* What a place of PLACE_PROCESS is. */
enum process_places {
	PROCESS_PLACES_EACH, /* a process while it executes one program */
	/* all processes whose programs have the same name, in all runs; before them, a place for
	 * the sum of all */
	PROCESS_PLACES_NAMES,
};

/* The task and CPU arguments of perf_event_open(2). */
struct scope {
	pid_t pid; /* 0: pstat itself, for a command; -1: all tasks on the CPU */
	int cpu; /* -1: any CPU on which the task runs */
	size_t place_index; /* its counts are added to the rows of this place */
	bool gone; /* the task has ended, or the CPU is offline */
	bool returned; /* the CPU came back online, so its place has it already */
};

struct cgroup {
	char *name; /* owned: the user's spelling */
	int fd; /* owned */
};

struct target {
	enum target_kind kind;
	bool all_cpus; /* TARGET_CPUS: all that are online or come online */
	bool all_tasks; /* TARGET_TASKS: all tasks of the machine */
	/* owned: which CPU of -C is not online; nothing is then counted, as by perf. NULL: none */
	char *missing_cpu;
	enum place_kind split;
	int cache_level; /* for PLACE_CACHE; 0: the last level */
	struct scope *scopes; /* owned */
	size_t scopes_n, scopes_size;
	struct place *places; /* owned; a NULL label: free for a new CPU or task */
	size_t places_n, places_size;
	enum process_places process_places; /* for PLACE_PROCESS */
	struct cgroup *cgroups; /* owned */
	size_t cgroups_n, cgroups_size;
	struct task_list processes, threads; /* of -p and -t: counting ends when they have ended */
};

/* The options of the command line. A string is NULL if its option was not given. */
struct target_request {
	const char *pids, *tids, *cpus;
	bool all_cpus;
	enum place_kind split;
	enum process_places process_places;
	int cache_level;
};

/*
 * Find the tasks or CPUs, and their places. A request that is all zero means a command. 0; -errno,
 * with why: an invalid list (-EINVAL), or a task that does not exist (-ESRCH). Call
 * target_release() in any case.
 */
int target_init(struct target *t, const struct machine *m, const struct target_request *request,
		struct why *why);

/* Open the cgroups of the events. 0; -errno with why. */
int target_open_cgroups(struct target *t, const struct machine *m, const struct event_list *events,
			struct why *why);

/* The descriptor of an open cgroup. */
int target_cgroup_fd(const struct target *t, const char *name);

/*
 * For -p: find threads that have no scope and did not inherit a counter, because they were created
 * before the counters were opened. Append a scope for each of them. started: when opening began, in
 * clock ticks since boot. Returns the number of new scopes, or -ENOMEM.
 */
int target_find_older_threads(struct target *t, const struct machine *m, uint64_t started);

/*
 * A CPU has come online. *index becomes the index of its scope: a new scope, or the old one if the
 * CPU was counted before. 0; -ENOSPC: no place is free for the CPU; -errno.
 */
int target_add_cpu(struct target *t, const struct machine *m, int cpu, size_t *index);

/*
 * A process of the command executes a program: *place_index becomes that of a new place or, with
 * PROCESS_PLACES_NAMES, of the place with this name. The strings of program become owned in any
 * case; its first is set unless it continues. 0 or -ENOMEM.
 */
int target_place_program(struct target *t, struct process *program, size_t *place_index);

/* Before a run of a command: forget the places of the last run, unless they are names. */
void target_forget_places(struct target *t);

/* The program at the place is now known. The strings become owned in any case. 0 or -ENOMEM. */
int target_name_program(struct target *t, size_t place_index, char *name, char *command);

/* The command has created a thread or process, which is a new place. 0 or -ENOMEM. */
int target_place_thread(struct target *t, const struct machine *m, pid_t tid, size_t *place_index);

/* The tasks of the command that are not traced get a place, "(not traced)". 0 or -ENOMEM. */
int target_place_untraced(struct target *t, size_t *place_index);

/* Name the place after the present name of its thread. */
void target_name_thread(struct target *t, const struct machine *m, size_t place_index, pid_t tid);

void target_release(struct target *t);

#endif
