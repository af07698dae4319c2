/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifier.h"
#include "event/source.h"
#include "machine/pmu.h"

struct spec_word source_modifiers(const struct event_spec *spec)
{
	return spec->form == SPEC_NAME && spec->words_n > 1 ? spec->words[1] : spec->modifiers;
}

static int find_modifiers(const struct event_spec *spec, struct spec_word *word, struct why *why)
{
	*word = source_modifiers(spec);
	if (spec->form != SPEC_NAME || spec->words_n == 1)
		return 0;
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

char *source_name_on(const char *pmu, const struct event_spec *spec)
{
	const struct spec_word *word = &spec->words[0];
	const struct spec_word modifiers = source_modifiers(spec);
	char *name;

	return asprintf(&name, "%s/%.*s/%.*s", pmu, (int)word->len, word->text, (int)modifiers.len,
			modifiers.len ? modifiers.text : "") < 0 ?
		       NULL :
		       name;
}

static int spread_to(const struct machine *m, const char *pmu, const struct event *generic,
		     const struct event_spec *spec, struct event_list *out)
{
	struct event *event = event_list_add(out, generic->source, pmu);
	uint32_t type;

	if (!event || pmu_type(m, pmu, &type) < 0)
		return -ENOMEM;
	event->attr = generic->attr;
	if (generic->attr.type == PERF_TYPE_RAW)
		event->attr.type = type;
	else
		event->attr.config |= (__u64)type << SOURCE_PMU_TYPE_SHIFT;
	event->one_of_several = true;
	event->name = source_name_on(pmu, spec);
	return event->name ? 0 : -ENOMEM;
}

int source_spread(const struct machine *m, const struct event_spec *spec, struct event_list *out)
{
	cleanup_str_list struct str_list pmus = { 0 };
	struct event generic = out->events[out->n - 1];
	int err = pmu_hybrid(m, &pmus);

	if (err < 0 || pmus.n == 0)
		return err;
	out->n--;
	for (size_t i = 0; err == 0 && i < pmus.n; i++)
		err = spread_to(m, pmus.v[i], &generic, spec, out);
	event_release(&generic);
	return err;
}
