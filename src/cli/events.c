/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/events.h"
#include "cli/message.h"
#include "event/modifier.h"
#include "event/resolve.h"

/* What perf stat counts when nothing is asked for, and what each -d adds. */
static const char *const default_events[] = {
	("task-clock,context-switches,cpu-migrations,page-faults,"
	 "cycles,instructions,branches,branch-misses"),
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

static void tell(const char *option, const char *text, int err, const struct why *why)
{
	if (why->has_place)
		message("%s '%s', column %zu: %s", option, text, why->place + 1,
			why_text(why, err));
	else
		message("%s '%s': %s", option, text, why_text(why, err));
}

int events_add(const struct machine *m, enum resolve_by by, const char *option, const char *text,
	       struct event_list *list)
{
	cleanup_why struct why why = { 0 };
	int err = event_resolve(m, by, text, list, &why);

	if (err < 0)
		tell(option, text, err, &why);
	return err;
}

static int do_request(const struct event_request *request, const struct machine *m,
		      struct event_list *list)
{
	cleanup_why struct why why = { 0 };
	int err = 0;

	switch (request->kind) {
	case REQUEST_EVENTS:
		return events_add(m, RESOLVE_BY_ALL, "-e", request->text, list);
	case REQUEST_PFM_EVENTS:
		return events_add(m, RESOLVE_BY_PFM, "--pfm-events", request->text, list);
	case REQUEST_FILTER:
		err = event_list_filter(list, request->text, &why);
	}
	if (err < 0)
		tell("--filter", request->text, err, &why);
	return err;
}

/* A row of its own for an instance, told apart as perf does. */
static int unmerge(struct event *event)
{
	char *name;

	event->merged = false;
	if (!event->one_of_several || !event->cpus)
		return 0;
	if (asprintf(&name, "%s [%s]", event->name, event->pmu) < 0)
		return -ENOMEM;
	free(event->name);
	event->name = name;
	return 0;
}

void events_choose_modes(const struct options *o, struct event_list *list)
{
	const struct modifiers modes = { .user = o->all_user, .kernel = o->all_kernel };

	for (size_t i = 0; (o->all_user || o->all_kernel) && i < list->n; i++) {
		if (list->events[i].cpus)
			continue; /* an uncore PMU knows no modes */
		list->events[i].modes_chosen = false;
		modifiers_apply(&modes, &list->events[i]);
	}
}

int events_of_options(const struct options *o, const struct machine *m, struct event_list *list)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < o->requests_n; i++)
		err = do_request(&o->requests[i], m, list);
	if (err == 0 && o->requests_n == 0 && !o->null_run)
		err = events_add(m, RESOLVE_BY_ALL, "default events", default_events[0], list);
	for (size_t i = 1; err == 0 && i <= o->detail; i++)
		err = events_add(m, RESOLVE_BY_ALL, "-d", default_events[i], list);
	for (size_t i = 0; err == 0 && o->no_merge && i < list->n; i++)
		err = unmerge(&list->events[i]);
	events_choose_modes(o, list);
	return err;
}
