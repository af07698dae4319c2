/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/diagnose.h"
#include "count/passes.h"
#include "count/session.h"

bool session_is_switched(const struct session_setup *setup)
{
	return setup->timing.delay_ms != 0 || setup->control;
}

static int make_rows(struct session *s)
{
	const struct event_list *events = s->setup.events;
	const struct target *target = s->setup.target;

	s->rows_n = events->n * target->places_n;
	s->rows = calloc(s->rows_n + 1, sizeof(*s->rows));
	s->openings = calloc(events->n + 1, sizeof(*s->openings));
	s->reading = calloc(s->rows_n + 1, sizeof(*s->reading));
	if (!s->rows || !s->openings || !s->reading)
		return -ENOMEM;
	for (size_t i = 0; i < s->rows_n; i++) {
		size_t place = i / events->n;

		s->rows[i] = (struct row){ .event = i % events->n,
					   .place = place,
					   .where = target->places[place] };
	}
	return 0;
}

/* In clock ticks since the machine was started, as task_started(). */
static uint64_t now_in_ticks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * (uint64_t)sysconf(_SC_CLK_TCK) +
	       (uint64_t)now.tv_nsec * (uint64_t)sysconf(_SC_CLK_TCK) / 1000000000;
}

static bool all_gone(const struct target *target)
{
	for (size_t i = 0; i < target->spots_n; i++)
		if (!target->spots[i].gone)
			return false;
	return true;
}

/* On tasks: also on threads that were there and were not listed, for as long as some are found. */
static int open_tasks(struct session *s, struct why *why)
{
	struct target *target = s->setup.target;
	uint64_t started = now_in_ticks();
	size_t first = 0;
	int found = (int)target->spots_n;
	int err;

	while (found > 0) {
		err = counters_open(&s->counters, &s->opener, first, (size_t)found);
		if (err < 0)
			return err;
		first = target->spots_n;
		s->opener.later = true;
		found = target_find_older_threads(target, s->setup.machine, started);
	}
	if (found == 0 && all_gone(target))
		return why_set(why, -ESRCH, "the tasks that were to be counted have ended");
	return found;
}

static int open_cpus(struct session *s)
{
	struct target *target = s->setup.target;
	cleanup_free int *cpus = NULL;
	int err = counters_open(&s->counters, &s->opener, 0, target->spots_n);

	if (err < 0)
		return err;
	cpus = calloc(target->spots_n + 1, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	s->opener.later = true;
	for (size_t i = 0; i < target->spots_n; i++)
		cpus[i] = target->spots[i].cpu;
	return hotplug_open(&s->hotplug, s->setup.machine, cpus, target->spots_n, target->all_cpus);
}

static int open_attached(struct session *s, struct why *why)
{
	struct target *target = s->setup.target;
	int err;

	s->opener.start = PLAN_SWITCHED;
	if (target->kind == TARGET_CPUS)
		return open_cpus(s);
	err = open_tasks(s, why);
	if (err == 0 && !target->all_tasks)
		err = lifelines_open(&s->lifelines, s->setup.machine, &target->processes,
				     &target->threads);
	return err;
}

/* Why an event cannot be had of this target, where it is not the kernel that refuses it. */
static const char *unfit(const struct session_setup *setup, const struct event *event)
{
	if (event->tool != TOOL_NONE && event->tool != TOOL_DURATION_TIME && !setup->has_command)
		return "pstat measures it of a command, and there is none";
	if (event->symbol && setup->target->kind != TARGET_COMMAND)
		return "a symbol is looked for in the command that is counted: give its address as a "
		       "number";
	return NULL;
}

static int refuse_unfit(struct session *s)
{
	for (size_t i = 0; i < s->setup.events->n; i++) {
		const char *reason = unfit(&s->setup, &s->setup.events->events[i]);

		if (!reason)
			continue;
		s->openings[i].refused = true;
		s->openings[i].reason = strdup(reason);
		if (!s->openings[i].reason)
			return -ENOMEM;
	}
	return 0;
}

/* What nothing inherits has to be opened on the command itself. */
static bool needs_command_itself(const struct session_setup *setup)
{
	for (size_t i = 0; i < setup->events->n; i++)
		if (setup->events->events[i].probed)
			return true;
	return setup->inherit == PLAN_FIRST_TASK;
}

int session_open(struct session *s, const struct session_setup *setup, struct why *why)
{
	const struct event_list *events = setup->events;
	int err;

	*s = (struct session){ .setup = *setup, .passes_n = 1 };
	err = make_rows(s);
	if (err < 0)
		return err;
	s->opener = (struct opener){ .machine = setup->machine,
				     .events = events,
				     .target = setup->target,
				     .rows = s->rows,
				     .openings = s->openings,
				     .inherit = setup->inherit,
				     .attempt = { .watch = setup->watch } };
	if (refuse_unfit(s) < 0)
		return -ENOMEM;
	if (setup->target->kind != TARGET_COMMAND)
		return open_attached(s, why);
	s->opener.start = setup->timing.delay_ms ? PLAN_SWITCHED : PLAN_BY_EXEC;
	s->anew = setup->anew || needs_command_itself(setup) || session_is_switched(setup);
	for (size_t i = 0; i < events->groups_n; i++)
		s->stops |= opener_needs_address(events, &events->groups[i]);
	if (setup->units)
		return passes_find(&s->opener, setup->units, &s->passes, &s->passes_n);
	return s->anew ? 0 : counters_open(&s->counters, &s->opener, 0, 1);
}

size_t session_refused(const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->setup.events->n; i++)
		n += s->openings[i].refused;
	return n;
}

/* What is in its error state (FAILED) was enabled, and could not be kept on the PMU. */
static bool is_counted(const struct session *s, const struct run *run, size_t event, bool *enabled)
{
	for (size_t row = event; row < s->rows_n; row += s->setup.events->n) {
		const struct sample *sample = &run->samples[row];

		if (sample->state == COUNTED || sample->state == SCALED)
			return true;
		*enabled |= sample->state == FAILED || sample->counts.enabled_ns > 0;
	}
	return false;
}

/* Events that take their counters from the same PMU. */
static size_t count_rivals(const struct event_list *events, const struct event *event)
{
	size_t n = 0;

	for (size_t i = 0; i < events->n; i++)
		n += opener_needs_counter(&events->events[i]) &&
		     strcmp(events->events[i].pmu, event->pmu) == 0;
	return n;
}

/* Without a counter it is in an error state in the command, and pstat's own is as if never enabled. */
static bool is_pinned(const struct event_list *events, size_t event)
{
	size_t group = event_list_group_of(events, event);

	return group < events->groups_n && events->groups[group].pinned;
}

static int explain(struct session *s, size_t event, bool enabled)
{
	const struct event *e = &s->setup.events->events[event];
	bool pinned = is_pinned(s->setup.events, event);
	cleanup_str struct str reason = { 0 };

	if (enabled || pinned)
		diagnose_never_ran(s->setup.machine, e, count_rivals(s->setup.events, e), pinned,
				   &reason);
	else
		diagnose_never_enabled(s->setup.target->kind, e,
				       s->opener.start == PLAN_SWITCHED && !s->was_on, &reason);
	if (reason.failed)
		return -ENOMEM;
	free(s->openings[event].reason);
	s->openings[event].first_only = false;
	s->openings[event].reason = take_ptr(reason.text);
	return 0;
}

int session_explain(struct session *s, const struct run *runs, size_t runs_n)
{
	for (size_t i = 0; i < s->setup.events->n; i++) {
		bool counted =
			s->openings[i].refused || s->setup.events->events[i].tool != TOOL_NONE;
		bool enabled = false;
		int err;

		for (size_t run_i = 0; !counted && run_i < runs_n; run_i++)
			counted = is_counted(s, &runs[run_i], i, &enabled);
		err = counted ? 0 : explain(s, i, enabled);
		if (err < 0)
			return err;
	}
	return 0;
}

void run_release(struct run *run)
{
	free(run->samples);
	*run = (struct run){ 0 };
}

void session_close(struct session *s)
{
	counters_close(&s->counters);
	hotplug_release(&s->hotplug);
	lifelines_release(&s->lifelines);
	for (size_t i = 0; s->openings && i < s->setup.events->n; i++)
		free(s->openings[i].reason);
	free(s->openings);
	free(s->rows);
	free(s->reading);
	free(s->passes);
	*s = (struct session){ 0 };
}
