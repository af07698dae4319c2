/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "event/attr_fields.h"
#include "event/terms.h"

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
static int apply_config(const struct spec_term *term, struct event *event, struct why *why)
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
static int apply_idle(const struct spec_term *term, struct event *event, struct why *why)
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
	err = apply_config(term, event, why);
	return err == -ENOENT ? apply_idle(term, event, why) : err;
}

int terms_apply(const struct event_spec *spec, struct event *event, struct why *why)
{
	for (size_t i = 0; i < spec->terms_n; i++) {
		const struct spec_term *term = &spec->terms[i];
		int err = term_apply(term, event, why);

		if (err == -ENOENT)
			return why_at(
				why, -EINVAL, term->name.at,
				"unknown term '%.*s'; after '%.*s', choose from name, config, "
				"config1, config2, config3, config4, period, freq, percore and "
				"metric-id",
				(int)term->name.len, term->name.text, (int)spec->words[0].len,
				spec->words[0].text);
		if (err < 0)
			return err;
	}
	return 0;
}
