/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/message.h"
#include "cli/progress.h"

static const char no_memory[] = "pstat: out of memory\n";

/* The progress line on the terminal that messages go to. */
static struct progress *progress_line;

void message_set_progress(struct progress *progress)
{
	progress_line = progress;
}

int message_text(const char *text)
{
	int err;

	if (progress_line)
		progress_hide(progress_line);
	err = file_write(STDERR_FILENO, text, strlen(text), NULL);
	if (progress_line)
		progress_resume(progress_line);
	return err;
}

/* This works for a process in the background, too, which the write could stop by SIGTTOU. */
static void report_terminal(const char *text)
{
	cleanup_fd int fd = open("/dev/tty", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	sigset_t stop, before;

	if (fd < 0)
		return;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTTOU);
	sigprocmask(SIG_BLOCK, &stop, &before);
	if (write(fd, text, strlen(text)) < 0) {
		/* no stream is left; the exit status shows the failure */
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void message_of_loss(const char *text)
{
	cleanup_str struct str line = { 0 };
	const char *shown;

	str_add(&line, "pstat: ");
	str_add_escaped(&line, text);
	str_add(&line, "\n");
	shown = line.failed ? no_memory : str_text(&line);
	if (message_text(shown) < 0)
		report_terminal(shown);
}

void message_with_prefix(const char *prefix, const char *text)
{
	cleanup_str struct str line = { 0 };

	str_addf(&line, "%spstat: ", prefix);
	str_add_escaped(&line, text);
	str_add(&line, "\n");
	message_text(line.failed ? no_memory : str_text(&line));
}

void message(const char *format, ...)
{
	cleanup_str struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	message_with_prefix("", text.failed ? "out of memory" : str_text(&text));
}

int message_no_memory(void)
{
	message_text(no_memory);
	return -ENOMEM;
}
