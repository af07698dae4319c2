/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of -p and -t that have not ended. Each has a pidfd, which becomes readable when the
 * task ends (pidfd_open(2), Linux 5.3; threads since 6.9). On older kernels pstat has to look for
 * the task.
 */
#ifndef PSTAT_COUNT_TASK_WATCH_H
#define PSTAT_COUNT_TASK_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "machine/machine.h"
#include "machine/tasks.h"

enum { TASK_WATCH_CHECK_MS = 100 };

struct watched_task {
	pid_t pid;
	int fd; /* owned; negative: there is no pidfd for it */
};

/* All zero is none at all. */
struct task_watch {
	const struct machine *machine;
	struct watched_task *v; /* owned */
	size_t n, size;
};

/* Hold on to those of these processes and threads that have not ended. 0 or -ENOMEM. Call
 * task_watch_release() in either case. */
int task_watch_open(struct task_watch *lines, const struct machine *m,
		    const struct task_list *processes, const struct task_list *threads);

/* Whether some of them have no pidfd, and have to be looked for. */
bool task_watch_need_checks(const struct task_watch *lines);

/* Close this pidfd, whose task has ended. lines->n is the number of tasks that are left. */
void task_watch_end(struct task_watch *lines, int fd);

/* Look for the tasks that have no pidfd, and forget those that have ended. */
void task_watch_check(struct task_watch *lines);

void task_watch_release(struct task_watch *lines);

#endif
