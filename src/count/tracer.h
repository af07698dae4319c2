/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the tasks of a command with ptrace(2). The kernel stops each new thread and process
 * before its first instruction, so that counters can be opened on it, and each process after it has
 * executed a program. System calls do not stop a task, and signals are passed on. If pstat is
 * killed, all tasks continue untraced.
 *
 * A traced program gains no privileges at its exec, unless root traces it. So for other users, a
 * new process also stops at its system calls until it has executed a program, and a program that
 * may execute another one stops at them until its end. If the next program would lose privileges,
 * the process can continue untraced.
 */
#ifndef PSTAT_COUNT_TRACER_H
#define PSTAT_COUNT_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum tracer_verdict {
	TRACER_CONTINUE,
	TRACER_RELEASE, /* the task continues untraced, and so do the tasks that it creates */
	TRACER_CONTINUE_BY_CALLS, /* unless root traces it, it also stops at its system calls */
};

/* A hook returns an enum tracer_verdict, or -errno, which ends the tracing. creates and leaves may
 * be NULL. */
struct tracer_hooks {
	/* A task is stopped before its first instruction. */
	int (*begins)(pid_t tid, void *data);
	/* A task is stopped because it has created another one. */
	int (*creates)(pid_t tid, pid_t child, void *data);
	/* A process that stops at its system calls is about to execute this file. The path is valid
	 * for pstat. */
	int (*will_execute)(pid_t pid, const char *path, void *data);
	/* A process has executed a program, and is stopped before its first instruction. Unless
	 * this hook returns TRACER_CONTINUE_BY_CALLS, it does not stop at its system calls any
	 * longer. caller: the thread that called execve(2). All other threads have ended. */
	int (*executes)(pid_t pid, pid_t caller, void *data);
	/* A task is about to end, or the tracing ends. /proc still has the task. */
	void (*leaves)(pid_t tid, void *data);
	/* A task has ended. wait_status: as waitpid(2) gives it. Not called for the command. */
	void (*ended)(pid_t tid, int wait_status, void *data);
	void *data;
};

struct traced_task {
	pid_t tid;
	bool is_new; /* its creator has stopped, but the task itself has not */
	bool stops_at_calls;
	bool leaves; /* the tracing has ended: its next stop is the last one */
};

/* All zero: nothing is traced. */
struct tracer {
	const struct tracer_hooks *hooks;
	pid_t command;
	struct traced_task *tasks; /* owned: those that have not ended */
	size_t tasks_n, tasks_size;
	int err; /* the first error of a hook, or -ENOMEM */
};

/*
 * Trace the command and all tasks that it creates. It must not have created any. The hooks have to
 * outlive the tracing. The tracer may have traced another command before. 0; -ENOMEM; -errno of
 * ptrace(2): -EPERM: another program traces the command, or the security settings forbid it.
 */
int tracer_begin(struct tracer *t, pid_t command, const struct tracer_hooks *hooks);

/*
 * Take the stops of traced tasks, and their ends, but not the end of the command. Returns whether
 * it has taken all of them. It takes a limited number at once, so that signals and deadlines do not
 * have to wait.
 */
bool tracer_take(struct tracer *t);

/* Take one stop, with its status from waitpid(2). */
void tracer_take_stop(struct tracer *t, pid_t tid, int wait_status);

/* Whether the task is the first one of its process, and not another thread. */
bool tracer_is_process(pid_t tid);

/*
 * Let all tasks continue untraced. A task that does not stop soon, because it is in an
 * uninterruptible system call, is traced until its next stop or the end of pstat.
 */
void tracer_end(struct tracer *t);

void tracer_release(struct tracer *t);

#endif
