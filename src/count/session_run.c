/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "count/capture.h"
#include "count/follow.h"
#include "count/passes.h"
#include "count/run_readings.h"
#include "count/session_run.h"

#define NS_OF_MS UINT64_C(1000000)

/* Why counting has ended. */
enum ending {
	ENDED_COMMAND = 1, /* the command has ended */
	ENDED_TASKS, /* there is no command, and the last task has ended */
	ENDED_SIGNAL, /* there is no command, and a signal asks pstat to end */
	ENDED_TIMEOUT,
	ENDED_INTERVALS, /* all requested intervals were reported */
	ENDED_STOP, /* the command `stop` of --control */
};

/* The ticks of -I, at multiples of the interval from the origin. Work after a tick does not delay
 * the next tick, however long it takes. */
struct ticks {
	uint64_t passed;
	uint64_t woke_ns; /* when the last tick was noticed, from the origin */
	size_t missed; /* ticks that passed unnoticed in the last interval */
};

/* The state of one run. */
struct run_context {
	struct session *s;
	struct workload *w;
	struct run *run;
	const struct session_hooks *hooks;
	struct why *why;
	size_t round;
	struct loop *loop;
	struct loop_deadline start, tick, timeout, sample, check_cpus, check_tasks, progress;
	struct ticks ticks;
	uint64_t origin_ns; /* zero of ticks and timeout: the start, or the end of -D */
	struct reading *before, *last; /* readings at the start, and at the last tick */
	struct reading *now; /* the last reading of each row */
	struct reading *off, *on; /* around switching on, see session_run_switch_events() */
	uint64_t switching_ns; /* how long it took to switch the events */
	uint64_t last_ns; /* when the last tick was */
	uint64_t before_read_ns, last_read_ns, now_read_ns; /* when each reading began */
	uint64_t now_ended_ns; /* when the reading `now` ended */
	size_t intervals;
	ssize_t companion; /* index of the companion event, or SAMPLER_ALONE */
	bool *sampled; /* for each row: whether the last sample has read it */
	bool over; /* the last reading is done: commands of --control are only answered */
};

static int session_run_report_opened(const struct run_context *r)
{
	return r->hooks->opened ? r->hooks->opened(r->s, r->hooks->data) : 0;
}

static void session_run_read_counters(const struct session *s, struct reading *readings)
{
	memset(readings, 0, s->rows_n * sizeof(*readings));
	counters_read(&s->counters, readings);
	counters_read(&s->exec_counters, readings);
}

/* Whether the event has this name. name: NULL means all events. */
static bool session_run_is_event_named(const struct session *s, size_t event, const char *name)
{
	return !name || strcmp(s->setup.events->events[event].name, name) == 0;
}

static void session_run_switch_counters(struct session *s, const char *name, enum kernel_switch to)
{
	if (!name) {
		counters_switch(&s->counters, to);
		counters_switch(&s->exec_counters, to);
		follow_switch(s, FOLLOW_ALL_EVENTS, to);
		return;
	}
	for (size_t i = 0; i < s->setup.events->n; i++) {
		if (!session_run_is_event_named(s, i, name))
			continue;
		counters_switch_event(&s->counters, 0, s->rows, i, to);
		counters_switch_event(&s->exec_counters, 0, s->rows, i, to);
		follow_switch(s, i, to);
	}
}

/*
 * Switch the events of this name; NULL: all events. The other events do not change. Returns whether
 * an event has the name.
 *
 * The kernel's clock of a cgroup on a CPU stops while no event of the cgroup is on there. When an
 * event is switched on again, the kernel may add the time in between to its time enabled, and some
 * or all of this time to its time running (seen in Linux 6.18). So the times that counters gain
 * while they are switched on are subtracted.
 */
static bool session_run_switch_events(struct run_context *r, const char *name,
				      enum kernel_switch to)
{
	struct session *s = r->s;
	bool may_gain = to == KERNEL_ON && s->setup.target->cgroups_n > 0, found = false;
	uint64_t began_ns = clock_ns();

	s->switched_by_name |= name != NULL;
	if (may_gain)
		session_run_read_counters(s, r->off);
	session_run_switch_counters(s, name, to);
	r->switching_ns += clock_ns() - began_ns;
	if (may_gain)
		session_run_read_counters(s, r->on);
	for (size_t i = 0; may_gain && i < s->rows_n; i++) {
		struct counts gain = counts_between(&r->off[i].counts, &r->on[i].counts);

		if (s->switched[s->rows[i].event] == SWITCHED_ON)
			continue;
		gain.raw = 0;
		counts_add(&r->before[i].counts, &gain);
		counts_add(&r->last[i].counts, &gain);
	}
	for (size_t i = 0; i < s->setup.events->n; i++) {
		if (!session_run_is_event_named(s, i, name))
			continue;
		found = true;
		if (to == KERNEL_ON)
			s->switched[i] = SWITCHED_ON;
		else if (name)
			s->switched[i] = SWITCHED_OFF;
		else if (s->switched[i] == SWITCHED_ON)
			s->switched[i] = SWITCHED_NOT;
	}
	s->was_on |= found && to == KERNEL_ON;
	return found;
}

/*
 * Give the counters of each place that are enabled together the same time enabled. That of events
 * that take turns includes the time between their turns. A time is never less than it was at the
 * last tick.
 */
static void session_run_correct_times(struct run_context *r)
{
	const struct session *s = r->s;
	const size_t n = s->setup.events->n;
	struct enabled_together together = { .skew_ns = s->skew_ns };

	for (size_t row = 0; row < s->rows_n; row += n) {
		together.clock_ns = counters_clock_ns(&s->counters, row / n);
		reading_share_time(&r->before[row], &r->now[row], s->shares, n, &together);
		for (size_t i = 0; s->turns.ended && i < n; i++)
			if (session_set_of(s, i) != PASS_ALL)
				r->now[row + i].counts.enabled_ns =
					r->before[row + i].counts.enabled_ns + together.clock_ns;
	}
	for (size_t row = 0; row < s->rows_n; row++)
		if (r->now[row].counts.enabled_ns < r->last[row].counts.enabled_ns)
			r->now[row].counts.enabled_ns = r->last[row].counts.enabled_ns;
}

static bool session_run_failed_somewhere(const struct session *s, size_t event)
{
	for (size_t row = event; row < s->rows_n; row += s->setup.events->n)
		if (s->previous[row].state == FAILED)
			return true;
	return false;
}

/* Find the companion of the events that take turns: an event of the core PMU that is always on, if
 * possible a pinned one. All groups that take turns are on the same PMU. */
static ssize_t session_run_find_companion(const struct session *s)
{
	const struct event_list *events = s->setup.events;
	ssize_t found = SAMPLER_ALONE;

	for (size_t i = 0; i < events->n; i++) {
		const struct event *event = &events->events[i];

		if (!opener_takes_turns(event) || event->snapshot ||
		    session_set_of(s, i) != PASS_ALL || passes_is_outside_core(&s->opener, event) ||
		    session_run_failed_somewhere(s, i))
			continue;
		if (event_list_is_pinned(events, i))
			return (ssize_t)i;
		if (found == SAMPLER_ALONE)
			found = (ssize_t)i;
	}
	return found;
}

/*
 * Read what this sample needs: the set whose turn has ended, and the companion with its group. The
 * other sets are off, and have not counted since the end of their last turn, apart from tasks that
 * were forked just then. The first sample reads everything.
 */
static void session_run_read_sample(struct run_context *r)
{
	struct session *s = r->s;
	const struct event_list *events = s->setup.events;
	const bool first = s->sampler.taken == 0;
	const size_t group =
		r->companion >= 0 ? event_list_group_of(events, (size_t)r->companion) : SIZE_MAX;

	for (size_t row = 0; row < s->rows_n; row++) {
		const size_t event = s->rows[row].event;

		r->sampled[row] = first || session_set_of(s, event) == s->job.turn ||
				  event_list_group_of(events, event) == group;
		if (r->sampled[row])
			s->previous[row] = (struct reading){ 0 };
	}
	counters_read_rows(&s->counters, r->sampled, s->previous);
	if (first)
		r->companion = session_run_find_companion(s);
}

/*
 * While tasks run, the times of counters that are enabled together may differ. The limit is the
 * time that pstat took to switch and read the counters, multiplied by the number of online CPUs.
 * After the end of a command whose exec has switched the counters on, the times do not differ.
 * ending: how counting ended (enum ending), or 0 while it continues. Turns exclude intervals, so
 * with turns, a reading before the end is a sample.
 */
static void session_run_read_now(struct run_context *r, int ending)
{
	const bool over = ending == ENDED_COMMAND && r->w->alone;
	struct session *s = r->s;
	bool shares;

	s->has_previous = false;
	r->now_read_ns = clock_ns();
	if (ending == 0 && s->turns.n > 0)
		session_run_read_sample(r);
	else
		session_run_read_counters(s, s->previous);
	r->now_ended_ns = clock_ns();
	s->skew_ns = r->switching_ns + (over ? 0 : r->now_ended_ns - r->now_read_ns);
	memcpy(r->now, s->previous, s->rows_n * sizeof(*r->now));
	shares = session_find_shares(s) || s->turns.ended;
	if (s->skew_ns && (shares || s->opener.kinds.n > 0))
		s->skew_ns *= session_online_cpus(s);
	if (shares)
		session_run_correct_times(r);
}

static int session_run_report_interval(struct run_context *r, uint64_t at_ns)
{
	struct interval interval = { .at_ns = at_ns, .missed = r->ticks.missed };
	cleanup_free struct reading *readings = calloc(r->s->rows_n + 1, sizeof(*readings));
	bool whole = true;

	if (!readings)
		return -ENOMEM;
	interval.run.readings = readings;
	interval.run.tool[TOOL_DURATION_TIME] = at_ns - r->last_ns;
	run_readings_fill(r->s, TOOLS_CLOCK_ONLY, r->last, r->now, &interval.run);
	run_readings_limit_times(r->s, r->now_ended_ns - r->last_read_ns, &interval.run);
	/* if a counter cannot be read now, its next reading covers this interval, too */
	for (size_t i = 0; i < r->s->rows_n; i++) {
		if (r->now[i].state != FAILED)
			r->last[i] = r->now[i];
		else
			whole = false;
	}
	if (whole)
		r->last_read_ns = r->now_read_ns;
	r->last_ns = at_ns;
	r->intervals++;
	return r->hooks->interval ? r->hooks->interval(r->s, &interval, r->hooks->data) : 0;
}

static void session_run_report_switched(const struct run_context *r, bool on)
{
	if (r->hooks->switched)
		r->hooks->switched(on, r->hooks->data);
}

static void session_run_obey_control(struct run_context *r, enum control_command command,
				     const char *line)
{
	bool on = command == CONTROL_ENABLE || command == CONTROL_ENABLE_EVENT;
	bool all = command == CONTROL_ENABLE || command == CONTROL_DISABLE;
	bool found;

	switch (command) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
	case CONTROL_ENABLE_EVENT:
	case CONTROL_DISABLE_EVENT:
		found = session_run_switch_events(r, all ? NULL : line,
						  on ? KERNEL_ON : KERNEL_OFF);
		if (all)
			session_run_report_switched(r, on);
		else if (!found && r->hooks->unknown_event)
			r->hooks->unknown_event(line, r->hooks->data);
		break;
	case CONTROL_LIST:
		if (r->hooks->list_events)
			r->hooks->list_events(line, r->hooks->data);
		break;
	default: /* ping needs only the answer; stop ends the loop after it */
		break;
	}
}

/* A client of the loop: carry out and answer all commands of --control that one read returns. Later
 * commands wait for the next turn. Only the first answer that is lost is reported. */
static int session_run_handle_commands(void *data, int fd)
{
	struct run_context *r = data;
	struct session *s = r->s;
	struct control *control = s->setup.control;
	enum control_command command;
	const char *line;
	int err;

	do {
		command = control_next(control, &line);
		if (command == CONTROL_CLOSED)
			loop_remove(r->loop, fd);
		if (command == CONTROL_NONE || command == CONTROL_CLOSED)
			return 0;
		if (command == CONTROL_UNKNOWN) {
			if (r->hooks->unknown_command)
				r->hooks->unknown_command(line, r->hooks->data);
			continue;
		}
		if (!r->over)
			session_run_obey_control(r, command, line);
		err = control_ack(control);
		if (err < 0 && !s->not_answered && r->hooks->not_answered)
			r->hooks->not_answered(-err, r->hooks->data);
		s->not_answered |= err < 0;
		if (command == CONTROL_STOP)
			return ENDED_STOP;
	} while (control_has_line(control));
	return 0;
}

static int session_run_change_cpu(int cpu, enum cpu_change change, void *data)
{
	struct run_context *r = data;
	struct session *s = r->s;
	struct target *target = s->setup.target;
	size_t first_group = s->counters.groups_n, first_clock = s->counters.clocks_n;
	size_t index;
	int err;

	s->online_cpus = 0;
	if (r->hooks->cpu)
		r->hooks->cpu(cpu, change, r->hooks->data);
	if (change == CPU_GONE) {
		for (size_t i = 0; i < target->scopes_n; i++)
			target->scopes[i].gone |= target->scopes[i].cpu == cpu;
		return counters_retire(&s->counters, cpu, s->rows_n);
	}
	err = target_add_cpu(target, s->setup.machine, cpu, &index);
	if (err < 0)
		return err == -ENOMEM ? err : 0;
	err = session_open_counters(s, &target->scopes[index], 1);
	if (err < 0)
		return err;
	session_switch_new(s, &s->counters, first_group);
	if (s->switched[0] == SWITCHED_ON) /* with turns, all events are switched together */
		counters_switch_clocks(&s->counters, first_clock, KERNEL_ON);
	return 0;
}

static uint64_t session_run_interval_ns(const struct run_context *r)
{
	return r->s->setup.timing.interval_ms * NS_OF_MS;
}

/* Nanoseconds since the origin. */
static uint64_t session_run_elapsed_ns(const struct run_context *r)
{
	return clock_ns() - r->origin_ns;
}

/* Intervals and the timeout start here. */
static void session_run_set_origin(struct run_context *r, uint64_t origin_ns)
{
	const struct timing *timing = &r->s->setup.timing;

	r->origin_ns = origin_ns;
	if (timing->interval_ms)
		r->tick.due_ns = origin_ns + session_run_interval_ns(r);
	if (timing->timeout_ms)
		r->timeout.due_ns = origin_ns + timing->timeout_ms * NS_OF_MS;
}

/* Forget the samples of the last run. If counters are on, set the end of the first turn. */
static void session_run_begin_samples(struct run_context *r, uint64_t now_ns, bool are_on)
{
	uint64_t first_ns = turns_vary_ns(&r->s->turns, turns_average_ns(0));

	r->companion = SAMPLER_ALONE;
	sampler_begin(&r->s->sampler, r->s->rows_n, r->s->turns.n, now_ns, first_ns);
	r->sample.due_ns = are_on ? now_ns + first_ns : 0;
}

/* The delay is over. The time of the run starts now: rates divide counts by this time. */
static int session_run_start_after_delay(void *data, int fd)
{
	struct run_context *r = data;
	uint64_t now = clock_ns();

	(void)fd;
	r->start.due_ns = 0;
	if (r->s->follow.on)
		follow_start_later(r->s, now - r->w->start_ns);
	r->w->start_ns = now;
	session_run_set_origin(r, r->w->start_ns);
	if (r->s->turns.n > 0)
		session_run_begin_samples(r, r->w->start_ns, true);
	session_run_switch_events(r, NULL, KERNEL_ON);
	session_run_report_switched(r, true);
	return 0;
}

/* Report one interval for all ticks that have passed. Ticks that pass during this reading are part
 * of the next interval. */
static int session_run_end_interval(void *data, int fd)
{
	struct run_context *r = data;
	uint64_t now_ns = session_run_elapsed_ns(r);
	uint64_t over = now_ns / session_run_interval_ns(r);
	int err;

	(void)fd;
	r->ticks = (struct ticks){ .passed = over,
				   .woke_ns = now_ns,
				   .missed = over - r->ticks.passed - 1 };
	r->tick.due_ns = r->origin_ns + (over + 1) * session_run_interval_ns(r);
	session_run_read_now(r, 0);
	err = session_run_report_interval(r, now_ns);
	if (err != 0)
		return err;
	return r->intervals == r->s->setup.timing.interval_count ? ENDED_INTERVALS : 0;
}

static int session_run_end_by_timeout(void *data, int fd)
{
	(void)data;
	(void)fd;
	return ENDED_TIMEOUT;
}

static size_t session_run_set_of(const struct session *s, const struct counter_group *group)
{
	return session_set_of(s, s->rows[s->counters.v[group->first].row].event);
}

/* Switch the groups whose turn it is. */
static void session_run_switch_turn(struct session *s, enum kernel_switch to)
{
	for (size_t i = 0; i < s->counters.groups_n; i++) {
		struct counter_group *group = &s->counters.groups[i];

		if (session_run_set_of(s, group) != s->job.turn)
			continue;
		group->waits = to == KERNEL_OFF;
		counters_switch_group(&s->counters, group, to);
	}
}

/* The turn of the current set is over: switch it off, take a sample, and switch the next set on.
 * Without memory for a sample, there are no estimates, but the turns go on. */
static int session_run_take_sample(void *data, int fd)
{
	struct run_context *r = data;
	struct session *s = r->s;
	uint64_t began_ns = clock_ns(), step_ns;

	(void)fd;
	s->turns.ended = true;
	session_run_switch_turn(s, KERNEL_OFF);
	session_run_read_now(r, 0);
	sampler_add(&s->sampler, began_ns, r->before, r->now);
	turns_next(&s->turns);
	s->job.turn = turns_now(&s->turns);
	session_run_switch_turn(s, KERNEL_ON);
	step_ns = sampler_next(&s->sampler, turns_average_ns(began_ns - s->sampler.began_ns),
			       clock_ns() - began_ns);
	r->sample.due_ns = began_ns + turns_vary_ns(&s->turns, step_ns);
	return 0;
}

static int session_run_check_cpus(void *data, int fd)
{
	struct run_context *r = data;

	(void)fd;
	r->check_cpus.due_ns = clock_ns() + WATCH_CPUS_MS * NS_OF_MS;
	return watch_cpus_check(&r->s->cpu_watch, session_run_change_cpu, r);
}

static int session_run_tasks_left(const struct run_context *r)
{
	return r->s->task_watch.n > 0 ? 0 : ENDED_TASKS;
}

/* A task has ended, whose pidfd this is, or it is time to check the tasks without a pidfd. */
static int session_run_check_tasks(void *data, int fd)
{
	struct run_context *r = data;

	if (fd >= 0)
		loop_remove(r->loop, fd);
	else
		r->check_tasks.due_ns = clock_ns() + WATCH_TASKS_MS * NS_OF_MS;
	watch_tasks_check(&r->s->task_watch, fd);
	return session_run_tasks_left(r);
}

static int session_run_report_progress(void *data, int fd)
{
	struct run_context *r = data;

	(void)fd;
	r->progress.due_ns = clock_ns() + r->s->setup.timing.progress_ms * NS_OF_MS;
	r->hooks->progress(r->hooks->data);
	return 0;
}

/* The kernel may forbid pstat to signal the command, for example if the command is set-user-ID and
 * pstat is not run by root. pstat still waits for the command's end. */
static void session_run_report_kill_error(struct run_context *r)
{
	int error = r->w->signals.kill_error;

	r->w->signals.kill_error = 0;
	if (error && r->hooks->not_signalled)
		r->hooks->not_signalled(error, r->hooks->data);
}

/* A client of the loop: take signals, and notice the end of the command. */
static int session_run_take_signals(void *data, int fd)
{
	struct run_context *r = data;
	/* Take signals first: if the command ends after that, its SIGCHLD wakes the loop again. */
	bool interrupted = workload_interrupted(r->w);

	(void)fd;
	session_run_report_kill_error(r);
	if (r->w->argv[0])
		return workload_reap(r->w, r->run) ? ENDED_COMMAND : r->s->follow.tracer.err;
	return interrupted ? ENDED_SIGNAL : 0;
}

static void session_run_add_deadline(struct run_context *r, struct loop_deadline *deadline,
				     loop_client *passed, uint64_t due_ns)
{
	*deadline = (struct loop_deadline){ .due_ns = due_ns, .passed = passed, .data = r };
	loop_add_deadline(r->loop, deadline);
}

/* Add the tick before the timeout: if both are due at the same time, the last interval is still
 * reported. */
static void session_run_add_deadlines(struct run_context *r)
{
	const struct timing *timing = &r->s->setup.timing;
	uint64_t now = r->w->start_ns;

	if (timing->delay_ms != 0)
		session_run_report_switched(r, false);
	session_run_add_deadline(r, &r->start, session_run_start_after_delay, 0);
	session_run_add_deadline(r, &r->tick, session_run_end_interval, 0);
	session_run_add_deadline(r, &r->timeout, session_run_end_by_timeout, 0);
	session_run_set_origin(r, now);
	if (timing->delay_ms > 0) {
		r->start.due_ns = now + (uint64_t)timing->delay_ms * NS_OF_MS;
		r->tick.due_ns = r->timeout.due_ns = 0;
	}
	if (r->s->turns.n > 0) {
		session_run_add_deadline(r, &r->sample, session_run_take_sample, 0);
		session_run_begin_samples(r, now, timing->delay_ms == 0);
	}
	if (r->s->cpu_watch.n > 0)
		session_run_add_deadline(r, &r->check_cpus, session_run_check_cpus,
					 now + WATCH_CPUS_MS * NS_OF_MS);
	if (timing->progress_ms && r->hooks->progress)
		session_run_add_deadline(r, &r->progress, session_run_report_progress,
					 now + timing->progress_ms * NS_OF_MS);
}

/* If there is no command, wait for the end of the tasks. */
static int session_run_add_tasks(struct run_context *r)
{
	const struct target *target = r->s->setup.target;
	const struct task_watch *watch = &r->s->task_watch;
	bool checks = false;
	int err = 0;

	if (r->w->argv[0] || target->kind != TARGET_TASKS || target->all_tasks)
		return 0;
	for (size_t i = 0; err == 0 && i < watch->n; i++) {
		if (watch->v[i].fd >= 0)
			err = loop_add(r->loop, watch->v[i].fd, session_run_check_tasks, r);
		else
			checks = true;
	}
	if (checks)
		session_run_add_deadline(r, &r->check_tasks, session_run_check_tasks,
					 clock_ns() + WATCH_TASKS_MS * NS_OF_MS);
	return err < 0 ? err : session_run_tasks_left(r);
}

static int session_run_read_output(void *data, int fd)
{
	struct capture *capture = data;

	(void)fd;
	capture_read(capture);
	return 0;
}

/* Wait until counting is over. Returns an enum ending or -errno. */
static int session_run_await_ending(struct run_context *r)
{
	const struct control *control = r->s->setup.control;
	bool has_deadline = false;
	int ending;

	loop_clear(r->loop);
	session_run_add_deadlines(r);
	ending = loop_add(r->loop, r->w->signals.fd, session_run_take_signals, r);
	if (ending == 0 && control && !control->at_end)
		ending = loop_add(r->loop, control->ctl_fd, session_run_handle_commands, r);
	if (ending == 0 && r->w->capture)
		ending = loop_add(r->loop, r->w->capture->read_fd, session_run_read_output,
				  r->w->capture);
	if (ending == 0)
		ending = session_run_add_tasks(r);
	if (ending != 0)
		return ending;
	for (size_t i = 0; i < r->loop->deadlines_n; i++)
		has_deadline |= r->loop->deadlines[i]->due_ns != 0;
	if (r->w->argv[0] && r->loop->n == 1 && !has_deadline) {
		/*
		 * Only the end of the command is awaited, and it arrives as a signal. A turn of the
		 * loop takes about two more system calls. With -r 300 and a command that does
		 * nothing, that was about 2 % more CPU time, close to the noise of
		 * tests/bench/pairs (Linux 6.18).
		 */
		do {
			workload_await_signal(r->w);
			session_run_report_kill_error(r);
			if (workload_reap(r->w, r->run))
				return ENDED_COMMAND;
		} while (r->s->follow.tracer.err == 0);
		return r->s->follow.tracer.err;
	}
	/* a signal that was taken earlier, for example during --pre, does not wake the loop */
	ending = session_run_take_signals(r, -1);
	return ending ? ending : loop_run(r->loop);
}

/* The command may still run when counting is over. Wait for its times and status, and answer
 * --control until then. */
static void session_run_await_command_end(struct run_context *r, int ending, uint64_t counted_ns)
{
	int result;

	if (r->w->pid == 0)
		return;
	if (ending == ENDED_TIMEOUT)
		workload_terminate(r->w);
	r->loop->deadlines_n = 0;
	result = session_run_take_signals(r, -1);
	while (result >= 0 && result != ENDED_COMMAND)
		result = loop_run(r->loop);
	workload_wait(r->w, r->run);
	r->run->tool[TOOL_DURATION_TIME] = counted_ns;
}

/* The row that is the companion of this one. SAMPLER_NO_ESTIMATE: the event is a snapshot event,
 * whose value is not a sum, or it did not take turns. */
static ssize_t session_run_companion_of(const struct run_context *r, size_t row)
{
	const struct session *s = r->s;
	const size_t event = s->rows[row].event;
	size_t companion;

	if (s->setup.events->events[event].snapshot || session_set_of(s, event) == PASS_ALL)
		return SAMPLER_NO_ESTIMATE;
	if (r->companion < 0)
		return SAMPLER_ALONE;
	companion = row - event + (size_t)r->companion;
	return r->run->readings[companion].state == COUNTED ? (ssize_t)companion : SAMPLER_ALONE;
}

/* While pstat switches and reads the counters of CPUs, it executes only its own code there, and the
 * multiplexed counters are off. The event rates of this code may be different, and the samples do
 * not show this error. So widen the intervals by the share of this time. */
static void session_run_widen_for_switches(const struct run_context *r)
{
	for (size_t row = 0; row < r->s->rows_n; row++) {
		struct reading *reading = &r->run->readings[row];
		const double share =
			(double)r->s->sampler.spent_ns / (double)(reading->counts.enabled_ns + 1);

		if (reading->has_estimate)
			reading->estimate.half_width += reading->estimate.count * share;
	}
}

/* Pool the variances of the events of each place (estimate_pool()): the same program ran there, on
 * the same PMU. If there is no memory, each event keeps its own. */
static void session_run_pool_estimates(const struct run_context *r,
				       const struct estimate_spread *spreads)
{
	const size_t events_n = r->s->setup.events->n;
	struct reading *readings = r->run->readings;
	cleanup_free struct pooled_estimate *pool = calloc(events_n + 1, sizeof(*pool));

	for (size_t place = 0; pool && place < r->s->rows_n; place += events_n) {
		size_t n = 0;

		for (size_t i = 0; i < events_n; i++)
			if (readings[place + i].has_estimate)
				pool[n++] = (struct pooled_estimate){ &readings[place + i].estimate,
								      spreads[place + i],
								      session_set_of(r->s, i) };
		estimate_pool(pool, n);
	}
}

/* Estimate the multiplexed counts of the run. Without memory, they are only scaled. */
static void session_run_estimate_run(struct run_context *r)
{
	const struct session *s = r->s;
	cleanup_free ssize_t *companions = calloc(s->rows_n + 1, sizeof(*companions));
	cleanup_free struct estimate_spread *spreads = calloc(s->rows_n + 1, sizeof(*spreads));

	if (!companions || !spreads)
		return;
	for (size_t row = 0; row < s->rows_n; row++)
		if (r->run->readings[row].state == SCALED)
			companions[row] = session_run_companion_of(r, row);
	if (sampler_estimate(&s->sampler, companions, r->now_ended_ns, r->before, r->now,
			     r->run->readings, spreads) == 0)
		session_run_pool_estimates(r, spreads);
	if (s->setup.target->kind == TARGET_CPUS)
		session_run_widen_for_switches(r);
}

/* The rows are those of all tasks that the command has created. */
static int session_run_end_followed(struct run_context *r, int ending)
{
	struct session *s = r->s;
	uint64_t at_ns = session_run_elapsed_ns(r);
	cleanup_free struct reading *nothing = NULL;

	/* to end the tracing may have taken time after the end of the command */
	if (ending != ENDED_COMMAND)
		r->run->tool[TOOL_DURATION_TIME] = at_ns;
	follow_end_counting(s, r->run->tool[TOOL_DURATION_TIME]);
	r->over = true;
	session_run_await_command_end(r, ending, at_ns);
	nothing = calloc(s->rows_n + 1, sizeof(*nothing));
	free(r->run->readings);
	r->run->readings = calloc(s->rows_n + 1, sizeof(*r->run->readings));
	if (!nothing || !r->run->readings)
		return -ENOMEM;
	run_readings_fill(s, TOOLS_ALL, nothing, s->follow.readings, r->run);
	return 0;
}

static int session_run_end_counting(struct run_context *r, int ending)
{
	struct session *s = r->s;
	const struct timing *timing = &s->setup.timing;
	uint64_t at_ns = ending == ENDED_INTERVALS ? r->ticks.woke_ns : session_run_elapsed_ns(r);
	int err = 0;

	if (ending != ENDED_INTERVALS) {
		/*
		 * Switch the counters off before the last reading, so that all are read for the
		 * same time. To switch a counter of a task, the kernel interrupts the CPU on which
		 * the task ran last. For thousands of threads that takes longer than reading them.
		 * Skip it for tasks, therefore: the next run switches them off.
		 */
		if (s->setup.target->kind != TARGET_TASKS && s->job.start == COUNTER_SWITCHED)
			session_run_switch_events(r, NULL, KERNEL_OFF);
		session_run_read_now(r, ending);
		if (timing->interval_ms && !r->start.due_ns) {
			uint64_t over = at_ns / session_run_interval_ns(r);

			r->ticks.missed = over > r->ticks.passed ? over - r->ticks.passed - 1 : 0;
		}
		if (timing->interval_ms)
			err = session_run_report_interval(r, at_ns);
	}
	if (ending != ENDED_COMMAND)
		r->run->tool[TOOL_DURATION_TIME] = at_ns;
	r->over = true;
	session_run_await_command_end(r, ending, at_ns);
	/* session_run_inherited() may use s->previous, the last readings, for the next run */
	s->has_previous =
		ending == ENDED_COMMAND && !s->reopens && !s->passes && s->exec_counters.n == 0;
	run_readings_fill(s, r->w->argv[0] ? TOOLS_ALL : TOOLS_CLOCK_ONLY, r->before, r->now,
			  r->run);
	run_readings_limit_times(s, r->now_ended_ns - r->before_read_ns, r->run);
	if (s->turns.n > 0)
		session_run_estimate_run(r);
	for (size_t i = 0; i < s->rows_n && !s->multiplexed; i++)
		if (r->run->readings[i].state == SCALED) {
			s->multiplexed = true;
			s->multiplexed_round = r->round;
		}
	return err;
}

/* From the start to the end of the counting. */
static int session_run_count_run(struct run_context *r)
{
	int ending;

	if (!r->s->follows)
		memcpy(r->last, r->before, r->s->rows_n * sizeof(*r->last));
	ending = session_run_await_ending(r);
	if (ending > 0)
		return r->s->follows ? session_run_end_followed(r, ending) :
				       session_run_end_counting(r, ending);
	if (r->s->setup.control)
		control_end(r->s->setup.control);
	if (r->s->setup.timing.timeout_ms && r->w->pid)
		workload_terminate(r->w);
	workload_wait(r->w, r->run);
	return ending;
}

/* The command has stopped after its exec: open the groups that need its load address. The load
 * offset is the difference between the entry points of the program in memory and as linked. */
static int session_run_open_stopped(const struct run_context *r)
{
	struct session *s = r->s;
	const struct event_list *events = s->setup.events;
	struct scope command = { .pid = r->w->pid, .cpu = -1 };
	struct open_job job = s->job;
	uint64_t entry;
	int err = workload_find_entry(r->w, &entry, r->why);

	if (err < 0)
		return err;
	job.scopes = &command;
	job.scopes_n = 1;
	job.when = OPEN_STOPPED;
	if (job.start == COUNTER_BY_EXEC)
		job.start = COUNTER_AT_ONCE;
	job.load_offset = entry;
	for (size_t i = 0; i < events->n; i++)
		if (events->events[i].relocated) {
			job.load_offset -= events->events[i].entry;
			break;
		}
	err = opener_open(&s->opener, &s->exec_counters, &job);
	if (err == 0)
		err = session_run_report_opened(r);
	if (err == 0)
		workload_resume(r->w);
	return err;
}

/* Count the command, which has just started. */
static int session_run_count_command(struct run_context *r)
{
	int err = r->s->stops_at_exec ? session_run_open_stopped(r) : 0;

	if (err == 0)
		return session_run_count_run(r);
	workload_kill(r->w);
	return err;
}

/* Start a child that waits before its exec. This needs two descriptors for a moment. */
static int session_run_start_held(struct run_context *r)
{
	int err;

	session_release_reserve(r->s);
	err = workload_start_held(r->w, r->why);
	session_keep_reserve(r->s);
	return err;
}

/*
 * Whether the child waits before its exec, and begins as a copy of pstat. After vfork(2), pstat
 * would wait for the exec and could not trace the child.
 */
static bool session_run_is_held(const struct run_context *r)
{
	return r->s->stops_at_exec || r->w->begins_as_copy;
}

/* Prepare the start of the command, before the clock starts. */
static int session_run_hold_command(struct run_context *r)
{
	return session_run_is_held(r) ? session_run_start_held(r) : 0;
}

static int session_run_release_command(struct run_context *r)
{
	return session_run_is_held(r) ? workload_exec_held(r->w, r->why) :
					workload_start(r->w, r->why);
}

static bool session_run_takes_turns(const struct session *s, size_t group)
{
	bool lasts = s->lasting && s->lasting[group] == LASTING;

	return opener_group_needs_counter(&s->opener, group) && !lasts;
}

/*
 * The group that is opened first in this round. If previous rounds were multiplexed, it is a
 * different one. The kernel puts the first groups on the PMU first. With the same order in each
 * run, the errors of the scaled counts would be similar, and the mean of the runs would not be more
 * accurate than one run. All sides of a round have the same order, so that they are comparable.
 * Multiples of the golden ratio visit all groups that share counters evenly (Knuth, The Art of
 * Computer Programming 3, 6.4).
 */
static size_t session_run_first_group_of(const struct session *s, size_t round)
{
	const uint64_t golden = 2654435769; /* 2^32 divided by the golden ratio */
	uint64_t fraction = (round * golden) & UINT32_MAX;
	size_t groups_n = s->setup.events->groups_n, sharing_n = 0, first = 0, skipped;

	if (s->passes || !s->multiplexed || round <= s->multiplexed_round)
		return 0;
	for (size_t i = 0; i < groups_n; i++)
		sharing_n += session_run_takes_turns(s, i);
	skipped = (size_t)(fraction * sharing_n >> 32);
	for (; first < groups_n && skipped > 0; first++)
		skipped -= session_run_takes_turns(s, first);
	return first;
}

/* The counters are open on pstat itself, and the command inherits them. */
static int session_run_inherited(struct run_context *r)
{
	struct session *s = r->s;
	size_t first_group = session_run_first_group_of(s, r->round);
	int err = 0;

	if (first_group != s->job.first_group) {
		/* close the counters that can be opened again at once */
		if (s->lasting)
			counters_truncate(&s->counters, s->lasting_counters_n, s->lasting_groups_n);
		else
			counters_close(&s->counters);
		s->has_previous = false;
	}
	if (first_group != s->job.first_group || s->passes) {
		s->job.first_group = first_group;
		err = session_open_counters(s, s->setup.target->scopes, 1);
	}
	if (err == 0)
		err = session_run_report_opened(r);
	if (err != 0)
		return err;
	/* if no task can have counted since the last run, the last readings of that run are
	 * valid */
	if (s->has_previous && r->w->alone)
		memcpy(r->before, s->previous, s->rows_n * sizeof(*r->before));
	else
		session_run_read_counters(s, r->before);
	counters_begin_clocks(&s->counters);
	err = session_run_hold_command(r);
	if (err < 0)
		return err;
	r->w->start_ns = clock_ns();
	err = session_run_release_command(r);
	return err < 0 ? err : session_run_count_command(r);
}

/* The counters are opened on the command, which waits before its exec. */
static int session_run_anew(struct run_context *r)
{
	struct session *s = r->s;
	struct scope command = { .cpu = -1 };
	int err;

	s->switched_by_name = false;
	if (s->turns.n > 0)
		s->job.turn = turns_begin(&s->turns);
	else
		s->job.first_group = session_run_first_group_of(s, r->round);
	err = session_run_start_held(r);
	if (err < 0)
		return err;
	memset(s->switched, 0, s->setup.events->n * sizeof(*s->switched)); /* SWITCHED_NOT */
	command.pid = r->w->pid;
	err = s->follows ? follow_begin(s, r->w, r->why) : session_open_counters(s, &command, 1);
	if (err == 0 && session_end_turns_without_clock(s)) {
		counters_close(&s->counters);
		err = session_open_counters(s, &command, 1);
	}
	r->w->tracer = s->follow.on && !s->follow.trace_error ? &s->follow.tracer : NULL;
	if (err == 0)
		err = session_run_report_opened(r);
	if (err != 0) {
		workload_kill(r->w);
		follow_end(s, r->run);
		return err;
	}
	r->w->start_ns = clock_ns();
	err = workload_exec_held(r->w, r->why);
	if (err == 0)
		err = session_run_count_command(r);
	follow_end(s, r->run);
	r->w->tracer = NULL;
	return err;
}

/* All groups are off. Choose the first set, and let the groups of the other sets wait. */
static void session_run_begin_turns(struct session *s)
{
	s->job.turn = turns_begin(&s->turns);
	for (size_t i = 0; i < s->counters.groups_n; i++) {
		struct counter_group *group = &s->counters.groups[i];
		size_t set = session_run_set_of(s, group);

		group->waits = set != PASS_ALL && set != s->job.turn;
	}
}

static int session_run_attached(struct run_context *r)
{
	bool any_on = false;
	int err = session_run_report_opened(r);

	if (err == 0 && r->w->argv[0])
		err = session_run_hold_command(r);
	if (err != 0)
		return err;
	for (size_t i = 0; i < r->s->counters.groups_n; i++)
		r->s->counters.groups[i].reason = (struct reason){ 0 };
	for (size_t i = 0; i < r->s->setup.events->n; i++)
		any_on |= r->s->switched[i] == SWITCHED_ON;
	if (any_on) /* the last run may have left counters on */
		session_run_switch_events(r, NULL, KERNEL_OFF);
	if (r->s->turns.n > 0)
		session_run_begin_turns(r->s);
	r->before_read_ns = r->last_read_ns = clock_ns();
	session_run_read_counters(r->s, r->before);
	counters_begin_clocks(&r->s->counters);
	r->w->start_ns = clock_ns(); /* the run's time starts with the counters */
	/* with -D or --control they are switched on later */
	if (r->s->job.start == COUNTER_SWITCHED && r->s->setup.timing.delay_ms == 0)
		session_run_switch_events(r, NULL, KERNEL_ON);
	if (r->w->argv[0])
		err = session_run_release_command(r);
	return err < 0 ? err : session_run_count_run(r);
}

int session_run(struct session *s, const struct session_turn *turn, struct run *run,
		struct why *why)
{
	const struct event_list *events = s->setup.events;
	struct workload *w = turn->workload;
	size_t n = s->rows_n + 1;
	cleanup_free struct reading *readings = calloc(5 * n, sizeof(*readings));
	cleanup_free bool *sampled = calloc(n, sizeof(*sampled));
	struct run_context context = { .s = s,
				       .w = w,
				       .run = run,
				       .hooks = turn->hooks,
				       .why = why,
				       .round = turn->round,
				       .sampled = sampled,
				       .loop = &s->loop };
	int err;

	s->online_cpus = 0;
	*run = (struct run){ .readings = calloc(n, sizeof(*run->readings)) };
	w->stops_at_exec = s->stops_at_exec;
	/* the command loses its counters if it gets other IDs */
	w->checks_ids = false;
	for (size_t i = 0; geteuid() != 0 && i < events->n; i++)
		w->checks_ids |= s->setup.target->kind == TARGET_COMMAND &&
				 !events->events[i].cpus && events->events[i].tool == TOOL_NONE;
	s->program = w->path;
	if (s->passes)
		s->job.pass = turn->pass;
	if (!readings || !sampled || !run->readings) {
		run_release(run);
		return -ENOMEM;
	}
	context.before = readings;
	context.last = readings + n;
	context.now = readings + 2 * n;
	context.off = readings + 3 * n;
	context.on = readings + 4 * n;
	if (s->setup.target->kind != TARGET_COMMAND)
		err = session_run_attached(&context);
	else
		err = s->reopens ? session_run_anew(&context) : session_run_inherited(&context);
	counters_close(&s->exec_counters);
	if (s->reopens || s->passes)
		counters_close(&s->counters);
	if (err != 0)
		run_release(run);
	return err;
}
