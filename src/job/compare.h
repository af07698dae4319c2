/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Show a comparison: the estimate so far while the commands run, and the finished comparison. */
#ifndef PSTAT_JOB_COMPARE_H
#define PSTAT_JOB_COMPARE_H

#include "job/counting.h"
#include "result/suite.h"
#include "run/stopping.h"

/*
 * For the progress line, append the first measure, and how far each side has changed from the
 * reference, with the CI: "; cs +1.3 % [+0.2, +2.4]". Append nothing until each side has two runs.
 * This takes time in proportion to the number of runs: do not call it after every run.
 */
void compare_add_estimate(struct str *out, const struct counting *counting,
			  const struct stopping *stopping);

/*
 * Print how the machine or the conditions of each side differ from those of the reference. of: for
 * each side, the number of its measurement. Sides of the same measurement are not compared here. 0
 * or -ENOMEM.
 */
int compare_print_differences(const struct options *o, const struct comparison *c,
			      const size_t *of);

/*
 * Write the comparison, its document and its page, and end the text. Print the crossed and unclear
 * gates on standard error, with --bisect also the kept ones, unless the comparison is written
 * there. 0 or -ENOMEM; out->status has other failures, after a message.
 */
int compare_write(struct outputs *out, const struct suite *suite);

/* The exit status of all gates together. */
int compare_status(enum gate_outcome outcome);

#endif
