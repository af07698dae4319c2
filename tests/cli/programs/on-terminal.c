/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * on-terminal FILE COMMAND [ARG...]
 *
 * Runs COMMAND in a new session on a new terminal, and presses Ctrl-C when FILE exists. Prints what
 * appears on the terminal, and exits with the status of COMMAND.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 99, LONGEST_MS = 120000, STEP_MS = 20 };

static const char ctrl_c = '\003';

static int open_terminal(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || grantpt(fd) < 0 || unlockpt(fd) < 0)
		err(EXIT_TROUBLE, "no terminal");
	return fd;
}

static _Noreturn void run_command(const char *terminal, char **argv)
{
	int fd;

	setsid();
	fd = open(terminal, O_RDWR); /* becomes the controlling terminal */
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) < 0)
		err(EXIT_TROUBLE, "%s", terminal);
	for (int std = 0; std <= 2; std++)
		dup2(fd, std);
	if (fd > 2)
		close(fd);
	execv(argv[0], argv);
	err(EXIT_TROUBLE, "%s", argv[0]);
}

/* Copies until the other side is closed, which a terminal reports with EIO. */
static void talk(int terminal, const char *file)
{
	bool pressed = false;
	char text[4096];

	for (int ms = 0; ms < LONGEST_MS; ms += STEP_MS) {
		struct pollfd ready = { .fd = terminal, .events = POLLIN };
		ssize_t n;

		if (!pressed && access(file, F_OK) == 0)
			pressed = write(terminal, &ctrl_c, 1) == 1;
		if (poll(&ready, 1, STEP_MS) <= 0)
			continue;
		n = read(terminal, text, sizeof(text));
		if (n <= 0)
			return;
		fwrite(text, 1, (size_t)n, stdout);
	}
	errx(EXIT_TROUBLE, "the command did not end");
}

int main(int argc, char **argv)
{
	int terminal = open_terminal();
	const char *name = ptsname(terminal);
	pid_t child;
	int status;

	if (argc < 3 || !name)
		return EXIT_TROUBLE;
	child = fork();
	if (child < 0)
		err(EXIT_TROUBLE, "fork");
	if (child == 0)
		run_command(name, argv + 2);
	talk(terminal, argv[1]);
	if (waitpid(child, &status, 0) < 0)
		err(EXIT_TROUBLE, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TROUBLE;
}
