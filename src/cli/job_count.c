/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/counting.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "cli/series.h"
#include "event/source.h"

enum { PROGRESS_MS = 1000 }; /* how often the line changes while no command runs */

/* The runs of one measurement: one, or a pass after the other, each time beginning with the next one. */
static bool measure_once(struct counting *job, size_t number)
{
	struct session *s = &job->session;

	for (size_t i = 0; i < s->passes_n; i++) {
		s->opener.pass = (number + i) % s->passes_n;
		if (!series_run(job, job->side))
			return false;
	}
	return true;
}

static void run_all(struct counting *job)
{
	const struct options *o = job->options;
	bool goes_on = true;

	job->warming_up = true;
	for (unsigned int i = 0; goes_on && i < o->warmup; i++)
		goes_on = series_run(job, job->side);
	job->warming_up = false;
	for (unsigned int i = 0; goes_on && (o->repeat == 0 || i < o->repeat); i++)
		goes_on = measure_once(job, i);
}

/* How long tasks are counted, if that is known. */
static unsigned int expected_ms(const struct timing *timing)
{
	if (!timing->timeout_ms)
		return 0;
	return timing->timeout_ms + (timing->delay_ms > 0 ? (unsigned int)timing->delay_ms : 0);
}

/* Of a series of runs, and of tasks that run anyway: a single run says itself, by its end, how far it is.
 * Blocks and the attributes of -v say enough, too. */
static void begin_progress(struct counting *job)
{
	const struct options *o = job->options;
	size_t passes = job->session.passes_n;
	bool is_series = o->repeat != 1 || o->warmup || passes > 1;

	if (o->no_progress || o->quiet || o->verbose || o->timing.interval_ms ||
	    (o->argv[0] && !is_series))
		return;
	if (o->argv[0]) {
		progress_begin(&job->progress, o->warmup, o->repeat * passes);
	} else {
		progress_begin_attached(&job->progress, expected_ms(&o->timing));
		job->session.setup.timing.progress_ms = job->progress.on ? PROGRESS_MS : 0;
	}
	message_beside(&job->progress);
}

/* From the events to the printed result. 0; -errno with why. */
static int count_and_print(struct counting *job, struct why *why)
{
	int err = 0;

	if (job->workload.path)
		err = source_breakpoint_bind(&job->wanted.events, job->workload.path, why);
	if (err == 0)
		err = counting_open(job, why);
	if (err == 0) {
		begin_progress(job);
		err = job_output_begin(job, why);
	}
	if (err == 0)
		run_all(job);
	progress_end(&job->progress);
	series_cleanup(job, job->side);
	session_give_back(&job->session);
	workload_begin_writing(&job->workload);
	if (err == 0 && job->side->runs_n > 0)
		err = job_output_result(job, why);
	return err == 0 && !job->print_error ? job_output_end(job, why) : err;
}

/* If a signal left fewer runs than requested, report that and set the exit status. */
static void see_interruption(struct counting *job)
{
	size_t runs = job->side->runs_n;
	size_t wanted = job->options->repeat * job->session.passes_n;
	int signal = job->workload.interrupted;

	if (!signal || job->side->words.n == 0 || (runs > 0 && runs >= wanted))
		return;
	if (runs == 0)
		message("interrupted before a run was counted: there is no result");
	else
		note_print(job->options, "interrupted: %zu of %zu runs", runs, wanted);
	if (job->status == 0)
		job->status = 128 + signal;
}

static int count(struct counting *job, const sigset_t *mask)
{
	cleanup_why struct why why = { 0 };
	int err;

	if (events_of_options(job->options, &job->machine, &job->wanted) < 0)
		return STATUS_PSTAT;
	err = counting_take_over(job, mask, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return job->workload.exec_failed ? series_exec_status(err) : STATUS_PSTAT;
	}
	if (series_setup(job, job->side))
		err = count_and_print(job, &why);
	else
		series_cleanup(job, job->side);
	if (err < 0)
		message_of_loss(why_text(&why, err));
	see_interruption(job);
	if (err < 0 || job->print_error < 0 || job->saving.err < 0)
		return STATUS_PSTAT;
	return job->trouble ? job->trouble : job->status;
}

int job_count(const struct options *o, const sigset_t *mask)
{
	cleanup_with(counting_release) struct counting job = { .options = o,
							       .printing.output.fd = -1,
							       .saving.output.fd = -1,
							       .child_setup.null_fd = -1 };
	cleanup_why struct why why = { 0 };
	int err = counting_prepare(&job, &why);

	if (err < 0) {
		message_of_loss(why_text(&why, err));
		return STATUS_PSTAT;
	}
	return count(&job, mask);
}
