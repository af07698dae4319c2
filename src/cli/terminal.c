/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/terminal.h"

enum { COLUMNS_OF_A_TERMINAL = 80 };

bool terminal_is_capable(int fd)
{
	const char *type = getenv("TERM");

	return type && type[0] && strcmp(type, "dumb") != 0 && isatty(fd);
}

bool terminal_wants_colour(int fd)
{
	const char *none = getenv("NO_COLOR");

	return !(none && none[0]) && terminal_is_capable(fd);
}

int terminal_columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return COLUMNS_OF_A_TERMINAL;
}

/* tcgetpgrp() fails if no job can be in the foreground. */
bool terminal_is_ours(int fd)
{
	pid_t foreground = tcgetpgrp(fd);

	return foreground < 0 || foreground == getpgrp();
}
