/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user sees of the runs while they run: messages, notes and the progress line. */
#ifndef PSTAT_CLI_OBSERVER_H
#define PSTAT_CLI_OBSERVER_H

#include "cli/counting.h"

/* The observer for job->runner. It has no hook for intervals. */
struct run_observer observer_of(struct counting *job);

#endif
