/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that are run: the one behind the options, or those that -c and -L make; and their runs. */
#ifndef PSTAT_CLI_SIDES_H
#define PSTAT_CLI_SIDES_H

#include "base/str.h"
#include "cli/options.h"
#include "count/reading.h"

struct why;

struct side {
	char *name; /* owned: as it is shown */
	struct str_list
		words; /* of the command, ending in a NULL that is not counted; none: no command */
	char *path; /* owned: its program; NULL: not looked for yet */
	struct str_list setup, cleanup, pre, post; /* words; none: not asked for */
	struct run *runs; /* owned */
	size_t runs_n, runs_size;
	bool is_set_up; /* --setup has gone well: --cleanup is due */
};

/* All zero is none. */
struct sides {
	struct side *v; /* owned */
	size_t n, size;
	char *baseline; /* owned: how the saved reference of all of them is called; NULL: the first is it */
};

/* More would be a typing error in a list of -L. */
enum { SIDES_MAX = 1000 };

/* The sides that the options ask for: one at least; of a comparison, two, unless there is a saved reference, which
 * is called baseline if the options do not say otherwise; NULL: there is none. 0; -EINVAL with why; -ENOMEM. */
int sides_of_options(struct sides *sides, const struct options *o, const char *baseline,
		     struct why *why);

/* Look for the side's program, once. 0; -errno of program_find(), with why. */
int side_find_program(struct side *side, struct why *why);

/* Drop the last run. */
void side_drop_run(struct side *side);

void sides_release(struct sides *sides);

#endif
