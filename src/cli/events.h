/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the options to the events they ask for. */
#ifndef PSTAT_CLI_EVENTS_H
#define PSTAT_CLI_EVENTS_H

#include "cli/options.h"
#include "event/event.h"
#include "event/resolve.h"
#include "machine/machine.h"

/*
 * The events of -e, or the default ones, and those of -d, with --all-user and --all-kernel applied;
 * list is the caller's to release in any case. 0; -errno after a message.
 */
int events_of_options(const struct options *o, const struct machine *m, struct event_list *list);

/* Narrow the events to --all-user or --all-kernel, where one was given. */
void events_choose_modes(const struct options *o, struct event_list *list);

/* Append what text asks for; option is where it stood, for the message. 0; -errno after a message. */
int events_add(const struct machine *m, enum resolve_by by, const char *option, const char *text,
	       struct event_list *list);

#endif
