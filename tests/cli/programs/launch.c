/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * launch [OPTION...] COMMAND [ARG...]
 *
 * Changes what COMMAND inherits, and executes it in the place of this program:
 *	-i SIGNAL	ignored		-b SIGNAL	blocked
 *	-c FD		closed		-f FD		open on /dev/null
 *	-n N		soft limit of descriptors; the hard limit is unchanged
 *	-p		nice 5, umask 027, timer slack 77 us, no new privileges, only one CPU
 */
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99 };

/*
 * Resets glibc's internal signals, which its sigaction(2) hides. They are ignored in programs that
 * posix_spawn(3) starts, for example by make. From the default, tests can see whether pstat changes
 * them.
 */
static void reset_hidden_signals(void)
{
	static const char by_default[256];
	size_t set_size = _NSIG / 8;

	for (int sig = 32; sig <= 33; sig++)
		syscall(SYS_rt_sigaction, sig, by_default, NULL, set_size);
}

static void interval(int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void open_at(int wanted)
{
	int fd = open("/dev/null", O_RDWR);

	if (fd == wanted)
		return;
	if (fd < 0 || dup2(fd, wanted) < 0)
		err(EXIT_TROUBLE, "descriptor %d", wanted);
	close(fd);
}

static void limit_descriptors(rlim_t n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		err(EXIT_TROUBLE, "getrlimit");
	limit.rlim_cur = n;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		err(EXIT_TROUBLE, "setrlimit");
}

/* The first allowed CPU, so that each start has the same one. */
static void stay_on_one_cpu(void)
{
	cpu_set_t cpus;
	size_t cpu = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) < 0)
		err(EXIT_TROUBLE, "sched_getaffinity");
	while (!CPU_ISSET(cpu, &cpus))
		cpu++;
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		err(EXIT_TROUBLE, "sched_setaffinity");
}

static void be_particular(void)
{
	stay_on_one_cpu();
	if (nice(5) == -1)
		err(EXIT_TROUBLE, "nice");
	umask(027);
	prctl(PR_SET_TIMERSLACK, 77000);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int main(int argc, char **argv)
{
	int option;

	reset_hidden_signals();
	while ((option = getopt(argc, argv, "+i:b:c:f:n:p")) != -1) {
		int n = optarg ? atoi(optarg) : 0;

		switch (option) {
		case 'i':
			signal(n, SIG_IGN);
			break;
		case 'b':
			interval(n);
			break;
		case 'c':
			close(n);
			break;
		case 'f':
			open_at(n);
			break;
		case 'n':
			limit_descriptors((rlim_t)n);
			break;
		case 'p':
			be_particular();
			break;
		default:
			return EXIT_TROUBLE;
		}
	}
	if (!argv[optind])
		return EXIT_TROUBLE;
	execv(argv[optind], argv + optind);
	err(EXIT_TROUBLE, "%s", argv[optind]);
}
