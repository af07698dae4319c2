/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "count/tracer.h"

#define CALL_STOP (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */

/* NULL: a task that is not traced. */
static struct traced_task *tracer_find(const struct tracer *t, pid_t tid)
{
	for (size_t i = 0; i < t->tasks_n; i++)
		if (t->tasks[i].tid == tid)
			return &t->tasks[i];
	return NULL;
}

static void tracer_forget(struct tracer *t, pid_t tid)
{
	struct traced_task *task = tracer_find(t, tid);

	if (task)
		*task = t->tasks[--t->tasks_n];
}

/* Only then does a thread group have its number. The kernel looks for the group first. */
bool tracer_is_process(pid_t tid)
{
	return syscall(SYS_tgkill, tid, tid, 0) == 0 || errno == EPERM;
}

static int tracer_add(struct tracer *t, const struct traced_task *task)
{
	if (array_grow(&t->tasks, t->tasks_n, &t->tasks_size, sizeof(*t->tasks)) < 0)
		return -ENOMEM;
	t->tasks[t->tasks_n++] = *task;
	return 0;
}

/* Returns whether this is the first stop of the task. */
static bool tracer_remember(struct tracer *t, pid_t tid)
{
	struct traced_task *known = tracer_find(t, tid);
	const struct traced_task task = { .tid = tid,
					  /* only programs that root traces gain privileges */
					  .stops_at_calls =
						  geteuid() != 0 && tracer_is_process(tid) };

	if (tid == t->command || (known && !known->is_new))
		return false;
	if (known) {
		*known = task;
	} else if (tracer_add(t, &task) < 0) {
		t->err = -ENOMEM;
		return false;
	}
	return true;
}

/* Let a task continue in any way, so that it does not stay stopped. ESRCH: SIGKILL has ended the
 * task, and its end follows. Any other failure ends the tracing. */
static void tracer_restart(struct tracer *t, enum __ptrace_request how, pid_t tid, int sig)
{
	void *data = (void *)(long)sig;
	int err = ptrace(how, tid, NULL, data) < 0 ? -errno : 0;

	if (err == 0 ||
	    ptrace(how == PTRACE_DETACH ? PTRACE_CONT : PTRACE_DETACH, tid, NULL, data) < 0)
		return;
	if (t->err == 0)
		t->err = err;
}

static void tracer_resume(struct tracer *t, pid_t tid, int sig)
{
	const struct traced_task *task = tracer_find(t, tid);
	bool stops_at_calls = task && task->stops_at_calls;

	tracer_restart(t, stops_at_calls ? PTRACE_SYSCALL : PTRACE_CONT, tid, sig);
}

/* Continue the task as its hook has decided. */
static void tracer_obey(struct tracer *t, pid_t tid, int verdict)
{
	if (verdict < 0 && t->err == 0)
		t->err = verdict;
	if (verdict != TRACER_RELEASE) {
		struct traced_task *task = tracer_find(t, tid);

		if (task && verdict == TRACER_CONTINUE_BY_CALLS)
			task->stops_at_calls = geteuid() != 0;
		tracer_resume(t, tid, 0);
		return;
	}
	tracer_forget(t, tid);
	tracer_restart(t, PTRACE_DETACH, tid, 0);
}

/* Read a path in the memory of the task. It may end at the end of a page. False: it cannot be
 * read. */
static bool tracer_read_path(pid_t tid, uint64_t address, char path[PATH_MAX])
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

/* The numbers of execve(2) and execveat(2) in the system calls of an architecture. */
struct exec_calls {
	uint32_t arch;
	uint64_t execve, execveat;
};

/* The numbers for the architecture of a stopped program: that of pstat, or another one that this
 * kernel supports. */
static struct exec_calls tracer_exec_calls_of(const struct __ptrace_syscall_info *info)
{
	static const struct exec_calls others[] = {
#ifdef __x86_64__
		{ AUDIT_ARCH_I386, 11, 358 },
#elif defined(__aarch64__)
		{ AUDIT_ARCH_ARM, 11, 387 },
#elif defined(__powerpc64__)
		{ AUDIT_ARCH_PPC, 11, 362 },
#elif defined(__s390x__)
		{ AUDIT_ARCH_S390, 11, 354 },
#endif
		{ 0, 0, 0 },
	};

#ifdef __x86_64__
	if (info->arch == AUDIT_ARCH_X86_64 && (info->entry.nr & __X32_SYSCALL_BIT))
		return (struct exec_calls){ info->arch, __X32_SYSCALL_BIT | 520,
					    __X32_SYSCALL_BIT | 545 };
#endif
	for (const struct exec_calls *other = others; other->arch; other++)
		if (other->arch == info->arch)
			return *other;
	return (struct exec_calls){ info->arch, SYS_execve, SYS_execveat };
}

/* At the entry of a system call. The file of execveat(2) is a descriptor, or a path relative to
 * one. */
static int tracer_take_call(const struct tracer *t, pid_t tid)
{
	struct __ptrace_syscall_info info = { 0 };
	const __uint64_t *args = info.entry.args;
	char path[PATH_MAX], of_pstat[2 * PATH_MAX + 64], link[64], file[PATH_MAX];
	struct exec_calls calls;
	bool is_at;
	ssize_t n;

	if (t->err || ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return TRACER_CONTINUE;
	calls = tracer_exec_calls_of(&info);
	is_at = info.entry.nr == calls.execveat;
	if ((!is_at && info.entry.nr != calls.execve) || !tracer_read_path(tid, args[is_at], path))
		return TRACER_CONTINUE;
	if (!is_at || *path == '/' || (int)args[0] == AT_FDCWD) {
		snprintf(of_pstat, sizeof(of_pstat), "/proc/%d/%s/%s", tid,
			 *path == '/' ? "root" : "cwd", path);
	} else {
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", tid, (int)args[0]);
		n = readlink(link, file, sizeof(file) - 1);
		if (n < 0)
			return TRACER_CONTINUE;
		file[n] = '\0';
		/* no path: AT_EMPTY_PATH */
		snprintf(of_pstat, sizeof(of_pstat), "/proc/%d/root%s%s%s", tid, file,
			 *path ? "/" : "", path);
	}
	return t->hooks->will_execute(tid, of_pstat, t->hooks->data);
}

/* The new task is remembered, so that it is also released if the tracing ends before its first
 * stop. */
static int tracer_take_creation(struct tracer *t, pid_t tid)
{
	struct traced_task task = { .is_new = true };
	unsigned long child = 0;

	if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &child) < 0)
		return TRACER_CONTINUE;
	task.tid = (pid_t)child;
	if (!tracer_find(t, task.tid) && tracer_add(t, &task) < 0)
		t->err = -ENOMEM;
	if (!t->hooks->creates || t->err)
		return TRACER_CONTINUE;
	return t->hooks->creates(tid, (pid_t)child, t->hooks->data);
}

static int tracer_take_exec(struct tracer *t, pid_t pid)
{
	struct traced_task *task = tracer_find(t, pid);
	unsigned long caller = (unsigned long)pid;

	if (task)
		task->stops_at_calls = false;
	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &caller);
	if ((pid_t)caller != pid)
		tracer_forget(t, (pid_t)caller);
	return t->err ? TRACER_CONTINUE : t->hooks->executes(pid, (pid_t)caller, t->hooks->data);
}

/* The first stop of a task after the end of the tracing: it continues untraced. So will a task that
 * it has created, whose own first stop follows. */
static void tracer_detach(struct tracer *t, pid_t tid, int wait_status)
{
	int sig = WSTOPSIG(wait_status), event = wait_status >> 16;
	bool is_signal = event == 0 && sig != CALL_STOP;
	unsigned long child = 0;

	if ((event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	     event == PTRACE_EVENT_CLONE) &&
	    ptrace(PTRACE_GETEVENTMSG, tid, NULL, &child) == 0 && !tracer_find(t, (pid_t)child)) {
		const struct traced_task task = { .tid = (pid_t)child, .leaves = true };

		tracer_add(t, &task);
	}
	tracer_forget(t, tid);
	tracer_restart(t, PTRACE_DETACH, tid, is_signal ? sig : 0);
}

/* ptrace(2), "Stopped states". The first stop of a new task is a PTRACE_EVENT_STOP. */
void tracer_take_stop(struct tracer *t, pid_t tid, int wait_status)
{
	int sig = WSTOPSIG(wait_status), event = wait_status >> 16;
	int verdict = TRACER_CONTINUE;
	const struct traced_task *task = tracer_find(t, tid);

	if (!t->command || (task && task->leaves)) {
		tracer_detach(t, tid, wait_status);
		return;
	}
	switch (event) {
	case 0:
		if (sig != CALL_STOP) {
			tracer_resume(t, tid, sig);
			return;
		}
		verdict = tracer_take_call(t, tid);
		break;
	case PTRACE_EVENT_STOP:
		if (tracer_remember(t, tid) && t->err == 0)
			verdict = t->hooks->begins(tid, t->hooks->data);
		/* a group-stop, as by SIGSTOP or Ctrl-Z: the task stays stopped until SIGCONT */
		if (verdict == TRACER_CONTINUE &&
		    (sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU)) {
			tracer_restart(t, PTRACE_LISTEN, tid, 0);
			return;
		}
		break;
	case PTRACE_EVENT_EXEC:
		verdict = tracer_take_exec(t, tid);
		break;
	case PTRACE_EVENT_EXIT:
		t->hooks->leaves(tid, t->hooks->data);
		break;
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK: /* the new task stops by itself */
		verdict = tracer_take_creation(t, tid);
		break;
	default:
		break;
	}
	tracer_obey(t, tid, verdict);
}

static void tracer_take_one(struct tracer *t, pid_t tid, int wait_status)
{
	if (WIFSTOPPED(wait_status)) {
		tracer_take_stop(t, tid, wait_status);
	} else if (tracer_find(t, tid)) {
		tracer_forget(t, tid);
		t->hooks->ended(tid, wait_status, t->hooks->data);
	}
}

/* Find a task that has stopped or ended. */
static bool tracer_find_waiting(siginfo_t *info)
{
	int result;

	do {
		info->si_pid = 0;
		result = waitid(P_ALL, 0, info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL);
	} while (result < 0 && errno == EINTR);
	return result == 0 && info->si_pid != 0;
}

/* If the command forks often, there is always another stop to take. */
enum { STOPS_AT_ONCE = 256 };

bool tracer_take(struct tracer *t)
{
	siginfo_t info = { 0 };
	int status;

	for (size_t i = 0; t->command && tracer_find_waiting(&info); i++) {
		bool stopped = info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED;

		if (i == STOPS_AT_ONCE)
			return false;
		/* An untraced child may stop, too. WUNTRACED takes this stop: waitid(2) finds
		 * nothing else before. */
		if (stopped || info.si_pid != t->command) {
			if (waitpid(info.si_pid, &status, __WALL | WNOHANG | WUNTRACED) ==
			    info.si_pid)
				tracer_take_one(t, info.si_pid, status);
			continue;
		}
		/* The command has ended: waitid(2) may find nothing else. workload_reap() takes the
		 * command, with its resource usage. */
		for (size_t j = t->tasks_n; j-- > 0;) { /* a hook may remove tasks */
			pid_t tid = j < t->tasks_n ? t->tasks[j].tid : t->command;

			if (tid != t->command && waitpid(tid, &status, __WALL | WNOHANG) == tid)
				tracer_take_one(t, tid, status);
		}
		return true;
	}
	return true;
}

/* Take the stops and ends of the tasks that leave. Returns whether there was any. */
static bool tracer_take_leaving(struct tracer *t)
{
	bool progress = false;

	for (size_t i = t->tasks_n; i-- > 0;) { /* tracer_detach() adds and removes tasks */
		pid_t tid = i < t->tasks_n ? t->tasks[i].tid : 0;
		int status;

		if (tid == 0 || waitpid(tid, &status, __WALL | WNOHANG) != tid)
			continue;
		progress = true;
		if (WIFSTOPPED(status))
			tracer_detach(t, tid, status);
		else
			tracer_forget(t, tid);
	}
	return progress;
}

/* A task has to be stopped before it can be detached. Forget tasks that have ended. */
static void tracer_interrupt_all(struct tracer *t)
{
	for (size_t i = t->tasks_n; i-- > 0;) {
		if (ptrace(PTRACE_INTERRUPT, t->tasks[i].tid, NULL, NULL) == 0)
			continue;
		waitpid(t->tasks[i].tid, NULL, __WALL | WNOHANG); /* now its parent can reap it */
		t->tasks[i] = t->tasks[--t->tasks_n];
	}
}

int tracer_begin(struct tracer *t, pid_t command, const struct tracer_hooks *hooks)
{
	const struct traced_task task = { .tid = command };
	long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;

	if (hooks->leaves)
		options |= PTRACE_O_TRACEEXIT;
	tracer_interrupt_all(t); /* tasks of the last run */
	t->hooks = hooks;
	t->err = 0;
	if (tracer_add(t, &task) < 0)
		return -ENOMEM;
	if (ptrace(PTRACE_SEIZE, command, NULL, (void *)options) < 0) {
		t->tasks_n--;
		return -errno;
	}
	t->command = command;
	return 0;
}

void tracer_end(struct tracer *t)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const int pauses_max = 200;

	if (!t->command)
		return;
	t->command = 0;
	for (size_t i = 0; i < t->tasks_n; i++) {
		struct traced_task *task = &t->tasks[i];

		if (t->hooks->leaves && !task->leaves)
			t->hooks->leaves(task->tid, t->hooks->data);
		task->leaves = true;
	}
	tracer_interrupt_all(t);
	for (int pauses = 0; t->tasks_n > 0 && pauses < pauses_max; pauses++)
		if (!tracer_take_leaving(t))
			nanosleep(&pause, NULL);
}

void tracer_release(struct tracer *t)
{
	free(t->tasks);
	*t = (struct tracer){ 0 };
}
