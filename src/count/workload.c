/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/math.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "count/tracer.h"
#include "count/capture.h"
#include "count/workload.h"
#include "machine/program.h"

/* ---- Signals */

/*
 * Every signal that would end pstat, and that another process may send, is passed on to the
 * command. These are left alone: signals that cannot be blocked, signals that an error in pstat
 * raises, signals that main() blocks (SIGPIPE, SIGXFSZ), and job control, which stops and continues
 * both pstat and the command.
 */
static const int not_taken[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,   SIGILL,  SIGFPE,
				 SIGABRT, SIGTRAP, SIGSYS,  SIGPIPE,  SIGXFSZ, SIGTSTP,
				 SIGTTIN, SIGTTOU, SIGCONT, SIGWINCH, SIGURG };

static bool workload_is_ignored(int sig)
{
	struct sigaction action;

	return sigaction(sig, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/*
 * pstat blocks signals and takes them with sigwaitinfo(2): signals interrupt no system call, and
 * si_code says who sent a signal. A blocked signal arrives even if it is ignored;
 * workload_handle_signal() then drops the signal. This needs no system call for each signal at the
 * start, and the command inherits the dispositions unchanged. Only SIGCHLD is changed: if SIGCHLD
 * were ignored, children would vanish without a status.
 */
static int workload_take_signals(struct signals *s, const sigset_t *mask)
{
	*s = (struct signals){ .mask = *mask, .child_ignored = workload_is_ignored(SIGCHLD) };
	sigfillset(&s->awaited);
	for (size_t i = 0; i < sizeof(not_taken) / sizeof(not_taken[0]); i++)
		sigdelset(&s->awaited, not_taken[i]);
	if (s->child_ignored)
		signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &s->awaited, &s->before);
	s->fd = signalfd(-1, &s->awaited, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? -errno : 0;
}

/* The signals with which users end a program. */
static const int interrupts[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/*
 * A signal from the terminal (SI_KERNEL) was sent to the command as well as to pstat. An exception
 * is a hangup, which only the session leader gets (tty_signal_session_leader() in
 * drivers/tty/tty_jobctrl.c). A signal that the command sends to its process group (kill 0) has
 * also reached the command.
 */
static bool workload_signal_has_reached_command(const siginfo_t *info, pid_t command)
{
	if (info->si_code == SI_USER && info->si_pid == command)
		return true;
	if (info->si_code != SI_KERNEL)
		return false;
	return info->si_signo == SIGINT || info->si_signo == SIGQUIT ||
	       (info->si_signo == SIGHUP && getsid(0) != getpid());
}

static void workload_handle_signal(struct workload *w, const siginfo_t *info)
{
	pid_t command = w->pid;
	int sig = info->si_signo;
	/* a shell script starts background commands with SIGINT and SIGQUIT ignored, but pstat ends
	 * with them nevertheless */
	bool always = sig == SIGINT || sig == SIGQUIT || sig == SIGTERM || sig == SIGCHLD;
	bool ends = command == 0 && sig != SIGCHLD && sig != SIGUSR1 && sig != SIGUSR2;

	if (!always && workload_is_ignored(sig))
		return;
	if (sig != SIGCHLD && command > 0 && !workload_signal_has_reached_command(info, command)) {
		/* pass the signal on, with the value that sigqueue(3) sent */
		int err = info->si_code == SI_QUEUE ? sigqueue(command, sig, info->si_value) :
						      kill(command, sig);

		if (err < 0 && errno != ESRCH)
			w->signals.kill_error = errno;
	}
	/* The command decides how it handles a signal. Only the signals with which users end a
	 * program also end pstat's series. */
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(interrupts[0]); i++)
		ends |= sig == interrupts[i];
	if (ends && !w->signals.interrupted)
		w->signals.interrupted = sig;
}

void workload_await_signal(struct workload *w)
{
	siginfo_t info;

	if (sigwaitinfo(&w->signals.awaited, &info) > 0)
		workload_handle_signal(w, &info);
}

bool workload_interrupted(struct workload *w)
{
	const struct timespec now = { 0 };
	siginfo_t info;

	/* a limited number, because signals may come faster than they are handled */
	for (int i = 0; i < SIGRTMAX && sigtimedwait(&w->signals.awaited, &info, &now) > 0; i++)
		workload_handle_signal(w, &info);
	return w->signals.interrupted != 0;
}

/* SIGALRM, each second while results are written. */
static void workload_end_if_interrupted(int alarm)
{
	static int seconds;
	sigset_t pending, waiting;
	bool interrupted = false;

	(void)alarm;
	sigpending(&pending);
	sigemptyset(&waiting);
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(interrupts[0]); i++) {
		sigaddset(&waiting, interrupts[i]);
		interrupted |= sigismember(&pending, interrupts[i]) == 1 &&
			       !workload_is_ignored(interrupts[i]);
	}
	seconds = interrupted ? seconds + 1 : 0;
	if (seconds > WORKLOAD_PATIENCE_S)
		sigprocmask(SIG_UNBLOCK, &waiting, NULL); /* the signal ends pstat */
}

void workload_begin_writing(struct workload *w)
{
	const struct sigaction action = { .sa_handler = workload_end_if_interrupted,
					  .sa_flags = SA_RESTART };
	const struct itimerval each_second = { { 1, 0 }, { 1, 0 } };
	sigset_t alarms;

	workload_interrupted(w);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_UNBLOCK, &alarms, NULL);
	setitimer(ITIMER_REAL, &each_second, NULL);
}

void workload_end_writing(void)
{
	const struct itimerval never = { 0 };

	setitimer(ITIMER_REAL, &never, NULL);
}

/* ---- How the command differs from pstat */

#define NULL_DEVICE "/dev/null"
#define PADDING "PSTAT_PADDING="

enum { PADDING_SIZE = sizeof(PADDING) + WORKLOAD_PADDING_MAX };

/* Without O_NONBLOCK, open(2) of a FIFO would wait for a writer. */
static int workload_check_input(const char *path, struct why *why)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return why_set(why, -errno, "--input %s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return why_set(why, -EISDIR, "--input %s: %s", path, strerror(EISDIR));
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return why_set(
			why, -ESPIPE,
			"--input %s: each run reads it from the beginning, which a pipe does not "
			"allow; give a file",
			path);
	return 0;
}

static bool workload_has_no_input(const struct child_setup *setup)
{
	return setup->input && strcmp(setup->input, NULL_DEVICE) == 0;
}

static int workload_make_environment(struct child_setup *setup)
{
	size_t n = 0;

	while (environ && environ[n])
		n++;
	setup->environment = calloc(n + 2, sizeof(*setup->environment));
	setup->padding = calloc(1, PADDING_SIZE);
	if (!setup->environment || !setup->padding)
		return -ENOMEM;
	n = 0;
	for (char **variable = environ; variable && *variable; variable++)
		if (strncmp(*variable, PADDING, strlen(PADDING)) != 0)
			setup->environment[n++] = *variable;
	memset(stpcpy(setup->padding, PADDING), 'x', WORKLOAD_PADDING_MAX);
	setup->environment[n] = setup->padding;
	workload_set_padding(setup, 0);
	return 0;
}

void workload_set_padding(struct child_setup *setup, size_t letters)
{
	setup->padding[strlen(PADDING) + setup->padding_n] = 'x';
	setup->padding[strlen(PADDING) + letters] = '\0';
	setup->padding_n = letters;
}

int workload_init_child(struct child_setup *setup, struct why *why)
{
	const struct cpulist *cpus = setup->cpus;
	size_t cpus_n = cpus ? (size_t)cpus->v[cpus->n - 1] + 1 : 0;
	bool no_input = workload_has_no_input(setup);
	int err = setup->input && !no_input ? workload_check_input(setup->input, why) : 0;

	setup->null_fd = -1;
	if (err < 0)
		return err;
	if (no_input || setup->discard) {
		setup->null_fd = open(NULL_DEVICE, O_RDWR | O_CLOEXEC);
		if (setup->null_fd < 0)
			return why_set(why, -errno, NULL_DEVICE ": %s", strerror(errno));
	}
	if (cpus) {
		setup->cpu_set = CPU_ALLOC(cpus_n);
		if (!setup->cpu_set)
			return -ENOMEM;
		setup->cpu_set_size = CPU_ALLOC_SIZE(cpus_n);
		CPU_ZERO_S(setup->cpu_set_size, setup->cpu_set);
		for (size_t i = 0; i < cpus->n; i++)
			CPU_SET_S((size_t)cpus->v[i], setup->cpu_set_size, setup->cpu_set);
	}
	return setup->pads ? workload_make_environment(setup) : 0;
}

/* ---- The workload */

static bool workload_has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* The pids of pstat's children, as the kernel lists them (proc(5), CONFIG_PROC_CHILDREN). */
static void workload_list_children(struct str_list *pids)
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

int workload_init(struct workload *w, char *const argv[], const sigset_t *mask, struct why *why)
{
	struct rlimit raised;
	int err;

	*w = (struct workload){
		.argv = argv, .child_setup = w->child_setup, .channel_fd = -1, .hold_fd = -1
	};
	/* counters and cgroups may use all descriptors up to the hard limit */
	w->limit_known = getrlimit(RLIMIT_NOFILE, &w->limit) == 0;
	raised = w->limit;
	raised.rlim_cur = raised.rlim_max;
	if (w->limit_known && w->limit.rlim_cur != w->limit.rlim_max)
		setrlimit(RLIMIT_NOFILE, &raised);
	err = workload_take_signals(&w->signals, mask);
	if (err < 0)
		return why_set(why, err, "cannot wait for signals: %s", strerror(-err));
	/* orphans of the command become children of pstat, so pstat can see them (prctl(2)) */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (workload_has_children())
		workload_list_children(&w->known);
	if (!argv[0])
		return 0;
	err = program_find(argv[0], &w->found, why);
	w->path = w->found;
	w->exec_failed = err < 0;
	return err;
}

static int workload_explain_exec(const char *name, const char *path, int err, struct why *why)
{
	if (err == -ENOEXEC)
		return why_set(why, err,
			       "%s: the kernel cannot execute this file; a script needs a "
			       "first line such as #!/bin/sh",
			       name);
	if (err == -ENOENT && access(path, F_OK) == 0)
		return why_set(why, -ENOEXEC, "%s: its interpreter or loader is missing", name);
	return why_set(why, err, "%s: %s", name, strerror(-err));
}

/* The steps of a child, until it executes the program. */
enum start_step { STEP_TRACE, STEP_INPUT, STEP_OUTPUT, STEP_ASLR, STEP_CPUS, STEP_EXEC };

/* Why a child did not execute the command. */
struct failure {
	int err; /* errno; 0: the child executes the command */
	enum start_step step; /* the step that failed */
	struct rusage used; /* by the child, until just before its exec */
};

/* The program that a child executes, and how. */
struct start {
	const struct workload *workload;
	const struct child_setup *child_setup; /* NULL: the program is not the command */
	int withheld_fd; /* closed before the exec; -1: none */
	int report_fd; /* pstat waits here for failure->used; -1: the child shares its memory */
	const char *path;
	char *const *argv;
};

/* In the child: make the differences between the command and pstat. 0 or errno. */
static int workload_apply_setup(const struct child_setup *setup, const struct capture *capture,
				volatile enum start_step *step)
{
	int input = setup->null_fd;

	*step = STEP_INPUT;
	if (setup->input && !workload_has_no_input(setup))
		input = open(setup->input, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (setup->input && (input < 0 || dup2(input, STDIN_FILENO) < 0))
		return errno;
	*step = STEP_OUTPUT;
	if (setup->discard &&
	    (dup2(setup->null_fd, STDOUT_FILENO) < 0 || dup2(setup->null_fd, STDERR_FILENO) < 0))
		return errno;
	if (capture && dup2(capture->write_fd, STDOUT_FILENO) < 0)
		return errno;
	*step = STEP_ASLR;
	if (setup->no_aslr &&
	    personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE) < 0)
		return errno;
	*step = STEP_CPUS;
	if (setup->cpu_set && sched_setaffinity(0, setup->cpu_set_size, setup->cpu_set) < 0)
		return errno;
	return 0;
}

/*
 * Call this in the child, which may share the memory of its parent, so this only makes system
 * calls. Undo the changes that pstat made for itself, and execute the program. The limit of
 * descriptors is restored after the steps that open descriptors. Returns only on failure.
 */
static void workload_execute(const struct start *start, volatile struct failure *failure)
{
	const struct workload *w = start->workload;
	struct failure report = { .step = STEP_EXEC };
	char *const *environment = environ;

	if (start->child_setup) {
		failure->err = workload_apply_setup(start->child_setup, w->capture, &failure->step);
		if (failure->err)
			return;
		if (start->child_setup->environment)
			environment = start->child_setup->environment;
	} else if (w->others_to_stderr) {
		(void)dup2(STDERR_FILENO, STDOUT_FILENO);
	}
	if (w->limit_known)
		setrlimit(RLIMIT_NOFILE, &w->limit);
	if (start->withheld_fd >= 0)
		close(start->withheld_fd);
	if (w->signals.child_ignored)
		signal(SIGCHLD, SIG_IGN);
	getrusage(RUSAGE_SELF, &report.used);
	failure->step = report.step;
	failure->used = report.used;
	if (start->report_fd >= 0)
		(void)send(start->report_fd, &report, sizeof(report), MSG_NOSIGNAL);
	sigprocmask(SIG_SETMASK, &w->signals.mask, NULL);
	execve(start->path, start->argv, environment);
	failure->err = errno;
}

static struct start workload_start_of_command(const struct workload *w)
{
	return (struct start){ w, &w->child_setup, -1, -1, w->path, w->argv };
}

/* Why the command was not started. */
static int workload_explain_start(struct workload *w, const struct failure *failure,
				  struct why *why)
{
	const int err = -failure->err;
	const char *error = strerror(failure->err);

	w->exec_failed = failure->step == STEP_EXEC;
	switch (failure->step) {
	case STEP_TRACE:
		return why_set(why, err, "cannot trace %s, to find its symbols after its exec: %s",
			       w->argv[0], error);
	case STEP_INPUT:
		return why_set(why, err, "--input %s: %s", w->child_setup.input, error);
	case STEP_OUTPUT:
		return why_set(why, err, "cannot discard the output: %s", error);
	case STEP_ASLR:
		return why_set(why, err,
			       "--no-aslr: cannot switch address randomization off "
			       "(personality(2)): %s",
			       error);
	case STEP_CPUS:
		return why_set(why, err, "--cpu-list: the command may not run on these CPUs: %s",
			       error);
	case STEP_EXEC:
		break;
	}
	return workload_explain_exec(w->argv[0], w->path, err, why);
}

/* The child of fork(2) waits until pstat releases it. Before its exec, and again if a step fails,
 * the child sends its struct failure to pstat. */
static _Noreturn void workload_held_child(const struct workload *w, int fd)
{
	struct start start = workload_start_of_command(w);
	struct failure failure = { 0 };
	char go;

	start.report_fd = fd;
	if (read(fd, &go, 1) != 1)
		_exit(127);
	/* At this SIGSTOP, pstat requests PTRACE_EVENT_EXEC. Without the request, the exec raises
	 * SIGTRAP, which the child may have blocked. */
	if (w->stops_at_exec && (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 || raise(SIGSTOP) != 0))
		failure = (struct failure){ .err = errno, .step = STEP_TRACE };
	if (failure.err == 0)
		workload_execute(&start, &failure);
	if (write(fd, &failure, sizeof(failure)) != sizeof(failure))
		_exit(126);
	_exit(127);
}

/* A traced program gains no privileges at its exec (ptrace(2)). pstat would then count a program
 * that behaves differently. */
bool workload_loses_privileges(const struct workload *w)
{
	return geteuid() != 0 && program_gains_privileges(program_guard(w->path));
}

int workload_start_held(struct workload *w, struct why *why)
{
	cleanup_fd int ours = -1;
	cleanup_fd int childs = -1;
	int pair[2];

	if (w->stops_at_exec && workload_loses_privileges(w))
		return why_set(why, -EPERM,
			       "%s would lose its privileges when stopped for a breakpoint's "
			       "symbol: run pstat as root",
			       w->argv[0]);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return why_set(why, -errno, "cannot start %s: %s", w->argv[0], strerror(errno));
	ours = pair[0];
	childs = pair[1];
	w->pid = fork();
	if (w->pid == 0) {
		close(ours);
		workload_held_child(w, childs);
	}
	if (w->pid < 0) {
		w->pid = 0;
		return why_set(why, -errno, "cannot start %s: %s", w->argv[0], strerror(errno));
	}
	w->hold_fd = take_fd(&ours);
	return 0;
}

/* Wait until the child has ended or, if it is traced, stopped. Returns whether *wait_status was
 * set. wait_status may be NULL. */
static bool workload_await_child(pid_t pid, int *wait_status)
{
	pid_t waited;

	do
		waited = waitpid(pid, wait_status, __WALL);
	while (waited < 0 && errno == EINTR);
	return waited == pid;
}

/* Continue the command until it stops after its exec. Signals that arrive earlier are passed on.
 * Returns false if the command has ended; *wait_status is then its status. */
static bool workload_reach_exec(const struct workload *w, int *wait_status)
{
	bool first = true;

	while (workload_await_child(w->pid, wait_status) && WIFSTOPPED(*wait_status)) {
		long sig = WSTOPSIG(*wait_status);

		if (*wait_status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			return true;
		if (first && sig == SIGSTOP) {
			if (ptrace(PTRACE_SETOPTIONS, w->pid, NULL, (void *)PTRACE_O_TRACEEXEC) < 0)
				kill(w->pid, SIGKILL); /* pstat would not see its exec */
			first = false;
			sig = 0;
		}
		if (ptrace(PTRACE_CONT, w->pid, NULL, (void *)sig) < 0)
			kill(w->pid, SIGKILL); /* it would stay stopped for ever */
	}
	return false;
}

/* The command ended before its exec, most likely by a signal. */
static int workload_explain_early_end(struct workload *w, int wait_status, struct why *why)
{
	w->killed_by = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
	return why_set(why, -ECHILD, "%s: killed by signal %d (%s) before it was executed",
		       w->argv[0], w->killed_by, strsignal(w->killed_by));
}

/* Read what the held child sends, until its exec closes the other end of fd. Returns whether the
 * child sent a failure. A traced child also stops at signals before its exec. */
static bool workload_await_exec(struct workload *w, int fd, struct failure *failure)
{
	struct pollfd readable = { .fd = fd, .events = POLLIN };
	const int step_ms = 20;

	do {
		while (w->tracer && poll(&readable, 1, step_ms) <= 0) {
			siginfo_t info = { 0 };

			if (waitid(P_PID, (id_t)w->pid, &info, WSTOPPED | WNOHANG | __WALL) == 0 &&
			    info.si_pid == w->pid)
				tracer_take_stop(w->tracer, w->pid, W_STOPCODE(info.si_status));
		}
		if (read(fd, failure, sizeof(*failure)) != sizeof(*failure))
			return false;
		w->used = failure->used;
	} while (failure->err == 0);
	return true;
}

/* Wait until the child has ended, also if it is traced. */
static void workload_await_end(const struct workload *w, int *wait_status)
{
	while (workload_await_child(w->pid, wait_status) && WIFSTOPPED(*wait_status) && w->tracer)
		tracer_take_stop(w->tracer, w->pid, *wait_status);
}

int workload_exec_held(struct workload *w, struct why *why)
{
	cleanup_fd int fd = take_fd(&w->hold_fd);
	struct failure failure = { 0 };
	int wait_status = 0;
	bool reached, failed;

	w->used = (struct rusage){ 0 };
	if (send(fd, "", 1, MSG_NOSIGNAL) != 1) {
		int err = -errno;

		close(take_fd(&fd)); /* the child then ends */
		workload_await_end(w, &wait_status);
		w->pid = 0;
		if (WIFSIGNALED(wait_status))
			return workload_explain_early_end(w, wait_status, why);
		return why_set(why, err, "cannot start %s: %s", w->argv[0], strerror(-err));
	}
	reached = w->stops_at_exec && workload_reach_exec(w, &wait_status);
	failed = workload_await_exec(w, fd, &failure);
	if (reached)
		return 0;
	if (!w->stops_at_exec) {
		if (!failed)
			return 0; /* the exec closed it, and so succeeded */
		workload_await_end(w, &wait_status);
	}
	w->pid = 0;
	return failed ? workload_explain_start(w, &failure, why) :
			workload_explain_early_end(w, wait_status, why);
}

/* Read the beginning of a file in /proc/PID. Returns the number of bytes, or -errno. */
static ssize_t workload_read_of_task(pid_t pid, const char *file, void *bytes, size_t size)
{
	char path[64];
	cleanup_fd int fd = -1;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, bytes, size);
	return n < 0 ? -errno : n;
}

int workload_find_entry(struct workload *w, uint64_t *entry, struct why *why)
{
	union { /* the auxiliary vector of the command (proc(5), getauxval(3)) */
		uint64_t wide[256];
		uint32_t narrow[512];
	} auxv;
	unsigned char ident[EI_NIDENT];
	bool wide = sizeof(unsigned long) == sizeof(uint64_t);
	ssize_t n;

	/* the words of auxv are those of the program, which may differ from pstat's */
	if (workload_read_of_task(w->pid, "exe", ident, sizeof(ident)) == sizeof(ident))
		wide = ident[EI_CLASS] != ELFCLASS32;
	n = workload_read_of_task(w->pid, "auxv", &auxv, sizeof(auxv));
	for (ssize_t i = 0; i + 1 < n / (wide ? 8 : 4); i += 2) {
		if ((wide ? auxv.wide[i] : auxv.narrow[i]) != AT_ENTRY)
			continue;
		*entry = wide ? auxv.wide[i + 1] : auxv.narrow[i + 1];
		return 0;
	}
	n = n < 0 ? n : -ENOENT;
	return why_set(why, (int)n, "%s: its load address is unknown: %s", w->argv[0],
		       strerror((int)-n));
}

void workload_resume(struct workload *w)
{
	if (ptrace(PTRACE_DETACH, w->pid, NULL, NULL) < 0)
		kill(w->pid, SIGKILL); /* it would stay stopped for ever */
}

void workload_kill(struct workload *w)
{
	if (w->tracer)
		tracer_end(w->tracer);
	if (w->hold_fd >= 0)
		close(take_fd(&w->hold_fd));
	else if (w->pid > 0)
		kill(w->pid, SIGKILL);
	if (w->pid > 0)
		workload_await_child(w->pid, NULL);
	w->pid = 0;
}

/*
 * This uses vfork(2) and not posix_spawn(3), which reads all 64 dispositions, maps a stack for each
 * child, and takes 8 % longer for a short command (tests/bench). The child shares the memory of
 * pstat until its exec. It only makes a few system calls and sets *failure.
 */
static __attribute__((noinline)) pid_t workload_vfork_and_exec(const struct start *start,
							       volatile struct failure *failure)
{
	pid_t pid = vfork();

	if (pid == 0) {
		workload_execute(start, failure);
		_exit(127);
	}
	return pid;
}

/* Returns the pid of the program; 0 if the child failed, with the reason in failure; or -errno with
 * why. */
static pid_t workload_start_program(const struct start *start, struct failure *failure,
				    struct why *why)
{
	pid_t pid = workload_vfork_and_exec(start, failure);

	if (pid < 0)
		return why_set(why, -errno, "cannot start %s: %s", start->argv[0], strerror(errno));
	if (failure->err == 0)
		return pid;
	workload_await_child(pid, NULL);
	return 0;
}

int workload_start(struct workload *w, struct why *why)
{
	struct start start = workload_start_of_command(w);
	struct failure failure = { 0 };
	pid_t pid = workload_start_program(&start, &failure, why);

	if (pid < 0)
		return pid;
	w->pid = pid;
	w->used = failure.used;
	return failure.err ? workload_explain_start(w, &failure, why) : 0;
}

/* Returns the pid if this child has ended, 0 if it has not, or -1. usage may be NULL. */
static pid_t workload_reap_child(const struct workload *w, int *wait_status, struct rusage *usage)
{
	pid_t reaped;

	do
		reaped = wait4(w->pid, wait_status, WNOHANG, usage);
	while (reaped < 0 && errno == EINTR);
	if (reaped > 0 && WIFSTOPPED(*wait_status) && w->tracer) {
		tracer_take_stop(w->tracer, reaped, *wait_status);
		return 0;
	}
	if (reaped > 0 && WIFSTOPPED(*wait_status)) {
		/*
		 * The command has requested tracing by its parent (PTRACE_TRACEME), so it stops at
		 * each signal. Detach from it and deliver the signal; otherwise it would stay
		 * stopped for ever.
		 */
		long sig = WSTOPSIG(*wait_status) == SIGTRAP ? 0 : WSTOPSIG(*wait_status);

		ptrace(PTRACE_DETACH, reaped, NULL, (void *)sig);
		return 0;
	}
	return reaped;
}

int workload_run_other(struct workload *w, char *const argv[], int *wait_status, struct why *why)
{
	cleanup_str_list struct str_list pids = { 0 };
	cleanup_free char *path = NULL;
	int err = program_find(argv[0], &path, why);
	struct start start = { w, NULL, w->channel_fd, -1, path, argv };
	struct failure failure = { 0 };
	pid_t pid, reaped;

	if (err < 0)
		return err;
	pid = workload_start_program(&start, &failure, why);
	if (failure.err)
		return workload_explain_exec(argv[0], path, -failure.err, why);
	if (pid < 0)
		return pid;
	w->pid = pid;
	w->alone = false;
	while ((reaped = workload_reap_child(w, wait_status, NULL)) == 0)
		workload_await_signal(w);
	w->pid = 0;
	if (reaped < 0)
		return -errno;
	/* remember children that do not belong to the command, such as a server that --pre has
	 * started */
	if (workload_has_children())
		workload_list_children(&pids);
	for (size_t i = 0; i < pids.n; i++)
		if (!str_list_has(&w->known, pids.v[i]))
			str_list_add(&w->known, pids.v[i]);
	return 0;
}

static uint64_t workload_nanoseconds(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000 + (uint64_t)tv->tv_usec * 1000;
}

/* Find the processes of the command that outlive it. Its orphans are now children of pstat. */
static void workload_find_survivors(struct workload *w)
{
	cleanup_str_list struct str_list pids = { 0 };
	pid_t pid;
	int status;

	w->survivors.len = 0;
	w->alone = !workload_has_children();
	if (w->alone)
		return;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (w->tracer && WIFSTOPPED(status))
			tracer_take_stop(w->tracer, pid, status);
	workload_list_children(&pids);
	for (size_t i = 0; i < pids.n; i++) {
		char comm[64];
		ssize_t n;

		if (str_list_has(&w->known, pids.v[i]))
			continue;
		str_list_add(&w->known, pids.v[i]);
		n = workload_read_of_task((pid_t)atoi(pids.v[i]), "comm", comm, sizeof(comm));
		str_addf(&w->survivors, "%s%s (%.*s)", w->survivors.len ? ", " : "", pids.v[i],
			 n > 1 ? (int)n - 1 : 1, n > 1 ? comm : "?");
	}
}

/* Reap orphans of the command that have ended, as init would without pstat. If tasks are traced,
 * tracer_take() does that: waitid(2) would also take their stops. */
static void workload_reap_orphans(const struct workload *w)
{
	siginfo_t info = { 0 };

	if (w->tracer)
		return;
	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0 &&
	       info.si_pid != w->pid)
		waitpid(info.si_pid, NULL, WNOHANG);
}

/*
 * Whether the child has ended, is not reaped, and has other IDs than pstat. Without privileges,
 * only a set-user-ID or set-group-ID program can change them. A child that has ended stays in /proc
 * until it is reaped.
 */
static bool workload_ended_with_other_ids(pid_t pid)
{
	siginfo_t info = { 0 };
	char path[32];
	struct stat st;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid != pid)
		return false;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return stat(path, &st) == 0 && (st.st_uid != geteuid() || st.st_gid != getegid());
}

/* The kernel adds up the pages of a process in batches on each CPU (percpu_counter of Linux 6.2, 64
 * pages of each thread before), so a later sum may be larger than the one that the child read. */
enum { LAG_PAGES = 64 };

/*
 * The usage of the command without what its process had used before the exec. A peak cannot be
 * subtracted: the kernel keeps the peak of the memory that the process had before its exec. A child
 * that did not report it, such as that of vfork(2) under valgrind, has an unknown peak.
 */
static void workload_fill_usage(const struct workload *w, const struct rusage *all, struct run *run)
{
	const struct rusage *before = &w->used;
	uint64_t peak_before_kib = (uint64_t)before->ru_maxrss;
	const struct {
		enum tool_event tool;
		uint64_t before, all;
	} counts[] = {
		{ TOOL_USER_TIME, workload_nanoseconds(&before->ru_utime),
		  workload_nanoseconds(&all->ru_utime) },
		{ TOOL_SYSTEM_TIME, workload_nanoseconds(&before->ru_stime),
		  workload_nanoseconds(&all->ru_stime) },
		{ TOOL_MINOR_FAULTS, (uint64_t)before->ru_minflt, (uint64_t)all->ru_minflt },
		{ TOOL_MAJOR_FAULTS, (uint64_t)before->ru_majflt, (uint64_t)all->ru_majflt },
		{ TOOL_VOLUNTARY_SWITCHES, (uint64_t)before->ru_nvcsw, (uint64_t)all->ru_nvcsw },
		{ TOOL_INVOLUNTARY_SWITCHES, (uint64_t)before->ru_nivcsw,
		  (uint64_t)all->ru_nivcsw },
		{ TOOL_IN_BLOCK, (uint64_t)before->ru_inblock, (uint64_t)all->ru_inblock },
		{ TOOL_OUT_BLOCK, (uint64_t)before->ru_oublock, (uint64_t)all->ru_oublock },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		run->tool[counts[i].tool] = math_gain(counts[i].before, counts[i].all);
	run->tool[TOOL_MAX_RSS] = (uint64_t)all->ru_maxrss;
	run->max_rss_floor_kib =
		peak_before_kib > 0 ?
			peak_before_kib + LAG_PAGES * (uint64_t)sysconf(_SC_PAGESIZE) / 1024 :
			run->tool[TOOL_MAX_RSS];
}

bool workload_reap(struct workload *w, struct run *run)
{
	struct rusage usage;
	uint64_t end_ns;
	pid_t reaped;

	if (w->tracer && !tracer_take(w->tracer)) {
		/* SIGCHLD is blocked; sending it makes the caller call this function again.
		 * raise(3) would send it to this thread, where it would overtake the signals that
		 * pstat passes on. */
		kill(getpid(), SIGCHLD);
		return false;
	}
	end_ns = clock_ns();
	if (w->checks_ids && workload_ended_with_other_ids(w->pid))
		run->has_other_ids = true;
	reaped = workload_reap_child(w, &run->wait_status, &usage);
	if (reaped == 0) {
		workload_reap_orphans(
			w); /* now, because a search at the command's end would take time */
		return false;
	}
	run->tool[TOOL_DURATION_TIME] = end_ns - w->start_ns;
	if (reaped > 0)
		workload_fill_usage(w, &usage, run);
	w->pid = 0;
	if (w->tracer)
		tracer_end(w->tracer);
	workload_find_survivors(w);
	return true;
}

void workload_wait(struct workload *w, struct run *run)
{
	while (w->pid > 0 && !workload_reap(w, run))
		workload_await_signal(w);
}

void workload_terminate(struct workload *w)
{
	w->ended = kill(w->pid, SIGTERM) == 0;
	if (!w->ended)
		w->signals.kill_error = errno;
}

void workload_release(struct workload *w)
{
	struct child_setup *setup = &w->child_setup;

	if ((setup->input || setup->discard) && setup->null_fd >= 0)
		close(setup->null_fd);
	CPU_FREE(setup->cpu_set);
	free(setup->environment);
	free(setup->padding);
	*setup = (struct child_setup){ 0 };
	if (!w->argv)
		return;
	workload_interrupted(w); /* a signal after the command's end must not end pstat now */
	sigprocmask(SIG_SETMASK, &w->signals.before, NULL);
	if (w->signals.fd >= 0)
		close(w->signals.fd);
	str_list_release(&w->known);
	str_release(&w->survivors);
	free(w->found);
	*w = (struct workload){ .hold_fd = -1 };
}
