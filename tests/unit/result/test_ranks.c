/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: the sums over the ranks of a job, and the distributions of their values. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "result/ranks.h"
#include "unit/result/counted.h"
#include "unit/test.h"

enum { RANKS_N = 3, RUNS_N = 2 };

static struct counted counted[RANKS_N];
static struct rank ranks[RANKS_N];
static struct series_ranks merged;

/* The ranks r0, r1 and r2 count 1000, 3000 and 2000. */
static int start(void **state)
{
	static const char *const names[RANKS_N] = { "r0", "r1", "r2" };
	static const uint64_t counts[RANKS_N] = { 1000, 3000, 2000 };

	for (int i = 0; i < RANKS_N; i++) {
		counted_whole(&counted[i], "cs,faults", RUNS_N);
		counted_set(&counted[i], 0, counts[i]);
		ranks[i] = (struct rank){ .number = i, .name = strdup(names[i]) };
		assert_non_null(ranks[i].name);
	}
	return 0;
}

static int finish(void **state)
{
	series_ranks_release(&merged);
	for (size_t i = 0; i < RANKS_N; i++) {
		free(ranks[i].name);
		free(ranks[i].values);
		counted_release(&counted[i]);
	}
	return 0;
}

static struct reading *reading_of(size_t rank, size_t run)
{
	return &counted[rank].runs[run].readings[0];
}

/* Add all ranks to the first one. */
static void merge(void)
{
	for (size_t i = 0; i < RANKS_N; i++)
		assert_int_equal(ranks_add(&counted[0].series, &counted[i].series, &ranks[i], NULL),
				 0);
	assert_int_equal(ranks_sum_up(&merged, ranks, RANKS_N, &counted[0].series), 0);
}

/* Compare a distribution: "sum min median max imbalance largest". */
static void assert_summary(const struct rank_summary *summary, const char *expected)
{
	char text[200];

	snprintf(text, sizeof(text), "%g %g %g %g %g %s", summary->v[RANK_SUM],
		 summary->v[RANK_MIN], summary->v[RANK_MEDIAN], summary->v[RANK_MAX],
		 summary->v[RANK_IMBALANCE], summary->largest ? summary->largest : "-");
	assert_string_equal(text, expected);
}

static void counts_are_added_and_distributed(void **state)
{
	merge();
	assert_int_equal(merged.n, RANKS_N);
	assert_int_equal(reading_of(0, 1)->counts.raw, 6000);
	assert_summary(&merged.v[0], "6000 1000 2000 3000 1.5 r1");
	assert_summary(&merged.v[1], "3000 1000 1000 1000 1 r0"); /* the first of equal ones */
}

static void each_measure_has_its_distribution(void **state)
{
	cleanup_with(table_release) struct table table = { 0 };

	counted[2].runs[0].tool[TOOL_DURATION_TIME] = 4000000000;
	merge();
	counted[0].series.ranks = &merged;
	assert_int_equal(table_build(&table, &counted[0].series, NULL), 0);
	assert_summary(table.v[0].ranks, "6000 1000 2000 3000 1.5 r1");
	assert_summary(table_own(&table, TOOL_DURATION_TIME)->ranks,
		       "4.5e+09 1e+09 1e+09 2.5e+09 1.66667 r2");
	assert_summary(table_own(&table, TOOL_MAX_RSS)->ranks, "3000 1000 1000 1000 1 r0");
	assert_null(table_own(&table, TOOL_MINOR_FAULTS)->ranks);
}

static void the_time_and_the_memory_are_those_of_the_largest_rank(void **state)
{
	counted[1].runs[0].tool[TOOL_DURATION_TIME] = 4000000000;
	counted[2].runs[1].tool[TOOL_MAX_RSS] = 5000;
	merge();
	assert_int_equal(counted[0].runs[0].tool[TOOL_DURATION_TIME], 4000000000);
	assert_int_equal(counted[0].runs[1].tool[TOOL_MAX_RSS], 5000);
	assert_int_equal(counted[0].runs[1].tool[TOOL_USER_TIME], 3000000000);
}

static void a_rank_without_a_count_leaves_no_sum(void **state)
{
	*reading_of(1, 0) = *reading_of(1, 1) = (struct reading){ .state = FAILED };
	merge();
	assert_int_equal(reading_of(0, 0)->state, FAILED);
	assert_summary(&merged.v[0], "3000 1000 1500 2000 1.33333 r2");
}

static void a_run_without_a_count_makes_the_value_unknown(void **state)
{
	*reading_of(1, 0) = (struct reading){ .state = NOT_COUNTED };
	merge();
	assert_summary(&merged.v[0], "3000 1000 1500 2000 1.33333 r2");
}

static void a_run_of_another_pass_does_not(void **state)
{
	for (size_t i = 0; i < RANKS_N; i++)
		*reading_of(i, 0) = (struct reading){ .state = ELSEWHERE };
	merge();
	assert_summary(&merged.v[0], "6000 1000 2000 3000 1.5 r1");
}

static void no_value_is_known(void **state)
{
	for (size_t i = 0; i < RANKS_N; i++) {
		*reading_of(i, 0) = (struct reading){ .state = NOT_COUNTED };
		counted[i].series.max_rss_floor_kib = 1000;
		counted[i].series.has_usage = false;
	}
	merge();
	assert_summary(&merged.v[0], "-1 -1 -1 -1 -1 -");
	for (size_t i = 1; i < RANK_TIMES_N; i++)
		assert_summary(&merged.v[counted[0].series.rows_n + i], "-1 -1 -1 -1 -1 -");
}

static void zeros_are_values(void **state)
{
	for (size_t i = 0; i < RANKS_N; i++)
		counted[i].series.only_counted = true;
	counted_set(&counted[2], 0, 0);
	merge();
	assert_summary(&merged.v[0], "4000 0 1000 3000 2.25 r1");
}

static void what_differs_is_not_added(void **state)
{
	cleanup_why struct why why = { 0 };

	counted[1].series.runs_n = 1;
	assert_int_equal(ranks_add(&counted[0].series, &counted[1].series, &ranks[1], &why),
			 -EINVAL);
	assert_string_equal(why.text, "number of runs: 1 here, 2 in the first file");
	counted[1].series.runs_n = RUNS_N;
	assert_int_equal(reading_of(0, 0)->counts.raw, 1000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_are_added_and_distributed),
		TEST(each_measure_has_its_distribution),
		TEST(the_time_and_the_memory_are_those_of_the_largest_rank),
		TEST(a_rank_without_a_count_leaves_no_sum),
		TEST(a_run_without_a_count_makes_the_value_unknown),
		TEST(a_run_of_another_pass_does_not),
		TEST(no_value_is_known),
		TEST(zeros_are_values),
		TEST(what_differs_is_not_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
