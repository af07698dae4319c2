/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Before a comparison: do the commands do the same work, and are they different programs? */
#ifndef PSTAT_JOB_SAME_WORK_H
#define PSTAT_JOB_SAME_WORK_H

#include <stdbool.h>
#include <stddef.h>

struct counting;
struct str_list;
struct why;

/* The number of runs that same_work_check() makes at least: 0, or one of each side. */
size_t same_work_runs(const struct counting *counting);

/*
 * Run each side once, and add a sentence to `differences` if a side writes other output than the
 * reference, or has another exit status; print it, too, unless the format shows it with the result.
 * Print a note if a side executes the program of the reference by another path, with the same
 * arguments. What varies from run to run is not compared. *goes_on: whether the rounds can begin.
 * 0; -EINVAL with why: a difference, or output that varies, with --same-output; -ENOMEM.
 */
int same_work_check(struct counting *counting, struct str_list *differences, bool *goes_on,
		    struct why *why);

#endif
