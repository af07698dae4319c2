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
#include "base/why.h"
#include "format/terminal/terminal.h"
#include "options/options.h"
#include "output/message.h"
#include "output/progress.h"

#define PREFIX "pstat: "

static const char no_memory[] = "pstat: out of memory\n"; /* instead of any message */

int message_text(const char *text)
{
	int err;

	progress_before_message();
	err = file_write(STDERR_FILENO, text, strlen(text), NULL);
	progress_after_message();
	return err;
}

/* Block SIGTTOU, because it would stop a background process that writes to the terminal. */
static void message_report_terminal(const char *text)
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

/* On a terminal, a long message continues below its first word, so that no word breaks. */
static const char *message_compose(struct str *line, const char *text)
{
	cleanup_str struct str shown = { 0 };
	int columns = isatty(STDERR_FILENO) ? terminal_columns(STDERR_FILENO) : 0;

	str_add_escaped(&shown, text);
	str_add(line, PREFIX);
	terminal_wrap(line, str_text(&shown), (int)strlen(PREFIX), columns);
	str_add(line, "\n");
	line->failed |= shown.failed;
	return line->failed ? no_memory : str_text(line);
}

void message_of_loss(const char *text)
{
	cleanup_str struct str line = { 0 };
	const char *shown = message_compose(&line, text);

	if (message_text(shown) < 0)
		message_report_terminal(shown);
}

int message_of_lost_text(int err, const char *text)
{
	if (err == -EPIPE)
		return -SIGPIPE;
	message_of_loss(text);
	return STATUS_PSTAT;
}

void message(const char *format, ...)
{
	cleanup_str struct str text = { 0 };
	cleanup_str struct str line = { 0 };
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	message_text(text.failed ? no_memory : message_compose(&line, str_text(&text)));
}
