/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of --per-process: by process, program, name and as a tree. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "result/process_rows.h"
#include "unit/result/counted.h"
#include "unit/test.h"

#define TEXT(text) ((char *)(uintptr_t)(text))

/* Some processes of a command:
 *	0	sh-1
 *	1	sh-2, created by 0, executes
 *	2	make-2
 *	3	make-3, created by 2, executes
 *	4	cc-3
 *	5	cc-4, created by 2: a process that executed nothing
 *	6	cc-5, created by 0, later than the children of 2
 */
static const struct process processes[] = {
	{ .pid = 1, .first = 0, .parent = PLACE_NONE, .name = TEXT("sh"), .end = PROCESS_ENDED },
	{ .pid = 2, .first = 1, .parent = 0, .name = TEXT("sh"), .end = PROCESS_EXECUTED },
	{ .pid = 2,
	  .first = 1,
	  .continues = true,
	  .parent = 0,
	  .name = TEXT("make"),
	  .end = PROCESS_ENDED,
	  .wait_status = 9 },
	{ .pid = 3, .first = 3, .parent = 2, .name = TEXT("make"), .end = PROCESS_EXECUTED },
	{ .pid = 3,
	  .first = 3,
	  .continues = true,
	  .parent = 2,
	  .name = TEXT("cc"),
	  .end = PROCESS_ENDED },
	{ .pid = 4, .first = 5, .parent = 2, .name = TEXT("cc"), .end = PROCESS_ENDED },
	{ .pid = 5, .first = 6, .parent = 0, .name = TEXT("cc"), .end = PROCESS_RUNNING },
};

enum { EVENTS_N = 2 };

static struct counted counted;
static struct process copies[N_OF(processes)];

/* The counts of the event cs are 1, 2, 4, ... ; those of faults are 10 times as many. */
static int start(void **state)
{
	static const char *const places[] = { "a", "b", "c", "d", "e", "f", "g", NULL };

	counted_init(&counted, "cs,faults", places, 1);
	counted.series.split = PLACE_PROCESS;
	counted.series.subject = strdup("'it'");
	for (size_t i = 0; i < N_OF(processes); i++) {
		copies[i] = processes[i];
		copies[i].command = TEXT("command");
		copies[i].start_ns = i;
		copies[i].end_ns = 10 * (i + 1);
		copies[i].processes_n = 1;
		counted.places[i].process = &copies[i];
		counted.places[i].kind = PLACE_PROCESS;
		counted_set(&counted, EVENTS_N * i, UINT64_C(1) << i);
		counted_set(&counted, EVENTS_N * i + 1, UINT64_C(10) << i);
	}
	return 0;
}

static int finish(void **state)
{
	free(TEXT(counted.series.subject));
	for (size_t i = 0; i < N_OF(processes); i++)
		counted.places[i].process = NULL;
	counted_release(&counted);
	return 0;
}

/* "label count", with a blank before it for each level of the tree, and '+' for a sum with children. */
static void assert_rows(const struct process_view *view, const char *expected)
{
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_str struct str text = { 0 };

	assert_int_equal(process_rows_build(&rows, &counted.series, view, &why), 0);
	for (size_t i = 0; i < rows.series.rows_n; i += EVENTS_N) {
		const struct place *place = &rows.places[i / EVENTS_N];
		const struct reading *reading = &rows.series.runs[0].readings[i];

		assert_int_equal(place->process->first, i / EVENTS_N);
		str_addf(&text, "%*s%s%s ", (int)place->process->depth, "", place->label,
			 place->process->with_children ? "+" : "");
		if (reading_has_count(reading->state))
			str_addf(&text, "%d\n", (int)reading->counts.raw);
		else
			str_addf(&text, "state %d\n", (int)reading->state);
	}
	assert_string_equal(str_text(&text), expected);
}

static void the_views_have_the_same_sum(void **state)
{
	assert_rows(&(struct process_view){ .by = PROCESS_BY_EXEC },
		    "sh-1 1\nsh-2 2\nmake-2 4\nmake-3 8\ncc-3 16\ncc-4 32\ncc-5 64\n");
	assert_rows(&(struct process_view){ .by = PROCESS_BY_PROCESS },
		    "sh-1 1\nmake-2 6\ncc-3 24\ncc-4 32\ncc-5 64\n");
	assert_rows(&(struct process_view){ .by = PROCESS_BY_NAME }, "cc 112\nmake 12\nsh 3\n");
}

static void a_tree_has_each_process_after_its_parent(void **state)
{
	assert_rows(&(struct process_view){ .by = PROCESS_BY_TREE }, "sh-1 1\n"
								     "sh-1+ 127\n"
								     " make-2 6\n"
								     " make-2+ 62\n"
								     "  cc-3 24\n"
								     "  cc-4 32\n"
								     " cc-5 64\n");
	copies[6].parent = PLACE_NONE; /* the creator is unknown */
	copies[5].parent = 6; /* in a document with errors: later than the child */
	assert_rows(&(struct process_view){ .by = PROCESS_BY_TREE }, "sh-1 1\n"
								     "sh-1+ 31\n"
								     " make-2 6\n"
								     " make-2+ 30\n"
								     "  cc-3 24\n"
								     "cc-4 32\n"
								     "cc-5 64\n");
}

static void top_and_sort_choose_the_order(void **state)
{
	struct process_view view = { .by = PROCESS_BY_PROCESS, .top = 2 };

	assert_rows(&view, "cc-5 64\ncc-4 32\n(others) 31\n");
	view.top = 5;
	assert_rows(&view, "cc-5 64\ncc-4 32\ncc-3 24\nmake-2 6\nsh-1 1\n");
	for (size_t i = 0; i < N_OF(processes); i++)
		counted_set(&counted, EVENTS_N * i + 1, 100 - i);
	view = (struct process_view){ .by = PROCESS_BY_EXEC, .top = 1, .sort = "faults" };
	assert_rows(&view, "sh-1 1\n(others) 126\n");
	view = (struct process_view){ .by = PROCESS_BY_NAME, .sort = "faults" };
	assert_rows(&view, "cc 112\nsh 3\nmake 12\n");
	for (size_t i = 0; i < N_OF(processes); i++)
		counted_set(&counted, EVENTS_N * i + 1, 1); /* the order of the places remains */
	view = (struct process_view){ .by = PROCESS_BY_EXEC, .sort = "faults" };
	assert_rows(&view, "sh-1 1\nsh-2 2\nmake-2 4\nmake-3 8\ncc-3 16\ncc-4 32\ncc-5 64\n");
}

/* Each process runs from its number to ten times the next one; see start(). */
static void the_longest_times_are_first(void **state)
{
	struct process_view view = { .by = PROCESS_BY_PROCESS, .sort = "elapsed" };
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };

	assert_rows(&view, "cc-5 64\ncc-4 32\ncc-3 24\nmake-2 6\nsh-1 1\n");
	copies[0].end_ns = 1000;
	assert_rows(&view, "sh-1 1\ncc-5 64\ncc-4 32\ncc-3 24\nmake-2 6\n");
	view.top = 1;
	assert_rows(&view, "sh-1 1\n(others) 126\n");
	/* of a name: the sum of its programs */
	copies[0].end_ns = 10;
	view = (struct process_view){ .by = PROCESS_BY_NAME, .sort = "elapsed" };
	assert_rows(&view, "cc 112\nmake 12\nsh 3\n");
	assert_int_equal(process_rows_build(&rows, &counted.series, &view, NULL), 0);
	assert_int_equal(rows.places[0].process->elapsed_ns, 46 + 55 + 64);
	assert_int_equal(rows.places[1].process->elapsed_ns, 28 + 37);
	assert_int_equal(rows.places[2].process->elapsed_ns, 10 + 19);
}

/* The children of a process are in the order of their sums. */
static void a_tree_can_be_sorted(void **state)
{
	struct process_view view = { .by = PROCESS_BY_TREE, .sort = "cs" };

	assert_rows(&view, "sh-1 1\n"
			   "sh-1+ 127\n"
			   " cc-5 64\n"
			   " make-2 6\n"
			   " make-2+ 62\n"
			   "  cc-4 32\n"
			   "  cc-3 24\n");
	/* a tree lasts until its last descendant ends */
	view.sort = "elapsed";
	copies[5].end_ns = 1000;
	assert_rows(&view, "sh-1 1\n"
			   "sh-1+ 127\n"
			   " make-2 6\n"
			   " make-2+ 62\n"
			   "  cc-4 32\n"
			   "  cc-3 24\n"
			   " cc-5 64\n");
}

/* The sum of all rows that are not sums with children is always that of all processes: 127. */
static void a_tree_can_be_folded(void **state)
{
	struct process_view view = { .by = PROCESS_BY_TREE };
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };

	view.top = 1;
	assert_rows(&view, "sh-1 and 4 more 127\n");
	view.top = 2;
	assert_rows(&view, "sh-1 1\n"
			   "sh-1+ 127\n"
			   " cc-5 64\n"
			   " make-2 and 2 more 62\n");
	view.top = 3;
	assert_rows(&view, "sh-1 1\n"
			   "sh-1+ 127\n"
			   " cc-5 64\n"
			   " make-2 and 2 more 62\n");
	view.top = 4; /* a single child is not folded */
	assert_rows(&view, "sh-1 1\n"
			   "sh-1+ 127\n"
			   " cc-5 64\n"
			   " make-2 6\n"
			   " make-2+ 62\n"
			   "  cc-4 32\n"
			   "  cc-3 24\n");
	view.top = 2;
	assert_int_equal(process_rows_build(&rows, &counted.series, &view, NULL), 0);
	assert_int_equal(rows.places[3].process->processes_n, 3);
	assert_int_equal(rows.places[3].process->folded_n, 2);
}

static void the_other_children_of_a_process_are_one_row(void **state)
{
	struct process_view view = { .by = PROCESS_BY_TREE, .top = 2 };

	copies[5].parent = 0; /* sh-1 has three children: make-2 with cc-3, cc-4, cc-5 */
	assert_rows(&view, "sh-1 1\n"
			   "sh-1+ 127\n"
			   " cc-5 64\n"
			   " (others) 62\n");
	view.sort = "elapsed"; /* cc-5 is the longest, then the tree of make-2 */
	copies[4].end_ns = 65;
	view.top = 3;
	assert_rows(&view, "sh-1 1\n"
			   "sh-1+ 127\n"
			   " make-2 and 1 more 30\n"
			   " cc-5 64\n"
			   " cc-4 32\n");
	/* the roots have no parent */
	for (size_t i = 0; i < N_OF(processes); i++)
		copies[i].parent = PLACE_NONE;
	view = (struct process_view){ .by = PROCESS_BY_TREE, .top = 2 };
	assert_rows(&view, "cc-5 64\ncc-4 32\n(others) 31\n");
}

static void several_runs_have_no_times(void **state)
{
	const struct process_view view = { .by = PROCESS_BY_NAME, .sort = "elapsed" };
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	cleanup_why struct why why = { 0 };

	for (size_t i = 0; i < N_OF(processes); i++)
		copies[i].pid = 0;
	assert_int_equal(process_rows_build(&rows, &counted.series, &view, &why), -EINVAL);
	assert_string_equal(why.text,
			    "--sort elapsed: several runs have no times of their processes");
}

static void an_unknown_event_is_explained(void **state)
{
	static const struct {
		int line;
		const char *sort, *why;
	} rows[] = {
		{ ROW, "fault", "--sort: unknown event 'fault'; did you mean 'faults'?" },
		{ ROW, "x", "--sort: unknown event 'x'; choose from: cs, faults, elapsed" },
		{ ROW, "", "--sort: unknown event ''; choose from: cs, faults, elapsed" },
		{ ROW, "elapse", "--sort: unknown event 'elapse'; did you mean 'elapsed'?" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(process_rows_release) struct process_rows built = { 0 };
		cleanup_why struct why why = { 0 }, again = { 0 };
		const struct process_view view = { .by = PROCESS_BY_NAME, .sort = rows[i].sort };

		row_int(&rows[i], process_view_check(&view, &counted.events, &why), -EINVAL);
		row_string(&rows[i], why.text, rows[i].why);
		row_int(&rows[i], process_rows_build(&built, &counted.series, &view, &again),
			-EINVAL);
		row_string(&rows[i], again.text, rows[i].why);
	}
	assert_int_equal(process_view_check(&(struct process_view){ .sort = "faults" },
					    &counted.events, NULL),
			 0);
	assert_int_equal(process_view_check(&(struct process_view){ 0 }, &counted.events, NULL), 0);
}

static void a_process_has_its_first_start_and_its_last_program(void **state)
{
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	const struct process_view view = { .by = PROCESS_BY_PROCESS };
	const struct process *make;

	copies[2].command = TEXT("make all");
	assert_int_equal(process_rows_build(&rows, &counted.series, &view, NULL), 0);
	make = rows.places[1].process;
	assert_string_equal(make->name, "make");
	assert_string_equal(make->command, "make all");
	assert_int_equal(make->start_ns, 1);
	assert_int_equal(make->end_ns, 30);
	assert_int_equal(make->end, PROCESS_ENDED);
	assert_int_equal(make->wait_status, 9);
	assert_int_equal(make->parent_pid, 1);
	assert_int_equal(rows.places[2].process->parent, 1);
	assert_int_equal(rows.places[2].process->parent_pid, 2);
	assert_int_equal(rows.places[0].process->parent_pid, 0);
}

static void names_have_a_number_of_processes(void **state)
{
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	const struct process_view view = { .by = PROCESS_BY_NAME, .top = 1 };

	assert_int_equal(process_rows_build(&rows, &counted.series, &view, NULL), 0);
	assert_string_equal(rows.places[0].label, "cc");
	assert_int_equal(rows.places[0].process->processes_n, 3);
	/* make-2 and sh-1, but not those that only executed another program */
	assert_string_equal(rows.places[1].label, "(others)");
	assert_int_equal(rows.places[1].process->processes_n, 2);
}

/* For comparisons: the first place is the sum of all, and has no process. */
static void names_can_have_the_places_of_several_runs(void **state)
{
	static const struct {
		int line;
		const char *label;
		int count;
	} expected[] = {
		{ ROW, "", 127 }, { ROW, "sh", 3 }, { ROW, "make", 12 }, { ROW, "cc", 112 }
	};
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	const struct process_view view = { .by = PROCESS_BY_NAME, .as_runs = true };

	assert_int_equal(process_rows_build(&rows, &counted.series, &view, NULL), 0);
	assert_int_equal(rows.series.rows_n, EVENTS_N * N_OF(expected));
	assert_true(process_rows_are_names(&rows.series));
	for (size_t i = 0; i < N_OF(expected); i++) {
		const struct process *process = rows.places[i].process;

		row_string(&expected[i], rows.places[i].label, expected[i].label);
		row_int(&expected[i], rows.series.runs[0].readings[EVENTS_N * i].counts.raw,
			expected[i].count);
		row_true(&expected[i], (i == 0) == !process);
		if (!process)
			continue;
		row_int(&expected[i], process->first, i);
		row_true(&expected[i], process->parent == PLACE_NONE && !process->command);
		row_true(&expected[i], process->end_ns == 0 && process->processes_n == 0);
	}
}

static void the_state_of_a_sum_depends_on_its_parts(void **state)
{
	const struct process_view by_name = { .by = PROCESS_BY_NAME };
	const struct process_view by_tree = { .by = PROCESS_BY_TREE };
	struct reading *readings = counted.runs[0].readings;

	readings[EVENTS_N * 0].state = NOT_COUNTED; /* sh-1 */
	readings[EVENTS_N * 0].counts = (struct counts){ 0 };
	readings[EVENTS_N * 4].state = FAILED; /* cc-3 */
	/* the other parts of a sum that failed decide its position */
	assert_rows(&by_name, "cc state 4\nmake 12\nsh 2\n");
	assert_rows(&by_tree, "sh-1 state 2\n"
			      "sh-1+ state 4\n"
			      " make-2 6\n"
			      " make-2+ state 4\n"
			      "  cc-3 state 4\n"
			      "  cc-4 32\n"
			      " cc-5 64\n");
	readings[EVENTS_N * 1].state = NOT_COUNTED; /* sh-2 */
	assert_rows(&by_name, "cc state 4\nmake 12\nsh state 2\n");
}

static void a_scaled_part_makes_the_sum_scaled(void **state)
{
	cleanup_with(process_rows_release) struct process_rows rows = { 0 };
	const struct process_view view = { .by = PROCESS_BY_PROCESS };
	struct reading *part = &counted.runs[0].readings[EVENTS_N * 2];
	const struct reading *sum;

	part->state = SCALED;
	part->counts.running_ns = part->counts.enabled_ns / 2;
	assert_int_equal(process_rows_build(&rows, &counted.series, &view, NULL), 0);
	sum = &rows.series.runs[0].readings[EVENTS_N * 1]; /* make-2 */
	assert_int_equal(sum->state, SCALED);
	assert_int_equal(sum->counts.raw, 6);
	assert_true(sum->counts.running_ns < sum->counts.enabled_ns);
	assert_int_equal(rows.series.runs[0].readings[0].state, COUNTED);
	assert_int_equal(rows.rows[EVENTS_N].counters, 2);
}

static void a_refused_event_has_no_count_anywhere(void **state)
{
	const struct process_view view = { .by = PROCESS_BY_NAME };

	counted.openings[0].refused = true;
	/* sorted by the other event */
	assert_rows(&view, "cc state 3\nmake state 3\nsh state 3\n");
}

static void sums_by_name_cannot_be_divided(void **state)
{
	static const enum process_by views[] = { PROCESS_BY_PROCESS, PROCESS_BY_EXEC,
						 PROCESS_BY_TREE };

	for (size_t i = 0; i < N_OF(processes); i++)
		copies[i].pid = 0;
	for (size_t i = 0; i < N_OF(views); i++) {
		cleanup_with(process_rows_release) struct process_rows rows = { 0 };
		cleanup_why struct why why = { 0 };
		const struct process_view view = { .by = views[i] };

		assert_int_equal(process_rows_build(&rows, &counted.series, &view, &why), -EINVAL);
		assert_string_equal(why.text, "--by: the runs were added up by name");
	}
	assert_rows(&(struct process_view){ .by = PROCESS_BY_NAME }, "cc 112\nmake 12\nsh 3\n");
}

static void processes_are_counted_once(void **state)
{
	assert_int_equal(process_rows_count(&counted.series), 5);
	counted.series.split = PLACE_THREAD;
	assert_int_equal(process_rows_count(&counted.series), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_views_have_the_same_sum),
		TEST(a_tree_has_each_process_after_its_parent),
		TEST(top_and_sort_choose_the_order),
		TEST(the_longest_times_are_first),
		TEST(a_tree_can_be_sorted),
		TEST(a_tree_can_be_folded),
		TEST(the_other_children_of_a_process_are_one_row),
		TEST(several_runs_have_no_times),
		TEST(an_unknown_event_is_explained),
		TEST(a_process_has_its_first_start_and_its_last_program),
		TEST(names_have_a_number_of_processes),
		TEST(names_can_have_the_places_of_several_runs),
		TEST(the_state_of_a_sum_depends_on_its_parts),
		TEST(a_scaled_part_makes_the_sum_scaled),
		TEST(a_refused_event_has_no_count_anywhere),
		TEST(sums_by_name_cannot_be_divided),
		TEST(processes_are_counted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
