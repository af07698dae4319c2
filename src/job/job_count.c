/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count one command, or running tasks and CPUs, and print the result. */
#include <errno.h>
#include <signal.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/source.h"
#include "job/compare.h"
#include "job/counting.h"
#include "job/jobs.h"
#include "output/message.h"
#include "output/progress.h"

enum { PROGRESS_MS = 1000 }; /* how often the line changes while no command runs */

/* Print an interval, and keep it for the document. Even if this fails, the command is counted to
 * its end. */
static int job_count_on_interval(const struct session *s, const struct interval *counted,
				 void *data)
{
	struct counting *counting = data;
	cleanup_with(table_release) struct table table = { 0 };
	const struct why none = { 0 };
	struct series *series = &counting->runner.side->series;
	struct outputs *out = &counting->outputs;
	struct interval interval = *counted;
	int err;

	(void)s;
	if (counting->runner.warming_up)
		return 0;
	err = session_explain(&counting->runner.session, &interval.run, 1, REASONS_OF_FAILURES);
	interval.of_run = series->runs_n;
	counting->missed_intervals += interval.missed;
	if (err == 0)
		outputs_keep(out, series, &interval);
	if (out->text_lost)
		return 0; /* it was reported, and this interval would fail the same way */
	notes_print_counts(counting->options, series, &interval.run);
	if (err == 0)
		err = table_build(&table, series, &interval);
	if (err == 0)
		outputs_interval(out, &table);
	notes_print_reasons(&out->notes);
	if (err == 0)
		notes_print_gaps(&out->notes, &table);
	outputs_lose(out, err, &none);
	return 0;
}

/* Print and save the result, and judge its gates. 0; -errno: there is no result. */
static int job_count_output_result(struct counting *counting)
{
	cleanup_with(table_release) struct table table = { 0 };
	const struct series *series = &counting->runner.side->series;
	struct outputs *out = &counting->outputs;
	int err = session_explain(&counting->runner.session, series->runs, series->runs_n,
				  REASONS_ALL);

	if (err == 0)
		err = table_build(&table, series, NULL);
	if (err < 0)
		return err;
	outputs_result(out, &table);
	notes_print_reasons(&out->notes);
	notes_print_gaps(&out->notes, &table);
	notes_print_samples(counting->options, &counting->runner.session.sampler,
			    table.runs[table.runs_n - 1].tool[TOOL_DURATION_TIME]);
	if (!out->text_lost && counting->options->compare_options.history)
		err = history_gates_judge(&counting->history, counting->options,
					  &counting->wanted.gates, &table);
	return err;
}

/* Print each run that has ended. */
static void job_count_output_new_runs(struct counting *counting)
{
	const struct series *all = &counting->runner.side->series;
	size_t passes_n = counting->runner.session.passes_n;
	struct outputs *out = &counting->outputs;
	const struct why none = { 0 };

	if (!out->each_run)
		return;
	while (!out->text_lost && counting->printed_runs + passes_n <= all->runs_n) {
		cleanup_with(table_release) struct table table = { 0 };
		struct series series = *all;
		int err;

		series.runs += counting->printed_runs;
		series.runs_n = passes_n;
		counting->printed_runs += passes_n;
		err = session_explain(&counting->runner.session, series.runs, series.runs_n,
				      REASONS_OF_FAILURES);
		if (err == 0)
			err = table_build(&table, &series, NULL);
		if (err == 0) {
			outputs_run(out, &table);
			notes_print_reasons(&out->notes);
		}
		outputs_lose(out, err, &none);
	}
}

/* The rounds_rule of -r. */
static bool job_count_has_all_rounds(const struct rounds_done *done, void *data)
{
	struct counting *counting = data;
	unsigned int repeat = counting->options->repeat;

	job_count_output_new_runs(counting);
	if (repeat > 0 && done->rounds_n >= repeat)
		return true;
	if (!counting->options->argv[0] && session_tasks_have_ended(&counting->runner.session)) {
		note_print(counting->options, "-r: all tasks have ended; run %zu is the last",
			   done->rounds_n);
		return true;
	}
	return counting->outputs.each_run && counting->outputs.text_lost;
}

/*
 * The progress line is for a series of runs, and for tasks that run already. Intervals and the
 * output of -v show the progress themselves.
 */
static void job_count_begin_progress(struct counting *counting)
{
	const struct options *o = counting->options;
	const struct timing *timing = &o->timing;
	size_t passes = counting->runner.session.passes_n;
	bool is_series = o->repeat != 1 || o->warmup || passes > 1;

	if (o->no_progress || o->quiet || o->verbose || timing->interval_ms ||
	    (o->argv[0] && !is_series))
		return;
	if (o->argv[0]) {
		progress_begin(&counting->progress,
			       (struct progress_plan){ .warmups = o->warmup,
						       .runs = o->repeat * passes });
	} else {
		unsigned int delay_ms = timing->delay_ms > 0 ? (unsigned int)timing->delay_ms : 0;

		progress_begin(&counting->progress,
			       (struct progress_plan){ .timeout_ms = timing->timeout_ms ?
									     timing->timeout_ms +
										     delay_ms :
									     0 });
		counting->runner.session.setup.timing.progress_ms =
			counting->progress.on ? PROGRESS_MS : 0;
	}
}

/* From the events to the result, which outputs_close() has to write. 0; -errno with why. */
static int job_count_and_print(struct counting *counting, struct why *why)
{
	int err = 0;

	if (counting->runner.workload.path)
		err = source_breakpoint_bind(&counting->wanted.events, "-e",
					     counting->runner.workload.path, why);
	if (err == 0)
		err = process_view_check(&counting->options->processes, &counting->wanted.events,
					 why);
	if (err == 0)
		err = counting_open(counting, why);
	if (err == 0)
		err = outputs_check_columns(&counting->outputs, &counting->sides.v->series, why);
	if (err == 0) {
		job_count_begin_progress(counting);
		runner_run(&counting->runner, job_count_has_all_rounds, counting);
	}
	progress_end(&counting->progress);
	job_count_output_new_runs(counting); /* the last run if it failed or was interrupted */
	runner_cleanup_all(&counting->runner);
	session_release_reserve(&counting->runner.session);
	workload_begin_writing(&counting->runner.workload);
	if (err == 0 && counting->runner.side->series.runs_n > 0)
		err = job_count_output_result(counting);
	if (err < 0 || counting->outputs.text_lost)
		return err;
	notes_print_followed(counting->options, &counting->runner.session);
	if (counting->missed_intervals)
		note_print(
			counting->options,
			"-I: %zu interval%s ended late; the counts are part of the next interval",
			counting->missed_intervals, counting->missed_intervals == 1 ? "" : "s");
	return 0;
}

/* If a signal left fewer runs than requested, report that and set the exit status. */
static void job_count_report_interruption(struct counting *counting)
{
	size_t runs = counting->runner.side->series.runs_n;
	size_t wanted = counting->options->repeat * counting->runner.session.passes_n;
	int signal = counting->runner.workload.signals.interrupted;

	if (!signal || counting->runner.side->words.n == 0 || (runs > 0 && runs >= wanted))
		return;
	if (runs == 0)
		message("interrupted before a run was counted: there is no result");
	else
		note_print(counting->options, "interrupted: %zu of %zu runs", runs, wanted);
	if (counting->runner.status == 0)
		counting->runner.status = 128 + signal;
}

/* From the events to the exit status. */
static int job_count_events(struct counting *counting, const sigset_t *mask)
{
	cleanup_why struct why why = { 0 };
	int err = events_of_options(&counting->wanted, &why);
	int status;

	if (err == 0)
		err = events_add_of_gates(&counting->wanted, NULL, &why);
	if (err == 0)
		err = options_check_split(counting->options, &counting->wanted.events, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return options_usage_status(counting->options);
	}
	err = counting_take_over(counting, mask, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		status = counting_trouble_status(counting);
		return status ? status : STATUS_PSTAT;
	}
	if (runner_setup_all(&counting->runner))
		err = job_count_and_print(counting, &why);
	else
		runner_cleanup_all(&counting->runner);
	outputs_lose(&counting->outputs, err, &why);
	job_count_report_interruption(counting);
	status = outputs_close(&counting->outputs);
	if (status == 0)
		status = counting_trouble_status(counting);
	if (status)
		return status;
	/* A target that continues, or intervals: end by the signal, as perf does. The status of a
	 * command says it by itself. */
	if (counting->runner.side->words.n == 0 || counting->options->timing.interval_ms)
		status = -counting->runner.workload.signals.interrupted;
	if (status)
		return status;
	return counting->runner.status ? counting->runner.status :
					 compare_status(counting->history.outcome);
}

int job_count(const struct options *o, const sigset_t *mask)
{
	cleanup_with(counting_release) struct counting job = { .options = o,
							       .outputs = OUTPUTS_OF(o) };
	cleanup_why struct why why = { 0 };
	int err = history_gates_init(&job.history, o, &why);

	if (err == 0)
		err = counting_prepare(&job, &why);
	if (err < 0) {
		message_of_loss(why_text(&why, err));
		return STATUS_PSTAT;
	}
	job.runner.observer.counting.interval = job_count_on_interval;
	return job_count_events(&job, mask);
}
