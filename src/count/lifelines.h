/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Noticing at once when the tasks of -p and -t have ended: by pidfds (pidfd_open(2), Linux 5.3; of
 * threads since 6.9), and by looking for them every now and then where there are none. */
#ifndef PSTAT_COUNT_LIFELINES_H
#define PSTAT_COUNT_LIFELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "machine/machine.h"
#include "machine/tasks.h"

enum { LIFELINES_CHECK_MS = 100 };

struct lifeline {
	pid_t pid;
	int fd; /* owned; negative: this kernel has no such pidfd */
};

/* All zero is none at all. */
struct lifelines {
	const struct machine *machine;
	struct lifeline *v; /* owned */
	size_t n, size;
};

/* Hold on to these processes and threads. 0 or -ENOMEM; to be released in any case. */
int lifelines_open(struct lifelines *lines, const struct machine *m,
		   const struct task_list *processes, const struct task_list *threads);

/* Whether some of them have no pidfd, and have to be looked for. */
bool lifelines_need_checks(const struct lifelines *lines);

/* Let go of those that have ended. Whether that is all of them. */
bool lifelines_all_gone(struct lifelines *lines);

void lifelines_release(struct lifelines *lines);

#endif
