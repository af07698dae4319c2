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

static uint64_t tool_value(enum tool_event tool, const struct run *run)
{
	switch (tool) {
	case TOOL_USER_TIME:
		return run->user_ns;
	case TOOL_SYSTEM_TIME:
		return run->system_ns;
	case TOOL_DURATION_TIME:
	case TOOL_NONE:
		break;
	}
	return run->elapsed_ns;
}

/* What a row counted in this run: the difference of what was read after and before it. */
static struct sample finish_sample(const struct sample *before, const struct sample *after)
{
	struct sample sample = { .state = FAILED };

	if (before->state == FAILED || after->state == FAILED)
		return sample;
	sample.counts.raw = after->counts.raw - before->counts.raw;
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
static struct sample tool_sample(enum tool_event tool, const struct run *run)
{
	uint64_t value = tool_value(tool, run);

	return (struct sample){ COUNTED, { value, value, value } };
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
			*sample = finish_sample(&before[i], sample);
	}
}

static int run_all_tasks(struct session *s, struct workload *w, struct sample *before,
			 struct run *run, struct why *why)
{
	int err;

	counters_read(&s->counters, before);
	err = workload_start(w, why);
	if (err == 0)
		err = workload_wait(w, run);
	if (err == 0)
		counters_read(&s->counters, run->samples);
	return err;
}

/* The held child exists, and nothing is open on it yet. */
static int run_held(struct session *s, struct workload *w, struct run *run,
		    int (*opened)(const struct session *s, void *data), void *data, struct why *why)
{
	cleanup_with(counters_close) struct counters counters = { 0 };
	int err = counters_open(&counters, &s->opener, w->pid);

	if (err == 0 && opened)
		err = opened(s, data);
	if (err != 0) {
		workload_drop(w);
		return err;
	}
	err = workload_go_on(w, why);
	if (err == 0)
		err = workload_wait(w, run);
	if (err == 0)
		counters_read(&counters, run->samples);
	return err;
}

int session_run(struct session *s, struct workload *w, struct run *run,
		int (*opened)(const struct session *s, void *data), void *data, struct why *why)
{
	cleanup_free struct sample *before = calloc(s->rows_n + 1, sizeof(*before));
	int err = 0;

	*run = (struct run){ .samples = calloc(s->rows_n + 1, sizeof(*run->samples)) };
	if (!before || !run->samples) {
		err = -ENOMEM;
	} else if (s->opener.inherit == PLAN_FIRST_TASK) {
		err = workload_start_held(w, why);
		if (err == 0)
			err = run_held(s, w, run, opened, data, why);
	} else {
		err = opened ? opened(s, data) : 0;
		if (err == 0)
			err = run_all_tasks(s, w, before, run, why);
	}
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
