/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run for which memory runs out when its estimates are computed. */
#include <stdbool.h>
#include <stdlib.h>

/* If no_memory, session_run.c gets no memory for arrays of size_t. */
static bool no_memory;

static void *allocate(size_t n, size_t size)
{
	if (no_memory && size == sizeof(size_t))
		return NULL;
	return calloc(n, size);
}

#define calloc allocate
#include "count/session_run.c"
#undef calloc

#include "event/resolve.h"
#include "event/source.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

static void pass_a_millisecond(void *data)
{
	fake_advance_clock(1000000);
}

static void a_run_without_memory_for_estimates_is_kept(void **state)
{
	static const struct target_request command = { 0 };
	static char program[] = "sleep", seconds[] = "0.1";
	static char *argv[] = { program, seconds, NULL };
	cleanup_why struct why why = { 0 };
	struct machine machine = { .root = tree_new() };
	struct event_list events = { 0 };
	struct target target = { 0 };
	struct session session = { 0 };
	struct workload workload = { 0 };
	const struct session_setup setup = {
		.machine = &machine,
		.events = &events,
		.target = &target,
		.inherit = COUNTER_ALL_TASKS,
		.has_command = true,
		/* the fake kernel does not enable counters at an exec */
		.timing.delay_ms = 1,
		.timing.progress_ms = 1
	};
	const struct session_hooks hooks = { .progress = pass_a_millisecond };
	struct run run;
	sigset_t mask;

	sigemptyset(&mask);
	tree_add(machine.root, "sys/bus/event_source/uevent", "");
	fake_pmu_counters(1);
	fake_accept_clocks();
	fake_pass_with_each_reading(10); /* so that time running grows in trials */
	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "r1,r2", &events, &why), 0);
	assert_int_equal(target_init(&target, &machine, &command, &why), 0);
	assert_int_equal(session_open(&session, &setup, &why), 0);
	assert_int_equal(workload_init(&workload, argv, &mask, &why), 0);
	assert_int_equal(session.turns.n, 2);
	no_memory = true;
	assert_int_equal(
		session_run(&session, &(struct session_turn){ &workload, &hooks }, &run, &why), 0);
	no_memory = false;
	assert_int_equal(run.readings[0].state, SCALED);
	assert_true(run.readings[0].counts.raw > 0);
	assert_false(run.readings[0].has_estimate);
	run_release(&run);
	workload_release(&workload);
	session_close(&session);
	target_release(&target);
	event_list_release(&events);
	tree_remove(machine.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_without_memory_for_estimates_is_kept),
	};

	return cmocka_run_group_tests_name("session_memory", tests, NULL, NULL);
}
