/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributing events over passes, by trying which events the kernel schedules together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "count/session.h"
#include "event/resolve.h"
#include "job/events.h"
#include "unit/descriptors.h"
#include "unit/fake_kernel.h"
#include "unit/test.h"

static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static struct event_list events;
static struct target target;
static struct session session;

static int start(void **state)
{
	fake_reset();
	/* so that time running grows */
	fake_pass_with_each_reading(10);
	return 0;
}

static int finish(void **state)
{
	session_close(&session);
	target_release(&target);
	event_list_release(&events);
	return 0;
}

/* Open a session for these events. The caller frees *units; all_passes: with --no-multiplex. */
static void begin(const char *list, size_t **units, bool all_passes)
{
	static const struct target_request command = { 0 };
	cleanup_why struct why why = { 0 };
	struct session_setup setup;

	if (resolve_events(&machine, RESOLVE_BY_ALL, list, &events, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
	assert_int_equal(target_init(&target, &machine, &command, &why), 0);
	*units = events_units(&events, NULL);
	assert_non_null(*units);
	setup = (struct session_setup){ .machine = &machine,
					.events = &events,
					.target = &target,
					.inherit = COUNTER_ALL_TASKS,
					.has_command = true,
					.units = all_passes ? *units : NULL };
	assert_int_equal(session_open(&session, &setup, &why), 0);
}

static void find(const char *list)
{
	cleanup_free size_t *units = NULL;

	begin(list, &units, true);
}

/* Check the budget of these events without --no-multiplex. Returns the number of events that were
 * opened to find it. */
static size_t check_fit(const char *list, struct budget *budget)
{
	cleanup_free size_t *units = NULL;
	size_t opened, before = 0;

	begin(list, &units, false);
	for (size_t i = 0; i < session.rows_n; i++)
		before += session.rows[i].counters;
	opened = fake_opens_n;
	assert_int_equal(passes_check(&session.opener, &session.job, units, budget), 0);
	for (size_t i = 0; i < session.rows_n; i++)
		before -= session.rows[i].counters;
	assert_int_equal(before, 0);
	return fake_opens_n - opened;
}

static void fits(int line, const char *list, size_t opened)
{
	const struct {
		int line;
	} row = { line };
	struct budget budget;

	row_int(&row, check_fit(list, &budget), opened);
	row_int(&row, budget.fits, true);
	row_int(&row, budget.passes, 1);
	finish(NULL);
}

static void does_not_fit(int line, const char *list, struct budget expected)
{
	const struct {
		int line;
	} row = { line };
	size_t descriptors = count_descriptors();
	struct budget budget;

	check_fit(list, &budget);
	row_int(&row, budget.fits, false);
	row_int(&row, budget.events, expected.events);
	row_int(&row, budget.counters, expected.counters);
	row_int(&row, budget.passes, expected.passes);
	row_int(&row, budget.too_large, expected.too_large);
	for (size_t i = 0; i < events.n; i++)
		row_int(&row, session.openings[i].refused, false);
	finish(NULL);
	row_int(&row, count_descriptors(), descriptors);
}

/* The pass of each group; "*": in all of them. */
static void check(int line, size_t n, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < events.groups_n; i++) {
		str_add(&text, i ? " " : "");
		if (session.passes[i] == PASS_ALL)
			str_add(&text, "*");
		else
			str_addf(&text, "%zu", session.passes[i]);
	}
	row_string(&row, str_text(&text), expected);
	row_int(&row, session.passes_n, n);
}

static void groups_that_fit_are_one_pass(void **state)
{
	fake_pmu_counters(7);
	find("r1,r2,r3,{r4,r5},r6,r7");
	check(__LINE__, 1, "0 0 0 0 0 0");
}

static void twelve_events_on_seven_counters_are_two_passes(void **state)
{
	size_t before = count_descriptors();

	fake_pmu_counters(7);
	find("r1,r2,r3,r4,r5,r6,r7,r8,r9,ra,rb,rc");
	check(__LINE__, 2, "0 0 0 0 0 0 0 1 1 1 1 1");
	session_release_reserve(&session);
	assert_int_equal(count_descriptors(), before);
}

/* First fit: if a group is too large for a pass, later smaller groups may still use it. */
static void groups_stay_whole(void **state)
{
	fake_pmu_counters(4);
	find("{r1,r2,r3},{r4,r5},r6,{r7,r8,r9,ra},rb");
	check(__LINE__, 3, "0 1 0 2 1");
}

static void ratio_partners_stay_together(void **state)
{
	fake_pmu_counters(2);
	find("cycles,r1,instructions,branches,r2,branch-misses");
	check(__LINE__, 3, "0 1 0 2 1 2");
}

/* Unscaled counts were requested: a ratio of two runs is left out, a count is not. */
static void partners_that_do_not_fit_together_are_counted_apart(void **state)
{
	fake_pmu_counters(1);
	find("cycles,r1,instructions");
	check(__LINE__, 3, "0 1 2");
	finish(NULL);
	start(NULL);
	fake_pmu_counters(2);
	find("{cycles,r1},{instructions,r2},r3,r4");
	check(__LINE__, 3, "0 1 2 2");
}

/* The events of a weak group that is too large are counted apart, in one pass. */
static void a_weak_group_that_is_too_large_has_a_pass(void **state)
{
	fake_pmu_counters(2);
	find("r4,{r1,r2,r3}:W,r5");
	check(__LINE__, 2, "0 1 0");
}

static void groups_without_a_counter_are_in_all_passes(void **state)
{
	fake_pmu_counters(1);
	find("task-clock,r1,cs,duration_time,r2,{faults,migrations}");
	check(__LINE__, 2, "* 0 * * 1 *");
}

static void without_a_pmus_events_there_is_one_pass(void **state)
{
	find("task-clock,cs");
	check(__LINE__, 1, "* *");
}

static void a_refused_event_does_not_affect_the_passes(void **state)
{
	fake_pmu_counters(2);
	fake_refuse_event(ENOENT, PERF_TYPE_RAW, 2);
	find("r1,r2,r3,r4");
	check(__LINE__, 2, "0 0 0 1");
	assert_true(session.openings[1].refused);
	assert_non_null(session.openings[1].reason.text);
	for (size_t i = 0; i < events.n; i++)
		assert_int_equal(session.openings[i].refused, i == 1);
}

static void a_refused_member_leaves_its_group_smaller(void **state)
{
	fake_pmu_counters(2);
	fake_refuse_event(ENOENT, PERF_TYPE_RAW, 2);
	find("{r1,r2,r3},r4");
	check(__LINE__, 2, "0 1");
	assert_true(session.openings[1].refused);
	assert_false(session.openings[0].refused || session.openings[2].refused);
}

static void a_group_larger_than_the_pmu_is_refused_with_the_reason(void **state)
{
	fake_pmu_counters(2);
	find("{r1,r2,r3},r4,r5");
	assert_true(session.openings[0].refused && session.openings[1].refused &&
		    session.openings[2].refused);
	assert_non_null(
		strstr(session.openings[0].reason.text, "the group needs 3 counters at once"));
	assert_false(session.openings[3].refused || session.openings[4].refused);
	assert_int_equal(session.passes[1], session.passes[2]);
	assert_int_equal(session.passes_n, 1);
}

/* No counter stays on, and a pass opens its own groups and those of all passes. */
static void each_pass_opens_its_groups(void **state)
{
	struct counters counters = { 0 };
	struct open_job job;

	fake_pmu_counters(2);
	find("cs,r1,{r2,r3},r4");
	check(__LINE__, 2, "* 0 1 0");
	job = session.job;
	job.scopes = target.scopes;
	job.scopes_n = 1;
	for (size_t pass = 0; pass < session.passes_n; pass++) {
		fake_opens_n = 0;
		job.pass = pass;
		assert_int_equal(opener_open(&session.opener, &counters, &job), 0);
		assert_int_equal(counters.n, 3);
		assert_int_equal(counters.v[0].row, 0);
		assert_int_equal(counters.v[1].row, pass == 0 ? 1 : 2);
		assert_int_equal(counters.v[2].row, pass == 0 ? 4 : 3);
		for (size_t i = 0; i < fake_opens_n; i++)
			assert_false(fake_opens[i].on);
		counters_close(&counters);
	}
}

/* First fit in the order of the list would need one more pass. */
static void large_groups_are_placed_first(void **state)
{
	fake_pmu_counters(6);
	find("{r1,r2},{r3,r4},{r5,r6,r7,r8},{r9,ra,rb,rc}");
	check(__LINE__, 2, "0 1 0 1");
}

static void a_long_list_is_distributed(void **state)
{
	cleanup_str struct str list = { 0 };

	for (unsigned int i = 0; i < 200; i++)
		str_addf(&list, "%sr%x", i ? "," : "", i + 1);
	fake_pmu_counters(7);
	find(str_text(&list));
	assert_int_equal(session.passes_n, 29);
	assert_true(fake_opens_n < 15000);
}

static void the_budget_is_known_after_the_search(void **state)
{
	fake_pmu_counters(7);
	find("r1,r2,r3,r4,cs,r5,r6,r7,r8,r9,ra,rb,rc");
	assert_false(session.budget.fits);
	assert_int_equal(session.budget.events, 12);
	assert_int_equal(session.budget.counters, 7);
	assert_int_equal(session.budget.passes, 2);
	finish(NULL);
	start(NULL);
	fake_pmu_counters(7);
	find("r1,r2,cs");
	assert_true(session.budget.fits);
}

/* One trial, and one call for each event that needs a counter. */
static void events_that_fit_cost_one_call_each(void **state)
{
	fits(__LINE__, "cs,page-faults,duration_time,user_time", 0);
	fits(__LINE__, "cycles", 1);
	fits(__LINE__, "cs,cycles,instructions,branches,branch-misses,task-clock", 4);
	fits(__LINE__, "mem:0x1000:w,cs", 0);
}

static void a_refused_event_is_not_tried(void **state)
{
	fake_refuse_event(ENOENT, PERF_TYPE_RAW, 2);
	fits(__LINE__, "r1,r2", 1);
	fits(__LINE__, "r2", 0);
}

static void a_group_that_is_refused_does_not_share_counters(void **state)
{
	struct budget budget;

	fake_pmu_counters(2);
	check_fit("{r1,r2,r3},r4", &budget);
	assert_true(budget.fits);
	assert_true(session.openings[0].refused);
}

static void events_that_do_not_fit_have_a_budget(void **state)
{
	fake_pmu_counters(7);
	does_not_fit(__LINE__, "r1,r2,r3,r4,r5,r6,r7,r8,r9,ra,rb,rc,cs",
		     (struct budget){ .events = 12, .counters = 7, .passes = 2 });
	does_not_fit(__LINE__, "{r1,r2,r3,r4},{r5,r6,r7,r8},{r9,ra,rb,rc}",
		     (struct budget){ .events = 12, .counters = 7, .passes = 3 });
	fake_pmu_counters(2);
	does_not_fit(__LINE__, "cycles,r1,instructions",
		     (struct budget){ .events = 3, .counters = 2, .passes = 2 });
	does_not_fit(__LINE__, "r4,{r1,r2,r3}:W,r5",
		     (struct budget){ .events = 5, .counters = 2, .passes = 2, .too_large = true });
}

/* The set of each group, if the groups take turns. */
static void take_turns(int line, const char *list, size_t n, const char *expected)
{
	const struct {
		int line;
	} row = { line };
	cleanup_free size_t *units = NULL;
	cleanup_str struct str text = { 0 };

	begin(list, &units, false);
	for (size_t i = 0; session.turns.n > 0 && i < events.groups_n; i++) {
		str_add(&text, i ? " " : "");
		if (session.turns.sets[i] == PASS_ALL)
			str_add(&text, "*");
		else
			str_addf(&text, "%zu", session.turns.sets[i]);
	}
	row_int(&row, session.turns.n, n);
	row_string(&row, str_text(&text), expected);
	row_int(&row, session.reopens, n > 0);
	finish(NULL);
}

static void groups_that_share_counters_take_turns(void **state)
{
	fake_pmu_counters(4);
	take_turns(__LINE__, "r1,r2,r3,r4,cs", 0, "");
	/* always on: the first single event or a pinned group, and each group that fits every set */
	take_turns(__LINE__, "r1,cs,r2,r3,r4,r5", 2, "* * * 0 0 1");
	take_turns(__LINE__, "r1,cs,r2,r3,r4,r5,r6", 2, "* * * 0 0 1 1");
	take_turns(__LINE__, "{r1,r2},r3,r4,r5,r6", 2, "0 * * 1 1");
	take_turns(__LINE__, "{r1,r2},{r3,r4},{r5,r6}", 2, "* 0 1");
	take_turns(__LINE__, "{r1,r2},{r3,r4},{r5,r6},{r7,r8}", 2, "0 0 1 1");
	/* a group that needs all counters: no event is always on */
	take_turns(__LINE__, "{r1,r2,r3,r4},r5,r6", 2, "0 1 1");
	take_turns(__LINE__, "r1,r2:D,r3,r4,r5,r6", 2, "* * 0 0 1 1");
	/* with fewer than four counters, no event takes a counter from the others */
	fake_pmu_counters(3);
	take_turns(__LINE__, "r1,r2,r3,r4,r5", 2, "* 0 0 1 1");
	take_turns(__LINE__, "r1,r2,r3,r4,r5,r6", 2, "0 0 0 1 1 1");
}

/* The events rf1 to rf4 are refused outside a group, like topdown-* without slots. */
static bool is_alone(const struct fake_open *call)
{
	return call->group_fd < 0 && call->attr.type == PERF_TYPE_RAW &&
	       call->attr.config >= 0xf1 && call->attr.config <= 0xf4;
}

static void events_that_need_a_group_are_tried_in_it(void **state)
{
	fake_pmu_counters(4);
	fake_refuse(EINVAL, is_alone);
	does_not_fit(__LINE__, "{r1,rf1,rf2,rf3},{r2,rf4}",
		     (struct budget){ .events = 6, .counters = 4, .passes = 2 });
	does_not_fit(__LINE__, "{r1,rf1,rf2},{r2,rf3,rf4}",
		     (struct budget){ .events = 6, .counters = 3, .passes = 2 });
	does_not_fit(__LINE__, "{r1,rf1,rf2},{r2,rf3,rf4},r3,r4",
		     (struct budget){ .events = 8, .counters = 4, .passes = 2 });
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(groups_that_fit_are_one_pass),
		TEST(twelve_events_on_seven_counters_are_two_passes),
		TEST(groups_stay_whole),
		TEST(ratio_partners_stay_together),
		TEST(partners_that_do_not_fit_together_are_counted_apart),
		TEST(a_weak_group_that_is_too_large_has_a_pass),
		TEST(groups_without_a_counter_are_in_all_passes),
		TEST(without_a_pmus_events_there_is_one_pass),
		TEST(a_refused_event_does_not_affect_the_passes),
		TEST(a_refused_member_leaves_its_group_smaller),
		TEST(a_group_larger_than_the_pmu_is_refused_with_the_reason),
		TEST(each_pass_opens_its_groups),
		TEST(large_groups_are_placed_first),
		TEST(a_long_list_is_distributed),
		TEST(the_budget_is_known_after_the_search),
		TEST(events_that_fit_cost_one_call_each),
		TEST(a_refused_event_is_not_tried),
		TEST(a_group_that_is_refused_does_not_share_counters),
		TEST(events_that_do_not_fit_have_a_budget),
		TEST(groups_that_share_counters_take_turns),
		TEST(events_that_need_a_group_are_tried_in_it),
	};

	return cmocka_run_group_tests_name("passes", tests, NULL, NULL);
}
