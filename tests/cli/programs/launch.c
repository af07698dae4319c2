/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * launch [OPTION...] COMMAND [ARG...]
 *
 * Changes what a program inherits and executes COMMAND in its place:
 *	-i SIGNAL	ignored		-b SIGNAL	blocked
 *	-c FD		closed		-f FD		open on /dev/null
 *	-n N		so many descriptors at most, for now; up to what it was
 *	-p		nice 5, umask 027, timer slack 77 us, no new privileges, one CPU alone
 */
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99 };

static void block(int sig)
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

static void be_particular(void)
{
	cpu_set_t cpus;
	int cpu = sched_getcpu();

	CPU_ZERO(&cpus);
	CPU_SET((size_t)cpu, &cpus);
	if (cpu < 0 || sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		err(EXIT_TROUBLE, "sched_setaffinity");
	if (nice(5) < 0)
		err(EXIT_TROUBLE, "nice");
	umask(027);
	prctl(PR_SET_TIMERSLACK, 77000);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "+i:b:c:f:n:p")) != -1) {
		int n = optarg ? atoi(optarg) : 0;

		switch (option) {
		case 'i':
			signal(n, SIG_IGN);
			break;
		case 'b':
			block(n);
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
