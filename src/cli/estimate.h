/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much the sides of a comparison differ so far, while they run. */
#ifndef PSTAT_CLI_ESTIMATE_H
#define PSTAT_CLI_ESTIMATE_H

#include "cli/counting.h"
#include "run/stopping.h"

/*
 * For the progress line, append the deciding event, and how far each side has changed from the
 * reference, with the CI: "; cs +1.3 % [+0.2, +2.4]". Nothing before each side has two runs. The
 * time is proportional to the number of runs, so this is not for every run.
 */
void estimate_add(struct str *out, const struct counting *job, const struct stopping *stopping);

#endif
