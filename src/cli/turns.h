/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sides of a comparison take turns until their runs are enough. */
#ifndef PSTAT_CLI_TURNS_H
#define PSTAT_CLI_TURNS_H

#include "cli/counting.h"
#include "cli/stopping.h"

struct turns {
	struct counting *job;
	struct stopping stopping;
	bool in_blocks; /* run i of every side is of block i */
	size_t *order; /* owned: the side of each run that was kept, as they were run */
	size_t order_n, order_size;
	struct summary
		*sides; /* owned: of each, the values of the event that decides when to stop */
	size_t row; /* of that event; rows_n: none was counted on all sides, then the clock decides */
	bool row_known;
	bool ended_early; /* a run has failed, or pstat was interrupted */
	enum stop stop; /* why it ended, if it did not end early */
	uint64_t took_ns;
};

/* By how many limits the sides are judged: each but the reference by each gate. */
size_t turns_limits(const struct turns *t);

/* What the options say of when to stop. All that is pointed to has to outlive t. 0 or -ENOMEM. */
int turns_init(struct turns *t, struct counting *job, const struct special *special);

/* Run the sides, whose --setup has run unless they go one after the other. What goes wrong is told, and
 * is in t->job. */
void turns_take(struct turns *t);

void turns_release(struct turns *t);

#endif
