/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event modifiers: the letters after the last ':' of an event or a group, with the same meaning as
 * in perf (tools/perf/Documentation/perf-list.txt, "EVENT MODIFIERS").
 */
#ifndef PSTAT_EVENT_MODIFIER_H
#define PSTAT_EVENT_MODIFIER_H

#include <stdbool.h>

#include "event/event.h"
#include "event/spec.h"

struct modifiers {
	bool user, kernel, hypervisor; /* if one is named, the others are excluded */
	bool guest, host;
	bool exclude_idle;
	unsigned int precise; /* attr.precise_ip, 0 … 3 */
	bool precise_max; /* P: accepted without effect, because only samples have skid */
	bool sample_read; /* S: accepted without effect, because it is for sampling */
	bool pinned, exclusive, weak;
};

/* Parse a word of letters. 0; -EINVAL with why and the position. */
int modifiers_parse(const struct spec_word *word, struct modifiers *out, struct why *why);

/* Whether the word has only modifier letters, so that it may be modifiers. */
bool modifiers_possible(const struct spec_word *word);

/*
 * Apply modifiers to an event. Those of a group are applied after, and in addition to, those of the
 * event. Tool events have no modes and do not change.
 */
void modifiers_apply(const struct modifiers *modifiers, struct event *event);

/* The modifiers of an event, in any form. The word is empty if there are none. */
struct spec_word modifiers_of_spec(const struct event_spec *spec);

/*
 * For sources whose names contain no ':': apply the modifiers of the name to the events of out from
 * first on. 0; -EINVAL with why and the position of the wrong letter.
 */
int modifiers_apply_spec(const struct event_spec *spec, struct event_list *out, size_t first,
			 struct why *why);

#endif
