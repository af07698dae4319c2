/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user may add to any event. Modifiers are the letters after the last ':' of an event or a
 * group, and terms are "name[=value]" between the slashes. They mean the same as in perf
 * (tools/perf/Documentation/perf-list.txt, "EVENT MODIFIERS").
 */
#ifndef PSTAT_EVENT_MODIFIERS_H
#define PSTAT_EVENT_MODIFIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/spec.h"

struct modifiers {
	bool user, kernel, hypervisor; /* if the user names one, the others are excluded */
	bool guest, host;
	bool exclude_idle;
	unsigned int precise; /* attr.precise_ip, 0 … 3 */
	bool precise_max; /* P: accepted without effect, because only samples have skid */
	bool sample_read; /* S: accepted without effect, because it is for sampling */
	bool pinned, exclusive, weak;
	bool bpf; /* b: accepted without effect; pstat has no BPF programs */
};

/* Parse a word of letters. 0; -EINVAL with why and the position. */
int modifiers_parse(const struct spec_word *word, struct modifiers *out, struct why *why);

/* Whether the word consists of modifier letters only. It may still be another name. */
bool modifiers_possible(const struct spec_word *word);

/*
 * Apply modifiers to an event. The modifiers of a group are applied after those of the event, and
 * add to them. Tool events have no modes and do not change.
 */
void modifiers_apply(const struct modifiers *modifiers, struct event *event);

/* The modifiers of an event, in any form. The word is empty if there are none. */
struct spec_word modifiers_of_spec(const struct event_spec *spec);

/*
 * For sources whose names contain no ':'. Apply the modifiers of the name to the events of out from
 * first on. 0; -EINVAL with why and the position of the wrong letter.
 */
int modifiers_apply_spec(const struct event_spec *spec, struct event_list *out, size_t first,
			 struct why *why);

/*
 * Explain that modes do not apply to an event whose PMU counts whole CPUs or packages. at is the
 * position of the modifiers. -EINVAL with why.
 */
int modifiers_refuse_modes(const struct event *event, size_t at, struct why *why);

/* The number of a term, 1 without "=value". 0; -EINVAL or -ERANGE with why. */
int term_number(const struct spec_term *term, uint64_t *value, struct why *why);

/*
 * Apply a term that events of every PMU have: name=, config=, config1= and so on, rHEX, period=,
 * freq=, percore or metric-id=. 0; -ENOENT: it is another term; another -errno with why.
 */
int term_apply(const struct spec_term *term, struct event *event, struct why *why);

#endif
