/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "count/session.h"
#include "machine/program.h"

#define NS_OF_MS UINT64_C(1000000)

/*
 * ---- The event loop. It waits for everything that may happen during a run: signals, commands of
 * --control, the end of a task, deadlines. Each turn of the loop waits once. It then calls every
 * client that is ready exactly once. A client that is always ready, such as an interval shorter
 * than its own readings, therefore cannot starve the others.
 */

/* Wait for fd to be readable, or closed at its other end. Clients are called in the order in which
 * they were added. 0 or -ENOMEM. */
static int loop_add(struct loop *loop, int fd, loop_client *ready, void *data)
{
	/* fds has space for the timer after the last client, so that waiting does not allocate
	 * memory. */
	if (array_grow(&loop->fds, loop->n + 1, &loop->fds_size, sizeof(*loop->fds)) < 0 ||
	    array_grow(&loop->descriptors, loop->n, &loop->descriptors_size,
		       sizeof(*loop->descriptors)) < 0)
		return -ENOMEM;
	loop->fds[loop->n] = (struct pollfd){ .fd = fd, .events = POLLIN };
	loop->descriptors[loop->n++] = (struct loop_descriptor){ ready, data };
	return 0;
}

/* Stop waiting for fd. Clients may call this. poll(2) ignores a negative descriptor. */
static void loop_remove(struct loop *loop, int fd)
{
	for (size_t i = 0; i < loop->n; i++)
		if (loop->fds[i].fd == fd)
			loop->fds[i] = (struct pollfd){ .fd = -1 };
}

/* Also wait for this deadline, which has to exist until the loop ends. In each turn, the clients of
 * deadlines are called after those of descriptors, in the order in which they were added. */
static void loop_add_deadline(struct loop *loop, struct loop_deadline *deadline)
{
	assert(loop->deadlines_n < LOOP_DEADLINES_MAX);
	loop->deadlines[loop->deadlines_n++] = deadline;
}

/* Set the timer to the first deadline. The time is absolute, so the slack of poll(2) cannot delay
 * it. */
static int set_timer(const struct loop *loop)
{
	struct itimerspec timer = { 0 };
	uint64_t first = 0;

	for (size_t i = 0; i < loop->deadlines_n; i++) {
		uint64_t due = loop->deadlines[i]->due_ns;

		if (due && (!first || due < first))
			first = due;
	}
	timer.it_value.tv_sec = (time_t)(first / 1000000000);
	timer.it_value.tv_nsec = (long)(first % 1000000000);
	return timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL) < 0 ? -errno : 0;
}

static int take_turn(struct loop *loop)
{
	uint64_t now;
	int result = 0;

	/* the timer is polled last, and has no client: it only ends the wait */
	loop->fds[loop->n] = (struct pollfd){ .fd = -1, .events = POLLIN };
	if (loop->has_timer) {
		result = set_timer(loop);
		if (result < 0)
			return result;
		loop->fds[loop->n].fd = loop->timer_fd;
	}
	if (poll(loop->fds, loop->n + 1, -1) < 0)
		return errno == EINTR ? 0 : -errno;
	for (size_t i = 0; result == 0 && i < loop->n; i++)
		if (loop->fds[i].revents)
			result = loop->descriptors[i].ready(loop->descriptors[i].data,
							    loop->fds[i].fd);
	now = loop->deadlines_n > 0 ? clock_ns() : 0;
	for (size_t i = 0; result == 0 && i < loop->deadlines_n; i++) {
		struct loop_deadline *deadline = loop->deadlines[i];

		if (deadline->due_ns && now >= deadline->due_ns)
			result = deadline->passed(deadline->data, -1);
	}
	return result;
}

/* Take turns until a client ends the loop. Returns what that client returned, or -errno of poll(2).
 * At least one descriptor has to be added first. */
static int loop_run(struct loop *loop)
{
	int result;

	assert(loop->n > 0);
	do
		result = take_turn(loop);
	while (result == 0);
	return result;
}

/* ---- The readings of a run: the difference of two readings of its counters */

/* Which of pstat's own events are known. */
enum tools_known {
	TOOLS_ALL, /* the command has ended */
	TOOLS_CLOCK_ONLY, /* duration_time: there is no command, or it has not ended */
};

/* If the kernel removes an event at an exec, the event's time enabled is less than this. */
#define AT_EXEC_NS UINT64_C(100000)

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

/*
 * A counter without time has no count. One exception: sometimes the kernel starts the events of a
 * cgroup on a CPU without starting their clock (seen in Linux 6.18). Then only the count is not 0.
 */
static bool never_ran(const struct event *event, const struct counts *counts)
{
	if (counts->running_ns > 0)
		return false;
	return event->snapshot || counts->enabled_ns > 0 || counts->raw == 0;
}

static struct reading difference(const struct event *event, const struct reading *before,
				 const struct reading *after)
{
	struct reading reading = { .state = FAILED };

	if (before->state == FAILED || after->state == FAILED) {
		reading.reason = after->state == FAILED ? after->reason : before->reason;
		return reading;
	}
	reading.counts.raw = after->counts.raw - (event->snapshot ? 0 : before->counts.raw);
	reading.counts.enabled_ns = after->counts.enabled_ns - before->counts.enabled_ns;
	reading.counts.running_ns = after->counts.running_ns - before->counts.running_ns;
	reading.state = reading.counts.running_ns < reading.counts.enabled_ns ? SCALED : COUNTED;
	if (never_ran(event, &reading.counts)) {
		reading.state = NOT_COUNTED;
		reading.counts.raw = 0;
	}
	return reading;
}

/* As in perf, the value of a clock event is also its time. */
static struct reading tool_reading(enum tool_event tool, const struct run *run)
{
	bool is_clock =
		tool == TOOL_DURATION_TIME || tool == TOOL_USER_TIME || tool == TOOL_SYSTEM_TIME;
	uint64_t value = run->tool[tool];
	uint64_t ran_ns = is_clock ? value : run->tool[TOOL_DURATION_TIME];

	return (struct reading){ COUNTED, { value, ran_ns, ran_ns } };
}

static bool is_in_other_pass(const struct session *s, size_t event)
{
	size_t pass;

	if (!s->passes)
		return false;
	pass = s->passes[event_list_group_of(s->setup.events, event)];
	return pass != s->opener.pass && pass != PASS_ALL;
}

/* Whether the event should be enabled from the exec until the end of every process that the command
 * waits for. */
static bool covers_run(const struct session *s, size_t event)
{
	const struct timing *timing = &s->setup.timing;

	return s->opener.start == COUNTER_BY_EXEC && s->setup.inherit == COUNTER_ALL_TASKS &&
	       !s->openings[event].first_only && !s->setup.control && !timing->timeout_ms &&
	       !timing->interval_count;
}

/*
 * At the exec of a program that program_guard() reports, the kernel enables the events of the task
 * and removes them a few microseconds later. If the event should cover the run, its time enabled
 * and the CPU time also show whether the kernel did so. The CPU time is known only at the end of a
 * run.
 */
static enum cause lost_at_exec(const struct session *s, size_t event, uint64_t cpu_ns,
			       uint64_t enabled_ns)
{
	static const enum cause causes[] = {
		[PROGRAM_OPEN] = CAUSE_NONE,
		[PROGRAM_UNREADABLE] = CAUSE_UNREADABLE,
		[PROGRAM_SET_ID] = CAUSE_SET_ID,
		[PROGRAM_CAPABILITIES] = CAUSE_CAPABILITIES,
	};
	bool has_share = cpu_ns && covers_run(s, event);

	if (enabled_ns >= (has_share ? cpu_ns / 4 : AT_EXEC_NS))
		return CAUSE_NONE;
	return causes[program_guard(s->program)];
}

/*
 * An event is enabled whenever a task that it counts runs in user mode, whether the event is on the
 * PMU or not. If it was enabled for less than the user time, the kernel removed it at the exec of a
 * descendant. System time cannot show this, because the kernel creates and ends tasks without their
 * events. A pinned event cannot show it either, because it is not enabled while it has no counter.
 */
static bool misses_user_time(const struct session *s, const struct run *run, size_t event,
			     uint64_t enabled_ns)
{
	const uint64_t *tool = run->tool;
	const uint64_t user_ns = tool[TOOL_USER_TIME];
	uint64_t steps = tool[TOOL_MINOR_FAULTS] + tool[TOOL_MAJOR_FAULTS] +
			 tool[TOOL_VOLUNTARY_SWITCHES] + tool[TOOL_INVOLUNTARY_SWITCHES];
	/* the user time that an event may miss even if the kernel did not remove it */
	uint64_t allowed_ns = UNSEEN_NS + user_ns / UNSEEN_SHARE + steps * UNSEEN_NS_PER_FAULT;

	return covers_run(s, event) && !event_list_is_pinned(s->setup.events, event) &&
	       enabled_ns < user_ns && user_ns - enabled_ns > allowed_ns;
}

/* Check the reading of a command, for a run or an interval. An interval has no CPU time. */
static void check_coverage(const struct session *s, const struct run *run, size_t event,
			   struct reading *reading)
{
	const uint64_t cpu_ns = run->tool[TOOL_USER_TIME] + run->tool[TOOL_SYSTEM_TIME];
	const uint64_t enabled_ns = reading->counts.enabled_ns;
	enum cause cause;

	if (s->setup.target->kind != TARGET_COMMAND || s->setup.events->events[event].cpus ||
	    reading->state == FAILED || (!cpu_ns && !enabled_ns))
		return;
	cause = lost_at_exec(s, event, cpu_ns, enabled_ns);
	if (!cause && misses_user_time(s, run, event, enabled_ns))
		cause = CAUSE_PARTLY_UNSEEN;
	if (!cause)
		return;
	reading->state = NOT_COUNTED;
	reading->counts.raw = 0;
	reading->reason.cause = cause;
}

/*
 * Withhold a count of 0 of an event that is not inherited if children have run, because they may
 * have caused the event. The reading keeps its time running: session_explain() uses it to
 * distinguish this case from an event that never ran.
 */
static void withhold_zero(const struct session *s, size_t row, struct reading *reading)
{
	bool counted = reading->state == COUNTED || reading->state == SCALED;
	size_t place_index = s->rows[row].place_index;

	if (!counted || reading->counts.raw != 0)
		return;
	if (counters_child_ran(&s->counters, place_index) ||
	    counters_child_ran(&s->exec_counters, place_index))
		reading->state = NOT_COUNTED;
}

/* Fill run->readings from the readings before and after the run. run->tool has to be filled. */
static void fill_readings(const struct session *s, enum tools_known tools,
			  const struct reading *before, const struct reading *after,
			  struct run *run)
{
	for (size_t i = 0; i < s->rows_n; i++) {
		size_t index = s->rows[i].event;
		const struct event *event = &s->setup.events->events[index];
		struct reading *reading = &run->readings[i];
		bool known = tools == TOOLS_ALL || event->tool == TOOL_DURATION_TIME;

		if (s->openings[index].refused)
			*reading = (struct reading){ .state = NOT_SUPPORTED };
		else if (event->tool != TOOL_NONE)
			*reading = known ? tool_reading(event->tool, run) :
					   (struct reading){ .state = NOT_COUNTED };
		else if (is_in_other_pass(s, index))
			*reading = (struct reading){ .state = ELSEWHERE };
		else {
			*reading = difference(event, &before[i], &after[i]);
			check_coverage(s, run, index, reading);
		}
		if (s->openings[index].first_only)
			withhold_zero(s, i, reading);
	}
}

/*
 * Correct the times of counters in cgroups. At any switch, the kernel may add to the times of a
 * cgroup all the time since one of its events was last on the CPU (seen in Linux 6.18): to the time
 * enabled, or to both times. No counter is on for longer than elapsed_ns, which is the time from
 * the start of the first reading to the end of the second. The rest is cut off.
 */
static void limit_times(const struct session *s, uint64_t elapsed_ns, struct run *run)
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

/* ---- A run */

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
	struct loop *loop;
	struct loop_deadline start, tick, timeout, check_cpus, check_tasks, progress;
	struct ticks ticks;
	uint64_t origin_ns; /* zero of ticks and timeout: the start, or the end of -D */
	struct reading *before, *last, *now; /* readings at the start, at the last tick, and now */
	struct reading *off, *on; /* around switching on, see switch_on() */
	uint64_t last_ns; /* when the last tick was */
	uint64_t before_read_ns, last_read_ns, now_read_ns; /* when each reading began */
	uint64_t now_ended_ns; /* when the reading `now` ended */
	size_t intervals;
	bool over; /* the last reading is done: commands of --control are only answered */
};

static int report_opened(const struct run_context *r)
{
	return r->hooks->opened ? r->hooks->opened(r->s, r->hooks->data) : 0;
}

static void read_all(const struct session *s, struct reading *readings)
{
	memset(readings, 0, s->rows_n * sizeof(*readings));
	counters_read(&s->counters, readings);
	counters_read(&s->exec_counters, readings);
}

static void switch_all(struct session *s, enum kernel_switch to)
{
	counters_switch(&s->counters, to);
	counters_switch(&s->exec_counters, to);
	s->on = to == KERNEL_ON;
	s->was_on |= s->on;
}

static void subtract_gain(struct reading *base, const struct counts *from, const struct counts *to)
{
	base->counts.enabled_ns += to->enabled_ns - from->enabled_ns;
	base->counts.running_ns += to->running_ns - from->running_ns;
}

/*
 * The kernel's clock of a cgroup on a CPU stops while no event of the cgroup is on there. When an
 * event is switched on again, the kernel may add the time in between to its time enabled, and some
 * or all of this time to its time running (seen in Linux 6.18). So the times that counters gain
 * while they are switched on are subtracted.
 */
static void switch_on(struct run_context *r)
{
	if (r->s->setup.target->cgroups_n == 0) {
		switch_all(r->s, KERNEL_ON);
		return;
	}
	read_all(r->s, r->off);
	switch_all(r->s, KERNEL_ON);
	read_all(r->s, r->on);
	for (size_t i = 0; i < r->s->rows_n; i++) {
		subtract_gain(&r->before[i], &r->off[i].counts, &r->on[i].counts);
		subtract_gain(&r->last[i], &r->off[i].counts, &r->on[i].counts);
	}
}

static void read_now(struct run_context *r)
{
	r->now_read_ns = clock_ns();
	read_all(r->s, r->now);
	r->now_ended_ns = clock_ns();
}

/* If a counter cannot be read now, its next reading covers this interval, too. */
static void keep_last_readings(struct run_context *r)
{
	bool whole = true;

	for (size_t i = 0; i < r->s->rows_n; i++) {
		if (r->now[i].state != FAILED)
			r->last[i] = r->now[i];
		else
			whole = false;
	}
	if (whole)
		r->last_read_ns = r->now_read_ns;
}

static int report_interval(struct run_context *r, uint64_t at_ns)
{
	struct interval interval = { .at_ns = at_ns, .missed = r->ticks.missed };
	cleanup_free struct reading *readings = calloc(r->s->rows_n + 1, sizeof(*readings));

	if (!readings)
		return -ENOMEM;
	interval.run.readings = readings;
	interval.run.tool[TOOL_DURATION_TIME] = at_ns - r->last_ns;
	fill_readings(r->s, TOOLS_CLOCK_ONLY, r->last, r->now, &interval.run);
	limit_times(r->s, r->now_ended_ns - r->last_read_ns, &interval.run);
	keep_last_readings(r);
	r->last_ns = at_ns;
	r->intervals++;
	return r->hooks->interval ? r->hooks->interval(r->s, &interval, r->hooks->data) : 0;
}

/* Switch all events of this name. The other events do not change. */
static void switch_event(struct run_context *r, const char *name, enum kernel_switch to)
{
	struct session *s = r->s;
	const struct event_list *list = s->setup.events;
	bool found = false;

	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(list->events[i].name, name) != 0)
			continue;
		counters_switch_event(&s->counters, s->rows, i, to);
		counters_switch_event(&s->exec_counters, s->rows, i, to);
		found = true;
	}
	s->was_on |= found && to == KERNEL_ON;
	if (!found && r->hooks->unknown_event)
		r->hooks->unknown_event(name, r->hooks->data);
}

static void obey(struct run_context *r, enum control_command command, const char *line)
{
	switch (command) {
	case CONTROL_ENABLE:
		switch_on(r);
		break;
	case CONTROL_DISABLE:
		switch_all(r->s, KERNEL_OFF);
		break;
	case CONTROL_ENABLE_EVENT:
		switch_event(r, line, KERNEL_ON);
		break;
	case CONTROL_DISABLE_EVENT:
		switch_event(r, line, KERNEL_OFF);
		break;
	case CONTROL_LIST:
		if (r->hooks->list_events)
			r->hooks->list_events(line, r->hooks->data);
		break;
	default: /* ping needs only the answer; stop ends the loop after it */
		break;
	}
}

/* A client of the loop: carry out all commands of --control that one read returns. Later commands
 * wait for the next turn. */
static int handle_commands(void *data, int fd)
{
	struct run_context *r = data;
	struct control *control = r->s->setup.control;
	enum control_command command;
	const char *line;

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
			obey(r, command, line);
		control_ack(control);
		if (command == CONTROL_STOP)
			return ENDED_STOP;
	} while (control_has_line(control));
	return 0;
}

static int change_cpu(int cpu, enum cpu_change change, void *data)
{
	struct run_context *r = data;
	struct session *s = r->s;
	struct target *target = s->setup.target;
	size_t index;
	int err;

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
	err = opener_open(&s->opener, &s->counters, index, 1);
	if (err == 0 && s->on)
		counters_switch(&s->counters, KERNEL_ON);
	return err;
}

static uint64_t interval_ns(const struct run_context *r)
{
	return r->s->setup.timing.interval_ms * NS_OF_MS;
}

/* Nanoseconds since the origin. */
static uint64_t elapsed_ns(const struct run_context *r)
{
	return clock_ns() - r->origin_ns;
}

/* Intervals and the timeout start here. */
static void set_origin(struct run_context *r, uint64_t origin_ns)
{
	const struct timing *timing = &r->s->setup.timing;

	r->origin_ns = origin_ns;
	if (timing->interval_ms)
		r->tick.due_ns = origin_ns + interval_ns(r);
	if (timing->timeout_ms)
		r->timeout.due_ns = origin_ns + timing->timeout_ms * NS_OF_MS;
}

/* The delay is over. The time of the run starts now: rates divide counts by this time. */
static int start_after_delay(void *data, int fd)
{
	struct run_context *r = data;

	(void)fd;
	r->start.due_ns = 0;
	r->w->start_ns = clock_ns();
	set_origin(r, r->w->start_ns);
	switch_on(r);
	return 0;
}

/* Report one interval for all ticks that have passed. Ticks that pass during this reading are part
 * of the next interval. */
static int end_interval(void *data, int fd)
{
	struct run_context *r = data;
	uint64_t now_ns = elapsed_ns(r);
	uint64_t over = now_ns / interval_ns(r);
	int err;

	(void)fd;
	r->ticks = (struct ticks){ .passed = over,
				   .woke_ns = now_ns,
				   .missed = over - r->ticks.passed - 1 };
	r->tick.due_ns = r->origin_ns + (over + 1) * interval_ns(r);
	read_now(r);
	err = report_interval(r, now_ns);
	if (err != 0)
		return err;
	return r->intervals == r->s->setup.timing.interval_count ? ENDED_INTERVALS : 0;
}

static int end_by_timeout(void *data, int fd)
{
	(void)data;
	(void)fd;
	return ENDED_TIMEOUT;
}

static int check_cpus(void *data, int fd)
{
	struct run_context *r = data;

	(void)fd;
	r->check_cpus.due_ns = clock_ns() + WATCH_CPUS_MS * NS_OF_MS;
	return watch_cpus_check(&r->s->cpu_watch, change_cpu, r);
}

static int tasks_left(const struct run_context *r)
{
	return r->s->task_watch.n > 0 ? 0 : ENDED_TASKS;
}

static int check_tasks(void *data, int fd)
{
	struct run_context *r = data;

	(void)fd;
	r->check_tasks.due_ns = clock_ns() + WATCH_TASKS_MS * NS_OF_MS;
	watch_tasks_check(&r->s->task_watch);
	return tasks_left(r);
}

static int end_of_task(void *data, int fd)
{
	struct run_context *r = data;

	loop_remove(r->loop, fd);
	watch_tasks_end(&r->s->task_watch, fd);
	return tasks_left(r);
}

static int report_progress(void *data, int fd)
{
	struct run_context *r = data;

	(void)fd;
	r->progress.due_ns = clock_ns() + r->s->setup.timing.progress_ms * NS_OF_MS;
	r->hooks->progress(r->hooks->data);
	return 0;
}

/* The kernel may forbid pstat to signal the command, for example if the command is set-user-ID and
 * pstat is not run by root. pstat still waits for the command's end. */
static void report_kill_error(struct run_context *r)
{
	int error = r->w->kill_error;

	r->w->kill_error = 0;
	if (error && r->hooks->not_signalled)
		r->hooks->not_signalled(error, r->hooks->data);
}

/* A client of the loop: take signals, and notice the end of the command. */
static int take_signals(void *data, int fd)
{
	struct run_context *r = data;
	/* Take signals first: if the command ends after that, its SIGCHLD wakes the loop again. */
	bool interrupted = workload_interrupted(r->w);

	(void)fd;
	report_kill_error(r);
	if (r->w->argv[0])
		return workload_reap(r->w, r->run) ? ENDED_COMMAND : 0;
	return interrupted ? ENDED_SIGNAL : 0;
}

static void add_deadline(struct run_context *r, struct loop_deadline *deadline, loop_client *passed,
			 uint64_t due_ns)
{
	*deadline = (struct loop_deadline){ .due_ns = due_ns, .passed = passed, .data = r };
	loop_add_deadline(r->loop, deadline);
}

/* Add the tick before the timeout: if both are due at the same time, the last interval is still
 * reported. */
static void add_deadlines(struct run_context *r)
{
	const struct timing *timing = &r->s->setup.timing;
	uint64_t now = r->w->start_ns;

	add_deadline(r, &r->start, start_after_delay, 0);
	add_deadline(r, &r->tick, end_interval, 0);
	add_deadline(r, &r->timeout, end_by_timeout, 0);
	set_origin(r, now);
	if (timing->delay_ms > 0) {
		r->start.due_ns = now + (uint64_t)timing->delay_ms * NS_OF_MS;
		r->tick.due_ns = r->timeout.due_ns = 0;
	}
	if (r->s->cpu_watch.n > 0)
		add_deadline(r, &r->check_cpus, check_cpus, now + WATCH_CPUS_MS * NS_OF_MS);
	if (timing->progress_ms && r->hooks->progress)
		add_deadline(r, &r->progress, report_progress,
			     now + timing->progress_ms * NS_OF_MS);
}

/* If there is no command, wait for the end of the tasks. */
static int add_tasks(struct run_context *r)
{
	const struct target *target = r->s->setup.target;
	const struct task_watch *watch = &r->s->task_watch;
	int err = 0;

	if (r->w->argv[0] || target->kind != TARGET_TASKS || target->all_tasks)
		return 0;
	for (size_t i = 0; err == 0 && i < watch->n; i++)
		if (watch->v[i].fd >= 0)
			err = loop_add(r->loop, watch->v[i].fd, end_of_task, r);
	if (watch_tasks_needs_checks(watch))
		add_deadline(r, &r->check_tasks, check_tasks,
			     clock_ns() + WATCH_TASKS_MS * NS_OF_MS);
	return err < 0 ? err : tasks_left(r);
}

static bool has_deadline(const struct run_context *r)
{
	return r->start.due_ns || r->tick.due_ns || r->timeout.due_ns || r->check_cpus.due_ns ||
	       r->progress.due_ns;
}

/* Wait until counting is over. Returns an enum ending or -errno. */
static int await_ending(struct run_context *r)
{
	const struct control *control = r->s->setup.control;
	int ending;

	r->loop->n = 0;
	r->loop->deadlines_n = 0;
	add_deadlines(r);
	ending = loop_add(r->loop, r->w->signal_fd, take_signals, r);
	if (ending == 0 && control && !control->at_end)
		ending = loop_add(r->loop, control->ctl_fd, handle_commands, r);
	if (ending == 0)
		ending = add_tasks(r);
	if (ending != 0)
		return ending;
	if (r->w->argv[0] && r->loop->n == 1 && !has_deadline(r)) {
		/* Only the end of the command is awaited, and it arrives as a signal. Waiting for a
		 * signal takes fewer system calls than a turn of the loop. */
		do {
			workload_await_signal(r->w);
			report_kill_error(r);
		} while (!workload_reap(r->w, r->run));
		return ENDED_COMMAND;
	}
	/* a signal that was taken earlier, for example during --pre, does not wake the loop */
	ending = take_signals(r, -1);
	return ending ? ending : loop_run(r->loop);
}

/* The command may still run when counting is over. Wait for its times and status, and answer
 * --control until then. */
static void await_command_end(struct run_context *r, int ending, uint64_t counted_ns)
{
	int result;

	if (r->w->pid == 0)
		return;
	if (ending == ENDED_TIMEOUT)
		workload_terminate(r->w);
	r->loop->deadlines_n = 0;
	result = take_signals(r, -1);
	while (result >= 0 && result != ENDED_COMMAND)
		result = loop_run(r->loop);
	workload_wait(r->w, r->run);
	r->run->tool[TOOL_DURATION_TIME] = counted_ns;
}

/*
 * Switch the counters off before the last reading, so that all are read for the same time. To
 * switch a counter of a task, the kernel interrupts the CPU on which the task ran last. For
 * thousands of threads that takes longer than reading them. Skip it for tasks, therefore, unless
 * some group is read member by member; the next run switches them off.
 */
static void switch_off_at_end(struct session *s)
{
	bool needed = s->setup.target->kind != TARGET_TASKS;

	for (size_t i = 0; i < s->counters.groups_n; i++)
		needed |= s->counters.groups[i].n > 1 && !s->counters.groups[i].one_read;
	if (needed && s->opener.start == COUNTER_SWITCHED)
		switch_all(s, KERNEL_OFF);
}

static int end_counting(struct run_context *r, int ending)
{
	struct session *s = r->s;
	const struct timing *timing = &s->setup.timing;
	uint64_t at_ns = ending == ENDED_INTERVALS ? r->ticks.woke_ns : elapsed_ns(r);
	int err = 0;

	if (ending != ENDED_INTERVALS) {
		switch_off_at_end(s);
		read_now(r);
		if (timing->interval_ms && !r->start.due_ns) {
			uint64_t over = at_ns / interval_ns(r);

			r->ticks.missed = over > r->ticks.passed ? over - r->ticks.passed - 1 : 0;
		}
		if (timing->interval_ms)
			err = report_interval(r, at_ns);
	}
	if (ending != ENDED_COMMAND)
		r->run->tool[TOOL_DURATION_TIME] = at_ns;
	r->over = true;
	await_command_end(r, ending, at_ns);
	/* run_inherited() may use the last readings for the next run */
	s->has_previous =
		ending == ENDED_COMMAND && !s->reopens && !s->passes && s->exec_counters.n == 0;
	if (s->has_previous)
		memcpy(s->previous, r->now, s->rows_n * sizeof(*r->now));
	fill_readings(s, r->w->argv[0] ? TOOLS_ALL : TOOLS_CLOCK_ONLY, r->before, r->now, r->run);
	limit_times(s, r->now_ended_ns - r->before_read_ns, r->run);
	return err;
}

/* From the start to the end of the counting. */
static int count(struct run_context *r)
{
	int ending;

	memcpy(r->last, r->before, r->s->rows_n * sizeof(*r->last));
	ending = await_ending(r);
	if (ending > 0)
		return end_counting(r, ending);
	if (r->s->setup.control)
		control_end(r->s->setup.control);
	if (r->s->setup.timing.timeout_ms && r->w->pid)
		workload_terminate(r->w);
	workload_wait(r->w, r->run);
	return ending;
}

/* The entry point of the program as linked. The difference to its address in memory is the load
 * offset. */
static uint64_t linked_entry(const struct event_list *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->events[i].relocated)
			return events->events[i].entry;
	return 0;
}

/* The command has stopped after its exec: open the groups that need its load address. */
static int open_stopped(const struct run_context *r)
{
	struct opener *o = &r->s->opener;
	struct scope *scope = &o->target->scopes[0];
	enum counter_start start = o->start;
	pid_t pid = scope->pid;
	uint64_t entry;
	int err = workload_find_entry(r->w, &entry, r->why);

	if (err < 0)
		return err;
	if (start == COUNTER_BY_EXEC)
		o->start = COUNTER_AT_ONCE;
	o->stopped = true;
	scope->pid = r->w->pid;
	o->event_opener.load_offset = entry - linked_entry(o->events);
	err = opener_open(o, &r->s->exec_counters, 0, 1);
	o->start = start;
	o->stopped = false;
	scope->pid = pid;
	if (err == 0)
		err = report_opened(r);
	if (err == 0)
		workload_resume(r->w);
	return err;
}

/* Count the command, which has just started. */
static int count_command(struct run_context *r)
{
	int err = r->s->stops_at_exec ? open_stopped(r) : 0;

	if (err == 0)
		return count(r);
	workload_kill(r->w);
	return err;
}

/* Start a child that waits before its exec. This needs two descriptors for a moment. */
static int start_held(struct run_context *r)
{
	int err;

	session_release_reserve(r->s);
	err = workload_start_held(r->w, r->why);
	session_keep_reserve(r->s);
	return err;
}

/* The counters are open on pstat itself, and the command inherits them. */
static int run_inherited(struct run_context *r)
{
	struct session *s = r->s;
	int err = 0;

	if (s->passes)
		err = opener_open(&s->opener, &s->counters, 0, 1);
	if (err == 0)
		err = report_opened(r);
	if (err != 0)
		return err;
	/* if no task can have counted since the last run, the last readings of that run are valid */
	if (s->has_previous && r->w->alone)
		memcpy(r->before, s->previous, s->rows_n * sizeof(*r->before));
	else
		read_all(s, r->before);
	/* after vfork(2), pstat would wait for the exec and could not trace the child */
	if (s->stops_at_exec)
		err = start_held(r);
	if (err < 0)
		return err;
	r->w->start_ns = clock_ns();
	err = s->stops_at_exec ? workload_exec_held(r->w, r->why) : workload_start(r->w, r->why);
	return err < 0 ? err : count_command(r);
}

static int run_anew(struct run_context *r)
{
	struct session *s = r->s;
	int err = start_held(r);

	if (err < 0)
		return err;
	s->setup.target->scopes[0].pid = r->w->pid;
	err = opener_open(&s->opener, &s->counters, 0, 1);
	s->setup.target->scopes[0].pid = 0;
	if (err == 0)
		err = report_opened(r);
	if (err != 0) {
		workload_kill(r->w);
		return err;
	}
	r->w->start_ns = clock_ns();
	err = workload_exec_held(r->w, r->why);
	return err < 0 ? err : count_command(r);
}

static int run_attached(struct run_context *r)
{
	int err = report_opened(r);

	if (err != 0)
		return err;
	counters_clear_failures(&r->s->counters);
	if (r->s->on) /* still on after the last run, or switched on by an `enable` since then */
		switch_all(r->s, KERNEL_OFF);
	r->before_read_ns = r->last_read_ns = clock_ns();
	read_all(r->s, r->before);
	r->w->start_ns = clock_ns(); /* the run's time starts with the counters */
	if (r->s->opener.start == COUNTER_SWITCHED && r->s->setup.timing.delay_ms == 0)
		switch_on(r); /* otherwise the end of -D or --control switches them on later */
	if (r->w->argv[0])
		err = workload_start(r->w, r->why);
	return err < 0 ? err : count(r);
}

int session_run(struct session *s, struct workload *w, struct run *run,
		const struct session_hooks *hooks, struct why *why)
{
	size_t n = s->rows_n + 1;
	cleanup_free struct reading *readings = calloc(5 * n, sizeof(*readings));
	struct run_context context = {
		.s = s, .w = w, .run = run, .hooks = hooks, .why = why, .loop = &s->loop
	};
	int err;

	*run = (struct run){ .readings = calloc(n, sizeof(*run->readings)) };
	w->stops_at_exec = s->stops_at_exec;
	s->program = w->path;
	if (!readings || !run->readings) {
		run_release(run);
		return -ENOMEM;
	}
	context.before = readings;
	context.last = readings + n;
	context.now = readings + 2 * n;
	context.off = readings + 3 * n;
	context.on = readings + 4 * n;
	if (s->setup.target->kind != TARGET_COMMAND)
		err = run_attached(&context);
	else
		err = s->reopens ? run_anew(&context) : run_inherited(&context);
	counters_close(&s->exec_counters);
	if (s->reopens || s->passes)
		counters_close(&s->counters);
	if (err != 0)
		run_release(run);
	return err;
}
