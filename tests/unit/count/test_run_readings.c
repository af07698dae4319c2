/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readings of a run are the difference of two readings of its counters. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/counters.h"
#include "count/run_readings.h"
#include "event/resolve.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"
#include "unit/tree.h"

enum { ROWS_MAX = 8 };

static char nowhere[] = "/nonexistent";
static struct machine machine = { .root = nowhere };

static struct event_list events;
static struct row rows[ROWS_MAX];
static struct opening openings[ROWS_MAX];
static struct reading before[ROWS_MAX], after[ROWS_MAX], filled[ROWS_MAX];
static struct session session;
static struct target counted_target; /* a command */
static struct run run;

static void prepare(const char *list, size_t places)
{
	cleanup_why struct why why = { 0 };

	memset(before, 0, sizeof(before));
	memset(after, 0, sizeof(after));
	memset(openings, 0, sizeof(openings));
	if (resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
	assert_true(events.n * places <= ROWS_MAX);
	for (size_t i = 0; i < events.n * places; i++)
		rows[i] = (struct row){ .event = i % events.n, .place_index = i / events.n };
	session = (struct session){
		.setup = { .machine = &machine, .events = &events, .target = &counted_target },
		.program = nowhere,
		.rows = rows,
		.rows_n = events.n * places,
		.openings = openings
	};
	assert_int_equal(pmu_find_kinds(&machine, &session.opener.kinds), 0);
	run = (struct run){ .readings = filled };
}

static int finish(void **state)
{
	event_list_release(&events);
	return 0;
}

static int begin_hybrid(void **state)
{
	machine.root = tree_of_machine("intel-hybrid");
	return 0;
}

static int end_hybrid(void **state)
{
	tree_remove(machine.root);
	machine.root = nowhere;
	return 0;
}

static void check(int line, size_t i, struct reading expected)
{
	const struct {
		int line;
	} row = { line };

	row_int(&row, filled[i].state, expected.state);
	row_int(&row, filled[i].counts.raw, expected.counts.raw);
	row_int(&row, filled[i].counts.enabled_ns, expected.counts.enabled_ns);
	row_int(&row, filled[i].counts.running_ns, expected.counts.running_ns);
}

static void the_reading_of_a_run_is_a_difference(void **state)
{
	static const struct {
		int line;
		struct reading before, after, reading;
	} cases[] = {
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { COUNTED, { 105, 150, 150 } },
		  { COUNTED, { 100, 100, 100 } } },
		{ ROW,
		  { COUNTED, { 5, 50, 40 } },
		  { COUNTED, { 5, 150, 90 } },
		  { SCALED, { 0, 100, 50 } } },
		/* it ran only before this run */
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { COUNTED, { 5, 150, 50 } },
		  { NOT_COUNTED, { 0, 100, 0 } } },
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { COUNTED, { 5, 50, 50 } },
		  { NOT_COUNTED, { 0 } } },
		/* its clock did not run */
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { COUNTED, { 23, 50, 50 } },
		  { COUNTED, { 18, 0, 0 } } },
		{ ROW,
		  { COUNTED, { UINT64_MAX, 10, 10 } },
		  { COUNTED, { 1, 20, 20 } },
		  { COUNTED, { 2, 10, 10 } } },
		{ ROW, { FAILED, { 0 } }, { COUNTED, { 5, 50, 50 } }, { FAILED, { 0 } } },
		{ ROW, { COUNTED, { 5, 50, 50 } }, { FAILED, { 0 } }, { FAILED, { 0 } } },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		prepare("cycles", 1);
		before[0] = cases[i].before;
		after[0] = cases[i].after;
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		check(cases[i].line, 0, cases[i].reading);
		finish(NULL);
	}
}

/* One rule for CPUs, processes, instances and ranks. */
static void a_sum_has_the_state_and_the_errors_of_its_parts(void **state)
{
	static const struct {
		int line;
		struct reading sum, part, expected;
	} cases[] = {
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { COUNTED, { 7, 10, 10 } },
		  { COUNTED, { 12, 60, 60 } } },
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { SCALED, { 7, 10, 5 }, { 0 }, { 14, 3 }, true },
		  { SCALED, { 12, 60, 55 }, { 0 }, { 19, 3 }, true } },
		{ ROW,
		  { SCALED, { 5, 50, 25 }, { 0 }, { 10, 4 }, true },
		  { SCALED, { 7, 10, 5 }, { 0 }, { 14, 3 }, true },
		  { SCALED, { 12, 60, 30 }, { 0 }, { 24, 7 }, true } },
		/* the second part was not sampled */
		{ ROW,
		  { SCALED, { 5, 50, 25 }, { 0 }, { 10, 4 }, true },
		  { .state = SCALED, .counts = { 7, 10, 5 } },
		  { .state = SCALED, .counts = { 12, 60, 30 } } },
		/* a part that never ran adds only its time */
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { NOT_COUNTED, { 0, 10, 0 } },
		  { COUNTED, { 5, 60, 50 } } },
		{ ROW,
		  { NOT_COUNTED, { 0, 10, 0 } },
		  { SCALED, { 5, 50, 25 }, { 0 }, { 10, 4 }, true },
		  { SCALED, { 5, 60, 25 }, { 0 }, { 10, 4 }, true } },
		/* the first failure prevails */
		{ ROW,
		  { COUNTED, { 5, 50, 50 } },
		  { .state = FAILED, .reason = { CAUSE_READ, -EIO } },
		  { FAILED, { 5, 50, 50 }, { CAUSE_READ, -EIO } } },
		{ ROW,
		  { .state = FAILED, .reason = { CAUSE_READ, -EIO } },
		  { .state = FAILED, .reason = { CAUSE_ENABLE, -EACCES } },
		  { .state = FAILED, .reason = { CAUSE_READ, -EIO } } },
		{ ROW,
		  { .state = FAILED, .reason = { CAUSE_READ, -EIO } },
		  { COUNTED, { 5, 50, 50 } },
		  { FAILED, { 5, 50, 50 }, { CAUSE_READ, -EIO } } },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		const struct reading *expected = &cases[i].expected;
		struct reading sum = cases[i].sum;

		reading_add(&sum, &cases[i].part);
		row_int(&cases[i], sum.state, expected->state);
		row_int(&cases[i], sum.counts.raw, expected->counts.raw);
		row_int(&cases[i], sum.counts.enabled_ns, expected->counts.enabled_ns);
		row_int(&cases[i], sum.counts.running_ns, expected->counts.running_ns);
		row_int(&cases[i], sum.reason.cause, expected->reason.cause);
		row_int(&cases[i], sum.reason.error, expected->reason.error);
		row_int(&cases[i], sum.has_estimate, expected->has_estimate);
		if (expected->has_estimate) {
			row_true(&cases[i], sum.estimate.count == expected->estimate.count);
			row_true(&cases[i],
				 sum.estimate.half_width == expected->estimate.half_width);
		}
	}
}

static void the_reason_of_a_failed_reading_is_kept(void **state)
{
	static const struct {
		int line;
		struct reading before, after;
		enum cause cause;
		int error;
	} cases[] = {
		{ ROW,
		  { .state = FAILED, .reason = { CAUSE_READ, -EIO } },
		  { .state = COUNTED },
		  CAUSE_READ,
		  -EIO },
		{ ROW,
		  { .state = COUNTED },
		  { .state = FAILED, .reason = { CAUSE_ENABLE, -EACCES } },
		  CAUSE_ENABLE,
		  -EACCES },
		{ ROW, { .state = COUNTED }, { .state = FAILED }, CAUSE_NONE, 0 },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		prepare("cycles", 1);
		before[0] = cases[i].before;
		after[0] = cases[i].after;
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		row_int(&cases[i], filled[0].state, FAILED);
		row_int(&cases[i], filled[0].reason.cause, cases[i].cause);
		row_int(&cases[i], filled[0].reason.error, cases[i].error);
		finish(NULL);
	}
}

#define MS UINT64_C(1000000)

/* Counting ended at the exec of some descendant, whose program is unknown. */
static void a_row_that_missed_user_time_is_not_counted(void **state)
{
	static const struct {
		int line;
		uint64_t user_ms, enabled_ms, faults, switches;
		enum target_kind kind;
		enum counter_start start;
		bool first_task;
		struct timing timing;
		bool first_only, pinned, counted;
	} cases[] = {
		{ ROW, 1000, 1 },
		{ ROW, 1000, 499 },
		{ ROW, 1000, 749 },
		{ ROW, 10000, 7949 },
		/* the kernel may have counted system time as user time */
		{ ROW, 1000, 751, .counted = true },
		{ ROW, 10000, 7951, .counted = true },
		{ ROW, 50, 1, .counted = true },
		/* ending processes and switching tasks takes up to this much system time while no
		 * event is enabled */
		{ ROW, 1000, 349, .faults = 80000 },
		{ ROW, 1000, 351, .faults = 80000, .counted = true },
		{ ROW, 1000, 351, .switches = 80000, .counted = true },
		/* these events are not meant to count all of the user time */
		{ ROW, 1000, 1, .kind = TARGET_TASKS, .counted = true },
		{ ROW, 1000, 1, .start = COUNTER_SWITCHED, .counted = true },
		{ ROW, 1000, 1, .first_task = true, .counted = true },
		{ ROW, 1000, 1, .timing = { .timeout_ms = 5 }, .counted = true },
		{ ROW, 1000, 1, .timing = { .interval_count = 5 }, .counted = true },
		{ ROW, 1000, 1, .first_only = true, .counted = true },
		{ ROW, 1000, 1, .pinned = true, .counted = true },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		uint64_t enabled_ns = cases[i].enabled_ms * MS;

		prepare("cycles", 1);
		counted_target.kind = cases[i].kind;
		session.job.start = cases[i].start;
		session.setup.inherit =
			cases[i].first_task ? COUNTER_FIRST_TASK : COUNTER_ALL_TASKS;
		session.setup.timing = cases[i].timing;
		openings[0].first_only = cases[i].first_only;
		events.groups[0].pinned = cases[i].pinned;
		run.tool[TOOL_USER_TIME] = cases[i].user_ms * MS;
		run.tool[TOOL_MINOR_FAULTS] = cases[i].faults;
		run.tool[TOOL_VOLUNTARY_SWITCHES] = cases[i].switches;
		run.tool[TOOL_SYSTEM_TIME] =
			10000 * MS; /* forks, execs and exits are not counted */
		after[0].counts = (struct counts){ 7, enabled_ns, enabled_ns };
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		row_int(&cases[i], filled[0].state, cases[i].counted ? COUNTED : NOT_COUNTED);
		row_int(&cases[i], filled[0].counts.raw, cases[i].counted ? 7 : 0);
		row_int(&cases[i], filled[0].counts.enabled_ns, enabled_ns);
		row_int(&cases[i], filled[0].reason.cause,
			cases[i].counted ? CAUSE_NONE : CAUSE_PARTLY_UNSEEN);
		finish(NULL);
	}
	counted_target.kind = TARGET_COMMAND;
}

/* A level is the last value. Its times are still differences. */
static void a_snapshot_is_the_last_value(void **state)
{
	prepare("r1,r1,r1", 1);
	events.events[1].snapshot = events.events[2].snapshot = true;
	for (size_t i = 0; i < 3; i++) {
		before[i] = (struct reading){ COUNTED, { 1000, 50, 50 } };
		after[i] = (struct reading){ COUNTED, { 1200, 80, 80 } };
	}
	after[2] = before[2];
	run_readings_fill(&session, TOOLS_ALL, before, after, &run);
	check(__LINE__, 0, (struct reading){ COUNTED, { 200, 30, 30 } });
	check(__LINE__, 1, (struct reading){ COUNTED, { 1200, 30, 30 } });
	check(__LINE__, 2, (struct reading){ .state = NOT_COUNTED });
}

static void a_refused_event_is_not_supported_at_any_place(void **state)
{
	prepare("cycles,cs", 2);
	openings[0].refused = true;
	for (size_t i = 0; i < 4; i++)
		after[i] = (struct reading){ COUNTED, { 10 * (i + 1), 5, 5 } };
	run_readings_fill(&session, TOOLS_ALL, before, after, &run);
	check(__LINE__, 0, (struct reading){ .state = NOT_SUPPORTED });
	check(__LINE__, 1, (struct reading){ COUNTED, { 20, 5, 5 } });
	check(__LINE__, 2, (struct reading){ .state = NOT_SUPPORTED });
	check(__LINE__, 3, (struct reading){ COUNTED, { 40, 5, 5 } });
}

/* An event of another pass has no reading in this run. An event that needs no counter has a reading
 * in every run. */
static void an_event_of_another_pass_has_no_reading(void **state)
{
	size_t passes[] = { 0, 1, PASS_ALL };

	prepare("cycles,{instructions,branches},cs", 1);
	session.passes = passes;
	for (size_t i = 0; i < 4; i++)
		after[i] = (struct reading){ COUNTED, { 7, 5, 5 } };
	for (size_t pass = 0; pass < 2; pass++) {
		session.job.pass = pass;
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		assert_int_equal(filled[0].state, pass == 0 ? COUNTED : ELSEWHERE);
		assert_int_equal(filled[1].state, pass == 1 ? COUNTED : ELSEWHERE);
		assert_int_equal(filled[2].state, pass == 1 ? COUNTED : ELSEWHERE);
		assert_int_equal(filled[3].state, COUNTED);
	}
}

static void tool_events_have_the_values_of_the_run(void **state)
{
	prepare("duration_time,user_time,max_rss,cs", 1);
	run.tool[TOOL_DURATION_TIME] = 1000;
	run.tool[TOOL_USER_TIME] = 300;
	run.tool[TOOL_MAX_RSS] = 77;
	run_readings_fill(&session, TOOLS_ALL, before, after, &run);
	check(__LINE__, 0, (struct reading){ COUNTED, { 1000, 1000, 1000 } });
	check(__LINE__, 1, (struct reading){ COUNTED, { 300, 300, 300 } });
	check(__LINE__, 2, (struct reading){ COUNTED, { 77, 1000, 1000 } });
	check(__LINE__, 3, (struct reading){ .state = NOT_COUNTED });
}

/* This is the case in an interval, and without a command. */
static void if_only_the_clock_is_known_the_others_are_not_counted(void **state)
{
	prepare("duration_time,user_time,max_rss", 1);
	run.tool[TOOL_DURATION_TIME] = 1000;
	openings[2].refused = true;
	run_readings_fill(&session, TOOLS_CLOCK_ONLY, before, after, &run);
	check(__LINE__, 0, (struct reading){ COUNTED, { 1000, 1000, 1000 } });
	check(__LINE__, 1, (struct reading){ .state = NOT_COUNTED });
	check(__LINE__, 2, (struct reading){ .state = NOT_SUPPORTED });
}

/* The clock of a cgroup can jump forward on a CPU. The time enabled is then limited to that of the
 * run. */
static void no_counter_of_a_cgroup_is_on_for_longer_than_the_run(void **state)
{
	static const struct {
		int line;
		size_t cgroups;
		struct reading after, limited;
	} cases[] = {
		{ ROW, 1, { COUNTED, { 7, 200, 200 } }, { COUNTED, { 7, 200, 200 } } },
		{ ROW, 1, { COUNTED, { 7, 12000, 12000 } }, { COUNTED, { 7, 200, 200 } } },
		{ ROW, 1, { COUNTED, { 7, 12000, 7000 } }, { COUNTED, { 7, 200, 200 } } },
		{ ROW, 1, { COUNTED, { 7, 12000, 50 } }, { SCALED, { 7, 200, 50 } } },
		{ ROW, 1, { COUNTED, { 7, 199, 50 } }, { SCALED, { 7, 199, 50 } } },
		{ ROW, 1, { FAILED, { 0 } }, { FAILED, { 0 } } },
		{ ROW, 0, { COUNTED, { 7, 12000, 7000 } }, { SCALED, { 7, 12000, 7000 } } },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		prepare("cycles,duration_time", 1);
		counted_target.cgroups_n = cases[i].cgroups;
		rows[0].counters = 2;
		run.tool[TOOL_DURATION_TIME] = 101;
		after[0] = cases[i].after;
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		run_readings_limit_times(&session, 100, &run);
		check(cases[i].line, 0, cases[i].limited);
		check(cases[i].line, 1, (struct reading){ COUNTED, { 101, 101, 101 } });
		counted_target.cgroups_n = 0;
		finish(NULL);
	}
}

/* An event of one kind of core stays enabled while the tasks run on another kind. The events that
 * were on the PMU the longest show how long the tasks ran on each kind. */
static void the_time_on_other_kinds_of_cores_is_subtracted(void **state)
{
	/* cycles and r1a2 of cpu_core and of cpu_atom, then slots of cpu_core, page-faults */
	static const struct {
		int line;
		struct counts after[5];
		struct reading readings[5];
		uint64_t skew_ns;
	} cases[] = {
		/* the task has moved once */
		{ ROW,
		  { { 900, 100, 60 },
		    { 50, 100, 40 },
		    { 8, 100, 60 },
		    { 9, 100, 40 },
		    { 7, 100, 60 } },
		  { { COUNTED, { 900, 60, 60 } },
		    { COUNTED, { 50, 40, 40 } },
		    { COUNTED, { 8, 60, 60 } },
		    { COUNTED, { 9, 40, 40 } },
		    { COUNTED, { 7, 60, 60 } } } },
		/* it has never run on the other kind */
		{ ROW,
		  { { 900, 100, 100 },
		    { 0, 100, 0 },
		    { 8, 100, 100 },
		    { 0, 100, 0 },
		    { 7, 100, 100 } },
		  { { COUNTED, { 900, 100, 100 } },
		    { COUNTED, { 0, 0, 0 } },
		    { COUNTED, { 8, 100, 100 } },
		    { COUNTED, { 0, 0, 0 } },
		    { COUNTED, { 7, 100, 100 } } } },
		/* one kind has too few counters for all events */
		{ ROW,
		  { { 900, 100, 60 },
		    { 50, 100, 40 },
		    { 8, 100, 30 },
		    { 9, 100, 40 },
		    { 0, 100, 0 } },
		  { { COUNTED, { 900, 60, 60 } },
		    { COUNTED, { 50, 40, 40 } },
		    { SCALED, { 8, 60, 30 } },
		    { COUNTED, { 9, 40, 40 } },
		    { NOT_COUNTED, { 0, 60, 0 } } } },
		/* no event had a counter all the time: the best ones estimate the times */
		{ ROW,
		  { { 900, 100, 30 },
		    { 50, 100, 20 },
		    { 8, 100, 24 },
		    { 9, 100, 10 },
		    { 7, 100, 15 } },
		  { { SCALED, { 900, 60, 30 } },
		    { SCALED, { 50, 40, 20 } },
		    { SCALED, { 8, 60, 24 } },
		    { SCALED, { 9, 40, 10 } },
		    { SCALED, { 7, 60, 15 } } } },
		/* then a count of 0 may mean that the event never had a counter */
		{ ROW,
		  { { 900, 100, 50 },
		    { 0, 100, 0 },
		    { 8, 100, 50 },
		    { 0, 100, 0 },
		    { 7, 100, 50 } },
		  { { SCALED, { 900, 100, 50 } },
		    { NOT_COUNTED, { 0, 0, 0 } },
		    { SCALED, { 8, 100, 50 } },
		    { NOT_COUNTED, { 0, 0, 0 } },
		    { SCALED, { 7, 100, 50 } } } },
		/* the counters of a running task are read one after the other */
		{ ROW,
		  { { 9, 99980, 60000 },
		    { 5, 99990, 39985 },
		    { 8, 99995, 60000 },
		    { 9, 100000, 39980 },
		    { 7, 100000, 59900 } },
		  { { COUNTED, { 9, 60000, 60000 } },
		    { COUNTED, { 5, 39985, 39985 } },
		    { COUNTED, { 8, 60000, 60000 } },
		    { COUNTED, { 9, 39980, 39980 } },
		    { SCALED, { 7, 60000, 59900 } } },
		  10 },
		{ ROW,
		  { { 9, 100000, 60000 },
		    { 5, 100000, 39985 },
		    { 8, 100000, 60000 },
		    { 9, 100000, 39985 },
		    { 7, 100000, 60000 } },
		  { { SCALED, { 9, 60009, 60000 } },
		    { SCALED, { 5, 39990, 39985 } },
		    { SCALED, { 8, 60009, 60000 } },
		    { SCALED, { 9, 39990, 39985 } },
		    { SCALED, { 7, 60009, 60000 } } } },
		/* only one kind has too few counters, so the other one has not lost time */
		{ ROW,
		  { { 900, 100, 60 },
		    { 50, 100, 34 },
		    { 8, 100, 60 },
		    { 9, 100, 20 },
		    { 7, 100, 60 } },
		  { { SCALED, { 900, 60, 60 } },
		    { SCALED, { 50, 40, 34 } },
		    { SCALED, { 8, 60, 60 } },
		    { SCALED, { 9, 40, 20 } },
		    { SCALED, { 7, 60, 60 } } } },
		/* an event that was always on proves that the task has never moved */
		{ ROW,
		  { { 900, 100, 50 },
		    { 0, 100, 0 },
		    { 8, 100, 40 },
		    { 0, 100, 0 },
		    { 7, 100, 100 } },
		  { { SCALED, { 900, 100, 50 } },
		    { COUNTED, { 0, 0, 0 } },
		    { SCALED, { 8, 100, 40 } },
		    { COUNTED, { 0, 0, 0 } },
		    { COUNTED, { 7, 100, 100 } } } },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		prepare("cycles,r1a2,slots,page-faults", 1);
		assert_int_equal(events.n, 6);
		for (size_t k = 0; k < 5; k++)
			after[k] = (struct reading){ COUNTED, cases[i].after[k] };
		after[5] = (struct reading){ COUNTED, { 3, 100, 100 } };
		session.skew_ns = cases[i].skew_ns;
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		for (size_t k = 0; k < 5; k++)
			check(cases[i].line, k, cases[i].readings[k]);
		check(cases[i].line, 5, (struct reading){ COUNTED, { 3, 100, 100 } });
		finish(NULL);
	}
}

static void three_kinds_of_cores_share_the_time(void **state)
{
	static const struct counts counted[] = { { 500, 100, 50 },
						 { 60, 100, 30 },
						 { 7, 100, 20 } };

	tree_add(machine.root, "sys/bus/event_source/devices/cpu_lowpower/type", "11\n");
	prepare("cycles", 1);
	assert_int_equal(events.n, N_OF(counted));
	for (size_t i = 0; i < N_OF(counted); i++)
		after[i] = (struct reading){ COUNTED, counted[i] };
	run_readings_fill(&session, TOOLS_ALL, before, after, &run);
	for (size_t i = 0; i < N_OF(counted); i++)
		check(__LINE__, i,
		      (struct reading){
			      COUNTED,
			      { counted[i].raw, counted[i].running_ns, counted[i].running_ns } });
	finish(NULL);
}

/* A refused event has no times. Those of events that children do not inherit, or that were switched
 * alone, say nothing about other events. */
static void other_events_that_are_not_enabled_together_are_scaled(void **state)
{
	for (size_t i = 0; i < 3; i++) {
		prepare("cycles,slots", 1);
		openings[1].refused = i == 0;
		openings[0].first_only = openings[1].first_only = i == 1;
		session.switched_by_name = i == 2;
		for (size_t k = 0; k < 3; k++)
			after[k] = (struct reading){ COUNTED, { 5, 100, 60 - 20 * (k % 2) } };
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		if (i == 0) {
			check(__LINE__, 0, (struct reading){ SCALED, { 5, 100, 60 } });
		} else {
			check(__LINE__, 0, (struct reading){ COUNTED, { 5, 60, 60 } });
			check(__LINE__, 1, (struct reading){ COUNTED, { 5, 40, 40 } });
		}
		check(__LINE__, 2, (struct reading){ SCALED, { 5, 100, 60 } });
		finish(NULL);
	}
}

/* A child has run if the inherited event, which is read first, was enabled for longer than the
 * other. */
static void a_zero_of_the_first_task_is_withheld_if_a_child_has_run(void **state)
{
	static const struct {
		int line;
		bool first_only;
		uint64_t all_ns, own_ns, raw;
		enum count_state state;
	} cases[] = {
		{ ROW, true, 101, 100, 0, NOT_COUNTED }, { ROW, true, 100, 100, 0, COUNTED },
		{ ROW, true, 100, 101, 0, COUNTED },	 { ROW, true, 101, 100, 1, COUNTED },
		{ ROW, false, 101, 100, 0, COUNTED },
	};

	for (size_t i = 0; i < N_OF(cases); i++) {
		const struct counts counted[] = { { 0, cases[i].all_ns, 0 },
						  { 0, cases[i].own_ns, 0 } };

		fake_reset();
		fake_accept_clocks();
		fake_readings(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, counted, N_OF(counted));
		prepare("cycles", 2);
		assert_int_equal(counters_watch_children(&session.counters, 0, 1, COUNTER_AT_ONCE),
				 0);
		openings[0].first_only = cases[i].first_only;
		after[0] = after[1] = (struct reading){ COUNTED, { cases[i].raw, 50, 50 } };
		run_readings_fill(&session, TOOLS_ALL, before, after, &run);
		row_int(&cases[i], filled[0].state, COUNTED); /* the task is in the other place */
		check(cases[i].line, 1,
		      (struct reading){ cases[i].state, { cases[i].raw, 50, 50 } });
		counters_close(&session.counters);
		finish(NULL);
	}
}

static void a_task_is_watched_once_with_two_events(void **state)
{
	struct counters c = { 0 };

	fake_reset();
	fake_accept_clocks();
	assert_int_equal(counters_watch_children(&c, 7, 0, COUNTER_BY_EXEC), 0);
	assert_int_equal(counters_watch_children(&c, 7, 0, COUNTER_BY_EXEC), 0);
	assert_int_equal(fake_opens_n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(fake_opens[i].pid, 7);
		assert_int_equal(fake_opens[i].attr.config, PERF_COUNT_SW_DUMMY);
		assert_int_equal(fake_opens[i].attr.inherit, i);
		assert_int_equal(fake_opens[i].attr.enable_on_exec, 1);
	}
	counters_close(&c);
	fake_reset();
	fake_accept_clocks();
	assert_int_equal(counters_watch_children(&c, 7, 0, COUNTER_SWITCHED), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(fake_opens[i].attr.disabled, 1);
		assert_int_equal(fake_opens[i].attr.enable_on_exec, 0);
	}
	counters_switch(&c, KERNEL_ON);
	assert_true(fake_opens[0].on && fake_opens[1].on);
	counters_switch(&c, KERNEL_OFF);
	assert_false(fake_opens[0].on || fake_opens[1].on);
	counters_close(&c);
	fake_refuse(EACCES, fake_counts_kernel);
	fake_refuse_event(EMFILE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	assert_int_equal(counters_watch_children(&c, 7, 0, COUNTER_AT_ONCE), 0);
	assert_int_equal(c.child_watches_n, 0);
	assert_false(counters_child_ran(&c, 0));
	counters_close(&c);
}

/* Check the times enabled of three readings after reading_share_time(). */
static void check_times(int line, struct enabled_together together, const uint64_t enabled_ns[3],
			const uint64_t running_ns[3], const uint64_t expected_ns[3])
{
	static const bool shares[3] = { true, true, false };
	struct reading from[3] = { 0 }, to[3] = { 0 };

	for (size_t i = 0; i < 3; i++) {
		from[i].counts = (struct counts){ 7, 1000 + i, 500 };
		to[i].counts = (struct counts){ 9, 1000 + i + enabled_ns[i], 500 + running_ns[i] };
	}
	reading_share_time(from, to, shares, 3, &together);
	for (size_t i = 0; i < 3; i++)
		if (to[i].counts.enabled_ns != 1000 + i + expected_ns[i])
			fail_msg("line %d, reading %zu: enabled for %llu ns, not %llu", line, i,
				 (unsigned long long)(to[i].counts.enabled_ns - 1000 - i),
				 (unsigned long long)expected_ns[i]);
}

#define CHECK_TIMES(...) check_times(__LINE__, __VA_ARGS__)
#define THREE(...) ((const uint64_t[3]){ __VA_ARGS__ })

static void events_enabled_together_have_the_same_time(void **state)
{
	const struct enabled_together alone = { 0 }, skewed = { .skew_ns = 40 };

	/* the last time off the PMU is missing, even in a reading that looks exact */
	CHECK_TIMES(alone, THREE(900, 600, 300), THREE(500, 600, 300), THREE(900, 900, 300));
	CHECK_TIMES(alone, THREE(900, 0, 300), THREE(900, 0, 300), THREE(900, 900, 300));
	CHECK_TIMES(alone, THREE(900, 890, 0), THREE(900, 890, 0), THREE(900, 900, 0));
	/* read one after the other while the task runs: on the PMU all the time */
	CHECK_TIMES(skewed, THREE(900, 870, 0), THREE(900, 870, 0), THREE(900, 870, 0));
	CHECK_TIMES(skewed, THREE(900, 850, 0), THREE(900, 850, 0), THREE(900, 900, 0));
	CHECK_TIMES(skewed, THREE(900, 870, 0), THREE(900, 860, 0), THREE(900, 900, 0));
	/* the kernel removed the events at an exec, or they were never enabled */
	CHECK_TIMES(alone, THREE(0, 0, 300), THREE(0, 0, 300), THREE(0, 0, 300));
}

static void a_clock_corrects_the_longest_time(void **state)
{
	const uint64_t ms = 1000000;
	const struct enabled_together near = { .clock_ns = 90 * ms + 900000 };
	const struct enabled_together ahead = { .clock_ns = 91 * ms + 1 };
	const struct enabled_together far_ahead = { .clock_ns = 100 * ms };
	const struct enabled_together beyond = { .clock_ns = 120 * ms };

	/* in another context of the task, the clock is a little ahead */
	CHECK_TIMES(near, THREE(90 * ms, 80 * ms, 0), THREE(90 * ms, 10 * ms, 0),
		    THREE(90 * ms, 90 * ms, 0));
	CHECK_TIMES(ahead, THREE(90 * ms, 90 * ms, 0), THREE(90 * ms, 90 * ms, 0),
		    THREE(90 * ms, 90 * ms, 0));
	CHECK_TIMES(ahead, THREE(90 * ms, 80 * ms, 0), THREE(90 * ms, 10 * ms, 0),
		    THREE(90 * ms, 91 * ms + 1, 0));
	/* several tasks have lost time: no reading is exact */
	CHECK_TIMES(far_ahead, THREE(90 * ms, 80 * ms, 50), THREE(90 * ms, 70 * ms, 50),
		    THREE(100 * ms, 100 * ms, 50));
	/* if no counter was seen off the PMU, this may be due to switches of tasks */
	CHECK_TIMES(far_ahead, THREE(90 * ms, 90 * ms, 50), THREE(90 * ms, 90 * ms, 50),
		    THREE(90 * ms, 90 * ms, 50));
	CHECK_TIMES(beyond, THREE(90 * ms, 90 * ms, 50), THREE(90 * ms, 90 * ms, 50),
		    THREE(120 * ms, 120 * ms, 50));
}

static void a_time_that_became_less_gains_nothing(void **state)
{
	prepare("r1", 1);
	before[0].counts = (struct counts){ 10, 2000, 1000 };
	after[0].counts = (struct counts){ 30, 1500, 1400 };
	run_readings_fill(&session, TOOLS_ALL, before, after, &run);
	assert_int_equal(filled[0].counts.enabled_ns, 0);
	assert_int_equal(filled[0].counts.running_ns, 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reading_of_a_run_is_a_difference),
		cmocka_unit_test(a_sum_has_the_state_and_the_errors_of_its_parts),
		cmocka_unit_test(the_reason_of_a_failed_reading_is_kept),
		cmocka_unit_test(a_row_that_missed_user_time_is_not_counted),
		cmocka_unit_test_teardown(a_snapshot_is_the_last_value, finish),
		cmocka_unit_test_teardown(a_refused_event_is_not_supported_at_any_place, finish),
		cmocka_unit_test_teardown(an_event_of_another_pass_has_no_reading, finish),
		cmocka_unit_test_teardown(tool_events_have_the_values_of_the_run, finish),
		cmocka_unit_test_teardown(if_only_the_clock_is_known_the_others_are_not_counted,
					  finish),
		cmocka_unit_test_setup_teardown(the_time_on_other_kinds_of_cores_is_subtracted,
						begin_hybrid, end_hybrid),
		cmocka_unit_test_setup_teardown(three_kinds_of_cores_share_the_time, begin_hybrid,
						end_hybrid),
		cmocka_unit_test_setup_teardown(
			other_events_that_are_not_enabled_together_are_scaled, begin_hybrid,
			end_hybrid),
		cmocka_unit_test(a_zero_of_the_first_task_is_withheld_if_a_child_has_run),
		cmocka_unit_test(a_task_is_watched_once_with_two_events),
		cmocka_unit_test(events_enabled_together_have_the_same_time),
		cmocka_unit_test(a_clock_corrects_the_longest_time),
		cmocka_unit_test_teardown(a_time_that_became_less_gains_nothing, finish),
		cmocka_unit_test(no_counter_of_a_cgroup_is_on_for_longer_than_the_run),
	};

	return cmocka_run_group_tests_name("run_readings", tests, NULL, NULL);
}
