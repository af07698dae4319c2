/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that the options name: the one after the options, or those that -c and -L make. */
#ifndef PSTAT_CLI_SIDES_H
#define PSTAT_CLI_SIDES_H

#include "cli/options.h"
#include "run/runner.h"

struct why;

/* All zero is an empty list. */
struct sides {
	struct side *v; /* owned */
	size_t n, size;
	char *baseline; /* owned: the name of the saved reference; NULL: none */
};

/* More sides than this are taken for a typing error in a list of -L. */
enum { SIDES_MAX = 1000 };

/*
 * Make the sides: one without a comparison, otherwise two at least, or one if there is a saved
 * reference. baseline: how the saved reference is called unless --names renames it; NULL: there is
 * none. 0; -EINVAL with why; -ENOMEM. The caller releases sides in any case.
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
 * Refuse a list of names that is too short or too long for n sides. given: its length. one: what a
 * side is called ("command"). before: the text before n ("the baseline and ", or nothing). -EINVAL
 * with why.
 */
int sides_refuse_names(const char *list, size_t given, const char *before, size_t n,
		       const char *one, struct why *why);

#endif
