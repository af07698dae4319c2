/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "count/tracer.h"

#define CALL_STOP (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */

int tracer_begin(struct tracer *t, pid_t command, const struct tracer_hooks *hooks)
{
	long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACESYSGOOD;

	if (hooks->executes)
		options |= PTRACE_O_TRACEEXEC;
	if (hooks->leaves)
		options |= PTRACE_O_TRACEEXIT;
	*t = (struct tracer){ .hooks = hooks, .command = command };
	return ptrace(PTRACE_SEIZE, command, NULL, (void *)options) < 0 ? -errno : 0;
}

/* NULL: the command, or a task that is not traced. */
static struct traced_task *find(const struct tracer *t, pid_t tid)
{
	for (size_t i = 0; i < t->tasks_n; i++)
		if (t->tasks[i].tid == tid)
			return &t->tasks[i];
	return NULL;
}

static void forget(struct tracer *t, pid_t tid)
{
	struct traced_task *task = find(t, tid);

	if (task)
		*task = t->tasks[--t->tasks_n];
}

/* Only then does a thread group have its number. */
bool tracer_is_process(pid_t tid)
{
	return syscall(SYS_tgkill, tid, tid, 0) == 0;
}

/* Returns whether the task is a new one. */
static bool remember(struct tracer *t, pid_t tid)
{
	if (tid == t->command || find(t, tid))
		return false;
	if (array_grow(&t->tasks, t->tasks_n, &t->tasks_size, sizeof(*t->tasks)) < 0) {
		t->err = -ENOMEM;
		return false;
	}
	t->tasks[t->tasks_n++] =
		(struct traced_task){ .tid = tid,
				      .stops_at_calls = t->hooks->will_execute && geteuid() &&
							tracer_is_process(tid) };
	return true;
}

/* A group-stop, as by SIGSTOP or Ctrl-Z: the task stays stopped until SIGCONT. */
static bool is_group_stop(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* ESRCH: SIGKILL has ended the task. Its end follows. */
static void resume(const struct tracer *t, pid_t tid, int sig)
{
	const struct traced_task *task = find(t, tid);
	bool stops_at_calls = task && task->stops_at_calls;

	ptrace(stops_at_calls ? PTRACE_SYSCALL : PTRACE_CONT, tid, NULL, (void *)(long)sig);
}

/* Continue the task as its hook has decided. */
static void obey(struct tracer *t, pid_t tid, int verdict)
{
	if (verdict < 0 && t->err == 0)
		t->err = verdict;
	if (verdict != TRACER_RELEASE) {
		resume(t, tid, 0);
		return;
	}
	forget(t, tid);
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
}

/* Read a path in the memory of the task. It may end at the end of a page. False: it cannot be read. */
static bool read_path(pid_t tid, uint64_t address, char path[PATH_MAX])
{
	const size_t page = 4096;
	size_t n = 0;

	while (n < PATH_MAX) {
		size_t chunk = page - (address + n) % page;
		struct iovec to = { path + n, chunk < PATH_MAX - n ? chunk : PATH_MAX - n };
		struct iovec from = { (void *)(uintptr_t)(address + n), to.iov_len };
		ssize_t got = process_vm_readv(tid, &to, 1, &from, 1, 0);

		if (got <= 0)
			return false;
		if (memchr(path + n, '\0', (size_t)got))
			return true;
		n += (size_t)got;
	}
	return false;
}

/* At the entry of a system call. */
static int take_call(const struct tracer *t, pid_t tid)
{
	struct __ptrace_syscall_info info = { 0 };
	char path[PATH_MAX], of_pstat[PATH_MAX + 64];

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY || info.entry.nr != SYS_execve ||
	    !read_path(tid, info.entry.args[0], path))
		return TRACER_CONTINUE;
	snprintf(of_pstat, sizeof(of_pstat), "/proc/%d/%s/%s", tid, *path == '/' ? "root" : "cwd",
		 path);
	return t->hooks->will_execute(tid, of_pstat, t->hooks->data);
}

static int take_creation(const struct tracer *t, pid_t tid)
{
	unsigned long child = 0;

	if (!t->hooks->creates || ptrace(PTRACE_GETEVENTMSG, tid, NULL, &child) < 0)
		return TRACER_CONTINUE;
	return t->hooks->creates(tid, (pid_t)child, t->hooks->data);
}

static int take_exec(struct tracer *t, pid_t pid)
{
	struct traced_task *task = find(t, pid);
	unsigned long caller = (unsigned long)pid;

	if (task)
		task->stops_at_calls = false;
	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &caller);
	if ((pid_t)caller != pid)
		forget(t, (pid_t)caller);
	return t->hooks->executes(pid, (pid_t)caller, t->hooks->data);
}

/* ptrace(2), "Stopped states". The first stop of a new task is a PTRACE_EVENT_STOP. */
void tracer_take_stop(struct tracer *t, pid_t tid, int wait_status)
{
	int sig = WSTOPSIG(wait_status), event = wait_status >> 16;
	int verdict = TRACER_CONTINUE;

	switch (event) {
	case 0:
		if (sig != CALL_STOP) {
			resume(t, tid, sig);
			return;
		}
		verdict = take_call(t, tid);
		break;
	case PTRACE_EVENT_STOP:
		if (remember(t, tid) && t->err == 0)
			verdict = t->hooks->begins(tid, t->hooks->data);
		if (verdict == TRACER_CONTINUE && is_group_stop(sig)) {
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
			return;
		}
		break;
	case PTRACE_EVENT_EXEC:
		verdict = take_exec(t, tid);
		break;
	case PTRACE_EVENT_EXIT:
		t->hooks->leaves(tid, t->hooks->data);
		break;
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK: /* the new task stops by itself */
		verdict = take_creation(t, tid);
		break;
	default:
		break;
	}
	obey(t, tid, verdict);
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
			if (WIFSTOPPED(status)) {
				tracer_take_stop(t, info.si_pid, status);
			} else if (find(t, info.si_pid)) {
				forget(t, info.si_pid);
				if (t->hooks->ended)
					t->hooks->ended(info.si_pid, status, t->hooks->data);
			}
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
		bool is_signal = status >> 16 == 0 && WSTOPSIG(status) != CALL_STOP;

		ptrace(PTRACE_DETACH, tid, NULL, (void *)(long)(is_signal ? WSTOPSIG(status) : 0));
	}
}

void tracer_end(struct tracer *t)
{
	siginfo_t info = { 0 };

	if (t->command)
		detach(t->command);
	for (size_t i = 0; i < t->tasks_n; i++) {
		if (t->hooks->leaves)
			t->hooks->leaves(t->tasks[i].tid, t->hooks->data);
		detach(t->tasks[i].tid);
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
