/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a comparison: those of the options, and those that its gates are on. */
#ifndef PSTAT_CLI_COMPARE_EVENTS_H
#define PSTAT_CLI_COMPARE_EVENTS_H

#include "cli/events.h"

/*
 * As events_of_options(), with the events of --fail-if that are not among them; what belongs to one
 * program, and names that nothing compared has, are refused. 0; -errno after a message.
 */
int compare_events(const struct options *o, const struct machine *m, struct wanted *wanted);

#endif
