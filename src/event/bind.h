/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of an event can only be known with the command that is counted: where its symbols are. */
#ifndef PSTAT_EVENT_BIND_H
#define PSTAT_EVENT_BIND_H

#include "event/event.h"

struct why;

/*
 * Give each breakpoint that names a symbol the address of that symbol in program, a path. Of a
 * position-independent program it is the address as linked, and event->relocated is set: where the
 * program runs is known only after its exec. 0; -errno with why.
 */
int event_bind(struct event_list *list, const char *program, struct why *why);

#endif
