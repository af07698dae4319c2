/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run commands in turn, and compare their counts: with those of the first command, or with a saved
 * baseline.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "job/compare.h"
#include "job/counting.h"
#include "job/jobs.h"
#include "job/same_work.h"
#include "machine/tasks.h"
#include "output/message.h"
#include "output/progress.h"
#include "run/stopping.h"
#include "stats/rmath.h"

/* Without --duration and --precision. */
enum { DURATION_S = 10 };
#define PRECISION 0.01

enum { LONG_DURATION_S = 60 }; /* with gates or several cases, and without --duration */

enum { SHELL_RUNS_N = 11 }; /* of --shell with a command that does nothing */

/* Gates are looked at after each of the first rounds, whatever the stopping rule says. Counts that
 * do not vary need no error probability for that. An event that has no count after the last of
 * these rounds is not expected to get one later. */
enum { EARLY_ROUNDS = 8 };

/* A case, whose sides are compared with each other. */
struct compared {
	struct stopping stopping;
	size_t rows_n; /* of the series when the comparison was last planned */
	size_t next_look; /* at the verdict, which is unclear although its row is known: a round */
	bool went_on; /* because a verdict was unclear, so the values decide when the runs end */
	bool has_enough; /* rounds */
};

struct compare_job {
	struct counting counting;
	struct compared *cases; /* owned; without -L, --side and --suite there is one */
	size_t cases_n;
	struct math math;
	struct baseline baseline;
	/* Of the comparison: the baseline, if there is one, then the commands. All are owned. */
	struct side_input *sides;
	/* for each side: 0 if it is the baseline, 1 if pstat ran it in this comparison */
	size_t *of;
	size_t *order; /* the side of each run, in the order of the runs, baseline first */
	size_t *case_order; /* the same, of the sides of one case */
	struct comparison_case *case_inputs; /* the names are not owned */
	struct str_list different_work; /* see struct comparison_input */
	bool has_compared; /* since the last run */
	size_t next_look; /* at all gates, if some are on geometric means: a round */
	bool is_decided; /* all gates are, if some are on geometric means */
	enum gate_outcome outcome;
	bool is_impossible; /* a gate cannot be judged, however many runs there are */
	struct {
		enum gate_outcome good, bad; /* of --bisect-check */
		bool is_bad_worse; /* BAD is worse than GOOD, even if only within the limits */
	} check;
	bool ended_early; /* a run failed, or a signal interrupted pstat */
	int signal; /* that ended the series before all runs were done; 0: none */
};

static void job_compare_release(struct compare_job *job)
{
	free(job->sides);
	free(job->of);
	free(job->order);
	free(job->case_order);
	free(job->case_inputs);
	str_list_release(&job->different_work);
	for (size_t i = 0; i < job->cases_n; i++)
		stopping_release(&job->cases[i].stopping);
	free(job->cases);
	counting_release(&job->counting);
	baseline_release(&job->baseline);
}

static bool job_compare_has_gate_on_mean(const struct compare_job *job)
{
	const struct gate_list *gates = &job->counting.wanted.gates;

	for (size_t i = 0; i < gates->n; i++)
		if (gates->v[i].is_geomean)
			return true;
	return false;
}

/* The sides of each case that pstat runs. */
static size_t job_compare_sides_of_case(const struct compare_job *job)
{
	return job->counting.sides.n / job->cases_n;
}

/* The side with the fewest runs. */
static const struct side *job_compare_shortest_side(const struct counting *counting)
{
	const struct side *shortest = counting->sides.v;

	for (size_t i = 1; i < counting->sides.n; i++)
		if (counting->sides.v[i].series.runs_n < shortest->series.runs_n)
			shortest = &counting->sides.v[i];
	return shortest;
}

static bool job_compare_have_all_runs(const struct counting *counting)
{
	return job_compare_shortest_side(counting)->series.runs_n > 0;
}

/* Whether a signal left fewer runs than requested. With -r 0, any number is enough. */
static bool job_compare_is_cut_short(const struct compare_job *job)
{
	const struct stopping *s = &job->cases->stopping;
	size_t n = job_compare_shortest_side(&job->counting)->series.runs_n;

	return job->signal && !s->forever && (s->runs == 0 || n < s->runs);
}

/* Whether the values decided when the rounds of the case ended, or somebody who watched them. */
static bool job_compare_is_unplanned(const struct compare_job *job, const struct compared *it)
{
	const struct stopping *s = &it->stopping;
	const struct side *reference =
		&job->counting.sides.v[(size_t)(it - job->cases) * job_compare_sides_of_case(job)];

	/* rounds that went on may have ended, because of the time, before another look */
	bool looked_again = it->went_on && reference->series.runs_n >= s->runs_min_different;

	return s->until_gates || s->forever || s->stop == STOP_DIFFERENT || looked_again ||
	       job_compare_is_cut_short(job);
}

/* ---- Before the runs. */

/* When to stop, as the options say. The number of runs that verdicts need is not known yet. 0 or
 * -ENOMEM. */
static int job_compare_set_stopping(struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	const struct baseline *baseline = counting->baseline;
	const struct options *o = counting->options;
	const struct compare_options *c = &o->compare_options;
	const size_t cases_n = counting->sides.cases.n ? counting->sides.cases.n : 1;
	double seconds = c->duration_s > 0	       ? c->duration_s :
			 c->gates_n > 0 || cases_n > 1 ? LONG_DURATION_S :
							 DURATION_S;
	bool is_paired = counting_is_paired(counting);
	bool fills_time = is_paired || (c->duration_s > 0 && c->gates_n == 0);

	job->cases = calloc(cases_n, sizeof(*job->cases));
	if (!job->cases)
		return -ENOMEM;
	job->cases_n = cases_n;
	for (size_t i = 0; i < cases_n; i++)
		job->cases[i].stopping = (struct stopping){
			.runs = o->has_repeat ? o->repeat : 0,
			.forever = o->has_repeat && o->repeat == 0,
			.limit_ns = (uint64_t)(seconds * NS_OF_S),
			.precision = c->precision > 0 ? c->precision :
				     fills_time	      ? 0 :
							PRECISION,
			.confidence = 1 - (1 - c->confidence) / (double)cases_n,
			.is_paired = is_paired,
			.until_gates =
				is_paired && c->gates_n > 0 && !o->has_repeat && c->precision <= 0,
			.reference_n = baseline ? baseline->document->series.runs_n : 0,
			.sides_n = job_compare_sides_of_case(job),
			.math = &job->math,
		};
	return 0;
}

/* Find all programs before anything runs, or after --setup, which may build them. 0; -errno with
 * why. */
static int job_compare_find_programs(struct counting *counting, struct why *why)
{
	struct runner *r = &counting->runner;
	int err = 0;

	for (size_t i = 0; err == 0 && i < counting->sides.n; i++) {
		r->side = &counting->sides.v[i];
		err = side_find_program(r->side, why);
	}
	if (err < 0) {
		r->trouble = TROUBLE_EXEC;
		r->exec_error = err;
	}
	return err;
}

/* Before the first run, report that there are too few runs for a verdict. */
static void job_compare_report_few(const struct compare_job *job)
{
	const struct options *o = job->counting.options;
	const struct stopping *s = &job->cases->stopping;
	bool may_grow = o->target.split == PLACE_PROCESS; /* each process adds rows */
	cleanup_str struct str by = { 0 };

	if (!stopping_is_short(s) || o->compare_options.bisect)
		return;
	if (s->plan.limits_n > 1)
		str_addf(&by, " (%zu limits)", s->plan.limits_n);
	if (s->runs_min > 0)
		note_print(
			o,
			"-r %zu: too few runs for a verdict on counts that vary%s; each side needs %s%zu",
			s->runs, str_text(&by), may_grow ? "at least " : "", s->runs_min);
	else
		note_print(
			o,
			"--baseline %s: too few runs for a verdict on counts that vary%s; save it again with more runs",
			o->compare_options.baseline, str_text(&by));
}

/*
 * With --shell, run the shell a few times with a command that does nothing, and print how long that
 * takes. This time is not subtracted from any result. 0, also if pstat is interrupted; -errno with
 * why.
 */
static int job_compare_print_shell_time(struct counting *counting, struct why *why)
{
	static char nothing[] = ":";
	const struct str_list *words = &counting->sides.v[0].words; /* SHELL, -c, and the command */
	const char *shell = counting->options->compare_options.shell;
	struct workload *w = &counting->runner.workload;
	cleanup_free char **argv = shell ? calloc(words->n + 1, sizeof(*argv)) : NULL;
	long double ms[SHELL_RUNS_N];

	if (!argv)
		return shell ? -ENOMEM : 0;
	for (size_t i = 0; i + 1 < words->n; i++)
		argv[i] = words->v[i];
	argv[words->n - 1] = nothing;
	for (size_t i = 0; i < SHELL_RUNS_N; i++) {
		cleanup_why struct why trouble = { 0 };
		uint64_t start_ns = clock_ns();
		int status = 0, err = workload_run_other(w, argv, &status, &trouble);

		ms[i] = (long double)(clock_ns() - start_ns) / 1e6L;
		if (workload_interrupted(w))
			return 0;
		if (err < 0)
			return why_set(why, err, "--shell: %s", why_text(&trouble, err));
		if (status)
			return why_set(why, -EINVAL, "--shell %s: not a shell: '-c :' failed",
				       shell);
	}
	note_print(
		counting->options,
		"--shell %s: the shell by itself takes %.2Lf ms (median of %d runs), which each count includes",
		shell, summary_of(ms, SHELL_RUNS_N).median, SHELL_RUNS_N);
	return 0;
}

/*
 * Print the time of the shell, run --setup of all sides, and find their programs, unless each side
 * does that before its own runs. 0; -errno with why. *ready: whether the runs can begin.
 */
static int job_compare_prepare_sides(struct counting *counting, bool *ready, struct why *why)
{
	int err = job_compare_print_shell_time(counting, why);

	*ready = err == 0 && !workload_interrupted(&counting->runner.workload);
	if (!*ready || counting->runner.settings.order == ORDER_SEQUENTIAL)
		return err;
	*ready = runner_setup_all(&counting->runner);
	return *ready ? job_compare_find_programs(counting, why) : 0;
}

/* ---- The input of the comparison. */

/* Fill the input of all cases. Its arrays belong to the job, and the next call replaces them. 0 or
 * -ENOMEM. */
static int job_compare_make_input(struct compare_job *job, struct comparison_input *input)
{
	const struct counting *counting = &job->counting;
	const struct runner *runner = &counting->runner;
	const struct series *baseline =
		counting->baseline ? &counting->baseline->document->series : NULL;
	size_t first = baseline ? 1 : 0, sides_n = first + counting->sides.n;
	size_t earlier_runs = baseline ? baseline->runs_n : 0;

	job->has_compared = true;
	free(job->sides);
	free(job->of);
	free(job->order);
	free(job->case_order);
	free(job->case_inputs);
	job->sides = calloc(sides_n, sizeof(*job->sides));
	job->of = calloc(sides_n, sizeof(*job->of));
	job->order = calloc(earlier_runs + runner->runs_n + 1, sizeof(*job->order));
	job->case_order = calloc(runner->runs_n + 1, sizeof(*job->case_order));
	job->case_inputs = calloc(job->cases_n, sizeof(*job->case_inputs));
	if (!job->sides || !job->of || !job->order || !job->case_order || !job->case_inputs)
		return -ENOMEM;
	if (baseline)
		job->sides[0] = (struct side_input){ counting->sides.baseline, baseline };
	for (size_t i = 0; i < counting->sides.n; i++) {
		const struct side *side = &counting->sides.v[i];

		job->sides[first + i] = (struct side_input){ side->name, &side->series };
		job->of[first + i] = 1;
	}
	for (size_t i = 0; i < runner->runs_n; i++)
		job->order[earlier_runs + i] = first + runner->run_sides[i];
	*input = options_comparison_input(&counting->options->compare_options);
	input->sides = job->sides;
	input->sides_n = sides_n;
	input->paired = counting_is_paired(counting);
	input->order = job->order;
	input->order_n = earlier_runs + runner->runs_n;
	input->cases = job->case_inputs;
	input->cases_n = counting->sides.cases.n;
	input->reference_n = job->cases->stopping.reference_n;
	for (size_t i = 0; i < job->cases_n; i++)
		input->any_time |= job_compare_is_unplanned(job, &job->cases[i]);
	for (size_t i = 0; i < input->cases_n; i++)
		job->case_inputs[i] = (struct comparison_case){
			.name = counting->sides.cases.v[i],
			.any_time = job_compare_is_unplanned(job, &job->cases[i]),
		};
	input->different_work = job->different_work;
	input->seed = runner->settings.seed;
	input->math = &job->math;
	input->gates = counting->wanted.gates.v;
	input->gates_n = counting->wanted.gates.n;
	return 0;
}

/* Fill the input of one case. 0 or -ENOMEM. */
static int job_compare_make_case_input(struct compare_job *job, const struct compared *it,
				       struct comparison_input *input)
{
	struct comparison_input all;
	int err = job_compare_make_input(job, &all);

	if (err < 0)
		return err;
	*input = suite_input_of_case(&all, (size_t)(it - job->cases), job->case_order);
	return 0;
}

/* ---- When the runs are enough. */

/*
 * Runs that are not paired have no test that is valid at any time, so they end when the mean is
 * precise enough for the gates: half the width of its interval is at most a quarter of each
 * relative limit, and at most PRECISION.
 */
static double job_compare_precision_for(const struct gate_list *gates)
{
	double precision = PRECISION;

	for (size_t i = 0; i < gates->n; i++) {
		const double enough = fabs(gates->v[i].limit.value) / 4;

		if (gates->v[i].relative && enough < precision)
			precision = enough;
	}
	return precision;
}

/* Find out how many runs a case needs, and which rows it is about. With --per-process, it gets more
 * rows with each new process. 0 or -ENOMEM. */
static int job_compare_plan(struct compare_job *job, struct compared *it)
{
	struct comparison_input input;
	struct comparison_plan plan;
	int err = job_compare_make_case_input(job, it, &input);

	if (err == 0)
		err = comparison_plan_of(&plan, &input);
	if (err < 0)
		return err;
	stopping_set_plan(&it->stopping, &plan);
	if (it->stopping.precision > 0 && job->counting.options->compare_options.precision <= 0)
		it->stopping.precision = job_compare_precision_for(&job->counting.wanted.gates);
	it->rows_n = job->counting.sides.v->series.rows_n;
	return 0;
}

/* Whether a gate cannot be judged, however many runs there are. rounds_n: the number so far. */
static bool job_compare_is_impossible(const struct comparison *c, size_t rounds_n)
{
	for (size_t i = 0; i < c->gates_n; i++) {
		const struct gate *gate = &c->gates[i];

		if (gate->row->sides[0].state == NOT_SUPPORTED ||
		    gate->row->sides[gate->side].state == NOT_SUPPORTED)
			return true;
		if (rounds_n >= EARLY_ROUNDS &&
		    (gate->state == GATE_ABSENT || gate->state == GATE_UNBOUNDED))
			return true;
	}
	return false;
}

/* Whether the outcome is known: of --bisect-check for each of the two builds. */
static bool job_compare_has_outcome(const struct compare_job *job, const struct comparison *c)
{
	if (!job->counting.options->compare_options.bisect_check)
		return comparison_outcome(c, 0) != GATE_UNCLEAR;
	return comparison_outcome(c, 1) != GATE_UNCLEAR && comparison_outcome(c, 2) != GATE_UNCLEAR;
}

static bool job_compare_are_counts_constant(const struct comparison *c)
{
	for (size_t i = 0; i < c->gates_n; i++)
		if (!c->gates[i].row->contrasts[c->gates[i].side].constant)
			return false;
	return true;
}

/* Whether the outcome is known after one of the first rounds, or will never be known. */
static bool job_compare_are_gates_settled(struct compare_job *job, struct compared *it,
					  size_t rounds_n)
{
	cleanup_with(comparison_release) struct comparison c = { 0 };
	cleanup_why struct why why = { 0 };
	struct comparison_input input;
	bool is_settled;
	int err;

	if (rounds_n > EARLY_ROUNDS)
		return false;
	err = job_compare_make_case_input(job, it, &input);
	if (err == 0)
		err = comparison_build(&c, &input, &why);
	if (err < 0) /* a metric may get its first value later */
		return err == -ENOMEM;
	is_settled = job_compare_has_outcome(job, &c) && job_compare_are_counts_constant(&c);
	if (is_settled)
		it->stopping.stop = STOP_PRECISE;
	/* with fewer rounds than a limit needs, another gate may still be crossed */
	return is_settled ||
	       job_compare_is_impossible(&c, rounds_n < it->stopping.runs_min ? 0 : rounds_n);
}

/* The round after which undecided gates are judged again. */
static size_t job_compare_next_round(size_t rounds_n)
{
	return rounds_n + rounds_n / 32 + 1;
}

/*
 * Whether more rounds may decide what is unclear:
 *	with gates, a gate
 *	without gates, a verdict of the leading row, or which of three or more sides is best
 * A test of the finished comparison may disagree with the stopping rule. The next look is after a
 * quarter more rounds, or with gates after job_compare_next_round(). There is no test at any time
 * for a saved reference, so there are few looks: each after twice as many rounds.
 */
static bool job_compare_is_unclear(struct compare_job *job, struct compared *it, size_t rounds_n)
{
	cleanup_with(comparison_release) struct comparison c = { 0 };
	cleanup_why struct why why = { 0 };
	struct comparison_input input;
	const struct stopping *s = &it->stopping;
	const bool by_gates = s->until_gates || (!s->is_paired && job->counting.wanted.gates.n > 0);
	bool unclear;

	if (rounds_n < it->next_look)
		return true;
	if (job_compare_make_case_input(job, it, &input) < 0 ||
	    comparison_build(&c, &input, &why) < 0)
		return false; /* the comparison after the runs will report it */
	if (by_gates) {
		unclear = !job_compare_has_outcome(job, &c) &&
			  !job_compare_is_impossible(&c, rounds_n);
	} else {
		unclear = c.best.unclear;
		for (size_t side = 1; c.leading && side < input.sides_n; side++)
			unclear |= comparison_verdict(c.leading, side) == VERDICT_UNCLEAR;
	}
	it->next_look = !s->is_paired  ? 2 * rounds_n :
			s->until_gates ? job_compare_next_round(rounds_n) :
					 rounds_n + rounds_n / 4 + 1;
	if (it->next_look < s->runs_min_different)
		it->next_look = s->runs_min_different; /* of a test at any time */
	it->went_on |= unclear;
	return unclear;
}

/* Whether all gates of all cases and all gates on geometric means are decided, or some gate cannot
 * be judged. */
static bool job_compare_are_all_decided(struct compare_job *job, size_t rounds_n)
{
	cleanup_with(suite_release) struct suite suite = { 0 };
	cleanup_why struct why why = { 0 };
	struct comparison_input input;
	bool is_settled;
	int err;

	if (rounds_n < job->next_look)
		return false;
	job->next_look = job_compare_next_round(rounds_n);
	err = job_compare_make_input(job, &input);
	if (err == 0)
		err = suite_build(&suite, &input, &why);
	if (err < 0) /* a metric may get its first value later */
		return err == -ENOMEM;
	is_settled = suite_outcome(&suite) != GATE_UNCLEAR;
	for (size_t i = 0; i < suite.n; i++)
		is_settled |= job_compare_is_impossible(&suite.cases[i], rounds_n);
	for (size_t i = 0; rounds_n >= EARLY_ROUNDS && i < suite.gates_n; i++)
		is_settled |= suite.gates[i].state == GATE_ABSENT;
	return is_settled;
}

/* With a gate on a geometric mean and no number of runs: all cases end together. */
static bool job_compare_has_enough_for_means(struct compare_job *job, struct compared *it,
					     const struct rounds_done *done)
{
	const struct stopping *s = &it->stopping;

	if (done->rounds_n == 1 && job_compare_plan(job, it) < 0)
		return true;
	stopping_is_enough(done, &it->stopping);
	if (s->stop == STOP_TOO_LONG)
		return true;
	if (stopping_needs_more(s, done))
		return false;
	if (done->elapsed_ns >= s->limit_ns)
		return true;
	if (!job->is_decided) /* by the first case that is asked after a round of all */
		job->is_decided = job_compare_are_all_decided(job, done->rounds_n);
	return job->is_decided;
}

/* Whether a case has enough rounds, which are done->n sides of it from the first side on. */
static bool job_compare_has_enough_of(struct compare_job *job, struct compared *it,
				      const struct rounds_done *done)
{
	const struct stopping *s = &it->stopping;
	const bool judges = job->counting.wanted.gates.n > 0 && done->n == s->sides_n;
	const bool is_precision_given = job->counting.options->compare_options.precision > 0;
	bool is_enough;

	/* now it is known which events can be counted */
	if (done->rounds_n == 1 && job_compare_plan(job, it) < 0)
		return true;
	is_enough = stopping_is_enough(done, &it->stopping);
	if (judges && !s->runs && !s->forever && !is_precision_given &&
	    job_compare_are_gates_settled(job, it, done->rounds_n))
		return true;
	if (!is_enough && !s->until_gates)
		return false;
	if (is_enough && (s->runs || s->stop == STOP_TOO_LONG))
		return true;
	if (done->sides->series.rows_n != it->rows_n && job_compare_plan(job, it) < 0)
		return true;
	if (stopping_needs_more(s, done))
		return false;
	if (is_enough && (s->stop == STOP_TIME || done->elapsed_ns >= s->limit_ns))
		return true;
	/* means that are precise end the runs whatever the verdict is */
	return is_precision_given || (!s->is_paired && !judges) ||
	       !job_compare_is_unclear(job, it, done->rounds_n);
}

/* The rounds_rule of all sides. */
static bool job_compare_has_enough(const struct rounds_done *all, void *data)
{
	struct compare_job *job = data;
	const size_t sides_n = job_compare_sides_of_case(job), i = all->first / sides_n;
	struct compared *it = &job->cases[i];
	struct rounds_done done = *all;

	done.sides += i * sides_n;
	done.first -= i * sides_n;
	if (done.n < sides_n) /* sides that run by themselves have equal parts of the time */
		done.elapsed_ns *= job->cases_n;
	it->has_enough = it->stopping.until_gates && job_compare_has_gate_on_mean(job) ?
				 job_compare_has_enough_for_means(job, it, &done) :
				 job_compare_has_enough_of(job, it, &done);
	if (job->has_compared) /* commands would inherit the peak of the comparison */
		tasks_forget_own_peak();
	job->has_compared = false;
	return it->has_enough;
}

/* ---- The runs. */

static void job_compare_add_estimate(struct str *text, const void *data)
{
	const struct compare_job *job = data;
	size_t n = 0;

	if (job->cases_n == 1) {
		compare_add_estimate(text, &job->counting, &job->cases->stopping);
		return;
	}
	for (size_t i = 0; i < job->cases_n; i++)
		n += job->cases[i].has_enough;
	str_addf(text, "; %zu of %zu cases done", n, job->cases_n);
}

/* Check the sides, and run them in rounds until the stopping rule has enough runs. 0; -errno with
 * why. */
static int job_compare_run_all(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	const struct options *o = counting->options;
	const struct stopping *s = &job->cases->stopping;
	size_t sides_n = counting->sides.n;
	bool goes_on;
	int err;

	if (!o->no_progress && !o->quiet && !o->verbose)
		progress_begin(&counting->progress,
			       (struct progress_plan){
				       .warmups = o->warmup * sides_n + same_work_runs(counting),
				       .runs = (o->has_repeat ? o->repeat : s->runs_min) * sides_n,
				       .at_least = !o->has_repeat,
				       .limit_ns = o->has_repeat ? 0 : s->limit_ns,
				       .add_text = job_compare_add_estimate,
				       .data = job });
	err = same_work_check(counting, &job->different_work, &goes_on, why);
	tasks_forget_own_peak(); /* commands would inherit the peak of the check */
	if (err == 0)
		job->ended_early =
			!goes_on || !runner_run(&counting->runner, job_compare_has_enough, job);
	progress_end(&counting->progress);
	return err;
}

/* ---- How the runs ended. */

/* Report that some side has no run, unless the cause was already reported. */
static void job_compare_report_nothing(const struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	const char *rest =
		job->counting.runner.runs_n ? "; the runs of the other commands are discarded" : "";

	if (counting->runner.run_failed)
		message("nothing to compare: some commands have no run%s", rest);
	else if (job->signal && !counting_trouble_status(counting) && !counting->options->quiet)
		message("interrupted before each command had a run: nothing to compare%s", rest);
}

/* Report that a signal ended the runs, or that those for a verdict would have taken too long. */
static void job_compare_report_end(const struct compare_job *job)
{
	const struct options *o = job->counting.options;
	const struct side *side = job_compare_shortest_side(&job->counting);
	const struct stopping *s = &job->cases->stopping;
	cleanup_str struct str of = { 0 };
	bool is_too_long = false;

	for (size_t i = 0; i < job->cases_n; i++)
		is_too_long |= job->cases[i].stopping.stop == STOP_TOO_LONG;
	if (is_too_long && !o->compare_options.bisect)
		note_print(o,
			   "no verdict: it needs %zu runs of each command, far beyond %g s; "
			   "use -r %zu or a longer --duration",
			   s->runs_min, (double)s->limit_ns / NS_OF_S, s->runs_min);
	if (!job_compare_is_cut_short(job) && !(job->signal && s->forever))
		return;
	if (s->runs)
		str_addf(&of, " of %zu", s->runs);
	str_addf(&of, counting_is_paired(&job->counting) ? " round%s" : " run%s of '%s'",
		 side->series.runs_n == 1 && !s->runs ? "" : "s", side->name);
	note_print(o, "interrupted: %zu%s", side->series.runs_n, str_text(&of));
}

/* ---- The comparison. */

/* Find out why no run of any side counted an event, from the runs of all sides together. */
static int job_compare_explain(struct counting *counting)
{
	cleanup_free struct run *runs = NULL;
	size_t n = 0, all = 0;

	for (size_t i = 0; i < counting->sides.n; i++)
		all += counting->sides.v[i].series.runs_n;
	runs = calloc(all + 1, sizeof(*runs));
	if (!runs)
		return -ENOMEM;
	for (size_t i = 0; i < counting->sides.n; i++) {
		const struct series *series = &counting->sides.v[i].series;

		memcpy(runs + n, series->runs, series->runs_n * sizeof(*runs));
		n += series->runs_n;
	}
	return session_explain(&counting->runner.session, runs, n, REASONS_ALL);
}

/* Whether the whole interval is in the direction of the limit: an increase for NAME>+X%. */
static bool job_compare_is_toward_limit(const struct gate *gate)
{
	const struct contrast *contrast = &gate->contrast;
	bool by_ratio = !contrast->ratio.withheld;
	const struct estimate *change = by_ratio ? &contrast->ratio : &contrast->difference;
	double none = by_ratio ? 1 : 0;

	return gate->request->above ? change->low > none : change->high < none;
}

/* Of all gates; with --bisect-check kept if GOOD keeps the gates and BAD crosses one. */
static enum gate_outcome job_compare_outcome(struct compare_job *job, const struct suite *suite)
{
	const struct comparison *c = suite->cases;
	enum gate_outcome good, bad;

	if (!job->counting.options->compare_options.bisect_check)
		return suite_outcome(suite);
	good = comparison_outcome(c, 1);
	bad = comparison_outcome(c, 2);
	job->check.good = good;
	job->check.bad = bad;
	for (size_t i = 0; i < c->gates_n; i++)
		job->check.is_bad_worse |=
			c->gates[i].side == 2 && job_compare_is_toward_limit(&c->gates[i]);
	if (good == GATE_CROSSED || bad == GATE_KEPT)
		return GATE_CROSSED;
	return good == GATE_KEPT && bad == GATE_CROSSED ? GATE_KEPT : GATE_UNCLEAR;
}

/* Compare, judge the gates, print and save. 0; -errno with why. */
static int job_compare_runs(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	cleanup_with(suite_release) struct suite suite = { 0 };
	struct comparison_input input;
	int err = job_compare_explain(counting);

	if (err == 0)
		err = job_compare_make_input(job, &input);
	if (err == 0)
		err = suite_build(&suite, &input, why);
	if (err < 0)
		return err;
	job->outcome = job_compare_outcome(job, &suite);
	job->is_impossible = job_compare_is_impossible(suite.cases, SIZE_MAX);
	notes_print_reasons(&counting->outputs.notes);
	if (counting->outputs.prints || job->outcome == GATE_UNCLEAR)
		notes_print_gaps_of_sides(counting->options, &suite);
	err = compare_print_differences(counting->options, suite.cases, job->of);
	if (err < 0)
		return err;
	return compare_write(&counting->outputs, &suite);
}

/* ---- The job. */

/* From the events to the printed comparison. 0; -errno with why. */
static int job_compare_run_and_compare(struct compare_job *job, struct why *why)
{
	struct counting *counting = &job->counting;
	const struct compare_options *c = &counting->options->compare_options;
	bool ready;
	int err;

	err = job_compare_set_stopping(job);
	if (err < 0)
		return err;
	if (c->bisect && job->cases->stopping.reference_n == 1)
		return why_set(why, -EINVAL,
			       "--baseline %s has only 1 run, which cannot decide a gate; save it "
			       "again with more",
			       c->baseline);
	err = job_compare_prepare_sides(counting, &ready, why);
	if (ready && err == 0)
		err = counting_open(counting, why);
	for (size_t i = 0; ready && err == 0 && i < job->cases_n; i++) {
		err = job_compare_plan(job, &job->cases[i]);
		if (err == 0)
			err = stopping_init(&job->cases[i].stopping);
	}
	if (ready && err == 0) {
		job_compare_report_few(job);
		err = job_compare_run_all(job, why);
	}
	if (!ready || job->ended_early)
		job->signal = counting->runner.workload.signals.interrupted;
	runner_cleanup_all(&counting->runner);
	session_release_reserve(&counting->runner.session);
	workload_begin_writing(&counting->runner.workload);
	if (err < 0)
		return err;
	if (!job_compare_have_all_runs(counting)) {
		job_compare_report_nothing(job);
		return 0;
	}
	job_compare_report_end(job);
	notes_print_followed(counting->options, &counting->runner.session);
	return job_compare_runs(job, why);
}

static int job_compare_status_of(struct compare_job *job)
{
	const struct counting *counting = &job->counting;
	int status = counting_trouble_status(counting);

	if (status)
		return status;
	if (counting->runner.run_failed)
		return STATUS_PSTAT;
	if (!job_compare_have_all_runs(counting))
		return job->signal ? 128 + job->signal : STATUS_PSTAT;
	status = counting->outputs.status;
	if (status == 0)
		status = compare_status(job->outcome);
	if (status == 0 && counting->options->compare_options.gates_n == 0 &&
	    job_compare_is_cut_short(job))
		return 128 + job->signal;
	return status;
}

/* Whether the format and the gates fit the cases. 0; -EINVAL with why. */
static int job_compare_check_cases(const struct counting *counting, struct why *why)
{
	const struct compare_options *c = &counting->options->compare_options;
	for (size_t i = 0; counting->sides.cases.n == 0 && i < c->gates_n; i++)
		if (c->gates[i].is_geomean)
			return why_set(why, -EINVAL,
				       "--fail-if '%s' needs cases: several -c with -L, or --suite",
				       c->gates[i].text);
	return outputs_check_cases(&counting->outputs, counting->sides.cases.n, why);
}

/* From the options to the exit status. */
static int job_compare_commands(struct compare_job *job, const sigset_t *mask)
{
	struct counting *counting = &job->counting;
	const struct options *o = counting->options;
	cleanup_why struct why why = { 0 };
	int err = history_gates_init(&counting->history, o, &why), trouble;

	if (err == 0 && o->compare_options.baseline) {
		counting->baseline = &job->baseline;
		err = baseline_load(&job->baseline, o, &why);
	}
	if (err == 0)
		err = rmath_load(&job->math, &why);
	if (err == 0)
		err = counting_prepare(counting, &why);
	if (err == 0)
		err = job_compare_check_cases(counting, &why);
	if (err == 0)
		err = events_of_comparison(&counting->wanted, counting->baseline, &why);
	if (err == 0) {
		history_gates_set_limits(&counting->history, o, &counting->wanted.gates,
					 &counting->wanted.events);
		err = counting_take_over(counting, mask, &why);
	}
	if (err == 0 && !o->setup)
		err = job_compare_find_programs(counting, &why);
	if (err == 0)
		err = job_compare_run_and_compare(job, &why);
	if (err == 0)
		return job_compare_status_of(job);
	if (counting->runner.runs_n > 0)
		message_of_loss(why_text(&why, err));
	else
		message("%s", why_text(&why, err));
	trouble = counting_trouble_status(counting);
	return trouble ? trouble : STATUS_PSTAT;
}

/* ---- The exit status of --bisect. */

/* Report a command that is missing or fails. Returns the status. */
static int job_compare_report_broken(const struct compare_job *job)
{
	const struct runner *r = &job->counting.runner;

	if (r->trouble == TROUBLE_STEP) {
		message("--bisect: skip: a --setup, --pre, --post or --cleanup command failed (status 125)");
		return STATUS_BISECT_SKIP;
	}
	/* the reference is the same build in each step */
	if (!job->counting.baseline && r->side == job->counting.sides.v) {
		message("--bisect: abort: the reference '%s' is missing or failed (status 255)",
			r->side->name);
		return STATUS_BISECT_PSTAT;
	}
	message("--bisect: skip: '%s' is missing or failed (status 125)", r->side->name);
	return STATUS_BISECT_SKIP;
}

static void job_compare_report_undecided(const struct compare_job *job)
{
	const struct stopping *s = &job->cases->stopping;
	size_t n = job_compare_shortest_side(&job->counting)->series.runs_n;

	if (s->stop == STOP_TOO_LONG)
		message("--bisect: skip: too few runs of each command in %g s: %zu; see --duration "
			"(status 125)",
			(double)s->limit_ns / NS_OF_S, n);
	else if (s->reference_n > 0 && s->reference_n < n / 4)
		message("--bisect: skip: undecided after %zu runs; save the baseline with more runs "
			"(status 125)",
			n);
	else
		message("--bisect: skip: undecided after %zu runs of each command; see %s (status 125)",
			n, s->runs ? "-r" : "--duration");
}

/* Report the result of --bisect-check, whose status is 0 or 1. */
static void job_compare_report_endpoints(const struct compare_job *job, int status)
{
	if (job->check.good == GATE_CROSSED)
		message("--bisect-check: not ready: GOOD crosses a gate against itself");
	if (job->check.bad == GATE_KEPT)
		message("--bisect-check: not ready: BAD %s",
			job->check.is_bad_worse ?
				"keeps the gates; choose a smaller limit" :
				"is not worse than GOOD; exchange them, or choose another event");
	if (status == 0 && !job->counting.options->quiet)
		message("--bisect-check: ready: GOOD keeps the gates, and BAD does not (%zu rounds)",
			job_compare_shortest_side(&job->counting)->series.runs_n);
}

/* The exit status of --bisect, after a message that says what it means for git bisect run. */
static int job_compare_bisect_status(const struct compare_job *job, int status)
{
	const struct options *o = job->counting.options;
	const struct runner *r = &job->counting.runner;

	if (job->signal)
		return 128 + job->signal;
	if (status > STATUS_NOT_FOUND)
		return status; /* a signal killed a command before its exec */
	if (r->run_failed || r->trouble == TROUBLE_STEP || status == STATUS_NOT_FOUND ||
	    status == STATUS_NOT_EXECUTABLE)
		return job_compare_report_broken(job);
	if (job->is_impossible) {
		message("--bisect: abort: an event of a gate is not counted (status 255)");
		return STATUS_BISECT_PSTAT;
	}
	if (status > 2) {
		message("--bisect: abort: pstat failed, see the message above (status 255)");
		return STATUS_BISECT_PSTAT;
	}
	if (status == 2) {
		job_compare_report_undecided(job);
		return STATUS_BISECT_SKIP;
	}
	if (o->compare_options.bisect_check)
		job_compare_report_endpoints(job, status);
	else if (!o->quiet)
		message("--bisect: %s (status %d)", status == 0 ? "good" : "bad", status);
	return status;
}

int job_compare(const struct options *o, const sigset_t *mask)
{
	cleanup_with(job_compare_release) struct compare_job job = {
		.counting = { .options = o, .outputs = OUTPUTS_OF(o) },
	};
	int status = job_compare_commands(&job, mask);

	return o->compare_options.bisect ? job_compare_bisect_status(&job, status) : status;
}
