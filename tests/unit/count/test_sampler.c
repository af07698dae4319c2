/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When multiplexed counters are read, and what is kept of the readings. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "count/sampler.h"
#include "unit/test.h"

enum { MS = 1000000, ROWS = 2, TURNS = 2, FIRST = 10 * MS };

static const struct reading before[ROWS];
static struct estimate_spread spreads[ROWS];
static const ssize_t alone[ROWS] = { SAMPLER_ALONE, SAMPLER_ALONE };

/* After this many milliseconds, the first row has run the whole time, and the second for a share of
 * it. */
static void read_at(uint64_t ms, double share, struct reading *readings)
{
	memset(readings, 0, ROWS * sizeof(*readings));
	for (size_t i = 0; i < ROWS; i++) {
		struct counts *counts = &readings[i].counts;

		counts->enabled_ns = ms * MS;
		counts->running_ns = (uint64_t)((double)(ms * MS) * (i ? share : 1));
		counts->raw = counts->running_ns / 1000;
	}
}

static struct sampler begin(void)
{
	struct sampler sampler = { 0 };

	sampler_begin(&sampler, ROWS, TURNS, 0, FIRST);
	return sampler;
}

/* Add a sample that took spent_ns, and return the time until the next one. */
static uint64_t add(struct sampler *sampler, const struct reading *now, uint64_t spent_ns)
{
	assert_int_equal(sampler_add(sampler, now->counts.enabled_ns, before, now), 0);
	return sampler_next(sampler, 4 * MS, spent_ns);
}

static void samples_follow_the_turns(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	read_at(10, 0.5, now);
	assert_int_equal(add(&sampler, now, 1000), 4 * MS);
	assert_int_equal(sampler.n, 1);
}

/* First 10 %, then 0.67 % and at last 0.33 % of the time: 1 ms for a sample every 10 ms, then every
 * 150 ms and every 300 ms. */
static void slow_samples_become_rare(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	read_at(10, 0.5, now);
	for (int i = 0; i < SAMPLER_FIRST; i++)
		assert_int_equal(add(&sampler, now, MS), 10 * MS);
	for (int i = 0; i < 8; i++)
		assert_int_equal(add(&sampler, now, MS), 150 * MS);
	for (int i = 0; i < 10; i++)
		add(&sampler, now, MS);
	assert_int_equal(add(&sampler, now, MS), 300 * MS);
}

/* Thousands of tasks: a sample takes 100 ms. The next one is after 1 s, then after 15 s. */
static void very_slow_samples_do_not_take_ten_percent_for_long(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	read_at(10, 0.5, now);
	assert_int_equal(add(&sampler, now, 100 * MS), 1000 * (uint64_t)MS);
	assert_int_equal(add(&sampler, now, 100 * MS), 15000 * (uint64_t)MS);
}

/* The number of samples grows with the logarithm of the time: ten hours, and a minute. */
static void samples_of_a_long_run_become_rare(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];
	uint64_t at = 10;

	while (at < 60000) {
		read_at(at, 0.5, now);
		at += add(&sampler, now, 100) / MS;
	}
	assert_in_range(sampler.n, 3000, 5000);
	while (at < 36000000) {
		read_at(at, 0.5, now);
		at += add(&sampler, now, 100) / MS;
	}
	assert_in_range(sampler.n, 8000, 12000);
	assert_int_equal(sampler.taken, sampler.n);
}

/* The second row has every second turn. */
static void only_scaled_readings_get_an_estimate(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS] = { 0 };
	struct reading readings[ROWS] = { { .state = COUNTED }, { .state = SCALED } };

	for (uint64_t i = 1; i <= 60; i++) {
		read_at(4 * i, 1, now);
		now[1].counts.running_ns = (i + 1) / 2 * 4 * MS;
		now[1].counts.raw = (i + 1) / 2 * 1000 + (i + 1) / 2 % 3;
		add(&sampler, now, 100);
	}
	assert_int_equal(sampler_estimate(&sampler, alone, now->counts.enabled_ns, before, now,
					  readings, spreads),
			 0);
	assert_false(readings[0].has_estimate);
	assert_true(readings[1].has_estimate);
	assert_true(fabs(readings[1].estimate.count - 60000) < 600);
	assert_false(isnan(readings[1].estimate.half_width));
}

/* The first row is on all the time, and both do the same: the second one follows it exactly. */
static void a_companion_tells_what_happened_in_the_gaps(void **state)
{
	static const ssize_t first[ROWS] = { SAMPLER_NO_ESTIMATE, 0 };
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS] = { 0 };
	struct reading readings[ROWS] = { { .state = COUNTED }, { .state = SCALED } };

	for (uint64_t i = 1; i <= 60; i++) {
		const uint64_t events = i % 7 == 0 ? 9000 : 1000;
		const bool is_on = i % TURNS == 1;

		for (size_t row = 0; row < ROWS; row++) {
			now[row].counts.enabled_ns += 4 * MS;
			now[row].counts.running_ns += row == 0 || is_on ? 4 * MS : 0;
			now[row].counts.raw += row == 0 ? events : is_on ? 2 * events : 0;
		}
		add(&sampler, now, 100);
	}
	assert_int_equal(sampler_estimate(&sampler, first, now->counts.enabled_ns, before, now,
					  readings, spreads),
			 0);
	assert_true(fabs(readings[1].estimate.count - 2 * (double)now[0].counts.raw) < 1);
	assert_true(readings[1].estimate.half_width < 1);
}

/* A counter that went backwards, for example because the samples are those of another run. */
static void samples_that_do_not_add_up_give_no_estimate(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];
	struct reading readings[ROWS] = { { .state = SCALED }, { .state = SCALED } };

	for (uint64_t i = 1; i <= 60; i++) {
		read_at(4 * i, 0.5, now);
		add(&sampler, now, 100);
	}
	read_at(250, 0.5, now);
	now[1].counts.raw = 1000;
	assert_int_equal(sampler_estimate(&sampler, alone, now->counts.enabled_ns, before, now,
					  readings, spreads),
			 0);
	assert_true(readings[0].has_estimate);
	assert_false(readings[1].has_estimate);
}

static void a_run_that_is_too_short_has_no_estimate(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];
	struct reading readings[ROWS] = { { .state = COUNTED }, { .state = SCALED } };

	read_at(8, 0.5, now);
	assert_int_equal(sampler_estimate(&sampler, alone, now->counts.enabled_ns, before, now,
					  readings, spreads),
			 0);
	assert_false(readings[1].has_estimate);
}

static void a_failed_reading_is_part_of_the_next_window(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	for (uint64_t ms = 10; ms <= 30; ms += 10) {
		read_at(ms, 0.5, now);
		if (ms == 20)
			now[1] = (struct reading){ .state = FAILED };
		add(&sampler, now, 100);
	}
	assert_int_equal(sampler.samples[1 * ROWS + 1].enabled_ns, 10 * MS);
	assert_int_equal(sampler.samples[1 * ROWS].enabled_ns, 20 * MS);
	assert_int_equal(sampler.samples[2 * ROWS + 1].enabled_ns, 30 * MS);
}

static void a_new_run_begins_without_samples(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	read_at(10, 0.5, now);
	add(&sampler, now, 100);
	sampler_begin(&sampler, ROWS, TURNS, 0, FIRST);
	assert_int_equal(sampler.n, 0);
	assert_int_equal(sampler.taken, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_follow_the_turns),
		cmocka_unit_test(slow_samples_become_rare),
		cmocka_unit_test(very_slow_samples_do_not_take_ten_percent_for_long),
		cmocka_unit_test(samples_of_a_long_run_become_rare),
		cmocka_unit_test(only_scaled_readings_get_an_estimate),
		cmocka_unit_test(a_companion_tells_what_happened_in_the_gaps),
		cmocka_unit_test(samples_that_do_not_add_up_give_no_estimate),
		cmocka_unit_test(a_run_that_is_too_short_has_no_estimate),
		cmocka_unit_test(a_failed_reading_is_part_of_the_next_window),
		cmocka_unit_test(a_new_run_begins_without_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
