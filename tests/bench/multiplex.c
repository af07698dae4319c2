/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: multiplex [RUNS [KIND]]
 *
 * Simulates multiplexed counts, and prints how wrong their estimates are. A program has two
 * activities, whose rates change over time. In half of the runs, all events count only the first
 * activity. In the other half, each event counts both, in a random proportion. 8 to 30 events share
 * 6 counters.
 *
 * The first table has, for each kind of program: how often the 95 % interval contains the true
 * count (of the rows with an interval), the share of rows with one, its median half-width, and the
 * root-mean-square error of the estimate if pstat draws the turns (count/turns.h), next to that of
 * scaling by time enabled / time running under the rotation of the kernel, which changes one of the
 * events every 4 ms. The second table is about ratios of two events that are never on together; the
 * error is the sum of both, as in result/table.c. The third table is like the first one, without a
 * companion and for runs of at least 0.2 s; the turns are of 3 ms, or of 15 ms as if samples took
 * long. The fourth table compares two sides with 10 runs each: the other side counts the same, or
 * 2 % more.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "count/sampler.h"
#include "count/turns.h"
#include "stats/contrast.h"
#include "stats/estimate.h"
#include "stats/random.h"
#include "stats/rmath.h"

enum {
	COUNTERS = 6,
	STEP_US = 100,
	STEPS_MAX = 5000000 / STEP_US,
	ROTATION_STEPS = 4000 / STEP_US,
	EVENTS_MAX = 30,
	WINDOWS_MAX = 4096,
	ROWS_MAX = 1000000,
};

static struct random source;
static double factor = 1; /* all rates are multiplied by this */
static size_t events_n; /* that share the counters; programs may be in step with their rotation */
static const size_t events[] = { 8, 12, 20, 30 }; /* the values of events_n */
static size_t sets_n; /* that take turns */
static uint64_t longest_turn_ns = TURNS_NS; /* on average */
static bool alone; /* there is no companion */

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

static double steps_of(double ms)
{
	return ms * 1000 / STEP_US;
}

/* ---- Kinds of programs: they set the rate in each of n steps. */

static void make_steady(double *rates, int n, double unused)
{
	(void)unused;
	for (int i = 0; i < n; i++)
		rates[i] = 1 + 0.05 * normal();
}

/* Two alternating phases, which vary by a few percent. */
static void make_phases(double *rates, int n, double ms)
{
	double left = steps_of(ms) * uniform(), level = 0.05 + 0.5 * uniform();
	bool high = uniform() < 0.5;

	for (int i = 0; i < n; i++) {
		rates[i] = high ? 1 : level;
		for (left -= 1; left <= 0; high = !high)
			left += steps_of(ms) * (1 + 0.03 * normal());
	}
}

/* The program repeats itself exactly, once or several times in a whole rotation. */
static void make_in_step(double *rates, int n, double times)
{
	double period = ROTATION_STEPS * (double)events_n / times, at = period * uniform();
	double share = 0.1 + 0.4 * uniform(), level = 0.02 + 0.3 * uniform();

	for (int i = 0; i < n; i++)
		rates[i] = fmod(i + at, period) < share * period ? 1 : level;
}

static void make_random(double *rates, int n, double unused)
{
	double mean = steps_of(between(1, 300)), left = 0, level = 1;

	(void)unused;
	for (int i = 0; i < n; i++, left--) {
		if (left <= 0) {
			left = mean * (0.3 + 1.4 * uniform());
			level = uniform();
		}
		rates[i] = level;
	}
}

static void make_bursts(double *rates, int n, double unused)
{
	double low = 0.02 + 0.1 * uniform(), often = 1 / steps_of(between(30, 200)), left = 0;

	(void)unused;
	for (int i = 0; i < n; i++) {
		if (left <= 0 && uniform() < often)
			left = steps_of(between(2, 15));
		rates[i] = (left-- > 0 ? 1 : low) * (1 + 0.03 * normal());
	}
}

static void make_heavy_tails(double *rates, int n, double unused)
{
	double left = 0, level = 1;

	(void)unused;
	for (int i = 0; i < n; i++, left--) {
		if (left <= 0) {
			left = steps_of(between(1, 30));
			level = exp(normal());
		}
		rates[i] = level;
	}
}

static void make_growing(double *rates, int n, double unused)
{
	double first = 0.1 + 0.5 * uniform();

	(void)unused;
	for (int i = 0; i < n; i++)
		rates[i] = (first + (double)i / n) * (1 + 0.03 * normal());
}

static void make_walk(double *rates, int n, double unused)
{
	double x = 0;

	(void)unused;
	for (int i = 0; i < n; i++)
		rates[i] = exp(x += 0.01 * normal());
}

/* A higher rate during some share of the run. from_start: it begins with the run. */
static void make_burst(double *rates, int n, double length, bool from_start)
{
	double begin = from_start ? 0 : (n - length) * uniform(), low = 0.05 + 0.3 * uniform();

	for (int i = 0; i < n; i++)
		rates[i] = (i >= begin && i < begin + length ? 1 : low) * (1 + 0.03 * normal());
}

static void make_start_up(double *rates, int n, double unused)
{
	(void)unused;
	make_burst(rates, n, n * (0.05 + 0.3 * uniform()), true);
}

static void make_spike(double *rates, int n, double unused)
{
	(void)unused;
	make_burst(rates, n, steps_of(between(5, 30)), false);
}

static void make_long_burst(double *rates, int n, double unused)
{
	(void)unused;
	make_burst(rates, n, n * between(0.1, 0.5), false);
}

/* Short processes: each starts at a low rate, and has its own rate after that. */
static void make_children(double *rates, int n, double longest_ms)
{
	double left = 0, level = 1, start = 0;

	for (int i = 0; i < n; i++, left--, start--) {
		if (left <= 0) {
			left = steps_of(between(longest_ms / 30, longest_ms));
			start = steps_of(0.8);
			level = 0.4 + 0.6 * uniform();
		}
		rates[i] = start > 0 ? 0.2 : level;
	}
}

/* Four threads with different phases take turns on one CPU. Each slice is at most this long. */
static void make_threads(double *rates, int n, double longest_slice_ms)
{
	double levels[4], left[4] = { 0 }, slice = 0;
	size_t now = 0;

	for (int i = 0; i < n; i++) {
		for (size_t thread = 0; thread < 4; thread++)
			if (--left[thread] <= 0) {
				left[thread] = steps_of(between(5, 400));
				levels[thread] = 0.1 + 0.9 * uniform();
			}
		if (--slice <= 0) {
			now = random_below(&source, 4);
			slice = steps_of(between(longest_slice_ms / 12, longest_slice_ms));
		}
		rates[i] = levels[now];
	}
}

/* times: how much CPU time the tasks use in each step while the first activity is high, and while it
 * is low. Below 1 they wait, above 1 there are several. */
static const struct {
	const char *name;
	void (*make)(double *rates, int n, double parameter);
	double parameter;
	float times[2];
} kinds[] = {
	{ "steady, 5 % noise", make_steady, 0, { 1, 1 } },
	{ "phases of 1 ms", make_phases, 1, { 1, 1 } },
	{ "phases of 5 ms", make_phases, 5, { 1, 1 } },
	{ "phases of 25 ms", make_phases, 25, { 1, 1 } },
	{ "phases of 100 ms", make_phases, 100, { 1, 1 } },
	{ "phases of 250 ms", make_phases, 250, { 1, 1 } },
	{ "in step, once", make_in_step, 1, { 1, 1 } },
	{ "in step, twice", make_in_step, 2, { 1, 1 } },
	{ "in step, half", make_in_step, 0.5, { 1, 1 } },
	{ "in step, three times", make_in_step, 3, { 1, 1 } },
	{ "random phases, 1-300 ms", make_random, 0, { 1, 1 } },
	{ "rare bursts", make_bursts, 0, { 1, 1 } },
	{ "heavy tails", make_heavy_tails, 0, { 1, 1 } },
	{ "growing", make_growing, 0, { 1, 1 } },
	{ "random walk", make_walk, 0, { 1, 1 } },
	{ "start-up, then idle", make_start_up, 0, { 1, 1 } },
	{ "forks", make_children, 60, { 1, 1 } },
	{ "execs", make_children, 600, { 1, 1 } },
	{ "threads", make_threads, 12, { 1, 1 } },
	{ "threads, short slices", make_threads, 1, { 1, 1 } },
	{ "one spike", make_spike, 0, { 1, 1 } },
	{ "one long burst", make_long_burst, 0, { 1, 1 } },
	{ "waits of 7 ms", make_phases, 7, { 1, 0.35F } },
	{ "waits of 25 ms, faster", make_phases, 25, { 0.35F, 1 } },
	{ "waits of 1 to 300 ms", make_random, 0, { 1, 0.1F } },
	{ "1 or 4 threads, 15 ms", make_phases, 15, { 1, 4 } },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* ---- One run */

static double activities[2][STEPS_MAX];
static float rates[EVENTS_MAX][STEPS_MAX]; /* of each event, for a step of CPU time */
static float times[STEPS_MAX]; /* the CPU time that the tasks use in a step */
static struct counts windows[EVENTS_MAX][WINDOWS_MAX]; /* if pstat draws the turns */
static uint64_t lengths_ns[WINDOWS_MAX];
static struct counts rotated[EVENTS_MAX]; /* if the kernel rotates the events */

static void make_rates(int kind, int n, bool alike)
{
	const float *of_kind = kinds[kind].times;

	for (size_t i = 0; i < 2; i++)
		kinds[kind].make(activities[i], n, kinds[kind].parameter);
	for (int i = 0; i < n; i++)
		times[i] = of_kind[activities[0][i] < 0.6];
	for (size_t event = 0; event < events_n; event++) {
		double size = between(1e4, 1e6), share = alike ? 1 : uniform();

		for (int i = 0; i < n; i++)
			rates[event][i] = (float)(size * (share * activities[0][i] +
							  (1 - share) * activities[1][i]));
	}
}

static uint64_t events_in_step(size_t event, int step)
{
	return (uint64_t)(factor * (double)rates[event][step] * (double)times[step]);
}

static void count_step(struct counts *counts, size_t event, int step, bool is_on)
{
	const uint64_t time_ns = (uint64_t)(STEP_US * 1000 * times[step]);

	counts->enabled_ns += time_ns;
	if (!is_on)
		return;
	counts->running_ns += time_ns;
	counts->raw += events_in_step(event, step);
}

/* When the counters are enabled, the rotation is at a random point between two ticks. */
static void rotate(int n)
{
	int offset = (int)random_below(&source, events_n),
	    phase = (int)(ROTATION_STEPS * uniform());

	memset(rotated, 0, sizeof(rotated));
	for (int step = 0; step < n; step++) {
		int turn = (step + phase) / ROTATION_STEPS + offset;

		for (int event = 0; event < (int)events_n; event++) {
			int place = (event - turn) % (int)events_n;

			count_step(&rotated[event], (size_t)event, step,
				   (place + (int)events_n) % (int)events_n < COUNTERS);
		}
	}
}

/* If samples take long, the turns are longer after the first ones of a run (count/sampler.h). */
static uint64_t length_of_turn(int step, size_t window)
{
	const uint64_t average_ns = turns_average_ns((uint64_t)step * STEP_US * 1000);

	return window < SAMPLER_FIRST || average_ns < TURNS_NS ? average_ns : longest_turn_ns;
}

/* One counter belongs to the event that is always on. */
static size_t set_of(size_t event)
{
	return (event - 1) / (COUNTERS - 1);
}

/* The first event is always on, the others take turns. pstat wakes up a little late. Returns the
 * number of windows. */
static size_t take_turns(int n)
{
	cleanup_with(turns_release) struct turns turns = { 0 };
	size_t window = 0;
	size_t *sets = calloc(events_n, sizeof(*sets));

	sets_n = set_of(events_n - 1) + 1;
	for (size_t i = 1; i < events_n; i++)
		sets[i] = set_of(i);
	if (turns_init(&turns, sets, sets_n, random_next(&source)) < 0)
		exit(1);
	turns_begin(&turns);
	memset(windows, 0, sizeof(windows));
	for (int step = 0; step < n && window < WINDOWS_MAX; window++, turns_next(&turns)) {
		int end = step +
			  (int)(turns_vary_ns(&turns, length_of_turn(step, window)) /
				(STEP_US * 1000)) +
			  (int)(uniform() < 0.1 ? 10 * uniform() : 2 * uniform());

		lengths_ns[window] = 0;
		for (end = end > step ? end : step + 1; step < end && step < n; step++) {
			lengths_ns[window] += STEP_US * 1000;
			for (size_t event = 0; event < events_n; event++)
				count_step(&windows[event][window], event, step,
					   event == 0 || sets[event] == turns_now(&turns));
		}
	}
	return window;
}

static double truth(size_t event, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += (double)events_in_step(event, i);
	return sum;
}

/* ---- Figures */

struct figures {
	size_t rows, shown, covered;
	size_t ratios, ratios_covered;
	double ours, scaling; /* sums of squared relative errors */
	size_t scaling_rows;
	double *widths; /* owned: half-widths, relative to the true count */
};

static const struct counts *companion(void)
{
	return alone ? NULL : windows[0];
}

static struct count_estimate estimates[EVENTS_MAX];

/* Estimate all events of a run. */
static void estimate_all(size_t windows_n)
{
	struct pooled_estimate pool[EVENTS_MAX];
	size_t n = 0;

	for (size_t event = 1; event < events_n; event++) {
		estimates[event] = (struct count_estimate){ .count = NAN, .half_width = NAN };
		pool[n].estimate = &estimates[event];
		pool[n].set = set_of(event);
		if (estimate_count(windows[event], companion(), lengths_ns, windows_n, sets_n,
				   &estimates[event], &pool[n].spread))
			n++;
	}
	estimate_pool(pool, n);
}

/* The ratio of an event to the next one of the list that has its turn at another time. */
static void add_ratios(struct figures *f, int n)
{
	for (size_t a = 1, b = COUNTERS; b < events_n; a++, b++) {
		const double expected = truth(a, n) / truth(b, n);
		const struct count_estimate x = estimates[a], y = estimates[b];
		double error;

		if (isnan(x.half_width) || isnan(y.half_width) || x.half_width >= x.count ||
		    y.half_width >= y.count)
			continue; /* the ratio has no interval */
		error = x.half_width / x.count + y.half_width / (y.count - y.half_width);
		f->ratios++;
		f->ratios_covered +=
			fabs(x.count / y.count - expected) <= (error + 1e-6) * x.count / y.count;
	}
}

static void add_rows(struct figures *f, int n)
{
	const size_t windows_n = take_turns(n);

	rotate(n);
	estimate_all(windows_n);
	for (size_t event = 1; event < events_n; event++) {
		const double expected = truth(event, n);
		const struct count_estimate estimate = estimates[event];

		if (expected <= 0)
			continue; /* there is no relative error */
		if (rotated[event].running_ns > 0) {
			const double scaled = (double)scale_count(&rotated[event], SCALE_BY_TIME);

			f->scaling += pow(scaled / expected - 1, 2);
			f->scaling_rows++;
		}
		if (isnan(estimate.count))
			continue;
		f->rows++;
		f->ours += pow(estimate.count / expected - 1, 2);
		if (isnan(estimate.half_width) || f->shown == ROWS_MAX)
			continue;
		f->widths[f->shown++] = estimate.half_width / expected;
		f->covered +=
			fabs(estimate.count - expected) <= estimate.half_width + 1e-6 * expected;
	}
	add_ratios(f, n);
}

static int compare_numbers(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void print(const char *name, const char *length, const struct figures *f)
{
	double ours = sqrt(f->ours / (double)f->rows);
	double scaling = sqrt(f->scaling / (double)f->scaling_rows);

	qsort(f->widths, f->shown, sizeof(*f->widths), compare_numbers);
	printf("| %-23s | %6s | %6zu | %5.1f %% | %5.1f %% | %6.2f %% | %6.2f %% | %6.2f %% | %4.2f |\n",
	       name, length, f->rows,
	       100.0 * (double)f->covered / (double)(f->shown ? f->shown : 1),
	       100.0 * (double)f->shown / (double)f->rows,
	       f->shown ? 100 * f->widths[f->shown / 2] : 0, 100 * ours, 100 * scaling,
	       ours / scaling);
	fflush(stdout);
}

static void add(struct figures *sum, const struct figures *f)
{
	for (size_t i = 0; i < f->shown && sum->shown + i < ROWS_MAX; i++)
		sum->widths[sum->shown + i] = f->widths[i];
	sum->rows += f->rows;
	sum->shown += f->shown;
	sum->covered += f->covered;
	sum->ratios += f->ratios;
	sum->ratios_covered += f->ratios_covered;
	sum->ours += f->ours;
	sum->scaling += f->scaling;
	sum->scaling_rows += f->scaling_rows;
}

static struct figures figures_begin(void)
{
	struct figures f = { .widths = calloc(ROWS_MAX, sizeof(*f.widths)) };

	if (!f.widths)
		exit(1);
	return f;
}

/* ---- Comparisons: the same program in every run, with other turns. */

enum { COMPARED_RUNS = 10, COMPARED_EVENTS = 12 };

/* The counts of an event in the runs of a side, and the error that the estimates cause in their
 * mean. */
struct compared {
	double counts[EVENTS_MAX][COMPARED_RUNS], error[EVENTS_MAX];
};

static void estimate_side(struct compared *side, int n)
{
	memset(side->error, 0, sizeof(side->error));
	for (size_t run = 0; run < COMPARED_RUNS; run++) {
		const size_t windows_n = take_turns(n);

		estimate_all(windows_n);
		for (size_t event = 1; event < events_n; event++) {
			if (isnan(estimates[event].count))
				exit(1);
			side->counts[event][run] = estimates[event].count;
			side->error[event] += pow(estimates[event].half_width, 2);
		}
	}
	for (size_t event = 1; event < events_n; event++)
		side->error[event] = sqrt(side->error[event]) / COMPARED_RUNS;
}

/* The number of events that are found to differ. */
static size_t count_changed(const struct compared *reference, const struct compared *other,
			    const struct math *math)
{
	double scratch[4 * COMPARED_RUNS];
	const struct contrast_family family = { 0.05, 1, 0.05 };
	size_t changed = 0;

	for (size_t event = 1; event < events_n; event++) {
		const struct contrast_input in = { .reference = reference->counts[event],
						   .other = other->counts[event],
						   .reference_n = COMPARED_RUNS,
						   .other_n = COMPARED_RUNS,
						   .paired = true,
						   .estimated = true,
						   .reference_error = reference->error[event],
						   .other_error = other->error[event],
						   .confidence = 0.95,
						   .minimum_effect = 0.001,
						   .seed = random_next(&source) };
		struct contrast contrast = contrast_of(&in, math, scratch);

		contrast_judge(&contrast, &family);
		changed += contrast.change == CHANGE_LESS || contrast.change == CHANGE_MORE;
	}
	return changed;
}

static void print_comparisons(int repetitions, const struct math *math)
{
	static struct compared reference, same, more;
	const int lengths[] = { 200, 1000 };
	size_t all[2] = { 0 }, rows = 0;

	printf("\n| program, 0.2 and 1 s | rows | same: a change | 2 %% more: found |\n"
	       "| --- | --- | --- | --- |\n");
	events_n = COMPARED_EVENTS;
	for (int kind = 0; kind < KINDS; kind++) {
		const size_t n = 2 * (size_t)repetitions * (events_n - 1);
		size_t found[2] = { 0 };

		for (int i = 0; i < 2 * repetitions; i++) {
			const int steps = lengths[i % 2] * 1000 / STEP_US;

			make_rates(kind, steps, i % 4 < 2);
			estimate_side(&reference, steps);
			estimate_side(&same, steps);
			factor = 1.02;
			estimate_side(&more, steps);
			factor = 1;
			found[0] += count_changed(&reference, &same, math);
			found[1] += count_changed(&reference, &more, math);
		}
		printf("| %s | %zu | %.1f %% | %.1f %% |\n", kinds[kind].name, n,
		       100.0 * (double)found[0] / (double)n, 100.0 * (double)found[1] / (double)n);
		all[0] += found[0];
		all[1] += found[1];
		rows += n;
	}
	printf("| all | %zu | %.1f %% | %.1f %% |\n", rows, 100.0 * (double)all[0] / (double)rows,
	       100.0 * (double)all[1] / (double)rows);
}

static void measure_alone(struct figures *f, int kind, int runs)
{
	static const int lengths[] = { 200, 1000, 5000 }; /* ms */

	for (int i = 0; i < runs * 3 * 4; i++) {
		const int n = lengths[i % 3] * 1000 / STEP_US;

		events_n = events[i / 3 % 4];
		make_rates(kind, n, i / 12 % 2);
		add_rows(f, n);
	}
}

static void print_alone(int runs)
{
	static const uint64_t turns_ms[] = { 3, 15 };

	printf("\n| no companion, turns of | rows | covered | half-width | error | scaling |\n"
	       "| --- | --- | --- | --- | --- | --- |\n");
	alone = true;
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < 2; i++) {
			struct figures f = figures_begin();

			longest_turn_ns = turns_ms[i] * 1000000;
			measure_alone(&f, kind, runs);
			qsort(f.widths, f.shown, sizeof(*f.widths), compare_numbers);
			printf("| %s, %d ms | %zu | %.1f %% | %.2f %% | %.2f %% | %.2f %% |\n",
			       kinds[kind].name, (int)turns_ms[i], f.rows,
			       100.0 * (double)f.covered / (double)f.shown,
			       100 * f.widths[f.shown / 2], 100 * sqrt(f.ours / (double)f.rows),
			       100 * sqrt(f.scaling / (double)f.scaling_rows));
			fflush(stdout);
			free(f.widths);
		}
	alone = false;
	longest_turn_ns = TURNS_NS;
}

static void print_ratios(const struct figures *kinds_figures)
{
	printf("\n| program | ratios | covered |\n| --- | --- | --- |\n");
	for (int kind = 0; kind <= KINDS; kind++) {
		const struct figures *f = &kinds_figures[kind];

		printf("| %s | %zu | %.1f %% |\n", kind < KINDS ? kinds[kind].name : "all",
		       f->ratios,
		       100.0 * (double)f->ratios_covered / (double)(f->ratios ? f->ratios : 1));
	}
}

int main(int argc, char *argv[])
{
	static const int lengths[] = { 50, 200, 1000, 5000 };
	enum { LENGTHS = 4 };
	int runs = argc > 1 ? atoi(argv[1]) : 20, only = argc > 2 ? atoi(argv[2]) : -1;
	struct figures all = figures_begin(), of_length[LENGTHS];
	static struct figures of_kind[KINDS + 1];
	cleanup_why struct why why = { 0 };
	struct math math;

	if (rmath_load(&math, &why) < 0)
		return 1;
	for (size_t i = 0; i < LENGTHS; i++)
		of_length[i] = figures_begin();
	source = random_of_seed(20261125);
	printf("| program                 | length |   rows | covered | shown   | half-width | error    | scaling  | ratio |\n"
	       "| ----------------------- | ------ | ------ | ------- | ------- | -------- | -------- | -------- | ---- |\n");
	for (int kind = 0; kind < KINDS; kind++) {
		struct figures sum = figures_begin();

		for (size_t i = 0; i < LENGTHS && (only < 0 || only == kind); i++) {
			struct figures f = figures_begin();
			int n = lengths[i] * 1000 / STEP_US;

			for (int run = 0; run < runs; run++)
				for (size_t j = 0; j < 4; j++) {
					events_n = events[j];
					make_rates(kind, n, run % 2);
					add_rows(&f, n);
				}
			add(&sum, &f);
			add(&of_length[i], &f);
			free(f.widths);
		}
		if (sum.rows > 0)
			print(kinds[kind].name, "all", &sum);
		add(&all, &sum);
		free(sum.widths);
		of_kind[kind] = sum;
	}
	for (size_t i = 0; i < LENGTHS; i++) {
		char length[32];

		snprintf(length, sizeof(length), "%g s", lengths[i] / 1000.0);
		print("all", length, &of_length[i]);
		free(of_length[i].widths);
	}
	print("all", "all", &all);
	free(all.widths);
	of_kind[KINDS] = all;
	if (only < 0) {
		print_ratios(of_kind);
		print_alone((runs + 1) / 2);
		print_comparisons(runs, &math);
	}
	return 0;
}
