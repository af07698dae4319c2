/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of commands, one after the other, and what stands around them: --setup, --pre, -S, --post,
 * --cleanup. */
#ifndef PSTAT_CLI_SERIES_H
#define PSTAT_CLI_SERIES_H

#include <stdbool.h>

#include "cli/counting.h"

/* The exit status for a failed exec with this errno: the program was not found or cannot be
 * executed. */
int series_exec_status(int err);

/*
 * Run --setup of the side, or --cleanup if --setup has run. False if the command failed or a signal
 * interrupted pstat. A failure has been reported and has set job->trouble. The caller reports an
 * interruption.
 */
bool series_setup(struct counting *job, struct side *side);
bool series_cleanup(struct counting *job, struct side *side);

/*
 * One run of the side, between --pre and --post: kept among its runs, unless job->warming_up. Whether the
 * series goes on; if not, it was told why, unless it was interrupted, and job->run_failed or job->trouble
 * is set.
 */
bool series_run(struct counting *job, struct side *side);

#endif
