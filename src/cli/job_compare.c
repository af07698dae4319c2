/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run commands in turn, and compare what they came to: with the first of them, or with a saved baseline. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/compare_events.h"
#include "cli/compare_output.h"
#include "cli/comparison_inputs.h"
#include "cli/counting.h"
#include "cli/difference_notes.h"
#include "cli/estimate.h"
#include "cli/jobs.h"
#include "cli/math.h"
#include "cli/message.h"
#include "cli/series.h"
#include "cli/shell_cost.h"
#include "cli/turns.h"
#include "machine/tasks.h"

struct compare_job {
	struct counting counting;
	struct turns turns;
	struct math math;
	struct baseline baseline;
	struct comparison_inputs sides;
	struct page page;
	enum gate_outcome outcome;
	int signal; /* has ended it before all runs were there; 0: none has */
};

static struct compare_output output_of(struct compare_job *job)
{
	struct counting *counting = &job->counting;

	return (struct compare_output){ counting->options, &counting->printing, &counting->saving,
					&job->page };
}

static void compare_release(struct compare_job *job)
{
	comparison_inputs_release(&job->sides);
	page_release(&job->page);
	turns_release(&job->turns);
	counting_release(&job->counting);
	baseline_release(&job->baseline);
}

/* So that a missing one is told before anything runs, unless --setup is still to make it. */
static int find_programs(struct counting *job, struct why *why)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < job->sides.n; i++)
		err = side_find_program(&job->sides.v[i], why);
	return err;
}

/* Whether all went well. Between the runs there would be others', so all of them come before. */
static bool set_up_all(struct counting *job)
{
	bool well = true;

	for (size_t i = 0; well && i < job->sides.n; i++)
		well = series_setup(job, &job->sides.v[i]);
	return well;
}

static void clean_up_all(struct counting *job)
{
	for (size_t i = 0; i < job->sides.n; i++)
		series_cleanup(job, &job->sides.v[i]);
}

/* Why no run of any side has counted an event: all runs together say so. */
static int explain(struct counting *job)
{
	cleanup_free struct run *runs = NULL;
	size_t n = 0, all = 0;

	for (size_t i = 0; i < job->sides.n; i++)
		all += job->sides.v[i].runs_n;
	runs = calloc(all + 1, sizeof(*runs));
	if (!runs)
		return -ENOMEM;
	for (size_t i = 0; i < job->sides.n; i++) {
		memcpy(runs + n, job->sides.v[i].runs, job->sides.v[i].runs_n * sizeof(*runs));
		n += job->sides.v[i].runs_n;
	}
	return session_explain(&job->session, runs, n);
}

static struct comparison_input make_input(const struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	struct comparison_input input = compare_options_input(&counting->options->compare_options);

	input.sides = job->sides.v;
	input.sides_n = job->sides.n;
	input.paired = job->turns.in_rounds && !counting->baseline;
	input.order = job->sides.order;
	input.order_n = job->sides.order_n;
	input.seed = counting->seed;
	input.math = &job->math;
	return input;
}

static int compare_runs(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	const struct compare_output output = output_of(job);
	cleanup_with(comparison_release) struct comparison comparison = { 0 };
	struct comparison_input input;
	int err = explain(counting);

	if (err == 0)
		err = comparison_inputs_gather(&job->sides, counting, job->turns.order,
					       job->turns.order_n);
	input = make_input(job);
	if (err == 0)
		err = comparison_build(&comparison, &input, why);
	if (err < 0)
		return err;
	notes_print_reasons(&counting->notes);
	notes_print_gaps_of_sides(counting->options, &comparison);
	err = difference_notes_print(counting->options, &comparison, job->sides.of);
	if (err < 0)
		return err;
	job->outcome = comparison_outcome(&comparison);
	return compare_output_write(&output, &comparison, why);
}

/* The side with the fewest runs. */
static const struct side *shortest_side(const struct counting *job)
{
	const struct side *shortest = job->sides.v;

	for (size_t i = 1; i < job->sides.n; i++)
		if (job->sides.v[i].runs_n < shortest->runs_n)
			shortest = &job->sides.v[i];
	return shortest;
}

static bool have_all_runs(const struct counting *job)
{
	return shortest_side(job)->runs_n > 0;
}

/* Before the first run: where the last would end without a verdict. */
static void report_few(const struct compare_job *job)
{
	const struct options *o = job->counting.options;
	const struct stopping *s = &job->turns.stopping;
	size_t limits = turns_limits(&job->turns);
	cleanup_str struct str by = { 0 };

	if (!stopping_is_short(s))
		return;
	if (limits > 1)
		str_addf(&by, " with %zu limits", limits);
	if (s->runs_min > 0)
		note_print(
			o,
			"-r %zu: too few for a verdict on what varies%s: it takes %zu runs of each side",
			s->runs, str_text(&by), s->runs_min);
	else
		note_print(
			o,
			"--baseline %s: too few runs for a verdict on what varies%s, however many there are now",
			o->compare_options.baseline, str_text(&by));
}

/* Some side has no run. What else has gone wrong was told. */
static void report_nothing(const struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	const char *rest = job->turns.order_n ? "; the runs of others are dropped" : "";

	if (counting->run_failed)
		message("nothing to compare: not each command has a run%s", rest);
	else if (job->signal && !counting->trouble && !counting->options->quiet)
		message("interrupted before each command had a run: nothing to compare%s", rest);
}

/* Whether there are fewer runs than were asked for, since pstat was interrupted: with -r 0, as many as there are. */
static bool is_cut_short(const struct compare_job *job)
{
	const struct stopping *s = &job->turns.stopping;
	size_t n = shortest_side(&job->counting)->runs_n;

	return job->signal && !s->forever && (s->runs == 0 || n < s->runs);
}

static void report_interruption(const struct compare_job *job)
{
	const struct side *side = shortest_side(&job->counting);
	const struct turns *t = &job->turns;
	cleanup_str struct str of = { 0 };

	if (!is_cut_short(job) && !(job->signal && t->stopping.forever))
		return;
	if (t->stopping.runs)
		str_addf(&of, " of %zu", t->stopping.runs);
	str_addf(&of, t->in_rounds && !job->counting.baseline ? " block%s" : " run%s of '%s'",
		 side->runs_n == 1 && !t->stopping.runs ? "" : "s", side->name);
	note_print(job->counting.options, "interrupted: %zu%s", side->runs_n, str_text(&of));
}

/* What was looked for took too long. */
static void report_stop(const struct turns *t)
{
	if (t->stop != STOP_TOO_LONG)
		return;
	note_print(
		t->job->options,
		"the runs take so long that those for a verdict, %zu of each command, would have taken %d "
		"times the limit of %g s: -r %zu, or a longer --duration, runs them",
		t->stopping.runs_min, STOPPING_PATIENCE, (double)t->stopping.limit_ns / 1e9,
		t->stopping.runs_min);
}

static void report_estimate(struct str *text, const void *turns)
{
	estimate_add(text, turns);
}

static void begin_progress(struct counting *job, const struct turns *turns)
{
	const struct options *o = job->options;
	size_t runs = o->has_repeat ? o->repeat * job->sides.n : 0;

	if (o->no_progress || o->quiet || o->verbose)
		return;
	progress_begin(&job->progress, o->warmup * job->sides.n, runs);
	progress_tell_news(&job->progress, report_estimate, turns);
	message_beside(&job->progress);
}

/* From the events to the printed comparison. 0; -errno with why. */
static int run_and_compare(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	bool in_rounds = job->turns.in_rounds;
	int err = 0;
	bool ready = !in_rounds || set_up_all(counting);

	if (ready && in_rounds) {
		err = find_programs(counting, why);
		if (err < 0)
			counting->trouble = series_exec_status(err);
	}
	if (ready && err == 0)
		err = counting_open(counting, why);
	if (ready && err == 0) {
		begin_progress(counting, &job->turns);
		tasks_forget_own_peak(); /* commands would begin with what came before, a baseline's document */
		turns_take(&job->turns);
		counting_see_floor(counting);
		progress_end(&counting->progress);
	}
	if (!ready || job->turns.ended_early)
		job->signal = counting->workload.interrupted;
	clean_up_all(counting);
	session_give_back(&counting->session);
	workload_begin_writing(&counting->workload);
	if (err < 0)
		return err;
	if (!have_all_runs(counting)) {
		report_nothing(job);
		return 0;
	}
	report_stop(&job->turns);
	report_interruption(job);
	return compare_runs(job, why);
}

static int status_of(struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	const struct compare_output output = output_of(job);
	int status;

	if (counting->trouble)
		return counting->trouble;
	if (counting->run_failed)
		return STATUS_PSTAT;
	if (!have_all_runs(counting))
		return job->signal ? 128 + job->signal : STATUS_PSTAT;
	status = compare_output_status(&output, job->outcome);
	if (status == 0 && counting->options->compare_options.gates_n == 0 && is_cut_short(job))
		return 128 + job->signal;
	return status;
}

/* Neither a run nor a setup has begun. */
static int end_before_runs(struct compare_job *job, int err)
{
	job->signal = job->counting.workload.interrupted;
	if (err != -EINTR)
		return STATUS_PSTAT;
	report_nothing(job);
	return status_of(job);
}

static int compare(struct compare_job *job, const sigset_t *mask)
{
	struct counting *counting = &job->counting;
	const struct options *o = counting->options;
	cleanup_why struct why why = { 0 };
	int err;

	if (compare_events(o, &counting->machine, counting->baseline, &counting->wanted) < 0)
		return STATUS_PSTAT;
	err = counting_take_over(counting, mask, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return STATUS_PSTAT;
	}
	if (!o->setup)
		err = find_programs(counting, &why);
	if (err < 0) {
		message("%s", why_text(&why, err));
		return series_exec_status(err);
	}
	report_few(job);
	err = shell_cost_tell(counting);
	if (err < 0)
		return end_before_runs(job, err);
	err = run_and_compare(job, &why);
	if (err == 0)
		return status_of(job);
	message_of_loss(why_text(&why, err));
	return counting->trouble ? counting->trouble : STATUS_PSTAT;
}

int job_compare(const struct options *o, const sigset_t *mask)
{
	cleanup_with(compare_release) struct compare_job job = {
		.counting = { .options = o,
			      .printing.output.fd = -1,
			      .saving.output.fd = -1,
			      .child_setup.null_fd = -1 },
		.page.output.fd = -1,
	};
	cleanup_why struct why why = { 0 };
	int err;

	if (o->compare_options.baseline && baseline_load(&job.baseline, o) < 0)
		return STATUS_PSTAT;
	job.counting.baseline = o->compare_options.baseline ? &job.baseline : NULL;
	err = math_load(&job.math, &why);
	if (err == 0)
		err = counting_prepare(&job.counting, &why);
	if (err == 0)
		err = page_open(&job.page, o, &why);
	if (err == 0)
		err = turns_init(&job.turns, &job.counting, &job.math);
	if (err < 0) {
		message_of_loss(why_text(&why, err));
		return STATUS_PSTAT;
	}
	return compare(&job, mask);
}
