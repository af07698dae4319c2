/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints, "system:name", with globs in both parts: one event for each match. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "machine/tracing.h"

static bool tracepoint_is_glob(const struct spec_word *word)
{
	return memchr(word->text, '*', word->len) || memchr(word->text, '?', word->len) ||
	       memchr(word->text, '[', word->len);
}

static const char system_calls[] = "syscalls";

/*
 * Set whether the event happens only in the kernel, or counts in user mode. Most tracepoints pass
 * the registers of the kernel to perf, so that exclude_kernel excludes them. System calls and
 * uprobes pass those of user mode (since Linux 5.7). A probe of perf probe may be a kprobe or a
 * uprobe: their fields do not differ.
 */
static int tracepoint_set_place(const struct machine *m, const char *events, const char *system,
				const char *name, struct event *event)
{
	cleanup_free char *format = NULL;

	event->in_user = strcmp(system, system_calls) == 0;
	if (event->in_user)
		return 0;
	if (machine_read(m, &format, "%s/%s/%s/format", events, system, name) == -ENOMEM)
		return -ENOMEM;
	event->in_kernel = !format || !strstr(format, " __probe_");
	return 0;
}

int source_tracepoint_place(const struct machine *m, struct event *event)
{
	cleanup_str_list struct str_list calls = { 0 };
	cleanup_free char *events = NULL;
	cleanup_why struct why why = { 0 };
	int err = tracing_events(m, &events, &why);

	if (err == 0)
		err = tracing_match(m, events, system_calls, "*", &calls);
	for (size_t i = 0; err == 0 && !event->in_user && i < calls.n; i++) {
		uint64_t id = 0;

		event->in_user = tracing_id(m, events, system_calls,
					    calls.v[i] + sizeof(system_calls), &id) == 0 &&
				 id == event->attr.config;
	}
	return err == -ENOMEM ? err : 0;
}

static int tracepoint_add_matches(const struct machine *m, const char *events,
				  const struct str_list *matches, const struct modifiers *modifiers,
				  const struct event_spec *spec, struct event_list *out)
{
	bool glob = tracepoint_is_glob(&spec->words[0]) || tracepoint_is_glob(&spec->words[1]);

	for (size_t i = 0; i < matches->n; i++) {
		size_t n = strcspn(matches->v[i], ":");
		cleanup_free char *system = strndup(matches->v[i], n);
		cleanup_str struct str row = { 0 };
		struct event *event;
		uint64_t id;
		int err = system ? tracing_id(m, events, system, matches->v[i] + n + 1, &id) :
				   -ENOMEM;

		if (err < 0)
			return err;
		event = event_list_add(out, source_tracepoint.name, "tracepoint");
		if (!event)
			return -ENOMEM;
		event->attr.type = PERF_TYPE_TRACEPOINT;
		event->attr.config = id;
		modifiers_apply(modifiers, event);
		if (tracepoint_set_place(m, events, system, matches->v[i] + n + 1, event) < 0)
			return -ENOMEM;
		if (!glob) /* the row has the name that the user wrote */
			continue;
		str_add(&row, matches->v[i]);
		if (spec->words_n > 2)
			str_addf(&row, ":%.*s", (int)spec->words[2].len, spec->words[2].text);
		if (row.failed)
			return -ENOMEM;
		event->name = take_ptr(row.text);
	}
	return 0;
}

/*
 * Explain why no tracepoint matches. "cycels:u" is a misspelt name with a modifier, not a
 * tracepoint.
 */
static int tracepoint_no_match(const struct machine *m, const char *events, const char *system,
			       const struct spec_word *name, struct why *why)
{
	/* perf probe creates the groups "probe" and, for a file, "probe_FILE" */
	if (strcmp(system, "probe") == 0 || strncmp(system, "probe_", 6) == 0)
		return why_set(
			why, -ENOENT,
			"no such 'perf probe' event; count calls with uprobe:FILE:FUNCTION or "
			"kprobe:FUNCTION");
	if (strpbrk(system, "*?[/") || modifiers_possible(name) ||
	    machine_has(m, "%s/%s", events, system))
		return -ENOENT;
	return why_set(why, -ENOENT, "there is no tracepoint group '%s'", system);
}

static int tracepoint_resolve(const struct machine *m, const struct event_spec *spec,
			      struct event_list *out, struct why *why)
{
	cleanup_str_list struct str_list matches = { 0 };
	cleanup_free char *system = NULL;
	cleanup_free char *name = NULL;
	cleanup_free char *events = NULL;
	const struct spec_word none = { 0 };
	struct modifiers modifiers;
	int err;

	if (spec->words_n < 2 || spec->words[0].len == 0 || spec->words[1].len == 0)
		return -ENOENT;
	system = strndup(spec->words[0].text, spec->words[0].len);
	name = strndup(spec->words[1].text, spec->words[1].len);
	if (!system || !name)
		return -ENOMEM;
	err = tracing_events(m, &events, why);
	if (err < 0)
		return err == -ENOMEM ? err : -ENOENT;
	err = tracing_match(m, events, system, name, &matches);
	if (err < 0 || matches.n == 0)
		return err < 0 ? err : tracepoint_no_match(m, events, system, &spec->words[1], why);
	if (spec->words_n > 3)
		return why_at(why, -EINVAL, spec->words[3].at, "nothing may follow the modifiers");
	err = modifiers_parse(spec->words_n > 2 ? &spec->words[2] : &none, &modifiers, why);
	return err < 0 ? err : tracepoint_add_matches(m, events, &matches, &modifiers, spec, out);
}

/* The names of the fields of a format file, without those that all tracepoints have. */
static void tracepoint_add_fields(struct str *out, char *format)
{
	char *rest = format;

	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		char *field = strstr(line, "field:"), *end = field ? strchr(field, ';') : NULL;

		if (!end)
			continue;
		*end = '\0';
		field += strlen("field:");
		end = strchr(field, '['); /* "char comm[16]" */
		if (end)
			*end = '\0';
		end = strrchr(field, ' ');
		if (end && strncmp(end + 1, "common_", strlen("common_")) != 0)
			str_add_listed(out, end + 1);
	}
}

static int tracepoint_describe(const struct machine *m, const struct event *event, struct str *out)
{
	cleanup_free char *events = NULL;
	cleanup_free char *text = NULL;
	cleanup_str struct str fields = { 0 };
	cleanup_why struct why why = { 0 };
	const char *name = event->name, *colon = strchr(name, ':');

	if (!colon || tracing_events(m, &events, &why) < 0 ||
	    machine_read(m, &text, "%s/%.*s/%.*s/format", events, (int)(colon - name), name,
			 (int)strcspn(colon + 1, ":"), colon + 1) < 0)
		return 0;
	tracepoint_add_fields(&fields, text);
	out->failed |= fields.failed;
	str_add(out, "calls of this tracepoint");
	if (fields.len > 0)
		str_addf(out, ", whose fields are %s", str_text(&fields));
	return 0;
}

static int tracepoint_list(const struct event_listing *l)
{
	cleanup_str_list struct str_list all = { 0 };
	cleanup_free char *events = NULL;
	int stop = tracing_events(l->machine, &events, l->why);

	if (stop == -ENOENT || stop == -EACCES)
		return 0; /* tracefs is not mounted, or the user may not read it */
	if (stop == 0)
		stop = tracing_match(l->machine, events, "*", "*", &all);
	for (size_t i = 0; stop == 0 && i < all.n; i++) {
		const struct event_info info = {
			.name = all.v[i],
			.source = source_tracepoint.name,
			.pmu = "tracepoint",
			.description = "",
			.present = true,
		};

		stop = l->visit(&info, l->data);
	}
	return stop;
}

const struct event_source source_tracepoint = {
	.name = "tracepoint",
	.forms = FORM(SPEC_NAME),
	.resolve = tracepoint_resolve,
	.list = tracepoint_list,
	.describe = tracepoint_describe,
};
