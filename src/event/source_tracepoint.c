/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints, "system:name", with globs in both parts: one event for each that matches. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifier.h"
#include "event/source.h"
#include "machine/tracefs.h"

static int add_tracepoint(const struct machine *m, const char *events, const char *system_and_name,
			  const struct modifiers *modifiers, struct event_list *out)
{
	size_t n = strcspn(system_and_name, ":");
	cleanup_free char *system = strndup(system_and_name, n);
	struct event *event;
	uint64_t id;
	int err;

	if (!system)
		return -ENOMEM;
	err = tracefs_id(m, events, system, system_and_name + n + 1, &id);
	if (err < 0)
		return err;
	event = event_list_add(out, source_tracepoint.name, "tracepoint");
	if (!event)
		return -ENOMEM;
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = id;
	modifiers_apply(modifiers, event);
	return 0;
}

static bool is_glob(const struct spec_word *word)
{
	return memchr(word->text, '*', word->len) || memchr(word->text, '?', word->len) ||
	       memchr(word->text, '[', word->len);
}

/* The row of a glob's match is named after the match; one that was written out stays as written. */
static char *name_of_match(const char *match, const struct event_spec *spec)
{
	char *name;

	if (spec->words_n < 3)
		return strdup(match);
	return asprintf(&name, "%s:%.*s", match, (int)spec->words[2].len, spec->words[2].text) < 0 ?
		       NULL :
		       name;
}

static int add_matches(const struct machine *m, const char *events, const struct str_list *matches,
		       const struct modifiers *modifiers, const struct event_spec *spec,
		       struct event_list *out)
{
	bool glob = is_glob(&spec->words[0]) || is_glob(&spec->words[1]);

	for (size_t i = 0; i < matches->n; i++) {
		int err = add_tracepoint(m, events, matches->v[i], modifiers, out);

		if (err < 0)
			return err;
		if (!glob)
			continue;
		out->events[out->n - 1].name = name_of_match(matches->v[i], spec);
		if (!out->events[out->n - 1].name)
			return -ENOMEM;
	}
	return 0;
}

static int parse_modifiers(const struct event_spec *spec, struct modifiers *modifiers,
			   struct why *why)
{
	const struct spec_word none = { 0 };

	if (spec->words_n > 3)
		return why_at(why, -EINVAL, spec->words[3].at,
			      "nothing may follow the modifiers of a tracepoint");
	return modifiers_parse(spec->words_n > 2 ? &spec->words[2] : &none, modifiers, why);
}

static int tracepoint_resolve(const struct machine *m, const struct event_spec *spec,
			      struct event_list *out, struct why *why)
{
	cleanup_str_list struct str_list matches = { 0 };
	cleanup_free char *system = NULL;
	cleanup_free char *name = NULL;
	cleanup_free char *events = NULL;
	struct modifiers modifiers;
	int err;

	if (spec->words_n < 2 || spec->words[0].len == 0 || spec->words[1].len == 0)
		return -ENOENT;
	system = strndup(spec->words[0].text, spec->words[0].len);
	name = strndup(spec->words[1].text, spec->words[1].len);
	if (!system || !name)
		return -ENOMEM;
	err = tracefs_events(m, &events, why);
	if (err < 0)
		return err == -ENOMEM ? err : -ENOENT;
	err = tracefs_match(m, events, system, name, &matches);
	if (err < 0 || matches.n == 0)
		return err < 0 ? err : -ENOENT;
	err = parse_modifiers(spec, &modifiers, why);
	if (err < 0)
		return err;
	return add_matches(m, events, &matches, &modifiers, spec, out);
}

static int tracepoint_list(const struct machine *m, enum list_scope scope, event_visit *visit,
			   void *data)
{
	cleanup_str_list struct str_list all = { 0 };
	cleanup_free char *events = NULL;
	cleanup_why struct why why = { 0 };
	int stop = 0;

	(void)scope;
	if (tracefs_events(m, &events, &why) < 0 || tracefs_match(m, events, "*", "*", &all) < 0)
		return 0;
	for (size_t i = 0; stop == 0 && i < all.n; i++) {
		const struct event_info info = {
			.name = all.v[i],
			.source = source_tracepoint.name,
			.pmu = "tracepoint",
			.description = "",
			.present = true,
		};

		stop = visit(&info, data);
	}
	return stop;
}

const struct event_source source_tracepoint = {
	.name = "tracepoint",
	.forms = FORM(SPEC_NAME),
	.resolve = tracepoint_resolve,
	.list = tracepoint_list,
};
