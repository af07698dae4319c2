/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "event/resolve.c" /* for its static functions */
#include "unit/test.h"

/* Sources of the test. */
static const char *const *known;
static const char *aliases; /* names of other tools for each of them */
static const char *source_name = "known";

static int known_list(const struct event_listing *l)
{
	int stop = 0;

	for (size_t i = 0; stop == 0 && known[i]; i++) {
		struct event_info info = { .name = known[i],
					   .source = source_name,
					   .aliases = aliases };

		stop = l->visit(&info, l->data);
	}
	return stop;
}

static const struct event_source lists = { .name = "known", .list = known_list };
static const struct event_source lists_nothing = { .name = "raw" };

static void check(int line, const char *name, const char *const names[], const char *expected)
{
	static const struct event_source *const tested[] = { &lists_nothing, &lists };
	const struct {
		int line;
	} row = { line };
	cleanup_str struct str out = { 0 };

	known = names;
	row_int(&row, resolve_suggest_names(NULL, tested, N_OF(tested), name, strlen(name), &out),
		0);
	row_string(&row, str_text(&out), expected);
}

static void the_three_nearest_are_named_nearest_first(void **state)
{
	static const char *const names[] = { "cache-misses",  "branch-misses", "cycles",
					     "branch-loads",  "branches",      "bus-cycles",
					     "branch-missed", "cpu-cycles",    NULL };
	static const struct {
		int line;
		const char *name, *expected;
	} rows[] = {
		{ ROW, "branch-misse", "'branch-misses' or 'branch-missed'" },
		{ ROW, "BRANCH_MISSES", "'branch-misses'" }, /* no letter differs */
		{ ROW, "cycle", "'cycles', 'bus-cycles' or 'cpu-cycles'" },
		{ ROW, "cylces", "'cycles', 'bus-cycles' or 'cpu-cycles'" },
		{ ROW, "zzzzzz", "" },
		{ ROW, "", "" },
	};

	for (size_t i = 0; i < N_OF(rows); i++)
		check(rows[i].line, rows[i].name, names, rows[i].expected);
}

static void a_name_of_other_tools_suggests_the_event(void **state)
{
	static const char *const names[] = { "duration_time", NULL };

	aliases = "elapsed wall-time";
	check(__LINE__, "elapsed", names, "'duration_time'");
	check(__LINE__, "elapsd", names, "'duration_time'");
	check(__LINE__, "wall", names, "'duration_time'");
	check(__LINE__, "duration", names, "'duration_time'");
	check(__LINE__, "elapsed wall-time", names, "");
	aliases = NULL;
	check(__LINE__, "elapsed", names, "");
}

static void a_name_that_two_sources_have_is_named_once(void **state)
{
	static const char *const names[] = { "faults", "cs", "faults", "FAULTS", NULL };

	check(__LINE__, "fault", names, "'faults'");
}

static void two_names_are_joined_by_or(void **state)
{
	static const char *const names[] = { "faults", "vaults", NULL };

	check(__LINE__, "faultz", names, "'faults' or 'vaults'");
}

static void a_beginning_suggests_the_whole_name(void **state)
{
	static const char *const names[] = { "INST_RETIRED:ANY", "UOPS", NULL };

	check(__LINE__, "inst_retired", names, "'INST_RETIRED:ANY'");
}

/* The suggestion for any other name must not depend on the tracepoints of the machine. */
static void a_tracepoint_is_suggested_for_a_group_or_one_wrong_letter(void **state)
{
	static const char *const names[] = { "sched:sched_switch", "kvmmmu:kvm_mmu_pagetable_walk",
					     "xfs:xfs_attr_list_sf_all", NULL };
	static const struct {
		int line;
		const char *name, *expected;
	} rows[] = {
		{ ROW, "wall", "" },
		{ ROW, "walk", "" },
		{ ROW, "sched", "" },
		{ ROW, "switch", "" },
		{ ROW, "sched_switch", "'sched:sched_switch'" },
		{ ROW, "sched_swich", "'sched:sched_switch'" },
		{ ROW, "sched_swch", "" },
		{ ROW, "shed:sched_swch", "'sched:sched_switch'" },
	};

	source_name = source_tracepoint.name;
	for (size_t i = 0; i < N_OF(rows); i++)
		check(rows[i].line, rows[i].name, names, rows[i].expected);
	source_name = "known";
}

static void names_that_are_too_long_are_ignored(void **state)
{
	char longest[129], longer[130];
	const char *names[] = { longer, longest, NULL };
	cleanup_str struct str expected = { 0 };

	memset(longest, 'a', 127);
	strcpy(longest + 127, "");
	memset(longer, 'a', 129);
	longer[129] = '\0';
	str_addf(&expected, "'%s'", longest);
	check(__LINE__, longest, names, str_text(&expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_three_nearest_are_named_nearest_first),
		cmocka_unit_test(a_name_of_other_tools_suggests_the_event),
		cmocka_unit_test(a_name_that_two_sources_have_is_named_once),
		cmocka_unit_test(two_names_are_joined_by_or),
		cmocka_unit_test(a_beginning_suggests_the_whole_name),
		cmocka_unit_test(a_tracepoint_is_suggested_for_a_group_or_one_wrong_letter),
		cmocka_unit_test(names_that_are_too_long_are_ignored),
	};

	return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
