/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "count/samples.h"
#include "count/session.h"

/* One run on its way. */
struct run_context {
	struct session *s;
	struct workload *w;
	struct run *run;
	const struct session_hooks *hooks;
	struct why *why;
	struct waiting waiting;
	struct sample *before, *last, *now; /* at the start, at the last tick, at the moment */
	struct sample *off, *on; /* before and behind being switched on, see switch_cgroups_on() */
	uint64_t last_ns; /* when the last tick was */
	uint64_t before_read_ns, last_read_ns, now_read_ns; /* when those readings were begun */
	uint64_t now_ended_ns; /* and when that one had ended */
	size_t blocks;
};

static int tell_opened(const struct run_context *r)
{
	return r->hooks->opened ? r->hooks->opened(r->s, r->hooks->data) : 0;
}

static void read_all(const struct session *s, struct sample *samples)
{
	memset(samples, 0, s->rows_n * sizeof(*samples));
	counters_read(&s->counters, samples);
	counters_read(&s->late, samples);
}

static void switch_all(struct session *s, bool on)
{
	counters_switch(&s->counters, on);
	counters_switch(&s->late, on);
	s->on = on;
	s->was_on |= on;
}

static void leave_out_times(struct sample *base, const struct counts *from, const struct counts *to)
{
	base->counts.enabled_ns += to->enabled_ns - from->enabled_ns;
	base->counts.running_ns += to->running_ns - from->running_ns;
}

/*
 * The kernel's time of a cgroup on a CPU stands still while no event of it is on there. The first one
 * that is switched on again may get all that has passed meanwhile as time enabled, and some of it or all
 * as time running (seen in Linux 6.18). So what the clocks gain by being switched on is left out.
 */
static void switch_cgroups_on(struct run_context *r)
{
	read_all(r->s, r->off);
	switch_all(r->s, true);
	read_all(r->s, r->on);
	for (size_t i = 0; i < r->s->rows_n; i++) {
		leave_out_times(&r->before[i], &r->off[i].counts, &r->on[i].counts);
		leave_out_times(&r->last[i], &r->off[i].counts, &r->on[i].counts);
	}
}

static void switch_on(struct run_context *r)
{
	if (r->s->setup.target->cgroups_n > 0)
		switch_cgroups_on(r);
	else
		switch_all(r->s, true);
}

/* What is open is counted from now on, unless something else is to switch it on. */
static void switch_on_at_start(struct run_context *r)
{
	if (r->s->opener.start == PLAN_SWITCHED && r->s->setup.timing.delay_ms == 0)
		switch_on(r);
}

static void read_now(struct run_context *r)
{
	r->now_read_ns = clock_ns();
	read_all(r->s, r->now);
	r->now_ended_ns = clock_ns();
}

/* What could not be read now is part of the next block that can. */
static void remember(struct run_context *r)
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

static int tell_block(struct run_context *r, uint64_t at_ns)
{
	struct block block = { .at_ns = at_ns, .late = r->waiting.late };
	cleanup_free struct sample *samples = calloc(r->s->rows_n + 1, sizeof(*samples));

	if (!samples)
		return -ENOMEM;
	block.run.samples = samples;
	block.run.tool[TOOL_DURATION_TIME] = at_ns - r->last_ns;
	samples_finish(r->s, TOOLS_CLOCK_ONLY, r->last, r->now, &block.run);
	samples_limit_times(r->s, r->now_ended_ns - r->last_read_ns, &block.run);
	remember(r);
	r->last_ns = at_ns;
	r->blocks++;
	return r->hooks->block ? r->hooks->block(r->s, &block, r->hooks->data) : 0;
}

static int end_interval(struct run_context *r)
{
	read_now(r);
	return tell_block(r, r->waiting.woke_ns);
}

/* Whether counting is over. All that was read at once is obeyed; what has come behind it waits until
 * signals and ticks had their turn, however fast it comes. */
static bool obey(struct run_context *r)
{
	struct control *control = r->s->setup.control;
	enum control_command command;
	const char *line;

	if (!control)
		return false;
	do {
		command = control_next(control, &line);
		if (command == CONTROL_NONE || command == CONTROL_CLOSED)
			return false;
		if (command == CONTROL_UNKNOWN) {
			if (r->hooks->misunderstood)
				r->hooks->misunderstood(line, r->hooks->data);
			continue;
		}
		if (command == CONTROL_ENABLE)
			switch_on(r);
		if (command == CONTROL_DISABLE)
			switch_all(r->s, false);
		control_ack(control);
		if (command == CONTROL_STOP)
			return true;
	} while (control_has_line(control));
	return false;
}

static int change_cpu(int cpu, enum hotplug_change change, void *data)
{
	struct run_context *r = data;
	struct session *s = r->s;
	struct target *target = s->setup.target;
	size_t index;
	int err;

	if (r->hooks->cpu)
		r->hooks->cpu(cpu, change, r->hooks->data);
	if (change == HOTPLUG_GONE) {
		for (size_t i = 0; i < target->spots_n; i++)
			target->spots[i].gone |= target->spots[i].cpu == cpu;
		return counters_retire(&s->counters, cpu, s->rows_n);
	}
	err = target_add_cpu(target, s->setup.machine, cpu, &index);
	if (err < 0)
		return err == -ENOMEM ? err : 0;
	for (size_t i = 0; i < s->setup.events->n; i++) {
		size_t place = target->spots[index].place;

		s->rows[place * s->setup.events->n + i].where = target->places[place];
	}
	err = counters_open(&s->counters, &s->opener, index, 1);
	if (err == 0 && s->on)
		counters_switch(&s->counters, true);
	return err;
}

/* The delay is over: from here on the time is counted, too, as what the counts are divided by. */
static void start_behind_delay(struct run_context *r)
{
	r->w->start_ns = r->waiting.origin_ns;
	switch_on(r);
}

/* What happened is dealt with. Whether counting is over. */
static bool deal_with(struct run_context *r, enum wake wake, int *err)
{
	switch (wake) {
	case WAKE_START:
		start_behind_delay(r);
		return false;
	case WAKE_TICK:
		*err = end_interval(r);
		return *err != 0 || r->blocks == r->s->setup.timing.interval_count;
	case WAKE_CONTROL:
		return obey(r);
	case WAKE_CHECK:
		*err = hotplug_check(&r->s->hotplug, change_cpu, r);
		return *err != 0;
	case WAKE_PROGRESS:
		if (r->hooks->progress)
			r->hooks->progress(r->hooks->data);
		return false;
	case WAKE_ENDED:
	case WAKE_INTERRUPTED:
	case WAKE_GONE:
	case WAKE_TIMEOUT:
		break;
	}
	return true;
}

/* The command may run on when counting is over: its own times and status are still to come, and who
 * waits for an answer on --control gets it. */
static void see_command_end(struct run_context *r, enum wake wake, uint64_t counted_ns)
{
	if (r->w->pid == 0)
		return;
	if (wake == WAKE_TIMEOUT)
		workload_end(r->w);
	waiting_forget_times(&r->waiting);
	while (waiting_next(&r->waiting, r->run) != WAKE_ENDED)
		obey(r);
	if (r->s->on)
		switch_all(r->s, false); /* an `enable` that came too late */
	r->run->tool[TOOL_DURATION_TIME] = counted_ns;
}

/* For the next run. */
static void keep_reading(struct run_context *r, enum wake wake)
{
	struct session *s = r->s;

	s->has_reading = wake == WAKE_ENDED && !s->anew && !s->passes && s->late.n == 0;
	if (s->has_reading)
		memcpy(s->reading, r->now, s->rows_n * sizeof(*r->now));
}

static int end_counting(struct run_context *r, enum wake wake)
{
	const struct timing *timing = &r->s->setup.timing;
	uint64_t at_ns = wake == WAKE_TICK ? r->waiting.woke_ns : waiting_elapsed(&r->waiting);
	int err = 0;

	if (wake != WAKE_TICK) {
		if (r->s->opener.start == PLAN_SWITCHED)
			switch_all(r->s, false);
		read_now(r);
		r->waiting.late = waiting_missed(&r->waiting, at_ns);
		if (timing->interval_ms)
			err = tell_block(r, at_ns);
	}
	if (wake != WAKE_ENDED)
		r->run->tool[TOOL_DURATION_TIME] = at_ns;
	see_command_end(r, wake, at_ns);
	keep_reading(r, wake);
	samples_finish(r->s, r->w->argv[0] ? TOOLS_ALL : TOOLS_CLOCK_ONLY, r->before, r->now,
		       r->run);
	samples_limit_times(r->s, r->now_ended_ns - r->before_read_ns, r->run);
	return err;
}

/* From the start to the end of the counting. */
static int count(struct run_context *r)
{
	struct session *s = r->s;
	enum wake wake = WAKE_ENDED;
	bool some_tasks = s->setup.target->kind == TARGET_TASKS && !s->setup.target->all_tasks;
	int err = waiting_begin(&r->waiting, r->w, &s->setup.timing, s->setup.control,
				some_tasks ? &s->lifelines : NULL, s->hotplug.n > 0);

	if (err < 0)
		workload_drop(r->w);
	memcpy(r->last, r->before, s->rows_n * sizeof(*r->last));
	while (err == 0) {
		wake = waiting_next(&r->waiting, r->run);
		if (deal_with(r, wake, &err))
			break;
	}
	if (err == 0)
		err = end_counting(r, wake);
	else
		workload_wait(r->w, r->run);
	waiting_release(&r->waiting);
	return err;
}

/* The program's entry point tells how far all of it was moved. */
static uint64_t linked_entry(const struct event_list *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->events[i].relocated)
			return events->events[i].entry;
	return 0;
}

/* The command stands still behind its exec: open what had to wait for its load address. */
static int open_stopped(const struct run_context *r)
{
	struct opener *o = &r->s->opener;
	struct spot *spot = &o->target->spots[0];
	enum plan_start start = o->start;
	pid_t pid = spot->pid;
	uint64_t entry;
	int err = workload_stopped(r->w, &entry, r->why);

	if (err < 0)
		return err;
	if (start == PLAN_BY_EXEC)
		o->start = PLAN_AT_ONCE;
	o->stopped = true;
	spot->pid = r->w->pid;
	o->attempt.moved = entry - linked_entry(o->events);
	err = counters_open(&r->s->late, o, 0, 1);
	o->start = start;
	o->stopped = false;
	spot->pid = pid;
	if (err == 0)
		err = tell_opened(r);
	if (err == 0)
		workload_continue(r->w);
	return err;
}

/* From behind the command's start on. */
static int count_command(struct run_context *r)
{
	int err = r->s->stops ? open_stopped(r) : 0;

	if (err == 0)
		return count(r);
	workload_drop(r->w);
	return err;
}

/* What the counters read before the run: as behind the run before, where nothing can have counted since. */
static void read_before(struct run_context *r)
{
	const struct session *s = r->s;

	if (s->has_reading && r->w->alone)
		memcpy(r->before, s->reading, s->rows_n * sizeof(*r->before));
	else
		read_all(s, r->before);
}

/* Opened on pstat itself, and inherited from there. */
static int run_inherited(struct run_context *r)
{
	struct session *s = r->s;
	int err = 0;

	if (s->passes)
		err = counters_open(&s->counters, &s->opener, 0, 1);
	if (err == 0)
		err = tell_opened(r);
	if (err != 0)
		return err;
	read_before(r);
	if (s->stops) /* behind a vfork() nobody could see to a stop before the exec */
		err = workload_start_held(r->w, r->why);
	if (err < 0)
		return err;
	workload_begin(r->w);
	err = s->stops ? workload_go_on(r->w, r->why) : workload_start(r->w, r->why);
	return err < 0 ? err : count_command(r);
}

static int run_anew(struct run_context *r)
{
	struct session *s = r->s;
	int err = workload_start_held(r->w, r->why);

	if (err < 0)
		return err;
	s->setup.target->spots[0].pid = r->w->pid;
	err = counters_open(&s->counters, &s->opener, 0, 1);
	s->setup.target->spots[0].pid = 0;
	if (err == 0)
		err = tell_opened(r);
	if (err != 0) {
		workload_drop(r->w);
		return err;
	}
	workload_begin(r->w);
	err = workload_go_on(r->w, r->why);
	return err < 0 ? err : count_command(r);
}

static int run_attached(struct run_context *r)
{
	int err = tell_opened(r);

	if (err != 0)
		return err;
	r->before_read_ns = r->last_read_ns = clock_ns();
	read_all(r->s, r->before);
	workload_begin(r->w); /* the time that is counted is that of the counters */
	switch_on_at_start(r);
	if (r->w->argv[0])
		err = workload_start(r->w, r->why);
	return err < 0 ? err : count(r);
}

static int start_and_count(struct run_context *r)
{
	if (r->s->setup.target->kind != TARGET_COMMAND)
		return run_attached(r);
	return r->s->anew ? run_anew(r) : run_inherited(r);
}

int session_run(struct session *s, struct workload *w, struct run *run,
		const struct session_hooks *hooks, struct why *why)
{
	size_t n = s->rows_n + 1;
	cleanup_free struct sample *samples = calloc(5 * n, sizeof(*samples));
	struct run_context context = { .s = s, .w = w, .run = run, .hooks = hooks, .why = why };
	int err;

	*run = (struct run){ .samples = calloc(n, sizeof(*run->samples)) };
	w->stops = s->stops;
	if (!samples || !run->samples) {
		run_release(run);
		return -ENOMEM;
	}
	context.before = samples;
	context.last = samples + n;
	context.now = samples + 2 * n;
	context.off = samples + 3 * n;
	context.on = samples + 4 * n;
	err = start_and_count(&context);
	counters_close(&s->late);
	if (s->anew || s->passes)
		counters_close(&s->counters);
	if (err != 0)
		run_release(run);
	return err;
}
