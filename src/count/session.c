/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
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
	s->previous = calloc(s->rows_n + 1, sizeof(*s->previous));
	if (!s->rows || !s->openings || !s->previous)
		return -ENOMEM;
	for (size_t i = 0; i < s->rows_n; i++) {
		size_t place_index = i / events->n;

		s->rows[i] = (struct row){ .event = i % events->n,
					   .place_index = place_index,
					   .place = target->places[place_index] };
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
	for (size_t i = 0; i < target->scopes_n; i++)
		if (!target->scopes[i].gone)
			return false;
	return true;
}

/* On tasks: also on threads that were there and were not listed, for as long as some are found. */
static int open_tasks(struct session *s, struct why *why)
{
	struct target *target = s->setup.target;
	uint64_t started = now_in_ticks();
	size_t first = 0;
	int found = (int)target->scopes_n;
	int err;

	while (found > 0) {
		err = counters_open(&s->counters, &s->opener, first, (size_t)found);
		if (err < 0)
			return err;
		first = target->scopes_n;
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
	int err = counters_open(&s->counters, &s->opener, 0, target->scopes_n);

	if (err < 0)
		return err;
	cpus = calloc(target->scopes_n + 1, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	s->opener.later = true;
	for (size_t i = 0; i < target->scopes_n; i++)
		cpus[i] = target->scopes[i].cpu;
	return hotplug_open(&s->hotplug, s->setup.machine, cpus, target->scopes_n,
			    target->all_cpus);
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
		err = task_watch_open(&s->task_watch, s->setup.machine, &target->processes,
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

/* Prepare the probes for children. A whole CPU has no children, and -i excludes them. */
static int make_probes(struct session *s)
{
	const struct session_setup *setup = &s->setup;

	if (setup->inherit != PLAN_ALL_TASKS || setup->target->kind == TARGET_CPUS ||
	    !machine_is_here(setup->machine))
		return 0;
	s->opener.attempt.probes = &s->probes;
	return probe_events_create(&s->probes, setup->machine, setup->events);
}

/* An event that is not inherited has to be opened on the command itself. */
static bool needs_command_itself(const struct session *s)
{
	const struct event_list *events = s->setup.events;

	for (size_t i = 0; i < events->n; i++)
		if (probe_events_first_only(&s->probes, &events->events[i]))
			return true;
	return s->setup.inherit == PLAN_FIRST_TASK;
}

/* Only a command without -I, -D and --timeout can be counted without a timer. */
static bool needs_timer(const struct session_setup *setup)
{
	const struct timing *timing = &setup->timing;

	return timing->interval_ms || timing->delay_ms > 0 || timing->timeout_ms ||
	       setup->target->kind != TARGET_COMMAND;
}

int session_open(struct session *s, const struct session_setup *setup, struct why *why)
{
	const struct event_list *events = setup->events;
	int err;

	*s = (struct session){ .setup = *setup, .passes_n = 1 };
	err = make_rows(s);
	if (err < 0)
		return err;
	err = needs_timer(setup) ? loop_open_timer(&s->loop) : 0;
	if (err < 0)
		return why_set(why, err, "cannot open a timer: %s", strerror(-err));
	session_keep_reserve(s);
	s->opener = (struct opener){ .machine = setup->machine,
				     .events = events,
				     .target = setup->target,
				     .rows = s->rows,
				     .openings = s->openings,
				     .inherit = setup->inherit,
				     .attempt = { .watch = setup->watch } };
	if (refuse_unfit(s) < 0 || make_probes(s) < 0)
		return -ENOMEM;
	if (setup->target->kind != TARGET_COMMAND)
		return open_attached(s, why);
	s->opener.start = setup->timing.delay_ms ? PLAN_SWITCHED : PLAN_BY_EXEC;
	s->anew = setup->anew || needs_command_itself(s) || session_is_switched(setup);
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

/*
 * The first reading of the event that has a reason of its own; NULL if none has. *at: its row;
 * *of: its run.
 */
static const struct reading *find_reason(const struct session *s, const struct run *runs,
					 size_t runs_n, size_t event, size_t *at, size_t *of)
{
	for (*of = 0; *of < runs_n; (*of)++)
		for (*at = event; *at < s->rows_n; *at += s->setup.events->n)
			if (runs[*of].readings[*at].reason.cause)
				return &runs[*of].readings[*at];
	return NULL;
}

/* An event in its error state (FAILED) was enabled, but could not be kept on the PMU. A reading with
 * a time running but no count is a 0 that readings.c withheld: its reason is known already. */
static bool is_counted(const struct session *s, const struct run *run, size_t event, bool *enabled)
{
	for (size_t row = event; row < s->rows_n; row += s->setup.events->n) {
		const struct reading *reading = &run->readings[row];

		if (reading->state == COUNTED || reading->state == SCALED ||
		    reading->counts.running_ns > 0)
			return true;
		*enabled |= reading->state == FAILED || reading->counts.enabled_ns > 0;
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

/* A reason that has not changed keeps its address, which shows that it was reported. Takes the
 * reason. */
static int set_reason(struct session *s, size_t event, struct str *reason)
{
	struct opening *opening = &s->openings[event];

	if (reason->failed)
		return -ENOMEM;
	opening->uncounted = true;
	if (str_equal(opening->reason, str_text(reason)))
		return 0;
	free(opening->reason);
	opening->reason = take_ptr(reason->text);
	return 0;
}

static int explain_failure(struct session *s, size_t event, const struct run *runs, size_t runs_n)
{
	cleanup_str struct str reason = { 0 };
	size_t row, run;
	const struct reading *reading = find_reason(s, runs, runs_n, event, &row, &run);

	if (!reading)
		return 0;
	diagnose_reading(reading, s->rows[row].place.label, runs[run].tool[TOOL_USER_TIME],
			 &reason);
	return set_reason(s, event, &reason);
}

static int explain_never_ran(struct session *s, size_t event, bool enabled)
{
	const struct event *e = &s->setup.events->events[event];
	bool pinned = event_list_is_pinned(s->setup.events, event);
	cleanup_str struct str reason = { 0 };

	if (enabled || pinned)
		diagnose_never_ran(s->setup.machine, e, count_rivals(s->setup.events, e), pinned,
				   &reason);
	else
		diagnose_never_enabled(s->setup.target->kind, e,
				       s->opener.start == PLAN_SWITCHED && !s->was_on, &reason);
	return set_reason(s, event, &reason);
}

/* Whether a counter has ended in its error state: pinned, and without room on one of the CPUs. */
static bool has_lost_place(const struct session *s, const struct run *run, size_t event)
{
	for (size_t row = event; row < s->rows_n; row += s->setup.events->n)
		if (run->readings[row].state == FAILED)
			return true;
	return false;
}

static int explain_event(struct session *s, size_t event, const struct run *runs, size_t runs_n)
{
	bool counted = false, lost = false, enabled = false;
	size_t row, run;

	if (find_reason(s, runs, runs_n, event, &row, &run))
		return explain_failure(s, event, runs, runs_n);
	for (size_t i = 0; i < runs_n; i++) {
		counted |= is_counted(s, &runs[i], event, &enabled);
		lost |= has_lost_place(s, &runs[i], event);
	}
	return counted && !lost ? 0 : explain_never_ran(s, event, enabled || lost);
}

/* Whether the reason is found after the runs. For other events it was found before. */
static bool was_opened(const struct session *s, size_t event)
{
	return !s->openings[event].refused && s->setup.events->events[event].tool == TOOL_NONE;
}

int session_explain(struct session *s, const struct run *runs, size_t runs_n)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < s->setup.events->n; i++)
		if (was_opened(s, i))
			err = explain_event(s, i, runs, runs_n);
	return err;
}

int session_explain_interval(struct session *s, const struct run *run)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < s->setup.events->n; i++)
		if (was_opened(s, i))
			err = explain_failure(s, i, run, 1);
	return err;
}

void run_release(struct run *run)
{
	free(run->readings);
	*run = (struct run){ 0 };
}

void session_keep_reserve(struct session *s)
{
	while (s->reserve_n < SESSION_RESERVE) {
		int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);

		if (fd < 0)
			return;
		s->reserve[s->reserve_n++] = fd;
	}
}

void session_give_back(struct session *s)
{
	for (size_t i = 0; i < s->reserve_n; i++)
		close(s->reserve[i]);
	s->reserve_n = 0;
}

void session_end(struct session *s)
{
	session_give_back(s);
	counters_close(&s->counters);
	counters_close(&s->late);
	probe_events_remove(&s->probes);
}

void session_close(struct session *s)
{
	session_end(s);
	hotplug_release(&s->hotplug);
	task_watch_release(&s->task_watch);
	loop_release(&s->loop);
	for (size_t i = 0; s->openings && i < s->setup.events->n; i++)
		free(s->openings[i].reason);
	free(s->openings);
	free(s->rows);
	free(s->previous);
	free(s->passes);
	*s = (struct session){ 0 };
}
