/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/events.h"
#include "cli/message.h"
#include "event/resolve.h"
#include "event/spec.h"
#include "machine/cgroup.h"
#include "metric/metric.h"

/* What perf stat counts by default, and what each -d adds. */
static const char *const default_events[] = {
	("task-clock,context-switches,cpu-migrations,page-faults,"
	 "cycles,instructions,branches,branch-misses"),
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

/* Whole CPUs have a different clock. */
static const char default_of_cpus[] = "cpu-clock,context-switches,cpu-migrations,page-faults,"
				      "cycles,instructions,branches,branch-misses";

static void report(const char *option, const char *text, int err, const struct why *trouble)
{
	cleanup_why struct why why = { 0 };

	why_of_argument(&why, err, option, text, trouble);
	message("%s", why_text(&why, err));
}

int events_add(const struct machine *m, enum resolve_by by, const char *option, const char *text,
	       struct event_list *list)
{
	cleanup_why struct why why = { 0 };
	int err = resolve_events(m, by, text, list, &why);

	if (err < 0)
		report(option, text, err, &why);
	return err;
}

/* Add an event of a metric. Its name must stand for one event, whose value the formula uses. */
static int add_metric_event(const struct machine *m, const char *option, const char *text,
			    const struct metric_request *metric, size_t i, struct wanted *wanted)
{
	const struct expression_event *name = &metric->expression.events[i];
	struct event_list *list = &wanted->events;
	cleanup_why struct why why = { 0 };
	size_t first = list->n;
	int err = resolve_events(m, RESOLVE_BY_ALL, name->text, list, &why);

	if (err < 0) {
		message("%s '%s', column %zu: metric %s: %s", option, text, name->at + 1,
			metric->name, why_text(&why, err));
		return err;
	}
	for (size_t more = first + 1; more < list->n; more++)
		if (!list->events[more].merged) {
			message("%s '%s', column %zu: metric %s: '%s' matches several events; name one of them",
				option, text, name->at + 1, metric->name, name->text);
			return -EINVAL;
		}
	if (array_grow(&wanted->metric_events, wanted->metric_events_n, &wanted->metric_events_size,
		       sizeof(*wanted->metric_events)) < 0)
		return message_no_memory();
	wanted->metric_events[wanted->metric_events_n++] = first;
	return 0;
}

/* Count the events of a metric as a group, if the PMU can do that. */
static int group_metric(struct event_list *list, size_t first, size_t first_group)
{
	for (size_t i = first; i < list->n; i++)
		if (list->events[i].cpus)
			return 0; /* of an uncore PMU */
	for (size_t i = first_group; i < list->groups_n; i++)
		free(list->groups[i].name);
	list->groups_n = first_group;
	if (event_list_add_group(list, first, list->n - first) < 0)
		return message_no_memory();
	list->groups[first_group].weak = true;
	return 0;
}

int events_add_metrics(const struct machine *m, const char *option, const char *text,
		       struct wanted *wanted)
{
	cleanup_why struct why why = { 0 };
	size_t first_metric = wanted->metrics.n;
	int err = metric_list_parse(&wanted->metrics, text, &why);

	if (err < 0)
		report(option, text, err, &why);
	for (size_t i = first_metric; err == 0 && i < wanted->metrics.n; i++) {
		const struct metric_request *metric = &wanted->metrics.v[i];
		size_t first = wanted->events.n, first_group = wanted->events.groups_n;

		for (size_t j = 0; err == 0 && j < metric->expression.events_n; j++)
			err = add_metric_event(m, option, text, metric, j, wanted);
		if (err == 0)
			err = group_metric(&wanted->events, first, first_group);
	}
	return err;
}

static int set_cgroup(struct event_list *list, size_t name, const char *cgroup)
{
	for (size_t i = 0; i < list->n; i++) {
		struct event *event = &list->events[i];

		if (event->of_name != name)
			continue;
		free(event->cgroup);
		event->cgroup = strdup(cgroup);
		if (!event->cgroup)
			return message_no_memory();
	}
	return 0;
}

/* -G: a cgroup for each event, in order; a single cgroup is for all events without one. */
static int add_cgroups(const char *text, struct wanted *wanted)
{
	cleanup_str_list struct str_list names = { 0 };
	struct event_list *list = &wanted->events;
	size_t free_n = list->names_n - wanted->cgroups_n;

	if (str_list_split(&names, text, ',') < 0)
		return message_no_memory();
	if (free_n == 0) {
		message("-G '%s': all events before it already have a cgroup, or there are none",
			text);
		return -EINVAL;
	}
	if (names.n > free_n) {
		message("-G '%s': %zu cgroups for %zu %s without a cgroup before it", text, names.n,
			free_n, free_n == 1 ? "event" : "events");
		return -EINVAL;
	}
	for (size_t i = 0; i < (names.n == 1 ? free_n : names.n); i++) {
		const char *name = names.v[names.n == 1 ? 0 : i];

		if (name[0] != '\0' && set_cgroup(list, wanted->cgroups_n, name) < 0)
			return -ENOMEM;
		wanted->cgroups_n++;
	}
	return 0;
}

/* The kernel schedules a group as a whole, so all of its events belong to one cgroup. */
static int check_cgroups(const struct event_list *list)
{
	for (size_t i = 0; i < list->groups_n; i++) {
		const struct event *first = &list->events[list->groups[i].first];

		for (size_t j = 1; j < list->groups[i].n; j++) {
			const struct event *event = first + j;

			if (str_equal(event->cgroup, first->cgroup))
				continue;
			message("-G: '%s' and '%s' are in one group but have different cgroups",
				first->name, event->name);
			return -EINVAL;
		}
	}
	return 0;
}

static int for_each_cgroup(const struct machine *m, const char *text, struct wanted *wanted)
{
	cleanup_str_list struct str_list items = { 0 };
	cleanup_str_list struct str_list names = { 0 };
	cleanup_why struct why why = { 0 };
	int err = str_list_split(&items, text, ',');

	for (size_t i = 0; err == 0 && i < items.n; i++)
		err = cgroup_match(m, items.v[i], &names, &why);
	if (err < 0) {
		message("--for-each-cgroup '%s': %s", text, why_text(&why, err));
		return err;
	}
	wanted->copies = names.n;
	err = event_list_for_cgroups(&wanted->events, names.v, names.n);
	return err < 0 ? message_no_memory() : 0;
}

static int do_request(const struct event_request *request, const struct machine *m,
		      struct wanted *wanted)
{
	struct event_list *list = &wanted->events;
	cleanup_why struct why why = { 0 };
	int err = 0;

	switch (request->kind) {
	case REQUEST_EVENTS:
		return events_add(m, RESOLVE_BY_ALL, "-e", request->text, list);
	case REQUEST_PFM_EVENTS:
		return events_add(m, RESOLVE_BY_PFM, "--pfm-events", request->text, list);
	case REQUEST_METRICS:
		return events_add_metrics(m, "-M", request->text, wanted);
	case REQUEST_CGROUPS:
		return add_cgroups(request->text, wanted);
	case REQUEST_FILTER:
		err = event_list_filter(list, request->text, &why);
	}
	if (err < 0)
		report("--filter", request->text, err, &why);
	return err;
}

/* Give an instance its own row, with a name as in perf. */
static int unmerge(struct event *event)
{
	char *name;

	event->merged = false;
	if (!event->one_of_several || !event->cpus)
		return 0;
	if (asprintf(&name, "%s [%s]", event->name, event->pmu) < 0)
		return message_no_memory();
	free(event->name);
	event->name = name;
	return 0;
}

void events_choose_modes(const struct options *o, struct event_list *list)
{
	const struct modifiers modes = { .user = o->all_user, .kernel = o->all_kernel };

	for (size_t i = 0; (o->all_user || o->all_kernel) && i < list->n; i++) {
		if (list->events[i].cpus)
			continue; /* an uncore PMU has no modes */
		list->events[i].modes_chosen = false;
		modifiers_apply(&modes, &list->events[i]);
	}
}

static int add_defaults(const struct options *o, const struct machine *m, struct event_list *list)
{
	bool cpus = o->target.cpus || (o->target.all_cpus && o->target.split != PLACE_THREAD);
	int err = 0;

	if (o->requests_n == 0 && !o->null_run)
		err = events_add(m, RESOLVE_BY_ALL, "default events",
				 cpus ? default_of_cpus : default_events[0], list);
	for (size_t i = 1; err == 0 && i <= o->detail; i++)
		err = events_add(m, RESOLVE_BY_ALL, "-d", default_events[i], list);
	return err;
}

int events_of_options(const struct options *o, const struct machine *m, struct wanted *wanted)
{
	struct event_list *list = &wanted->events;
	int err = 0;

	for (size_t i = 0; err == 0 && i < o->requests_n; i++)
		err = do_request(&o->requests[i], m, wanted);
	if (err == 0)
		err = add_defaults(o, m, list);
	for (size_t i = 0; err == 0 && o->no_merge && i < list->n; i++)
		err = unmerge(&list->events[i]);
	events_choose_modes(o, list);
	if (err == 0 && o->each_cgroup)
		err = for_each_cgroup(m, o->each_cgroup, wanted);
	return err == 0 ? check_cgroups(list) : err;
}

static bool have_partners(const struct event_list *list, const struct event_group *a,
			  const struct event_group *b)
{
	for (size_t i = a->first; i < a->first + a->n; i++)
		for (size_t j = b->first; j < b->first + b->n; j++)
			if (metric_are_partners(&list->events[i], &list->events[j]))
				return true;
	return false;
}

size_t *events_units(const struct event_list *list)
{
	size_t *units = calloc(list->groups_n + 1, sizeof(*units));

	for (size_t i = 0; units && i < list->groups_n; i++) {
		units[i] = i;
		for (size_t j = 0; j < i; j++)
			if (have_partners(list, &list->groups[j], &list->groups[i])) {
				units[i] = units[j];
				break;
			}
	}
	return units;
}

void wanted_release(struct wanted *wanted)
{
	event_list_release(&wanted->events);
	metric_list_release(&wanted->metrics);
	free(wanted->metric_events);
	*wanted = (struct wanted){ 0 };
}
