/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/why.h"
#include "machine/program.h"
#include "run/runner.h"
#include "stats/random.h"

static void *runner_observer_data(const struct runner *r)
{
	return r->observer.counting.data;
}

/* Report an error that ends the series. */
static void runner_fail(struct runner *r, enum trouble trouble, const char *text)
{
	r->trouble = trouble;
	r->observer.failed(text, runner_observer_data(r));
}

static void runner_run_out_of_memory(struct runner *r)
{
	runner_fail(r, TROUBLE_PSTAT, "out of memory");
}

/* ---- The programs around the runs */

/* Run the program of a step. False if it failed, which was reported to the observer. */
static bool runner_run_step(struct runner *r, enum step step, const struct str_list *words)
{
	cleanup_why struct why why = { 0 };
	struct step_failure failure = { .step = step };
	int err = 0;

	if (words->n > 0)
		err = workload_run_other(&r->workload, words->v, &failure.wait_status, &why);
	if (err == 0 && failure.wait_status == 0)
		return true;
	failure.program = words->v[0];
	failure.text = err < 0 ? why_text(&why, err) : NULL;
	r->observer.step_failed(&failure, runner_observer_data(r));
	if (!workload_interrupted(&r->workload))
		r->trouble = TROUBLE_STEP;
	else if (r->trouble == TROUBLE_NONE)
		r->trouble = TROUBLE_INTERRUPTED;
	return false;
}

static bool runner_run_setup(struct runner *r, struct side *side)
{
	side->is_set_up = runner_run_step(r, STEP_SETUP, &side->setup);
	return side->is_set_up && !workload_interrupted(&r->workload);
}

static bool runner_run_cleanup(struct runner *r, struct side *side)
{
	bool due = side->is_set_up;

	side->is_set_up = false;
	return !due || runner_run_step(r, STEP_CLEANUP, &side->cleanup);
}

bool runner_setup_all(struct runner *r)
{
	for (size_t i = 0; i < r->sides_n; i++)
		if (!runner_run_setup(r, &r->sides[i]))
			return false;
	return true;
}

void runner_cleanup_all(struct runner *r)
{
	for (size_t i = 0; i < r->sides_n; i++)
		runner_run_cleanup(r, &r->sides[i]);
}

/* ---- One run */

int side_find_program(struct side *side, struct why *why)
{
	return side->path ? 0 : program_find(side->words.v[0], &side->path, why);
}

/* False if there is no such program, which sets r->trouble. */
static bool runner_find_program(struct runner *r, struct side *side)
{
	cleanup_why struct why why = { 0 };
	int err = side_find_program(side, &why);

	if (err < 0) {
		r->exec_error = err;
		runner_fail(r, TROUBLE_EXEC, why_text(&why, err));
	}
	return err == 0;
}

/* Report that session_run() failed with err: the command did not start. */
static void runner_report_start(struct runner *r, int err, const struct why *why)
{
	r->exec_error = err;
	r->trouble = TROUBLE_PSTAT;
	if (r->workload.killed_by)
		r->trouble = TROUBLE_KILLED;
	else if (r->workload.exec_failed)
		r->trouble = TROUBLE_EXEC;
	if (err != -ECANCELED) /* -ECANCELED: the observer itself cancelled the start */
		runner_fail(r, r->trouble, why_text(why, err));
}

/* Run the command, between --pre and --post. False if it did not start. */
static bool runner_run_command(struct runner *r, size_t round, size_t pass, struct run *run)
{
	const struct session_turn turn = { &r->workload, &r->observer.counting, round, pass };
	struct control *control = r->session.setup.control;
	const struct session *s = &r->session;
	cleanup_why struct why why = { 0 };
	bool failed = false;
	int err;

	if (control)
		control_discard_unread(control);
	r->workload.ended = false;
	if (r->workload.child_setup.pads)
		workload_set_padding(&r->workload.child_setup,
				     random_below(&r->padding, WORKLOAD_PADDING_MAX + 1));
	if (r->settings.sync)
		sync();
	r->observer.run_begins(runner_observer_data(r));
	err = session_run(&r->session, &turn, run, &why);
	if (err < 0)
		runner_report_start(r, err, &why);
	/* the run has added places for its tasks, which all sides share */
	for (size_t i = 0; s->follows && !failed && i < r->sides_n; i++)
		failed = series_extend(&r->sides[i].series, s->setup.target->places, s->rows,
				       s->rows_n) < 0;
	if (failed) {
		run_release(run);
		runner_run_out_of_memory(r);
	}
	return err == 0 && !failed;
}

/* Decide what the end of a run means. Returns whether the series goes on. */
static bool runner_judge_run(struct runner *r, int wait_status)
{
	struct series *series = &r->side->series;
	int status =
		WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);

	/* A command that --timeout ended counts as successful. But what it did until then cannot be
	 * compared: all such runs take equally long. */
	if (r->workload.ended && r->settings.bad_runs == BAD_RUNS_DROPPED)
		status = 128 + SIGTERM;
	else if (status == 128 + SIGTERM && WIFSIGNALED(wait_status) && r->workload.ended)
		status = 0;
	r->observer.run_ended(status ? wait_status : 0, runner_observer_data(r));
	if (r->status == 0)
		r->status = status;
	if (workload_interrupted(&r->workload)) {
		/* an interrupted run is incomplete; BAD_RUNS_KEPT keeps the only run */
		if (wait_status && !r->warming_up &&
		    (r->settings.bad_runs == BAD_RUNS_DROPPED || series->runs_n > 1)) {
			r->observer.run_interrupted(runner_observer_data(r));
			series_drop_run(series);
		}
		return false;
	}
	if (status == 0 || r->settings.ignore_failure)
		return true;
	r->run_failed = true;
	if (r->settings.bad_runs == BAD_RUNS_DROPPED && !r->warming_up)
		series_drop_run(series);
	return false;
}

/*
 * Run the side once, between --pre and --post, and keep the run unless r->warming_up. Returns
 * whether the series continues.
 */
static bool runner_run_once(struct runner *r, struct side *side, size_t round, size_t pass)
{
	struct run run;
	int wait_status;
	bool post_succeeded;

	r->side = side;
	if (side->path) {
		r->workload.argv = side->words.v;
		r->workload.path = side->path;
	}
	if (array_grow(&side->series.runs, side->series.runs_n, &side->series.runs_size,
		       sizeof(*side->series.runs)) < 0) {
		runner_run_out_of_memory(r);
		return false;
	}
	if (!runner_run_step(r, STEP_PRE, &side->pre) || workload_interrupted(&r->workload) ||
	    !runner_run_command(r, round, pass, &run))
		return false;
	wait_status = r->wait_status = run.wait_status;
	run.timed_out = r->workload.ended;
	if (r->warming_up)
		run_release(&run);
	else
		series_add_run(&side->series, &run);
	post_succeeded = runner_run_step(r, STEP_POST, &side->post);
	return runner_judge_run(r, wait_status) && post_succeeded;
}

bool runner_hash_output(struct runner *r, struct side *side, struct output_hash *hash)
{
	struct capture capture;
	const int err = capture_open(&capture);
	bool goes_on;

	if (err < 0) {
		runner_fail(r, TROUBLE_PSTAT, strerror(-err));
		return false;
	}
	r->workload.capture = &capture;
	r->warming_up = true;
	goes_on = runner_run_once(r, side, 0, 0);
	r->warming_up = false;
	r->workload.capture = NULL;
	capture_read(&capture);
	*hash = capture.hash;
	capture_close(&capture);
	return goes_on;
}

/* ---- Rounds */

static int runner_init_order(struct runner *r)
{
	r->random = random_of_seed(r->settings.seed);
	r->turns = calloc(r->sides_n + 1, sizeof(*r->turns));
	return r->turns ? 0 : -ENOMEM;
}

/* The turns of the next round of these sides, valid until the next call. */
static const size_t *runner_begin_round(struct runner *r, const struct rounds_done *done)
{
	const size_t n = done->n;
	bool reversed = r->settings.order == ORDER_ALTERNATE && done->rounds_n % 2;

	for (size_t i = 0; i < n; i++)
		r->turns[i] = done->first + (reversed ? n - 1 - i : i);
	if (r->settings.order == ORDER_RANDOM && n > 1)
		random_shuffle(&r->random, r->turns, n);
	return r->turns;
}

/* One turn of a side: a run for each pass. The first pass changes from round to round. */
static bool runner_run_turn(struct runner *r, size_t index, size_t round)
{
	struct side *side = &r->sides[index];

	for (size_t i = 0; i < r->session.passes_n; i++) {
		size_t before = side->series.runs_n;
		bool goes_on = runner_run_once(r, side, round, (round + i) % r->session.passes_n);

		if (side->series.runs_n > before) {
			if (array_grow(&r->run_sides, r->runs_n, &r->runs_size,
				       sizeof(*r->run_sides)) < 0) {
				runner_run_out_of_memory(r);
				return false;
			}
			r->run_sides[r->runs_n++] = index;
		}
		if (!goes_on)
			return false;
	}
	return true;
}

static bool runner_run_round(struct runner *r, struct rounds_done *done)
{
	const size_t *turns = runner_begin_round(r, done);

	for (size_t i = 0; i < done->n; i++)
		if (!runner_run_turn(r, turns[i], done->rounds_n))
			return false;
	done->rounds_n++;
	return true;
}

/* Run rounds of the n cases until each has enough. left: room for n numbers. */
static bool runner_run_cases(struct runner *r, struct rounds_done *cases, size_t n, size_t *left,
			     rounds_rule *is_enough, void *data)
{
	const uint64_t start_ns = clock_ns();

	for (size_t i = 0; i < n; i++)
		left[i] = i;
	while (n > 0) {
		size_t more = 0;
		uint64_t elapsed_ns;

		if (r->settings.order == ORDER_RANDOM && n > 1)
			random_shuffle(&r->random, left, n);
		for (size_t i = 0; i < n; i++)
			if (!runner_run_round(r, &cases[left[i]]))
				return false;
		elapsed_ns = clock_ns() - start_ns;
		for (size_t i = 0; i < n; i++) {
			cases[left[i]].elapsed_ns = elapsed_ns;
			if (!is_enough(&cases[left[i]], data))
				left[more++] = left[i];
		}
		n = more;
	}
	return true;
}

/* Run the warmup and all rounds of the n sides that begin at first. */
static bool runner_run_rounds(struct runner *r, size_t first, size_t n, rounds_rule *is_enough,
			      void *data)
{
	const size_t of_case = r->case_sides_n && r->case_sides_n < n ? r->case_sides_n : n;
	const size_t cases_n = n / of_case;
	cleanup_free struct rounds_done *cases = calloc(cases_n, sizeof(*cases));
	cleanup_free size_t *left = calloc(cases_n, sizeof(*left));
	bool goes_on = true;

	if (!cases || !left) {
		runner_run_out_of_memory(r);
		return false;
	}
	r->warming_up = true;
	for (unsigned int i = 0; goes_on && i < r->settings.warmups; i++)
		for (size_t side = first; goes_on && side < first + n; side++)
			goes_on = runner_run_once(r, &r->sides[side], 0, 0);
	r->warming_up = false;
	for (size_t i = 0; i < cases_n; i++)
		cases[i] = (struct rounds_done){ .sides = r->sides,
						 .first = first + i * of_case,
						 .n = of_case };
	return goes_on && runner_run_cases(r, cases, cases_n, left, is_enough, data);
}

bool runner_run(struct runner *r, rounds_rule *is_enough, void *data)
{
	bool goes_on = true;

	if (runner_init_order(r) < 0) {
		runner_run_out_of_memory(r);
		return false;
	}
	if (r->settings.order != ORDER_SEQUENTIAL)
		return runner_run_rounds(r, 0, r->sides_n, is_enough, data);
	for (size_t i = 0; goes_on && i < r->sides_n; i++) {
		struct side *side = &r->sides[i];

		/* find each program after its --setup, which may build the program, and before the
		 * next --setup, which may remove it */
		goes_on = runner_run_setup(r, side) && runner_find_program(r, side) &&
			  runner_run_rounds(r, i, 1, is_enough, data);
		goes_on = runner_run_cleanup(r, side) && goes_on;
	}
	return goes_on;
}

void runner_release(struct runner *r)
{
	free(r->turns);
	free(r->run_sides);
}

void side_release(struct side *side)
{
	free(side->name);
	str_list_release(&side->words);
	free(side->path);
	str_list_release(&side->setup);
	str_list_release(&side->cleanup);
	str_list_release(&side->pre);
	str_list_release(&side->post);
	series_release(&side->series);
	series_parameters_release(&side->parameters);
}
