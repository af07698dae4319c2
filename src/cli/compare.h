/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the jobs that compare have in common. */
#ifndef PSTAT_CLI_COMPARE_H
#define PSTAT_CLI_COMPARE_H

#include "cli/print.h"
#include "cli/saving.h"

/*
 * Print how the machine or the conditions of each side differ from those of the reference. of: for
 * each side, a number of its measurement; sides of one measurement do not differ. 0 or -ENOMEM.
 */
int compare_print_differences(const struct options *o, const struct comparison *c,
			      const size_t *of);

/*
 * Write the comparison (unless --quiet), its document and its page, even if one of them fails. 0;
 * -errno with why: the comparison was not written. Other failures are in saving->err, after a
 * message.
 */
int compare_write(struct printing *printing, struct saving *saving, const struct comparison *c,
		  struct why *why);

/* The exit status: pstat's own if a file was lost, otherwise that of all gates together. */
int compare_status(const struct saving *saving, enum gate_outcome outcome);

#endif
