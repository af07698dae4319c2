/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/attr_fields.h"
#include "event/modifiers.h"

bool modifiers_possible(const struct spec_word *word)
{
	for (size_t i = 0; i < word->len; i++)
		if (!strchr("ukhGHIpPSDeWb", word->text[i]))
			return false;
	return word->len > 0;
}

static int modifiers_add_letter(struct modifiers *m, const struct spec_word *word, size_t i,
				struct why *why)
{
	const struct {
		char letter;
		bool *flag;
	} flags[] = {
		{ 'u', &m->user },	  { 'k', &m->kernel },	    { 'h', &m->hypervisor },
		{ 'G', &m->guest },	  { 'H', &m->host },	    { 'I', &m->exclude_idle },
		{ 'P', &m->precise_max }, { 'S', &m->sample_read }, { 'D', &m->pinned },
		{ 'e', &m->exclusive },	  { 'W', &m->weak },	    { 'b', &m->bpf },
	};
	char letter = word->text[i];

	if (letter == 'p') {
		if (m->precise > 0 && word->text[i - 1] != 'p')
			return why_at(why, -EINVAL, word->at + i, "modifier 'p' is given twice");
		if (++m->precise > 3)
			return why_at(why, -EINVAL, word->at + i,
				      "modifier 'p' may be given at most three times");
		return 0;
	}
	if (letter == ':')
		return why_at(why, -EINVAL, word->at + i + 1, "nothing may follow the modifiers");
	for (size_t j = 0; j < sizeof(flags) / sizeof(flags[0]); j++) {
		if (letter != flags[j].letter)
			continue;
		if (*flags[j].flag)
			return why_at(why, -EINVAL, word->at + i, "modifier '%c' is given twice",
				      letter);
		*flags[j].flag = true;
		return 0;
	}
	return why_at(why, -EINVAL, word->at + i,
		      "unknown modifier '%c'; choose from u k h G H I p P S D e W b", letter);
}

int modifiers_parse(const struct spec_word *word, struct modifiers *out, struct why *why)
{
	*out = (struct modifiers){ 0 };
	for (size_t i = 0; i < word->len; i++) {
		int err = modifiers_add_letter(out, word, i, why);

		if (err < 0)
			return err;
	}
	if (out->precise > 0 && out->precise_max)
		return why_at(why, -EINVAL, word->at, "modifiers 'p' and 'P' cannot be combined");
	return 0;
}

void modifiers_apply(const struct modifiers *m, struct event *event)
{
	struct perf_event_attr *attr = &event->attr;

	if (event->tool != TOOL_NONE)
		return;
	if (m->user || m->kernel || m->hypervisor) {
		if (!event->modes_chosen)
			attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
		event->modes_chosen = true;
	}
	if (m->user)
		attr->exclude_user = 0;
	if (m->kernel)
		attr->exclude_kernel = 0;
	if (m->hypervisor)
		attr->exclude_hv = 0;
	if (m->guest || m->host) {
		attr->exclude_guest = !m->guest;
		attr->exclude_host = !m->host;
	}
	if (m->exclude_idle)
		attr->exclude_idle = 1;
	if (m->precise)
		attr->precise_ip = m->precise & 3;
	if (m->pinned)
		attr->pinned = 1;
	if (m->exclusive)
		attr->exclusive = 1;
	if (m->weak)
		event->weak = true;
}

struct spec_word modifiers_of_spec(const struct event_spec *spec)
{
	return spec->form == SPEC_NAME && spec->words_n > 1 ? spec->words[1] : spec->modifiers;
}

int modifiers_apply_spec(const struct event_spec *spec, struct event_list *out, size_t first,
			 struct why *why)
{
	const struct spec_word word = modifiers_of_spec(spec);
	bool after_name = spec->form == SPEC_NAME && spec->words_n > 1;
	struct modifiers modifiers;
	int err;

	if (after_name && word.len == 0)
		return why_at(why, -EINVAL, word.at, "modifiers are missing after ':'");
	if (after_name && spec->words_n > 2)
		return why_at(why, -EINVAL, spec->words[2].at, "nothing may follow the modifiers");
	err = modifiers_parse(&word, &modifiers, why);
	if (err < 0)
		return err;
	for (size_t i = first; i < out->n; i++) {
		out->events[i].has_modifiers = word.len > 0 && !out->events[i].name;
		modifiers_apply(&modifiers, &out->events[i]);
	}
	return 0;
}

int modifiers_refuse_modes(const struct event *event, size_t at, struct why *why)
{
	return why_at(why, -EINVAL, at,
		      "PMU %s counts whole CPUs or packages; modifiers u, k and h do not apply",
		      event->pmu);
}
