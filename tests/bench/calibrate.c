/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: calibrate [COMPARISONS [10]]
 *
 * Measures how often comparisons are wrong, with simulated counts whose true values are known.
 *
 * 1. Both sides are the same: how often is one called better or worse (at most 5 % at 95 %
 *    confidence), and how often does the confidence interval contain the true ratio 1 (95 %)?
 * 2. The other side is 1 % slower, with a noise of 2 %: how often do as many runs as predicted show
 *    it, alone, as one of several gates, and for an effect that few runs show?
 * 3. A value is exactly at a limit: how often is its gate called crossed (at most 2.5 %)?
 * 4. The machine slows down half-way: with rounds, and with one side after the other.
 * 5. A report of eight rows: how many reports have a false verdict, what share of the verdicts is
 *    false, and how many of the true changes are found, by the family's method and by Holm's?
 * 6. Somebody looks after each round, and stops as soon as the interval excludes 0: how often is that
 *    wrong, by the t test for planned rounds and by the sequential test, how many rounds does a true
 *    change take, and how often does one of the intervals exclude the true change?
 * 7. Gates without -r, so their outcome ends the rounds: how often is a value exactly at its limit
 *    called crossed, and how often kept (at most 2.5 % each)? For comparison, the earlier rule: planned
 *    tests, each at half of the remaining level, after 8, 16, 32 and so on rounds.
 * 8. Whole comparisons of eight rows: the first is judged alone, the others together. How often has
 *    the first row a false verdict, and how often any of the others? By default, the elapsed time
 *    and the CPU time are judged instead: how often has either a false verdict?
 * 9. The default stopping rule: what ends the rounds of equal programs and of one that is 3 %
 *    slower, what is the conclusion, and how often is it "unclear" with time left?
 * 10. Suites of equal builds, with planned rounds and with the default stopping rule: how many have
 *    a verdict in some case, or on the geometric mean? If all cases are slower, how often does the
 *    interval of the mean miss it (at most 5 % each)? A geometric mean is exactly at its limit: how
 *    often is its gate crossed or kept (at most 2.5 % each)? This is measured only if the
 *    second argument is 10.
 *
 * Exit status: 0; 1 if a share exceeds its limit by more than three standard errors.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "result/comparison.h"
#include "run/stopping.h"
#include "stats/contrast.h"
#include "stats/geomean.h"
#include "stats/interval.h"
#include "stats/random.h"
#include "stats/rmath.h"
#include "stats/sequential.h"

enum { RUNS_MAX = 4096 };

static struct math math;
static struct random source;
static double reference[RUNS_MAX], other[RUNS_MAX], scratch[4 * RUNS_MAX];

static bool failed; /* a share was too large */

/* A share of n cases, in percent; it should be at most this large. */
static double at_most(double limit, size_t found, size_t n)
{
	const double share = (double)found / (double)n, most = limit / 100;

	failed |= share > most + 3 * sqrt(most * (1 - most) / (double)n);
	return 100 * share;
}

/* Between 0 and 1, both excluded. */
static double uniform(void)
{
	return (double)(random_next(&source) >> 11) * 0x1p-53 + 0x1p-54;
}

/* Box and Muller 1958, Annals of Mathematical Statistics 29(2). */
static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static double poisson(double mean)
{
	double product = uniform(), limit = exp(-mean);
	double k = 0;

	for (; product > limit; product *= uniform())
		k++;
	return k;
}

enum kind { NORMAL, LOG_NORMAL, DISCRETE, CONSTANT, DRIFTING, KINDS };

static const char *const kind_names[] = { "normal, 2 % noise", "log-normal, 30 %",
					  "discrete (Poisson 20)", "constant",
					  "drifting machine, 2 %" };

/* The count of one run. when: 0 at the beginning of the comparison, 1 at its end. */
static double draw(enum kind kind, double when, double effect)
{
	switch (kind) {
	case NORMAL:
		return 1e6 * effect * (1 + 0.02 * normal());
	case LOG_NORMAL:
		return 1e6 * effect * exp(0.3 * normal());
	case DISCRETE:
		return poisson(20 * effect);
	case CONSTANT:
		return 2000000 * effect;
	default:
		return 1e6 * effect * (1 + 0.3 * when) * (1 + 0.02 * normal());
	}
}

static void draw_both(enum kind kind, size_t n, double effect)
{
	for (size_t i = 0; i < n; i++) {
		reference[i] = draw(kind, (double)i / (double)n, 1);
		other[i] = draw(kind, (double)i / (double)n, effect);
	}
}

static struct contrast_input input_of(size_t n, bool paired, double effect)
{
	return (struct contrast_input){ reference, other, n,	  n,
					paired,	   0.95,  effect, random_next(&source) };
}

static struct contrast judged(const struct contrast_input *in)
{
	double alpha = 1 - in->confidence;
	struct contrast c = contrast_of(in, &math, scratch);

	contrast_judge(&c, &(struct contrast_family){ alpha, 1, alpha });
	return c;
}

static bool is_changed(enum change change)
{
	return change == CHANGE_LESS || change == CHANGE_MORE;
}

static void show_alike(enum kind kind, bool paired, size_t comparisons)
{
	static const size_t runs[] = { 6, 8, 10, 20, 50 };

	printf("%-8s %-22s", paired ? "rounds" : "unpaired", kind_names[kind]);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		size_t wrong = 0, covered = 0;

		for (size_t j = 0; j < comparisons; j++) {
			struct contrast_input in = input_of(runs[i], paired, 0.001);
			struct contrast c;

			draw_both(kind, runs[i], 1);
			c = judged(&in);
			wrong += is_changed(c.change);
			covered += c.ratio.low <= 1 && c.ratio.high >= 1;
		}
		printf("  %4.1f %5.1f", at_most(5, wrong, comparisons),
		       100 * (double)covered / (double)comparisons);
	}
	putchar('\n');
}

/* The number of runs that the pilot's runs predict for the effect at this level. */
static size_t predict(struct contrast_input *in, size_t pilot, double effect, double alpha)
{
	const struct contrast_goal goal = { alpha, 1, 0.9 };
	size_t n;

	in->reference_n = in->other_n = pilot;
	draw_both(NORMAL, pilot, 1 + effect);
	n = contrast_runs_needed(in, &math, effect, &goal, scratch);
	return n == 0 || n > RUNS_MAX ? RUNS_MAX : n;
}

static void show_power(size_t pilot, size_t comparisons)
{
	size_t found = 0, sum = 0;

	for (size_t j = 0; j < comparisons; j++) {
		struct contrast_input in = input_of(pilot, true, 0.01);
		size_t n = predict(&in, pilot, 0.01, 0.05);

		sum += n;
		draw_both(NORMAL, n, 1.01);
		in.reference_n = in.other_n = n;
		found += judged(&in).change == CHANGE_MORE;
	}
	printf("1 %% slower on 2 %% noise, predicted from %2zu rounds: %3zu rounds, found %.1f %%\n",
	       pilot, sum / comparisons, 100 * (double)found / (double)comparisons);
}

/*
 * The limits are 0 %. The effect crosses the first gate; the values of the other gates are exactly
 * at their limits.
 */
static void show_gate_power(double effect, size_t gates_n, size_t pilot, size_t comparisons)
{
	size_t found = 0, sum = 0;

	for (size_t j = 0; j < comparisons; j++) {
		struct contrast_input in = input_of(pilot, true, 0.01);
		const struct contrast_limit limit = { 0, true, true };
		struct gate_evidence gates[8] = { 0 };
		size_t order[8], n = predict(&in, pilot, effect, 0.05 / (double)gates_n);

		sum += n;
		in.reference_n = in.other_n = n;
		for (size_t i = 0; i < gates_n; i++) {
			draw_both(NORMAL, n, i ? 1 : 1 + effect);
			gates[i].p_crossed = contrast_evidence_beyond(
				&in, &math, &limit, 0.025, 0.025 / (double)gates_n, scratch);
			gates[i].p_kept = 1 - gates[i].p_crossed;
		}
		contrast_judge_gates(gates, gates_n, 0.95, order);
		found += gates[0].outcome == GATE_CROSSED;
	}
	printf("%.0f %% above one of %zu limits, predicted from %2zu rounds: %3zu rounds, found %.1f %%\n",
	       100 * effect, gates_n, pilot, sum / comparisons,
	       100 * (double)found / (double)comparisons);
}

/* How often a value exactly at its limit is called crossed. */
static void show_false_gates(enum kind kind, bool paired, size_t comparisons)
{
	static const size_t runs[] = { 6, 8, 10, 20, 50 };
	const struct contrast_limit limit = { 0, true, true };

	printf("%-8s %-22s", paired ? "rounds" : "unpaired", kind_names[kind]);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		size_t wrong = 0;

		for (size_t j = 0; j < comparisons; j++) {
			struct contrast_input in = input_of(runs[i], paired, 0.001);

			draw_both(kind, runs[i], 1);
			wrong += contrast_evidence_beyond(&in, &math, &limit, 0.025, 0.025,
							  scratch) <= 0.025;
		}
		printf("  %4.1f", at_most(2.5, wrong, comparisons));
	}
	putchar('\n');
}

/* Load starts half-way: all later runs take a third longer. */
static void show_order(bool intervals, size_t comparisons)
{
	enum { N = 20 };
	size_t wrong = 0;

	for (size_t j = 0; j < comparisons; j++) {
		struct contrast_input in = input_of(N, intervals, 0.001);

		for (size_t i = 0; i < N; i++) {
			reference[i] = draw(DRIFTING, intervals && i >= N / 2, 1);
			other[i] = draw(DRIFTING, !intervals || i >= N / 2, 1);
		}
		wrong += is_changed(judged(&in).change);
	}
	printf("load added half-way, the same program twice, %s: %.1f %% verdicts\n",
	       intervals ? "in rounds" : "one side after the other",
	       100 * (double)wrong / (double)comparisons);
}

enum { REPORT_ROWS = 8, REPORT_RUNS = 12 };

/* What reports of one kind said. */
struct reports {
	size_t n, with_false; /* reports */
	double false_share; /* sum of the shares of false verdicts */
	size_t found, to_find; /* changes */
};

/*
 * The noise of all rows is 2 %. shared: the part of its variance that all rows have in common, as
 * cycles and times have. The first rows are slower by the effect.
 */
static void draw_report(struct contrast *rows, size_t changed_n, double effect, double shared)
{
	double common[2 * REPORT_RUNS];

	for (size_t i = 0; i < 2 * REPORT_RUNS; i++)
		common[i] = normal();
	for (size_t row = 0; row < REPORT_ROWS; row++) {
		struct contrast_input in = input_of(REPORT_RUNS, true, 0.001);

		for (size_t i = 0; i < 2 * REPORT_RUNS; i++) {
			double noise = sqrt(shared) * common[i] + sqrt(1 - shared) * normal();
			double mean = i >= REPORT_RUNS && row < changed_n ? 1 + effect : 1;

			*(i < REPORT_RUNS ? &reference[i] : &other[i - REPORT_RUNS]) =
				1e6 * mean * exp(0.02 * noise);
		}
		rows[row] = contrast_of(&in, &math, scratch);
	}
}

/* Holm 1979, Scandinavian Journal of Statistics 6: the smallest p first, each at alpha / the
 * rest. */
static struct contrast_family holm_family(const struct contrast *rows)
{
	struct contrast_family family = { 0.05, REPORT_ROWS, 0 };
	bool done[REPORT_ROWS] = { false };

	for (size_t left = REPORT_ROWS; left > 0; left--) {
		double least = 2;
		size_t first = 0;

		for (size_t i = 0; i < REPORT_ROWS; i++) {
			double p = fmax(rows[i].p, rows[i].permutation.p);

			if (!done[i] && p < least) {
				least = p;
				first = i;
			}
		}
		if (least > family.alpha / (double)left)
			break;
		done[first] = true;
		family.level = least;
	}
	return family;
}

static void add_report(struct reports *reports, struct contrast *rows, size_t changed_n,
		       const struct contrast_family *family)
{
	size_t wrong = 0, right = 0;

	for (size_t i = 0; i < REPORT_ROWS; i++) {
		contrast_judge(&rows[i], family);
		if (!is_changed(rows[i].change))
			continue;
		if (i < changed_n)
			right++;
		else
			wrong++;
	}
	reports->n++;
	reports->with_false += wrong > 0;
	reports->false_share += wrong ? (double)wrong / (double)(wrong + right) : 0;
	reports->found += right;
	reports->to_find += changed_n;
}

static void print_reports(const char *method, const struct reports *reports)
{
	double n = (double)reports->n;

	printf("%s: %.1f %% with a false verdict, %.1f %% of the verdicts false", method,
	       100 * (double)reports->with_false / n, 100 * reports->false_share / n);
	if (reports->to_find)
		printf(", %.1f %% of the changes found",
		       100 * (double)reports->found / (double)reports->to_find);
}

static void show_reports(size_t changed_n, double shared, size_t comparisons)
{
	struct reports family = { 0 }, holm = { 0 };

	for (size_t j = 0; j < comparisons; j++) {
		struct contrast rows[REPORT_ROWS];
		const struct contrast *pointers[REPORT_ROWS];
		struct contrast_family level;

		draw_report(rows, changed_n, 0.03, shared);
		for (size_t i = 0; i < REPORT_ROWS; i++)
			pointers[i] = &rows[i];
		level = contrast_family_of(pointers, REPORT_ROWS, 0.05, scratch);
		add_report(&family, rows, changed_n, &level);
		level = holm_family(rows);
		add_report(&holm, rows, changed_n, &level);
	}
	printf("%zu of %d rows 3 %% slower, %.0f %% of the noise shared: ", changed_n, REPORT_ROWS,
	       100 * shared);
	print_reports("Benjamini-Hochberg", &family);
	print_reports("; Holm", &holm);
	putchar('\n');
}

/* ---- Somebody looks after each round. */

enum { LOOKS_MAX = 1000 };

static const char *const spread_names[] = { "normal", "log-normal", "spiky" };

/* The difference of a pair, with a standard deviation of about 1. */
static double difference_of(int spread)
{
	double one = normal();

	if (spread == 0)
		return one;
	if (spread == 1) /* of two log-normal values: symmetric, with long tails */
		return (exp(normal()) - exp(normal())) / 3;
	return random_next(&source) % 20 ? one / 2 : 4 * one;
}

/* The first round whose interval excludes 0; 0: none. *covered: all intervals contain the effect. */
static size_t first_rejection(int spread, double effect, bool sequential, size_t rounds,
			      bool *covered)
{
	struct summary s = { 0 };
	size_t first = 0;

	*covered = true;
	for (size_t n = 1; n <= rounds; n++) {
		double half;

		summary_add(&s, effect + difference_of(spread));
		if (n < 6) /* no verdict has fewer */
			continue;
		half = summary_stderr(&s) * (sequential ? sequential_t(&math, 0.05, n) :
							  interval_t(&math, 0.95, (double)n - 1));
		*covered &= fabs((double)s.mean - effect) <= half;
		if (first == 0 && fabs((double)s.mean) > half)
			first = n;
	}
	return first;
}

static void show_watching(int spread, double effect, bool sequential, size_t comparisons)
{
	static const size_t rounds[] = { 30, 100, 200, LOOKS_MAX };
	size_t covered_n = 0, found = 0, sum = 0, within[4] = { 0 };

	for (size_t j = 0; j < comparisons; j++) {
		bool covered;
		size_t first = first_rejection(spread, effect, sequential, LOOKS_MAX, &covered);

		covered_n += covered;
		found += first > 0;
		sum += first;
		for (size_t i = 0; i < 4; i++)
			within[i] += first > 0 && first <= rounds[i];
	}
	printf("%-10s %-10s true change %.1f: ", sequential ? "sequential" : "planned",
	       spread_names[spread], effect);
	for (size_t i = 0; i < 4; i++)
		printf(" %5.1f", 100 * (double)within[i] / (double)comparisons);
	printf("; after %.0f rounds; all intervals right %.1f\n",
	       found ? (double)sum / (double)found : 0,
	       sequential ? 100 - at_most(5, comparisons - covered_n, comparisons) :
			    100 * (double)covered_n / (double)comparisons);
}

/* ---- Gates without -r, as in CI and with --bisect. */

/* The other side is slower by the distance, in standard deviations of a pair; the limit is 0. The
 * rounds end when the gate is decided. doubling: by the earlier rule. */
static void show_gates_until_decided(int spread, double distance, bool doubling, size_t comparisons)
{
	const struct contrast_limit beyond = { 0, true, true }, within = { 0, true, false };
	const size_t first = doubling ? 8 : sequential_runs_min(&math, 0.05);
	size_t crossed = 0, kept = 0, rounds = 0;

	for (size_t j = 0; j < comparisons; j++) {
		bool is_decided = false;
		double level = 0.025;
		size_t n = 0, next = first;

		for (; !is_decided && next <= LOOKS_MAX; next += doubling ? next : next / 32 + 1) {
			struct contrast_input in = input_of(next, true, 0.01);
			bool is_crossed, is_kept;

			level /= doubling ? 2 : 1;
			for (; n < next; n++) {
				reference[n] = 1e6 * (1 + 0.02 * normal());
				other[n] = reference[n] *
					   (1 + 0.02 * (distance + difference_of(spread)));
			}
			in.any_time = !doubling;
			is_crossed = contrast_evidence_beyond(&in, &math, &beyond, level, level,
							      scratch) <= level;
			is_kept = contrast_evidence_beyond(&in, &math, &within, level, level,
							   scratch) <= level;
			is_decided = is_crossed || is_kept;
			crossed += is_crossed;
			kept += is_kept;
		}
		rounds += n;
	}
	printf("%-10s %-10s %4.2f standard deviations above the limit: crossed %5.1f, kept %5.1f; "
	       "%.1f rounds\n",
	       doubling ? "doubling" : "sequential", spread_names[spread], distance,
	       at_most(distance > 0 ? 100 : 2.5, crossed, comparisons),
	       at_most(2.5, kept, comparisons), (double)rounds / (double)comparisons);
}

/* ---- Whole comparisons. */

enum { SIMULATED_ROWS = 8, SIMULATED_RUNS = 2048 };

#define SECOND 1000000000

/* Two sides, whose runs have counts of some events and an elapsed time. */
static struct simulation {
	struct event events[SIMULATED_ROWS];
	struct event_list list;
	struct opening openings[SIMULATED_ROWS];
	struct row rows[SIMULATED_ROWS];
	struct reading readings[2][SIMULATED_RUNS][SIMULATED_ROWS];
	struct run runs[2][SIMULATED_RUNS];
	struct side sides[2];
	struct side_input inputs[2];
	struct comparison_input input;
} sim;

/* The user asks for n events; for 0, the comparison has its default rows, but for counts. */
static void simulate(size_t n)
{
	static char names[SIMULATED_ROWS][3] = { "e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7" };
	static char task_clock[] = "task-clock", label[] = "";
	static const struct place whole = { PLACE_TARGET, label };
	const bool by_default = n == 0;

	n = by_default ? 1 : n;
	for (size_t i = 0; i < n; i++) {
		sim.events[i] = (struct event){ .name = by_default ? task_clock : names[i],
						.unit = label,
						.factor = 1,
						.implied = by_default,
						.attr.type = by_default ? PERF_TYPE_SOFTWARE :
									  PERF_TYPE_RAW,
						.attr.config = PERF_COUNT_SW_TASK_CLOCK };
		sim.rows[i] = (struct row){ .event = i, .counters = 1 };
	}
	sim.list = (struct event_list){ .events = sim.events, .n = n };
	for (size_t side = 0; side < 2; side++) {
		for (size_t run = 0; run < SIMULATED_RUNS; run++)
			sim.runs[side][run] = (struct run){ .readings = sim.readings[side][run] };
		sim.sides[side].series = (struct series){ .subject = "it",
							  .events = &sim.list,
							  .openings = sim.openings,
							  .places = &whole,
							  .rows = sim.rows,
							  .rows_n = n,
							  .runs = sim.runs[side],
							  .min_running = 5,
							  .cgroups_n = 1 };
		sim.inputs[side] = (struct side_input){ "side", &sim.sides[side].series };
	}
	sim.input = (struct comparison_input){
		.sides = sim.inputs, .sides_n = 2, .paired = true, .confidence = 0.95, .math = &math
	};
}

/* The noise of a comparison. */
struct noise {
	double size; /* its standard deviation, a share */
	double shared; /* the part of the variance that all values of a run have in common */
	int spread; /* see difference_of() */
};

/* Add a run to a side, in which its rows take these factors of 1. seconds: the elapsed time. */
static void simulate_run(size_t side, const double *factors, double seconds,
			 const struct noise *noise)
{
	struct series *series = &sim.sides[side].series;
	struct run *run = &sim.runs[side][series->runs_n++];
	const double common = difference_of(noise->spread), all = sqrt(noise->shared),
		     own = sqrt(1 - noise->shared);

	for (size_t i = 0; i < series->rows_n; i++) {
		double value = all * common + own * difference_of(noise->spread);

		run->readings[i] =
			(struct reading){ COUNTED,
					  { (uint64_t)(1e9 * factors[i] * exp(noise->size * value)),
					    SECOND, SECOND } };
	}
	run->tool[TOOL_DURATION_TIME] =
		(uint64_t)(1e9 * seconds *
			   exp(noise->size * (all * common + own * difference_of(noise->spread))));
}

static void compare_simulated(struct comparison *c)
{
	cleanup_why struct why why = { 0 };
	int err;

	sim.input.seed = random_next(&source);
	err = comparison_build(c, &sim.input, &why);
	if (err < 0) {
		fprintf(stderr, "calibrate: %s\n", why_text(&why, err));
		exit(1);
	}
}

static bool is_found(const struct comparison_row *row)
{
	const enum verdict verdict = comparison_verdict(row, 1);

	return verdict == VERDICT_BETTER || verdict == VERDICT_WORSE;
}

/* ---- Reports with a first row. */

/* The changed rows are 3 % slower: bit i is row i. */
static void show_families(unsigned int changed, double shared, size_t comparisons)
{
	const struct noise noise = { 0.02, shared, 0 };
	struct effect_request effect = { .minimum = 0.001 };
	size_t first_n = 0, false_n = 0, found = 0, to_find = 0;
	double false_share = 0, factors[2][SIMULATED_ROWS];

	simulate(SIMULATED_ROWS);
	sim.input.effects = &effect;
	sim.input.effects_n = 1;
	for (size_t i = 0; i < SIMULATED_ROWS; i++) {
		factors[0][i] = 1;
		factors[1][i] = changed >> i & 1 ? 1.03 : 1;
		to_find += i > 0 && changed >> i & 1;
	}
	for (size_t j = 0; j < comparisons; j++) {
		cleanup_with(comparison_release) struct comparison c = { 0 };
		size_t wrong = 0, right = 0;

		sim.sides[0].series.runs_n = sim.sides[1].series.runs_n = 0;
		for (size_t run = 0; run < REPORT_RUNS; run++)
			for (size_t side = 0; side < 2; side++)
				simulate_run(side, factors[side], 1, &noise);
		compare_simulated(&c);
		for (size_t i = 0; i < c.rows_n; i++) {
			const struct comparison_row *row = &c.rows[i];

			if (row->claim == CLAIM_FIRST)
				first_n += is_found(row);
			else if (row->claim == CLAIM_ASKED && changed >> row->of->index & 1)
				right += is_found(row);
			else if (row->claim == CLAIM_ASKED)
				wrong += is_found(row);
		}
		false_n += wrong > 0;
		false_share += wrong ? (double)wrong / (double)(wrong + right) : 0;
		found += right;
	}
	printf("first row %s 3 %% slower, %zu of %d others, %.0f %% of the noise shared: first row: "
	       "%.1f %% verdicts; others: %.1f %% of the reports with a false verdict, %.1f %% of the "
	       "verdicts false",
	       changed & 1 ? "is" : "is not", to_find, SIMULATED_ROWS - 1, 100 * shared,
	       at_most(changed & 1 ? 100 : 5, first_n, comparisons),
	       100 * (double)false_n / (double)comparisons,
	       100 * false_share / (double)comparisons);
	if (to_find)
		printf(", %.1f %% of the changes found",
		       100 * (double)found / (double)(to_find * comparisons));
	putchar('\n');
}

/* ---- The default stopping rule. */

/* What comparisons of one kind did. */
struct ends {
	size_t n, verdicts, same, unclear, unclear_early;
	size_t stops[STOP_TOO_LONG + 1];
	double seconds;
};

/* As has_enough() and is_unclear() of job_compare.c: whether the rounds are over. */
static bool is_over(struct stopping *s, const struct rounds_done *done, size_t *next_look,
		    bool *went_on, struct comparison *c)
{
	struct comparison_plan plan;
	bool unclear;

	if (done->rounds_n == 1 && comparison_plan_of(&plan, &sim.input) == 0)
		stopping_set_plan(s, &plan);
	if (!stopping_is_enough(done, s))
		return false;
	if (s->stop != STOP_TIME && done->elapsed_ns < s->limit_ns && done->rounds_n < *next_look)
		return false;
	sim.input.any_time = s->stop == STOP_DIFFERENT || *went_on;
	comparison_release(c);
	compare_simulated(c);
	unclear = comparison_verdict(c->leading, 1) == VERDICT_UNCLEAR;
	*next_look = done->rounds_n + done->rounds_n / 4 + 1;
	if (*next_look < s->runs_min_different)
		*next_look = s->runs_min_different;
	*went_on |= unclear;
	return s->stop == STOP_TIME || done->elapsed_ns >= s->limit_ns || !unclear;
}

/* Compare until the rule has enough, at most for this limit. A run takes this time; its start and
 * end take another millisecond. Returns the ratio of the CPU times. */
static struct log_ratio add_end(struct ends *ends, double factor, double seconds,
				const struct noise *noise, double limit_seconds)
{
	cleanup_with(comparison_release) struct comparison c = { 0 };
	const double factors[2] = { 1, factor };
	struct rounds_done done = { .sides = sim.sides, .n = 2 };
	struct log_ratio ratio = { .known = false };
	struct stopping s = { .limit_ns = (uint64_t)(limit_seconds * SECOND),
			      .confidence = sim.input.confidence,
			      .is_paired = true,
			      .math = &math,
			      .sides_n = 2 };
	size_t next_look = 0;
	bool verdict = false, went_on = false;

	if (stopping_init(&s) < 0)
		exit(1);
	sim.sides[0].series.runs_n = sim.sides[1].series.runs_n = 0;
	do {
		for (size_t side = 0; side < 2; side++) {
			simulate_run(side, &factors[side], seconds * factors[side], noise);
			done.elapsed_ns +=
				sim.runs[side][done.rounds_n].tool[TOOL_DURATION_TIME] + 1000000;
		}
		done.rounds_n++;
	} while (!is_over(&s, &done, &next_look, &went_on, &c) && done.rounds_n < SIMULATED_RUNS);
	for (size_t i = 0; i < c.rows_n; i++) {
		verdict |= c.rows[i].claim == CLAIM_FIRST && is_found(&c.rows[i]);
		if (c.rows[i].of->kind == OF_EVENT)
			ratio = c.rows[i].contrasts[1].log_ratio;
	}
	ends->n++;
	ends->verdicts += verdict;
	ends->same += comparison_verdict(c.leading, 1) == VERDICT_SAME;
	ends->unclear += comparison_verdict(c.leading, 1) == VERDICT_UNCLEAR;
	ends->unclear_early += comparison_verdict(c.leading, 1) == VERDICT_UNCLEAR &&
			       (double)done.elapsed_ns < 9e9;
	ends->stops[s.stop]++;
	ends->seconds += (double)done.elapsed_ns / SECOND;
	stopping_release(&s);
	return ratio;
}

static void show_ends(double factor, double seconds, const struct noise *noise, size_t comparisons)
{
	struct ends ends = { 0 };
	double n = (double)comparisons / 100;

	simulate(0);
	for (size_t j = 0; j < comparisons; j++)
		add_end(&ends, factor, seconds, noise, 10);
	printf("%+.0f %%, %3.0f ms, %2.0f %% %-10s noise, %2.0f %% shared: %5.1f, %5.1f, %5.1f, %5.1f; "
	       "%5.1f, %5.1f, %5.1f; %4.1f s\n",
	       100 * (factor - 1), 1000 * seconds, 100 * noise->size, spread_names[noise->spread],
	       100 * noise->shared, at_most(factor > 1 ? 100 : 5, ends.verdicts, comparisons),
	       (double)ends.same / n, (double)ends.unclear / n, (double)ends.unclear_early / n,
	       (double)ends.stops[STOP_PRECISE] / n, (double)ends.stops[STOP_DIFFERENT] / n,
	       (double)ends.stops[STOP_TIME] / n, ends.seconds / (double)comparisons);
}

static void show_all_ends(double factor, size_t comparisons)
{
	static const struct noise noises[] = { { 0.02, 0, 0 },
					       { 0.02, 0.9, 0 },
					       { 0.02, 0.9, 1 },
					       { 0.02, 0.9, 2 },
					       { 0.05, 0.9, 0 } };

	for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++) {
		show_ends(factor, 0.02, &noises[i], comparisons);
		show_ends(factor, 0.2, &noises[i], comparisons);
	}
}

/* ---- Suites of equal builds. */

enum { SUITE_MOST = 40, SUITE_SECONDS = 60 };

/* Whether the interval of the mean misses the true one. If the cases are equal, it may be within the
 * minimum effect. */
static bool misses_mean(const struct log_ratio *ratios, size_t cases_n, bool any_time,
			double factor)
{
	const struct log_ratio mean = geomean_of(ratios, cases_n);
	const struct estimate ratio = geomean_interval(&mean, 0.975, any_time, &math);

	if (ratio.withheld)
		return false;
	if (factor > 1)
		return ratio.low > factor || ratio.high < factor;
	return (ratio.low > 1 && ratio.high > 1.01) || (ratio.high < 1 && ratio.low < 1 / 1.01);
}

/* Suites in which all cases get the same number of rounds, as with -r. */
static void show_planned_suites(size_t cases_n, size_t rounds_n, const struct noise *noise,
				size_t suites)
{
	static const double factors[] = { 1 };
	size_t any = 0, means = 0;

	simulate(0);
	sim.input.confidence = 1 - 0.05 / (double)cases_n;
	for (size_t j = 0; j < suites; j++) {
		struct log_ratio ratios[SUITE_MOST] = { 0 };
		bool verdict = false;

		for (size_t i = 0; i < cases_n; i++) {
			cleanup_with(comparison_release) struct comparison c = { 0 };

			sim.sides[0].series.runs_n = sim.sides[1].series.runs_n = 0;
			for (size_t run = 0; run < 2 * rounds_n; run++)
				simulate_run(run % 2, factors, 0.02, noise);
			compare_simulated(&c);
			for (size_t row = 0; row < c.rows_n; row++) {
				verdict |=
					c.rows[row].claim == CLAIM_FIRST && is_found(&c.rows[row]);
				if (c.rows[row].of->kind == OF_EVENT)
					ratios[i] = c.rows[row].contrasts[1].log_ratio;
			}
		}
		any += verdict;
		means += misses_mean(ratios, cases_n, false, 1);
	}
	printf("%2zu cases, %2.0f %% %-10s noise, %2zu rounds: %5.1f, %5.1f\n", cases_n,
	       100 * noise->size, spread_names[noise->spread], rounds_n, at_most(5, any, suites),
	       at_most(5, means, suites));
}

/* The log ratio of the CPU times in the first rounds of a case. */
static struct log_ratio early_ratio(const double *logs, size_t rounds_n)
{
	struct summary s = { 0 };

	for (size_t i = 0; i < rounds_n; i++)
		summary_add(&s, logs[i]);
	return (struct log_ratio){ rounds_n > 1, (double)s.mean, summary_stderr(&s),
				   (double)rounds_n - 1 };
}

/* Run a case of a suite. logs: gets the log ratio of the CPU times in each round. Returns the number
 * of rounds. */
static size_t add_case(struct ends *ends, double factor, const struct noise *noise, size_t cases_n,
		       double *logs, struct log_ratio *ratio)
{
	*ratio = add_end(ends, factor, 0.02, noise, (double)SUITE_SECONDS / (double)cases_n);
	for (size_t i = 0; i < sim.sides[1].series.runs_n; i++)
		logs[i] = log((double)sim.readings[1][i][0].counts.raw /
			      (double)sim.readings[0][i][0].counts.raw);
	return sim.sides[1].series.runs_n;
}

/* Suites whose cases take 20 ms and get equal parts of the time. As in result/suite.c, the mean takes
 * the rounds that all cases have, unless all ends were planned. */
static void show_suites(size_t cases_n, const struct noise *noise, double factor, size_t suites)
{
	static double logs[SUITE_MOST][SIMULATED_RUNS];
	size_t any = 0, means = 0;
	double seconds = 0;

	simulate(0);
	sim.input.confidence = 1 - 0.05 / (double)cases_n;
	for (size_t j = 0; j < suites; j++) {
		struct log_ratio ratios[SUITE_MOST];
		struct ends ends = { 0 };
		size_t rounds_n = SIMULATED_RUNS;
		bool any_time = false;

		for (size_t i = 0; i < cases_n; i++) {
			const size_t n =
				add_case(&ends, factor, noise, cases_n, logs[i], &ratios[i]);

			rounds_n = n < rounds_n ? n : rounds_n;
			any_time |= sim.input.any_time;
		}
		for (size_t i = 0; any_time && i < cases_n; i++)
			ratios[i] = early_ratio(logs[i], rounds_n);
		any += ends.verdicts > 0;
		means += misses_mean(ratios, cases_n, any_time, factor);
		seconds += ends.seconds;
	}
	printf("%2zu cases %.0f %% slower, %2.0f %% %-10s noise, %2.0f %% shared: %5.1f, %5.1f; "
	       "%4.1f s\n",
	       cases_n, 100 * (factor - 1), 100 * noise->size, spread_names[noise->spread],
	       100 * noise->shared, at_most(factor > 1 ? 100 : 5, any, suites),
	       at_most(5, means, suites), seconds / (double)suites);
}

/* The limit is the true mean. The rounds of all cases end when the gate is decided. */
static void show_mean_gates(size_t cases_n, int spread, size_t suites)
{
	const struct contrast_limit beyond = { 0, true, true }, within = { 0, true, false };
	size_t crossed = 0, kept = 0;

	for (size_t j = 0; j < suites; j++) {
		struct summary cases[SUITE_MOST] = { 0 };
		struct log_ratio ratios[SUITE_MOST], mean;
		bool is_crossed = false, is_kept = false;

		for (size_t n = 0, next = 2; n < LOOKS_MAX && !is_crossed && !is_kept;
		     next += next / 32 + 1) {
			for (; n < next; n++)
				for (size_t i = 0; i < cases_n; i++)
					summary_add(&cases[i], 0.02 * difference_of(spread));
			for (size_t i = 0; i < cases_n; i++)
				ratios[i] = (struct log_ratio){ true, (double)cases[i].mean,
								summary_stderr(&cases[i]),
								(double)n - 1 };
			mean = geomean_of(ratios, cases_n);
			is_crossed = geomean_p_beyond(&mean, &beyond, true, &math) <= 0.025;
			is_kept = geomean_p_beyond(&mean, &within, true, &math) <= 0.025;
		}
		crossed += is_crossed;
		kept += is_kept;
	}
	printf("%2zu cases, %-10s: crossed %5.1f, kept %5.1f\n", cases_n, spread_names[spread],
	       at_most(2.5, crossed, suites), at_most(2.5, kept, suites));
}

static void show_all_suites(size_t suites)
{
	static const struct noise noises[] = { { 0.02, 0.9, 0 },
					       { 0.02, 0.9, 1 },
					       { 0.02, 0.9, 2 } };
	static const size_t cases[] = { 4, 12, SUITE_MOST };

	puts("suites of equal builds, planned rounds: with a verdict in some case, on the mean (%)");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t k = 0; k < sizeof(noises) / sizeof(noises[0]); k++)
			show_planned_suites(cases[i], 20, &noises[k], suites);
	puts("suites: with a verdict in some case, with a verdict on the mean (equal builds) or an "
	     "interval that misses it (others), %; mean time");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t k = 0; k < sizeof(noises) / sizeof(noises[0]); k++)
			show_suites(cases[i], &noises[k], 1, suites);
	for (size_t i = 1; i < sizeof(cases) / sizeof(cases[0]); i++) {
		show_suites(cases[i], noises, 1.01, suites);
		show_suites(cases[i], noises, 1.02, suites);
	}
	puts("gates on geometric means that equal their limits, at most 1,000 rounds, %");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int spread = 0; spread < 3; spread++)
			show_mean_gates(cases[i], spread, suites);
}

static int end(void)
{
	if (failed)
		puts("A share exceeds its limit by more than three standard errors.");
	return failed;
}

int main(int argc, char **argv)
{
	static const double distances[] = { 0, 0.2, 0.3, 0.5, 1 };
	size_t comparisons = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	cleanup_why struct why why = { 0 };
	int err = rmath_load(&math, &why);

	if (err < 0 || comparisons == 0) {
		fprintf(stderr, "calibrate: %s\n", err < 0 ? why_text(&why, err) : "usage");
		return 1;
	}
	source = random_of_seed(20261121);
	if (argc > 2 && strcmp(argv[2], "10") == 0) {
		show_all_suites(comparisons / 5 + 1); /* each has many comparisons */
		return end();
	}
	puts("false verdicts % and coverage % by runs of each side:  6, 8, 10, 20, 50");
	for (int paired = 1; paired >= 0; paired--)
		for (int kind = 0; kind < (paired ? KINDS : DRIFTING); kind++)
			show_alike((enum kind)kind, paired, comparisons);
	for (size_t pilot = 6; pilot <= 20; pilot += 7)
		show_power(pilot, comparisons);
	for (size_t gates = 1; gates <= 5; gates += 4) {
		show_gate_power(0.01, gates, 20, comparisons);
		show_gate_power(0.06, gates, 20, comparisons);
	}
	puts("false gates % by runs of each side:  6, 8, 10, 20, 50");
	for (int paired = 1; paired >= 0; paired--)
		for (int kind = 0; kind < DRIFTING; kind++)
			show_false_gates((enum kind)kind, paired, comparisons);
	show_order(true, comparisons);
	show_order(false, comparisons);
	for (size_t changed = 0; changed <= REPORT_ROWS; changed += 4)
		for (int shared = 0; shared <= 9; shared += 9)
			show_reports(changed, shared / 10.0, comparisons);
	puts("somebody watches: verdicts % within 30, 100, 200 and 1,000 rounds");
	for (int sequential = 0; sequential <= 1; sequential++)
		for (int spread = 0; spread < 3; spread++)
			show_watching(spread, 0, sequential, comparisons);
	for (int spread = 0; spread < 3; spread++)
		for (double effect = 0.2; effect <= 1; effect += 0.4)
			show_watching(spread, effect, true, comparisons);
	puts("gates without -r, at most 1,000 rounds, %");
	for (int spread = 0; spread < 3; spread++)
		for (size_t i = 0; i < sizeof(distances) / sizeof(distances[0]); i++)
			for (int doubling = 0; doubling <= 1; doubling++)
				show_gates_until_decided(spread, distances[i], doubling,
							 comparisons);
	for (unsigned int changed = 0; changed < 0x20; changed += 0xf)
		for (int shared = 0; shared <= 9; shared += 9)
			show_families(changed, shared / 10.0, comparisons);
	puts("default stopping rule: verdicts in either time, same, unclear, unclear before 9 s; "
	     "ended by the width, by a difference, by the time (all %); mean time");
	show_all_ends(1, comparisons);
	show_all_ends(1.03, comparisons);
	return end();
}
