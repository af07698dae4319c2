/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/why.h"
#include "count/diagnose.h"
#include "count/passes.h"
#include "count/session.h"

/* ---- Opening a session */

static int session_make_rows(struct session *s)
{
	const struct event_list *events = s->setup.events;
	const struct target *target = s->setup.target;

	s->rows_n = events->n * target->places_n;
	s->rows_size = s->rows_n + 1;
	s->rows = calloc(s->rows_size, sizeof(*s->rows));
	s->openings = calloc(events->n + 1, sizeof(*s->openings));
	s->switched = calloc(events->n + 1, sizeof(*s->switched));
	s->previous = calloc(s->rows_n + 1, sizeof(*s->previous));
	s->shares = calloc(events->n + 1, sizeof(*s->shares));
	if (!s->rows || !s->openings || !s->switched || !s->previous || !s->shares)
		return -ENOMEM;
	for (size_t i = 0; i < s->rows_n; i++)
		s->rows[i] = (struct row){ .event = i % events->n, .place_index = i / events->n };
	return 0;
}

int session_open_counters(struct session *s, struct scope *scopes, size_t n)
{
	struct open_job job = s->job;

	job.scopes = scopes;
	job.scopes_n = n;
	return opener_open(&s->opener, &s->counters, &job);
}

/* Open the counters on the listed tasks. Then open them on threads that were created after the list
 * was made, until no more are found. */
static int session_open_tasks(struct session *s, struct why *why)
{
	struct target *target = s->setup.target;
	const uint64_t ticks_per_s = (uint64_t)sysconf(_SC_CLK_TCK);
	struct timespec now;
	uint64_t started; /* in clock ticks since boot, like task_started() */
	size_t first = 0;
	bool all_gone = true;
	int found, err;

	/* threads that were created since the tasks were listed */
	found = target_find_older_threads(target, s->setup.machine, UINT64_MAX);
	if (found < 0)
		return found;
	found = (int)target->scopes_n;
	clock_gettime(CLOCK_BOOTTIME, &now);
	started = (uint64_t)now.tv_sec * ticks_per_s +
		  (uint64_t)now.tv_nsec * ticks_per_s / 1000000000;
	while (found > 0) {
		err = session_open_counters(s, &target->scopes[first], (size_t)found);
		if (err < 0)
			return err;
		first = target->scopes_n;
		s->job.when = OPEN_LATER;
		found = target_find_older_threads(target, s->setup.machine, started);
	}
	for (size_t i = 0; i < target->scopes_n; i++)
		all_gone &= target->scopes[i].gone;
	if (found == 0 && all_gone)
		return why_set(why, -ESRCH, "the tasks that were to be counted have ended");
	return found;
}

/* Refuse events that cannot be counted on this target, although the kernel would accept them. */
static int session_refuse_unfit(struct session *s)
{
	for (size_t i = 0; i < s->setup.events->n; i++) {
		const struct event *event = &s->setup.events->events[i];
		const char *reason = NULL;

		if (event->tool != TOOL_NONE && event->tool != TOOL_DURATION_TIME &&
		    !s->setup.has_command)
			reason = "pstat can measure it for a command only";
		else if (event->symbol && s->setup.target->kind != TARGET_COMMAND)
			reason = "symbols are looked up in the counted command only; give the "
				 "address as a number";
		else if (event->relocated && s->follows)
			reason = "the address of its symbol differs in each process; give the "
				 "address as a number";
		else if (event->attr.exclude_kernel && counter_kernel_only(event))
			reason = "it happens only in the kernel, so its count in user mode is "
				 "always 0; omit :u and --all-user";
		else if (event->attr.exclude_user && event_is_uprobe(event))
			reason = "it happens only in user mode; omit :k and --all-kernel";
		if (!reason)
			continue;
		s->openings[i].refused = true;
		s->openings[i].reason.cause = CAUSE_OPEN;
		s->openings[i].reason.text = strdup(reason);
		if (!s->openings[i].reason.text)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Whether groups may take turns. They do not in these cases:
 *	perf's scaling is required, or --no-multiplex counts in passes
 *	--control also switches the groups
 *	with -I, each group needs a part of each interval
 *	the times of cgroups have jumps (run_readings.h)
 *	the rows of threads and processes of a command may end between two samples
 *	no event needs a counter
 */
static bool session_may_take_turns(const struct session_setup *setup)
{
	const struct target *target = setup->target;

	if (setup->perf_scaling || setup->units || setup->control || setup->timing.interval_ms ||
	    target->cgroups_n > 0 ||
	    (target->kind == TARGET_COMMAND && target->split != PLACE_TARGET))
		return false;
	for (size_t i = 0; i < setup->events->n; i++)
		if (opener_needs_counter(&setup->events->events[i]))
			return true;
	return false;
}

/* Find the kinds of cores if tasks are counted by events that may be for one kind only. */
static int session_find_kinds(struct session *s)
{
	const struct event_list *events = s->setup.events;

	for (size_t i = 0; s->setup.target->kind != TARGET_CPUS && i < events->n; i++)
		if (opener_takes_turns(&events->events[i]) && event_pmu_type(&events->events[i]))
			return pmu_find_kinds(s->setup.machine, &s->opener.kinds);
	return 0;
}

bool session_needs_counters(const struct session *s)
{
	const struct event_list *events = s->setup.events;

	for (size_t i = 0; i < events->n; i++)
		if (opener_needs_counter(&events->events[i]) && !s->openings[i].refused)
			return true;
	return false;
}

/* A command needs a timer only for -I, -D and --timeout. Turns also use one, but without it, the
 * kernel rotates the groups. */
static bool session_needs_timer(const struct session_setup *setup)
{
	const struct timing *timing = &setup->timing;

	return timing->interval_ms || timing->delay_ms > 0 || timing->timeout_ms ||
	       setup->target->kind != TARGET_COMMAND;
}

/* Opening and closing many probes takes seconds. A group that also has events that may be
 * multiplexed is opened again nevertheless. */
static bool session_is_slow(const struct event_list *events, const struct event_group *group)
{
	bool slow = false;

	for (size_t i = group->first; i < group->first + group->n; i++) {
		const struct event *event = &events->events[i];

		if (opener_needs_counter(event) && !event->probed)
			return false;
		slow |= event->probed || event->attr.type == PERF_TYPE_TRACEPOINT;
	}
	return slow;
}

/* Open the groups on pstat itself, for all runs. Begin with the lasting groups, so that the others
 * can be closed later. */
static int session_open_inherited(struct session *s)
{
	const struct event_list *events = s->setup.events;
	struct scope *pstat = s->setup.target->scopes;
	bool any_slow = false;
	int err;

	for (size_t i = 0; i < events->groups_n; i++)
		any_slow |= session_is_slow(events, &events->groups[i]);
	if (!any_slow)
		return session_open_counters(s, pstat, 1);
	s->lasting = calloc(events->groups_n, sizeof(*s->lasting));
	if (!s->lasting)
		return -ENOMEM;
	for (size_t i = 0; i < events->groups_n; i++) {
		s->lasting[i] = session_is_slow(events, &events->groups[i]) ? LASTING : REOPENED;
		if (opener_needs_address(events, &events->groups[i]))
			s->lasting[i] = PASS_ALL;
	}
	s->job.passes = s->lasting;
	s->job.pass = LASTING;
	err = session_open_counters(s, pstat, 1);
	s->lasting_counters_n = s->counters.n;
	s->lasting_groups_n = s->counters.groups_n;
	s->job.pass = REOPENED;
	return err < 0 ? err : session_open_counters(s, pstat, 1);
}

bool session_end_turns_without_clock(struct session *s)
{
	if (s->turns.n == 0 || !s->counters.lacks_clock)
		return false;
	turns_release(&s->turns);
	sampler_release(&s->sampler);
	s->job.turns = NULL;
	for (size_t i = 0; i < s->counters.groups_n; i++)
		s->counters.groups[i].waits = false;
	return true;
}

/* Let the groups take turns if the PMU cannot count them at once. A group of a command that is
 * slow to open has to stay open: then the kernel rotates all groups. 0 or -ENOMEM. */
static int session_find_turns(struct session *s)
{
	const struct event_list *events = s->setup.events;
	const bool is_command = s->setup.target->kind == TARGET_COMMAND;
	cleanup_free size_t *sets = NULL;
	int err;

	if (!s->loop.has_timer || !session_may_take_turns(&s->setup) || s->stops_at_exec)
		return 0;
	for (size_t i = 0; is_command && i < events->groups_n; i++)
		if (session_is_slow(events, &events->groups[i]))
			return 0;
	err = passes_take_turns(&s->opener, &s->job, &sets, &s->budget);
	if (err < 0 || s->budget.fits || s->budget.passes < 2 || s->budget.counters == 0)
		return err;
	err = turns_init(&s->turns, take_ptr(sets), s->budget.passes, clock_ns());
	s->job.turns = s->turns.sets;
	s->reopens |= is_command;
	return err;
}

static int session_open_attached(struct session *s, struct why *why)
{
	struct target *target = s->setup.target;
	int err = session_find_turns(s);

	s->job.start = COUNTER_SWITCHED;
	if (err < 0)
		return err;
	if (target->kind == TARGET_CPUS) {
		err = session_open_counters(s, target->scopes, target->scopes_n);
		if (err < 0)
			return err;
		session_end_turns_without_clock(s);
		s->job.when = OPEN_LATER;
		return watch_cpus(&s->cpu_watch, s->setup.machine, target);
	}
	err = session_open_tasks(s, why);
	session_end_turns_without_clock(s);
	if (err == 0 && !target->all_tasks)
		err = watch_tasks(&s->task_watch, s->setup.machine, target);
	return err;
}

int session_open(struct session *s, const struct session_setup *setup, struct why *why)
{
	const struct event_list *events = setup->events;
	int err;

	*s = (struct session){ .setup = *setup,
			       .passes_n = 1,
			       .follows = setup->target->kind == TARGET_COMMAND &&
					  setup->target->split != PLACE_TARGET };
	err = session_make_rows(s);
	if (err < 0)
		return err;
	if (session_needs_timer(setup) || session_may_take_turns(setup)) {
		/* before the counters use up all descriptors */
		err = loop_open_timer(&s->loop);
		if (err < 0 && session_needs_timer(setup))
			return why_set(why, err, "cannot open a timer: %s", strerror(-err));
	}
	session_keep_reserve(s);
	s->opener = (struct opener){ .machine = setup->machine,
				     .events = events,
				     .target = setup->target,
				     .rows = s->rows,
				     .openings = s->openings,
				     .separate = setup->control != NULL,
				     .event_opener = { .observer = setup->watch } };
	s->job.inherit = s->follows ? COUNTER_FIRST_TASK : setup->inherit;
	err = session_find_kinds(s);
	if (err == 0)
		err = session_refuse_unfit(s);
	/* probes have no children to inherit them on CPUs, and with -i */
	if (err == 0 && (setup->inherit == COUNTER_ALL_TASKS || s->follows) &&
	    setup->target->kind != TARGET_CPUS && machine_is_here(setup->machine)) {
		s->opener.event_opener.probes = &s->probes;
		err = probe_events_create(&s->probes, setup->machine, events);
	}
	if (err < 0)
		return err;
	if (setup->target->kind != TARGET_COMMAND)
		return session_open_attached(s, why);
	s->job.start = setup->timing.delay_ms ? COUNTER_SWITCHED : COUNTER_BY_EXEC;
	/* with -D and --control, counters are switched while the command runs */
	s->reopens = setup->reopens || setup->timing.delay_ms != 0 || setup->control ||
		     s->follows || setup->inherit == COUNTER_FIRST_TASK;
	for (size_t i = 0; i < events->n; i++)
		s->reopens |= probe_events_first_only(&s->probes, &events->events[i]);
	for (size_t i = 0; i < events->groups_n && !s->follows; i++)
		s->stops_at_exec |= opener_needs_address(events, &events->groups[i]);
	if (setup->units) {
		err = passes_find(&s->opener, &s->job, setup->units, &s->passes, &s->budget);
		s->passes_n = s->budget.passes;
		s->job.passes = s->passes;
		return err;
	}
	err = session_find_turns(s);
	return err < 0 || s->reopens ? err : session_open_inherited(s);
}

size_t session_set_of(const struct session *s, size_t event)
{
	return s->turns.n > 0 ? s->turns.sets[event_list_group_of(s->setup.events, event)] :
				PASS_ALL;
}

bool session_tasks_have_ended(struct session *s)
{
	watch_tasks_check_all(&s->task_watch);
	return s->task_watch.v && s->task_watch.n == 0;
}

/* The C library reads the number from sysfs, which takes longer than to read several counters. */
uint64_t session_online_cpus(struct session *s)
{
	if (s->online_cpus == 0)
		s->online_cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	return s->online_cpus;
}

bool session_find_shares(struct session *s)
{
	bool any = false;

	for (size_t i = 0; i < s->setup.events->n; i++) {
		const struct event *event = &s->setup.events->events[i];

		s->shares[i] = opener_takes_turns(event) && !event->snapshot &&
			       !s->openings[i].first_only &&
			       (!s->turns.ended || session_set_of(s, i) == PASS_ALL);
		any |= s->shares[i];
	}
	/* on CPUs, the kernel's times are right unless the groups take turns */
	return any && (s->setup.target->kind != TARGET_CPUS || s->turns.n > 0) &&
	       !s->switched_by_name;
}

/* Begin with the last event, so that members are off before their leader is on. */
void session_switch_new(const struct session *s, struct counters *c, size_t first_group)
{
	for (size_t i = s->setup.events->n; i-- > 0;)
		if (s->switched[i] != SWITCHED_NOT)
			counters_switch_event(c, first_group, s->rows, i,
					      s->switched[i] == SWITCHED_ON ? KERNEL_ON :
									      KERNEL_OFF);
}

/* ---- Reasons of events without a count */

size_t session_refused(const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->setup.events->n; i++)
		n += s->openings[i].refused;
	return n;
}

/* Set the reason of an event. Takes ownership of the text. */
static int session_replace_reason(struct session *s, size_t event, struct reason reason,
				  struct str *text)
{
	struct opening *opening = &s->openings[event];

	if (text->failed)
		return -ENOMEM;
	opening->uncounted = true;
	free(opening->reason.text);
	opening->reason = reason;
	opening->reason.text = take_ptr(text->text);
	return 0;
}

#define AT_EXEC ", so the kernel stopped counting at its exec; "

/* Append why an open counter has no count. place: the label of its row. user_ns: the user time of
 * its run. */
static void session_add_reason_of_reading(const struct reading *reading, const char *place,
					  uint64_t user_ns, struct str *out)
{
	static const char *const texts[] = {
		[CAUSE_USER_ZERO] = "it was never seen in user mode, and may happen only in the "
				    "kernel, which is not counted",
		[CAUSE_UNREADABLE] =
			"the program is not readable" AT_EXEC "run pstat as root or use -a",
		[CAUSE_SET_ID] = "the program is set-user-ID or set-group-ID" AT_EXEC "use -a",
		[CAUSE_CAPABILITIES] = "the program has file capabilities" AT_EXEC "use -a",
		[CAUSE_UNTRACED] = "a task is hidden from tracers (CLONE_UNTRACED); "
				   "count without a row for each task",
	};
	static const char *const calls[] = { [CAUSE_READ] = "read",
					     [CAUSE_ENABLE] = "switched on",
					     [CAUSE_DISABLE] = "switched off" };
	const enum cause cause = reading->reason.cause;
	const int error = reading->reason.error;

	switch (cause) {
	case CAUSE_READ:
	case CAUSE_ENABLE:
	case CAUSE_DISABLE:
		str_addf(out, "its counter%s%s cannot be %s: %s", *place ? " of " : "", place,
			 calls[cause], strerror(-error));
		break;
	case CAUSE_TASK:
		str_addf(out, "its counter cannot be opened on %s: %s%s", place, strerror(-error),
			 error == -EMFILE ? " (ulimit -n)" : "");
		break;
	case CAUSE_PARTLY_UNSEEN:
		str_addf(out,
			 "its counter saw only %.1f of %.1f ms of user time; a set-user-ID or "
			 "unreadable program may have run",
			 (double)reading->counts.enabled_ns / 1e6, (double)user_ns / 1e6);
		break;
	default:
		if (texts[cause])
			str_add(out, texts[cause]);
	}
}

/* Explain an event by its first reading that has a reason. Returns 1, 0 if there is none, or
 * -ENOMEM. */
static int session_explain_failure(struct session *s, size_t event, const struct run *runs,
				   size_t runs_n)
{
	cleanup_str struct str text = { 0 };

	for (size_t run = 0; run < runs_n; run++)
		for (size_t row = event; row < s->rows_n; row += s->setup.events->n) {
			const struct reading *reading = &runs[run].readings[row];
			const struct place *place =
				&s->setup.target->places[s->rows[row].place_index];

			if (!reading->reason.cause)
				continue;
			session_add_reason_of_reading(reading, place->label,
						      runs[run].tool[TOOL_USER_TIME], &text);
			return session_replace_reason(s, event, reading->reason, &text) < 0 ?
				       -ENOMEM :
				       1;
		}
	return 0;
}

static bool session_was_never_on(const struct session *s)
{
	return s->job.start == COUNTER_SWITCHED && !s->was_on;
}

static int session_explain_never_enabled(struct session *s, size_t event)
{
	const char *cgroup = s->setup.events->events[event].cgroup;
	cleanup_str struct str text = { 0 };

	if (session_was_never_on(s))
		str_add(&text, "it was never switched on while the target ran (-D, --control)");
	else if (cgroup)
		str_addf(&text,
			 "the kernel never enabled it: no task of cgroup %s ran on these CPUs",
			 cgroup);
	else if (s->setup.target->kind == TARGET_TASKS)
		str_add(&text, "none of the tasks ran while it was counted");
	else if (s->setup.target->kind == TARGET_COMMAND)
		str_add(&text, "it was never enabled: the command ended before it began");
	else
		str_add(&text, "it was opened and never enabled");
	return session_replace_reason(s, event, (struct reason){ CAUSE_NEVER_ENABLED }, &text);
}

static int session_explain_never_ran(struct session *s, size_t event)
{
	const struct event_list *events = s->setup.events;
	const char *pmu = events->events[event].pmu;
	cleanup_str struct str text = { 0 };
	size_t rivals = 0; /* events that use counters of the same PMU */

	if (event_list_is_pinned(events, event))
		str_addf(&text,
			 "it is pinned (:D), but PMU %s did not always have free counters for it",
			 pmu);
	else
		str_addf(&text, "PMU %s accepted it but never had a free counter for it", pmu);
	for (size_t i = 0; i < events->n; i++)
		rivals += opener_needs_counter(&events->events[i]) &&
			  strcmp(events->events[i].pmu, pmu) == 0;
	if (rivals > 1)
		str_addf(&text, ", with %zu events to count at once", rivals);
	diagnose_watchdog(s->setup.machine, &text);
	return session_replace_reason(s, event, (struct reason){ CAUSE_NEVER_RAN }, &text);
}

/* Whether the sum in the event's row needs no count of this event. This is so if no task was seen
 * on the event's kind of core, or no counted CPU is of this kind. The row also has to have a count
 * of another kind. */
static bool session_is_part_of_sum(const struct session *s, size_t event, const struct run *runs,
				   size_t runs_n)
{
	const struct event *events = s->setup.events->events;
	bool other = false;

	if (events[event].cpus || !events[event].summed)
		return false;
	for (size_t run = 0; run < runs_n; run++)
		for (size_t row = 0; row < s->rows_n; row++) {
			const struct event *it = &events[s->rows[row].event];
			const struct reading *reading = &runs[run].readings[row];

			if (s->rows[row].event == event &&
			    (reading->state != NOT_COUNTED || reading->counts.enabled_ns > 0))
				return false;
			other |= it->name_index == events[event].name_index &&
				 str_equal(it->cgroup, events[event].cgroup) &&
				 reading_has_count(reading->state);
		}
	return other;
}

/* Explain why an event that counts on one kind of core has no count. */
static int session_explain_kind(struct session *s, size_t event)
{
	cleanup_str struct str text = { 0 };

	str_addf(&text,
		 "no task ran on the cores of PMU %s, or this PMU never had a free counter for it",
		 s->setup.events->events[event].pmu);
	return session_replace_reason(s, event, (struct reason){ CAUSE_NEVER_RAN }, &text);
}

/* Whether an event of another kind of core ran, so that this kind was perhaps not used. */
static bool session_ran_elsewhere(const struct session *s, size_t event, const struct run *runs,
				  size_t runs_n)
{
	const struct event *events = s->setup.events->events;
	const size_t kind = opener_kind_of(&s->opener, &events[event]);

	for (size_t run = 0; kind != SIZE_MAX && run < runs_n; run++)
		for (size_t row = 0; row < s->rows_n; row++) {
			size_t other = opener_kind_of(&s->opener, &events[s->rows[row].event]);

			if (other != SIZE_MAX && other != kind &&
			    runs[run].readings[row].counts.running_ns > 0)
				return true;
		}
	return false;
}

/*
 * Returns like session_explain_failure(). An event in its error state (FAILED) was enabled, but
 * could not stay on the PMU: it is pinned, and some CPU had no free counter for it. A reading with
 * time running but without a count is a 0 that run_readings.c withheld; its reason is known
 * already.
 */
static int session_explain_event(struct session *s, size_t event, const struct run *runs,
				 size_t runs_n)
{
	bool counted = false, lost = false, enabled = false;
	int found = session_explain_failure(s, event, runs, runs_n);

	if (found != 0)
		return found;
	if (session_is_part_of_sum(s, event, runs, runs_n))
		return 0;
	for (size_t i = 0; i < runs_n; i++)
		for (size_t row = event; row < s->rows_n; row += s->setup.events->n) {
			const struct reading *reading = &runs[i].readings[row];

			lost |= reading->state == FAILED;
			enabled |= reading->counts.enabled_ns > 0;
			counted |=
				reading_has_count(reading->state) || reading->counts.running_ns > 0;
		}
	if (counted && !lost)
		return 0;
	if (!lost && !event_list_is_pinned(s->setup.events, event) &&
	    opener_kind_of(&s->opener, &s->setup.events->events[event]) != SIZE_MAX &&
	    (enabled || session_ran_elsewhere(s, event, runs, runs_n)))
		return session_explain_kind(s, event);
	if (enabled || lost ||
	    (event_list_is_pinned(s->setup.events, event) && !session_was_never_on(s)))
		return session_explain_never_ran(s, event);
	return session_explain_never_enabled(s, event);
}

/*
 * If no run saw such an event, it has no count: 0 would also be shown if the event happens only in
 * the kernel. If some run saw it, each 0 is a count, also one that was withheld when fewer runs
 * were known.
 */
static void session_withhold_unseen(const struct session *s, size_t event, const struct run *runs,
				    size_t runs_n)
{
	bool seen = false;

	for (size_t i = 0; i < runs_n; i++)
		for (size_t row = event; row < s->rows_n; row += s->setup.events->n)
			seen |= runs[i].readings[row].counts.raw > 0;
	for (size_t i = 0; i < runs_n; i++)
		for (size_t row = event; row < s->rows_n; row += s->setup.events->n) {
			struct reading *reading = &runs[i].readings[row];
			const struct counts *counts = &reading->counts;

			if (seen && reading->reason.cause == CAUSE_USER_ZERO) {
				reading->reason.cause = CAUSE_NONE;
				reading->state =
					counts->running_ns < counts->enabled_ns ? SCALED : COUNTED;
			} else if (!seen && reading_has_count(reading->state)) {
				reading->reason.cause = CAUSE_USER_ZERO;
				reading->state = NOT_COUNTED;
			}
		}
}

int session_explain(struct session *s, const struct run *runs, size_t runs_n,
		    enum session_reasons reasons)
{
	const struct event_list *events = s->setup.events;
	int err = 0;

	for (size_t i = 0; err >= 0 && i < events->n; i++) {
		const struct event *event = &events->events[i];

		/* the reasons of these events were found before the runs */
		if (s->openings[i].refused || event->tool != TOOL_NONE)
			continue;
		/* it may happen only in the kernel, although only user mode is counted */
		if (event->attr.type == PERF_TYPE_TRACEPOINT && !event->in_user &&
		    (event->attr.exclude_kernel || s->openings[i].user_only))
			session_withhold_unseen(s, i, runs, runs_n);
		err = reasons == REASONS_ALL ? session_explain_event(s, i, runs, runs_n) :
					       session_explain_failure(s, i, runs, runs_n);
	}
	return err < 0 ? err : 0;
}

/* ---- Closing */

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

void session_release_reserve(struct session *s)
{
	for (size_t i = 0; i < s->reserve_n; i++)
		close(s->reserve[i]);
	s->reserve_n = 0;
}

void session_close_counters(struct session *s)
{
	session_release_reserve(s);
	counters_close(&s->counters);
	counters_close(&s->exec_counters);
	probe_events_remove(&s->probes);
}

void session_close(struct session *s)
{
	session_close_counters(s);
	watch_cpus_release(&s->cpu_watch);
	watch_tasks_release(&s->task_watch);
	loop_release(&s->loop);
	for (size_t i = 0; s->openings && i < s->setup.events->n; i++)
		free(s->openings[i].reason.text);
	free(s->openings);
	free(s->rows);
	free(s->switched);
	free(s->shares);
	free(s->previous);
	free(s->passes);
	free(s->follow.tasks);
	free(s->follow.readings);
	free(s->follow.creations);
	tracer_release(&s->follow.tracer);
	str_release(&s->follow.untraced);
	str_release(&s->follow.deprived);
	free(s->lasting);
	sampler_release(&s->sampler);
	turns_release(&s->turns);
	*s = (struct session){ 0 };
}
