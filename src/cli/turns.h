/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sides of a comparison take turns until their runs are enough. */
#ifndef PSTAT_CLI_TURNS_H
#define PSTAT_CLI_TURNS_H

#include "cli/counting.h"
#include "cli/stopping.h"

struct turns {
	struct counting *job;
	struct stopping stopping;
	bool in_rounds; /* run i of every side is of round i */
	size_t *order; /* owned: the side of each run that was kept, as they were run */
	size_t order_n, order_size;
	struct summary
		*sides; /* owned: of each, the values of the event that decides when to stop */
	/* The row of that event. rows_n if no event was counted on all sides: the clock then
	 * decides. */
	size_t row;
	bool row_known;
	bool ended_early; /* a run has failed, or pstat was interrupted */
	enum stop stop; /* why it ended, if it did not end early */
	uint64_t took_ns;
};

/* By how many limits the sides are judged: each but the reference by each gate. */
size_t turns_limits(const struct turns *t);

/* What the options say of when to stop. All that is pointed to has to outlive t. 0 or -ENOMEM. */
int turns_init(struct turns *t, struct counting *job, const struct math *math);

/* The runs of a side, with the settings that also decide their values in the result. Points into
 * the job. */
struct series turns_series(const struct turns *t, size_t side);

/* Add the value of the last run of each of n sides, beginning with first, to t->sides. The stopping
 * rule uses these values. The first call chooses t->row. */
void turns_add_values(struct turns *t, size_t first, size_t n);

/* Run the sides, whose --setup has run unless they go one after the other. What goes wrong is told, and
 * is in t->job. */
void turns_take(struct turns *t);

void turns_release(struct turns *t);

#endif
