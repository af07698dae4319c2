/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lists of -L, which give a parameter several values, and texts with {NAME} in them:
 *
 *	LIST = NAME '=' value { ',' value }
 *	NAME = letter | '_' | digit | '-' …
 *
 * A backslash before a comma or a backslash makes it a part of the value. A value may be empty.
 */
#ifndef PSTAT_OPTIONS_PARAMETERS_H
#define PSTAT_OPTIONS_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct why;

struct parameter {
	char *name; /* owned */
	struct str_list values; /* at least one */
	size_t chosen; /* index into the values */
	bool used; /* some text contains {NAME}; the caller sets this */
};

/* All zero is a valid empty list. */
struct parameters {
	struct parameter *v; /* owned */
	size_t n, size;
};

/* Append the parameter of a list. 0; -EINVAL with why and a position; -ENOMEM. */
int parameters_add(struct parameters *p, const char *text, struct why *why);

/* Whether the text, which may be NULL, contains {NAME}. */
bool parameter_is_in(const struct parameter *parameter, const char *text);

/* Append text, with the chosen value instead of each {NAME}. Other braces stay as they are. */
void parameters_replace(const struct parameters *p, const char *text, struct str *out);

/*
 * Choose the next combination of values; the last parameter changes fastest. varies: for each
 * parameter, whether it takes part. False after the last combination; then the first is chosen
 * again.
 */
bool parameters_next(struct parameters *p, const bool *varies);

void parameters_release(struct parameters *p);

#endif
