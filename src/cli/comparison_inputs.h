/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sides of a comparison whose commands were run, behind the baseline if there is one, as it is made of
 * them. */
#ifndef PSTAT_CLI_COMPARISON_INPUTS_H
#define PSTAT_CLI_COMPARISON_INPUTS_H

#include "cli/counting.h"

/* All zero is none. */
struct comparison_inputs {
	struct side_input *v; /* owned */
	size_t n;
	size_t *of; /* owned: of each, 0 for the baseline and 1 for what was run now */
	size_t *order; /* owned: the side of each run, as they were run; those of the baseline came before */
	size_t order_n;
	struct str *subjects; /* owned: of each */
	struct provenance *provenances; /* owned: of each; what they hold is the job's */
};

/* Gather those of the job, which has to outlive them; turns: its sides' runs in their order. 0 or -ENOMEM. To be
 * released in any case. */
int comparison_inputs_gather(struct comparison_inputs *sides, const struct counting *job,
			     const size_t *turns, size_t turns_n);
void comparison_inputs_release(struct comparison_inputs *sides);

#endif
