/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event modifiers, the letters behind the last ':' of an event or a group, with perf's meaning
 * (tools/perf/Documentation/perf-list.txt, "EVENT MODIFIERS"). */
#ifndef PSTAT_EVENT_MODIFIER_H
#define PSTAT_EVENT_MODIFIER_H

#include <stdbool.h>

#include "event/event.h"
#include "event/spec.h"

struct modifiers {
	bool user, kernel, hypervisor; /* naming any of them excludes the others */
	bool guest, host;
	bool exclude_idle;
	unsigned int precise; /* 0 … 3: attr.precise_ip */
	bool precise_max; /* P: for sampling; a count has no skid, accepted and without effect */
	bool sample_read; /* S: for sampling; accepted and without effect */
	bool pinned, exclusive, weak;
};

/* Read a word of letters. 0; -EINVAL with why and the position. */
int modifiers_parse(const struct spec_word *word, struct modifiers *out, struct why *why);

/* Whether every letter of the word is a modifier: it may be read as modifiers. */
bool modifiers_possible(const struct spec_word *word);

/*
 * Apply them to an event; a group's come after the event's own and add to them. A tool event has no
 * modes: nothing happens to it.
 */
void modifiers_apply(const struct modifiers *modifiers, struct event *event);

/* The modifiers of a name, or of a form that has a place for them; an empty word if there are none. */
struct spec_word modifiers_of_spec(const struct event_spec *spec);

/*
 * For sources whose names hold no ':': apply the modifiers of the name to the events of out from
 * first on. 0; -EINVAL with why and the position of the wrong letter.
 */
int modifiers_apply_spec(const struct event_spec *spec, struct event_list *out, size_t first,
			 struct why *why);

#endif
