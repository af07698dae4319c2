/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decide when a comparison has enough runs: by their number, by time, or because the first rows
 * (see enum claim) are known.
 *
 * The change of a first row is known if its interval is narrow. This rule does not look at the
 * change: a rule that looks for a difference after each round finds a false one if there are enough
 * rounds. Only the sequential test may look after each round. Its difference ends the runs, too.
 */
#ifndef PSTAT_RUN_STOPPING_H
#define PSTAT_RUN_STOPPING_H

#include "result/comparison.h"
#include "result/series.h"
#include "run/runner.h"
#include "stats/contrast.h"
#include "stats/summary.h"

enum stop {
	STOP_NOT,
	STOP_RUNS, /* the requested number of runs */
	STOP_PRECISE,
	STOP_DIFFERENT, /* by the sequential test, so all tests have to be valid at any time */
	STOP_TIME,
	STOP_TOO_LONG, /* the runs for a verdict would take STOPPING_PATIENCE times the limit */
};

/* The values of a side in a first row. */
struct watched {
	struct summary values;
	/* of the rounds in which the reference has a value, too: the value less that of the
	 * reference, and the same of the logarithms, if both values are above 0 */
	struct summary differences, logs;
};

/* The rule, and the values that it has seen so far. */
struct stopping {
	size_t runs; /* of each side, with no other condition; 0: not given */
	bool forever; /* until interrupted */
	uint64_t limit_ns; /* of all sides together, after each has enough runs for a verdict */
	/* CI half-width of each side's mean, as a share; 0: if is_paired, the changes of the first
	 * rows decide; otherwise there is no condition */
	double precision;
	double confidence; /* 0 … 1 */
	bool is_paired; /* the runs are compared in pairs, one for each round */
	bool until_gates; /* the caller ends the runs when the sequential test decides the gates */
	size_t reference_n; /* the runs of a saved reference; 0: the reference is run, too */
	const struct math *math;
	size_t sides_n;
	/* The caller fills the fields above, the functions those below. */
	struct comparison_plan plan;
	size_t runs_min; /* of each side, for a verdict; 0: no number is enough */
	size_t runs_min_constant; /* runs_min if all runs of each side are equal */
	size_t runs_min_different; /* of each side, for a verdict at any time */
	struct watched *watched; /* owned: for each side the first rows, COMPARISON_FIRSTS_MAX */
	enum stop stop; /* why the runs were enough */
};

/* If a verdict needs them, the runs may take so many times the limit. */
enum { STOPPING_PATIENCE = 6 };

/* The part of the time limit before which no difference ends the runs: a tenth. */
enum { STOPPING_EARLIEST = 10 };

/* A difference ends the runs only if its p is at most the level of the comparison divided by this.
 * Other runs are judged at the whole level, and the two errors add up: the first rows of equal
 * programs have about 5 % false verdicts with 5, and more with 1 (bench/calibrate). */
enum { STOPPING_STRICTNESS = 5 };

/* Make room for the values of the sides. 0 or -ENOMEM. */
int stopping_init(struct stopping *s);
void stopping_release(struct stopping *s);

/* Find out how many runs the verdicts and limits of a comparison need, see contrast_runs_min().
 * The caller may correct the plan later; its first rows are taken until there are values. */
void stopping_set_plan(struct stopping *s, const struct comparison_plan *plan);

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
 * The value of a row in a run; the duration_time of the run if row is COMPARISON_ELAPSED. False if
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
