/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: history [HISTORIES]
 *
 * Measures how good the limits of --history are, with simulated histories of 100 commits whose
 * noise is known. An alarm is a number that exceeds the one before by more than the limit. A gate
 * needs an interval beyond the limit, too, so it has at most these alarms.
 *
 * 1. False alarms in 100 commits that change nothing, and how often a step of the next commit is
 * found:
 *    with the limit of the history, with fixed limits, and with the rule of github-action-benchmark
 *    (twice the number before).
 * 2. False alarms by the number of changes that the limit has: how many are enough?
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "result/history.h"
#include "stats/random.h"
#include "stats/summary.h"

enum { COMMITS = 100 };

static struct random source;

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

/* Student's t with 3 degrees of freedom, with a standard deviation of 1. */
static double heavy(void)
{
	double squares = 0;

	for (int i = 0; i < 3; i++) {
		double x = normal();

		squares += x * x;
	}
	return normal() / sqrt(squares);
}

/* A count that is exact in two of three commits. */
static double mostly_exact(void)
{
	return uniform() < 2.0 / 3 ? 0 : normal();
}

static const struct {
	const char *name;
	double (*draw)(void);
} kinds[] = { { "normal", normal }, { "heavy tails", heavy }, { "mostly exact", mostly_exact } };

static const double steps[] = { 0.005, 0.01, 0.03 };

enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

static const struct rule {
	const char *name;
	double limit; /* a share; 0: of the history */
} rules[] = {
	{ "history", 0 },
	{ "1 %", 0.01 },
	{ "3 %", 0.03 },
	{ "200 %", 1 },
};

enum { RULES = sizeof(rules) / sizeof(rules[0]) };

static void draw_history(double *values, size_t n, double (*draw)(void), double noise)
{
	for (size_t i = 0; i < n; i++)
		values[i] = fmax(1 + noise * draw(), 0.01);
}

/* The limit for the change that follows the first n values. */
static double limit_after(const double *values, size_t n)
{
	long double changes[COMMITS];

	for (size_t i = 1; i < n; i++)
		changes[i - 1] = (long double)fabs(values[i] / values[i - 1] - 1);
	summary_of(changes, n - 1); /* sorts */
	return history_noise_limit(changes, n - 1);
}

struct tally {
	size_t commits, alarms, found[STEPS];
};

static void count_history(struct tally *counts, const struct rule *rule, const double *values)
{
	double limit;

	for (size_t i = HISTORY_CHANGES_MIN + 1; i < COMMITS; i++) {
		limit = rule->limit > 0 ? rule->limit : limit_after(values, i);
		counts->commits++;
		counts->alarms += values[i] / values[i - 1] - 1 > limit;
	}
	limit = rule->limit > 0 ? rule->limit : limit_after(values, COMMITS);
	for (size_t i = 0; i < STEPS; i++)
		counts->found[i] +=
			values[COMMITS] * (1 + steps[i]) / values[COMMITS - 1] - 1 > limit;
}

static void show_noise(size_t kind, double noise, size_t histories)
{
	struct tally counts[RULES] = { 0 };

	for (size_t i = 0; i < histories; i++) {
		double values[COMMITS + 1];

		draw_history(values, COMMITS + 1, kinds[kind].draw, noise);
		for (size_t k = 0; k < RULES; k++)
			count_history(&counts[k], &rules[k], values);
	}
	for (size_t k = 0; k < RULES; k++) {
		printf("| %s, %g %% | %s | %.2f |", kinds[kind].name, 100 * noise, rules[k].name,
		       100.0 * (double)counts[k].alarms / (double)counts[k].commits);
		for (size_t i = 0; i < STEPS; i++)
			printf(" %.0f %% |",
			       100.0 * (double)counts[k].found[i] / (double)histories);
		puts("");
	}
}

static void show_length(size_t kind, size_t histories)
{
	static const size_t changes[] = { 5, 10, 20, 50 };

	printf("| %s |", kinds[kind].name);
	for (size_t k = 0; k < sizeof(changes) / sizeof(changes[0]); k++) {
		size_t alarms = 0, n = changes[k] + 1;

		for (size_t i = 0; i < 10 * histories; i++) {
			double values[COMMITS + 1];

			draw_history(values, n + 1, kinds[kind].draw, 0.01);
			alarms += values[n] / values[n - 1] - 1 > limit_after(values, n);
		}
		printf(" %.2f |", 10.0 * (double)alarms / (double)histories);
	}
	puts("");
}

int main(int argc, char **argv)
{
	static const double noises[] = { 0.001, 0.01, 0.05 };
	size_t histories = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;

	if (histories == 0) {
		fputs("usage: history [HISTORIES]\n", stderr);
		return 1;
	}
	source = random_of_seed(20261124);
	puts("| noise | limit | false alarms in 100 commits | 0.5 % found | 1 % found | 3 % found |\n"
	     "| --- | --- | --- | --- | --- | --- |");
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
		for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++)
			show_noise(kind, noises[i], histories);
	puts("\n| false alarms in 100 commits, after | 5 changes | 10 | 20 | 50 |\n"
	     "| --- | --- | --- | --- | --- |");
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++)
		show_length(kind, histories);
	return 0;
}
