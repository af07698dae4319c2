/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decide when a comparison has enough runs: by their number, by time, or by the width of each
 * side's confidence interval. The observed difference never decides, because a rule that waits for
 * a difference eventually finds one by chance.
 */
#ifndef PSTAT_RUN_STOPPING_H
#define PSTAT_RUN_STOPPING_H

#include "result/series.h"
#include "run/runner.h"
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
	bool is_paired; /* the runs are compared in pairs, one for each round */
	size_t reference_n; /* the runs of a saved reference; 0: the reference is run, too */
	const struct math *math;
	size_t sides_n;
	/* The caller fills the fields above, the functions those below. */
	size_t verdicts_n; /* of one comparison: rows x sides without the reference; 0: one */
	size_t limits_n; /* each gate, once for each row and side that it judges */
	size_t runs_min; /* of each side, for a verdict; 0: no number is enough */
	size_t runs_min_constant; /* runs_min if all runs of each side are equal */
	struct summary *sides; /* owned: for each side, the values of the deciding event */
	size_t row; /* of the deciding event, chosen after the first round */
	const struct side *row_sides; /* row was chosen for these; NULL: not yet */
	enum stop stop; /* why the runs were enough */
};

/* The row of a struct stopping if no event can be counted: duration_time decides. No series has
 * this row, however many rows its processes add. */
#define STOPPING_BY_TIME SIZE_MAX

/* How many times the limit the runs may take if a verdict needs them. */
enum { STOPPING_PATIENCE = 6 };

/* Make room for the values of the sides. 0 or -ENOMEM. */
int stopping_init(struct stopping *s);
void stopping_release(struct stopping *s);

/* Find out how many runs the verdicts and limits of a comparison need, see contrast_runs_min().
 * The caller may correct the numbers later. */
void stopping_set_size(struct stopping *s, size_t verdicts_n, size_t limits_n);

/*
 * Whether the requested number of runs, or any number, is too small for a verdict on values that
 * vary.
 */
bool stopping_is_short(const struct stopping *s);

/*
 * Whether the time limit has passed, and the needed number of runs would take STOPPING_PATIENCE
 * times the limit. runs_n: the runs of the elapsed time.
 */
bool stopping_takes_too_long(const struct stopping *s, size_t needed, size_t runs_n,
			     uint64_t elapsed_ns);

/*
 * The value of a row in a run; the duration_time of the run if row is STOPPING_BY_TIME. False if
 * the row has no count in the run.
 */
bool stopping_value(const struct series *series, size_t row, size_t run, long double *value);

/*
 * The rounds_rule of a struct stopping. The time limit is in proportion to the number of sides in a
 * round.
 */
bool stopping_is_enough(const struct rounds_done *done, void *stopping);

/* Whether the sides have fewer runs than a verdict needs. */
bool stopping_needs_more(const struct stopping *s, const struct rounds_done *done);

#endif
