/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "cli/message.h"

void message_text(const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t n = write(STDERR_FILENO, text, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return; /* nobody there to be told */
		text += n;
		left -= (size_t)n;
	}
}

void message(const char *format, ...)
{
	cleanup_str struct str line = { 0 };
	va_list args;

	str_add(&line, "pstat: ");
	va_start(args, format);
	str_vaddf(&line, format, args);
	va_end(args);
	str_add(&line, "\n");
	message_text(line.failed ? "pstat: out of memory\n" : str_text(&line));
}
