/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The changes of a history, and the limits that follow from them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "result/history.h"
#include "stats/summary.h"
#include "unit/test.h"

/* Append an entry with one metric. NAN: it has no value. */
static void add(struct history *history, time_t time, const char *metric, double value)
{
	size_t i = history_find(history, metric);

	assert_int_equal(history_add_entry(history, time, "abc", "prog"), 0);
	if (isnan(value))
		return;
	if (i == history->metrics.n)
		assert_int_equal(history_add_metric(history, metric, NULL), 0);
	history->entries[history->n - 1].values[i] = value;
}

/* n entries, whose changes are all 1 % of 100. */
static void add_alternating(struct history *history, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add(history, (time_t)i, "cs", i % 2 ? 101 : 100);
}

static void a_change_is_relative_to_the_entry_before(void **state)
{
	static const struct {
		int line;
		double before, after, change; /* NAN: none */
	} rows[] = {
		{ ROW, 100, 101, 0.01 }, { ROW, 100, 50, -0.5 }, { ROW, 0, 0, 0 },
		{ ROW, 0, 1, NAN },	 { ROW, NAN, 1, NAN },	 { ROW, 1, NAN, NAN },
		{ ROW, -100, -50, 0.5 }, { ROW, 7, 7, 0 },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(history_release) struct history history = { 0 };
		double change = NAN;

		add(&history, 0, "cs", 1); /* so that the metric is there */
		add(&history, 1, "cs", rows[i].before);
		add(&history, 2, "cs", rows[i].after);
		row_int(&rows[i], history_change(&history, 0, 2, &change), !isnan(rows[i].change));
		if (!isnan(rows[i].change))
			assert_double(change, rows[i].change);
	}
}

/* A simple computation of the limit: sort the latest changes. */
static struct limit simple_limit(const struct history *history, size_t n)
{
	long double changes[HISTORY_CHANGES_MAX];
	struct limit limit = { .source = LIMIT_FALLBACK };
	double change;

	for (size_t i = n; i-- > 1 && limit.changes_n < HISTORY_CHANGES_MAX;)
		if (history_change(history, 0, i, &change))
			changes[limit.changes_n++] = (long double)fabs(change);
	if (limit.changes_n < HISTORY_CHANGES_MIN)
		return limit;
	summary_of(changes, limit.changes_n); /* sorts */
	return (struct limit){ history_noise_limit(changes, limit.changes_n), LIMIT_HISTORY,
			       limit.changes_n };
}

enum { ENTRIES = 350 };

static void limits_are_those_of_a_simple_computation(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	struct limit limits[ENTRIES + 1];

	for (size_t i = 0; i < ENTRIES; i++) {
		double value = 100 + (double)(i * i * 31 % 17) + (i % 50 == 0 ? 40 : 0);

		add(&history, (time_t)i, "cs", i % 13 == 5 ? NAN : value);
	}
	history_limits(&history, 0, limits);
	for (size_t i = 1; i <= ENTRIES; i++) {
		struct limit expected = simple_limit(&history, i);
		struct limit one = history_limit(&history, 0, i);

		assert_int_equal(one.source, expected.source);
		assert_int_equal(one.changes_n, expected.changes_n);
		assert_true(one.value == expected.value);
		if (expected.source == LIMIT_FALLBACK)
			expected = simple_limit(&history, ENTRIES);
		assert_int_equal(limits[i].source, LIMIT_HISTORY);
		assert_int_equal(limits[i].changes_n, expected.changes_n);
		assert_true(limits[i].value == expected.value);
	}
}

static void a_metric_that_is_added_later_has_no_earlier_values(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };

	add(&history, 0, "cs", 1);
	add(&history, 1, "faults", 2);
	assert_int_equal(history_find(&history, "faults"), 1);
	assert_int_equal(history_find(&history, "cycles"), history.metrics.n);
	assert_true(isnan(history.entries[0].values[1]));
	assert_true(isnan(history.entries[1].values[0]));
	assert_double(history.entries[1].values[1], 2);
}

static void a_limit_needs_enough_changes(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	struct limit limit;

	add_alternating(&history, HISTORY_CHANGES_MIN);
	limit = history_limit(&history, 0, history.n);
	assert_int_equal(limit.source, LIMIT_FALLBACK);
	assert_int_equal(limit.changes_n, HISTORY_CHANGES_MIN - 1);
	add(&history, HISTORY_CHANGES_MIN, "cs", 100);
	limit = history_limit(&history, 0, history.n);
	assert_int_equal(limit.source, LIMIT_HISTORY);
	assert_int_equal(limit.changes_n, HISTORY_CHANGES_MIN);
	assert_true(limit.value > 0.0099 && limit.value < 0.0105);
	limit = history_limit(&history, history.metrics.n, history.n);
	assert_int_equal(limit.source, LIMIT_FALLBACK);
	assert_int_equal(limit.changes_n, 0);
}

static void a_missing_value_interrupts_the_changes(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };

	add_alternating(&history, 6);
	add(&history, 6, "cs", NAN);
	for (size_t i = 7; i < 13; i++)
		add(&history, (time_t)i, "cs", 200);
	assert_int_equal(history_limit(&history, 0, history.n).changes_n, 5 + 5);
}

static void old_changes_are_forgotten(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	struct limit limit;

	add_alternating(&history, 50);
	for (size_t i = 0; i <= HISTORY_CHANGES_MAX; i++)
		add(&history, 1000, "cs", 500);
	limit = history_limit(&history, 0, history.n);
	assert_int_equal(limit.changes_n, HISTORY_CHANGES_MAX);
	assert_double(limit.value, HISTORY_LIMIT_MIN);
}

static void a_gate_has_its_direction_and_a_default_limit(void **state)
{
	const struct event repeated = { .attr = { .type = PERF_TYPE_HARDWARE,
						  .config = PERF_COUNT_HW_INSTRUCTIONS } };
	const struct event clock = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_TASK_CLOCK } };
	const struct {
		int line;
		size_t entries_n;
		bool above;
		const struct event *event;
		double expected;
		enum limit_source source;
	} rows[] = {
		{ ROW, 5, true, &repeated, 0.01, LIMIT_FALLBACK },
		{ ROW, 5, false, &repeated, -0.01, LIMIT_FALLBACK },
		{ ROW, 5, true, &clock, 0.05, LIMIT_FALLBACK },
		{ ROW, 5, false, NULL, -0.05, LIMIT_FALLBACK },
		{ ROW, 101, true, &clock, 0.01, LIMIT_HISTORY },
		{ ROW, 101, false, NULL, -0.01, LIMIT_HISTORY },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_with(history_release) struct history history = { 0 };
		const struct gate_request gate = { .above = rows[i].above, .relative = true };
		struct limit limit;

		add_alternating(&history, rows[i].entries_n);
		limit = history_gate_limit(&history, 0, &gate, rows[i].event);
		row_int(&rows[i], limit.source, rows[i].source);
		row_true(&rows[i], fabs(limit.value - rows[i].expected) < 0.0005);
	}
}

static void no_limit_is_below_minus_100_percent(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };
	const struct gate_request gate = { .above = false, .relative = true };

	for (size_t i = 0; i < 20; i++)
		add(&history, (time_t)i, "cs", i % 2 ? 1000 : 1);
	assert_true(history_gate_limit(&history, 0, &gate, NULL).value > -1);
}

static void entries_are_sorted_by_time(void **state)
{
	cleanup_with(history_release) struct history history = { 0 };

	add(&history, 3, "cs", 30);
	add(&history, 1, "cs", 10);
	add(&history, 2, "cs", 20);
	history_sort(&history);
	for (size_t i = 0; i < 3; i++)
		assert_double(history.entries[i].values[0], 10.0 * (double)(i + 1));
}

/* The quartiles are those of R: quantile(x, c(0.25, 0.75)). */
enum { CHANGES_MAX = 12 };

static const struct {
	int line;
	size_t n;
	long double changes[CHANGES_MAX];
	double limit;
} noise_rows[] = {
	{ ROW, 1, { 0.02L }, 0.02 },
	{ ROW, 2, { 0.01L, 0.03L }, 0.055 },
	/* 0.0325 and 0.0775 */
	{ ROW,
	  10,
	  { 0.1L, 0.01L, 0.09L, 0.02L, 0.08L, 0.03L, 0.07L, 0.04L, 0.06L, 0.05L },
	  0.2125 },
	/* a step is a single large change, and hardly raises the limit: 0.01 and 0.02 */
	{ ROW, 9, { 0.01L, 0.02L, 0.01L, 0.02L, 0.01L, 0.02L, 0.01L, 0.02L, 5 }, 0.05 },
	/* counts that hardly ever change */
	{ ROW, 10, { 0 }, HISTORY_LIMIT_MIN },
	{ ROW, 10, { 0, 0, 0, 0.5L }, HISTORY_LIMIT_MIN },
	{ ROW, 10, { 0.0001L, 0.0001L, 0.0002L }, HISTORY_LIMIT_MIN },
};

static void the_limit_is_the_outer_fence_of_the_changes(void **state)
{
	for (size_t i = 0; i < N_OF(noise_rows); i++) {
		long double changes[CHANGES_MAX];

		for (size_t k = 0; k < noise_rows[i].n; k++)
			changes[k] = noise_rows[i].changes[k];
		summary_of(changes, noise_rows[i].n); /* sorts */
		row_true(&noise_rows[i], fabs(history_noise_limit(changes, noise_rows[i].n) -
					      noise_rows[i].limit) < 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_relative_to_the_entry_before),
		cmocka_unit_test(limits_are_those_of_a_simple_computation),
		cmocka_unit_test(a_metric_that_is_added_later_has_no_earlier_values),
		cmocka_unit_test(a_limit_needs_enough_changes),
		cmocka_unit_test(a_missing_value_interrupts_the_changes),
		cmocka_unit_test(old_changes_are_forgotten),
		cmocka_unit_test(a_gate_has_its_direction_and_a_default_limit),
		cmocka_unit_test(no_limit_is_below_minus_100_percent),
		cmocka_unit_test(entries_are_sorted_by_time),
		cmocka_unit_test(the_limit_is_the_outer_fence_of_the_changes),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
