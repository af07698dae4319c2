/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/why.h"
#include "event/event.h"

const char *const event_tool_names[TOOL_N] = {
	[TOOL_DURATION_TIME] = "duration_time",
	[TOOL_USER_TIME] = "user_time",
	[TOOL_SYSTEM_TIME] = "system_time",
	[TOOL_MAX_RSS] = "max_rss",
	[TOOL_MINOR_FAULTS] = "minor_faults_rusage",
	[TOOL_MAJOR_FAULTS] = "major_faults_rusage",
	[TOOL_VOLUNTARY_SWITCHES] = "voluntary_switches",
	[TOOL_INVOLUNTARY_SWITCHES] = "involuntary_switches",
	[TOOL_IN_BLOCK] = "in_block",
	[TOOL_OUT_BLOCK] = "out_block",
};

bool event_is_kprobe(const struct event *event)
{
	return event->probed && strcmp(event->pmu, "kprobe") == 0;
}

bool event_is_uprobe(const struct event *event)
{
	return event->probed && strcmp(event->pmu, "uprobe") == 0;
}

void event_release(struct event *event)
{
	free(event->name);
	free(event->pmu);
	free(event->full_name);
	free(event->probed);
	free(event->symbol);
	free(event->filter);
	free(event->cpus);
	free(event->cgroup);
	free(event->unit);
}

struct event *event_list_add(struct event_list *list, const char *source, const char *pmu)
{
	struct event event = {
		.source = source,
		.pmu = strdup(pmu),
		.unit = strdup(""),
		.factor = 1,
		.attr = { .size = sizeof(event.attr), .exclude_guest = 1 },
	};

	if (!event.pmu || !event.unit ||
	    array_grow(&list->events, list->n, &list->size, sizeof(*list->events)) < 0) {
		event_release(&event);
		return NULL;
	}
	list->events[list->n] = event;
	return &list->events[list->n++];
}

int event_set_unit(struct event *event, const char *unit, double factor)
{
	char *copy = strdup(unit);

	if (!copy)
		return -ENOMEM;
	free(event->unit);
	event->unit = copy;
	event->factor = factor;
	return 0;
}

bool event_is_clock(const struct event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	return event->tool == TOOL_NONE && attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

int event_set_clock_unit(struct event *event)
{
	return event_is_clock(event) ? event_set_unit(event, "msec", 1e-6) : 0;
}

int event_list_add_group(struct event_list *list, size_t first, size_t n)
{
	struct event_group group = { .first = first, .n = n };

	if (array_grow(&list->groups, list->groups_n, &list->groups_size, sizeof(*list->groups)) <
	    0)
		return -ENOMEM;
	list->groups[list->groups_n++] = group;
	return 0;
}

int event_list_filter(struct event_list *list, const char *filter, struct why *why)
{
	size_t name = list->n ? list->events[list->n - 1].name_index : 0;

	for (size_t i = list->n; i > 0 && list->events[i - 1].name_index == name; i--) {
		struct event *event = &list->events[i - 1];

		if (event->attr.type != PERF_TYPE_TRACEPOINT)
			return why_set(why, -EINVAL, "the preceding event '%s' is not a tracepoint",
				       event->name);
		free(event->filter);
		event->filter = strdup(filter);
		if (!event->filter)
			return -ENOMEM;
	}
	return 0;
}

/* Copy event, with its own copies of all strings. On failure the copy owns nothing. */
static int copy_event(struct event *copy, const struct event *event, const char *cgroup)
{
	char **const texts[] = { &copy->name,	&copy->pmu,    &copy->full_name,
				 &copy->probed, &copy->filter, &copy->unit,
				 &copy->cpus,	&copy->symbol, &copy->cgroup };
	bool failed = false;

	*copy = *event;
	copy->cgroup = NULL;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *text = texts[i] == &copy->cgroup ? cgroup : *texts[i];

		*texts[i] = text && !failed ? strdup(text) : NULL;
		failed |= text && !*texts[i];
	}
	if (!failed)
		return 0;
	event_release(copy);
	return -ENOMEM;
}

/* Append a copy of the first n events and groups_n groups, for a cgroup. */
static int append_for_cgroup(struct event_list *list, size_t n, size_t groups_n, const char *cgroup)
{
	size_t first = list->n;

	for (size_t i = 0; i < n; i++) {
		if (array_grow(&list->events, list->n, &list->size, sizeof(*list->events)) < 0 ||
		    copy_event(&list->events[list->n], &list->events[i], cgroup) < 0)
			return -ENOMEM;
		list->n++;
	}
	for (size_t i = 0; i < groups_n; i++) {
		struct event_group group = list->groups[i];
		char *name = group.name ? strdup(group.name) : NULL;

		if ((group.name && !name) ||
		    event_list_add_group(list, first + group.first, group.n) < 0) {
			free(name);
			return -ENOMEM;
		}
		group.first += first;
		group.name = name;
		list->groups[list->groups_n - 1] = group;
	}
	return 0;
}

int event_list_for_cgroups(struct event_list *list, char *const *cgroups, size_t n)
{
	size_t events = list->n, groups = list->groups_n;

	for (size_t i = 0; i < events; i++) {
		free(list->events[i].cgroup);
		list->events[i].cgroup = strdup(cgroups[0]);
		if (!list->events[i].cgroup)
			return -ENOMEM;
	}
	for (size_t i = 1; i < n; i++)
		if (append_for_cgroup(list, events, groups, cgroups[i]) < 0)
			return -ENOMEM;
	return 0;
}

size_t event_list_group_of(const struct event_list *list, size_t event)
{
	size_t low = 0, high = list->groups_n;

	while (low < high) { /* the groups are sorted */
		size_t middle = low + (high - low) / 2;
		const struct event_group *group = &list->groups[middle];

		if (event >= group->first && event < group->first + group->n)
			return middle;
		if (event < group->first)
			high = middle;
		else
			low = middle + 1;
	}
	return list->groups_n;
}

bool event_list_counts_whole_cpus(const struct event_list *list)
{
	bool found = false;

	for (size_t i = 0; i < list->n; i++) {
		const struct event *event = &list->events[i];

		if (!event->cpus && event->tool != TOOL_DURATION_TIME)
			return false;
		found |= event->cpus != NULL;
	}
	return found;
}

bool event_list_is_pinned(const struct event_list *list, size_t event)
{
	size_t group = event_list_group_of(list, event);

	return group < list->groups_n && list->groups[group].pinned;
}

size_t event_group_leader(const struct event_list *list, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (list->events[i].tool == TOOL_NONE)
			return i;
	return group->first;
}

void event_list_release(struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		event_release(&list->events[i]);
	for (size_t i = 0; i < list->groups_n; i++)
		free(list->groups[i].name);
	free(list->events);
	free(list->groups);
	*list = (struct event_list){ 0 };
}
