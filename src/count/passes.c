/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "count/passes.h"

/* The group is not in this trial, or has no pass yet. */
#define LEFT_OUT (SIZE_MAX - 1)

struct search {
	struct opener *o;
	size_t *units; /* of each group; the units of a split begin at groups_n */
	size_t *passes; /* of each group, or LEFT_OUT */
	size_t *trial; /* of each group, for one trial: 0 or LEFT_OUT */
	size_t n; /* passes */
};

static size_t groups_n(const struct search *s)
{
	return s->o->events->groups_n;
}

static bool needs_counters(const struct search *s, size_t group)
{
	const struct event_group *g = &s->o->events->groups[group];

	for (size_t i = g->first; i < g->first + g->n; i++)
		if (opener_needs_counter(&s->o->events->events[i]))
			return true;
	return false;
}

static bool in_trial(const struct search *s, size_t event)
{
	const struct event_list *events = s->o->events;

	return s->trial[event_list_group_of(events, event)] == 0 &&
	       events->events[event].tool == TOOL_NONE;
}

/* Whether all events of the trial were on the PMU all the time. Events that were refused before do
 * not matter. */
static bool all_ran(const struct search *s, const struct opening *openings,
		    const struct reading *readings)
{
	for (size_t i = 0; i < s->o->events->n; i++) {
		const struct counts *counts = &readings[i].counts;

		if (!in_trial(s, i) || s->o->openings[i].refused)
			continue;
		if (openings[i].refused || openings[i].apart || readings[i].state == FAILED ||
		    counts->running_ns == 0 || counts->running_ns < counts->enabled_ns)
			return false;
	}
	return true;
}

/* Open the trial on pstat itself, switched on, and read it. 1 or 0, or -ENOMEM. */
static int fits(const struct search *s)
{
	size_t n = s->o->events->n + 1;
	cleanup_with(counters_close) struct counters counters = { 0 };
	cleanup_free struct opening *openings = calloc(n, sizeof(*openings));
	cleanup_free struct reading *readings = calloc(n, sizeof(*readings));
	cleanup_free struct row *rows = calloc(n, sizeof(*rows));
	struct opener trial = *s->o;
	int err, ran;

	if (!openings || !readings || !rows)
		return -ENOMEM;
	trial.rows = rows;
	trial.openings = openings;
	trial.inherit = PLAN_FIRST_TASK;
	trial.start = PLAN_AT_ONCE;
	trial.passes = s->trial;
	trial.pass = 0;
	trial.event_opener.observer = NULL;
	err = opener_open(&trial, &counters, 0, 1);
	counters_read(&counters, readings);
	ran = all_ran(s, openings, readings);
	for (size_t i = 0; i < n; i++)
		free(openings[i].reason.text);
	return err < 0 ? err : ran;
}

/* Open each group alone. Events that the kernel refuses get their reasons. */
static int find_refused(struct search *s)
{
	for (size_t group = 0; group < groups_n(s); group++) {
		cleanup_with(counters_close) struct counters counters = { 0 };
		int err;

		for (size_t i = 0; i < groups_n(s); i++)
			s->trial[i] = i == group ? 0 : LEFT_OUT;
		s->o->passes = s->trial;
		s->o->pass = 0;
		err = opener_open(s->o, &counters, 0, 1);
		if (err < 0)
			return err;
	}
	return 0;
}

/* Whether the PMU can count this unit together with the units of this pass. 1 or 0, or -ENOMEM. */
static int unit_fits(struct search *s, size_t unit, size_t pass)
{
	for (size_t i = 0; i < groups_n(s); i++) {
		bool included =
			needs_counters(s, i) && (s->units[i] == unit || s->passes[i] == pass);

		s->trial[i] = included ? 0 : LEFT_OUT;
	}
	return fits(s);
}

static void put(struct search *s, size_t unit, size_t pass)
{
	for (size_t i = 0; i < groups_n(s); i++)
		if (s->units[i] == unit && needs_counters(s, i))
			s->passes[i] = pass;
}

/* The unit is too large for the PMU: make each of its groups a unit. False if it has one group
 * only. */
static bool split(struct search *s, size_t unit)
{
	size_t n = 0;

	for (size_t i = 0; i < groups_n(s); i++)
		n += s->units[i] == unit && needs_counters(s, i);
	for (size_t i = 0; n > 1 && i < groups_n(s); i++)
		if (s->units[i] == unit)
			s->units[i] = groups_n(s) + i;
	return n > 1;
}

/* Put the unit into the first pass that has room, or a new one. 0 or -ENOMEM. *fit becomes false if
 * the unit was split instead. */
static int place_unit(struct search *s, size_t unit, bool *fit)
{
	int ran = 0;

	for (size_t pass = 0; pass < s->n && ran == 0; pass++) {
		ran = unit_fits(s, unit, pass);
		if (ran > 0)
			put(s, unit, pass);
	}
	*fit = ran > 0;
	if (ran == 0)
		ran = unit_fits(s, unit, s->n);
	if (ran < 0)
		return ran;
	if (!*fit && (ran > 0 || !split(s, unit))) {
		put(s, unit, s->n++);
		*fit = true;
	}
	return 0;
}

static int place_all(struct search *s)
{
	for (size_t i = 0; i < groups_n(s); i++) {
		bool fit = s->passes[i] != LEFT_OUT;

		while (!fit) {
			int err = place_unit(s, s->units[i], &fit);

			if (err < 0)
				return err;
		}
	}
	return 0;
}

int passes_find(struct opener *o, const size_t *units, size_t **passes, size_t *n)
{
	size_t groups = o->events->groups_n;
	cleanup_free size_t *trial = calloc(groups + 1, sizeof(*trial));
	cleanup_free size_t *own_units = calloc(groups + 1, sizeof(*own_units));
	struct search s = { .o = o, .units = own_units, .trial = trial };
	int err;

	s.passes = *passes = calloc(groups + 1, sizeof(*s.passes));
	if (!s.passes || !trial || !own_units)
		return -ENOMEM;
	memcpy(own_units, units, groups * sizeof(*units));
	for (size_t i = 0; i < groups; i++)
		s.passes[i] = needs_counters(&s, i) ? LEFT_OUT : PASS_ALL;
	err = find_refused(&s);
	if (err == 0)
		err = place_all(&s);
	o->passes = s.passes;
	o->pass = 0;
	*n = s.n ? s.n : 1;
	return err;
}
