/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real commands run while the fake kernel counts, together with --setup, --pre, --post and
 * --cleanup.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "event/resolve.h"
#include "run/runner.c" /* for its static functions */
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { SIDES_N = 2 };

static struct machine machine;
static struct event_list events;
static struct target target;
static struct side sides[SIDES_N];
static struct runner runner;
static struct str seen; /* the calls of the observer and of two_rounds(), in order */

static void on_run_begins(void *data)
{
	str_add(&seen, runner.warming_up ? "warmup " : "run ");
}

static void on_run_ended(int wait_status, void *data)
{
	str_addf(&seen, "ended:%d ", WEXITSTATUS(wait_status));
}

static void on_run_interrupted(void *data)
{
	str_add(&seen, "interrupted ");
}

static void on_step_failed(const struct step_failure *failure, void *data)
{
	str_addf(&seen, "step:%d:%s:%d ", failure->step, failure->program,
		 WEXITSTATUS(failure->wait_status));
}

static void on_failed(const char *text, void *data)
{
	str_add(&seen, "failed ");
}

/* Two rounds are enough. */
static bool two_rounds(const struct rounds_done *done, void *data)
{
	str_addf(&seen, "%zu+%zu:%zu ", done->first, done->n, done->rounds_n);
	for (size_t i = done->first; i < done->first + done->n; i++)
		assert_int_equal(done->sides[i].series.runs_n, sides[i].series.runs_n);
	return done->rounds_n == 2;
}

static void add_shell(struct str_list *words, const char *text)
{
	assert_int_equal(str_list_add(words, "sh"), 0);
	assert_int_equal(str_list_add(words, "-c"), 0);
	assert_int_equal(str_list_add(words, text), 0);
	assert_int_equal(array_grow(&words->v, words->n, &words->size, sizeof(*words->v)), 0);
	words->v[words->n] = NULL;
}

/* Append the word to a file, which shows what ran, and in which order. */
static void add_log(struct str_list *words, const char *word, size_t side)
{
	cleanup_str struct str text = { 0 };

	str_addf(&text, "printf '%s%zu ' >>%s/ran", word, side, machine.root);
	add_shell(words, str_text(&text));
}

static void ran(const char *expected)
{
	cleanup_str struct str path = { 0 };
	char text[1000] = "";
	FILE *in;

	str_addf(&path, "%s/ran", machine.root);
	in = fopen(str_text(&path), "re");
	if (in) {
		text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
		fclose(in);
	}
	assert_string_equal(text, expected);
}

static int set_up_events(const char *list)
{
	static char *const no_command[] = { NULL };
	static const struct target_request command = { 0 };
	const struct session_setup setup = {
		.machine = &machine, .events = &events, .target = &target, .has_command = true
	};
	/* in the trial, both events fit, so that the kernel decides later which one is on */
	static struct counts fits[1000];
	cleanup_why struct why why = { 0 };
	sigset_t mask;

	fake_reset();
	for (size_t i = 0; i < N_OF(fits); i++)
		fits[i] = (struct counts){ 0, 1, 1 };
	fake_readings(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, fits, N_OF(fits));
	fake_readings(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, fits, N_OF(fits));
	sigemptyset(&mask);
	machine.root = tree_new();
	tree_add(machine.root, "sys/bus/event_source/uevent", "");
	runner = (struct runner){ .sides = sides, .sides_n = SIDES_N };
	runner.observer = (struct run_observer){
		.run_begins = on_run_begins,
		.run_ended = on_run_ended,
		.run_interrupted = on_run_interrupted,
		.step_failed = on_step_failed,
		.failed = on_failed,
	};
	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why), 0);
	assert_int_equal(target_init(&target, &machine, &command, &why), 0);
	assert_int_equal(session_open(&runner.session, &setup, &why), 0);
	return workload_init(&runner.workload, no_command, &mask, &why);
}

static int set_up(void **state)
{
	return set_up_events("cycles");
}

static int set_up_two_events(void **state)
{
	return set_up_events("cycles,instructions");
}

static int tear_down(void **state)
{
	workload_release(&runner.workload);
	session_close(&runner.session);
	target_release(&target);
	event_list_release(&events);
	runner_release(&runner);
	for (size_t i = 0; i < SIDES_N; i++) {
		side_release(&sides[i]);
		sides[i] = (struct side){ 0 };
	}
	str_release(&seen);
	tree_remove(machine.root);
	return 0;
}

/* Run both sides until two_rounds() returns true. */
static bool run_all(enum round_order order)
{
	runner.settings.order = order;
	runner.settings.seed = 1;
	return runner_run(&runner, two_rounds, NULL);
}

static void find_programs(void)
{
	for (size_t i = 0; i < SIDES_N; i++)
		assert_true(runner_find_program(&runner, &sides[i]));
}

static void add_logs(void)
{
	for (size_t i = 0; i < SIDES_N; i++) {
		add_log(&sides[i].words, "run", i);
		add_log(&sides[i].setup, "setup", i);
		add_log(&sides[i].cleanup, "cleanup", i);
		add_log(&sides[i].pre, "pre", i);
		add_log(&sides[i].post, "post", i);
	}
}

static void each_round_runs_every_side_after_the_warmup(void **state)
{
	static const size_t order[] = { 0, 1, 1, 0 };

	add_logs();
	find_programs();
	runner.settings.warmups = 1;
	assert_true(runner_setup_all(&runner));
	assert_true(run_all(ORDER_ALTERNATE));
	runner_cleanup_all(&runner);
	ran("setup0 setup1 pre0 run0 post0 pre1 run1 post1 pre0 run0 post0 pre1 run1 post1 "
	    "pre1 run1 post1 pre0 run0 post0 cleanup0 cleanup1 ");
	assert_string_equal(str_text(&seen),
			    "warmup ended:0 warmup ended:0 run ended:0 run ended:0 "
			    "0+2:1 run ended:0 run ended:0 0+2:2 ");
	assert_int_equal(runner.runs_n, N_OF(order));
	assert_memory_equal(runner.run_sides, order, sizeof(order));
}

static int note_first_group(const struct session *s, void *data)
{
	str_addf(&seen, "%zu ", s->job.first_group);
	return 0;
}

static bool four_rounds(const struct rounds_done *done, void *data)
{
	str_add(&seen, "| ");
	return done->rounds_n == 4;
}

static void ignore_run(void *data)
{
}

static void ignore_end(int wait_status, void *data)
{
}

/* Multiplexed counts of two sides are comparable if the kernel begins with the same group. */
static void the_sides_of_a_round_open_the_same_group_first(void **state)
{
	static const enum round_order orders[] = { ORDER_RANDOM, ORDER_SEQUENTIAL };
	static const char *const expected[] = { "0 0 | 1 1 | 0 0 | 1 1 | ",
						"0 | 1 | 0 | 1 | 0 | 1 | 0 | 1 | " };
	static struct counts many[1000];

	/* the events fit in the trial */
	for (size_t i = 0; i < N_OF(many); i++)
		many[i] = (struct counts){ i * 10, i * 100 + 1, i * 50 + 1 };
	add_logs();
	runner.observer.counting.opened = note_first_group;
	runner.observer.run_begins = ignore_run;
	runner.observer.run_ended = ignore_end;
	find_programs();
	for (size_t i = 0; i < N_OF(orders); i++) {
		fake_readings(PERF_TYPE_HARDWARE, 0, many, N_OF(many));
		runner.settings.order = orders[i];
		assert_true(runner_run(&runner, four_rounds, NULL));
		assert_string_equal(str_text(&seen), expected[i]);
		str_release(&seen);
		free(take_ptr(runner.turns));
	}
}

static void in_sequence_each_side_has_its_own_setup_and_rounds(void **state)
{
	add_logs();
	assert_true(run_all(ORDER_SEQUENTIAL));
	ran("setup0 pre0 run0 post0 pre0 run0 post0 cleanup0 "
	    "setup1 pre1 run1 post1 pre1 run1 post1 cleanup1 ");
	assert_string_equal(str_text(&seen), "run ended:0 0+1:1 run ended:0 0+1:2 "
					     "run ended:0 1+1:1 run ended:0 1+1:2 ");
}

static void a_failed_run_ends_the_series_unless_failures_are_ignored(void **state)
{
	static const struct {
		int line;
		enum bad_runs bad_runs;
		bool ignore_failure, goes_on;
		size_t runs_n;
	} rows[] = {
		{ ROW, BAD_RUNS_DROPPED, false, false, 0 },
		{ ROW, BAD_RUNS_KEPT, false, false, 1 },
		{ ROW, BAD_RUNS_DROPPED, true, true, 1 },
		{ ROW, BAD_RUNS_KEPT, true, true, 1 },
	};

	add_shell(&sides[0].words, "exit 3");
	assert_true(runner_find_program(&runner, &sides[0]));
	for (size_t i = 0; i < N_OF(rows); i++) {
		runner.settings.bad_runs = rows[i].bad_runs;
		runner.settings.ignore_failure = rows[i].ignore_failure;
		runner.run_failed = false;
		row_int(&rows[i], runner_run_once(&runner, &sides[0], 0, 0), rows[i].goes_on);
		row_int(&rows[i], runner.run_failed, !rows[i].goes_on);
		row_int(&rows[i], runner.status, 3);
		row_int(&rows[i], sides[0].series.runs_n, rows[i].runs_n);
		row_int(&rows[i], runner.trouble, TROUBLE_NONE);
		while (sides[0].series.runs_n > 0)
			series_drop_run(&sides[0].series);
	}
}

static void a_step_that_fails_ends_the_series(void **state)
{
	add_logs();
	str_list_release(&sides[1].pre);
	sides[1].pre = (struct str_list){ 0 };
	add_shell(&sides[1].pre, "exit 2");
	find_programs();
	assert_false(run_all(ORDER_ALTERNATE));
	ran("pre0 run0 post0 ");
	assert_string_equal(str_text(&seen), "run ended:0 step:1:sh:2 ");
	assert_int_equal(runner.trouble, TROUBLE_STEP);
	assert_int_equal(runner.runs_n, 1);
}

/* --cleanup runs only if --setup succeeded. */
static void cleanup_runs_after_a_setup_that_succeeded(void **state)
{
	add_log(&sides[0].setup, "setup", 0);
	add_log(&sides[0].cleanup, "cleanup", 0);
	add_shell(&sides[1].setup, "exit 1");
	add_log(&sides[1].cleanup, "cleanup", 1);
	assert_false(runner_setup_all(&runner));
	runner_cleanup_all(&runner);
	runner_cleanup_all(&runner);
	ran("setup0 cleanup0 ");
	assert_int_equal(runner.trouble, TROUBLE_STEP);
}

static void a_program_that_is_missing_is_reported(void **state)
{
	assert_int_equal(str_list_add(&sides[0].words, "/nonexistent/program"), 0);
	assert_false(runner_find_program(&runner, &sides[0]));
	assert_int_equal(runner.trouble, TROUBLE_EXEC);
	assert_int_equal(runner.exec_error, -ENOENT);
	assert_string_equal(str_text(&seen), "failed ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_sides_of_a_round_open_the_same_group_first,
						set_up_two_events, tear_down),
		TEST(each_round_runs_every_side_after_the_warmup),
		TEST(in_sequence_each_side_has_its_own_setup_and_rounds),
		TEST(a_failed_run_ends_the_series_unless_failures_are_ignored),
		TEST(a_step_that_fails_ends_the_series),
		TEST(cleanup_runs_after_a_setup_that_succeeded),
		TEST(a_program_that_is_missing_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
