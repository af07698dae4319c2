/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: calibrate [COMPARISONS]
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
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "stats/contrast.h"
#include "stats/interval.h"
#include "stats/random.h"
#include "stats/rmath.h"
#include "stats/sequential.h"

enum { RUNS_MAX = 4096 };

static struct math math;
static struct random source;
static double reference[RUNS_MAX], other[RUNS_MAX], scratch[4 * RUNS_MAX];

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
		printf("  %4.1f %5.1f", 100 * (double)wrong / (double)comparisons,
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
		printf("  %4.1f", 100 * (double)wrong / (double)comparisons);
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
	       100 * (double)covered_n / (double)comparisons);
}

int main(int argc, char **argv)
{
	size_t comparisons = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	cleanup_why struct why why = { 0 };
	int err = rmath_load(&math, &why);

	if (err < 0 || comparisons == 0) {
		fprintf(stderr, "calibrate: %s\n", err < 0 ? why_text(&why, err) : "usage");
		return 1;
	}
	source = random_of_seed(20261121);
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
	return 0;
}
