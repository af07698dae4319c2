/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates of multiplexed counts, and their intervals. tests/bench/multiplex measures how often
 * the intervals contain the true count. */
#include <math.h>
#include <string.h>

#include "stats/estimate.h"
#include "stats/random.h"
#include "unit/test.h"

enum { WINDOWS_MAX = 1024, MS = 1000000 };

static struct counts windows[WINDOWS_MAX], companion[WINDOWS_MAX];
static uint64_t lengths_ns[WINDOWS_MAX];
static struct count_estimate estimate;
static struct estimate_spread spread;

/* n windows of 4 ms. In the first window of each round, the event is on, and events() has its
 * count. The program does not sleep. */
static void make(size_t n, size_t round, uint64_t (*events)(size_t window))
{
	memset(windows, 0, sizeof(windows));
	for (size_t i = 0; i < n; i++) {
		bool is_on = i % round == 0;

		lengths_ns[i] = windows[i].enabled_ns = 4 * MS;
		windows[i].running_ns = is_on ? 4 * MS : 0;
		windows[i].raw = is_on ? events(i) : 0;
	}
}

static bool estimate_windows(const struct counts *other, size_t n, size_t round)
{
	return estimate_count(windows, other, lengths_ns, n, round, &estimate, &spread);
}

/* The program does not sleep. */
static void set_lengths(size_t n)
{
	for (size_t i = 0; i < n; i++)
		lengths_ns[i] = windows[i].enabled_ns;
}

static double truth(size_t n, uint64_t (*events)(size_t window))
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)events(i);
	return sum;
}

/* The noise does not repeat itself: it would be in step with the turns. */
static uint64_t steady(size_t window)
{
	return 1000 + ((uint32_t)window * 2654435761U >> 16) % 11;
}

static uint64_t constant(size_t window)
{
	(void)window;
	return 1000;
}

static uint64_t two_phases(size_t window)
{
	return window / 25 % 2 ? 5000 : 500;
}

static uint64_t none(size_t window)
{
	(void)window;
	return 0;
}

static void check_contains(double expected)
{
	assert_false(isnan(estimate.half_width));
	assert_true(fabs(estimate.count - expected) <= estimate.half_width);
}

static void a_steady_rate_has_a_narrow_interval(void **state)
{
	make(120, 3, steady);
	assert_true(estimate_windows(NULL, 120, 3));
	check_contains(truth(120, steady));
	assert_true(estimate.half_width < 0.01 * estimate.count);
}

static void a_constant_rate_has_an_interval(void **state)
{
	make(120, 3, constant);
	assert_true(estimate_windows(NULL, 120, 3));
	check_contains(120000);
	assert_true(estimate.half_width < 1);
}

static void phases_widen_the_interval(void **state)
{
	double narrow;

	make(300, 3, steady);
	assert_true(estimate_windows(NULL, 300, 3));
	narrow = estimate.half_width / estimate.count;
	make(300, 3, two_phases);
	assert_true(estimate_windows(NULL, 300, 3));
	check_contains(truth(300, two_phases));
	assert_true(estimate.half_width / estimate.count > 10 * narrow);
}

static void too_few_rounds_have_no_interval(void **state)
{
	make(6, 3, steady);
	assert_true(estimate_windows(NULL, 6, 3));
	assert_true(isnan(estimate.half_width));
	assert_true(fabs(estimate.count - truth(6, steady)) < 100);
}

static void one_outlier_gives_a_wide_interval(void **state)
{
	make(120, 3, steady);
	windows[36].raw = 100000;
	assert_true(estimate_windows(NULL, 120, 3));
	assert_true(estimate.half_width > 0.2 * estimate.count);
}

static void an_event_that_never_happens_has_no_interval(void **state)
{
	make(120, 3, none);
	assert_true(estimate_windows(NULL, 120, 3));
	assert_true(estimate.count == 0);
	assert_true(isnan(estimate.half_width));
}

static void there_is_no_estimate_without_time_running(void **state)
{
	make(120, 3, none);
	for (size_t i = 0; i < 120; i++)
		windows[i].running_ns = 0;
	assert_false(estimate_windows(NULL, 120, 3));
	assert_false(estimate_windows(NULL, 0, 3));
}

/* Another user of the PMU takes the counter in a turn, or for a part of many turns. While the
 * program is asleep, in contrast, no turn has any time. */
static void there_is_no_estimate_if_turns_are_lost(void **state)
{
	make(120, 3, steady);
	windows[60].running_ns = windows[60].raw = 0;
	assert_false(estimate_windows(NULL, 120, 3));
	make(120, 3, steady);
	for (size_t i = 0; i < 120; i += 6) {
		windows[i].running_ns /= 2;
		windows[i].raw /= 2;
	}
	assert_false(estimate_windows(NULL, 120, 3));
	make(120, 3, steady);
	for (size_t i = 60; i < 120; i++)
		windows[i].running_ns = windows[i].raw = 0;
	for (size_t i = 60; i < 120; i++)
		windows[i].enabled_ns = 0;
	assert_true(estimate_windows(NULL, 120, 3));
	check_contains(truth(60, steady));
}

/* The share of runs whose interval contains the truth, in percent. The program repeats itself in each
 * round of n turns, as in count/turns.h. */
static int contained_in_step(size_t n)
{
	enum { RUNS = 400, ROUNDS = 30 };
	struct random source = random_of_seed(n);
	int contained = 0;

	for (int run = 0; run < RUNS; run++) {
		memset(windows, 0, sizeof(windows));
		for (size_t round = 0; round < ROUNDS; round++) {
			const size_t turn = random_below(&source, n);

			for (size_t i = 0; i < n; i++)
				windows[n * round + i].enabled_ns = 5 * MS;
			windows[n * round + turn].running_ns = 5 * MS;
			windows[n * round + turn].raw = turn == 0 ? 9000 : 300;
		}
		set_lengths(n * ROUNDS);
		assert_true(estimate_windows(NULL, n * ROUNDS, n));
		contained += fabs(estimate.count - ROUNDS * (9000 + 300 * ((double)n - 1))) <=
			     estimate.half_width;
	}
	assert_true(estimate.half_width < 0.9 * estimate.count);
	return 100 * contained / RUNS;
}

/* The order of the turns is drawn, so a program cannot be in step with them. */
static void random_turns_are_not_in_step(void **state)
{
	for (size_t n = 2; n <= 4; n++)
		assert_in_range(contained_in_step(n), 94, 100);
}

/* What a program does in a millisecond: it computes, or it waits most of the time. */
struct activity {
	uint64_t enabled_ns, raw;
};

/*
 * Phases of 7 ms, in which the tasks run for different times, and have different rates in these.
 * Two sets take turns of 5 ms. Checks that the estimates are right on average, and that the
 * intervals contain the truth.
 */
static void check_phases(struct activity first, struct activity second)
{
	enum { RUNS = 200, ROUNDS = 100, SETS = 2, TURN = 5, PHASE = 7 };
	struct random source = random_of_seed(first.raw);
	double sum = 0, expected = 0;
	int contained = 0;

	for (int run = 0; run < RUNS; run++) {
		const size_t phase = random_below(&source, 2 * PHASE);
		size_t turn = 0;

		memset(windows, 0, sizeof(windows));
		expected = 0;
		for (size_t ms = 0; ms < (size_t)ROUNDS * SETS * TURN; ms++) {
			const size_t i = ms / TURN;
			const struct activity now = (ms + phase) / PHASE % 2 ? second : first;

			if (ms % (SETS * TURN) == 0)
				turn = random_below(&source, SETS);
			lengths_ns[i] = TURN * MS;
			windows[i].enabled_ns += now.enabled_ns;
			windows[i].running_ns += i % SETS == turn ? now.enabled_ns : 0;
			windows[i].raw += i % SETS == turn ? now.raw : 0;
			expected += (double)now.raw;
		}
		assert_true(estimate_windows(NULL, (size_t)ROUNDS * SETS, SETS));
		sum += estimate.count / expected / RUNS;
		contained += fabs(estimate.count - expected) <= estimate.half_width;
	}
	assert_true(fabs(sum - 1) < 0.01);
	assert_in_range(100 * contained / RUNS, 94, 100);
	assert_true(estimate.half_width < 0.1 * expected);
}

static void a_program_that_waits_is_estimated_without_bias(void **state)
{
	check_phases((struct activity){ MS, 1000 }, (struct activity){ MS * 35 / 100, 700 });
	check_phases((struct activity){ MS, 2000 }, (struct activity){ MS * 35 / 100, 350 });
	check_phases((struct activity){ MS, 1000 }, (struct activity){ 4 * MS, 1000 });
	/* asleep: whole turns without any time */
	check_phases((struct activity){ MS, 1000 }, (struct activity){ 0, 0 });
}

/* A rate that grows slowly differs little from round to round. */
static void a_growing_rate_has_a_narrow_interval(void **state)
{
	struct random source = random_of_seed(1);
	double sum = 0;
	size_t turn = 0;

	memset(windows, 0, sizeof(windows));
	for (size_t i = 0; i < 300; i++) {
		const uint64_t rate = 1000 + 10 * i;

		if (i % 3 == 0)
			turn = random_below(&source, 3);
		windows[i].enabled_ns = 5 * MS;
		if (i % 3 == turn)
			windows[i] = (struct counts){ rate, 5 * MS, 5 * MS };
		sum += (double)rate;
	}
	set_lengths(300);
	assert_true(estimate_windows(NULL, 300, 3));
	check_contains(sum);
	assert_true(estimate.half_width < 0.02 * estimate.count);
}

/* The time in which the event was on at the end is too short for a rate. */
static void the_end_of_a_run_decides_little(void **state)
{
	memset(windows, 0, sizeof(windows));
	for (size_t i = 0; i < 28; i++)
		windows[i] = i % 4 ? (struct counts){ 0, 5 * MS, 0 } :
				     (struct counts){ 5000, 5 * MS, 5 * MS };
	windows[24] = (struct counts){ 0, 5 * MS, 0 };
	windows[27] = (struct counts){ 1000, MS / 50, MS / 50 };
	set_lengths(28);
	assert_true(estimate_windows(NULL, 28, 4));
	check_contains(135000);
	assert_true(estimate.count < 1.2 * 135000);
}

/* The companion has `events` in each window, also in those in which the event is off. */
static void accompany(size_t n, uint64_t (*events)(size_t window))
{
	for (size_t i = 0; i < n; i++)
		companion[i] = (struct counts){ events(i), 4 * MS, 4 * MS };
}

/* Make events and a companion, and estimate the count with it. Returns the estimate without it. */
static struct count_estimate estimate_with(uint64_t (*events)(size_t window),
					   uint64_t (*companions)(size_t window))
{
	struct count_estimate by_time;

	make(300, 3, events);
	accompany(300, companions);
	assert_true(estimate_windows(NULL, 300, 3));
	by_time = estimate;
	assert_true(estimate_windows(companion, 300, 3));
	return by_time;
}

static void a_companion_that_varies_alike_gives_the_count(void **state)
{
	const struct count_estimate by_time = estimate_with(two_phases, two_phases);

	assert_true(fabs(estimate.count - truth(300, two_phases)) < 1);
	assert_true(estimate.half_width < by_time.half_width / 1000);
}

/* The time gives the estimate; the companion's different estimate widens the interval. */
static void a_companion_that_varies_differently_is_not_used(void **state)
{
	const struct count_estimate by_time = estimate_with(steady, two_phases);

	assert_true(estimate.count == by_time.count);
	check_contains(truth(300, steady));
	assert_true(estimate.half_width < 0.05 * estimate.count);
}

static void a_companion_without_events_is_not_used(void **state)
{
	make(300, 3, two_phases);
	accompany(300, none);
	assert_true(estimate_windows(companion, 300, 3));
	check_contains(truth(300, two_phases));
}

/* The part of a window belongs to the turn of its neighbour. */
static void windows_may_be_partly_on(void **state)
{
	make(120, 3, steady);
	for (size_t i = 0; i < 120; i += 12) {
		windows[i + 1].running_ns = MS / 4;
		windows[i + 1].raw = 62;
	}
	assert_true(estimate_windows(NULL, 120, 3));
	check_contains(truth(120, steady));
}

/* The typical event of the set that saw most decides, and no interval becomes narrower. */
static void events_of_a_run_share_their_variance(void **state)
{
	struct count_estimate estimates[] = { { 100, 1 }, { 200, 1 }, { 100, 1000 }, { 100, NAN },
					      { 100, 1 }, { 100, 1 }, { 100, 1 },    { 100, 1 } };
	struct pooled_estimate pool[] = {
		{ &estimates[0], { .variance = 1, .df = 3 }, 0 },
		{ &estimates[1], { .variance = 404, .df = 4, .noise = 1 }, 0 },
		{ &estimates[2], { .variance = 900, .df = 1 }, 0 },
		{ &estimates[3], { .variance = NAN }, 1 },
		{ &estimates[4], { .variance = 1e6, .df = 1 }, 2 }, /* not typical of its set */
		{ &estimates[5], { .variance = 1, .df = 3 }, 2 },
		{ &estimates[6], { .variance = 1, .df = 3 }, 2 },
		{ &estimates[7], { .variance = 2500, .df = 1 }, 3 },
	};
	const double t3 = 3.182446, t4 = 2.776445; /* with 3 and 4 degrees of freedom */

	estimate_pool(pool, 1);
	assert_true(estimates[0].half_width == 1); /* nothing is typical of one event */
	estimate_pool(pool, N_OF(pool)); /* 400 / 200² / 4 = 0.0025 */
	assert_true(fabs(estimates[0].half_width - t3 * 5) < 0.05);
	assert_true(fabs(estimates[1].half_width - t4 * sqrt(404)) < 0.05);
	assert_true(estimates[2].half_width == 1000);
	assert_true(isnan(estimates[3].half_width));
	assert_true(estimates[4].half_width > 10000);
	assert_true(fabs(estimates[6].half_width - t3 * 5) < 0.05);
	assert_true(fabs(estimates[7].half_width - 12.70620 * 50) < 1); /* alone in its set */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_steady_rate_has_a_narrow_interval),
		cmocka_unit_test(a_constant_rate_has_an_interval),
		cmocka_unit_test(phases_widen_the_interval),
		cmocka_unit_test(too_few_rounds_have_no_interval),
		cmocka_unit_test(one_outlier_gives_a_wide_interval),
		cmocka_unit_test(an_event_that_never_happens_has_no_interval),
		cmocka_unit_test(there_is_no_estimate_without_time_running),
		cmocka_unit_test(there_is_no_estimate_if_turns_are_lost),
		cmocka_unit_test(random_turns_are_not_in_step),
		cmocka_unit_test(a_program_that_waits_is_estimated_without_bias),
		cmocka_unit_test(a_growing_rate_has_a_narrow_interval),
		cmocka_unit_test(the_end_of_a_run_decides_little),
		cmocka_unit_test(a_companion_that_varies_alike_gives_the_count),
		cmocka_unit_test(a_companion_that_varies_differently_is_not_used),
		cmocka_unit_test(a_companion_without_events_is_not_used),
		cmocka_unit_test(windows_may_be_partly_on),
		cmocka_unit_test(events_of_a_run_share_their_variance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
