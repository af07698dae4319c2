/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of --per-process. A series has a place for each program that a process executed, or, if
 * it has several runs, for each name of a program. For people and tables, these places are added up
 * by process, by name or as a tree.
 */
#ifndef PSTAT_RESULT_PROCESS_ROWS_H
#define PSTAT_RESULT_PROCESS_ROWS_H

#include "result/series.h"

struct why;

struct process_view {
	enum process_by {
		PROCESS_BY_AUTO, /* by process if there are few of them, otherwise by name */
		PROCESS_BY_PROCESS,
		PROCESS_BY_EXEC, /* each program of a process */
		PROCESS_BY_NAME, /* of the program */
		PROCESS_BY_TREE, /* each process: its counts, and the sum with its descendants */
	} by;
	/* PROCESS_BY_NAME, with the places that a series of several runs has: the sum of all, then
	 * the names in the order in which they began. top and sort are not used. */
	bool as_runs;
	/* Show this number of rows, and the sum of the others; 0: all. In a tree, the rows with the
	 * largest sums: a process without a child among them includes its descendants. */
	unsigned int top;
	/* The name of an event, or PROCESS_SORT_ELAPSED. NULL: the first event; a tree keeps the
	 * order in which its processes were created, unless there is a top. */
	const char *sort;
};

#define PROCESS_SORT_ELAPSED "elapsed"

/* PROCESS_BY_AUTO shows at most this number of processes. */
enum { PROCESS_ROWS_FEW = 20 };

/* A series with other places, and what it owns. All zero is valid for process_rows_release(). */
struct process_rows {
	struct series series; /* refers to the original series, which has to outlive it */
	struct place *places;
	struct row *rows;
	/* The event that takes the place of the one in view->sort, which was refused; NULL: none */
	const char *sorted_by;
};

/* The number of processes; 0: the places of the series are not processes. */
size_t process_rows_count(const struct series *series);

/* Whether each place of the series is the sum of all programs with one name. */
bool process_rows_are_names(const struct series *series);

/* Before the runs: 0; -EINVAL with why: view->sort is unknown; -ENOMEM. */
int process_view_check(const struct process_view *view, const struct event_list *events,
		       struct why *why);

/*
 * Add up the places of the series, which are processes. view->by is not PROCESS_BY_AUTO. 0; -EINVAL
 * with why: as for process_view_check(), or the series only has sums by name, which have no times;
 * -ENOMEM.
 */
int process_rows_build(struct process_rows *p, const struct series *series,
		       const struct process_view *view, struct why *why);

void process_rows_release(struct process_rows *p);

#endif
