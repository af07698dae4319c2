/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reaper COMMAND...
 *
 * Runs COMMAND, and adopts every descendant that loses its parent, even one in a session of its
 * own. When COMMAND ends, or on SIGTERM, kills all remaining processes. TEST_REAPER in the
 * environment of COMMAND has the process IDs of this program and of COMMAND. This program has
 * adopted all its other children.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99 };

static volatile sig_atomic_t terminated;

static void terminate(int signal)
{
	terminated = signal;
}

static void execute(pid_t reaper, char **command)
{
	char ids[64];

	snprintf(ids, sizeof(ids), "%d %d", (int)reaper, (int)getpid());
	setenv("TEST_REAPER", ids, 1);
	execvp(command[0], command);
	err(EXIT_TROUBLE, "%s", command[0]);
}

/* A process that is killed leaves its own children to this program. */
static void kill_children(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	do {
		FILE *children = fopen(path, "r");
		int pid;

		while (children && fscanf(children, "%d", &pid) == 1)
			kill(pid, SIGKILL);
		if (children)
			fclose(children);
	} while (waitpid(-1, NULL, 0) > 0);
}

int main(int argc, char **argv)
{
	const struct sigaction on_term = { .sa_handler = terminate };
	const pid_t reaper = getpid();
	pid_t command, ended;
	int status = 0;

	if (argc < 2)
		errx(EXIT_TROUBLE, "usage: reaper COMMAND...");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		err(EXIT_TROUBLE, "PR_SET_CHILD_SUBREAPER");
	command = fork();
	if (command < 0)
		err(EXIT_TROUBLE, "fork");
	if (command == 0)
		execute(reaper, argv + 1);
	sigaction(SIGTERM, &on_term, NULL);
	do {
		ended = waitpid(-1, &status, 0);
	} while (ended != command && !terminated);
	kill_children();
	if (terminated)
		return 128 + terminated;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
