/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of commands, one after the other, and what stands around them: --setup, --pre, -S, --post,
 * --cleanup. */
#ifndef PSTAT_CLI_SERIES_H
#define PSTAT_CLI_SERIES_H

#include <stdbool.h>

#include "cli/counting.h"

/* Whether the command of an exec that failed was not found, not executable, or pstat at its limits: the
 * status to end with. */
int series_exec_status(int err);

/* Run --setup of the side, or --cleanup where --setup has run. Whether it went well; if not, it was told,
 * and is job->trouble. Of a comparison that was interrupted during --setup, which may have gone well, false, and
 * nothing is said of the interruption. */
bool series_setup(struct counting *job, struct side *side);
bool series_cleanup(struct counting *job, struct side *side);

/*
 * One run of the side, between --pre and --post: kept among its runs, unless job->warming_up. Whether the
 * series goes on; if not, it was told why, unless it was interrupted, and job->run_failed or job->trouble
 * is set.
 */
bool series_run(struct counting *job, struct side *side);

#endif
