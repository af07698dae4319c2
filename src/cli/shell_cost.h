/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the shell of --shell takes by itself. */
#ifndef PSTAT_CLI_SHELL_COST_H
#define PSTAT_CLI_SHELL_COST_H

#include "cli/counting.h"

/* Run the shell some times with a command that does nothing, and say how long it takes; no result is
 * corrected by it. Nothing without --shell. 0; -EINTR: pstat was interrupted, and nothing is said of it; other
 * -errno after a message. */
int shell_cost_tell(struct counting *job);

#endif
