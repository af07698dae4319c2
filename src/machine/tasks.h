/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes and their threads, as /proc shows them (proc(5)). A task is a thread; its number may be
 * that of another one later, and only task_started() tells the two apart.
 */
#ifndef PSTAT_MACHINE_TASKS_H
#define PSTAT_MACHINE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "machine/machine.h"

struct why;

enum {
	TASK_MAX = 1 << 22, /* no task's number is higher (PID_MAX_LIMIT) */
	TASK_COMM_SIZE = 64, /* with the NUL; most have 16, kernel threads may have longer ones */
};

/* All zero is a valid empty list. */
struct task_list {
	pid_t *v; /* owned */
	size_t n, size;
};

/*
 * Append the tasks that a person listed, "1,2,3", in that order, each once. 0; -EINVAL with why and
 * the place in text; -ENOMEM.
 */
int tasks_parse(const char *text, struct task_list *list, struct why *why);

/* Append the threads of a process, in the order of their numbers; pid may be any of its threads. 0;
 * -ESRCH: there is no such process; other -errno. */
int tasks_of_process(const struct machine *m, pid_t pid, struct task_list *list);

/* Append the threads of all processes that this user sees, process by process. 0 or -errno. */
int tasks_of_machine(const struct machine *m, struct task_list *list);

/* Append a task. 0 or -ENOMEM. */
int task_list_add(struct task_list *list, pid_t task);

void task_list_release(struct task_list *list);

/* Whether there is a task of that number, be it a zombie, whose events cannot be opened. */
bool task_exists(const struct machine *m, pid_t tid);

/* The task's name as /proc/TID/comm has it, without white space at the end. 0; -ESRCH: it is gone;
 * other -errno, and comm is "". */
int task_comm(const struct machine *m, pid_t tid, char comm[TASK_COMM_SIZE]);

/*
 * When the task began, in clock ticks since the machine was started. 0; -ESRCH: it has ended,
 * and may be a zombie; -EINVAL: its file in /proc has an unknown form; other -errno.
 */
int task_started(const struct machine *m, pid_t tid, uint64_t *ticks);

/* The inode number of pstat's own PID namespace; 0 if the kernel has none. */
uint64_t tasks_namespace(const struct machine *m);

#endif
