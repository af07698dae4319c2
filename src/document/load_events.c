/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was counted: events, their groups, the metrics over them. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "document/load_parts.h"
#include "document/schema.h"

/* Of a unit: what counts and their squares times this come to is a number still. */
#define FACTOR_MAX 1e100

static void load_flag(struct load_value flag, struct perf_event_attr *attr)
{
#define X(name) #name,
	static const char *const names[] = { SCHEMA_ATTR_FLAGS(X) };
#undef X
	size_t known = sizeof(names) / sizeof(names[0]);
	const char *which = names[load_word(flag, names, known)];

#define X(name) attr->name |= strcmp(which, #name) == 0;
	SCHEMA_ATTR_FLAGS(X)
#undef X
}

static void load_attr(struct load_value value, struct event *event)
{
	struct perf_event_attr *attr = &event->attr;
	const struct load_value config3 = load_member(&value, "config3");
	const struct load_value flags = load_member(&value, "flags");
	const struct load_value bp_type = load_member(&value, "bp_type");

	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = (__u32)load_integer(load_member(&value, "type"), 0, UINT_MAX),
		.config = load_hexadecimal(load_member(&value, "config")),
		.config1 = load_hexadecimal(load_member(&value, "config1")),
		.config2 = load_hexadecimal(load_member(&value, "config2")),
	};
	if (load_is_there(config3))
		event->config3 = load_hexadecimal(config3);
	attr->precise_ip = load_integer(load_member(&value, "precise_ip"), 0, 3) & 3;
	if (load_is_there(bp_type))
		attr->bp_type = (__u32)load_integer(bp_type, 0, UINT_MAX);
	for (size_t i = 0, n = load_length(flags); i < n; i++)
		load_flag(load_element(&flags, i), attr);
}

static bool load_optional_bool(struct load_value value)
{
	return load_is_there(value) && load_bool(value);
}

/* A source's name is none of the event's own strings: the document holds each once. */
static const char *load_source(struct load_value value, struct str_list *sources)
{
	cleanup_free char *name = load_string(value);

	if (!name)
		return NULL;
	if (!str_list_has(sources, name) && str_list_add(sources, name) < 0) {
		load_no_memory(value.load);
		return NULL;
	}
	for (size_t i = 0; i < sources->n; i++)
		if (strcmp(sources->v[i], name) == 0)
			return sources->v[i];
	return NULL;
}

/* All of it but the attr. */
static struct event load_event_texts(const struct load_value *value, struct str_list *sources)
{
	const struct load_value tool = load_member(value, "tool");

	return (struct event){
		.name = load_text(load_member(value, "name")),
		.source = load_source(load_member(value, "source"), sources),
		.pmu = load_string_or_null(load_member(value, "pmu")),
		.full_name = load_string_or_null(load_member(value, "full_name")),
		.probed = load_text_or_null(load_member(value, "probed")),
		.filter = load_text_or_null(load_member(value, "filter")),
		.symbol = load_text_or_null(load_member(value, "symbol")),
		.cgroup = load_text_or_null(load_member(value, "cgroup")),
		.cpus = load_string_or_null(load_member(value, "cpus")),
		.unit = load_text(load_member(value, "unit")),
		.factor = load_number(load_member(value, "factor"), -FACTOR_MAX, FACTOR_MAX),
		.tool = load_is_there(tool) ?
				(enum tool_event)load_word(tool, event_tool_names, TOOL_N) :
				TOOL_NONE,
		.merged = load_optional_bool(load_member(value, "merged")),
		.snapshot = load_optional_bool(load_member(value, "snapshot")),
		.has_modifiers = load_optional_bool(load_member(value, "has_modifiers")),
	};
}

static struct opening load_opening(struct load_value value)
{
	return (struct opening){
		.refused = load_bool(load_member(&value, "refused")),
		.user_only = load_bool(load_member(&value, "user_only")),
		.apart = load_bool(load_member(&value, "apart")),
		.first_only = load_bool(load_member(&value, "first_only")),
		.reason.text = load_text_or_null(load_member(&value, "reason")),
	};
}

static void load_event(const struct load_value *value, struct document *document)
{
	struct event_list *list = &document->events;
	struct event *event = &list->events[list->n];
	const struct load_value attr = load_member(value, "attr");

	*event = load_event_texts(value, &document->sources);
	document->openings[list->n] = load_opening(load_member(value, "opening"));
	list->n++; /* whatever was loaded: it is released with the list */
	if (event->tool == TOOL_NONE)
		load_attr(attr, event);
	else if (load_is_there(attr))
		load_refuse(&attr, "not null, for what is not counted by the kernel");
}

/* For each cgroup the same number of events, the first of which is part of no other's row. Where there are
 * several, each event says which it is of. */
static void check_cgroups(const struct load_value *top, const struct load_value *events,
			  const struct document *document)
{
	const struct load_value settings = load_member(top, "settings");
	const struct load_value cgroups = load_member(&settings, "cgroups");
	size_t n = document->events.n, copies = document->settings.cgroups_n;

	if (copies == 0 || n % copies != 0) {
		load_refuse(&cgroups, "not a divisor of %zu, the number of events", n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct load_value event = load_element(events, i);
		const struct load_value merged = load_member(&event, "merged");
		const struct load_value cgroup = load_member(&event, "cgroup");

		if (copies > 1 && !document->events.events[i].cgroup)
			load_refuse(&cgroup, "null, and there are %zu cgroups", copies);
		if (i % (n / copies) == 0 && document->events.events[i].merged)
			load_refuse(&merged,
				    "there is no event before it that it could be part of");
	}
}

void load_events(const struct load_value *top, struct document *document)
{
	const struct load_value events = load_member(top, "events");
	size_t n = load_length(events);

	document->events.events = calloc(n + 1, sizeof(*document->events.events));
	document->openings = calloc(n + 1, sizeof(*document->openings));
	if (!document->events.events || !document->openings) {
		load_no_memory(top->load);
		return;
	}
	document->events.size = n + 1;
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value event = load_element(&events, i);

		load_event(&event, document);
	}
	if (top->load->err == 0)
		check_cgroups(top, &events, document);
}

/* What the attr of the event that leads a group says of all of it. */
static void lift_flags(const struct event_list *list, struct event_group *group)
{
	const struct event *leader = &list->events[event_group_leader(list, group)];

	group->pinned = leader->attr.pinned;
	group->exclusive = leader->attr.exclusive;
}

/* The next group; whether it begins where the one before it ends, and there are events left for it. */
static void load_group(const struct load_value *value, size_t next, struct document *document)
{
	struct event_list *list = &document->events;
	struct event_group *group = &list->groups[list->groups_n];
	const struct load_value first = load_member(value, "first");
	const struct load_value n = load_member(value, "n");
	const struct load_value pass = load_member(value, "pass");
	size_t *in_pass = &document->passes[list->groups_n++];

	*group = (struct event_group){
		.name = load_text_or_null(load_member(value, "name")),
		.first = load_size(first),
		.n = load_size(n),
		.weak = load_bool(load_member(value, "weak")),
	};
	*in_pass = load_is_there(pass) ? load_size(pass) : SIZE_MAX;
	if (group->first != next)
		load_refuse(&first, "not %zu: the groups hold the events in order", next);
	else if (group->n == 0 || group->n > list->n - next)
		load_refuse(&n, "not a number of events that there are from %zu on", next);
	else if (*in_pass != SIZE_MAX && *in_pass >= document->settings.passes_n)
		load_refuse(&pass, "there are %zu passes", document->settings.passes_n);
	else
		lift_flags(list, group);
}

void load_groups(const struct load_value *top, struct document *document)
{
	const struct load_value groups = load_member(top, "groups");
	struct event_list *list = &document->events;
	size_t n = load_length(groups), next = 0;

	list->groups = calloc(n + 1, sizeof(*list->groups));
	document->passes = calloc(n + 1, sizeof(*document->passes));
	if (!list->groups || !document->passes) {
		load_no_memory(top->load);
		return;
	}
	list->groups_size = n + 1;
	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value group = load_element(&groups, i);

		load_group(&group, next, document);
		next += list->groups[i].n;
	}
	if (top->load->err == 0 && next != list->n)
		load_refuse(&groups, "they hold %zu events, and there are %zu", next, list->n);
}

/* The request that an item of -M's list makes; NULL after a trouble. */
static const struct metric_request *load_request(const struct load_value *value,
						 struct document *document)
{
	const struct load_value item = load_member(value, "text");
	cleanup_free char *text = load_text(item);
	cleanup_why struct why why = { 0 };
	size_t before = document->metrics.n;
	int err = text ? metric_list_parse(&document->metrics, text, &why) : -EINVAL;

	if (err == -ENOMEM)
		load_no_memory(value->load);
	else if (err < 0)
		load_refuse(&item, "%s", why_text(&why, err));
	else if (document->metrics.n != before + 1)
		load_refuse(&item, "not one metric but several");
	return value->load->err ? NULL : &document->metrics.v[before];
}

/* next: how many indices there are before those of this metric. Returns how many there are then. */
static size_t load_metric(const struct load_value *value, size_t next, size_t *size,
			  struct document *document)
{
	const struct load_value events = load_member(value, "events");
	const struct metric_request *request = load_request(value, document);
	size_t n = load_length(events);
	size_t of_one_cgroup = document->events.n / document->settings.cgroups_n;

	if (request && n != request->expression.events_n)
		load_refuse(&events, "%zu events, and not the %zu of the expression", n,
			    request->expression.events_n);
	for (size_t i = 0; value->load->err == 0 && i < n; i++) {
		const struct load_value event = load_element(&events, i);

		if (array_grow(&document->metric_events, next, size, sizeof(size_t)) < 0) {
			load_no_memory(value->load);
			break;
		}
		document->metric_events[next] = load_size(event);
		if (document->metric_events[next++] >= of_one_cgroup)
			load_refuse(&event, "there are %zu events", of_one_cgroup);
	}
	return next;
}

void load_metrics(const struct load_value *top, struct document *document)
{
	const struct load_value metrics = load_member(top, "metrics");
	size_t n = load_is_there(metrics) ? load_length(metrics) : 0;
	size_t next = 0, size = 0;

	for (size_t i = 0; top->load->err == 0 && i < n; i++) {
		const struct load_value metric = load_element(&metrics, i);

		next = load_metric(&metric, next, &size, document);
	}
}
