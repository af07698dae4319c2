/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"
#include "base/why.h"
#include "count/diagnose.h"
#include "count/opener.h"
#include "count/session.h"
#include "event/modifiers.h"
#include "event/resolve.h"
#include "job/events.h"
#include "job/loading.h"
#include "job/table_metrics.h"
#include "machine/cgroup.h"
#include "machine/pmu.h"
#include "metric/metric_list.h"
#include "output/notes.h"

/* The default events of perf stat that follow task-clock (with -a or -C: cpu-clock). */
static const char default_events[] = "context-switches,cpu-migrations,page-faults,"
				     "cycles,instructions,branches,branch-misses";

/* The default events of a comparison: few enough for the counters of a PMU. */
static const char default_events_compared[] =
	"task-clock,instructions,cycles,branch-misses,page-faults";

/*
 * With -d there are more events than counters. The two events of a ratio are then counted at the
 * same time, as a weak group, so that the ratio is right.
 */
static const char default_events_in_pairs[] = "context-switches,cpu-migrations,page-faults,"
					      "{cycles,instructions}:W,{branches,branch-misses}:W";

/* The events that each further -d adds. */
static const char *const detail_events[] = {
	"{L1-dcache-loads,L1-dcache-load-misses}:W,{LLC-loads,LLC-load-misses}:W",
	("{L1-icache-loads,L1-icache-load-misses}:W,{dTLB-loads,dTLB-load-misses}:W,"
	 "{iTLB-loads,iTLB-load-misses}:W"),
	"{L1-dcache-prefetches,L1-dcache-prefetch-misses}:W",
};

int events_add(struct wanted *wanted, enum resolve_by by, const char *option, const char *text,
	       struct why *why)
{
	cleanup_why struct why trouble = { 0 };
	int err = resolve_events(wanted->machine, by, text, &wanted->events, &trouble);
	const char *name = trouble.has_position ? text + trouble.position : "";
	size_t n = strcspn(name, ",}");

	if (err == -ENOENT && metric_definition_find(name, n, true))
		why_at(&trouble, err, trouble.position, "'%.*s' is a metric; use -M %.*s", (int)n,
		       name, (int)n, name);
	return err < 0 ? why_of_argument(why, err, option, text, &trouble) : 0;
}

/* Mark the events from the first one on: no option names them. */
static void events_mark_implied(struct event_list *list, size_t first)
{
	for (size_t i = first; i < list->n; i++)
		list->events[i].implied = true;
}

/*
 * ---- Metrics. Their events are counted in weak groups. Metrics with a common event share a group,
 * which counts the event once, unless the group would have too many events for most PMUs.
 */

enum { SHARED_EVENTS_MAX = 4 };

/* The metrics of one list, and the groups that they are in. */
struct metric_groups {
	const struct machine *machine;
	struct metric_request *metrics; /* their events get an index */
	size_t n;
	size_t *head; /* for each metric, the first one of its group */
};

/* An event of a group. */
struct metric_event {
	const struct metric_request *metric; /* the first one that needs it */
	const struct expression_event *name;
	size_t index; /* in the list of events */
};

struct metric_event_set {
	struct metric_event v[2 * EXPRESSION_EVENTS_MAX];
	size_t n;
};

/* The position of the event in the set; set->n if the set does not have it. */
static size_t events_find_metric_event(const struct metric_event_set *set, const char *name)
{
	size_t i = 0;

	while (i < set->n && strcmp(set->v[i].name->text, name) != 0)
		i++;
	return i;
}

/* Add the events of the metric that the set does not have yet. Returns the number of the others. */
static size_t events_add_metric_events(struct metric_event_set *set,
				       const struct metric_request *metric)
{
	size_t shared = 0;

	for (size_t i = 0; i < metric->expression.events_n; i++) {
		const struct expression_event *name = &metric->expression.events[i];

		if (events_find_metric_event(set, name->text) < set->n)
			shared++;
		else
			set->v[set->n++] = (struct metric_event){ metric, name, 0 };
	}
	return shared;
}

static struct metric_event_set events_of_group(const struct metric_groups *groups, size_t head)
{
	struct metric_event_set set = { .n = 0 };

	events_add_metric_events(&set, &groups->metrics[head]);
	for (size_t i = 0; i < groups->n; i++)
		if (groups->head[i] == head)
			events_add_metric_events(&set, &groups->metrics[i]);
	return set;
}

/* The head of the group for metric i: another one of the same set or, outside sets, with a common
 * event; or i itself. */
static size_t events_choose_head(const struct metric_groups *groups, size_t i)
{
	const size_t set_of_i = groups->metrics[i].set;

	for (size_t head = 0; head < groups->n; head++) {
		struct metric_event_set set;
		size_t n, shared;

		if (head == i || groups->head[head] != head ||
		    groups->metrics[head].set != set_of_i ||
		    groups->metrics[head].apart != groups->metrics[i].apart)
			continue;
		if (set_of_i > 0)
			return head;
		set = events_of_group(groups, head);
		n = set.n;
		shared = events_add_metric_events(&set, &groups->metrics[i]);
		if (shared > 0 && (set.n == n || set.n <= SHARED_EVENTS_MAX))
			return head;
	}
	return i;
}

/* Choose the groups, those of tables in the order of perf: metrics with more events first. */
static void events_choose_heads(struct metric_groups *groups)
{
	for (size_t n = EXPRESSION_EVENTS_MAX + 1; n-- > 0;)
		for (size_t i = 0; i < groups->n; i++)
			if (groups->metrics[i].of_table &&
			    groups->metrics[i].expression.events_n == n)
				groups->head[i] = events_choose_head(groups, i);
	for (size_t i = 0; i < groups->n; i++)
		if (!groups->metrics[i].of_table)
			groups->head[i] = events_choose_head(groups, i);
}

/* Append an event. Its name must stand for one event, whose value the formulas use. */
static int events_append_metric_event(const struct metric_groups *groups,
				      struct metric_event *event, struct event_list *list,
				      struct why *why)
{
	const struct expression_event *name = event->name;
	cleanup_why struct why trouble = { 0 };
	int err = resolve_events(groups->machine, RESOLVE_BY_ALL, name->text, list, &trouble);

	if (err < 0)
		return why_at(why, err, name->at, "metric %s: %s%s", event->metric->name,
			      why_text(&trouble, err),
			      err == -ENOENT && event->metric->of_table ?
				      table_metrics_hint(groups->machine) :
				      "");
	if (list->n == event->index)
		return why_at(why, -EINVAL, name->at, "metric %s: %s", event->metric->name,
			      list->left_out.v[list->left_out.n - 1]);
	for (size_t more = event->index + 1; more < list->n; more++)
		if (!list->events[more].merged)
			return why_at(why, -EINVAL, name->at,
				      "metric %s: '%s' matches several events; name one of them",
				      event->metric->name, name->text);
	return 0;
}

/* Tables have slots under a second name, TOPDOWN.SLOTS. A group can have it only once. */
static void events_count_slots_once(struct event_list *list, size_t first,
				    struct metric_event *event)
{
	const struct event *slots = &list->events[event->index];

	for (size_t i = first; slots->slots == SLOTS_ALL && i < event->index; i++)
		if (memcmp(&list->events[i].attr, &slots->attr, sizeof(slots->attr)) == 0) {
			event_list_remove(list, event->index);
			event->index = i;
			return;
		}
}

/* The index of the event with this name_index, from first on, that is not merged. It has to
 * exist. */
static size_t events_find_name(const struct event_list *list, size_t first, size_t name_index)
{
	size_t i = first;

	while (list->events[i].merged || list->events[i].name_index != name_index)
		i++;
	return i;
}

/* The event's PMU if the event is merged into an event of another kind of core; otherwise "". */
static const char *events_pmu_of_other_kind(const struct event *event)
{
	return event->merged && !event->cpus ? event->pmu : "";
}

/* Compare two events for events_sort(). kinds: there are several kinds of cores. */
static int events_compare(const struct event *a, const struct event *b, bool uncore_first,
			  bool kinds)
{
	static const int ranks[] = { [SLOTS_ALL] = 0, [SLOTS_PART] = 1, [SLOTS_NONE] = 2 };
	const int by_cpus = (a->cpus != NULL) - (b->cpus != NULL);
	int order = uncore_first ? -by_cpus : by_cpus;

	if (order == 0 && kinds)
		order = opener_needs_counter(b) - opener_needs_counter(a);
	if (order == 0)
		order = strcmp(events_pmu_of_other_kind(a), events_pmu_of_other_kind(b));
	return order ? order : ranks[a->slots] - ranks[b->slots];
}

/*
 * Sort the events from first on, so that those that may be in one group become neighbours, and
 * update the indexes in set. Core events are kept apart from uncore events. With several kinds of
 * cores, events that need a counter come first, by kind. slots comes before its parts.
 */
static void events_sort(struct event_list *list, size_t first, struct metric_event_set *set)
{
	const bool uncore_first = list->events[first].cpus;
	bool kinds = false;

	for (size_t i = first; i < list->n; i++)
		kinds |= *events_pmu_of_other_kind(&list->events[i]) != '\0';
	for (size_t i = 0; i < set->n; i++)
		set->v[i].index = list->events[set->v[i].index].name_index;
	for (size_t i = first + 1; i < list->n; i++) {
		const struct event event = list->events[i];
		size_t k = i;

		for (; k > first &&
		       events_compare(&event, &list->events[k - 1], uncore_first, kinds) < 0;
		     k--)
			list->events[k] = list->events[k - 1];
		list->events[k] = event;
	}
	for (size_t i = 0; i < set->n; i++)
		set->v[i].index = events_find_name(list, first, set->v[i].index);
}

/* Whether both events may be in one group. An event that is not for one kind of core cannot be in
 * the group of one kind: it would not be counted on the others. apart: only slots and its parts are
 * in a group. */
static bool events_may_be_neighbours(const struct event *left, const struct event *right,
				     bool apart)
{
	if (apart && (left->slots == SLOTS_NONE || right->slots == SLOTS_NONE))
		return false;
	return !left->cpus && !right->cpus &&
	       strcmp(events_pmu_of_other_kind(left), events_pmu_of_other_kind(right)) == 0 &&
	       (opener_needs_counter(left) == opener_needs_counter(right) ||
		(!left->summed && !right->summed));
}

/* Count the events from first on as groups of neighbours, except those of uncore PMUs. If the
 * kernel refuses a group, its events are counted separately, unless the metric is of a set. */
static int events_group_metric_events(struct event_list *list, size_t first, size_t first_group,
				      const struct metric_request *metric)
{
	size_t n;

	for (size_t i = first_group; i < list->groups_n; i++)
		free(list->groups[i].name);
	list->groups_n = first_group;
	for (size_t i = first; i < list->n; i += n) {
		n = 1;
		while (i + n < list->n &&
		       events_may_be_neighbours(&list->events[i + n - 1], &list->events[i + n],
						metric->apart))
			n++;
		if (event_list_add_group(list, i, n) < 0)
			return -ENOMEM;
		list->groups[list->groups_n - 1].weak = metric->set == 0 && !list->events[i].cpus;
	}
	return 0;
}

void events_bind(struct expression *e, size_t i, size_t index, const struct event_list *list)
{
	size_t sources = 1;

	for (size_t k = 0; k < list->n; k++)
		sources += list->events[k].merged && list->events[k].cpus &&
			   list->events[k].name_index == list->events[index].name_index &&
			   str_equal(list->events[k].cgroup, list->events[index].cgroup);
	e->events[i].index = index;
	expression_set_sources(e, i, sources);
}

/* Let the events of an expression be those of the set. */
static void events_find_all(struct expression *e, const struct metric_event_set *set,
			    const struct event_list *list)
{
	for (size_t i = 0; i < e->events_n; i++) {
		const size_t at = set->v[events_find_metric_event(set, e->events[i].text)].index;

		events_bind(e, i, at, list);
	}
}

static int events_append_metric_group(const struct metric_groups *groups, size_t head,
				      struct event_list *list, struct why *why)
{
	struct metric_event_set set = events_of_group(groups, head);
	size_t first = list->n, first_group = list->groups_n;
	int err = 0;

	for (size_t i = 0; err == 0 && i < set.n; i++) {
		set.v[i].index = list->n;
		err = events_append_metric_event(groups, &set.v[i], list, why);
		if (err == 0)
			events_count_slots_once(list, first, &set.v[i]);
	}
	if (err == 0)
		events_sort(list, first, &set);
	for (size_t i = 0; err == 0 && i < groups->n; i++) {
		struct metric_request *metric = &groups->metrics[i];

		if (groups->head[i] != head)
			continue;
		events_find_all(&metric->expression, &set, list);
	}
	/* the set needs the events of all of them until here */
	for (size_t i = 0; err == 0 && i < groups->n; i++)
		if (groups->head[i] == head && groups->metrics[i].of_table)
			err = metric_list_set_text(&groups->metrics[i]);
	return err < 0 ?
		       err :
		       events_group_metric_events(list, first, first_group, &groups->metrics[head]);
}

/* The event of some metric that has this name. NULL: no metric needs it. */
static const struct expression_event *events_find_counted(const struct metric_groups *groups,
							  const char *name)
{
	for (size_t i = 0; i < groups->n; i++)
		for (size_t k = 0; k < groups->metrics[i].expression.events_n; k++)
			if (strcmp(groups->metrics[i].expression.events[k].text, name) == 0)
				return &groups->metrics[i].expression.events[k];
	return NULL;
}

void events_note_threshold(const struct wanted *wanted, const struct metric_request *metric,
			   const char *not_counted)
{
	const struct expression *threshold = &metric->threshold;
	cleanup_with(event_list_release) struct event_list events = { .no_suggestions = true };
	cleanup_why struct why why = { 0 };
	const char *trouble = metric->threshold_trouble;

	for (size_t i = 0; !trouble && i < threshold->events_n; i++)
		if (resolve_events(wanted->machine, RESOLVE_BY_ALL, threshold->events[i].text,
				   &events, &why) == -ENOENT)
			trouble = why_text(&why, -ENOENT);
	if (trouble)
		note_print(wanted->options, "metric %s: its MetricThreshold is ignored: %s",
			   metric->name, trouble);
	else if (not_counted && wanted->options->verbose)
		note_print(
			wanted->options,
			"metric %s: its MetricThreshold is ignored: it needs '%s', which no metric of -M counts",
			metric->name, not_counted);
}

/* A threshold is used if its events are counted for the metrics: further events would take counters
 * from these. 0 or -ENOMEM. */
static int events_find_threshold(const struct wanted *wanted, const struct metric_groups *groups,
				 struct metric_request *metric)
{
	const struct event_list *list = &wanted->events;
	struct expression *threshold = &metric->threshold;

	if (metric->threshold_trouble)
		events_note_threshold(wanted, metric, NULL);
	for (size_t i = 0; i < threshold->events_n; i++) {
		const struct expression_event *counted =
			events_find_counted(groups, threshold->events[i].text);

		if (!counted) {
			events_note_threshold(wanted, metric, threshold->events[i].text);
			expression_release(threshold);
			return 0;
		}
		events_bind(threshold, i, counted->index, list);
	}
	return metric_list_settle_threshold(metric);
}

int events_find_unknown(const struct machine *m, const struct metric_request *metric,
			struct str *reason)
{
	cleanup_with(event_list_release) struct event_list events = { .no_suggestions = true };
	cleanup_why struct why why = { 0 };
	int err = 0;

	for (size_t i = 0; err == 0 && metric->of_group && i < metric->expression.events_n; i++)
		err = resolve_events(m, RESOLVE_BY_ALL, metric->expression.events[i].text, &events,
				     &why);
	if (err < 0)
		str_addf(reason, "metric '%s' is left out: %s", metric->name, why_text(&why, err));
	return reason->failed ? -ENOMEM : err;
}

/* Leave out the metrics of groups with events that this machine does not know. */
static int events_drop_unknown_metrics(struct wanted *wanted, size_t first)
{
	struct metric_request_list *list = &wanted->metrics;
	int err = 0;

	for (size_t i = list->n; err == 0 && i-- > first;) {
		cleanup_str struct str reason = { 0 };
		const int unknown = events_find_unknown(wanted->machine, &list->v[i], &reason);

		if (unknown == 0)
			continue;
		err = reason.failed ? -ENOMEM : str_list_add(&list->left_out, str_text(&reason));
		metric_list_remove(list, i);
	}
	return err;
}

/* Whether each row of the result is about whole cores. */
static bool events_counts_whole_cores(const struct options *o)
{
	const struct target_request *target = &o->target;

	for (size_t i = 0; i < o->requests_n; i++)
		if (o->requests[i].kind == REQUEST_CGROUPS)
			return false;
	return target->all_cpus && !target->cpus && !o->each_cgroup && target->split != PLACE_CPU &&
	       target->split != PLACE_THREAD;
}

static size_t events_last_set(const struct metric_request_list *metrics)
{
	size_t last = 0;

	for (size_t i = 0; i < metrics->n; i++)
		last = metrics->v[i].set > last ? metrics->v[i].set : last;
	return last;
}

/* Append the metrics of text, the argument of -M, and their events. */
static int events_add_metrics(struct wanted *wanted, const char *text, struct why *why)
{
	size_t head[METRIC_REQUESTS_MAX] = { 0 }, first = wanted->metrics.n;
	const size_t events_n = wanted->events.n;
	struct metric_groups groups = { .machine = wanted->machine, .head = head };
	struct str_list *left_out = &wanted->metrics.left_out;
	struct table_metrics of_tables = { .machine = wanted->machine,
					   .target = &wanted->options->target,
					   .whole_cores =
						   events_counts_whole_cores(wanted->options),
					   .sets = events_last_set(&wanted->metrics) };
	const struct metric_tables tables = table_metrics_of(&of_tables);
	int err = metric_list_parse_with(&wanted->metrics, text, &tables, why);

	if (err == 0)
		err = events_drop_unknown_metrics(wanted, first);
	for (size_t i = 0; err == 0 && i < left_out->n; i++)
		note_print(wanted->options, "%s", left_out->v[i]);
	if (err == 0 && wanted->metrics.n == first && left_out->n > 0)
		err = why_set(why, -ENOENT, "this machine cannot count any of these metrics");
	str_list_release(left_out);
	if (err < 0)
		return err;
	groups.metrics = wanted->metrics.v + first;
	groups.n = wanted->metrics.n - first;
	for (size_t i = 0; i < groups.n; i++)
		head[i] = groups.n; /* in no group so far */
	events_choose_heads(&groups);
	for (size_t i = 0; err == 0 && i < groups.n; i++)
		if (head[i] == i)
			err = events_append_metric_group(&groups, i, &wanted->events, why);
	for (size_t i = 0; err == 0 && i < groups.n; i++)
		err = events_find_threshold(wanted, &groups, &groups.metrics[i]);
	events_mark_implied(&wanted->events, events_n);
	return err;
}

/* ---- Cgroups. */

/* -G: a cgroup for each event, in order; a single cgroup is for all events without one. */
static int events_add_cgroups(struct wanted *wanted, const char *text, struct why *why)
{
	cleanup_str_list struct str_list names = { 0 };
	struct event_list *list = &wanted->events;
	size_t free_n = list->names_n - wanted->cgroups_n, first = wanted->cgroups_n;

	if (str_list_split(&names, text, ',') < 0)
		return -ENOMEM;
	if (free_n == 0)
		return why_set(why, -EINVAL,
			       "-G '%s': no event before -G lacks a cgroup; give -e first", text);
	if (names.n > free_n)
		return why_set(why, -EINVAL,
			       "-G '%s': %zu cgroups, but only %zu earlier %s without a cgroup",
			       text, names.n, free_n, free_n == 1 ? "event" : "events");
	wanted->cgroups_n += names.n == 1 ? free_n : names.n;
	for (size_t i = 0; i < list->n; i++) {
		struct event *event = &list->events[i];
		const char *name;

		if (event->name_index < first || event->name_index >= wanted->cgroups_n)
			continue;
		name = names.v[names.n == 1 ? 0 : event->name_index - first];
		if (name[0] == '\0')
			continue;
		free(event->cgroup);
		event->cgroup = strdup(name);
		if (!event->cgroup)
			return -ENOMEM;
	}
	return 0;
}

/* The kernel schedules a group as a whole, so all of its events belong to one cgroup. */
static int events_check_cgroups(const struct event_list *list, struct why *why)
{
	for (size_t i = 0; i < list->groups_n; i++) {
		const struct event *first = &list->events[list->groups[i].first];

		for (size_t j = 1; j < list->groups[i].n; j++) {
			const struct event *event = first + j;

			if (!str_equal(event->cgroup, first->cgroup))
				return why_set(
					why, -EINVAL,
					"-G: '%s' and '%s' are in one group but have different cgroups",
					first->name, event->name);
		}
	}
	return 0;
}

static int events_for_each_cgroup(struct wanted *wanted, struct why *why)
{
	const char *text = wanted->options->each_cgroup;
	cleanup_str_list struct str_list items = { 0 };
	cleanup_str_list struct str_list names = { 0 }, unmatched = { 0 };
	cleanup_why struct why trouble = { 0 };
	int err = str_list_split(&items, text, ',');

	if (err == 0)
		err = cgroup_match(wanted->machine, &items, &names, &unmatched, &trouble);
	if (err < 0)
		return why_of_argument(why, err, "--for-each-cgroup", text, &trouble);
	for (size_t i = 0; i < unmatched.n; i++)
		note_print(wanted->options, "--for-each-cgroup: no cgroup matches '%s'",
			   unmatched.v[i]);
	wanted->copies = names.n;
	return event_list_for_cgroups(&wanted->events, names.v, names.n);
}

/* ---- Optional events. */

/* Append what event i of the list means, to try it. A part of slots is tried with the leader of its
 * group. 0; -errno with why. */
static int events_append_trial(struct wanted *trial, const struct event_list *list, size_t i,
			       struct why *why)
{
	const struct event_group alone = { 0 };
	const struct event_group *group = &list->groups[event_list_group_of(list, i)];
	size_t first = trial->events.n;
	int err = 0;

	if (list->events[i].slots == SLOTS_PART && list->events[group->first].slots == SLOTS_ALL)
		err = resolve_again(trial->machine, &list->events[group->first], &trial->events,
				    why);
	if (err == 0)
		err = resolve_again(trial->machine, &list->events[i], &trial->events, why);
	return err == 0 ? resolve_group_again(&trial->events, first, &alone) : err;
}

/*
 * Remove the optional events from the first one on that the kernel refuses. 0; -errno with why.
 */
static int events_drop_refused(struct wanted *wanted, size_t first, struct why *why)
{
	cleanup_with(wanted_release) struct wanted trial = { .options = wanted->options,
							     .machine = wanted->machine };
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_with(session_close) struct session session = { 0 };
	struct event_list *list = &wanted->events;
	cleanup_free size_t *tried = calloc(list->n + 1, sizeof(*tried));
	int err = tried ? 0 : -ENOMEM;

	for (size_t i = first; err == 0 && i < list->n; i++) {
		tried[i] = trial.events.n;
		/* the instances of an uncore PMU stay together */
		if (list->events[i].optional && !list->events[i].merged &&
		    !events_lack_address(&list->events[i]))
			err = events_append_trial(&trial, list, i, why);
		tried[i + 1] = trial.events.n;
	}
	if (err == 0 && trial.events.n > 0)
		err = events_try(&trial, &trial.events, &target, &session, why);
	for (size_t i = list->n; err == 0 && i-- > first;) {
		size_t at = tried[i];
		const struct opening *opening;
		cleanup_str struct str reason = { 0 };

		while (at < tried[i + 1] && !session.openings[at].refused)
			at++;
		if (at == tried[i + 1])
			continue;
		opening = &session.openings[at];
		str_addf(&reason, "'%s' is left out: %s", list->events[i].name,
			 opening->reason.text);
		err = reason.failed ? -ENOMEM : str_list_add(&list->left_out, str_text(&reason));
		for (size_t k = list->n; k-- > i + 1;)
			if (list->events[k].merged &&
			    list->events[k].name_index == list->events[i].name_index)
				event_list_remove(list, k);
		event_list_remove(list, i);
	}
	return err;
}

/* Give each instance of an uncore PMU, or each kind of core, its own row if the options ask for it.
 * The row is named as in perf. */
static int events_unmerge(const struct options *o, struct event *event)
{
	const char *terms = strchr(event->name, '/');
	char *name = event->kind_name;
	int n = 0;

	if (!event->one_of_several || !(event->cpus ? o->no_merge : o->no_hybrid_merge))
		return 0;
	event->merged = event->summed = false;
	if (event->cpus)
		n = terms ? asprintf(&name, "%s%s", event->pmu, terms) :
			    asprintf(&name, "%s [%s]", event->name, event->pmu);
	if (n < 0)
		return -ENOMEM;
	if (!name)
		return 0;
	free(event->name);
	event->name = name;
	event->kind_name = NULL;
	return 0;
}

/* Unmerge the events from first on. Events of metrics stay merged, because a formula needs one
 * value. */
static int events_unmerge_from(const struct wanted *wanted, size_t first)
{
	int err = 0;

	for (size_t i = first; err == 0 && i < wanted->events.n; i++)
		err = events_unmerge(wanted->options, &wanted->events.events[i]);
	return err;
}

/* Add the events of -e, and print the optional ones that are left out. */
static int events_add_request(struct wanted *wanted, enum resolve_by by, const char *option,
			      const char *text, struct why *why)
{
	struct str_list *left_out = &wanted->events.left_out;
	const size_t first = wanted->events.n;
	int err;

	wanted->events.all_optional = wanted->options->skip_unknown;
	err = events_add(wanted, by, option, text, why);
	wanted->events.all_optional = false;
	if (err == 0)
		err = events_drop_refused(wanted, first, why);
	if (err == 0)
		err = events_unmerge_from(wanted, first);
	for (size_t i = 0; err == 0 && i < left_out->n; i++)
		note_print(wanted->options, "%s", left_out->v[i]);
	str_list_release(left_out);
	return err;
}

static int events_do_request(struct wanted *wanted, const struct event_request *request,
			     struct why *why)
{
	const char *text = request->text, *option = "-M";
	cleanup_why struct why trouble = { 0 };
	int err = 0;

	switch (request->kind) {
	case REQUEST_EVENTS:
		return events_add_request(wanted, RESOLVE_BY_ALL, "-e", text, why);
	case REQUEST_PFM_EVENTS:
		return events_add_request(wanted, RESOLVE_BY_PFM, "--pfm-events", text, why);
	case REQUEST_CGROUPS:
		return events_add_cgroups(wanted, text, why);
	case REQUEST_METRICS:
		err = events_add_metrics(wanted, text, &trouble);
		break;
	case REQUEST_TOPDOWN:
		err = events_add_metrics(wanted, text, &trouble);
		return err < 0 ? why_set(why, err, "--topdown: %s", why_text(&trouble, err)) : 0;
	case REQUEST_FILTER:
		option = "--filter";
		err = event_list_filter(&wanted->events, text, &trouble);
	}
	return err < 0 ? why_of_argument(why, err, option, text, &trouble) : 0;
}

void events_choose_modes(struct wanted *wanted)
{
	const struct options *o = wanted->options;
	const struct modifiers modes = { .user = o->all_user, .kernel = o->all_kernel };
	struct event_list *list = &wanted->events;

	for (size_t i = 0; (o->all_user || o->all_kernel) && i < list->n; i++) {
		if (list->events[i].cpus)
			continue; /* an uncore PMU has no modes */
		if (event_is_clock(&list->events[i]))
			continue; /* the kernel ignores its modes */
		list->events[i].modes_chosen = false;
		modifiers_apply(&modes, &list->events[i]);
	}
}

/* 1 if the kernel accepts all events of the list, 0 if not, or -ENOMEM. */
static int events_is_accepted(const struct wanted *wanted, const char *text)
{
	cleanup_with(wanted_release) struct wanted trial = { .options = wanted->options,
							     .machine = wanted->machine };
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_with(session_close) struct session session = { 0 };
	cleanup_why struct why why = { 0 };
	int err = events_add(&trial, RESOLVE_BY_ALL, "", text, &why);

	if (err == 0)
		err = events_try(&trial, &trial.events, &target, &session, &why);
	for (size_t i = 0; err == 0 && i < trial.events.n; i++)
		if (session.openings[i].refused)
			return 0;
	return err == 0 ? 1 : err == -ENOMEM ? err : 0;
}

/* The parts of the slots, on Intel's processors that count them without a general counter. The
 * efficient cores of hybrid machines have some of these names, too. */
static int events_add_slots_events(struct wanted *wanted, const char *option, struct why *why)
{
	const struct machine *m = wanted->machine;
	const bool hybrid = machine_has(m, PMU_DEVICES "/cpu_core/type");
	cleanup_str struct str group = { 0 };
	const char *name;
	int err;

	/* neither the columns of processes nor a comparison can show their percentages */
	if (wanted->options->target.split == PLACE_PROCESS ||
	    options_is_comparison(wanted->options))
		return 0;
	if (!machine_has(m, PMU_DEVICES "/%s/events/slots", hybrid ? "cpu_core" : "cpu"))
		return 0;
	str_add(&group, hybrid ? "{cpu_core/slots/" : "{slots");
	for (size_t i = 0; (name = metric_slots_event(i)); i++)
		if (machine_has(m, PMU_DEVICES "/%s/events/%s", hybrid ? "cpu_core" : "cpu", name))
			str_addf(&group, hybrid ? ",cpu_core/%s/" : ",%s", name);
	str_add(&group, "}");
	if (group.failed)
		return -ENOMEM;
	err = events_is_accepted(wanted, str_text(&group));
	return err == 1 ? events_add(wanted, RESOLVE_BY_ALL, option, str_text(&group), why) : err;
}

static int events_add_default_events(struct wanted *wanted, struct why *why)
{
	static const char option[] = "default events";
	const struct options *o = wanted->options;
	bool of_cpus = o->target.cpus || o->target.all_cpus;
	int err;

	if (options_is_comparison(o) && !of_cpus && o->detail == 0)
		return events_add(wanted, RESOLVE_BY_ALL, option, default_events_compared, why);
	err = events_add(wanted, RESOLVE_BY_ALL, option, of_cpus ? "cpu-clock" : "task-clock", why);
	if (err < 0)
		return err;
	err = events_add(wanted, RESOLVE_BY_ALL, option,
			 o->detail ? default_events_in_pairs : default_events, why);
	return err == 0 ? events_add_slots_events(wanted, option, why) : err;
}

/* perf omits the modifiers of a tracepoint, and the length of a breakpoint and what follows it. */
static void events_name_as_perf(struct event *event)
{
	char *end = NULL;

	if (event->attr.type == PERF_TYPE_BREAKPOINT) {
		end = strchr(event->name, '/');
	} else if (event->attr.type == PERF_TYPE_TRACEPOINT && !event->probed) {
		end = strchr(event->name, ':');
		end = end ? strchr(end + 1, ':') : NULL;
	}
	if (end)
		*end = '\0';
}

int events_of_options(struct wanted *wanted, struct why *why)
{
	const struct options *o = wanted->options;
	struct event_list *list = &wanted->events;
	size_t requested_n;
	int err = 0;

	for (size_t i = 0; err == 0 && i < o->requests_n; i++)
		err = events_do_request(wanted, &o->requests[i], why);
	requested_n = list->n;
	if (o->requests_n == 0 && !o->null_run)
		err = events_add_default_events(wanted, why);
	for (size_t i = 0; err == 0 && i < o->detail; i++)
		err = events_add(wanted, RESOLVE_BY_ALL, "-d", detail_events[i], why);
	if (err == 0)
		err = events_unmerge_from(wanted, requested_n);
	if (o->requests_n == 0)
		events_mark_implied(list, 0);
	events_choose_modes(wanted);
	if (err == 0 && o->each_cgroup)
		err = events_for_each_cgroup(wanted, why);
	for (size_t i = 0; err == 0 && o->verbose && i < list->n; i++)
		if (list->events[i].has_ignored_terms)
			note_print(o, "%s: period, freq, percore and metric-id have no effect",
				   list->events[i].name);
	for (size_t i = 0; o->as_perf && i < list->n; i++)
		events_name_as_perf(&list->events[i]);
	return err == 0 ? events_check_cgroups(list, why) : err;
}

static bool events_have_partners(const struct event_list *list, const struct event_group *a,
				 const struct event_group *b)
{
	for (size_t i = a->first; i < a->first + a->n; i++)
		for (size_t j = b->first; j < b->first + b->n; j++)
			if (metric_are_partners(&list->events[i], &list->events[j]))
				return true;
	return false;
}

/* Join the units of two groups. */
static void events_join_units(size_t *units, size_t n, size_t a, size_t b)
{
	const size_t joined = units[b];

	for (size_t i = 0; i < n; i++)
		units[i] = units[i] == joined ? units[a] : units[i];
}

/* Join the units of all groups that have an event of the metric, or an instance of one. */
static void events_join_metric(size_t *units, const struct event_list *list,
			       const struct metric_request *metric)
{
	const size_t first = event_list_group_of(list, metric_list_at(metric));

	for (size_t i = 0; i < metric->expression.events_n; i++) {
		const size_t name_index =
			list->events[metric->expression.events[i].index].name_index;

		for (size_t k = 0; k < list->n; k++)
			if (list->events[k].name_index == name_index)
				events_join_units(units, list->groups_n, first,
						  event_list_group_of(list, k));
	}
}

static bool events_shares_unit(const size_t *units, size_t n, size_t group)
{
	for (size_t i = 0; i < n; i++)
		if (i != group && units[i] == units[group])
			return true;
	return false;
}

/* Join the events of metrics before ratio partners, because partners could make the unit of a
 * metric too large for the PMU. */
size_t *events_units(const struct event_list *list, const struct metric_request_list *metrics)
{
	const size_t n = list->groups_n;
	size_t *units = calloc(2 * n + 1, sizeof(*units));
	size_t *of_metrics = units ? units + n : NULL;

	for (size_t i = 0; units && i < n; i++)
		units[i] = i;
	for (size_t i = 0; units && metrics && i < metrics->n; i++)
		events_join_metric(units, list, &metrics->v[i]);
	if (units)
		memcpy(of_metrics, units, n * sizeof(*units));
	for (size_t i = 0; units && i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (events_have_partners(list, &list->groups[j], &list->groups[i]) &&
			    !events_shares_unit(of_metrics, n, i) &&
			    !events_shares_unit(of_metrics, n, j)) {
				events_join_units(units, n, j, i);
				break;
			}
	for (size_t i = 0; units && i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (event_list_has_kinds(list, i, j))
				events_join_units(units, n, j, i);
	return units;
}

void wanted_release(struct wanted *wanted)
{
	event_list_release(&wanted->events);
	metric_list_release(&wanted->metrics);
	free(wanted->gates.v);
	*wanted = (struct wanted){ 0 };
}

/* ---- What the kernel accepts. */

bool events_lack_address(const struct event *event)
{
	return event->relocated || (event->symbol && !event->attr.bp_addr);
}

int events_try(const struct wanted *wanted, const struct event_list *events, struct target *target,
	       struct session *session, struct why *why)
{
	const struct options *o = wanted->options;
	const struct session_setup setup = {
		.machine = wanted->machine,
		.events = events,
		.target = target,
		.inherit = COUNTER_ALL_TASKS,
		.has_command = !options_has_target(o),
		.watch = o->verbose && o->job == JOB_EXPLAIN ? notes_print_call : NULL,
	};
	int err = target_init(target, wanted->machine, &o->target, why);
	sigset_t all, before;

	if (err < 0)
		return err;
	/* a signal before the events are closed would leave events in tracefs */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	err = session_open(session, &setup, why);
	/* open them on pstat, because there is no command; the kernel's answer is the same */
	if (err == 0 && session->reopens)
		err = session_open_counters(session, target->scopes, 1);
	session_close_counters(session);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

int events_try_metric(const struct wanted *wanted, struct metric_request *metric, size_t *counters,
		      struct str *here)
{
	const struct options quiet = { .target = wanted->options->target };
	size_t head = 0;
	const struct metric_groups groups = {
		.machine = wanted->machine, .metrics = metric, .n = 1, .head = &head
	};
	cleanup_with(wanted_release) struct wanted trial = { .options = &quiet,
							     .machine = wanted->machine,
							     .events.no_suggestions = true };
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_with(session_close) struct session session = { 0 };
	const struct event_list *list = &trial.events;
	const char *refusal = NULL;
	bool split = false;
	cleanup_why struct why why = { 0 };
	int err = events_append_metric_group(&groups, 0, &trial.events, &why);

	*counters = 0;
	for (size_t i = 0; err == 0 && i < list->n; i++)
		*counters += opener_needs_counter(&list->events[i]) && !list->events[i].merged &&
			     list->events[i].slots != SLOTS_PART;
	if (err < 0 || !machine_is_here(wanted->machine))
		return err == -ENOMEM ? err : 0;
	err = events_try(&trial, list, &target, &session, &why);
	for (size_t i = 0; err == 0 && i < list->n; i++) {
		const struct opening *opening = &session.openings[i];

		split |= opening->apart;
		if (opening->refused && !refusal)
			refusal = opening->reason.text;
	}
	if (refusal)
		str_addf(here, "cannot be counted: %s", refusal);
	else if (err == 0)
		str_add(here,
			split ? "too few counters for all events at once, so the value is an estimate" :
				"can be counted");
	return err == -ENOMEM || here->failed ? -ENOMEM : 0;
}

/* ---- The saved reference. */

int baseline_load(struct baseline *b, const struct options *o, struct why *why)
{
	int err;

	b->path = o->compare_options.baseline;
	err = loading_file(&b->saved, "--baseline", b->path, why);
	if (err == 0)
		err = loading_add_up_processes(&b->saved);
	if (err == 0 && b->saved.comparison.cases_n > 0)
		err = why_set(why, -EINVAL, "--baseline %s has several cases; give a result of one",
			      b->path);
	if (err < 0)
		return err;
	b->document = b->saved.documents;
	b->name = b->saved.is_comparison ? b->saved.comparison.sides[0].name :
					   file_name_shown(b->path);
	if (b->saved.is_comparison)
		note_print(o, "--baseline %s is a comparison: its reference, '%s', is the baseline",
			   b->path, b->name);
	return 0;
}

void baseline_release(struct baseline *b)
{
	saved_release(&b->saved);
}

/* Whether the baseline decides what is counted, because the options do not. */
static bool events_decides(const struct options *o)
{
	return o->compare_options.baseline && o->requests_n == 0 && o->detail == 0 && !o->null_run;
}

/* Whether an event or a metric has this name. */
static bool events_have_name(const struct event_list *events,
			     const struct metric_request_list *metrics, const char *name)
{
	for (size_t i = 0; i < events->n; i++)
		if (strcmp(events->events[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < metrics->n; i++)
		if (strcmp(metrics->v[i].name, name) == 0)
			return true;
	return false;
}

/* Whether pstat itself measures this name, so that every comparison has a row for it. */
static bool events_is_own_row(const char *name)
{
	for (enum tool_event tool = TOOL_DURATION_TIME; tool <= TOOL_MAX_RSS; tool++)
		if (strcmp(event_tool_names[tool], name) == 0)
			return true;
	return false;
}

static void events_add_own_rows(struct str *names)
{
	for (enum tool_event tool = TOOL_DURATION_TIME; tool <= TOOL_MAX_RSS; tool++)
		str_add_listed(names, event_tool_names[tool]);
}

static bool events_baseline_has_name(const struct baseline *b, const char *name)
{
	return events_have_name(&b->document->events, &b->document->metrics, name);
}

/* Append these names and those that every comparison has, separated by commas. */
static void events_add_names_of_baseline(const struct baseline *b, struct str *names)
{
	const struct event_list *list = &b->document->events;
	const struct metric_request_list *metrics = &b->document->metrics;

	for (size_t i = 0; i < list->n; i++)
		if (!events_is_own_row(list->events[i].name))
			str_add_listed(names, list->events[i].name);
	for (size_t i = 0; i < metrics->n; i++)
		if (!events_is_own_row(metrics->v[i].name))
			str_add_listed(names, metrics->v[i].name);
	events_add_own_rows(names);
}

/* ---- The events of the baseline. */

/* If only user mode could be counted then, count only user mode now. */
static int events_narrow(const struct document *document, size_t then, struct event *event)
{
	const struct opening *opening = &document->openings[then];

	if (!opening->user_only || event_is_clock(event) || event->cpus || event->tool != TOOL_NONE)
		return 0;
	event->attr.exclude_kernel = event->attr.exclude_hv = 1;
	event->modes_chosen = true;
	free(event->name);
	event->name = measure_event_name(&document->events.events[then], opening);
	return event->name ? 0 : -ENOMEM;
}

#define SEVERAL_EVENTS SIZE_MAX

/* Append an event of the baseline. *now: its name_index, or SEVERAL_EVENTS. */
static int events_append_event(struct wanted *wanted, const struct baseline *b, size_t then,
			       size_t *now, struct why *why)
{
	const struct event *event = &b->document->events.events[then];
	struct event_list *list = &wanted->events;
	cleanup_str struct str option = { 0 };
	cleanup_why struct why trouble = { 0 };
	size_t first = list->n;
	int err = resolve_again(wanted->machine, event, list, &trouble);

	str_addf(&option, "--baseline %s:", b->path);
	if (err < 0)
		return why_of_argument(why, err, str_text(&option), event->name, &trouble);
	*now = list->events[first].name_index;
	for (size_t i = first; err == 0 && i < list->n; i++) {
		if (i > first && !list->events[i].merged)
			*now = SEVERAL_EVENTS;
		list->events[i].implied = event->implied;
		err = events_narrow(b->document, then, &list->events[i]);
	}
	return err;
}

/* Copy the unit, the threshold and the topdown members of a metric of the baseline. now: see
 * events_append_metrics(). 0 or -ENOMEM. */
static int events_copy_presentation(struct metric_request *to, const struct metric_request *from,
				    const size_t *now, const struct event_list *list)
{
	cleanup_str struct str text = { 0 };
	cleanup_why struct why why = { 0 };

	to->topdown = from->topdown;
	to->next = from->next;
	to->set = from->set;
	if (from->scale) {
		to->scale = strdup(from->scale);
		if (!to->scale)
			return -ENOMEM;
	}
	expression_add_text(&text, &from->threshold);
	if (text.failed || (text.len > 0 && expression_parse(&to->threshold, text.text, text.len, 0,
							     NULL, &why) == -ENOMEM))
		return -ENOMEM;
	for (size_t i = 0; i < to->threshold.events_n; i++) {
		const size_t index = now[from->threshold.events[i].index];

		if (index == SEVERAL_EVENTS) {
			expression_release(&to->threshold);
			break;
		}
		events_bind(&to->threshold, i, index, list);
	}
	return 0;
}

/* Append the metrics of the baseline. now: for each event of the baseline, its index in list. */
static int events_append_metrics(const struct baseline *b, const size_t *now,
				 const struct event_list *list, struct metric_request_list *metrics,
				 struct why *why)
{
	for (size_t i = 0; i < b->document->metrics.n; i++) {
		const struct metric_request *then = &b->document->metrics.v[i];
		cleanup_why struct why trouble = { 0 };
		int err = metric_list_parse(metrics, then->text, &trouble);

		if (err < 0)
			return why_set(why, err, "--baseline %s: metric %s: %s", b->path,
				       then->name, why_text(&trouble, err));
		for (size_t k = 0; k < then->expression.events_n; k++) {
			const struct expression_event *event = &then->expression.events[k];

			if (now[event->index] == SEVERAL_EVENTS)
				return why_set(why, -EINVAL,
					       "--baseline %s: metric %s: '%s' matches several "
					       "events; choose the events with -e",
					       b->path, then->name, event->text);
			events_bind(&metrics->v[i].expression, k, now[event->index], list);
		}
		err = events_copy_presentation(&metrics->v[i], then, now, list);
		if (err < 0)
			return err;
	}
	return 0;
}

/*
 * Append the events and metrics of the baseline. Each event is resolved by its name on this
 * machine, and keeps its group and the modes that it was counted in. 0; -errno with why.
 */
static int events_of_baseline(struct wanted *wanted, const struct baseline *b, struct why *why)
{
	const struct event_list *then = &b->document->events;
	cleanup_free size_t *now = calloc(then->n + 1, sizeof(*now));
	int err = now ? 0 : -ENOMEM;

	for (size_t g = 0; err == 0 && g < then->groups_n; g++) {
		const struct event_group *group = &then->groups[g];
		size_t first = wanted->events.n;

		for (size_t i = group->first; err == 0 && i < group->first + group->n; i++) {
			const struct event *event = &then->events[i];

			if (event->cgroup)
				return why_set(
					why, -EINVAL,
					"--baseline %s: %s was counted in the cgroup %s, but "
					"commands are not; choose the events with -e",
					b->path, event->name, event->cgroup);
			now[i] = SEVERAL_EVENTS;
			if (!event->merged)
				err = events_append_event(wanted, b, i, &now[i], why);
		}
		if (err == 0)
			err = resolve_group_again(&wanted->events, first, group);
		for (size_t i = group->first; err == 0 && i < group->first + group->n; i++)
			if (now[i] != SEVERAL_EVENTS)
				now[i] = events_find_name(&wanted->events, first, now[i]);
	}
	return err == 0 ? events_append_metrics(b, now, &wanted->events, &wanted->metrics, why) :
			  err;
}

/* ---- The events of a comparison. */

static bool events_is_compared(const struct wanted *wanted, const char *name)
{
	return events_have_name(&wanted->events, &wanted->metrics, name) || events_is_own_row(name);
}

/*
 * Find the event in the list that the name of the gate means as an alias: "faults" for
 * "page-faults". NULL: there is none. Other sources may use such a name for something else.
 */
static const char *events_find_alias(const struct event_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->events[i].source, source_generic.name) == 0 &&
		    comparison_is_named(list->events[i].name, name, NAME_ALIAS))
			return list->events[i].name;
	return NULL;
}

/* Whether no row has the name of the gate, but all sides count its event under the other name. */
static bool events_has_alias(const struct wanted *wanted, const struct baseline *b,
			     const char *name)
{
	const char *alias;

	if (events_is_compared(wanted, name) || (b && events_baseline_has_name(b, name)))
		return false;
	alias = events_find_alias(b && events_decides(wanted->options) ? &b->document->events :
									 &wanted->events,
				  name);
	return alias && (!b || events_baseline_has_name(b, alias));
}

/* Append the events of a gate, which is about an event or a metric that is counted. 0; -errno with
 * why. */
static int events_append_trials(struct wanted *trial, const struct wanted *wanted, const char *name,
				struct why *why)
{
	const struct event_list *list = &wanted->events;
	int err = 0;

	for (enum name_match match = NAME_EXACT; trial->events.n == 0 && match < NAME_MATCHES_N;
	     match++)
		for (size_t i = 0; err == 0 && i < list->n; i++)
			if (comparison_is_named(list->events[i].name, name, match))
				err = events_append_trial(trial, list, i, why);
	for (size_t i = 0; i < wanted->metrics.n; i++) {
		const struct metric_request *metric = &wanted->metrics.v[i];

		for (size_t k = 0; err == 0 && k < metric->expression.events_n; k++)
			if (strcmp(metric->name, name) == 0)
				err = events_append_trial(trial, list,
							  metric->expression.events[k].index, why);
	}
	return err;
}

/*
 * Append the event of a gate that is not counted yet. A gate needs exactly one event. If its name
 * matches several events, each of these has a name of its own.
 */
static int events_append_of_gate(struct wanted *wanted, const struct gate_request *gate,
				 struct why *why)
{
	size_t first = wanted->events.n;
	cleanup_str struct str names = { 0 };
	int err = events_add(wanted, RESOLVE_BY_ALL, "--fail-if", gate->name, why);

	if (err < 0 || events_is_compared(wanted, gate->name))
		return err;
	for (size_t i = first; i < wanted->events.n; i++)
		str_add_listed(&names, wanted->events.events[i].name);
	return why_set(why, -EINVAL, "--fail-if '%s': '%s' matches %s; name one of them",
		       gate->text, gate->name, str_text(&names));
}

/* Whether the rows of all sides, or the events of the baseline, have the event of the gate. */
static bool events_is_counted(const struct wanted *wanted, const struct baseline *b,
			      const char *name)
{
	return events_has_alias(wanted, b, name) || events_is_compared(wanted, name) ||
	       (b && events_decides(wanted->options));
}

/* Whether the kernel accepts the events of a gate. 0; -ENOTSUP or another -errno with why. */
static int events_try_gate(const struct wanted *wanted, const struct baseline *b,
			   const struct gate_request *gate, struct why *why)
{
	cleanup_with(wanted_release) struct wanted trial = { .options = wanted->options,
							     .machine = wanted->machine };
	cleanup_with(target_release) struct target target = { 0 };
	cleanup_with(session_close) struct session session = { 0 };
	const struct event_list *list = &trial.events;
	int err;

	if (events_is_counted(wanted, b, gate->name)) {
		err = events_append_trials(&trial, wanted, gate->name, why);
	} else {
		err = events_append_of_gate(&trial, gate, why);
		events_choose_modes(&trial);
	}
	if (err == 0 && list->n > 0)
		err = events_try(&trial, list, &target, &session, why);
	for (size_t i = 0; err == 0 && i < list->n; i++)
		if (session.openings[i].refused && !events_lack_address(&list->events[i]))
			err = why_set(why, -ENOTSUP, "--fail-if '%s': %s", gate->text,
				      session.openings[i].reason.text);
	return err;
}

/* The name that the user probably meant, if nothing that is compared has the name of the gate.
 * NULL: there is no such name, or no need for it. */
static const char *events_name_meant(const struct wanted *wanted, const char *name)
{
	const struct metric_request_list *metrics = &wanted->metrics;
	cleanup_with(event_list_release) struct event_list events = { .no_suggestions = true };
	cleanup_why struct why why = { 0 };

	if (events_is_compared(wanted, name))
		return NULL;
	for (size_t i = 0; i < metrics->n; i++)
		if (strcasecmp(metrics->v[i].name, name) == 0 &&
		    resolve_events(wanted->machine, RESOLVE_BY_ALL, name, &events, &why) < 0)
			return metrics->v[i].name;
	return comparison_name_meant(name);
}

/* Check the name of a gate, and whether it can be counted. 0; -errno with why. */
static int events_check_gate(const struct wanted *wanted, const struct baseline *b,
			     const struct gate_request *gate, struct why *why)
{
	const char *name = gate->name, *meant = events_name_meant(wanted, name);
	cleanup_str struct str names = { 0 };

	if (meant)
		return why_set(why, -EINVAL,
			       "--fail-if '%s': '%s' is not compared; did you mean '%s'?",
			       gate->text, name, meant);
	if (b && !events_is_own_row(name) && !events_baseline_has_name(b, name) &&
	    !events_has_alias(wanted, b, name)) {
		events_add_names_of_baseline(b, &names);
		return why_set(why, -EINVAL,
			       "--fail-if '%s': --baseline %s has no '%s'; choose from %s",
			       gate->text, b->path, name, str_text(&names));
	}
	if (wanted->options->null_run && !events_is_counted(wanted, b, name)) {
		events_add_own_rows(&names);
		return why_set(why, -EINVAL,
			       "--fail-if '%s': with -n there is no row '%s'; choose from %s",
			       gate->text, name, str_text(&names));
	}
	return events_try_gate(wanted, b, gate, why);
}

/* Append a gate that can be counted here instead of this one to an explanation. */
static void events_add_substitute(const struct wanted *wanted, const struct baseline *b,
				  const struct gate_request *gate, struct why *why)
{
	static char names[][sizeof("task-clock")] = { "task-clock", "user_time" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct gate_request other = { .text = names[i], .name = names[i] };
		const char *limit = gate->above ? ">+5%" : "<-5%";
		cleanup_why struct why trouble = { 0 };

		if (strcmp(gate->name, names[i]) == 0 ||
		    events_check_gate(wanted, b, &other, &trouble) < 0)
			continue;
		why_set(why, -ENOTSUP, "%s; use '%s%s%s'", why->text,
			gate->is_geomean ? "geomean " : "", names[i], limit);
		return;
	}
}

/*
 * Choose the first of n alternatives that can be counted, and add its event unless it is there
 * already. 0; -errno with why.
 */
static int events_choose_gate(struct wanted *wanted, const struct baseline *b,
			      const struct gate_request *gates, size_t n, struct why *why)
{
	cleanup_why struct why troubles = { 0 };
	int err = -ENOTSUP;

	for (size_t i = 0; i < n; i++) {
		cleanup_why struct why trouble = { 0 };

		err = events_check_gate(wanted, b, &gates[i], &trouble);
		if (err == 0) {
			if (i > 0)
				note_print(wanted->options, "%s; the gate is '%s'", troubles.text,
					   gates[i].text);
			wanted->gates.v[wanted->gates.n++] = gates[i];
			return events_is_counted(wanted, b, gates[i].name) ?
				       0 :
				       events_append_of_gate(wanted, &gates[i], why);
		}
		if (!trouble.text) /* out of memory */
			return err;
		why_set(&troubles, err, "%s%s%s", i ? troubles.text : "", i ? "; " : "",
			trouble.text);
	}
	if (err == -ENOTSUP)
		events_add_substitute(wanted, b, &gates[n - 1], &troubles);
	return why_set(why, err, "%s", troubles.text);
}

int events_add_of_gates(struct wanted *wanted, const struct baseline *b, struct why *why)
{
	const struct compare_options *c = &wanted->options->compare_options;
	size_t first = wanted->events.n, n;
	int err = 0;

	wanted->gates.v = calloc(c->gates_n + 1, sizeof(*wanted->gates.v));
	if (!wanted->gates.v)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < c->gates_n; i += n) {
		n = 1;
		while (i + n < c->gates_n && c->gates[i + n].is_alternative)
			n++;
		err = events_choose_gate(wanted, b, &c->gates[i], n, why);
	}
	/* a gate makes its event neither the first one nor hides the default ones */
	events_mark_implied(&wanted->events, first);
	if (err == 0 && wanted->events.n > first)
		events_choose_modes(wanted);
	return err;
}

/*
 * Count the CPU time, too, if all events of the options need a hardware counter. If these cannot be
 * counted, the comparison is about the CPU time and the elapsed time. 0; -errno with why.
 */
static int events_add_cpu_time(struct wanted *wanted, struct why *why)
{
	const struct options *o = wanted->options;
	struct event_list *list = &wanted->events;
	size_t first = list->n;
	int err;

	if (o->requests_n == 0 || o->target.cpus || o->target.all_cpus)
		return 0;
	for (size_t i = 0; i < list->n; i++)
		if (!opener_needs_counter(&list->events[i]))
			return 0;
	err = events_add(wanted, RESOLVE_BY_ALL, "-e", "task-clock", why);
	events_mark_implied(list, first);
	return err;
}

int events_of_comparison(struct wanted *wanted, const struct baseline *b, struct why *why)
{
	const struct compare_options *c = &wanted->options->compare_options;
	const struct event_list *list = &wanted->events;
	int err;

	if (b && events_decides(wanted->options)) {
		err = events_of_baseline(wanted, b, why);
		events_choose_modes(wanted);
	} else {
		err = events_of_options(wanted, why);
		if (err == 0)
			err = events_add_cpu_time(wanted, why);
	}
	if (err == 0)
		err = events_add_of_gates(wanted, b, why);
	for (size_t i = 0; err == 0 && i < c->effects_n; i++) {
		const struct effect_request *effect = &c->effects[i];

		if (effect->name && !events_is_compared(wanted, effect->name) &&
		    !events_find_alias(list, effect->name))
			err = why_set(why, -EINVAL,
				      "%s: '%s' is neither a counted event nor a metric of -M",
				      effect->more_is_better ? "--more-is-better" : "--min-effect",
				      effect->name);
	}
	/* a symbol has an address in one program, but a comparison has several programs */
	for (size_t i = 0; err == 0 && i < list->n; i++)
		if (list->events[i].symbol)
			err = why_set(why, -EINVAL,
				      "%s: the address of a symbol differs between commands; give "
				      "the address as a number",
				      list->events[i].name);
	return err;
}
