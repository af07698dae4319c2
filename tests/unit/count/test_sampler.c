/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When multiplexed counters are read, and what is kept of the readings. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "count/sampler.h"
#include "unit/test.h"

enum { MS = 1000000, ROWS = 2 };

static const struct reading before[ROWS];
static const size_t rotations[ROWS];

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
	struct sampler sampler = { .rotation_ns = 4 * MS };

	sampler_begin(&sampler, ROWS, SAMPLER_FIRST_NS);
	return sampler;
}

static void samples_become_rare_while_nothing_is_multiplexed(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	read_at(10, 1, now);
	assert_int_equal(sampler_add(&sampler, before, now, 1000), 20 * MS);
	read_at(30, 1, now);
	assert_int_equal(sampler_add(&sampler, before, now, 1000), 40 * MS);
	assert_null(sampler.samples);
}

static void samples_follow_the_rotation(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	read_at(10, 0.5, now);
	assert_int_equal(sampler_add(&sampler, before, now, 1000), 4 * MS);
	assert_int_equal(sampler.n, 1);
}

/* 0.33 % of the time: 1 ms for a sample every 300 ms. */
static void slow_samples_are_rare(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	read_at(10, 0.5, now);
	assert_int_equal(sampler_add(&sampler, before, now, MS), 300 * MS);
}

static void a_long_run_keeps_samples_of_the_whole_run(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];
	uint64_t at = 10;

	for (int i = 0; i < 5000; i++) {
		read_at(at, 0.5, now);
		at += (uint64_t)sampler_add(&sampler, before, now, 100) / MS;
	}
	assert_true(sampler.n <= SAMPLER_SAMPLES_MAX);
	assert_true(sampler.n >= SAMPLER_SAMPLES_MAX / 2);
	assert_int_equal(sampler.taken, 5000);
	/* the last one is kept; the first one is from the start */
	assert_int_equal(sampler.samples[(sampler.n - 1) * ROWS].enabled_ns,
			 now[0].counts.enabled_ns);
	assert_true(sampler.samples[0].enabled_ns < now[0].counts.enabled_ns / 256);
}

/* The second row runs every second rotation. */
static void only_scaled_readings_get_an_estimate(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS] = { 0 };
	struct reading readings[ROWS] = { { .state = COUNTED }, { .state = SCALED } };

	for (uint64_t i = 1; i <= 60; i++) {
		read_at(4 * i, 1, now);
		now[1].counts.running_ns = (i + 1) / 2 * 4 * MS;
		now[1].counts.raw = (i + 1) / 2 * 1000 + (i + 1) / 2 % 3;
		sampler_add(&sampler, before, now, 100);
	}
	assert_int_equal(sampler_estimate(&sampler, rotations, before, now, readings), 0);
	assert_false(readings[0].has_estimate);
	assert_true(readings[1].has_estimate);
	assert_true(fabs(readings[1].estimate.count - 60000) < 600);
	assert_false(isnan(readings[1].estimate.half_width));
}

/* A counter that went backwards, for example because the samples are those of another run. */
static void samples_that_do_not_add_up_give_no_estimate(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];
	struct reading readings[ROWS] = { { .state = SCALED }, { .state = SCALED } };

	for (uint64_t i = 1; i <= 60; i++) {
		read_at(4 * i, 0.5, now);
		sampler_add(&sampler, before, now, 100);
	}
	read_at(250, 0.5, now);
	now[1].counts.raw = 1000;
	assert_int_equal(sampler_estimate(&sampler, rotations, before, now, readings), 0);
	assert_true(readings[0].has_estimate);
	assert_false(readings[1].has_estimate);
}

static void a_run_that_is_too_short_has_no_interval(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];
	struct reading readings[ROWS] = { { .state = COUNTED }, { .state = SCALED } };

	read_at(8, 0.5, now);
	assert_int_equal(sampler_estimate(&sampler, rotations, before, now, readings), 0);
	assert_true(readings[1].has_estimate);
	assert_true(fabs(readings[1].estimate.count - 8000) < 1);
	assert_true(isnan(readings[1].estimate.half_width));
}

static void a_failed_reading_is_part_of_the_next_window(void **state)
{
	cleanup_with(sampler_release) struct sampler sampler = begin();
	struct reading now[ROWS];

	for (uint64_t ms = 10; ms <= 30; ms += 10) {
		read_at(ms, 0.5, now);
		if (ms == 20)
			now[1] = (struct reading){ .state = FAILED };
		sampler_add(&sampler, before, now, 100);
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
	sampler_add(&sampler, before, now, 100);
	sampler_begin(&sampler, ROWS, SAMPLER_FIRST_NS);
	assert_int_equal(sampler.n, 0);
	assert_false(sampler.multiplexed);
	assert_int_equal(sampler.rotation_ns, 4 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_become_rare_while_nothing_is_multiplexed),
		cmocka_unit_test(samples_follow_the_rotation),
		cmocka_unit_test(slow_samples_are_rare),
		cmocka_unit_test(a_long_run_keeps_samples_of_the_whole_run),
		cmocka_unit_test(only_scaled_readings_get_an_estimate),
		cmocka_unit_test(samples_that_do_not_add_up_give_no_estimate),
		cmocka_unit_test(a_run_that_is_too_short_has_no_interval),
		cmocka_unit_test(a_failed_reading_is_part_of_the_next_window),
		cmocka_unit_test(a_new_run_begins_without_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
