/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lists of -L, and what a text becomes for one value of each:
 *
 *	LIST = NAME '=' value { ',' value }
 *	NAME = letter | '_' | digit | '-' …
 *
 * A backslash takes the special meaning from a comma or a backslash behind it. A value may be empty.
 */
#ifndef PSTAT_CLI_PARAMETERS_H
#define PSTAT_CLI_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct why;

struct parameter {
	char *name; /* owned */
	struct str_list values; /* one at least */
	size_t chosen; /* of the values */
	bool used; /* some text had its {NAME} */
};

/* All zero is a valid empty list. */
struct parameters {
	struct parameter *v; /* owned */
	size_t n, size;
};

/* Append the parameter of text. 0; -EINVAL with why and the place; -ENOMEM. */
int parameters_add(struct parameters *p, const char *text, struct why *why);

/* Whether the parameter's {NAME} stands in the text. */
bool parameter_is_in(const struct parameter *parameter, const char *text);

/* Append text, the chosen value in the place of each {NAME}; other braces stay. */
void parameters_replace(const struct parameters *p, const char *text, struct str *out);

/*
 * Choose the next combination of the values of those parameters for which varies is true (one for each),
 * the last of them fastest. false: that was all, and the first one is chosen again.
 */
bool parameters_next(struct parameters *p, const bool *varies);

void parameters_release(struct parameters *p);

#endif
