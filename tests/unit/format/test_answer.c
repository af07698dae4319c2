/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The short form of a comparison on screens of several widths, and the breaks of its lines.
 * test_compare_numbers.c tests the numbers of all fixed comparisons, test_well_formed.c the widths
 * of all lines. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/terminal/terminal.h"
#include "unit/format/looks.h"
#include "unit/test.h"

/* ---- Where a line may end. */

static const struct words_row {
	int line;
	int width;
	const char *text, *lines;
} words_rows[] = {
	{ ROW, 80, "", "\n" },
	{ ROW, 80, "one line", "one line\n" },
	{ ROW, 9, "one line or two", "one line\n  or two\n" },
	/* a number and its unit, also the sign of a percentage */
	{ ROW, 12, "took about 9.8 s in all", "took about\n  9.8 s in\n  all\n" },
	{ ROW, 12, "a change: +3.1 % now", "a change:\n  +3.1 % now\n" },
	/* an interval, after a change and after a comma */
	{ ROW, 20, "changed by +3.1 % [+2.7, +3.6], 40 rounds",
	  "changed by +3.1 %\n  [+2.7, +3.6],\n  40 rounds\n" },
	{ ROW, 14, "x [-0.2, 0.0]", "x [-0.2, 0.0]\n" },
	{ ROW, 12, "x [-0.2, 0.0]", "x [-0.2,\n  0.0]\n" },
	/* a number that ends a sentence, an option, or words in parentheses */
	{ ROW, 14, "needs 6 (2 so far)", "needs 6 (2 so\n  far)\n" },
	{ ROW, 12, "in 10 -c OLD", "in 10 -c OLD\n" },
	{ ROW, 9, "in 10 -c OLD", "in 10 -c\n  OLD\n" },
	/* a word that is wider than the line is cut, and the next one has a line of its own */
	{ ROW, 8, "abcdefghij k", "abcdefg…\n  k\n" },
	{ ROW, 8, "a bcdefghij", "a\n  bcdef…\n" },
	/* wide characters, which have no blanks */
	{ ROW, 8, "新しい is 旧い", "新しい\n  is\n  旧い\n" },
	{ ROW, 7, "プログラム", "プログ…\n" },
	/* more numbers than a line can hold are not one quantity */
	{ ROW, 10, "run 1 2 3 4 5 6 7", "run 1 2 3\n  4 5 6 7\n" },
	{ ROW, 10, "run a1 b2 c3 d4 e5 f", "run a1 b2\n  c3\n  d4 e5 f\n" },
	/* several blanks are one */
	{ ROW, 80, "a  b", "a b\n" },
};

static void lines_end_at_blanks_but_not_within_a_quantity(void **state)
{
	for (size_t i = 0; i < N_OF(words_rows); i++) {
		cleanup_with(ruler_release) struct ruler ruler = { 0 };
		const struct line_style style = { .ruler = &ruler };
		cleanup_line struct line line = { .style = &style };

		line_words(&line, words_rows[i].text, 2, words_rows[i].width);
		row_string(&words_rows[i], str_text(&line.text), words_rows[i].lines);
	}
}

static void words_begin_at_the_current_column(void **state)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style style = { .ruler = &ruler };
	cleanup_line struct line line = { .style = &style };

	line_fill(&line, 10);
	line_words(&line, "one two three", 4, 18);
	assert_string_equal(str_text(&line.text), "          one two\n    three\n");
}

/* ---- Screens. */

static const struct screen {
	int line;
	const char *comparison, *look, *text;
} screens[] = {
	/* a default comparison: the machine does not count branch-misses */
	{ ROW, "by-default", "answer-80",
	  "\n"
	  "./new is 3.0 % slower than ./old: CPU time +3.0 % [+2.5, +3.5], 40 rounds in\n"
	  "  9.9 s\n"
	  "\n"
	  "                      ./old        ./new     change [≥ 95 %]\n"
	  "elapsed time       122.8 ms     124.1 ms       +1 % [-3, +6]            unclear\n"
	  "CPU time          112.05 ms    115.41 ms     +3.0 % [+2.5, +3.5]        worse\n"
	  "instructions:u  400,123,475  408,124,099  +1.9995 % [+1.9982, +2.0009]\n"
	  "cycles:u        300,038,814  308,837,813     +2.9 % [+2.7, +3.2]\n"
	  "page-faults          345.07       344.90    -0.05 % [-0.16, +0.06]\n" },
	/* --rows all */
	{ ROW, "all-rows", "answer-80",
	  "\n"
	  "./new is 3.0 % slower than ./old: CPU time +3.0 % [+2.5, +3.5], 40 rounds in\n"
	  "  9.9 s\n"
	  "\n"
	  "                      ./old        ./new     change [≥ 95 %]\n"
	  "elapsed time       122.8 ms     124.1 ms       +1 % [-3, +6]            unclear\n"
	  "CPU time          112.05 ms    115.41 ms     +3.0 % [+2.5, +3.5]        worse\n"
	  "instructions:u  400,123,475  408,124,099  +1.9995 % [+1.9982, +2.0009]\n"
	  "cycles:u        300,038,814  308,837,813     +2.9 % [+2.7, +3.2]\n"
	  "page-faults          345.07       344.90    -0.05 % [-0.16, +0.06]\n"
	  "user_time           98.1 ms     100.0 ms       +2 % [-2, +5]\n"
	  "system_time        12.40 ms     12.49 ms       +1 % [-3, +5]\n"
	  "max_rss           3,456 KiB    3,456 KiB        0 % exact\n" },
	/* the best side first */
	{ ROW, "matrix", "answer-80",
	  "\n"
	  "Best: sort -j4 or sort -j8 (elapsed time): these are not distinguishable (sort\n"
	  "  -j8: +0.82 % [+0.01, +1.64]), 12 rounds in 28.1 s\n"
	  "\n"
	  "           elapsed time  of best   change [97.5 %]\n"
	  "sort -j4       282.0 ms     1.00  -69.0 % [-69.3, -68.8]  better\n"
	  "sort -j8       284.4 ms     1.01  -68.8 % [-69.1, -68.4]  better\n"
	  "sort -j16      364.3 ms     1.29  -60.0 % [-60.5, -59.6]  better\n"
	  "sort -j2       501.4 ms     1.78  -45.0 % [-45.5, -44.4]  better\n"
	  "sort -j1       911.2 ms     3.23                          reference\n" },
	/* rows that the user asked for are shown without counts, too */
	{ ROW, "not-counted", "answer-80",
	  "\n"
	  "new is 3.1 % faster than old: task-clock -3.1 % [-4.6, -1.6], 12 rounds in 0.6 s\n"
	  "\n"
	  "                          old       new  change [95 %]\n"
	  "task-clock           22.76 ms  22.05 ms  -3.1 % [-4.6, -1.6]  better\n"
	  "context-switches         3.00      3.08    +3 % [-28, +47]    unclear\n"
	  "cpu-migrations              0         0       0 exact         same\n"
	  "page-faults            344.70    344.75   0.0 % [-0.3, +0.3]  unclear\n"
	  "cycles:u                                 <not supported>\n"
	  "instructions:u    200,123,019            <not counted>\n"
	  "branches:u                               <not supported>\n"
	  "branch-misses:u                          <not supported>\n"
	  "\n"
	  "page-faults: counted in 10 of 12 runs of old\n"
	  "\n"
	  "pstat: instructions:u not counted, limit +0.5 %: not judged\n" },
	/* long names are cut after their numbers */
	{ ROW, "long-and-wide-names", "answer-80",
	  "\n"
	  "./build/with/a/long/path/比較プログラム --mode=after --threads=4 `@someone` does\n"
	  "  not clearly differ in\n"
	  "  skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS_LOCAL_DRAM:SNP_NONE:u from\n"
	  "  ./build/with/a/long/path/比較プログラム --mode=before --threads=4: 0.0 %\n"
	  "  [-0.3, +0.4], 10 rounds in 1,297 s\n"
	  "\n"
	  "                       #1 ./build/…  #2 ./build/…  change [95 %]\n"
	  "skx::OFFCORE_RESPONS…     2,000,468     2,000,814   0.0 % [-0.3, +0.4]   unclear\n"
	  "頁面錯誤と命令の数        2,993,796     2,696,752  -9.9 % [-11.7, -8.2]  better\n"
	  "nai\xcc\x88ve|name\\x1b[31m…          344.90        344.30  -0.2 % [-0.5, +0.2]   unclear\n"
	  "\n"
	  "pstat: skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS_LOCAL_DRAM:SNP_NONE:u 0.0 % "
	  "[-0.3, +0.4], limit +0.5 %: kept\n" },
	/* characters of two columns are aligned */
	{ ROW, "wide-sides", "answer-80",
	  "\n"
	  "新しい is 5.1 % slower than 旧い: task-clock +5.1 % [+3.3, +6.9], 10 rounds in\n"
	  "  0.034 s\n"
	  "\n"
	  "                 旧い    新しい  change [95 %]\n"
	  "task-clock   1.502 ms  1.578 ms  +5.1 % [+3.3, +6.9]  worse\n"
	  "page-faults     344.8     344.9   0.0 % [-0.7, +0.8]  unclear\n" },
	/* too narrow for columns */
	{ ROW, "by-default", "answer-40",
	  "\n"
	  "./new is 3.0 % slower than ./old: CPU\n"
	  "  time +3.0 % [+2.5, +3.5], 40 rounds in\n"
	  "  9.9 s\n"
	  "\n"
	  "  ./old, ./new, change [≥ 95 %]\n"
	  "elapsed time\n"
	  "  122.8 ms, 124.1 ms, +1 % [-3, +6],\n"
	  "  unclear\n"
	  "CPU time\n"
	  "  112.05 ms, 115.41 ms, +3.0 %\n"
	  "  [+2.5, +3.5], worse\n"
	  "instructions:u\n"
	  "  400,123,475, 408,124,099, +1.9995 %\n"
	  "  [+1.9982, +2.0009]\n"
	  "cycles:u\n"
	  "  300,038,814, 308,837,813, +2.9 %\n"
	  "  [+2.7, +3.2]\n"
	  "page-faults\n"
	  "  345.07, 344.90, -0.05 % [-0.16, +0.06]\n" },
};

static void a_comparison_looks_like_this(void **state)
{
	for (size_t i = 0; i < N_OF(screens); i++) {
		struct fixed_comparison *f =
			fixed_comparison_new(find_fixed_comparison(screens[i].comparison));
		cleanup_free char *text =
			look_print_comparison(find_comparison_look(screens[i].look), f);

		row_string(&screens[i], text, screens[i].text);
		fixed_comparison_free(f);
	}
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* With the command line above it, a few gates, and the prompt below it. */
static void the_answer_fits_a_screen_of_24_lines(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);
		cleanup_free char *text =
			look_print_comparison(find_comparison_look("answer-80"), f);

		/* each gate that the user asks for has a line */
		if (count_lines(text) - f->input.gates_n > 18)
			fail_msg("%s has %zu lines:\n%s", which->name, count_lines(text), text);
		fixed_comparison_free(f);
	}
}

/* The details have everything that the answer has but its table. */
static void the_details_begin_with_the_same_sentence(void **state)
{
	for (const struct fixed_comparison *which = fixed_comparisons; which->name; which++) {
		struct fixed_comparison *f = fixed_comparison_new(which);
		struct comparison_look look = *find_comparison_look("answer-80");
		cleanup_free char *answer = look_print_comparison(&look, f), *details = NULL;
		size_t n = (size_t)(strstr(answer, "\n\n") - answer);

		look.style.details = true;
		details = look_print_comparison(&look, f);
		/* long names have numbers there */
		if (f->comparison->input.sides_n == 2 && !strstr(details, "#2 "))
			assert_memory_equal(details, answer, n);
		assert_true(count_lines(details) > count_lines(answer));
		fixed_comparison_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_at_blanks_but_not_within_a_quantity),
		cmocka_unit_test(words_begin_at_the_current_column),
		cmocka_unit_test(a_comparison_looks_like_this),
		cmocka_unit_test(the_answer_fits_a_screen_of_24_lines),
		cmocka_unit_test(the_details_begin_with_the_same_sentence),
	};

	return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
