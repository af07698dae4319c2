/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the runs so far say of the first event: for the line of progress. */
#ifndef PSTAT_CLI_ESTIMATE_H
#define PSTAT_CLI_ESTIMATE_H

#include "cli/turns.h"

/*
 * Append the event that decides when there were runs enough, and each side's change from the reference with
 * its interval: "; cs +1.3 % [+0.2, +2.4]". Nothing before there are two runs of each. It takes a
 * time proportional to the runs: not for every one of them.
 */
void estimate_add(struct str *out, const struct turns *t);

#endif
