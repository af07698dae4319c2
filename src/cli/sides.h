/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that the options name: the one after the options, or those that -c and -L make. */
#ifndef PSTAT_CLI_SIDES_H
#define PSTAT_CLI_SIDES_H

#include "base/str.h"
#include "cli/options.h"
#include "run/runner.h"

struct why;

/* All zero is an empty list. */
struct sides {
	struct side *v; /* owned */
	size_t n, size;
	char *baseline; /* owned: the name of the saved reference; NULL: none */
};

/* A list of -L that makes more sides than this is probably a typing error. */
enum { SIDES_MAX = 1000 };

/*
 * Make the sides. Without a comparison there is one; with a saved reference at least one;
 * otherwise at least two. baseline: the name of the saved reference, unless --names renames it;
 * NULL: there is none. 0; -EINVAL with why; -ENOMEM. The caller releases sides in any case.
 */
int sides_of_options(struct sides *sides, const struct options *o, const char *baseline,
		     struct why *why);

void sides_release(struct sides *sides);

/* Append a name. If the list has it already, the new one gets a number: "name #2". 0 or -ENOMEM. */
int sides_add_name(struct str_list *names, const char *name);

/*
 * Append the names of list, the argument of --names: they are separated by commas. 0; -EINVAL with
 * why: a name is empty, or two are the same; -ENOMEM.
 */
int sides_read_names(struct str_list *names, const char *list, struct why *why);

/*
 * Split a command line into words as sh does (POSIX.1-2017, Shell Command Language, 2.2 and 2.3):
 * blanks, both kinds of quotes, and the backslash. No shell runs and nothing is expanded.
 * Everything else that is special to a shell is refused, because passing it on unchanged would
 * surprise:
 *
 * - unquoted | & ; < > ( ) $ ` * ? [ and newline; but a word that is just '[' is a command
 * - # and ~ at the start of a word
 * - $ and ` between double quotes
 * - NAME=… or a reserved word of the shell as the first word
 *
 * Split text into one or more words. The previous content of words is not released. A NULL that is
 * not counted follows the last word, so that words->v can be an argv. 0; -EINVAL with why and the
 * position; -ENOMEM. On failure words is empty.
 */
int words_split(const char *text, struct str_list *words, struct why *why);

/*
 * The lists of -L, which give a parameter several values, and texts with {NAME} in them:
 *
 *	LIST = NAME '=' value { ',' value }
 *	NAME = letter | '_' | digit | '-' …
 *
 * A backslash before a comma or a backslash makes it a part of the value. A value may be empty.
 */
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
