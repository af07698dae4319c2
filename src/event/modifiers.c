/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
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

/* ---- Terms. */

int term_number(const struct spec_term *term, uint64_t *value, struct why *why)
{
	int err;

	*value = 1;
	if (!term->has_value)
		return 0;
	err = num_parse(term->value.text, term->value.len, value);
	if (err < 0)
		return why_at(why, err, term->value.at,
			      err == -ERANGE ? "'%.*s' for '%.*s' does not fit in 64 bits" :
					       "'%.*s' for '%.*s' is not a number",
			      (int)term->value.len, term->value.text, (int)term->name.len,
			      term->name.text);
	return 0;
}

/* config=, config1=, … set a whole word; rHEX sets config. */
static int modifiers_apply_config(const struct spec_term *term, struct event *event,
				  struct why *why)
{
	const struct attr_field *field = attr_fields_next(NULL, ATTR_CONFIG);
	uint64_t value;
	int err;

	if (spec_word_is_raw(&term->name) && !term->has_value) {
		if (num_parse_hex(term->name.text + 1, term->name.len - 1, &value) < 0)
			return -ENOENT;
		field->set(event, value);
		return 0;
	}
	while (field && !spec_word_is(&term->name, field->name))
		field = attr_fields_next(field, ATTR_CONFIG);
	if (!field)
		return -ENOENT;
	err = term_number(term, &value, why);
	if (err == 0)
		field->set(event, value);
	return err;
}

/* Terms of perf that do not concern counting. As in perf stat, only some of them are accepted. */
static int modifiers_apply_idle(const struct spec_term *term, struct event *event, struct why *why)
{
	static const struct {
		const char *name;
		enum { NUMBER, TEXT, REFUSED } value;
	} names[] = {
		{ "period", NUMBER },  { "freq", NUMBER },	  { "percore", NUMBER },
		{ "metric-id", TEXT }, { "call-graph", REFUSED }, { "stack-size", REFUSED },
	};
	uint64_t ignored;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!spec_word_is(&term->name, names[i].name))
			continue;
		if (names[i].value == REFUSED)
			return why_at(why, -EINVAL, term->name.at,
				      "'%s' is for sampling; pstat only counts", names[i].name);
		event->has_ignored_terms = true;
		if (names[i].value == NUMBER)
			return term_number(term, &ignored, why);
		return term->has_value ? 0 : -ENOENT;
	}
	return -ENOENT;
}

int term_apply(const struct spec_term *term, struct event *event, struct why *why)
{
	int err;

	if (spec_word_is(&term->name, "name") && term->has_value) {
		free(event->name);
		event->name = strndup(term->value.text, term->value.len);
		return event->name ? 0 : -ENOMEM;
	}
	err = modifiers_apply_config(term, event, why);
	return err == -ENOENT ? modifiers_apply_idle(term, event, why) : err;
}
