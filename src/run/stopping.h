/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decide when a comparison has enough runs: by their number, by time, or by the width of each
 * side's confidence interval. The observed difference never decides, because a rule that waits for
 * a difference eventually finds one by chance.
 */
#ifndef PSTAT_RUN_STOPPING_H
#define PSTAT_RUN_STOPPING_H

#include "result/series.h"
#include "run/rounds.h"
#include "stats/contrast.h"
#include "stats/summary.h"

enum stop {
	STOP_NOT,
	STOP_RUNS, /* the requested number of runs */
	STOP_PRECISE,
	STOP_TIME,
	STOP_TOO_LONG, /* the runs for a verdict would take STOPPING_PATIENCE times the limit */
};

/* The rule, and the values that it has seen so far. */
struct stopping {
	size_t runs; /* of each side, with no other condition; 0: not given */
	bool forever; /* until interrupted */
	uint64_t limit_ns; /* of all sides together, after each has enough runs for a verdict */
	double precision; /* CI half-width of each side's mean, as a share; 0: no condition */
	double confidence; /* 0 … 1 */
	size_t runs_min; /* of each side, for a verdict; 0: no number is enough */
	size_t runs_min_constant; /* runs_min if all runs of each side are equal */
	const struct math *math;
	struct summary *sides; /* owned: for each side, the values of the deciding event */
	size_t sides_n;
	/* The row of the deciding event; rows_n if no event was counted on all sides: then
	 * duration_time decides. */
	size_t row;
	bool row_known;
	enum stop stop; /* why the runs were enough */
};

/* How many times the limit the runs may take if a verdict needs them. */
enum { STOPPING_PATIENCE = 6 };

/* Make room for the values of sides_n sides. 0 or -ENOMEM. */
int stopping_init(struct stopping *s, size_t sides_n);
void stopping_release(struct stopping *s);

/* Fill in the number of runs that a verdict needs, see contrast_runs_min(). */
void stopping_need(struct stopping *s, bool paired, size_t reference_n, size_t limits_n);

/*
 * Whether the requested number of runs, or any number, is too small for a verdict on values that
 * vary.
 */
bool stopping_is_short(const struct stopping *s);

/*
 * The value of a row in a run; if row is rows_n, the duration_time of the run. False if the row has
 * no count in the run.
 */
bool stopping_value(const struct series *series, size_t row, size_t run, long double *value);

/*
 * Add the values of the last run of n sides to s->sides. sides: all sides; first: the index of the
 * first of the n sides. The first call chooses s->row: the first event that all n sides have
 * counted.
 */
void stopping_add_values(struct stopping *s, const struct side *sides, size_t first, size_t n);

/*
 * The rounds_rule of a struct stopping. The time limit is in proportion to the number of sides in a
 * round.
 */
bool stopping_is_enough(const struct rounds_done *done, void *stopping);

/*
 * Decide after runs_n runs of each of n sides. elapsed_ns: the time of these runs. sides: the
 * values of the deciding event.
 */
enum stop stopping_decide(const struct stopping *s, const struct summary *sides, size_t n,
			  size_t runs_n, uint64_t elapsed_ns);

#endif
