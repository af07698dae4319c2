/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the text behind -e to events: the grammar, then the sources in their order. */
#ifndef PSTAT_EVENT_RESOLVE_H
#define PSTAT_EVENT_RESOLVE_H

#include "event/event.h"
#include "event/source.h"
#include "machine/machine.h"

struct why;

enum resolve_by {
	RESOLVE_BY_ALL, /* sources in their order */
	RESOLVE_BY_PFM, /* libpfm4 alone */
};

/*
 * Append the events and groups of text to list. 0; -errno, with why and the position in text, when one
 * of them is wrong or unknown; list may then hold those before it, and is still to be released.
 */
int resolve_events(const struct machine *m, enum resolve_by by, const char *text,
		   struct event_list *list, struct why *why);

/* Visit the events of all sources, see struct event_source. 0, or what the visit returned. */
int resolve_list(const struct machine *m, enum list_scope scope, event_visit *visit, void *data,
		 struct why *why);

#endif
