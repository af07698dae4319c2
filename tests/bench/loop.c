/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A series of runs with nothing counted: start, exec, wait.
 *
 *	loop vfork|spawn N COMMAND [ARG...]
 */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not inlined into the loop, because the child of vfork would share the variables of the loop. */
static __attribute__((noinline)) pid_t start_by_vfork(char **argv)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid;
}

static pid_t start_by_spawn(char **argv)
{
	pid_t pid;

	return posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) == 0 ? pid : -1;
}

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[2]) : 0;

	if (n < 1)
		return 125;
	for (int i = 0; i < n; i++) {
		struct rusage usage;
		int status;
		pid_t pid = strcmp(argv[1], "spawn") == 0 ? start_by_spawn(argv + 3) :
							    start_by_vfork(argv + 3);

		if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || status)
			return 125;
	}
	return 0;
}
