/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/diagnose.h"
#include "count/session.h"

int session_open(struct session *s, const struct machine *m, const struct event_list *events,
		 enum plan_inherit inherit, counters_watch *watch)
{
	*s = (struct session){ 0 };
	s->rows = calloc(events->n + 1, sizeof(*s->rows));
	if (!s->rows)
		return -ENOMEM;
	s->rows_n = events->n;
	for (size_t i = 0; i < s->rows_n; i++)
		s->rows[i] = (struct row){ .event = i, .where = { WHERE_TARGET } };
	s->opener = (struct opener){
		.machine = m, .events = events, .rows = s->rows, .inherit = inherit, .watch = watch
	};
	for (size_t i = 0; i < events->groups_n; i++)
		s->stops |= opener_needs_address(events, &events->groups[i]);
	if (inherit == PLAN_FIRST_TASK)
		return 0;
	return counters_open(&s->counters, &s->opener, 0);
}

size_t session_refused(const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->rows_n; i++)
		n += s->rows[i].refused;
	return n;
}

/* What a row counted in this run: the difference of what was read after and before it. */
static struct sample finish_sample(const struct event *event, const struct sample *before,
				   const struct sample *after)
{
	struct sample sample = { .state = FAILED };

	if (before->state == FAILED || after->state == FAILED)
		return sample;
	sample.counts.raw = after->counts.raw - (event->snapshot ? 0 : before->counts.raw);
	sample.counts.enabled_ns = after->counts.enabled_ns - before->counts.enabled_ns;
	sample.counts.running_ns = after->counts.running_ns - before->counts.running_ns;
	if (sample.counts.running_ns == 0)
		sample.state = NOT_COUNTED;
	else
		sample.state =
			sample.counts.running_ns < sample.counts.enabled_ns ? SCALED : COUNTED;
	return sample;
}

/* As perf does, the time that a clock of the tool's own has run is the time it shows. */
static bool is_clock(enum tool_event tool)
{
	return tool == TOOL_DURATION_TIME || tool == TOOL_USER_TIME || tool == TOOL_SYSTEM_TIME;
}

static struct sample tool_sample(enum tool_event tool, const struct run *run)
{
	uint64_t value = run->tool[tool];
	uint64_t ran_ns = is_clock(tool) ? value : run->tool[TOOL_DURATION_TIME];

	return (struct sample){ COUNTED, { value, ran_ns, ran_ns } };
}

static void finish_run(const struct session *s, const struct sample *before, struct run *run)
{
	for (size_t i = 0; i < s->rows_n; i++) {
		const struct event *event = &s->opener.events->events[s->rows[i].event];
		struct sample *sample = &run->samples[i];

		if (event->tool != TOOL_NONE)
			*sample = tool_sample(event->tool, run);
		else if (s->rows[i].refused)
			*sample = (struct sample){ .state = NOT_SUPPORTED };
		else
			*sample = finish_sample(event, &before[i], sample);
	}
}

/* What a run does when something has been opened; see session_run(). */
struct run_context {
	struct session *s;
	struct workload *w;
	struct run *run;
	int (*opened)(const struct session *s, void *data);
	void *data;
	struct why *why;
};

static int tell_opened(const struct run_context *r)
{
	return r->opened ? r->opened(r->s, r->data) : 0;
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
static int open_stopped(const struct run_context *r, struct counters *late)
{
	struct opener *o = &r->s->opener;
	uint64_t entry;
	int err = workload_stopped(r->w, &entry, r->why);

	if (err < 0)
		return err;
	o->start = PLAN_AT_ONCE;
	o->moved = entry - linked_entry(o->events);
	err = counters_open(late, o, r->w->pid);
	o->start = PLAN_BY_EXEC;
	if (err == 0)
		err = tell_opened(r);
	if (err == 0)
		workload_continue(r->w);
	return err;
}

/* From behind the command's start to its end; counters: what was opened before it. */
static int finish_command(const struct run_context *r, const struct counters *counters)
{
	cleanup_with(counters_close) struct counters late = { 0 };
	int err = r->s->stops ? open_stopped(r, &late) : 0;

	if (err != 0) {
		workload_drop(r->w);
		return err;
	}
	err = workload_wait(r->w, r->run);
	if (err == 0) {
		counters_read(counters, r->run->samples);
		counters_read(&late, r->run->samples);
	}
	return err;
}

static int run_all_tasks(const struct run_context *r, struct sample *before)
{
	int err = tell_opened(r);

	if (err != 0)
		return err;
	counters_read(&r->s->counters, before);
	err = workload_start(r->w, r->why);
	return err < 0 ? err : finish_command(r, &r->s->counters);
}

static int run_first_task(const struct run_context *r)
{
	cleanup_with(counters_close) struct counters counters = { 0 };
	int err = workload_start_held(r->w, r->why);

	if (err < 0)
		return err;
	err = counters_open(&counters, &r->s->opener, r->w->pid);
	if (err == 0)
		err = tell_opened(r);
	if (err != 0) {
		workload_drop(r->w);
		return err;
	}
	err = workload_go_on(r->w, r->why);
	return err < 0 ? err : finish_command(r, &counters);
}

int session_run(struct session *s, struct workload *w, struct run *run,
		int (*opened)(const struct session *s, void *data), void *data, struct why *why)
{
	const struct run_context context = { s, w, run, opened, data, why };
	cleanup_free struct sample *before = calloc(s->rows_n + 1, sizeof(*before));
	int err;

	*run = (struct run){ .samples = calloc(s->rows_n + 1, sizeof(*run->samples)) };
	w->stops = s->stops;
	if (!before || !run->samples)
		err = -ENOMEM;
	else if (s->opener.inherit == PLAN_FIRST_TASK)
		err = run_first_task(&context);
	else
		err = run_all_tasks(&context, before);
	if (err == 0)
		finish_run(s, before, run);
	else
		run_release(run);
	return err;
}

static bool ever_counted(const struct run *runs, size_t runs_n, size_t row)
{
	for (size_t i = 0; i < runs_n; i++)
		if (runs[i].samples[row].state == COUNTED || runs[i].samples[row].state == SCALED)
			return true;
	return false;
}

int session_explain(struct session *s, const struct run *runs, size_t runs_n)
{
	for (size_t i = 0; i < s->rows_n; i++) {
		struct row *row = &s->rows[i];
		cleanup_str struct str reason = { 0 };

		if (row->refused || ever_counted(runs, runs_n, i))
			continue;
		diagnose_never_ran(s->opener.machine, &s->opener.events->events[row->event],
				   &reason);
		if (reason.failed)
			return -ENOMEM;
		free(row->reason);
		row->reason = take_ptr(reason.text);
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
	for (size_t i = 0; i < s->rows_n; i++)
		free(s->rows[i].reason);
	free(s->rows);
	*s = (struct session){ 0 };
}
