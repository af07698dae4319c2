/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When there were runs enough: by their number, by the time, or by the width of each side's interval,
 * and never by whether a difference was seen, which would find one sooner or later.
 */
#ifndef PSTAT_CLI_STOPPING_H
#define PSTAT_CLI_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/math.h"
#include "stats/summary.h"

struct stopping {
	size_t runs; /* of each side, whatever they come to; 0: not said */
	bool forever; /* until interrupted */
	uint64_t limit_ns; /* then it is enough */
	double precision; /* of a side's mean, half its interval as a share; 0: not looked at */
	double confidence; /* 0 … 1 */
	size_t runs_min; /* of each side, for a verdict; 0: no number is enough */
	size_t runs_min_constant; /* where all runs of all sides are equal */
	const struct math *math;
};

enum stop {
	STOP_NOT,
	STOP_RUNS, /* so many were asked for */
	STOP_PRECISE,
	STOP_TIME,
	STOP_TOO_LONG, /* the runs for a verdict would take many times the limit */
};

/* How many times the limit may be taken for the sake of a verdict. */
enum { STOPPING_PATIENCE = 6 };

/* Fill in how many runs a verdict needs, see contrast_runs_min(). */
void stopping_need(struct stopping *s, bool paired, size_t reference_n, size_t limits_n);

/* Whether the runs that were asked for, or any, are too few for a verdict on what varies. */
bool stopping_is_short(const struct stopping *s);

/*
 * Whether runs_n runs of each of n sides, whose values of the event that decides are summed up in sides,
 * are enough; they have taken elapsed_ns. In -r's case only their number counts.
 */
enum stop stopping_decide(const struct stopping *s, const struct summary *sides, size_t n,
			  size_t runs_n, uint64_t elapsed_ns);

#endif
