/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * await FILE
 *
 * Creates FILE when it is ready for signals, waits for the first signal and a moment for others,
 * and then writes a line for each to FILE: its number and its sender, "kernel" or "process". Status
 * 3.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { EXIT_TROUBLE = 99, EXIT_SIGNALLED = 3 };

int main(int argc, char **argv)
{
	static const int awaited[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
	struct timespec longest = { .tv_sec = 120 };
	siginfo_t info;
	sigset_t set;
	FILE *out;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(awaited) / sizeof(awaited[0]); i++)
		sigaddset(&set, awaited[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	out = argc == 2 ? fopen(argv[1], "we") : NULL;
	if (!out)
		return EXIT_TROUBLE;
	for (;;) {
		if (sigtimedwait(&set, &info, &longest) < 0) {
			if (errno == EINTR)
				continue;
			break;
		}
		fprintf(out, "%d %s\n", info.si_signo,
			info.si_code == SI_KERNEL ? "kernel" : "process");
		longest = (struct timespec){ .tv_nsec = 300000000 };
	}
	return fclose(out) == EOF ? EXIT_TROUBLE : EXIT_SIGNALLED;
}
