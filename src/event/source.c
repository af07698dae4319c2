/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/why.h"
#include "event/modifier.h"
#include "event/source.h"

/* Where the modifiers of this event stand; an empty word for none. */
static int find_modifiers(const struct event_spec *spec, struct spec_word *word, struct why *why)
{
	*word = spec->modifiers;
	if (spec->form != SPEC_NAME || spec->words_n == 1)
		return 0;
	*word = spec->words[1];
	if (word->len == 0)
		return why_at(why, -EINVAL, word->at, "modifiers are missing behind ':'");
	if (spec->words_n > 2)
		return why_at(why, -EINVAL, spec->words[2].at, "nothing may follow the modifiers");
	return 0;
}

int source_apply_modifiers(const struct event_spec *spec, struct event_list *out, size_t first,
			   struct why *why)
{
	struct modifiers modifiers;
	struct spec_word word;
	int err = find_modifiers(spec, &word, why);

	if (err == 0)
		err = modifiers_parse(&word, &modifiers, why);
	if (err < 0)
		return err;
	for (size_t i = first; i < out->n; i++) {
		out->events[i].has_modifiers = word.len > 0 && !out->events[i].name;
		modifiers_apply(&modifiers, &out->events[i]);
	}
	return 0;
}
