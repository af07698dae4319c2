/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "count/passes.h"

/* A group that is not in this trial, or has no pass yet. */
#define LEFT_OUT (SIZE_MAX - 1)

struct search {
	struct opener *o;
	size_t *units; /* the unit of each group; units made by split_unit() begin at groups_n */
	size_t *passes; /* the pass of each group, or LEFT_OUT */
	size_t *trial; /* for each group: 0 if it is in the current trial, or LEFT_OUT */
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

/* Whether all events of the trial were on the PMU all the time. Events that find_refused() found
 * are ignored. */
static bool all_ran(const struct search *s, const struct opening *openings,
		    const struct reading *readings)
{
	for (size_t i = 0; i < s->o->events->n; i++) {
		const struct counts *counts = &readings[i].counts;
		bool in_trial = s->trial[event_list_group_of(s->o->events, i)] == 0 &&
				s->o->events->events[i].tool == TOOL_NONE;

		if (!in_trial || s->o->openings[i].refused)
			continue;
		if (openings[i].refused || openings[i].apart || readings[i].state == FAILED ||
		    counts->running_ns == 0 || counts->running_ns < counts->enabled_ns)
			return false;
	}
	return true;
}

/* Open the trial's events on pstat itself, switched on, and read them. Returns 1 if they fit, 0 if
 * not, or -ENOMEM. */
static int trial_fits(const struct search *s)
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
	trial.inherit = COUNTER_FIRST_TASK;
	trial.start = COUNTER_AT_ONCE;
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

/* Open each group alone. The opening of each refused event gets the reason. */
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

/* Returns 1 if the PMU can count this unit together with the units of this pass, 0 if not, or
 * -ENOMEM. */
static int unit_fits(struct search *s, size_t unit, size_t pass)
{
	for (size_t i = 0; i < groups_n(s); i++) {
		bool included =
			needs_counters(s, i) && (s->units[i] == unit || s->passes[i] == pass);

		s->trial[i] = included ? 0 : LEFT_OUT;
	}
	return trial_fits(s);
}

static void assign_pass(struct search *s, size_t unit, size_t pass)
{
	for (size_t i = 0; i < groups_n(s); i++)
		if (s->units[i] == unit && needs_counters(s, i))
			s->passes[i] = pass;
}

/* The unit is too large for the PMU: make each of its groups a unit. Returns false if the unit has
 * only one group. */
static bool split_unit(struct search *s, size_t unit)
{
	size_t n = 0;

	for (size_t i = 0; i < groups_n(s); i++)
		n += s->units[i] == unit && needs_counters(s, i);
	for (size_t i = 0; n > 1 && i < groups_n(s); i++)
		if (s->units[i] == unit)
			s->units[i] = groups_n(s) + i;
	return n > 1;
}

/* Put the unit into the first pass that has room, or into a new pass. *fit becomes false if the
 * unit was split instead. 0 or -ENOMEM. */
static int place_unit(struct search *s, size_t unit, bool *fit)
{
	int ran = 0;

	for (size_t pass = 0; pass < s->n && ran == 0; pass++) {
		ran = unit_fits(s, unit, pass);
		if (ran > 0)
			assign_pass(s, unit, pass);
	}
	*fit = ran > 0;
	if (ran == 0)
		ran = unit_fits(s, unit, s->n);
	if (ran < 0)
		return ran;
	if (!*fit && (ran > 0 || !split_unit(s, unit))) {
		assign_pass(s, unit, s->n++);
		*fit = true;
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
	for (size_t i = 0; err == 0 && i < groups; i++) {
		bool fit = s.passes[i] != LEFT_OUT;

		while (err == 0 && !fit)
			err = place_unit(&s, s.units[i], &fit);
	}
	o->passes = s.passes;
	o->pass = 0;
	*n = s.n ? s.n : 1;
	return err;
}
