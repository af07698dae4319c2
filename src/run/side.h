/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One of the commands that are run, the programs that run around it, and its series of runs. */
#ifndef PSTAT_RUN_SIDE_H
#define PSTAT_RUN_SIDE_H

#include <stdbool.h>

#include "base/str.h"
#include "result/provenance.h"
#include "result/series.h"

struct why;

struct side {
	char *name; /* owned: the name that is shown */
	struct str_list words; /* the command, with a NULL after the last word; none: no command */
	char *path; /* owned: the path of its program; NULL: not searched yet */
	struct str_list setup, cleanup, pre, post; /* words of these programs; none: not given */
	struct provenance provenance; /* of the series; its strings are not owned */
	struct series series; /* the caller fills the settings, the runner adds the runs */
	bool is_set_up; /* --setup succeeded, so --cleanup has to run */
};

/*
 * Find the program of the side, unless it was found before. 0; -errno of program_find(), with why.
 */
int side_find_program(struct side *side, struct why *why);

void side_release(struct side *side);

#endif
