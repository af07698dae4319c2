/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifier.h"
#include "event/resolve.h"
#include "event/source.h"
#include "event/suggest.h"

/* In the order in which a plain name is tried. */
static const struct event_source *const sources[] = {
	&source_raw, &source_generic, &source_cache, &source_tool, &source_sysfs, &source_pfm,
};

enum { SOURCES_N = sizeof(sources) / sizeof(sources[0]) };

static int unknown_event(const struct machine *m, const struct event_spec *spec, struct why *why)
{
	cleanup_str struct str near = { 0 };

	if (suggest(m, sources, SOURCES_N, spec->text.text, spec->text.len, &near) < 0)
		return -ENOMEM;
	return why_at(why, -ENOENT, spec->text.at, "unknown event '%.*s'%s%s%s",
		      (int)spec->text.len, spec->text.text, near.len ? "; did you mean " : "",
		      str_text(&near), near.len ? "?" : "");
}

/* The forms whose sources are not in this version. */
static int unknown_form(const struct event_spec *spec, struct why *why)
{
	return why_at(why, -EINVAL, spec->text.at,
		      "'%.*s': %s events are not in this version of pstat", (int)spec->text.len,
		      spec->text.text, spec->form == SPEC_BREAKPOINT ? "breakpoint" : "probe");
}

static int resolve_by_sources(const struct machine *m, const struct event_spec *spec,
			      struct event_list *list, struct why *why)
{
	bool tried = false;

	for (size_t i = 0; i < SOURCES_N; i++) {
		int err;

		if (!(sources[i]->forms & FORM(spec->form)))
			continue;
		tried = true;
		err = sources[i]->resolve(m, spec, list, why);
		if (err != -ENOENT)
			return err;
	}
	return tried ? unknown_event(m, spec, why) : unknown_form(spec, why);
}

static int resolve_event(const struct machine *m, const struct event_spec *spec,
			 struct event_list *list, struct why *why)
{
	size_t first = list->n;
	int err = resolve_by_sources(m, spec, list, why);

	if (err < 0)
		return err;
	for (size_t i = first; i < list->n; i++) {
		struct event *event = &list->events[i];

		if (!event->name)
			event->name = strndup(spec->text.text, spec->text.len);
		if (!event->name)
			return -ENOMEM;
	}
	return 0;
}

/* The kernel pins, and makes exclusive, whole groups, by their leader (perf_event_open(2)). */
static int check_members(const struct group_spec *group, struct event_list *list, size_t first,
			 struct why *why)
{
	const struct event_group events = { .first = first, .n = list->n - first };
	const size_t leads = event_group_leader(list, &events);
	const struct perf_event_attr *leader = &list->events[leads].attr;

	for (size_t i = leads + 1; i < list->n; i++) {
		struct event *event = &list->events[i];

		if ((event->attr.pinned && !leader->pinned) ||
		    (event->attr.exclusive && !leader->exclusive))
			return why_at(
				why, -EINVAL, group->at,
				"'%s': D and e are for a whole group: write them behind its '}'",
				event->name);
		event->attr.pinned = 0;
		event->attr.exclusive = 0;
	}
	return 0;
}

static int finish_group(const struct group_spec *spec, struct event_list *list, size_t first,
			struct why *why)
{
	struct event_group *group;
	struct modifiers modifiers;
	int err = modifiers_parse(&spec->modifiers, &modifiers, why);

	if (err < 0)
		return err;
	for (size_t i = first; i < list->n; i++)
		modifiers_apply(&modifiers, &list->events[i]);
	err = check_members(spec, list, first, why);
	if (err < 0)
		return err;
	if (event_list_add_group(list, list->n - first) < 0)
		return -ENOMEM;
	group = &list->groups[list->groups_n - 1];
	group->weak = list->events[event_group_leader(list, group)].weak;
	if (spec->name.len == 0)
		return 0;
	group->name = strndup(spec->name.text, spec->name.len);
	return group->name ? 0 : -ENOMEM;
}

/* What one event outside of braces stands for, a glob's matches for instance, is no group. */
static int finish_alone(struct event_list *list, size_t first)
{
	size_t n = list->n;
	int err = 0;

	for (list->n = first; err == 0 && list->n < n;) {
		list->n++;
		err = event_list_add_group(list, 1);
	}
	list->n = n;
	return err;
}

static int resolve_group(const struct machine *m, const struct spec_list *specs,
			 const struct group_spec *group, struct event_list *list, struct why *why)
{
	size_t first = list->n;

	for (size_t i = 0; i < group->n; i++) {
		int err = resolve_event(m, &specs->events[group->first + i], list, why);

		if (err < 0)
			return err;
	}
	return group->braces ? finish_group(group, list, first, why) : finish_alone(list, first);
}

int event_resolve(const struct machine *m, const char *text, struct event_list *list,
		  struct why *why)
{
	cleanup_with(spec_list_release) struct spec_list specs = { 0 };
	int err = spec_parse(&specs, text, why);

	for (size_t i = 0; err == 0 && i < specs.groups_n; i++)
		err = resolve_group(m, &specs, &specs.groups[i], list, why);
	return err;
}
