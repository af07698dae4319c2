/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timeline of a page: which bars there are, in which lanes, and how high they are. */
#include "format/html/timeline.c"

#include <stdio.h>

#include "unit/test.h"

enum { EVENTS_N = 2, PLACES_MAX = 512, SECOND = 1000000000 };

/* A series of one run with two events. All values of an event are counted. */
struct fixture {
	struct event events[EVENTS_N];
	struct event_list list;
	struct opening openings[EVENTS_N];
	struct process processes[PLACES_MAX];
	struct place places[PLACES_MAX];
	struct row rows[PLACES_MAX * EVENTS_N];
	struct reading readings[PLACES_MAX * EVENTS_N];
	struct run run;
	struct series series;
	struct table result;
	struct comparison comparison;
	struct str text;
	struct html_page page;
	struct timeline *timeline;
};

static char shell[] = "sh", compiler[] = "cc<1>", faults[] = "page-faults", other[] = "cycles",
	    no_unit[] = "", subject[] = "'make'", label[] = "x";

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->events[0] = (struct event){ .name = faults, .unit = no_unit, .factor = 1 };
	f->events[1] = (struct event){ .name = other, .unit = no_unit, .factor = 1 };
	f->openings[1].refused = true;
	f->list = (struct event_list){ .events = f->events, .n = EVENTS_N };
	f->run.readings = f->readings;
	f->series = (struct series){ .events = &f->list,
				     .openings = f->openings,
				     .places = f->places,
				     .rows = f->rows,
				     .subject = subject,
				     .runs = &f->run,
				     .runs_n = 1,
				     .split = PLACE_PROCESS };
	f->result.series = &f->series;
	f->comparison.tables = &f->result;
	f->comparison.input.sides_n = 1;
	f->page = (struct html_page){ .c = &f->comparison,
				      .subject = HTML_RUNS,
				      .text = { .numbers = &num_plain },
				      .out = &f->text };
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	timeline_free(f->timeline);
	str_release(&f->text);
	free(f);
	return 0;
}

/* Add a program with its number of page faults. parent and first: places; times in milliseconds. */
static size_t add(struct fixture *f, size_t parent, size_t first, char *name, uint64_t start,
		  uint64_t end, uint64_t count)
{
	size_t at = f->series.rows_n / EVENTS_N;

	f->processes[at] = (struct process){ .pid = 100 + (pid_t)(first == PLACE_NONE ? at : first),
					     .first = first == PLACE_NONE ? at : first,
					     .continues = first != PLACE_NONE,
					     .parent = parent,
					     .processes_n = 1,
					     .name = name,
					     .command = name,
					     .start_ns = start * 1000000,
					     .end_ns = end * 1000000,
					     .end = PROCESS_ENDED };
	f->places[at] = (struct place){ .kind = PLACE_PROCESS,
					.label = label,
					.process = &f->processes[at] };
	if (first != PLACE_NONE)
		f->processes[at - 1].end = PROCESS_EXECUTED;
	for (size_t i = 0; i < EVENTS_N; i++) {
		f->rows[f->series.rows_n] = (struct row){ .event = i, .place_index = at };
		f->readings[f->series.rows_n] = (struct reading){
			.state = i ? NOT_SUPPORTED : COUNTED,
			.counts = { .raw = i ? 0 : count, .enabled_ns = 1, .running_ns = 1 }
		};
		f->series.rows_n++;
	}
	return at;
}

static void make(struct fixture *f)
{
	assert_true(html_has_timeline(&f->page));
	f->timeline = timeline_make(&f->page);
	assert_non_null(f->timeline);
}

static size_t lane_at(const struct fixture *f, size_t place_index)
{
	return f->timeline->bars[f->timeline->bar_of[place_index]].lane;
}

static void few_processes_have_a_lane_each(void **state)
{
	struct fixture *f = *state;

	add(f, PLACE_NONE, PLACE_NONE, shell, 0, 1000, 1);
	for (uint64_t i = 1; i < SPREAD_MAX; i++)
		add(f, 0, PLACE_NONE, shell, i, i + 1, 1);
	make(f);
	assert_int_equal(f->timeline->lanes_n, SPREAD_MAX);
	for (size_t i = 0; i < SPREAD_MAX; i++)
		assert_int_equal(lane_at(f, i), i);
}

static void many_processes_share_lanes_below_their_parents(void **state)
{
	struct fixture *f = *state;
	size_t parent;

	add(f, PLACE_NONE, PLACE_NONE, shell, 0, 1000, 1);
	for (uint64_t i = 0; i < 100; i++) {
		parent = add(f, 0, PLACE_NONE, shell, i * 10, i * 10 + 8, 1);
		add(f, parent, PLACE_NONE, compiler, i * 10 + 2, i * 10 + 7, 1);
	}
	make(f);
	assert_int_equal(f->timeline->lanes_n, 3);
	assert_int_equal(lane_at(f, 0), 0);
	for (size_t i = 1; i < 201; i += 2) {
		assert_int_equal(lane_at(f, i), 1);
		assert_int_equal(lane_at(f, i + 1), 2);
	}
}

static void a_chain_of_processes_needs_few_lanes(void **state)
{
	struct fixture *f = *state;

	add(f, PLACE_NONE, PLACE_NONE, shell, 0, 15, 1);
	for (uint64_t i = 1; i < LANES_MANY + 100; i++)
		add(f, i - 1, PLACE_NONE, shell, i * 10, i * 10 + 15, 1);
	make(f);
	assert_int_equal(f->timeline->lanes_n, 2);
}

static void programs_that_cannot_be_seen_join_a_neighbour(void **state)
{
	struct fixture *f = *state;
	const struct bar *bar;

	add(f, PLACE_NONE, PLACE_NONE, shell, 0, 10000, 1);
	add(f, 0, PLACE_NONE, shell, 100, 101, 3);
	add(f, 0, 1, compiler, 101, 600, 40);
	add(f, 0, 1, shell, 600, 900, 500);
	add(f, 0, 1, compiler, 900, 901, 6000);
	make(f);
	assert_int_equal(f->timeline->bars_n, 2);
	bar = &f->timeline->bars[1];
	assert_int_equal(bar->segments_n, 2);
	assert_int_equal(f->timeline->segments[1].place_index, 2);
	assert_int_equal(f->timeline->segments[2].place_index, 3);
	assert_int_equal((int)count_of_segment(f->timeline, 1, 0)->value, 43);
	assert_int_equal((int)count_of_segment(f->timeline, 2, 0)->value, 6500);
	assert_int_equal(f->timeline->segments[1].start_ns, SECOND / 10);
	assert_int_equal(f->timeline->segments[2].end_ns, 901000000);
}

static void heights_are_rates(void **state)
{
	struct fixture *f = *state;

	add(f, PLACE_NONE, PLACE_NONE, shell, 0, 1000, 0);
	add(f, 0, PLACE_NONE, compiler, 0, 1000, 8000);
	add(f, 0, PLACE_NONE, compiler, 0, 1000, 3990);
	add(f, 0, PLACE_NONE, compiler, 0, 2000, 2);
	add(f, 0, PLACE_NONE, compiler, 0, 1, 100); /* the highest rate, but few counts */
	make(f);
	assert_int_equal(f->timeline->events_n, 1);
	assert_double(f->timeline->full[0], 8000);
	assert_int_equal(level_of(f->timeline, 0, 0), 0);
	assert_int_equal(level_of(f->timeline, 1, 0), 8);
	assert_int_equal(level_of(f->timeline, 2, 0), 4);
	assert_int_equal(level_of(f->timeline, 3, 0), 1);
	assert_int_equal(level_of(f->timeline, 4, 0), 8);
}

/* Check that the section has this text. */
static void has(const struct fixture *f, const char *text)
{
	if (!strstr(str_text(&f->text), text))
		fail_msg("'%s' is not in %s", text, str_text(&f->text));
}

static void a_title_has_all_that_is_known(void **state)
{
	struct fixture *f = *state;

	add(f, PLACE_NONE, PLACE_NONE, shell, 0, 1000, 10);
	add(f, 0, PLACE_NONE, shell, 100, 250, 30);
	add(f, 0, 1, compiler, 250, 900, 1200);
	f->processes[2].wait_status = 3 << 8;
	f->processes[0].end = PROCESS_RUNNING;
	make(f);
	timeline_add(f->timeline);
	has(f, "<title>sh 100\nsh\nat 0 µs, for 1.00 s, still running\npage-faults 10</title>");
	has(f,
	    "<title>cc&lt;1&gt; 101, parent 100\ncc&lt;1&gt;\nsh 150 ms, then cc&lt;1&gt; 650 ms\n"
	    "at 100 ms, for 800 ms, exit status 3\npage-faults 1230</title>");
	has(f, "Not shown (no counts): cycles.");
	has(f, "<td class=\"number\">1200</td><td class=\"number dim\">96.8 %</td>");
}

static void only_one_run_of_processes_has_a_timeline(void **state)
{
	struct fixture *f = *state;

	assert_false(html_has_timeline(&f->page));
	add(f, PLACE_NONE, PLACE_NONE, shell, 0, 1000, 10);
	assert_true(html_has_timeline(&f->page));
	f->series.runs_n = 2;
	assert_false(html_has_timeline(&f->page));
	f->series.runs_n = 1;
	f->processes[0].pid = 0; /* a sum by name */
	assert_false(html_has_timeline(&f->page));
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(few_processes_have_a_lane_each),
		CASE(many_processes_share_lanes_below_their_parents),
		CASE(a_chain_of_processes_needs_few_lanes),
		CASE(programs_that_cannot_be_seen_join_a_neighbour),
		CASE(heights_are_rates),
		CASE(a_title_has_all_that_is_known),
		CASE(only_one_run_of_processes_has_a_timeline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
