/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a comparison: those of the options or the baseline, and those that its gates are on. */
#ifndef PSTAT_CLI_COMPARE_EVENTS_H
#define PSTAT_CLI_COMPARE_EVENTS_H

#include "cli/baseline.h"
#include "cli/events.h"

/*
 * As events_of_options(), or if they leave it to the baseline, its events; with those of --fail-if that are not
 * among them. What belongs to one program, and names that nothing compared has, or not the baseline, are
 * refused. baseline: NULL for none. 0; -errno after a message.
 */
int compare_events(const struct options *o, const struct machine *m,
		   const struct baseline *baseline, struct wanted *wanted);

#endif
