/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/run_readings.h"

/*
 * The kernel measures exactly how long a task ran. It uses ticks of up to 10 ms to split that time
 * into user and system time (getrusage(2)). If no tick hits a process, all its time may be reported
 * as user time. No event is enabled while the kernel starts the first program, switches tasks, or
 * ends a process. This system time grows with the number of page faults, because each process has
 * some, and with the number of context switches. Measured in Linux 6.18 on 2 busy CPUs, with
 * HZ=250: up to 2.5 us per fault (stress-ng --fork; sh, bash, make and posix_spawn() loops: 0.4 to
 * 1.5 us). User time was nevertheless less than the time enabled in all these loads, by 3 % and
 * more, because events are enabled during the system time of forks and faults. The share of user
 * time is a margin for machines that split the time differently: withholding a correct count is
 * worse than missing a small loss.
 */
#define UNSEEN_NS UINT64_C(50000000)
#define UNSEEN_NS_PER_FAULT UINT64_C(5000) /* and per switch */
#define UNSEEN_SHARE 5 /* and this share (1/N) of the user time */

static struct reading readings_difference(const struct event *event, const struct reading *before,
					  const struct reading *after)
{
	struct reading reading = { .state = FAILED };

	if (before->state == FAILED || after->state == FAILED) {
		reading.reason = after->state == FAILED ? after->reason : before->reason;
		return reading;
	}
	reading.counts = counts_between(&before->counts, &after->counts);
	if (event->snapshot)
		reading.counts.raw = after->counts.raw;
	reading.state = reading.counts.running_ns < reading.counts.enabled_ns ? SCALED : COUNTED;
	/*
	 * A counter without time has no count. One exception: sometimes the kernel starts the
	 * events of a cgroup on a CPU without starting their clock (seen in Linux 6.18). Then only
	 * the count is not 0.
	 */
	if (reading.counts.running_ns == 0 &&
	    (event->snapshot || reading.counts.enabled_ns > 0 || reading.counts.raw == 0)) {
		reading.state = NOT_COUNTED;
		reading.counts.raw = 0;
	}
	return reading;
}

/* As in perf, the value of a clock event is also its time. */
static struct reading readings_of_tool(enum tool_event tool, const struct run *run)
{
	bool is_clock =
		tool == TOOL_DURATION_TIME || tool == TOOL_USER_TIME || tool == TOOL_SYSTEM_TIME;
	uint64_t value = run->tool[tool];
	uint64_t ran_ns = is_clock ? value : run->tool[TOOL_DURATION_TIME];

	return (struct reading){ COUNTED, { value, ran_ns, ran_ns } };
}

/* Whether the event should be enabled from the exec until the end of every process that the command
 * waits for. */
static bool readings_covers_run(const struct session *s, size_t event)
{
	const struct timing *timing = &s->setup.timing;

	return s->job.start == COUNTER_BY_EXEC && s->setup.inherit == COUNTER_ALL_TASKS &&
	       !s->openings[event].first_only && !s->setup.control && !timing->timeout_ms &&
	       !timing->interval_count;
}

enum cause run_readings_guard_cause(enum program_guard guard)
{
	static const enum cause causes[] = {
		[PROGRAM_OPEN] = CAUSE_NONE,
		[PROGRAM_UNREADABLE] = CAUSE_UNREADABLE,
		[PROGRAM_SET_ID] = CAUSE_SET_ID,
		[PROGRAM_CAPABILITIES] = CAUSE_CAPABILITIES,
	};

	return causes[guard];
}

/*
 * An event is enabled whenever a task that it counts runs in user mode, whether the event is on the
 * PMU or not. If it was enabled for less than the user time, the kernel removed it at the exec of a
 * descendant. System time cannot show this, because the kernel creates and ends tasks without their
 * events. A pinned event cannot show it either, because it is not enabled while it has no counter.
 */
static bool readings_misses_user_time(const struct session *s, const struct run *run, size_t event,
				      uint64_t enabled_ns)
{
	const uint64_t *tool = run->tool;
	const uint64_t user_ns = tool[TOOL_USER_TIME];
	uint64_t steps = tool[TOOL_MINOR_FAULTS] + tool[TOOL_MAJOR_FAULTS] +
			 tool[TOOL_VOLUNTARY_SWITCHES] + tool[TOOL_INVOLUNTARY_SWITCHES];
	/* the user time that an event may miss even if the kernel did not remove it */
	uint64_t allowed_ns = UNSEEN_NS + user_ns / UNSEEN_SHARE + steps * UNSEEN_NS_PER_FAULT;

	return readings_covers_run(s, event) && !event_list_is_pinned(s->setup.events, event) &&
	       enabled_ns < user_ns && user_ns - enabled_ns > allowed_ns;
}

/*
 * Check the reading of a command, for a run or an interval. An interval has no CPU time.
 *
 * At the exec of a program that program_guard() reports, the kernel enables the events of the task
 * and removes them a few microseconds later. If the event should cover the run, its time enabled
 * and the CPU time also show whether the kernel did so. The CPU time is known only at the end of a
 * run.
 */
static void readings_withhold_uncovered(const struct session *s, const struct run *run,
					size_t event, struct reading *reading)
{
	const uint64_t cpu_ns = run->tool[TOOL_USER_TIME] + run->tool[TOOL_SYSTEM_TIME];
	const uint64_t enabled_ns = reading->counts.enabled_ns;
	bool has_share = cpu_ns && readings_covers_run(s, event);
	enum cause cause = CAUSE_NONE;

	if (s->setup.target->kind != TARGET_COMMAND || s->setup.events->events[event].cpus ||
	    reading->state == FAILED || (!cpu_ns && !enabled_ns))
		return;
	if (enabled_ns < (has_share ? cpu_ns / 4 : AT_EXEC_NS))
		cause = run_readings_guard_cause(program_guard(s->program));
	if (!cause && run->has_other_ids && !s->setup.control && !s->setup.timing.interval_count)
		cause = CAUSE_SET_ID; /* even if the command began as another program */
	if (!cause && readings_misses_user_time(s, run, event, enabled_ns))
		cause = CAUSE_PARTLY_UNSEEN;
	if (!cause)
		return;
	reading->state = NOT_COUNTED;
	reading->counts.raw = 0;
	reading->reason.cause = cause;
}

/*
 * ---- Several kinds of cores.
 *
 * An event of a core PMU counts on one kind of core. While a task runs on another kind, the event's
 * time enabled still grows. perf therefore scales the event's count to the time on all kinds, and a
 * sum over all kinds would include the whole time once for each kind.
 *
 * Suppose that, on each kind, some event was on the PMU whenever a task ran there. The times
 * running of these events then add up to the time enabled, and they are the times that the tasks
 * spent on each kind. pstat sets the times enabled of all events to these times.
 */

/* The times of a place, by kind of core. */
struct core_times {
	uint64_t enabled_ns; /* the longest time enabled of these events */
	struct {
		bool known; /* there is an event of this kind */
		uint64_t longest_ns; /* the longest time running */
		bool multiplexed; /* its events ran for different times: too few counters */
	} kinds[PMU_KINDS_MAX];
};

/*
 * Events of one place for which this function returns the same value are enabled together. These
 * are usually all events. If events are switched by name, counted for the first task only, or
 * opened after the exec, they are the instances of one event.
 */
static size_t readings_enabled_with(const struct session *s, size_t i)
{
	const struct event_list *list = s->setup.events;
	const struct event_group *group = &list->groups[event_list_group_of(list, i)];

	return s->switched_by_name || s->openings[i].first_only ||
			       opener_needs_address(list, group) ?
		       list->events[i].name_index :
		       SIZE_MAX;
}

/* The kind of core on which the event of this reading counts. SIZE_MAX: the event counts on all
 * kinds, is not enabled together with the others, or the reading has no usable times. */
static size_t readings_kind_of_reading(const struct session *s, size_t together, size_t i,
				       const struct reading *reading)
{
	const struct event *event = &s->setup.events->events[i];
	const bool has_times = reading_has_count(reading->state) ||
			       (reading->state == NOT_COUNTED && reading->counts.running_ns == 0 &&
				reading->reason.cause == CAUSE_NONE);

	return has_times && opener_takes_turns(event) && !event->snapshot &&
			       readings_enabled_with(s, i) == together ?
		       opener_kind_of(&s->opener, event) :
		       SIZE_MAX;
}

static void readings_add_core_times(struct core_times *times, size_t kind,
				    const struct counts *counts, uint64_t skew_ns)
{
	const uint64_t before_ns = times->kinds[kind].longest_ns;
	const uint64_t now_ns = counts->running_ns;

	if (times->kinds[kind].known)
		times->kinds[kind].multiplexed |=
			now_ns > before_ns + skew_ns || before_ns > now_ns + skew_ns;
	if (now_ns > before_ns)
		times->kinds[kind].longest_ns = now_ns;
	times->kinds[kind].known = true;
}

/* The skew is at most 1/CORE_SKEW_SHARE of the time enabled, so that it cannot hide missing time in
 * a short run. */
#define CORE_SKEW_SHARE 1024

/*
 * Set core_ns[] to the time that the tasks spent on each kind of core. Returns 1 if the times are
 * exact, 0 if they are estimated, -1 if they are unknown.
 *
 * The longest times running may add up to less than the time enabled: on some kind, every event was
 * off the PMU for part of the time. This missing time is added to the multiplexed kinds, or to all
 * kinds if none is multiplexed, in proportion to their longest times.
 *
 * If the longest times add up to more than the time enabled, the time enabled is too short
 * (reading_share_time()). Then nothing shows whether time is missing, so the times are estimates.
 */
static int readings_find_core_times(const struct core_times *times, size_t n, uint64_t skew_ns,
				    uint64_t *core_ns)
{
	uint64_t sum_ns = 0, full_ns = 0;
	bool any_unknown = false;

	for (size_t k = 0; k < n; k++) {
		core_ns[k] = times->kinds[k].longest_ns;
		sum_ns += core_ns[k];
		full_ns += times->kinds[k].multiplexed ? 0 : core_ns[k];
		any_unknown |= !times->kinds[k].known;
	}
	if (sum_ns == 0)
		return -1;
	if (sum_ns > times->enabled_ns + skew_ns)
		return 0;
	if (sum_ns + skew_ns >= times->enabled_ns)
		return 1;
	if (any_unknown)
		return -1;
	full_ns = full_ns == sum_ns ? 0 : full_ns;
	for (size_t k = 0; k < n; k++)
		if (full_ns == 0 || times->kinds[k].multiplexed)
			core_ns[k] = (uint64_t)((long double)core_ns[k] *
						(times->enabled_ns - full_ns) / (sum_ns - full_ns));
	return 0;
}

static void readings_limit_to_core(struct reading *reading, uint64_t core_ns, bool is_exact,
				   uint64_t skew_ns)
{
	struct counts *counts = &reading->counts;

	if (counts->running_ns >= counts->enabled_ns)
		return; /* all tasks ran only there */
	if (core_ns < counts->running_ns ||
	    (is_exact && counts->running_ns > 0 && core_ns - counts->running_ns <= skew_ns))
		core_ns = counts->running_ns;
	if (core_ns < counts->enabled_ns)
		counts->enabled_ns = core_ns;
	if (is_exact && counts->running_ns == counts->enabled_ns)
		reading->state = COUNTED; /* perhaps 0: no task ran there */
}

/* Correct the readings of one place: those of the events that are enabled together. */
static void readings_limit_together(const struct session *s, size_t together,
				    struct reading *readings)
{
	const size_t n = s->setup.events->n;
	struct core_times times = { .enabled_ns = 0 };
	uint64_t core_ns[PMU_KINDS_MAX], skew_ns = 2 * s->skew_ns; /* of both ends of an interval */
	int exact;

	for (size_t i = 0; i < n; i++)
		if (readings_kind_of_reading(s, together, i, &readings[i]) != SIZE_MAX &&
		    readings[i].counts.enabled_ns > times.enabled_ns)
			times.enabled_ns = readings[i].counts.enabled_ns;
	if (skew_ns > times.enabled_ns / CORE_SKEW_SHARE)
		skew_ns = times.enabled_ns / CORE_SKEW_SHARE;
	for (size_t i = 0; i < n; i++) {
		const size_t kind = readings_kind_of_reading(s, together, i, &readings[i]);

		if (kind != SIZE_MAX)
			readings_add_core_times(&times, kind, &readings[i].counts, skew_ns);
	}
	exact = readings_find_core_times(&times, s->opener.kinds.n, skew_ns, core_ns);
	for (size_t i = 0; exact >= 0 && i < n; i++) {
		const size_t kind = readings_kind_of_reading(s, together, i, &readings[i]);

		if (kind != SIZE_MAX)
			readings_limit_to_core(&readings[i], core_ns[kind], exact == 1, skew_ns);
	}
}

static void readings_limit_to_cores(const struct session *s, struct reading *readings)
{
	const size_t n = s->setup.events->n;

	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (readings_enabled_with(s, first) != readings_enabled_with(s, i))
			first++;
		if (first == i)
			readings_limit_together(s, readings_enabled_with(s, i), readings);
	}
}

void run_readings_fill(const struct session *s, enum tools_known tools,
		       const struct reading *before, const struct reading *after, struct run *run)
{
	for (size_t i = 0; i < s->rows_n; i++) {
		size_t index = s->rows[i].event;
		const struct event *event = &s->setup.events->events[index];
		struct reading *reading = &run->readings[i];
		bool known = tools == TOOLS_ALL || event->tool == TOOL_DURATION_TIME;
		size_t pass = s->passes ? s->passes[event_list_group_of(s->setup.events, index)] :
					  PASS_ALL;

		if (s->openings[index].refused)
			*reading = (struct reading){ .state = NOT_SUPPORTED };
		else if (event->tool != TOOL_NONE)
			*reading = known ? readings_of_tool(event->tool, run) :
					   (struct reading){ .state = NOT_COUNTED };
		else if (pass != PASS_ALL && pass != s->job.pass)
			*reading = (struct reading){ .state = ELSEWHERE };
		else if (after[i].state == ELSEWHERE) /* nothing ran in this place */
			*reading = (struct reading){ .state = COUNTED };
		else {
			*reading = readings_difference(event, &before[i], &after[i]);
			if (!s->follows)
				readings_withhold_uncovered(s, run, index, reading);
		}
		/*
		 * Withhold a count of 0 of an event that is not inherited if children have run,
		 * because they may have caused the event. The reading keeps its time running:
		 * session_explain() uses it to distinguish this case from an event that never ran.
		 */
		if (s->openings[index].first_only && reading_has_count(reading->state) &&
		    reading->counts.raw == 0 &&
		    (counters_child_ran(&s->counters, s->rows[i].place_index) ||
		     counters_child_ran(&s->exec_counters, s->rows[i].place_index)))
			reading->state = NOT_COUNTED;
	}
	for (size_t i = 0; s->opener.kinds.n > 0 && i < s->rows_n; i += s->setup.events->n)
		readings_limit_to_cores(s, &run->readings[i]);
}

void run_readings_limit_times(const struct session *s, uint64_t elapsed_ns, struct run *run)
{
	if (s->setup.target->cgroups_n == 0)
		return;
	for (size_t i = 0; i < s->rows_n; i++) {
		struct reading *reading = &run->readings[i];
		struct counts *counts = &reading->counts;
		uint64_t most_ns = s->rows[i].counters * elapsed_ns;

		if (most_ns == 0 || counts->enabled_ns <= most_ns)
			continue;
		counts->enabled_ns = most_ns;
		if (counts->running_ns >= most_ns) {
			counts->running_ns = most_ns;
			reading->state = COUNTED;
		}
	}
}
