/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the argument of -e to events: parse the text, then look up each name in the sources. */
#ifndef PSTAT_EVENT_RESOLVE_H
#define PSTAT_EVENT_RESOLVE_H

#include "event/event.h"
#include "event/source.h"
#include "machine/machine.h"

struct str;
struct why;

enum resolve_by {
	RESOLVE_BY_ALL, /* all sources, in order */
	RESOLVE_BY_PFM, /* only libpfm4 */
};

/*
 * Append the events and groups of text to list. 0; -errno with why and the position in text if an
 * event is wrong or unknown. list may then hold the events before it; the caller still releases it.
 */
int resolve_events(const struct machine *m, enum resolve_by by, const char *text,
		   struct event_list *list, struct why *why);

/*
 * Append what an event of a saved result means on this machine, with its modes and its filter, but
 * without a group. It is found by its name; if name= gave it a name that is unknown here, by its
 * encoding. 0; -errno with why.
 */
int resolve_again(const struct machine *m, const struct event *then, struct event_list *list,
		  struct why *why);

/*
 * Append groups like this one for the events from first on: one, or one for each PMU if a name
 * stands for events of several PMUs. 0 or -ENOMEM.
 */
int resolve_group_again(struct event_list *list, size_t first, const struct event_group *like);

/* Visit the events that all sources list. 0, or the result of a visit that ended the listing. */
int resolve_list(const struct event_listing *l);

/*
 * Append what the event means, in one phrase, in the words of its source. Nothing if that is
 * unknown. 0 or -errno.
 */
int resolve_meaning(const struct machine *m, const struct event *event, struct str *out);

#endif
