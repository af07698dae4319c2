/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/passes.h"
#include "machine/pmu.h"

/* A group that is not in this trial, or has no pass yet. */
#define LEFT_OUT (SIZE_MAX - 1)

/* During a search, the pass of a group that shares counters, but is in every pass. */
#define KEPT_ON (SIZE_MAX - 2)

/* With fewer counters, no group is kept on that would take a counter from the others. */
enum { KEPT_ON_COUNTERS = 4 };

struct search {
	struct opener *o;
	size_t *units; /* the unit of each group; units of single groups begin at groups_n */
	size_t *passes; /* the pass of each group, PASS_ALL or LEFT_OUT */
	size_t *trial; /* for each group: 0 if it is in the current trial, or LEFT_OUT */
	size_t n; /* passes */
	size_t capacity; /* the maximum number of events that the PMU holds at once; 0: unknown */
	bool keeps_on; /* some groups may be put into every pass, see passes_take_turns() */
};

static size_t passes_groups_n(const struct search *s)
{
	return s->o->events->groups_n;
}

/* ---- Trials */

/* The number of events of the group that need a counter and are not refused. */
static size_t passes_group_size(const struct search *s, size_t group)
{
	const struct event_group *g = &s->o->events->groups[group];
	size_t n = 0;

	for (size_t i = g->first; i < g->first + g->n; i++)
		n += !s->o->openings[i].refused && opener_needs_counter(&s->o->events->events[i]);
	return n;
}

/* Whether the trial did not run on the event's kind of core, because no event of this kind ran.
 * Such a trial says nothing about the event. */
static bool passes_is_of_other_kind(const struct opener *o, const struct event *event,
				    const struct reading *readings)
{
	const size_t kind = opener_kind_of(o, event);

	for (size_t i = 0; kind != SIZE_MAX && i < o->events->n; i++)
		if (readings[i].counts.running_ns > 0 &&
		    opener_kind_of(o, &o->events->events[i]) == kind)
			return false;
	return kind != SIZE_MAX;
}

/*
 * Whether all events of the trial were on the PMU the whole time. This ignores events that were
 * refused before the trial, and groups that cannot be opened before the command runs. forgiving:
 * events that are refused now, or opened apart from their weak group, are not a failure.
 */
static bool passes_all_ran(const struct opener *o, const size_t *trial,
			   const struct opening *openings, const struct reading *readings,
			   bool forgiving)
{
	for (size_t i = 0; i < o->events->n; i++) {
		const struct counts *counts = &readings[i].counts;
		size_t group = event_list_group_of(o->events, i);

		if (trial[group] != 0 || o->events->events[i].tool != TOOL_NONE ||
		    o->openings[i].refused || (forgiving && openings[i].refused) ||
		    opener_needs_address(o->events, &o->events->groups[group]) ||
		    passes_is_of_other_kind(o, &o->events->events[i], readings))
			continue;
		if (openings[i].refused || (openings[i].apart && !forgiving) ||
		    readings[i].state == FAILED || counts->running_ns == 0 ||
		    counts->running_ns < counts->enabled_ns)
			return false;
	}
	return true;
}

/* A copy of the opener that fills these openings and rows, and reports no call. The caller frees
 * both, and the texts of the openings. 0 or -ENOMEM. */
static int passes_copy_opener(struct opener *copy, const struct opener *o)
{
	*copy = *o;
	copy->event_opener.observer = NULL;
	copy->openings = calloc(o->events->n + 1, sizeof(*copy->openings));
	copy->rows = calloc(o->events->n * o->target->places_n + 1, sizeof(*copy->rows));
	return copy->openings && copy->rows ? 0 : -ENOMEM;
}

static void passes_release_copy(struct opener *copy)
{
	for (size_t i = 0; copy->openings && i < copy->events->n; i++)
		free(copy->openings[i].reason.text);
	free(copy->openings);
	free(copy->rows);
}

/* Trials use pstat itself or, for CPUs, the first of them. */
static struct scope passes_scope_of_trial(const struct target *target)
{
	const struct scope pstat = { .cpu = -1 };

	return target->kind == TARGET_CPUS ? target->scopes[0] : pstat;
}

/*
 * Open the trial's events, enabled, and read them. Returns 1 if they fit, 0 if not, or -ENOMEM.
 * forgiving: see passes_all_ran(). refused: set to true if the trial refuses an event that was
 * not refused before; NULL: not needed.
 */
static int passes_trial_fits(const struct opener *o, const size_t *trial, bool forgiving,
			     bool *refused)
{
	struct scope scope = passes_scope_of_trial(o->target);
	const struct open_job job = {
		.scopes = &scope,
		.scopes_n = 1,
		.start = COUNTER_AT_ONCE,
		.inherit = COUNTER_FIRST_TASK,
		.passes = trial,
	};
	cleanup_with(counters_close) struct counters counters = { 0 };
	cleanup_with(passes_release_copy) struct opener copy = { 0 };
	cleanup_free struct reading *readings = calloc(o->events->n + 1, sizeof(*readings));
	int err = passes_copy_opener(&copy, o);

	if (err < 0 || !readings)
		return -ENOMEM;
	for (size_t i = 0; i < o->events->n; i++)
		copy.openings[i].refused = o->openings[i].refused;
	err = opener_open(&copy, &counters, &job);
	if (err < 0)
		return err;
	counters_read(&counters, readings);
	for (size_t i = 0; refused && i < o->events->n; i++)
		*refused |= copy.openings[i].refused && !o->openings[i].refused;
	return passes_all_ran(o, trial, copy.openings, readings, forgiving);
}

/* Like passes_trial_fits(), for s->trial. */
static int passes_set_fits(const struct search *s)
{
	size_t size = 0;

	for (size_t i = 0; i < passes_groups_n(s); i++)
		size += s->trial[i] == 0 ? passes_group_size(s, i) : 0;
	if (s->capacity && size > s->capacity)
		return 0;
	return passes_trial_fits(s->o, s->trial, false, NULL);
}

/* ---- Units */

static bool passes_is_of_unit(const struct search *s, size_t group, size_t unit)
{
	return s->units[group] == unit && s->passes[group] != PASS_ALL;
}

static size_t passes_unit_size(const struct search *s, size_t unit)
{
	size_t n = 0;

	for (size_t i = 0; i < passes_groups_n(s); i++)
		n += passes_is_of_unit(s, i, unit) ? passes_group_size(s, i) : 0;
	return n;
}

/* Returns 1 if the PMU can count this unit together with the units of this pass, 0 if not, or
 * -ENOMEM. */
static int passes_unit_fits(struct search *s, size_t unit, size_t pass)
{
	for (size_t i = 0; i < passes_groups_n(s); i++)
		s->trial[i] = passes_is_of_unit(s, i, unit) || s->passes[i] == pass ||
					      s->passes[i] == KEPT_ON ?
				      0 :
				      LEFT_OUT;
	return passes_set_fits(s);
}

static void passes_assign(struct search *s, size_t unit, size_t pass)
{
	for (size_t i = 0; i < passes_groups_n(s); i++)
		if (passes_is_of_unit(s, i, unit))
			s->passes[i] = pass;
}

/* Split the unit into its groups, but keep the groups together that count one event on several
 * kinds of cores. Returns false if the unit cannot be split. */
static bool passes_split_unit(struct search *s, size_t unit)
{
	size_t first = 0, parts = 0;

	while (s->units[first] != unit)
		first++;
	for (size_t i = first; i < passes_groups_n(s); i++)
		if (s->units[i] == unit)
			parts += i == first || !event_list_has_kinds(s->o->events, first, i);
	for (size_t i = first; parts > 1 && i < passes_groups_n(s); i++) {
		if (s->units[i] != unit)
			continue;
		s->units[i] = passes_groups_n(s) + i;
		for (size_t j = i + 1; j < passes_groups_n(s); j++)
			if (s->units[j] == unit && event_list_has_kinds(s->o->events, i, j))
				s->units[j] = s->units[i];
	}
	return parts > 1;
}

/* If a unit is too large for the PMU, split it. A unit that is too large and cannot be split gets
 * its own pass. 0 or -ENOMEM. */
static int passes_place_large_units(struct search *s)
{
	size_t i = 0;

	while (i < passes_groups_n(s)) {
		size_t unit = s->units[i], n = 0;
		int fits = 1;

		if (s->passes[i] == LEFT_OUT && passes_unit_size(s, unit) > 1)
			fits = passes_unit_fits(s, unit, s->n);
		if (fits < 0)
			return fits;
		for (size_t j = 0; j < passes_groups_n(s); j++)
			n += passes_is_of_unit(s, j, unit);
		if (fits == 0 && n > 1 && passes_split_unit(s, unit))
			continue;
		if (fits == 0)
			passes_assign(s, unit, s->n++);
		i++;
	}
	return 0;
}

/* Put each unit that has no pass yet, the largest first, into the first pass that has room. The
 * passes before the first one have no room. 0 or -ENOMEM. */
static int passes_place_units(struct search *s)
{
	const size_t first = s->n;
	size_t largest = 0;

	for (size_t i = 0; i < passes_groups_n(s); i++) {
		size_t size = s->passes[i] == LEFT_OUT ? passes_unit_size(s, s->units[i]) : 0;

		largest = size > largest ? size : largest;
	}
	for (size_t size = largest; size > 0; size--)
		for (size_t i = 0; i < passes_groups_n(s); i++) {
			size_t pass = first;
			int fits = 0;

			if (s->passes[i] != LEFT_OUT || passes_unit_size(s, s->units[i]) != size)
				continue;
			while (pass < s->n && (fits = passes_unit_fits(s, s->units[i], pass)) == 0)
				pass++;
			if (fits < 0)
				return fits;
			s->n += pass == s->n;
			passes_assign(s, s->units[i], pass);
		}
	return 0;
}

/* Number the passes in the order of the list. Groups without any event to count are in pass 0. */
static void passes_number_all(struct search *s)
{
	size_t *numbers = s->trial, next = 0;

	for (size_t i = 0; i < passes_groups_n(s); i++)
		numbers[i] = LEFT_OUT;
	for (size_t i = 0; i < passes_groups_n(s); i++) {
		if (s->passes[i] == LEFT_OUT)
			s->passes[i] = 0;
		else if (s->passes[i] == KEPT_ON)
			s->passes[i] = PASS_ALL;
		else if (s->passes[i] != PASS_ALL) {
			if (numbers[s->passes[i]] == LEFT_OUT)
				numbers[s->passes[i]] = next++;
			s->passes[i] = numbers[s->passes[i]];
		}
	}
}

/* ---- Searches */

/*
 * Count the events that the PMU holds at once if each is in a group of its own. The kernel refuses
 * some events outside their group, for example topdown-* without slots. The PMU may hold more
 * events than were counted then, so the capacity of the search stays unknown. 0 or -ENOMEM.
 */
static int passes_find_capacity(struct search *s, struct budget *budget)
{
	bool refused = false;
	struct event_list list = *s->o->events;
	struct opener opener = *s->o;
	cleanup_free struct event_group *groups = calloc(list.n + 1, sizeof(*groups));
	cleanup_free size_t *trial = calloc(list.n + 1, sizeof(*trial));

	if (!groups || !trial)
		return -ENOMEM;
	for (size_t i = 0; i < list.n; i++) {
		groups[i] = (struct event_group){ .first = i, .n = 1 };
		trial[i] = LEFT_OUT;
	}
	list.groups = groups;
	list.groups_n = list.n;
	opener.events = &list;
	for (size_t i = 0; i < list.n; i++) {
		int fits;

		if (s->passes[event_list_group_of(s->o->events, i)] == PASS_ALL ||
		    s->o->openings[i].refused || !opener_needs_counter(&list.events[i]))
			continue;
		trial[i] = 0;
		fits = passes_trial_fits(&opener, trial, false, &refused);
		if (fits < 0)
			return fits;
		if (!fits)
			trial[i] = LEFT_OUT;
		budget->counters += fits > 0;
	}
	s->capacity = refused ? 0 : budget->counters;
	return 0;
}

/* Keep the first single event on in every pass, unless a pinned group is. Returns its group, or
 * LEFT_OUT. */
static size_t passes_keep_one(struct search *s)
{
	for (size_t i = 0; i < passes_groups_n(s); i++)
		if (s->passes[i] == KEPT_ON)
			return LEFT_OUT;
	for (size_t i = 0; i < passes_groups_n(s); i++)
		if (s->passes[i] == LEFT_OUT && passes_group_size(s, i) == 1) {
			s->passes[i] = KEPT_ON;
			return i;
		}
	return LEFT_OUT;
}

/* Keep no event on, because some group does not fit together with it. */
static void passes_keep_none(struct search *s, size_t kept)
{
	for (size_t i = 0; i < passes_groups_n(s); i++)
		if (s->passes[i] < s->n)
			s->passes[i] = LEFT_OUT;
	s->passes[kept] = LEFT_OUT;
	s->n = 0;
}

static size_t passes_pass_size(const struct search *s, size_t pass)
{
	size_t n = 0;

	for (size_t i = 0; i < passes_groups_n(s); i++)
		n += s->passes[i] == pass ? passes_group_size(s, i) : 0;
	return n;
}

/*
 * Put each unit that fits every other pass into all passes: it has counters that no other event can
 * use, or every other pass has counters free. Its own pass keeps at least two events, because
 * estimate_pool() needs a typical one. 0 or -ENOMEM.
 */
static int passes_keep_fitting(struct search *s)
{
	for (size_t i = 0; i < passes_groups_n(s); i++) {
		const size_t own = s->passes[i];
		int fits = own < s->n &&
			   passes_pass_size(s, own) >= passes_unit_size(s, s->units[i]) + 2;

		for (size_t pass = 0; fits > 0 && pass < s->n; pass++)
			if (pass != own)
				fits = passes_unit_fits(s, s->units[i], pass);
		if (fits < 0)
			return fits;
		if (fits > 0)
			passes_assign(s, s->units[i], KEPT_ON);
	}
	return 0;
}

/* Distribute events that do not fit at once over passes. 0 or -ENOMEM. */
static int passes_distribute(struct search *s, struct budget *budget)
{
	int err = passes_find_capacity(s, budget);
	size_t large_n, kept = LEFT_OUT;

	if (s->keeps_on && budget->counters >= KEPT_ON_COUNTERS)
		kept = passes_keep_one(s);
	if (err == 0)
		err = passes_place_large_units(s);
	if (err == 0 && kept != LEFT_OUT && s->n > 0) {
		passes_keep_none(s, kept);
		err = passes_place_large_units(s);
	}
	large_n = s->n;
	budget->too_large = large_n > 0;
	if (err == 0)
		err = passes_place_units(s);
	if (err == 0 && s->keeps_on)
		err = passes_keep_fitting(s);
	/* a pass that fits may have more events than fit alone */
	for (size_t pass = large_n; err == 0 && pass < s->n; pass++) {
		size_t size = passes_pass_size(s, pass);

		if (size > budget->counters)
			budget->counters = size;
	}
	return err;
}

/*
 * Like passes_find(), but passes[i] is PASS_ALL or LEFT_OUT: find the pass of each group that is
 * LEFT_OUT. Open each group alone first, so that the opening of each refused event gets the reason.
 */
static int passes_search(struct opener *o, const struct open_job *how, const size_t *units,
			 bool keeps_on, size_t *passes, struct budget *budget)
{
	const size_t n = o->events->groups_n;
	cleanup_free size_t *lists = calloc(2 * n + 1, sizeof(*lists));
	struct search s = { .o = o, .passes = passes, .keeps_on = keeps_on };
	struct scope scope = passes_scope_of_trial(o->target);
	struct open_job job = *how;
	int fits, err = 0;

	if (!lists)
		return -ENOMEM;
	s.units = memcpy(lists, units, n * sizeof(*units));
	s.trial = lists + n;
	*budget = (struct budget){ 0 };
	job.scopes = &scope;
	job.scopes_n = 1;
	job.passes = s.trial;
	for (size_t group = 0; err == 0 && group < n; group++) {
		cleanup_with(counters_close) struct counters counters = { 0 };

		for (size_t i = 0; i < n; i++)
			s.trial[i] = i == group ? 0 : LEFT_OUT;
		err = opener_open(o, &counters, &job);
	}
	for (size_t i = 0; i < n; i++) {
		s.trial[i] = passes[i] == PASS_ALL ? LEFT_OUT : 0;
		budget->events += passes[i] == PASS_ALL ? 0 : passes_group_size(&s, i);
	}
	fits = err < 0 ? err : budget->events == 0 ? 1 : passes_set_fits(&s);
	if (fits == 0)
		err = passes_distribute(&s, budget);
	passes_number_all(&s);
	budget->fits = fits > 0;
	budget->passes = s.n ? s.n : 1;
	return fits < 0 ? fits : err;
}

int passes_find(struct opener *o, const struct open_job *job, const size_t *units, size_t **passes,
		struct budget *budget)
{
	*passes = calloc(o->events->groups_n + 1, sizeof(**passes));
	if (!*passes)
		return -ENOMEM;
	for (size_t i = 0; i < o->events->groups_n; i++)
		(*passes)[i] = opener_group_needs_counter(o, i) ? LEFT_OUT : PASS_ALL;
	return passes_search(o, job, units, false, *passes, budget);
}

/* ---- Without --no-multiplex */

bool passes_is_outside_core(const struct opener *o, const struct event *event)
{
	return event->cpus || (event->attr.type >= PERF_TYPE_MAX && event->pmu &&
			       !pmu_is_core(o->machine, event->pmu));
}

/* Whether any event of the group waits if the core PMU has too few counters. The kernel refuses a
 * breakpoint instead; probes and events of uncore PMUs do not need these counters. */
static bool passes_may_wait(const struct opener *o, const struct event_group *group)
{
	if (opener_needs_address(o->events, group))
		return false;
	for (size_t i = group->first; i < group->first + group->n; i++) {
		const struct event *event = &o->events->events[i];

		if (opener_needs_counter(event) && !passes_is_outside_core(o, event) &&
		    !event->probed && !o->openings[i].refused &&
		    event->attr.type != PERF_TYPE_BREAKPOINT)
			return true;
	}
	return false;
}

/* passes_check(), or passes_take_turns() if units is NULL. passes[] gets the pass of each group. */
static int passes_try_all(const struct opener *o, const struct open_job *job, const size_t *units,
			  size_t *passes, struct budget *budget)
{
	cleanup_with(passes_release_copy) struct opener copy = { 0 };
	cleanup_str_list struct str_list pmus = { 0 };
	const bool has_scope = o->target->kind != TARGET_CPUS || o->target->scopes_n > 0;
	size_t groups = o->events->groups_n, tried = 0, core_pmus = 0;
	cleanup_free size_t *trial = calloc(groups + 1, sizeof(*trial));
	cleanup_free size_t *single = calloc(groups + 1, sizeof(*single));
	int fits;

	*budget = (struct budget){ .fits = true, .passes = 1 };
	if (!trial || !single)
		return -ENOMEM;
	for (size_t i = 0; i < groups; i++) {
		const struct event_group *group = &o->events->groups[i];
		bool included = has_scope && passes_may_wait(o, group);

		single[i] = i;
		trial[i] = included ? 0 : LEFT_OUT;
		passes[i] = !included ? PASS_ALL : !units && group->pinned ? KEPT_ON : LEFT_OUT;
		tried += included;
	}
	fits = tried > 0 ? passes_trial_fits(o, trial, true, NULL) : 1;
	if (fits != 0)
		return fits < 0 ? fits : 0;
	if (pmu_list(o->machine, &pmus) == 0)
		for (size_t i = 0; i < pmus.n; i++)
			core_pmus += pmu_is_core(o->machine, pmus.v[i]);
	if (core_pmus > 1)
		return 0;
	if (passes_copy_opener(&copy, o) < 0)
		return -ENOMEM;
	return passes_search(&copy, job, units ? units : single, !units, passes, budget);
}

int passes_check(const struct opener *o, const struct open_job *job, const size_t *units,
		 struct budget *budget)
{
	cleanup_free size_t *passes = calloc(o->events->groups_n + 1, sizeof(*passes));

	return passes ? passes_try_all(o, job, units, passes, budget) : -ENOMEM;
}

int passes_take_turns(const struct opener *o, const struct open_job *job, size_t **passes,
		      struct budget *budget)
{
	*passes = calloc(o->events->groups_n + 1, sizeof(**passes));
	return *passes ? passes_try_all(o, job, NULL, *passes, budget) : -ENOMEM;
}
