/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count one command, or running tasks and CPUs, and print the result. */
#include <errno.h>
#include <signal.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "cli/counting.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/saving.h"
#include "event/source.h"

enum { PROGRESS_MS = 1000 }; /* how often the line changes while no command runs */

static int print_interval(struct counting *job, const struct interval *interval, struct why *why)
{
	cleanup_with(result_release) struct result result = { 0 };
	int err = result_build(&result, &job->runner.side->series, interval);

	if (err == 0)
		err = printing_interval(&job->printing, &result, why);
	notes_print_reasons(&job->notes);
	if (err == 0)
		notes_print_gaps(&job->notes, &result);
	return err;
}

/*
 * Print an interval, and keep it for the document. An error is reported and goes to
 * job->print_error.
 */
static void output_interval(struct counting *job, const struct interval *counted)
{
	cleanup_why struct why why = { 0 };
	struct series *series = &job->runner.side->series;
	struct interval interval = *counted;
	int err = session_explain(&job->runner.session, &interval.run, 1, REASONS_OF_FAILURES);

	interval.of_run = series->runs_n;
	if (err == 0)
		err = saving_keep(&job->saving, series, &interval);
	job->missed_intervals += interval.missed;
	if (job->print_error)
		return; /* it was reported, and this interval would fail the same way */
	if (err == 0)
		err = print_interval(job, &interval, &why);
	if (err < 0)
		message_of_loss(why_text(&why, err));
	job->print_error = err;
}

static int on_interval(const struct session *s, const struct interval *interval, void *data)
{
	struct counting *job = data;

	(void)s;
	if (!job->runner.warming_up)
		output_interval(job, interval);
	return 0; /* even if it failed: the command is counted to its end */
}

/* After intervals, the result is printed only if --summary asks for it. */
static int print_result(struct counting *job, const struct result *result, struct why *why)
{
	int err = 0;

	if (job->options->quiet || job->print_error ||
	    (job->printing.streams && !job->options->summary))
		return 0;
	if (!job->printing.streams)
		err = printing_begin(&job->printing, job->sides.v->series.started, why);
	return err < 0 ? err : printing_result(&job->printing, result, why);
}

/*
 * Print the result, and save it even if it could not be printed. 0; -errno with why. An error of
 * saving is reported and goes to job->saving.err.
 */
static int output_result(struct counting *job, struct why *why)
{
	cleanup_why struct why save_why = { 0 }, page_why = { 0 };
	cleanup_with(result_release) struct result result = { 0 };
	const struct series *series = &job->runner.side->series;
	int err = session_explain(&job->runner.session, series->runs, series->runs_n, REASONS_ALL);
	int save_err, page_err;

	counting_record_floor(job);
	if (err == 0)
		err = result_build(&result, series, NULL);
	if (err < 0)
		return err;
	notes_print_reasons(&job->notes);
	notes_print_gaps(&job->notes, &result);
	err = print_result(job, &result, why);
	save_err = saving_write(&job->saving, &result, &save_why);
	if (save_err < 0 && save_err != job->saving.err)
		message_of_loss(why_text(&save_why, save_err));
	page_err = saving_write_page(&job->saving, series, &page_why);
	if (page_err < 0)
		message_of_loss(why_text(&page_why, page_err));
	job->saving.err = save_err < 0 ? save_err : page_err;
	return err;
}

/* The rounds_rule of -r. */
static bool has_all_rounds(const struct rounds_done *done, void *data)
{
	const struct counting *job = data;
	unsigned int repeat = job->options->repeat;

	return repeat > 0 && done->rounds_n >= repeat;
}

/*
 * The progress line is for a series of runs, and for tasks that run already. Intervals and the
 * output of -v show the progress themselves.
 */
static void begin_progress(struct counting *job)
{
	const struct options *o = job->options;
	const struct timing *timing = &o->timing;
	size_t passes = job->runner.session.passes_n;
	bool is_series = o->repeat != 1 || o->warmup || passes > 1;

	if (o->no_progress || o->quiet || o->verbose || timing->interval_ms ||
	    (o->argv[0] && !is_series))
		return;
	if (o->argv[0]) {
		progress_begin(&job->progress,
			       (struct progress_plan){ .warmups = o->warmup,
						       .runs = o->repeat * passes });
	} else {
		unsigned int delay_ms = timing->delay_ms > 0 ? (unsigned int)timing->delay_ms : 0;

		progress_begin(&job->progress,
			       (struct progress_plan){ .timeout_ms = timing->timeout_ms ?
									     timing->timeout_ms +
										     delay_ms :
									     0 });
		job->runner.session.setup.timing.progress_ms = job->progress.on ? PROGRESS_MS : 0;
	}
}

/* From the events to the result, which printing_end() has to write. 0; -errno with why. */
static int count_and_print(struct counting *job, struct why *why)
{
	int err = 0;

	if (job->runner.workload.path)
		err = source_breakpoint_bind(&job->wanted.events, job->runner.workload.path, why);
	if (err == 0)
		err = counting_open(job, why);
	if (err == 0) {
		begin_progress(job);
		err = job->printing.streams ?
			      printing_begin(&job->printing, job->sides.v->series.started, why) :
			      0;
	}
	if (err == 0)
		runner_run(&job->runner, has_all_rounds, job);
	progress_end(&job->progress);
	runner_cleanup_all(&job->runner);
	session_release_reserve(&job->runner.session);
	signals_begin_writing(&job->runner.workload.signals);
	if (err == 0 && job->runner.side->series.runs_n > 0)
		err = output_result(job, why);
	if (err < 0 || job->print_error)
		return err;
	if (job->missed_intervals)
		note_print(
			job->options,
			"-I: %zu interval%s ended late; the counts are part of the next interval",
			job->missed_intervals, job->missed_intervals == 1 ? "" : "s");
	return 0;
}

/* If a signal left fewer runs than requested, report that and set the exit status. */
static void report_interruption(struct counting *job)
{
	size_t runs = job->runner.side->series.runs_n;
	size_t wanted = job->options->repeat * job->runner.session.passes_n;
	int signal = job->runner.workload.signals.interrupted;

	if (!signal || job->runner.side->words.n == 0 || (runs > 0 && runs >= wanted))
		return;
	if (runs == 0)
		message("interrupted before a run was counted: there is no result");
	else
		note_print(job->options, "interrupted: %zu of %zu runs", runs, wanted);
	if (job->runner.status == 0)
		job->runner.status = 128 + signal;
}

/* Whether a signal ended the measurement of a target that continues, or of intervals: pstat then
 * ends by this signal, as perf does. The status of a command says it by itself. */
static bool ended_by_signal(const struct counting *job)
{
	return job->runner.workload.signals.interrupted &&
	       (job->runner.side->words.n == 0 || job->options->timing.interval_ms);
}

static int count(struct counting *job, const sigset_t *mask)
{
	cleanup_why struct why why = { 0 };
	int err, trouble;

	if (events_of_options(job->options, &job->machine, &job->wanted) < 0)
		return STATUS_PSTAT;
	err = counting_take_over(job, mask, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return job->runner.workload.exec_failed ? counting_exec_status(err) : STATUS_PSTAT;
	}
	if (runner_setup_all(&job->runner))
		err = count_and_print(job, &why);
	else
		runner_cleanup_all(&job->runner);
	if (err < 0)
		message_of_loss(why_text(&why, err));
	report_interruption(job);
	if (err == 0 && job->print_error == 0) {
		err = printing_end(&job->printing, &why);
		if (err < 0)
			message_of_loss(why_text(&why, err));
	}
	if (err < 0 || job->print_error < 0 || job->saving.err < 0)
		return STATUS_PSTAT;
	trouble = counting_trouble_status(job);
	if (trouble)
		return trouble;
	return ended_by_signal(job) ? -job->runner.workload.signals.interrupted :
				      job->runner.status;
}

int job_count(const struct options *o, const sigset_t *mask)
{
	cleanup_with(counting_release) struct counting job = { .options = o,
							       .printing.output.fd = -1,
							       .saving = SAVING_NONE };
	cleanup_why struct why why = { 0 };
	int err = counting_prepare(&job, &why);

	if (err < 0) {
		message_of_loss(why_text(&why, err));
		return STATUS_PSTAT;
	}
	job.runner.observer.counting.interval = on_interval;
	return count(&job, mask);
}
