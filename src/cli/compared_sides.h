/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sides of a comparison whose commands were run, as it is made of them. */
#ifndef PSTAT_CLI_COMPARED_SIDES_H
#define PSTAT_CLI_COMPARED_SIDES_H

#include "cli/counting.h"

/* All zero is none. */
struct compared_sides {
	struct side_input *v; /* owned */
	size_t n;
	struct str *subjects; /* owned: of each */
	struct provenance *provenances; /* owned: of each; what they hold is the job's */
};

/* Gather those of the job, which has to outlive them. 0 or -ENOMEM. To be released in any case. */
int compared_sides_gather(struct compared_sides *sides, const struct counting *job);
void compared_sides_release(struct compared_sides *sides);

#endif
