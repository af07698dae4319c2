/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run commands in turn, and compare their counts: with those of the first command, or with a saved
 * baseline.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "cli/compare.h"
#include "cli/counting.h"
#include "cli/jobs.h"
#include "cli/message.h"
#include "machine/tasks.h"
#include "run/stopping.h"

/* Without --duration and --precision. */
enum { DURATION_S = 10 };
#define PRECISION 0.01

enum { SHELL_RUNS_N = 11 }; /* of --shell with a command that does nothing */

#define NS_OF_S 1e9

/*
 * The sides of the comparison: the baseline, if there is one, then the commands. All zero is empty.
 */
struct inputs {
	struct side_input *v; /* owned */
	size_t n;
	size_t *of; /* owned: for each side, 0 for the baseline and 1 for what was run now */
	size_t *order; /* owned: the side of each run, in the order of the runs, baseline first */
	size_t order_n;
};

struct compare_job {
	struct counting counting;
	struct stopping stopping;
	struct math math;
	struct baseline baseline;
	struct inputs inputs;
	enum gate_outcome outcome;
	bool ended_early; /* a run failed, or a signal interrupted pstat */
	int signal; /* that ended the series before all runs were done; 0: none */
};

static void add_side(struct inputs *inputs, const struct side *side)
{
	inputs->of[inputs->n] = 1;
	inputs->v[inputs->n++] = (struct side_input){ side->name, &side->series };
}

static void add_baseline(struct inputs *inputs, const struct counting *job)
{
	inputs->of[inputs->n] = 0;
	inputs->v[inputs->n++] =
		(struct side_input){ job->sides.baseline, &job->baseline->document->series };
}

static int gather_order(struct inputs *inputs, const struct runner *runner)
{
	size_t before = inputs->of[0] == 0 ? inputs->v[0].series->runs_n : 0;

	inputs->order = calloc(before + runner->runs_n + 1, sizeof(*inputs->order));
	if (!inputs->order)
		return -ENOMEM;
	for (size_t i = 0; i < runner->runs_n; i++)
		inputs->order[before + i] = runner->run_sides[i] + (inputs->of[0] == 0);
	inputs->order_n = before + runner->runs_n;
	return 0;
}

/* Gather the sides of the job, which has to outlive them. 0 or -ENOMEM. */
static int gather_inputs(struct inputs *inputs, const struct counting *job)
{
	size_t n = job->sides.n + (job->baseline != NULL);
	inputs->v = calloc(n, sizeof(*inputs->v));
	inputs->of = calloc(n, sizeof(*inputs->of));
	if (!inputs->v || !inputs->of)
		return -ENOMEM;
	if (job->baseline)
		add_baseline(inputs, job);
	for (size_t i = 0; i < job->sides.n; i++)
		add_side(inputs, &job->sides.v[i]);
	return gather_order(inputs, &job->runner);
}

static void inputs_release(struct inputs *inputs)
{
	free(inputs->v);
	free(inputs->of);
	free(inputs->order);
}

static void compare_release(struct compare_job *job)
{
	inputs_release(&job->inputs);
	stopping_release(&job->stopping);
	counting_release(&job->counting);
	baseline_release(&job->baseline);
}

/* Find all programs before anything runs, or after --setup, which may build them. */
static int find_programs(struct counting *job, struct why *why)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < job->sides.n; i++)
		err = side_find_program(&job->sides.v[i], why);
	return err;
}

/* Set the reasons of events that no run of any side has counted: from all runs together. */
static int explain(struct counting *job)
{
	cleanup_free struct run *runs = NULL;
	size_t n = 0, all = 0;

	for (size_t i = 0; i < job->sides.n; i++)
		all += job->sides.v[i].series.runs_n;
	runs = calloc(all + 1, sizeof(*runs));
	if (!runs)
		return -ENOMEM;
	for (size_t i = 0; i < job->sides.n; i++) {
		const struct series *series = &job->sides.v[i].series;

		memcpy(runs + n, series->runs, series->runs_n * sizeof(*runs));
		n += series->runs_n;
	}
	return session_explain(&job->runner.session, runs, n, REASONS_ALL);
}

static struct comparison_input make_input(const struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	struct comparison_input input =
		options_comparison_input(&counting->options->compare_options);

	input.sides = job->inputs.v;
	input.sides_n = job->inputs.n;
	input.paired = counting_is_paired(counting);
	input.order = job->inputs.order;
	input.order_n = job->inputs.order_n;
	input.seed = counting->runner.settings.seed;
	input.math = &job->math;
	return input;
}

static int compare_runs(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	cleanup_with(comparison_release) struct comparison comparison = { 0 };
	struct comparison_input input;
	int err = explain(counting);

	if (err == 0)
		err = gather_inputs(&job->inputs, counting);
	input = make_input(job);
	if (err == 0)
		err = comparison_build(&comparison, &input, why);
	if (err < 0)
		return err;
	notes_print_reasons(&counting->notes);
	notes_print_gaps_of_sides(counting->options, &comparison);
	err = compare_print_differences(counting->options, &comparison, job->inputs.of);
	if (err < 0)
		return err;
	job->outcome = comparison_outcome(&comparison);
	return compare_write(&counting->printing, &counting->saving, &comparison, why);
}

/* The side with the fewest runs. */
static const struct side *shortest_side(const struct counting *job)
{
	const struct side *shortest = job->sides.v;

	for (size_t i = 1; i < job->sides.n; i++)
		if (job->sides.v[i].series.runs_n < shortest->series.runs_n)
			shortest = &job->sides.v[i];
	return shortest;
}

static bool have_all_runs(const struct counting *job)
{
	return shortest_side(job)->series.runs_n > 0;
}

/* The number of limits that the sides are judged by: each side but the reference by each gate. */
static size_t count_limits(const struct counting *job)
{
	return job->options->compare_options.gates_n * (job->sides.n - (job->baseline ? 0 : 1));
}

/* Before the first run, report that there are too few runs for a verdict. */
static void report_few(const struct compare_job *job)
{
	const struct options *o = job->counting.options;
	const struct stopping *s = &job->stopping;
	size_t limits = count_limits(&job->counting);
	cleanup_str struct str by = { 0 };

	if (!stopping_is_short(s))
		return;
	if (limits > 1)
		str_addf(&by, " with %zu limits", limits);
	if (s->runs_min > 0)
		note_print(
			o,
			"-r %zu: too few runs for a verdict on counts that vary%s; each side needs %zu",
			s->runs, str_text(&by), s->runs_min);
	else
		note_print(
			o,
			"--baseline %s: too few runs for a verdict on counts that vary%s; save it again with more runs",
			o->compare_options.baseline, str_text(&by));
}

/* Some side has no run. Other errors were reported before. */
static void report_nothing(const struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	const char *rest =
		job->counting.runner.runs_n ? "; the runs of the other commands are discarded" : "";

	if (counting->runner.run_failed)
		message("nothing to compare: some commands have no run%s", rest);
	else if (job->signal && !counting_trouble_status(counting) && !counting->options->quiet)
		message("interrupted before each command had a run: nothing to compare%s", rest);
}

/* Whether a signal left fewer runs than requested. With -r 0, any number is enough. */
static bool is_cut_short(const struct compare_job *job)
{
	const struct stopping *s = &job->stopping;
	size_t n = shortest_side(&job->counting)->series.runs_n;

	return job->signal && !s->forever && (s->runs == 0 || n < s->runs);
}

static void report_interruption(const struct compare_job *job)
{
	const struct side *side = shortest_side(&job->counting);
	const struct stopping *s = &job->stopping;
	cleanup_str struct str of = { 0 };

	if (!is_cut_short(job) && !(job->signal && s->forever))
		return;
	if (s->runs)
		str_addf(&of, " of %zu", s->runs);
	str_addf(&of, counting_is_paired(&job->counting) ? " round%s" : " run%s of '%s'",
		 side->series.runs_n == 1 && !s->runs ? "" : "s", side->name);
	note_print(job->counting.options, "interrupted: %zu%s", side->series.runs_n, str_text(&of));
}

/* Report that the runs for a verdict would have taken too long. */
static void report_stop(const struct compare_job *job)
{
	const struct stopping *s = &job->stopping;

	if (s->stop != STOP_TOO_LONG)
		return;
	note_print(
		job->counting.options,
		"a verdict needs %zu runs of each command, which take more than %d times the limit of %g s; use -r %zu or a longer --duration",
		s->runs_min, STOPPING_PATIENCE, (double)s->limit_ns / NS_OF_S, s->runs_min);
}

/* The first words of any side, SHELL and -c, and the command that does nothing. */
static int shell_words(const struct counting *job, struct str_list *words)
{
	const struct str_list *side = &job->sides.v[0].words;
	int err = 0;

	for (size_t i = 0; err == 0 && i + 1 < side->n; i++)
		err = str_list_add(words, side->v[i]);
	if (err == 0)
		err = str_list_add(words, ":");
	if (err == 0 && array_grow(&words->v, words->n, &words->size, sizeof(*words->v)) < 0)
		err = -ENOMEM;
	if (err == 0)
		words->v[words->n] = NULL;
	return err;
}

static int run_shell(struct counting *job, const struct str_list *words, long double *ms)
{
	cleanup_why struct why why = { 0 };
	uint64_t start_ns = clock_ns();
	int status = 0;
	int err = workload_run_other(&job->runner.workload, words->v, &status, &why);

	*ms = (long double)(clock_ns() - start_ns) / 1e6L;
	if (workload_interrupted(&job->runner.workload)) {
		err = -EINTR;
	} else if (err < 0) {
		message("--shell: %s", why_text(&why, err));
	} else if (status != 0) {
		message("--shell %s: not a shell: '-c :' failed",
			job->options->compare_options.shell);
		err = -EINVAL;
	}
	return err;
}

/*
 * With --shell, run the shell a few times with a command that does nothing, and print how long that
 * takes. No result is corrected by it. 0; -EINTR: pstat was interrupted, without a message; other
 * -errno after a message.
 */
static int print_shell_time(struct counting *job)
{
	cleanup_str_list struct str_list words = { 0 };
	long double ms[SHELL_RUNS_N];
	int err = job->options->compare_options.shell ? shell_words(job, &words) : 0;

	if (err < 0 || words.n == 0)
		return err;
	for (size_t i = 0; err == 0 && i < SHELL_RUNS_N; i++)
		err = run_shell(job, &words, &ms[i]);
	if (err < 0)
		return err;
	note_print(
		job->options,
		"--shell %s: the shell by itself takes %.2Lf ms (median of %d runs), which each count includes",
		job->options->compare_options.shell, summary_of(ms, SHELL_RUNS_N).median,
		SHELL_RUNS_N);
	return 0;
}

static void add_estimate(struct str *text, const void *data)
{
	const struct compare_job *job = data;

	compare_add_estimate(text, &job->counting, &job->stopping);
}

static void begin_progress(struct compare_job *job)
{
	struct counting *counting = &job->counting;
	const struct options *o = counting->options;
	size_t runs = o->has_repeat ? o->repeat * counting->sides.n : 0;

	if (o->no_progress || o->quiet || o->verbose)
		return;
	progress_begin(&counting->progress,
		       (struct progress_plan){ .warmups = o->warmup * counting->sides.n,
					       .runs = runs,
					       .add_text = add_estimate,
					       .data = job });
}

/*
 * Run --setup of all sides and find their programs, unless each side does that before its own runs.
 * 0; -errno with why. *ready: whether the runs can begin.
 */
static int prepare_sides(struct counting *job, bool *ready, struct why *why)
{
	int err;

	*ready = true;
	if (job->runner.settings.order == ORDER_SEQUENTIAL)
		return 0;
	*ready = runner_setup_all(&job->runner);
	err = *ready ? find_programs(job, why) : 0;
	if (err < 0) {
		job->runner.trouble = TROUBLE_EXEC;
		job->runner.exec_error = err;
	}
	return err;
}

static void run_all(struct compare_job *job)
{
	struct counting *counting = &job->counting;

	begin_progress(job);
	tasks_forget_own_peak(); /* commands would inherit the peak of reading a baseline */
	job->ended_early = !runner_run(&counting->runner, stopping_is_enough, &job->stopping);
	counting_record_floor(counting);
	progress_end(&counting->progress);
}

/* From the events to the printed comparison. 0; -errno with why. */
static int run_and_compare(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	bool ready;
	int err = prepare_sides(counting, &ready, why);

	if (ready && err == 0)
		err = counting_open(counting, why);
	if (ready && err == 0)
		run_all(job);
	if (!ready || job->ended_early)
		job->signal = counting->runner.workload.interrupted;
	runner_cleanup_all(&counting->runner);
	session_release_reserve(&counting->runner.session);
	workload_begin_writing(&counting->runner.workload);
	if (err < 0)
		return err;
	if (!have_all_runs(counting)) {
		report_nothing(job);
		return 0;
	}
	report_stop(job);
	report_interruption(job);
	return compare_runs(job, why);
}

static int status_of(struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	int status = counting_trouble_status(counting);

	if (status)
		return status;
	if (counting->runner.run_failed)
		return STATUS_PSTAT;
	if (!have_all_runs(counting))
		return job->signal ? 128 + job->signal : STATUS_PSTAT;
	status = compare_status(&counting->saving, job->outcome);
	if (status == 0 && counting->options->compare_options.gates_n == 0 && is_cut_short(job))
		return 128 + job->signal;
	return status;
}

/* The exit status if the job ends before the first --setup. */
static int end_before_runs(struct compare_job *job, int err)
{
	job->signal = job->counting.runner.workload.interrupted;
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
	int err, trouble;

	if (events_of_comparison(o, &counting->machine, counting->baseline, &counting->wanted) < 0)
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
		return counting_exec_status(err);
	}
	report_few(job);
	err = print_shell_time(counting);
	if (err < 0)
		return end_before_runs(job, err);
	err = run_and_compare(job, &why);
	if (err == 0)
		return status_of(job);
	message_of_loss(why_text(&why, err));
	trouble = counting_trouble_status(counting);
	return trouble ? trouble : STATUS_PSTAT;
}

/* When to stop, as the options say. */
static int init_stopping(struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	const struct baseline *baseline = counting->baseline;
	const struct options *o = counting->options;
	const struct compare_options *c = &o->compare_options;
	double seconds = c->duration_s > 0 ? c->duration_s : DURATION_S;
	bool has_limit = c->precision > 0 || c->duration_s > 0;

	job->stopping = (struct stopping){
		.runs = o->has_repeat ? o->repeat : 0,
		.forever = o->has_repeat && o->repeat == 0,
		.limit_ns = (uint64_t)(seconds * NS_OF_S),
		.precision = has_limit ? c->precision : PRECISION,
		.confidence = c->confidence,
		.is_paired = counting_is_paired(counting),
		.reference_n = baseline ? baseline->document->series.runs_n : 0,
		.limits_n = count_limits(counting),
		.sides_n = counting->sides.n,
		.math = &job->math,
	};
	return stopping_init(&job->stopping);
}

int job_compare(const struct options *o, const sigset_t *mask)
{
	cleanup_with(compare_release) struct compare_job job = {
		.counting = { .options = o, .printing.output.fd = -1, .saving = SAVING_NONE },
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
		err = init_stopping(&job);
	if (err < 0) {
		message_of_loss(why_text(&why, err));
		return STATUS_PSTAT;
	}
	return compare(&job, mask);
}
