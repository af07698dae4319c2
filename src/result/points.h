/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result as a list of named numbers, for programs that track results over time: its rows, the
 * metrics of -M, and what pstat itself measures of each command.
 */
#ifndef PSTAT_RESULT_POINTS_H
#define PSTAT_RESULT_POINTS_H

#include "result/result.h"

struct str;

struct point {
	const char *name; /* of an event, a metric, or one of pstat's own measurements */
	const char *unit; /* "" for a plain number */
	const struct place *place; /* NULL: the whole target */
	const char *cgroup; /* NULL: none */
	size_t copy; /* how many earlier points have the same name, place and cgroup */
	bool known; /* there is a value; otherwise ignore the other members below */
	bool scaled; /* the value is an estimate */
	size_t runs_n; /* the runs that counted it */
	long double value; /* the mean of the runs */
	double error; /* its standard error over the runs; 0 for one run */
	/* The 95 % interval: over the runs, or around the estimate of one run. Unknown for one
	 * exact run. */
	struct series_bounds bounds;
};

/* The names and units belong to the result. */
struct points {
	struct point *v; /* owned */
	size_t n, size;
};

/*
 * List all points, also those without a value, so that results of the same command and options have
 * the same list. 0 or -ENOMEM. The caller releases points in any case.
 */
int points_of(struct points *points, const struct result *result);
void points_release(struct points *points);

/* Append the name with the place, the cgroup and, for a copy, its number: "cs CPU0 web #2". */
void point_add_name(struct str *out, const struct point *point);

#endif
