/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/why.h"

static __attribute__((format(printf, 2, 0))) void why_set_text(struct why *why, const char *format,
							       va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	why_release(why);
	why->text = text;
}

int why_set(struct why *why, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	why_set_text(why, format, args);
	va_end(args);
	return error;
}

int why_at(struct why *why, int error, size_t position, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	why_set_text(why, format, args);
	va_end(args);
	why->has_position = true;
	why->position = position;
	return error;
}

int why_of_argument(struct why *why, int error, const char *option, const char *text,
		    const struct why *trouble)
{
	const char *sentence = why_text(trouble, error);

	if (!trouble->has_position)
		return why_set(why, error, "%s '%s': %s", option, text, sentence);
	return why_set(why, error, "%s '%s', column %zu: %s", option, text, trouble->position + 1,
		       sentence);
}

const char *why_text(const struct why *why, int error)
{
	if (!why->text && error == -ENOMEM)
		return "out of memory";
	return why->text ? why->text : strerror(-error);
}

void why_release(struct why *why)
{
	free(why->text);
	*why = (struct why){ 0 };
}
