/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/attr_fields.h"
#include "event/modifiers.h"
#include "event/resolve.h"
#include "event/source.h"
#include "machine/machine.h"
#include "machine/perf_tables.h"
#include "machine/pmu.h"

/* A plain name is tried in this order. */
static const struct event_source *const sources[] = {
	&source_raw,   &source_breakpoint, &source_probe,	   &source_generic,
	&source_cache, &source_tool,	   &source_sysfs,	   &source_tracepoint,
	&source_table, &source_pfm,	   &source_sysfs_any_case,
};

enum { SOURCES_N = sizeof(sources) / sizeof(sources[0]) };

/* ---- Suggestions for a name that no source knows. */

enum {
	NEAREST_N = 3,
	LETTER = 10, /* the score of a wrong letter */
};

static unsigned int resolve_suggest_least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* The best suggestions so far, best first. A score grows with the distance. */
struct suggestions {
	const char *name;
	size_t n;
	unsigned int limit; /* of the score */
	struct suggestion {
		unsigned int score;
		char name[STR_DISTANCE_MAX];
	} best[NEAREST_N];
	size_t found;
};

static void resolve_suggest_insert(struct suggestions *s, const char *name, unsigned int score)
{
	size_t at = s->found;

	for (size_t i = 0; i < s->found; i++)
		if (strcasecmp(s->best[i].name, name) == 0)
			return;
	while (at > 0 && s->best[at - 1].score > score)
		at--;
	if (at == NEAREST_N)
		return;
	if (s->found < NEAREST_N)
		s->found++;
	memmove(&s->best[at + 1], &s->best[at], (s->found - at - 1) * sizeof(s->best[0]));
	s->best[at].score = score;
	strcpy(s->best[at].name, name);
}

/*
 * Additional text at the end costs little: "branch" is near branch-misses, and "INST_RETIRED" is
 * near each of its unit masks. The last words of a name may be enough: "cylces" is near cpu-cycles.
 */
static unsigned int resolve_suggest_score(const struct suggestions *s, const char *name, size_t n)
{
	unsigned int score = LETTER * str_distance(s->name, s->n, name, n);
	const char *colon = memchr(name, ':', n);

	if (s->n < 3)
		return score;
	if (n > s->n && strncasecmp(s->name, name, s->n) == 0)
		score = resolve_suggest_least(score, LETTER + (unsigned int)(n - s->n));
	for (size_t i = 1; i + 1 < n; i++) {
		unsigned int distance;

		if (!strchr("_-.:", name[i - 1]))
			continue;
		distance = str_distance(s->name, s->n, name + i, n - i);
		/* many unit masks have the word "ALL" */
		if (!colon || name + i <= colon || distance == 0)
			score = resolve_suggest_least(score, LETTER + LETTER * distance);
	}
	return score;
}

/*
 * There are thousands of tracepoints, and they differ between machines. A name without a group
 * suggests a tracepoint only if at most one letter of the tracepoint's name is wrong.
 */
static int resolve_suggest_if_near(const struct event_info *info, void *data)
{
	struct suggestions *s = data;
	const char *alias = info->aliases ? info->aliases : "";
	const char *colon = strchr(info->name, ':');
	unsigned int score;

	if (strlen(info->name) >= STR_DISTANCE_MAX)
		return 0;
	if (strcmp(info->source, source_tracepoint.name) == 0 && colon &&
	    !memchr(s->name, ':', s->n)) {
		score = str_distance(s->name, s->n, colon + 1, strlen(colon + 1));
		score = score > 1 ? UINT_MAX : LETTER + LETTER * score;
	} else {
		score = resolve_suggest_score(s, info->name, strlen(info->name));
	}
	while (*alias) {
		size_t n = strcspn(alias, " ");

		score = resolve_suggest_least(score, resolve_suggest_score(s, alias, n));
		alias += n + (alias[n] == ' ');
	}
	if (score <= s->limit)
		resolve_suggest_insert(s, info->name, score);
	return 0;
}

/*
 * Append the names of at most three events whose names are nearest to the n bytes at name: "'a',
 * 'b' or 'c'". The names that other tools have for an event are compared, too. Append nothing if no
 * name is near. 0 or -ENOMEM.
 */
static int resolve_suggest_names(const struct machine *m, const struct event_source *const *from,
				 size_t from_n, const char *name, size_t n, struct str *out)
{
	/* Up to a third of the letters may be wrong, and always two. */
	struct suggestions s = { .name = name,
				 .n = n,
				 .limit = n > 6 ? (unsigned int)n * LETTER / 3 : 2 * LETTER };
	cleanup_why struct why why = { 0 };
	const struct event_listing all = { m, LIST_RESOLVABLE, resolve_suggest_if_near, &s, &why };

	for (size_t i = 0; i < from_n; i++)
		if (from[i]->list)
			from[i]->list(&all);
	if (s.found > 1 && s.best[0].score == 0) /* no letter differs */
		s.found = 1;
	for (size_t i = 0; i < s.found; i++) {
		if (i > 0)
			str_add(out, i + 1 == s.found ? " or " : ", ");
		str_addf(out, "'%s'", s.best[i].name);
	}
	return out->failed ? -ENOMEM : 0;
}

/* Whether a table has an event of this name that is not valid. */
static bool resolve_is_broken(const struct machine *m, const struct event_spec *spec)
{
	cleanup_free char *name = strndup(spec->text.text, spec->text.len);
	cleanup_why struct why why = { 0 };

	return m->tables && name && !perf_tables_find_event(m->tables, name, &why) && why.text;
}

static int resolve_unknown_event(const struct machine *m, enum resolve_by by,
				 const struct event_spec *spec, bool suggests, struct why *why)
{
	static const struct event_source *const of_libpfm4[] = { &source_pfm };
	static const struct {
		const char *prefix, *form;
	} forms[] = {
		{ "uprobe", "uprobe:FILE:FUNCTION" },
		{ "kprobe", "kprobe:FUNCTION" },
		{ "mem", "mem:ADDRESS" },
	};
	const char *colon = memchr(spec->text.text, ':', spec->text.len);
	size_t before = colon ? (size_t)(colon - spec->text.text) : 0;
	bool none, alone = by == RESOLVE_BY_PFM;
	cleanup_str struct str near = { 0 };
	cleanup_str struct str obstacle = { 0 };

	if (memchr(spec->text.text, ';', spec->text.len))
		return why_at(why, -ENOENT, spec->text.at,
			      "unknown event '%.*s'; events are separated by commas, not by ';'",
			      (int)spec->text.len, spec->text.text);
	if (suggests && !resolve_is_broken(m, spec) &&
	    resolve_suggest_names(m, alone ? of_libpfm4 : sources, alone ? 1 : SOURCES_N,
				  spec->text.text, spec->text.len, &near) < 0)
		return -ENOMEM;
	/* "uprob:FILE:FUNCTION": a prefix that differs in one letter, but not the first */
	none = near.len == 0 && !alone;
	for (size_t i = 0; none && colon && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].prefix[0] == spec->text.text[0] &&
		    str_distance(spec->text.text, before, forms[i].prefix,
				 strlen(forms[i].prefix)) <= 1)
			str_addf(&near, "%s'%s'", near.len ? " or " : "", forms[i].form);
	if (why->text)
		str_addf(&obstacle, " (%s)", why->text);
	else if (!alone && spec->form == SPEC_NAME &&
		 memchr(spec->text.text, '.', spec->text.len) && m->tables &&
		 m->tables->events_n == 0)
		str_add(&obstacle, " (names of perf's tables need --metrics-file)");
	return why_at(why, -ENOENT, spec->text.at, "unknown event '%.*s'%s%s%s%s",
		      (int)spec->text.len, spec->text.text, near.len ? "; did you mean " : "",
		      str_text(&near), near.len ? "?" : "", str_text(&obstacle));
}

/* ---- Names to events. */

/* Classify an event by its code, as the kernel does (is_slots_event() and is_metric_event() in
 * arch/x86/events/perf_event.h). */
static enum event_slots resolve_slots(const struct machine *m, const struct event *event)
{
	const unsigned int code = event->attr.config & 0xffff; /* event and unit mask */
	const bool all = code == 0x400;
	const bool part = (code & 0xff) == 0 && code >= 0x8000 && code <= 0x8700;

	if (event->attr.type != PERF_TYPE_RAW || (!all && !part) ||
	    (!machine_has(m, PMU_DEVICES "/cpu/events/slots") &&
	     !machine_has(m, PMU_DEVICES "/cpu_core/events/slots")))
		return SLOTS_NONE;
	return all ? SLOTS_ALL : SLOTS_PART;
}

/* Complete the events of a name. 0 or -ENOMEM. */
static int resolve_finish(const struct machine *m, const struct event_spec *spec,
			  struct event_list *list, size_t first)
{
	for (size_t i = first; i < list->n; i++) {
		struct event *event = &list->events[i];

		event->name_index = list->names_n;
		event->slots = resolve_slots(m, event);
		if (!event->name)
			event->name = strndup(spec->text.text, spec->text.len);
		if (!event->name)
			return -ENOMEM;
		/* the clocks are shown in milliseconds, as in perf; a PMU of sysfs has its own
		 * units */
		if (event->source != source_sysfs.name && event_is_clock(event) &&
		    event_set_unit(event, "msec", 1e-6) < 0)
			return -ENOMEM;
	}
	list->names_n++;
	return 0;
}

static int resolve_event(const struct machine *m, enum resolve_by by, const struct event_spec *spec,
			 struct event_list *list, struct why *why)
{
	size_t first = list->n;
	int err = -ENOENT;

	for (size_t i = 0; err == -ENOENT && i < SOURCES_N; i++)
		if (by == RESOLVE_BY_PFM ? sources[i] == &source_pfm :
					   sources[i]->forms & FORM(spec->form))
			err = sources[i]->resolve(m, spec, list, why);
	if (err == -ENOENT)
		err = resolve_unknown_event(m, by, spec, !list->no_suggestions, why);
	return err < 0 ? err : resolve_finish(m, spec, list, first);
}

/* A final '?' in the name of a tracepoint may be a glob. 0 or -errno. */
static int resolve_glob(const struct machine *m, const struct event_spec *spec,
			struct event_list *list)
{
	const size_t first = list->n;
	struct event_spec glob = *spec;
	struct spec_word *name = &spec->words[1];
	cleanup_why struct why why = { 0 };
	int err;

	if (spec->form != SPEC_NAME || spec->words_n != 2 || name->text[name->len] != '?')
		return -ENOENT;
	glob.text.len++;
	name->len++;
	err = source_tracepoint.resolve(m, &glob, list, &why);
	name->len--;
	return err < 0 ? err : resolve_finish(m, &glob, list, first);
}

/* An event that is left out if it has no meaning on this machine. */
static int resolve_optional(const struct machine *m, enum resolve_by by,
			    const struct event_spec *spec, struct event_list *list)
{
	const size_t first = list->n;
	cleanup_why struct why why = { 0 };
	cleanup_str struct str reason = { 0 };
	int err = by == RESOLVE_BY_ALL ? resolve_glob(m, spec, list) : -ENOENT;

	if (err == 0 || err == -ENOMEM)
		return err;
	err = resolve_event(m, by, spec, list, &why);
	if (err == -ENOMEM)
		return err;
	for (size_t i = first; err == 0 && i < list->n; i++)
		list->events[i].optional = true;
	if (err == 0)
		return 0;
	while (list->n > first)
		event_release(&list->events[--list->n]);
	list->names_n++;
	str_addf(&reason, "'%.*s' is left out: %s", (int)spec->text.len, spec->text.text,
		 why_text(&why, err));
	return reason.failed ? -ENOMEM : str_list_add(&list->left_out, str_text(&reason));
}

static int resolve_add_group(const struct group_spec *spec, const struct modifiers *modifiers,
			     struct event_list *list, size_t first, size_t n, struct why *why)
{
	const struct event *leader;
	struct event_group *group;
	size_t leads;

	if (event_list_add_group(list, first, n) < 0)
		return -ENOMEM;
	group = &list->groups[list->groups_n - 1];
	if (spec->name.len > 0) {
		group->name = strndup(spec->name.text, spec->name.len);
		if (!group->name)
			return -ENOMEM;
	}
	/* the kernel pins a whole group, or makes it exclusive, through its leader
	 * (perf_event_open(2)) */
	leads = event_group_leader(list, group);
	leader = &list->events[leads];
	group->weak = modifiers->weak || leader->weak;
	group->pinned = modifiers->pinned || leader->attr.pinned;
	group->exclusive = modifiers->exclusive || leader->attr.exclusive;
	for (size_t i = leads + 1; i < group->first + group->n; i++) {
		struct event *event = &list->events[i];

		if (event->tool == TOOL_NONE && !str_equal(event->cpus, leader->cpus))
			return why_at(
				why, -EINVAL, spec->at,
				"'%s' and '%s' cannot be in one group: they count on different "
				"CPUs",
				leader->name, event->name);
		if ((event->attr.pinned && !group->pinned) ||
		    (event->attr.exclusive && !group->exclusive))
			return why_at(
				why, -EINVAL, spec->at,
				"'%s': D and e apply to a whole group; write them after its '}'",
				event->name);
		event->attr.pinned = 0;
		event->attr.exclusive = 0;
	}
	return 0;
}

/* resolve_gather_group() may change the order of an event's instances. Merge all instances into
 * the one that now comes first. */
static void resolve_merge_into_first(struct event_list *list, size_t event)
{
	bool found = false;

	for (size_t i = 0; list->events[event].summed && i < list->n; i++)
		if (list->events[i].name_index == list->events[event].name_index) {
			list->events[i].merged = found;
			found = true;
		}
}

/* Whether the group has an instance on this event's PMU of an event that is also counted on other
 * kinds of cores. */
static bool resolve_is_on_one_of_kinds(const struct event_list *list, size_t first,
				       const struct event *event)
{
	for (size_t i = first; i < list->n; i++)
		if (event_is_of_kind(&list->events[i]) &&
		    strcmp(list->events[i].pmu, event->pmu) == 0)
			return true;
	return false;
}

/*
 * If names in a group stand for events of several PMUs, the group becomes one group for each PMU.
 * If these PMUs are those of several kinds of cores, an event of any other PMU gets its own group:
 * in the group of one kind, it would not be counted on the other kinds. Move the events that are in
 * the same group as the event at first directly after it, in order. Returns the number of events in
 * the group.
 */
static size_t resolve_gather_group(struct event_list *list, size_t first)
{
	const struct event leader = list->events[first];
	const char *pmu = NULL; /* of the kind of core */
	bool kinds = false;
	size_t n = 1;

	for (size_t i = first; i < list->n; i++)
		kinds |= event_is_of_kind(&list->events[i]);
	if (kinds && resolve_is_on_one_of_kinds(list, first, &leader))
		pmu = leader.pmu;
	for (size_t i = first + 1; i < list->n; i++) {
		const struct event event = list->events[i];

		if (kinds ? !pmu || strcmp(event.pmu, pmu) != 0 :
			    event.one_of_several && leader.one_of_several &&
				    strcmp(event.pmu, leader.pmu) != 0)
			continue;
		memmove(&list->events[first + n + 1], &list->events[first + n],
			(i - first - n) * sizeof(event));
		list->events[first + n++] = event;
	}
	for (size_t i = first; i < first + n; i++)
		resolve_merge_into_first(list, i);
	return n;
}

/* Add the modifiers of the group to those of its members, unless they contradict each other. */
static int resolve_add_braced_groups(const struct group_spec *spec, struct event_list *list,
				     size_t first, struct why *why)
{
	struct modifiers modifiers;
	bool modes;
	int err = modifiers_parse(&spec->modifiers, &modifiers, why);

	if (err < 0)
		return err;
	modes = modifiers.user || modifiers.kernel || modifiers.hypervisor;
	for (size_t i = first; i < list->n; i++) {
		struct event *event = &list->events[i];

		if (modifiers.precise && event->attr.precise_ip &&
		    modifiers.precise != event->attr.precise_ip)
			return why_at(why, -EINVAL, spec->modifiers.at,
				      "'%s' has a different precise level from its group",
				      event->name);
		if (modes && event->cpus)
			return modifiers_refuse_modes(event, spec->modifiers.at, why);
		modifiers_apply(&modifiers, event);
	}
	while (err == 0 && first < list->n) {
		size_t n = resolve_gather_group(list, first);

		err = resolve_add_group(spec, &modifiers, list, first, n, why);
		first += n;
	}
	return err;
}

static int resolve_group(const struct machine *m, enum resolve_by by, const struct spec_list *specs,
			 const struct group_spec *group, struct event_list *list, struct why *why)
{
	const struct modifiers none = { 0 };
	size_t first = list->n;
	int err = 0;

	for (size_t i = 0; i < group->n; i++) {
		const struct event_spec *spec = &specs->events[group->first + i];

		if (spec->optional || list->all_optional)
			err = resolve_optional(m, by, spec, list);
		else
			err = resolve_event(m, by, spec, list, why);
		if (err < 0)
			return err;
	}
	if (group->braces)
		return resolve_add_braced_groups(group, list, first, why);
	/* one name may stand for several events, for example a glob; they are not one group */
	for (; err == 0 && first < list->n; first++)
		err = resolve_add_group(group, &none, list, first, 1, why);
	return err;
}

/* Move the only event of a group to the end of an earlier group. */
static void resolve_move_to_group(struct event_list *list, size_t from, size_t to)
{
	const size_t at = list->groups[from].first;
	const size_t end = list->groups[to].first + list->groups[to].n;
	const struct event event = list->events[at];

	memmove(&list->events[end + 1], &list->events[end], (at - end) * sizeof(event));
	list->events[end] = event;
	list->groups[to].n++;
	for (size_t i = to + 1; i < from; i++)
		list->groups[i].first++;
	free(list->groups[from].name);
	list->groups_n--;
	memmove(&list->groups[from], &list->groups[from + 1],
		(list->groups_n - from) * sizeof(*list->groups));
}

/* Move each part of slots that is in no group into the group of the preceding slots, as perf does.
 * The kernel refuses such an event alone. */
static void resolve_group_slots(struct event_list *list, size_t first_group)
{
	size_t slots = list->groups_n; /* none */

	for (size_t i = first_group; i < list->groups_n; i++) {
		const enum event_slots kind = list->events[list->groups[i].first].slots;

		if (kind == SLOTS_ALL)
			slots = i;
		else if (kind == SLOTS_PART && list->groups[i].n == 1 && slots < i)
			resolve_move_to_group(list, i--, slots);
	}
}

int resolve_events(const struct machine *m, enum resolve_by by, const char *text,
		   struct event_list *list, struct why *why)
{
	cleanup_with(spec_list_release) struct spec_list specs = { 0 };
	const size_t first_group = list->groups_n;
	int err = spec_parse(&specs, text, why);

	for (size_t i = 0; err == 0 && i < specs.groups_n; i++)
		err = resolve_group(m, by, &specs, &specs.groups[i], list, why);
	if (err == 0)
		resolve_group_slots(list, first_group);
	return err;
}

/* ---- Events of saved results. */

static int resolve_one(const struct machine *m, enum resolve_by by, const char *text,
		       struct event_list *list, struct why *why)
{
	cleanup_with(spec_list_release) struct spec_list specs = { 0 };
	int err = spec_parse(&specs, text, why);

	if (err == 0 && (specs.events_n != 1 || specs.groups[0].braces))
		err = why_set(why, -EINVAL, "it is not the name of one event");
	return err < 0 ? err : resolve_event(m, by, &specs.events[0], list, why);
}

int resolve_again(const struct machine *m, const struct event *then, struct event_list *list,
		  struct why *why)
{
	enum resolve_by by =
		strcmp(then->source, source_pfm.name) == 0 ? RESOLVE_BY_PFM : RESOLVE_BY_ALL;
	const struct attr_field *field = NULL;
	size_t first = list->n;
	int err = resolve_one(m, by, then->name, list, why);

	if (err < 0 && then->pmu && strcmp(then->source, source_sysfs.name) == 0) {
		cleanup_str struct str text = { 0 };

		str_addf(&text, "%s/", then->pmu);
		while ((field = attr_fields_next(field, ATTR_CONFIG)))
			if (!field->since || field->get(then))
				str_addf(&text, "%s=0x%llx,", field->name,
					 (unsigned long long)field->get(then));
		str_addf(&text, "name=%s/", then->name);
		err = text.failed ? -ENOMEM : resolve_one(m, by, str_text(&text), list, why);
		why->has_position = false; /* in a text that the user never wrote */
	}
	for (size_t i = first; err == 0 && i < list->n; i++) {
		struct event *event = &list->events[i];

		if (event->cpus || event->tool != TOOL_NONE)
			continue;
		for (field = attr_fields; field->name; field++)
			if (field->role == ATTR_MODE || field->role == ATTR_SCHEDULING ||
			    field->role == ATTR_PRECISION)
				field->set(event, field->get(then));
		if (then->filter && !(event->filter = strdup(then->filter)))
			err = -ENOMEM;
	}
	return err;
}

int resolve_group_again(struct event_list *list, size_t first, const struct event_group *like)
{
	while (first < list->n) {
		size_t n = resolve_gather_group(list, first);
		struct event_group *group;

		if (event_list_add_group(list, first, n) < 0)
			return -ENOMEM;
		group = &list->groups[list->groups_n - 1];
		group->weak = like->weak;
		group->pinned = like->pinned;
		group->exclusive = like->exclusive;
		group->name = like->name ? strdup(like->name) : NULL;
		if (like->name && !group->name)
			return -ENOMEM;
		first += n;
	}
	return 0;
}

int resolve_list(const struct event_listing *l)
{
	int stop = 0;

	for (size_t i = 0; stop == 0 && i < SOURCES_N; i++)
		if (sources[i]->list)
			stop = sources[i]->list(l);
	return stop;
}

int resolve_meaning(const struct machine *m, const struct event *event, struct str *out)
{
	for (size_t i = 0; i < SOURCES_N; i++)
		if (sources[i]->describe && strcmp(sources[i]->name, event->source) == 0)
			return sources[i]->describe(m, event, out);
	return 0;
}
