/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that the options name: the one after the options, or those that -c, -L, --side and
 * --suite make. */
#ifndef PSTAT_JOB_SIDES_H
#define PSTAT_JOB_SIDES_H

#include "base/str.h"
#include "options/options.h"
#include "run/runner.h"

struct why;

/* All zero is an empty list. */
struct sides {
	struct side *v; /* owned */
	size_t n, size;
	/* The name of each case, whose sides follow each other in v; none: there is one case. */
	struct str_list cases;
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

#endif
