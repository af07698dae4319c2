/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/str.h"
#include "count/tracer.h"

#define OPTIONS                                                                                    \
	(PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXIT)

int tracer_begin(struct tracer *t, pid_t command, const struct tracer_hooks *hooks)
{
	*t = (struct tracer){ .hooks = hooks, .command = command };
	return ptrace(PTRACE_SEIZE, command, NULL, (void *)OPTIONS) < 0 ? -errno : 0;
}

/* The position of the task in the list, or the length of the list. */
static size_t find(const struct tracer *t, pid_t tid)
{
	size_t i = 0;

	while (i < t->tasks_n && t->tasks[i] != tid)
		i++;
	return i;
}

static void forget(struct tracer *t, pid_t tid)
{
	size_t i = find(t, tid);

	if (i < t->tasks_n)
		t->tasks[i] = t->tasks[--t->tasks_n];
}

/* Returns whether the task is a new one. */
static bool remember(struct tracer *t, pid_t tid)
{
	if (tid == t->command || find(t, tid) < t->tasks_n)
		return false;
	if (array_grow(&t->tasks, t->tasks_n, &t->tasks_size, sizeof(*t->tasks)) < 0) {
		t->err = -ENOMEM;
		return false;
	}
	t->tasks[t->tasks_n++] = tid;
	return true;
}

/* A group-stop, as by SIGSTOP or Ctrl-Z: the task stays stopped until SIGCONT. */
static bool is_group_stop(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* ESRCH: SIGKILL has ended the task. Its end follows. */
static void resume(pid_t tid, enum __ptrace_request request, int sig)
{
	ptrace(request, tid, NULL, (void *)(long)sig);
}

/* ptrace(2), "Stopped states". The first stop of a new task is a PTRACE_EVENT_STOP. */
void tracer_take_stop(struct tracer *t, pid_t tid, int wait_status)
{
	int sig = WSTOPSIG(wait_status), event = wait_status >> 16;

	switch (event) {
	case 0:
		resume(tid, PTRACE_CONT, sig);
		return;
	case PTRACE_EVENT_STOP:
		if (remember(t, tid) && t->err == 0)
			t->err = t->hooks->begins(tid, t->hooks->data);
		resume(tid, is_group_stop(sig) ? PTRACE_LISTEN : PTRACE_CONT, 0);
		return;
	case PTRACE_EVENT_EXIT:
		t->hooks->ends(tid, t->hooks->data);
		break;
	default: /* a task has created another one, which stops by itself */
		break;
	}
	resume(tid, PTRACE_CONT, 0);
}

void tracer_take(struct tracer *t)
{
	siginfo_t info = { 0 };
	int status;

	while (t->command &&
	       waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) == 0 &&
	       info.si_pid != 0) {
		bool stopped = info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED;

		if (!stopped && info.si_pid == t->command)
			return; /* workload_reap() takes it, with its resource usage */
		if (waitpid(info.si_pid, &status, __WALL | WNOHANG) == info.si_pid) {
			if (WIFSTOPPED(status))
				tracer_take_stop(t, info.si_pid, status);
			else
				forget(t, info.si_pid);
		}
		info.si_pid = 0;
	}
}

/* A task has to be stopped before it can be detached. */
static void detach(pid_t tid)
{
	int status;

	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) < 0)
		return;
	if (waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status)) {
		int sig = status >> 16 == 0 ? WSTOPSIG(status) : 0;

		ptrace(PTRACE_DETACH, tid, NULL, (void *)(long)sig);
	}
}

void tracer_end(struct tracer *t)
{
	siginfo_t info = { 0 };

	if (t->command)
		detach(t->command);
	for (size_t i = 0; i < t->tasks_n; i++) {
		t->hooks->ends(t->tasks[i], t->hooks->data);
		detach(t->tasks[i]);
	}
	/* tasks that these have created meanwhile */
	while (t->command && waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG | __WALL) == 0 &&
	       info.si_pid != 0) {
		ptrace(PTRACE_DETACH, info.si_pid, NULL, NULL);
		info.si_pid = 0;
	}
	free(t->tasks);
	*t = (struct tracer){ 0 };
}
