/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * observe FILE [ARG...]
 *
 * Writes everything that a program can find out about its start to FILE, so that a test can compare
 * two runs: arguments, environment, descriptors, signals, limits, identity, and the facts in /proc
 * and prctl(2). PIDs are omitted, because they differ between any two processes.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99 };

static void show_words(FILE *out, const char *what, char **words)
{
	for (size_t i = 0; words[i]; i++)
		fprintf(out, "%s %zu: %s\n", what, i, words[i]);
}

static void show_descriptor(FILE *out, int fd)
{
	char path[64], target[4096];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = '\0';
	fprintf(out, "descriptor %d: %s, flags 0%o, close-on-exec %d\n", fd, target,
		fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
}

/* All descriptors except the output file. Runs before anything else is opened. */
static void show_descriptors(FILE *out, const bool *open, int n)
{
	for (int fd = 0; fd < n; fd++)
		if (open[fd])
			show_descriptor(out, fd);
}

static void find_descriptors(bool *open, int n)
{
	for (int fd = 0; fd < n; fd++)
		open[fd] = fcntl(fd, F_GETFD) >= 0;
}

static void show_signals(FILE *out)
{
	sigset_t blocked, pending;

	sigprocmask(SIG_SETMASK, NULL, &blocked);
	sigpending(&pending);
	for (int sig = 1; sig <= 64; sig++) {
		struct sigaction action;

		if (sigaction(sig, NULL, &action) < 0)
			continue; /* internal to the C library */
		fprintf(out, "signal %d: %s, flags 0x%x, blocked %d, pending %d\n", sig,
			action.sa_handler == SIG_DFL ? "default" :
			action.sa_handler == SIG_IGN ? "ignored" :
						       "caught",
			(unsigned int)action.sa_flags, sigismember(&blocked, sig),
			sigismember(&pending, sig));
	}
}

static void show_limits(FILE *out)
{
	for (int resource = 0; resource < RLIMIT_NLIMITS; resource++) {
		struct rlimit limit;

		if (getrlimit((__rlimit_resource_t)resource, &limit) == 0)
			fprintf(out, "limit %d: %llu of %llu\n", resource,
				(unsigned long long)limit.rlim_cur,
				(unsigned long long)limit.rlim_max);
	}
}

static void show_timers(FILE *out)
{
	for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
		struct itimerval timer;

		if (getitimer((__itimer_which_t)which, &timer) == 0)
			fprintf(out, "timer %d: running %d\n", which,
				timer.it_value.tv_sec || timer.it_value.tv_usec);
	}
}

static void show_place(FILE *out)
{
	char *folder = getcwd(NULL, 0);
	mode_t mask = umask(0);
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);

	umask(mask);
	fprintf(out, "session %d, process group %d, terminal %s, its foreground group %d\n",
		getsid(0), getpgrp(), terminal < 0 ? strerror(errno) : "yes",
		terminal < 0 ? -1 : tcgetpgrp(terminal));
	if (terminal >= 0)
		close(terminal);
	fprintf(out, "folder %s, umask %03o, nice %d\n", folder ? folder : strerror(errno), mask,
		getpriority(PRIO_PROCESS, 0));
	fprintf(out, "user %d %d, group %d %d\n", getuid(), geteuid(), getgid(), getegid());
	free(folder);
}

static void show_schedule(FILE *out)
{
	struct sched_param param = { 0 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	sched_getparam(0, &param);
	fprintf(out, "policy %d, priority %d, cpus", sched_getscheduler(0), param.sched_priority);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			fprintf(out, " %d", cpu);
	fputc('\n', out);
}

static void show_prctl(FILE *out)
{
	int death_signal = -1, reaper = -1;

	prctl(PR_GET_PDEATHSIG, &death_signal);
	prctl(PR_GET_CHILD_SUBREAPER, &reaper);
	fprintf(out, "parent-death signal %d, child subreaper %d\n", death_signal, reaper);
	fprintf(out, "dumpable %d, timer slack %d, no new privileges %d\n", prctl(PR_GET_DUMPABLE),
		prctl(PR_GET_TIMERSLACK), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	fprintf(out, "securebits 0x%x, keep capabilities %d, huge pages disabled %d\n",
		(unsigned int)prctl(PR_GET_SECUREBITS), prctl(PR_GET_KEEPCAPS),
		prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
	fprintf(out, "seccomp %d, personality 0x%x, secure execution %lu, program %s\n",
		prctl(PR_GET_SECCOMP), (unsigned int)personality(0xffffffff), getauxval(AT_SECURE),
		(const char *)getauxval(AT_EXECFN));
}

/* This program starts no children: any child, or its times, would belong to a program before the exec. */
static void show_children(FILE *out)
{
	struct rusage usage;
	int reaped = waitpid(-1, NULL, WNOHANG);

	fprintf(out, "children: %s\n", reaped < 0 ? strerror(errno) : "some");
	getrusage(RUSAGE_CHILDREN, &usage);
	fprintf(out, "children's faults %ld, memory %ld\n", usage.ru_minflt, usage.ru_maxrss);
}

static bool is_compared(const char *line)
{
	static const char *const keys[] = {
		"Name:",   "Umask:",  "TracerPid:", "Groups:", "Threads:",	"SigPnd:",
		"ShdPnd:", "SigBlk:", "SigIgn:",    "SigCgt:", "CapInh:",	"CapPrm:",
		"CapEff:", "CapBnd:", "CapAmb:",    "Seccomp", "Cpus_allowed:", "Mems_allowed:",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strncmp(line, keys[i], strlen(keys[i])) == 0)
			return true;
	return false;
}

static void show_status(FILE *out)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[8192];

	if (!status)
		err(EXIT_TROUBLE, "/proc/self/status");
	while (fgets(line, sizeof(line), status))
		if (is_compared(line))
			fputs(line, out);
	fclose(status);
}

static void show_file(FILE *out, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[8192];

	while (file && fgets(line, sizeof(line), file))
		fprintf(out, "%s: %s", path, line);
	if (file)
		fclose(file);
}

int main(int argc, char **argv)
{
	enum { DESCRIPTORS_N = 1024 };
	bool open[DESCRIPTORS_N];
	FILE *out;

	find_descriptors(open, DESCRIPTORS_N);
	if (argc < 2)
		return EXIT_TROUBLE;
	out = fopen(argv[1], "ae");
	if (!out) {
		warn("%s", argv[1]);
		return EXIT_TROUBLE;
	}
	show_words(out, "argument", argv);
	show_words(out, "environment", environ);
	show_descriptors(out, open, DESCRIPTORS_N);
	show_signals(out);
	show_limits(out);
	show_timers(out);
	show_place(out);
	show_schedule(out);
	show_prctl(out);
	show_children(out);
	show_status(out);
	show_file(out, "/proc/self/oom_score_adj");
	show_file(out, "/proc/self/cgroup");
	show_file(out, "/proc/self/coredump_filter");
	return fclose(out) == EOF ? EXIT_TROUBLE : 0;
}
