/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run several commands in turn, and compare what they came to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "cli/compare_events.h"
#include "cli/compared_sides.h"
#include "cli/counting.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "cli/page.h"
#include "cli/series.h"
#include "cli/shell_cost.h"
#include "cli/special.h"
#include "cli/turns.h"

struct compare_job {
	struct counting counting;
	struct turns turns;
	struct special special;
	struct compared_sides sides;
	struct page page;
	int page_err; /* it could not be written: -errno, which was told */
	enum gate_outcome outcome;
};

static void compare_release(struct compare_job *job)
{
	compared_sides_release(&job->sides);
	page_release(&job->page);
	turns_release(&job->turns);
	counting_release(&job->counting);
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

/* Whatever became of what is shown. */
static void save(struct counting *job, const struct comparison *comparison)
{
	cleanup_why struct why why = { 0 };
	int err = saving_write_comparison(&job->saving, comparison, &why);

	if (err < 0)
		message_of_loss(why_text(&why, err));
	job->saving.err = err;
}

static int print(struct counting *job, const struct comparison *comparison, struct why *why)
{
	int err = job->options->quiet ? 0 : printing_comparison(&job->printing, comparison, why);

	return err < 0 ? err : printing_end(&job->printing, why);
}

/* Whatever becomes of what is shown. */
static void write_page(struct compare_job *job, const struct comparison *comparison)
{
	cleanup_why struct why why = { 0 };

	job->page_err = page_write(&job->page, comparison, &why);
	if (job->page_err < 0)
		message_of_loss(why_text(&why, job->page_err));
}

static int compare_runs(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	const struct comparing *options = &counting->options->comparing;
	cleanup_with(comparison_release) struct comparison comparison = { 0 };
	struct comparison_input input = {
		.sides_n = counting->sides.n,
		.paired = job->turns.paired,
		.order = job->turns.order,
		.order_n = job->turns.order_n,
		.confidence = options->confidence,
		.seed = counting->seed,
		.effects = options->effects,
		.effects_n = options->effects_n,
		.gates = options->gates,
		.gates_n = options->gates_n,
		.gate_scaled = options->gate_scaled,
		.special = &job->special,
	};
	int err = explain(counting);

	if (err == 0)
		err = compared_sides_gather(&job->sides, counting);
	input.sides = job->sides.v;
	if (err == 0)
		err = comparison_build(&comparison, &input, why);
	if (err < 0)
		return err;
	tell_reasons(&counting->telling);
	job->outcome = comparison_outcome(&comparison);
	err = print(counting, &comparison, why);
	save(counting, &comparison);
	write_page(job, &comparison);
	return err;
}

static bool have_all_runs(const struct counting *job)
{
	for (size_t i = 0; i < job->sides.n; i++)
		if (job->sides.v[i].runs_n == 0)
			return false;
	return true;
}

/* What was looked for took too long. */
static void tell_stop(const struct turns *t)
{
	if (t->stop != STOP_TOO_LONG)
		return;
	remark(t->job->options,
	       "the runs take so long that those for a verdict, %zu of each command, would have taken %d "
	       "times the limit of %g s: -r %zu, or a longer --duration, runs them",
	       t->stopping.runs_min, STOPPING_PATIENCE, (double)t->stopping.limit_ns / 1e9,
	       t->stopping.runs_min);
}

static void begin_progress(struct counting *job)
{
	const struct options *o = job->options;
	size_t runs = o->has_repeat ? o->repeat * job->sides.n : 0;

	if (o->no_progress || o->quiet || o->verbose)
		return;
	progress_begin(&job->progress, o->warmup * job->sides.n, runs);
	message_beside(&job->progress);
}

/* From the events to the printed comparison. 0; -errno with why. */
static int run_and_compare(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	bool in_blocks = job->turns.paired;
	int err = 0;
	bool ready = !in_blocks || set_up_all(counting);

	if (ready && in_blocks) {
		err = find_programs(counting, why);
		if (err < 0)
			counting->trouble = series_exec_status(err);
	}
	if (ready && err == 0)
		err = counting_open(counting, why);
	if (ready && err == 0) {
		begin_progress(counting);
		turns_take(&job->turns);
		progress_end(&counting->progress);
	}
	clean_up_all(counting);
	workload_release(&counting->workload);
	if (err < 0 || !ready)
		return err;
	tell_stop(&job->turns);
	return have_all_runs(counting) ? compare_runs(job, why) : 0;
}

/* 0 where what was to be run was run, or some of it until an interruption. */
static int status_of_runs(const struct compare_job *job)
{
	const struct counting *counting = &job->counting;

	if (counting->trouble)
		return counting->trouble;
	if (counting->saving.err < 0 || job->page_err < 0)
		return STATUS_PSTAT;
	return counting->run_failed || !have_all_runs(counting) ? STATUS_PSTAT : 0;
}

static int status_of(const struct compare_job *job)
{
	int status = status_of_runs(job);

	if (status || job->counting.options->comparing.gates_n == 0)
		return status;
	switch (job->outcome) {
	case GATE_KEPT:
		return 0;
	case GATE_CROSSED:
		return 1;
	case GATE_UNCLEAR:
		break;
	}
	return 2;
}

static int compare(struct compare_job *job, const sigset_t *mask)
{
	struct counting *counting = &job->counting;
	const struct options *o = counting->options;
	cleanup_why struct why why = { 0 };
	int err;

	if (compare_events(o, &counting->machine, &counting->wanted) < 0)
		return STATUS_PSTAT;
	err = counting_take_over(counting, mask, &why);
	if (err == 0 && !o->setup)
		err = find_programs(counting, &why);
	if (err < 0) {
		workload_release(&counting->workload);
		message("%s", why_text(&why, err));
		return series_exec_status(err);
	}
	if (shell_cost_tell(counting) < 0) {
		workload_release(&counting->workload);
		return STATUS_PSTAT;
	}
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
			      .manner.null_fd = -1 },
		.page.output.fd = -1,
	};
	cleanup_why struct why why = { 0 };
	int err = special_load(&job.special, &why);

	if (err == 0)
		err = counting_prepare(&job.counting, &why);
	if (err == 0)
		err = page_open(&job.page, o, &why);
	if (err == 0)
		err = turns_init(&job.turns, &job.counting, &job.special);
	if (err < 0) {
		message_of_loss(why_text(&why, err));
		return STATUS_PSTAT;
	}
	return compare(&job, mask);
}
