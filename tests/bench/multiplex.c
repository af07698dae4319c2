/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: multiplex [RUNS [KIND]]
 *
 * Measures how wrong the estimates of multiplexed counts are, by simulation. A program's event rate
 * changes over time. Several identical events share 6 counters, as on a PMU with 7 counters, one of
 * which counts the truth. The kernel rotates the list by one event every 4 ms, and pstat reads all
 * counters about as often.
 *
 * For each kind of program and length of run: how often the 95 % interval contains the true count
 * (of the rows with an interval), the share of rows without one, and the root-mean-square error of
 * the estimate, next to that of scaling by time enabled / time running.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "stats/estimate.h"
#include "stats/random.h"

enum {
	COUNTERS = 6,
	STEP_US = 100,
	STEPS_MAX = 5000000 / STEP_US,
	ROTATION_STEPS = 4000 / STEP_US,
	WINDOWS_MAX = 2048,
	SAMPLES_MAX = 1024,
};

static struct random source;
static double rates[STEPS_MAX]; /* in each step */

static double uniform(void)
{
	return (double)(random_next(&source) >> 11) * 0x1p-53 + 0x1p-54;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* Log-uniform between low and high. */
static double between(double low, double high)
{
	return low * pow(high / low, uniform());
}

/* ---- Kinds of programs */

static void make_steady(int steps)
{
	for (int i = 0; i < steps; i++)
		rates[i] = 1 + 0.05 * normal();
}

/* Two alternating phases. The period is random between two limits, and varies by a few percent. */
static void make_periodic(int steps, double low_ms, double high_ms)
{
	double period = between(low_ms, high_ms) * 1000 / STEP_US, share = 0.2 + 0.6 * uniform();
	double left = period * uniform(), level = 0.05 + 0.5 * uniform();
	bool high = uniform() < share;

	for (int i = 0; i < steps; i++) {
		rates[i] = high ? 1 : level;
		for (left -= 1; left <= 0; high = !high)
			left += period * (high ? 1 - share : share) * (1 + 0.03 * normal());
	}
}

static void make_below(int steps)
{
	make_periodic(steps, 0.3, 2);
}

static void make_at(int steps)
{
	make_periodic(steps, 4, 20);
}

static void make_above(int steps)
{
	make_periodic(steps, 50, 500);
}

static void make_random(int steps)
{
	double mean = between(1, 300) * 1000 / STEP_US, left = 0, level = 1;

	for (int i = 0; i < steps; i++, left--) {
		if (left <= 0) {
			left = mean * (0.3 + 1.4 * uniform());
			level = uniform();
		}
		rates[i] = level;
	}
}

/* A higher rate for some share of the run. */
static void make_burst(int steps, double low_share, double high_share)
{
	int length = (int)(steps * between(low_share, high_share));
	int first = (int)((steps - length) * uniform());
	double low = between(0.05, 0.5);

	for (int i = 0; i < steps; i++)
		rates[i] = (i >= first && i < first + length ? 1 : low) * (1 + 0.03 * normal());
}

static void make_long_burst(int steps)
{
	make_burst(steps, 0.1, 0.5);
}

/* A short burst may fall into a gap, where no method can detect it. */
static void make_short_burst(int steps)
{
	make_burst(steps, 0.02, 0.1);
}

/* Short processes: each starts at a low rate, and has its own rate after that. */
static void make_children(int steps)
{
	double left = 0, level = 1, start = 0;

	for (int i = 0; i < steps; i++, left--, start--) {
		if (left <= 0) {
			left = between(2, 60) * 1000 / STEP_US;
			start = 8;
			level = 0.4 + 0.6 * uniform();
		}
		rates[i] = start > 0 ? 0.2 : level;
	}
}

/* Up to four threads, each with its own phases: the rate is that of the one that runs. */
static void make_threads(int steps)
{
	double levels[4], left[4] = { 0 };
	int now = 0, slice = 0;

	for (int i = 0; i < steps; i++) {
		for (int thread = 0; thread < 4; thread++)
			if (--left[thread] <= 0) {
				left[thread] = between(5, 400) * 1000 / STEP_US;
				levels[thread] = 0.1 + 0.9 * uniform();
			}
		if (--slice <= 0) {
			now = (int)(4 * uniform());
			slice = (int)(between(1, 12) * 1000 / STEP_US);
		}
		rates[i] = levels[now];
	}
}

static const struct {
	const char *name;
	void (*make)(int steps);
} kinds[] = {
	{ "steady, 5 % noise", make_steady },
	{ "period of 0.3-2 ms", make_below },
	{ "period of 4-20 ms", make_at },
	{ "period of 50-500 ms", make_above },
	{ "random phases, 1-300 ms", make_random },
	{ "burst, 10-50 % of the run", make_long_burst },
	{ "short children", make_children },
	{ "threads", make_threads },
	{ "burst, 2-10 % of the run", make_short_burst },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* ---- One run */

/* When the counters are enabled, the rotation is at a random point between two ticks. */
struct rotation {
	int events, offset, phase;
};

static bool is_on(const struct rotation *rotation, int event, int step)
{
	int turn = (step + rotation->phase) / ROTATION_STEPS + rotation->offset;

	return ((event - turn) % rotation->events + rotation->events) % rotation->events < COUNTERS;
}

/* The end of the window that begins at this step. pstat wakes up a little late. */
static int next_reading(int step, int every)
{
	return step + every + (int)(uniform() < 0.1 ? 10 * uniform() : 2 * uniform());
}

static int every_of(int steps)
{
	int every = ROTATION_STEPS;

	while (steps / every > SAMPLES_MAX)
		every *= 2;
	return every;
}

static size_t make_windows(const struct rotation *rotation, int event, int steps,
			   struct counts *windows)
{
	const uint64_t unit = 1000000; /* events in a step with rate 1 */
	int every = every_of(steps);
	size_t n = 0;

	for (int step = 0; step < steps; n++) {
		struct counts window = { 0 };
		int end = next_reading(step, n ? every : 100);

		for (; step < end && step < steps; step++) {
			window.enabled_ns += STEP_US * 1000;
			if (!is_on(rotation, event, step))
				continue;
			window.running_ns += STEP_US * 1000;
			window.raw += (uint64_t)(rates[step] * (double)unit);
		}
		windows[n] = window;
	}
	return n;
}

static double truth(int steps)
{
	double sum = 0;

	for (int i = 0; i < steps; i++)
		sum += (double)(uint64_t)(rates[i] * 1000000);
	return sum;
}

/* ---- Figures */

struct figures {
	int rows, shown, covered;
	double ours, scaling; /* sums of squared relative errors */
	double widths; /* sum of the half-widths */
};

static void add_row(struct figures *f, const struct counts *windows, size_t n, double expected)
{
	struct count_estimate estimate;
	struct counts sum = { 0 };
	double scaled;

	for (size_t i = 0; i < n; i++) {
		sum.raw += windows[i].raw;
		sum.enabled_ns += windows[i].enabled_ns;
		sum.running_ns += windows[i].running_ns;
	}
	if (!estimate_count(windows, n, 0, &estimate))
		return;
	scaled = (double)scale_count(&sum, SCALE_BY_TIME);
	f->rows++;
	f->ours += pow(estimate.count / expected - 1, 2);
	f->scaling += pow(scaled / expected - 1, 2);
	if (isnan(estimate.half_width))
		return;
	f->shown++;
	f->covered += fabs(estimate.count - expected) <= estimate.half_width + 1e-9 * expected;
	f->widths += estimate.half_width / expected;
}

static void simulate(struct figures *f, int kind, int milliseconds, int events, int runs)
{
	static struct counts windows[WINDOWS_MAX];
	int steps = milliseconds * 1000 / STEP_US;

	for (int i = 0; i < runs; i++) {
		struct rotation rotation = { .events = events,
					     .offset = (int)(events * uniform()),
					     .phase = (int)(ROTATION_STEPS * uniform()) };
		double expected;

		kinds[kind].make(steps);
		expected = truth(steps);
		for (int event = 0; event < events; event += 4)
			add_row(f, windows, make_windows(&rotation, event, steps, windows),
				expected);
	}
}

static void print(const char *name, const char *length, const struct figures *f)
{
	printf("| %-25s | %8s | %7.1f %% | %7.1f %% | %6.2f %% | %6.2f %% | %5.2f | %6.2f %% |\n",
	       name, length, f->shown ? 100.0 * f->covered / f->shown : 0,
	       100.0 * (f->rows - f->shown) / (f->rows ? f->rows : 1),
	       100 * sqrt(f->ours / f->rows), 100 * sqrt(f->scaling / f->rows),
	       sqrt(f->ours / f->scaling), f->shown ? 100 * f->widths / f->shown : 0);
	fflush(stdout);
}

static void add(struct figures *sum, const struct figures *f)
{
	sum->rows += f->rows;
	sum->shown += f->shown;
	sum->covered += f->covered;
	sum->ours += f->ours;
	sum->scaling += f->scaling;
	sum->widths += f->widths;
}

static double print_kind(int kind, int runs)
{
	static const int lengths[] = { 50, 200, 1000, 5000 };
	static const int events[] = { 8, 12, 20 };
	struct figures all = { 0 };
	double logs = 0;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct figures f = { 0 };
		char length[32];

		for (size_t j = 0; j < sizeof(events) / sizeof(events[0]); j++)
			simulate(&f, kind, lengths[i], events[j], runs);
		snprintf(length, sizeof(length), "%g s", lengths[i] / 1000.0);
		print(kinds[kind].name, length, &f);
		logs += log(f.ours / f.scaling) / 2;
		add(&all, &f);
	}
	print(kinds[kind].name, "all", &all);
	return logs / (double)(sizeof(lengths) / sizeof(lengths[0]));
}

int main(int argc, char *argv[])
{
	int runs = argc > 1 ? atoi(argv[1]) : 300;
	int only = argc > 2 ? atoi(argv[2]) : -1;
	double logs = 0;
	int n = 0;

	source = random_of_seed(20261124);
	printf("| program                   | length   | covered   | withheld  | error    | scaling  | ratio | half-width |\n"
	       "| ------------------------- | -------- | --------- | --------- | -------- | -------- | ----- | -------- |\n");
	for (int kind = 0; kind < KINDS; kind++) {
		if (only >= 0 && only != kind)
			continue;
		logs += print_kind(kind, runs);
		n++;
	}
	printf("\nThe geometric mean of the ratios is %.3f.\n", exp(logs / n));
	return 0;
}
