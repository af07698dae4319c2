/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Before a comparison: do the commands do the same work, and are they different programs? */
#ifndef PSTAT_JOB_SAME_WORK_H
#define PSTAT_JOB_SAME_WORK_H

#include <stdbool.h>
#include <stddef.h>

struct counting;
struct why;

/* The number of runs that same_work_check() makes at least: 0, or one of each side. */
size_t same_work_runs(const struct counting *counting);

/*
 * Run each side once, and print a note if a side writes other output than the reference, or has
 * another exit status; also if a side is a copy of the reference's program, with the same
 * arguments. There is no note if the output of the reference varies from run to run. *goes_on:
 * whether the rounds can begin. 0; -EINVAL with why: a difference with --same-output; -ENOMEM.
 */
int same_work_check(struct counting *counting, bool *goes_on, struct why *why);

#endif
