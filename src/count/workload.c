/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "machine/program.h"
#include "count/workload.h"

/* What is passed on when it is sent to pstat alone. */
static const int passed_on[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

static bool is_ignored(int sig)
{
	struct sigaction action;

	return sigaction(sig, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/*
 * Signals are blocked and taken with sigwaitinfo(2): nothing is interrupted, no disposition is
 * changed that a command would inherit, and si_code tells who sent one. A signal that was ignored
 * from the start stays so. With SIGCHLD ignored, children would vanish without a status.
 */
static void take_signals(struct workload *w)
{
	sigemptyset(&w->awaited);
	sigaddset(&w->awaited, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		if (!is_ignored(passed_on[i]))
			sigaddset(&w->awaited, passed_on[i]);
	w->child_ignored = is_ignored(SIGCHLD);
	if (w->child_ignored)
		signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &w->awaited, &w->before);
}

/* Descriptors are there up to the hard limit: for the counters, for cgroups, and for what is opened
 * while these are open. */
static void raise_limit(struct workload *w)
{
	struct rlimit raised;

	getrlimit(RLIMIT_NOFILE, &w->limit);
	raised = w->limit;
	raised.rlim_cur = raised.rlim_max;
	if (w->limit.rlim_cur != w->limit.rlim_max)
		setrlimit(RLIMIT_NOFILE, &raised);
}

static bool has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* The pids of pstat's children, as the kernel lists them (proc(5), CONFIG_PROC_CHILDREN). */
static void list_children(struct str_list *pids)
{
	char text[4096];
	cleanup_str struct str all = { 0 };
	cleanup_fd int fd = -1;
	ssize_t n;
	char *save;

	snprintf(text, sizeof(text), "/proc/self/task/%d/children", getpid());
	fd = open(text, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, text, sizeof(text))) > 0)
		str_add_n(&all, text, (size_t)n);
	for (char *pid = all.text ? strtok_r(all.text, " ", &save) : NULL; pid;
	     pid = strtok_r(NULL, " ", &save))
		str_list_add(pids, pid);
}

/* What runs beside the command, and is none of its: a server that --pre has started. */
static void know_children(struct workload *w)
{
	cleanup_str_list struct str_list pids = { 0 };

	if (has_children())
		list_children(&pids);
	for (size_t i = 0; i < pids.n; i++)
		if (!str_list_has(&w->known, pids.v[i]))
			str_list_add(&w->known, pids.v[i]);
}

int workload_init(struct workload *w, char *const argv[], const sigset_t *mask, struct why *why)
{
	int err;

	*w = (struct workload){ .argv = argv, .mask = *mask, .hold_fd = -1, .signal_fd = -1 };
	take_signals(w);
	raise_limit(w);
	/* Before the counters take all that there are: without it pstat would be deaf. */
	w->signal_fd = signalfd(-1, &w->awaited, SFD_CLOEXEC | SFD_NONBLOCK);
	if (w->signal_fd < 0)
		return why_set(why, -errno, "cannot wait for signals: %s", strerror(errno));
	/* Orphans of the command become pstat's, so that they are seen (prctl(2)). */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (has_children())
		list_children(&w->known);
	if (!argv[0])
		return 0;
	err = program_find(argv[0], &w->found, why);
	w->path = w->found;
	return err;
}

void workload_use(struct workload *w, char *const argv[], const char *path)
{
	w->argv = argv;
	w->path = path;
}

static int explain_exec(const char *name, int err, struct why *why)
{
	if (err == -ENOEXEC)
		return why_set(why, err,
			       "%s: the kernel cannot execute this file; a script needs a "
			       "first line such as #!/bin/sh",
			       name);
	if (err == -ENOENT)
		return why_set(why, err, "%s: its interpreter or loader is missing", name);
	return why_set(why, err, "%s: %s", name, strerror(-err));
}

/* Why a child has not become the command. */
struct failure {
	int err; /* errno; 0: it has */
	bool unprepared; /* it did not come to the exec: */
	enum manner_step step; /* this has failed */
};

/* How a child becomes the program. manner: NULL for one that is run beside the command. */
struct start {
	const struct workload *workload;
	const struct manner *manner;
	const char *path;
	char *const *argv;
};

/*
 * In the child, which may share its parent's memory. What pstat took over is given back, the limit of
 * descriptors behind what opens some. Returns if it fails.
 */
static void become(const struct start *start, volatile struct failure *failure)
{
	const struct workload *w = start->workload;
	char *const *environment = environ;

	if (start->manner) {
		enum manner_step step;
		int err = manner_apply(start->manner, &step);

		if (err) {
			failure->step = step;
			failure->unprepared = true;
			failure->err = err;
			return;
		}
		if (start->manner->environment.v)
			environment = start->manner->environment.v;
	}
	if (w->child_ignored)
		signal(SIGCHLD, SIG_IGN);
	setrlimit(RLIMIT_NOFILE, &w->limit);
	sigprocmask(SIG_SETMASK, &w->mask, NULL);
	execve(start->path, start->argv, environment);
	failure->err = errno;
}

static struct start start_of_command(const struct workload *w)
{
	return (struct start){ w, w->manner, w->path, w->argv };
}

/* Why the command was not started. */
static int explain_failure(struct workload *w, const struct failure *failure, struct why *why)
{
	w->unprepared = failure->unprepared;
	if (failure->unprepared)
		return manner_explain(w->manner, failure->step, -failure->err, why);
	return explain_exec(w->argv[0], -failure->err, why);
}

/* The child of a fork: it waits to be let go, and sends back why it has failed. */
static _Noreturn void held_child(const struct workload *w, int fd)
{
	struct start start = start_of_command(w);
	struct failure failure = { 0 };
	char go;

	if (read(fd, &go, 1) != 1)
		_exit(127);
	/* SIGSTOP lets the parent ask for PTRACE_EVENT_EXEC: the SIGTRAP of a plain exec may be blocked. */
	if (w->stops && (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 || raise(SIGSTOP) != 0))
		failure.err = errno;
	if (failure.err == 0)
		become(&start, &failure);
	if (write(fd, &failure, sizeof(failure)) != sizeof(failure))
		_exit(126);
	_exit(127);
}

/* Such an exec gives no privileges while it is traced (ptrace(2)): another program would be counted. */
static bool loses_privileges(const struct workload *w)
{
	struct stat st;

	return w->stops && geteuid() != 0 && stat(w->path, &st) == 0 &&
	       (st.st_mode & (S_ISUID | S_ISGID) ||
		getxattr(w->path, "security.capability", NULL, 0) > 0);
}

int workload_start_held(struct workload *w, struct why *why)
{
	cleanup_fd int ours = -1;
	cleanup_fd int childs = -1;
	int pair[2];

	if (loses_privileges(w))
		return why_set(why, -EPERM,
			       "%s is set-uid, set-gid or has capabilities, which it would not get "
			       "when stopped at its exec for a breakpoint's symbol; be root",
			       w->argv[0]);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return why_set(why, -errno, "cannot start %s: %s", w->argv[0], strerror(errno));
	ours = pair[0];
	childs = pair[1];
	w->pid = fork();
	if (w->pid == 0) {
		close(ours);
		held_child(w, childs);
	}
	if (w->pid < 0) {
		w->pid = 0;
		return why_set(why, -errno, "cannot start %s: %s", w->argv[0], strerror(errno));
	}
	w->hold_fd = take_fd(&ours);
	return 0;
}

/* Through signals that come earlier, which are passed on, to the stop behind the exec. */
static bool reach_exec(const struct workload *w)
{
	bool first = true;
	int status;

	while (waitpid(w->pid, &status, __WALL) == w->pid && WIFSTOPPED(status)) {
		long sig = WSTOPSIG(status);

		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			return true;
		if (first && sig == SIGSTOP) {
			ptrace(PTRACE_SETOPTIONS, w->pid, NULL, (void *)PTRACE_O_TRACEEXEC);
			first = false;
			sig = 0;
		}
		ptrace(PTRACE_CONT, w->pid, NULL, (void *)sig);
	}
	return false;
}

static int go_to_stop(struct workload *w, int fd, struct why *why)
{
	struct failure failure = { 0 };

	if (send(fd, "", 1, MSG_NOSIGNAL) == 1 && reach_exec(w))
		return 0;
	w->pid = 0;
	if (read(fd, &failure, sizeof(failure)) == sizeof(failure))
		return explain_failure(w, &failure, why);
	return why_set(why, -ECHILD, "%s ended before it could be stopped at its exec", w->argv[0]);
}

int workload_go_on(struct workload *w, struct why *why)
{
	cleanup_fd int fd = take_fd(&w->hold_fd);
	struct failure failure = { 0 };

	if (w->stops)
		return go_to_stop(w, fd, why);
	if (send(fd, "", 1, MSG_NOSIGNAL) != 1)
		failure.err = EPIPE;
	else if (read(fd, &failure, sizeof(failure)) != sizeof(failure))
		failure.err = 0; /* closed by the exec: it went well */
	if (failure.err == 0)
		return 0;
	waitpid(w->pid, NULL, 0);
	w->pid = 0;
	return explain_failure(w, &failure, why);
}

/* An entry of the command's auxiliary vector (proc(5), getauxval(3)). */
static int read_auxv(pid_t pid, unsigned long key, uint64_t *value)
{
	unsigned long entries[128];
	char path[64];
	cleanup_fd int fd = -1;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, entries, sizeof(entries));
	if (n < 0)
		return -errno;
	for (size_t i = 0; i + 1 < (size_t)n / sizeof(entries[0]); i += 2)
		if (entries[i] == key) {
			*value = entries[i + 1];
			return 0;
		}
	return -ENOENT;
}

int workload_stopped(struct workload *w, uint64_t *entry, struct why *why)
{
	int err = read_auxv(w->pid, AT_ENTRY, entry);

	if (err < 0)
		return why_set(why, err, "%s: cannot tell where it was loaded: %s", w->argv[0],
			       strerror(-err));
	return 0;
}

void workload_continue(struct workload *w)
{
	ptrace(PTRACE_DETACH, w->pid, NULL, NULL);
}

void workload_drop(struct workload *w)
{
	if (w->hold_fd >= 0)
		close(take_fd(&w->hold_fd));
	else if (w->pid > 0)
		kill(w->pid, SIGKILL);
	if (w->pid > 0)
		waitpid(w->pid, NULL, __WALL);
	w->pid = 0;
}

/*
 * vfork(2) rather than posix_spawn(3), which asks for all 64 dispositions, maps a stack for each
 * child and takes 8 % longer for a short command (tests/bench). The child shares this memory
 * until its exec: it does a few system calls and leaves an errno.
 */
static __attribute__((noinline)) pid_t vfork_and_exec(const struct start *start,
						      volatile struct failure *failure)
{
	pid_t pid = vfork();

	if (pid == 0) {
		become(start, failure);
		_exit(127);
	}
	return pid;
}

/* The pid of what was started; 0: it has failed; or -errno with why. */
static pid_t start_program(const struct start *start, struct failure *failure, struct why *why)
{
	pid_t pid = vfork_and_exec(start, failure);

	if (pid < 0)
		return why_set(why, -errno, "cannot start %s: %s", start->argv[0], strerror(errno));
	if (failure->err == 0)
		return pid;
	waitpid(pid, NULL, 0);
	return 0;
}

int workload_start(struct workload *w, struct why *why)
{
	struct start start = start_of_command(w);
	struct failure failure = { 0 };
	pid_t pid = start_program(&start, &failure, why);

	if (pid < 0)
		return pid;
	w->pid = pid;
	return failure.err ? explain_failure(w, &failure, why) : 0;
}

void workload_begin(struct workload *w)
{
	w->start_ns = clock_ns();
}

int workload_aside(struct workload *w, char *const argv[], int *wait_status, struct why *why)
{
	cleanup_free char *path = NULL;
	int err = program_find(argv[0], &path, why);
	struct start start = { w, NULL, path, argv };
	struct failure failure = { 0 };
	pid_t pid, reaped;

	if (err < 0)
		return err;
	pid = start_program(&start, &failure, why);
	if (failure.err)
		return explain_exec(argv[0], -failure.err, why);
	if (pid < 0)
		return pid;
	w->pid = pid;
	w->alone = false;
	while ((reaped = waitpid(pid, wait_status, WNOHANG)) == 0)
		workload_await_signal(w);
	w->pid = 0;
	if (reaped < 0)
		return -errno;
	know_children(w);
	return 0;
}

static uint64_t nanoseconds(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000 + (uint64_t)tv->tv_usec * 1000;
}

static void fill_usage(struct run *run, const struct rusage *usage)
{
	run->tool[TOOL_USER_TIME] = nanoseconds(&usage->ru_utime);
	run->tool[TOOL_SYSTEM_TIME] = nanoseconds(&usage->ru_stime);
	run->tool[TOOL_MAX_RSS] = (uint64_t)usage->ru_maxrss;
	run->tool[TOOL_MINOR_FAULTS] = (uint64_t)usage->ru_minflt;
	run->tool[TOOL_MAJOR_FAULTS] = (uint64_t)usage->ru_majflt;
	run->tool[TOOL_VOLUNTARY_SWITCHES] = (uint64_t)usage->ru_nvcsw;
	run->tool[TOOL_INVOLUNTARY_SWITCHES] = (uint64_t)usage->ru_nivcsw;
	run->tool[TOOL_IN_BLOCK] = (uint64_t)usage->ru_inblock;
	run->tool[TOOL_OUT_BLOCK] = (uint64_t)usage->ru_oublock;
}

uint64_t workload_elapsed(const struct workload *w)
{
	return clock_ns() - w->start_ns;
}

static bool asks_to_end(int sig)
{
	return sig != SIGCHLD && sig != SIGUSR1 && sig != SIGUSR2;
}

/*
 * A signal from the terminal (SI_KERNEL) has reached the command as well as pstat. Only a hangup is
 * for the session's leader alone (tty_signal_session_leader() in drivers/tty/tty_jobctrl.c). What the
 * command sends to its whole group (kill 0) it has had, too.
 */
static bool has_reached_command(const struct workload *w, const siginfo_t *info)
{
	if (info->si_code == SI_USER && info->si_pid == w->pid)
		return true;
	return info->si_code == SI_KERNEL && !(info->si_signo == SIGHUP && getsid(0) == getpid());
}

static void handle_signal(struct workload *w, const siginfo_t *info)
{
	if (info->si_signo != SIGCHLD && !has_reached_command(w, info) && w->pid > 0)
		kill(w->pid, info->si_signo);
	if (asks_to_end(info->si_signo) && !w->interrupted)
		w->interrupted = info->si_signo;
}

static void add_survivor(struct workload *w, const char *pid)
{
	char text[64];
	cleanup_fd int fd = -1;
	ssize_t n;

	snprintf(text, sizeof(text), "/proc/%s/comm", pid);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text));
	str_addf(&w->survivors, "%s%s (%.*s)", w->survivors.len ? ", " : "", pid,
		 n > 1 ? (int)n - 1 : 1, n > 1 ? text : "?");
}

/* The command's other processes that outlive it: its orphans are pstat's children now. */
static void find_survivors(struct workload *w)
{
	cleanup_str_list struct str_list pids = { 0 };

	w->survivors.len = 0;
	w->alone = !has_children();
	if (w->alone)
		return;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	list_children(&pids);
	for (size_t i = 0; i < pids.n; i++)
		if (!str_list_has(&w->known, pids.v[i])) {
			str_list_add(&w->known, pids.v[i]);
			add_survivor(w, pids.v[i]);
		}
}

/* Orphans of the command that have ended: without pstat, init would have reaped them at once. */
static void reap_orphans(const struct workload *w)
{
	siginfo_t info = { 0 };

	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0 &&
	       info.si_pid != w->pid)
		waitpid(info.si_pid, NULL, WNOHANG);
}

bool workload_reap(struct workload *w, struct run *run)
{
	struct rusage usage;
	pid_t reaped = wait4(w->pid, &run->wait_status, WNOHANG, &usage);

	if (reaped == 0) {
		reap_orphans(w); /* while the command runs, so that its end has not to wait */
		return false;
	}
	run->tool[TOOL_DURATION_TIME] = workload_elapsed(w);
	if (reaped > 0)
		fill_usage(run, &usage);
	w->pid = 0;
	find_survivors(w);
	return true;
}

void workload_await_signal(struct workload *w)
{
	siginfo_t info;

	if (sigwaitinfo(&w->awaited, &info) > 0)
		handle_signal(w, &info);
}

void workload_wait(struct workload *w, struct run *run)
{
	while (w->pid > 0 && !workload_reap(w, run))
		workload_await_signal(w);
}

void workload_end(struct workload *w)
{
	w->ended = kill(w->pid, SIGTERM) == 0;
}

bool workload_interrupted(struct workload *w)
{
	const struct timespec now = { 0 };
	siginfo_t info;

	while (sigtimedwait(&w->awaited, &info, &now) > 0)
		handle_signal(w, &info);
	return w->interrupted != 0;
}

void workload_release(struct workload *w)
{
	workload_interrupted(w); /* what came after the command's end must not end pstat now */
	sigprocmask(SIG_SETMASK, &w->before, NULL);
	str_list_release(&w->known);
	str_release(&w->survivors);
	if (w->signal_fd >= 0)
		close(w->signal_fd);
	free(w->found);
	*w = (struct workload){ .hold_fd = -1, .signal_fd = -1 };
}
