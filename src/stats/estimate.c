/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In each round, pstat draws when a counter has its turn (count/turns.h): the turns are a random,
 * stratified sample; the rounds are the strata. The estimate is the sum of the rates in the turns,
 * each multiplied by the length of its round. If there is a companion, its count times their ratio
 * is known, and only the difference from it is estimated in this way (Cochran, Sampling Techniques,
 * chapter 7). The variance follows from the differences between successive rounds, because a round
 * has only one turn (Cochran, section 5A.12). Changes from round to round make it larger, never
 * smaller. No model of the program is needed.
 */
#include "stats/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/math.h"
#include "stats/interval.h"
#include "stats/summary.h"

/* With fewer rounds, there is no interval. */
enum { ROUNDS_MIN = 3 };

/* A round continues until the counter was on for this part of its usual share: a rate in a shorter
 * time, for example of a program that sleeps, would decide too much. */
#define LEAST_ON 0.3

/* Use the companion if the variance with it is less than this share of the variance without it. */
#define RATIO_GAIN 0.5

/* A program loads its libraries during this time; its rate then says nothing about the rest. */
#define START_NS 2e6

/*
 * A turn begins and ends between the readings of other counters, so the windows at its ends are not
 * quite on or off. Only the time tells how much of their count belongs to the turn, so an error as
 * large as the smaller part is possible. A part above this share of the window means that the
 * kernel rotates: the other terms then cover this error.
 */
#define EDGE_MOST 0.1

/* Sums over the windows of a round, or over all windows. */
struct stratum {
	double enabled_ns, running_ns;
	double raw;
	double companion, companion_on; /* its count; the same while the event was on */
	double edge_ns; /* the most by which the time on may be wrong */
};

struct fit {
	double count, variance;
	double df; /* degrees of freedom of the variance */
};

static void estimate_stratum_add(struct stratum *s, const struct counts *window,
				 const struct counts *companion)
{
	const double enabled = (double)window->enabled_ns;
	const double running = math_smaller((double)window->running_ns, enabled);
	const double share = enabled > 0 ? running / enabled : 0;
	/* the smaller part of the window, or the time by which the counter ran too long */
	const double edge = math_smaller(running, fabs(enabled - (double)window->running_ns));

	s->enabled_ns += enabled;
	s->running_ns += running;
	s->raw += (double)window->raw;
	s->edge_ns += edge < EDGE_MOST * enabled ? edge : 0;
	if (companion) {
		s->companion += (double)companion->raw;
		s->companion_on += (double)companion->raw * share;
	}
}

/* Divide the windows into rounds. Returns their number, which is 0 if the event was never on. */
static size_t estimate_find_rounds(struct stratum *rounds, const struct counts *windows,
				   const struct counts *companion, size_t n,
				   size_t windows_of_round)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		struct stratum *round = &rounds[found];

		estimate_stratum_add(round, &windows[i], companion ? &companion[i] : NULL);
		if ((i + 1) % windows_of_round == 0 &&
		    round->running_ns * (double)windows_of_round > LEAST_ON * round->enabled_ns)
			found++;
	}
	/* the end of the run is a part of the round before if the event was on for too short */
	if (found == 0)
		return rounds[0].running_ns > 0;
	if (rounds[found].running_ns >= LEAST_ON * rounds[found - 1].running_ns)
		return found + 1;
	rounds[found - 1].enabled_ns += rounds[found].enabled_ns;
	rounds[found - 1].running_ns += rounds[found].running_ns;
	rounds[found - 1].raw += rounds[found].raw;
	rounds[found - 1].companion_on += rounds[found].companion_on;
	return found;
}

/* How the event differs from `ratio` times its companion, per nanosecond. */
static double estimate_rate_of(const struct stratum *round, double ratio)
{
	return (round->raw - ratio * round->companion_on) / round->running_ns;
}

/* The variance of the estimate for round i, from its neighbours. */
static double estimate_variance_of(const struct stratum *rounds, size_t n, size_t i, double ratio)
{
	const double rate = estimate_rate_of(&rounds[i], ratio);
	const double before = i > 0 ? estimate_rate_of(&rounds[i - 1], ratio) - rate : 0;
	const double after = i + 1 < n ? estimate_rate_of(&rounds[i + 1], ratio) - rate : 0;
	const double neighbours = i > 0 && i + 1 < n ? 2 : 1;

	if (rounds[i].enabled_ns <= rounds[i].running_ns)
		return 0; /* the event was on all the time */
	return (before * before + after * after) / (2 * neighbours) * rounds[i].enabled_ns *
	       rounds[i].enabled_ns;
}

/* ratio: to the companion, whose count was `companion`. 0: estimate from the time. */
static struct fit estimate_find_fit(const struct stratum *rounds, size_t n, double ratio,
				    double companion)
{
	struct fit fit = { .count = ratio * companion, .variance = NAN };
	double sum = 0, squares = 0, effective;

	for (size_t i = 0; i < n; i++) {
		const double variance = estimate_variance_of(rounds, n, i, ratio);

		fit.count += estimate_rate_of(&rounds[i], ratio) * rounds[i].enabled_ns;
		sum += variance;
		squares += variance * variance;
	}
	if (n < ROUNDS_MIN)
		return fit;
	/* Successive differences are not independent: of n rounds, they have about 2n/3 degrees of
	 * freedom. If few rounds cause most of the variance, there are fewer. */
	effective = 2 * ((double)n - 1) * ((double)n - 1) / (3 * (double)n - 4);
	if (squares > 0)
		effective = math_smaller(effective, 1.5 * sum * sum / squares);
	fit.variance = sum;
	fit.df = math_larger(effective, 1);
	return fit;
}

/* If the kernel rotates: the number of windows from the start of one turn to that of the next. */
static size_t estimate_windows_of_rotation(const struct counts *windows, size_t n)
{
	size_t turns = 0;
	bool was_on = false, was_off = false;

	for (size_t i = 0; i < n; i++) {
		if (windows[i].running_ns > 0) {
			turns += !was_on;
			was_on = true;
		} else if (windows[i].enabled_ns > 0) { /* not asleep */
			was_on = false;
			was_off = true;
		}
	}
	/* never quite off: each window has a whole rotation */
	return was_off ? (n + turns - 1) / turns : 1;
}

/*
 * Choose between the estimate from the time and the one from the companion. *apart gets their
 * difference, as far as it makes the choice uncertain: the closer their variances, the more.
 */
static struct fit estimate_choose_fit(const struct stratum *rounds, size_t n,
				      const struct stratum *all, double *apart)
{
	const struct fit by_time = estimate_find_fit(rounds, n, 0, 0);
	struct fit by_ratio;
	double least, most;

	if (all->companion_on <= 0 || all->raw <= 0)
		return by_time;
	by_ratio = estimate_find_fit(rounds, n, all->raw / all->companion_on, all->companion);
	least = math_smaller(by_ratio.variance, by_time.variance);
	most = math_larger(by_ratio.variance, by_time.variance);
	if (most > 0)
		*apart = (by_ratio.count - by_time.count) * sqrt(least / most);
	return by_ratio.variance < RATIO_GAIN * by_time.variance ? by_ratio : by_time;
}

static double estimate_half_width_of(const struct estimate_spread *s)
{
	const double width = interval_t(NULL, INTERVAL_CONFIDENCE, s->df);

	return sqrt(width * width * s->variance + s->fixed) + s->edges;
}

bool estimate_count(const struct counts *windows, const struct counts *companion, size_t n,
		    size_t round, struct count_estimate *estimate, struct estimate_spread *spread)
{
	cleanup_free struct stratum *rounds = calloc(n + 1, sizeof(*rounds));
	struct stratum all = { 0 };
	double apart = 0, start = 0, per_ns;
	struct fit best;

	for (size_t i = 0; i < n; i++)
		estimate_stratum_add(&all, &windows[i], companion ? &companion[i] : NULL);
	if (!rounds || all.running_ns <= 0)
		return false;
	if (round == 0)
		round = estimate_windows_of_rotation(windows, n);
	n = estimate_find_rounds(rounds, windows, companion, n, round);
	best = estimate_choose_fit(rounds, n, &all, &apart);
	*estimate = (struct count_estimate){ math_larger(best.count, all.raw), NAN };
	*spread = (struct estimate_spread){ .variance = NAN };
	if (all.raw <= 0)
		return true;
	per_ns = all.raw / all.running_ns;
	if (windows[0].running_ns == 0)
		start = START_NS * per_ns;
	*spread = (struct estimate_spread){
		.variance = best.variance,
		.df = best.df,
		.noise = estimate->count * estimate->count / all.raw, /* Poisson */
		.fixed = apart * apart + start * start,
		.edges = per_ns * all.edge_ns * all.enabled_ns / all.running_ns,
	};
	estimate->half_width = estimate_half_width_of(spread);
	return true;
}

/* Noise may look like several times its variance. */
#define NOISE_FACTOR 4

/*
 * How much of the program the others may have missed: the variance that the event has in common
 * with them, relative to its count, for each round that causes it. If many rounds cause it, all
 * events have seen some of them.
 */
static double estimate_variance_of_a_round(const struct pooled_estimate *e)
{
	const struct estimate_spread *s = &e->spread;

	return math_larger(s->variance - NOISE_FACTOR * s->noise, 0) /
	       (e->estimate->count * e->estimate->count * s->df);
}

static bool estimate_has_variance(const struct pooled_estimate *e)
{
	return isfinite(e->spread.variance) && e->estimate->count > 0;
}

/* The lower median of estimate_variance_of_a_round() of the events that have their turns
 * together. 0 for a single event: what it does alone says nothing about the others. values: room
 * for n. */
static double estimate_variance_of_set(const struct pooled_estimate *pool, size_t n, size_t set,
				       long double *values)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (pool[i].set == set && estimate_has_variance(&pool[i]))
			values[known++] = estimate_variance_of_a_round(&pool[i]);
	if (known < 2)
		return 0;
	summary_of(values, known); /* sorts them */
	return (double)values[(known - 1) / 2];
}

void estimate_pool(const struct pooled_estimate *pool, size_t n)
{
	cleanup_free long double *values = calloc(n + 1, sizeof(*values));
	double most = 0;

	for (size_t i = 0; values && i < n; i++)
		if (i == 0 || pool[i].set != pool[i - 1].set)
			most = math_larger(most,
					   estimate_variance_of_set(pool, n, pool[i].set, values));
	for (size_t i = 0; most > 0 && i < n; i++) {
		struct count_estimate *e = pool[i].estimate;
		struct estimate_spread s = pool[i].spread;

		if (!estimate_has_variance(&pool[i]))
			continue;
		s.variance = math_larger(s.variance, most * e->count * e->count + s.noise);
		e->half_width = math_larger(e->half_width, estimate_half_width_of(&s));
	}
}
