/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of the progress line at given times, and when it appears. */
#include "output/progress.c"
#include "unit/test.h"

#define S NS_OF_S

static void the_line_says_what_is_left(void **state)
{
	static const struct {
		int line;
		struct progress_plan plan;
		size_t done;
		uint64_t now_ns;
		const char *text;
	} rows[] = {
		{ ROW, { .runs = 4 }, 0, S, "pstat: counting, 1.0 s" },
		{ ROW, { .runs = 4 }, 1, S, "pstat: run 2 of 4, 1.0 s, about 3.0 s left" },
		{ ROW,
		  { .runs = 4, .warmups = 2 },
		  1,
		  S,
		  "pstat: warmup run 2 of 2, 1.0 s, about 5.0 s left" },
		{ ROW, { 0 }, 4, 2 * S, "pstat: run 5, 2.0 s" },
		{ ROW,
		  { .runs = 12, .at_least = true, .limit_ns = 10 * S },
		  1,
		  3 * S,
		  "pstat: run 2 of at least 12, 3.0 s, about 33 s left" },
		{ ROW,
		  { .runs = 12, .at_least = true, .limit_ns = 10 * S },
		  4,
		  S,
		  "pstat: run 5 of at least 12, 1.0 s, at most 9.0 s left" },
		{ ROW,
		  { .runs = 12, .at_least = true, .limit_ns = 10 * S },
		  20,
		  4 * S,
		  "pstat: run 21, 4.0 s, at most 6.0 s left" },
		{ ROW,
		  { .runs = 12, .at_least = true, .limit_ns = 10 * S },
		  20,
		  11 * S,
		  "pstat: run 21, 11 s" },
		{ ROW,
		  { .runs = 3 },
		  1,
		  3000 * S,
		  "pstat: run 2 of 3, 50 min 00 s, about 1 h 40 min left" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct progress p = { .plan = rows[i].plan, .done = rows[i].done };
		cleanup_str struct str line = { 0 };

		progress_compose(&line, &p, rows[i].now_ns, 100, TIMES_SO_FAR_AND_REST);
		row_string(&rows[i], str_text(&line), rows[i].text);
	}
}

static void a_narrow_line_has_only_the_rest(void **state)
{
	const struct progress p = { .plan = { .runs = 4 }, .done = 1 };
	cleanup_str struct str line = { 0 };

	assert_false(progress_compose(&line, &p, S, 38, TIMES_SO_FAR_AND_REST));
	assert_true(progress_compose(&line, &p, S, 38, TIMES_REST));
}

/* Nothing is drawn in the first 300 ms, and then at most every 100 ms. */
static void a_line_is_drawn_when_it_can_be_read(void **state)
{
	static const struct {
		int line;
		uint64_t now_ms, drawn_ms;
		bool due;
	} rows[] = {
		{ ROW, 299, 0, false },
		{ ROW, 300, 0, true },
		{ ROW, 399, 300, false },
		{ ROW, 400, 300, true },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct progress p = { .drawn_ns = rows[i].drawn_ms * NS_OF_MS };

		row_int(&rows[i], progress_is_due(&p, rows[i].now_ms * NS_OF_MS), rows[i].due);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_says_what_is_left),
		cmocka_unit_test(a_narrow_line_has_only_the_rest),
		cmocka_unit_test(a_line_is_drawn_when_it_can_be_read),
	};

	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
