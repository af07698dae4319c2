/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One of the commands that are run, the programs that run around it, and its runs. */
#ifndef PSTAT_RUN_SIDE_H
#define PSTAT_RUN_SIDE_H

#include <stdbool.h>

#include "base/str.h"
#include "count/reading.h"

struct why;

struct side {
	char *name; /* owned: as it is shown */
	struct str_list words; /* the command, with a NULL after the last word; none: no command */
	char *path; /* owned: the file of its program; NULL: not looked for yet */
	struct str_list setup, cleanup, pre, post; /* words of these programs; none: not given */
	struct run *runs; /* owned */
	size_t runs_n, runs_size;
	bool is_set_up; /* --setup succeeded, so --cleanup has to run */
};

/*
 * Find the program of the side, unless it was found before. 0; -errno of program_find(), with why.
 */
int side_find_program(struct side *side, struct why *why);

/* Make room for one more run. 0 or -ENOMEM. */
int side_reserve_run(struct side *side);

/* Drop the last run. */
void side_drop_run(struct side *side);

void side_release(struct side *side);

#endif
