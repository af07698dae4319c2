/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * traced STATUS
 *
 * Requests that its parent traces it, like programs that detect a debugger. Then it gets a signal
 * and executes a shell, which both stop a traced program, and exits with STATUS.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99 };

int main(int argc, char **argv)
{
	if (argc != 2 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		return EXIT_TROUBLE;
	signal(SIGUSR1, SIG_IGN);
	kill(getpid(), SIGUSR1);
	execl("/bin/sh", "sh", "-c", "exit $0", argv[1], (char *)NULL);
	return EXIT_TROUBLE;
}
