/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the tasks of a command with ptrace(2). The kernel stops each new thread and process
 * before its first instruction, so that counters can be opened on it. Nothing else is traced: no
 * system call stops, and signals are passed on. If pstat is killed, all tasks continue untraced.
 *
 * A traced program gains no privileges at its exec, unless root traces it.
 */
#ifndef PSTAT_COUNT_TRACER_H
#define PSTAT_COUNT_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct tracer_hooks {
	/* A task is stopped before its first instruction. 0 or -errno, which ends the tracing. */
	int (*begins)(pid_t tid, void *data);
	/* A task is about to end, or the tracing ends. /proc still has the task. */
	void (*ends)(pid_t tid, void *data);
	void *data;
};

/* All zero: nothing is traced. */
struct tracer {
	const struct tracer_hooks *hooks;
	pid_t command;
	pid_t *tasks; /* owned: traced tasks that have not ended, except the command */
	size_t tasks_n, tasks_size;
	int err; /* the first error of a hook, or -ENOMEM */
};

/*
 * Trace the command and all tasks that it creates. It must not have created any. The hooks have to
 * outlive the tracer. 0; -errno of ptrace(2): -EPERM: another program traces the command, or
 * the security settings forbid it.
 */
int tracer_begin(struct tracer *t, pid_t command, const struct tracer_hooks *hooks);

/* Take all stops of traced tasks, and their ends, but not the end of the command. */
void tracer_take(struct tracer *t);

/* Take one stop, with its status from waitpid(2). */
void tracer_take_stop(struct tracer *t, pid_t tid, int wait_status);

/* Let all tasks continue untraced. */
void tracer_end(struct tracer *t);

#endif
