/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "event/event.h"

static void event_release(struct event *event)
{
	free(event->name);
	free(event->pmu);
	free(event->full_name);
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

int event_list_add_group(struct event_list *list, size_t n)
{
	struct event_group group = { .first = list->n - n, .n = n };

	if (array_grow(&list->groups, list->groups_n, &list->groups_size, sizeof(*list->groups)) <
	    0)
		return -ENOMEM;
	list->groups[list->groups_n++] = group;
	return 0;
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
