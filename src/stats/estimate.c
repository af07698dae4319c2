/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In each round, pstat draws when a counter has its turn (count/turns.h): the turns are a random,
 * stratified sample of the time; the rounds are the strata. What is known of the whole time is how
 * long the event was enabled, and the count of the companion if there is one. So the estimate is a
 * difference estimate (Cochran, Sampling Techniques, chapter 7): the known quantity times the
 * event's ratio to it, and the differences from that in the turns, each multiplied by the length of
 * its round / the length of its turn. These lengths are by the clock, because pstat draws the turns
 * by the clock: with the times of the tasks, a turn in which they slept would count as much as one
 * in which they ran. The variance follows from the differences between successive rounds, because a
 * round has only one turn (Cochran, section 5A.12). Changes from round to round make it larger,
 * never smaller. No model of the program is needed.
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

/* Use the companion if the variance with it is less than this share of the variance without it. */
#define RATIO_GAIN 0.5

/* A program loads its libraries during this time; its rate then says nothing about the rest. */
#define START_NS 2e6

/*
 * A turn begins and ends between the readings of other counters, so the windows at its ends are not
 * quite on or off. Only the time tells how much of their count belongs to the turn, so an error as
 * large as the smaller part is possible, up to this share of the window. If it takes long to read
 * the counters, the smaller part may be larger, and the differences between rounds cover it.
 */
#define EDGE_MOST 0.1

/* Windows in which tasks run for less than this share of the time say nothing about a lost turn:
 * they may run only while pstat switches the sets. */
#define AWAKE_LEAST 0.1

/* A window is partly on if the event is on for more than this share of its time, and off for more
 * than this share. */
#define PARTLY 0.25

/* With more than this share of the time running in windows that are partly on, the kernel decided
 * when the event was on: another user of the PMU took the counter during turns, or the members of a
 * weak group that is too large are rotated. */
#define PARTIAL_MOST 0.1

/* Sums over the windows of a round, or over all windows. */
struct stratum {
	size_t awake; /* the windows in which tasks ran for at least AWAKE_LEAST of the time */
	double length_ns, on_ns; /* by the clock: all, and while the event was on */
	double enabled_ns, running_ns;
	double raw;
	double companion, companion_on; /* its count; the same while the event was on */
	double edge_ns; /* the most by which the time on may be wrong */
	double partial_ns; /* the time running in windows that are partly on */
};

/* What is known of the whole time: the time enabled, or the count of the companion. */
struct known {
	bool is_companion;
	double ratio; /* of the event to it, while the event was on */
	double total;
};

struct fit {
	double count, variance;
	double df; /* degrees of freedom of the variance */
};

/* The windows of a run, see estimate_count(). */
struct sampled {
	const struct counts *windows, *companion;
	const uint64_t *lengths_ns;
	size_t n, round;
};

static void estimate_add_window(struct stratum *s, const struct sampled *in, size_t i)
{
	const struct counts *window = &in->windows[i];
	const double enabled = (double)window->enabled_ns;
	const double running = math_smaller((double)window->running_ns, enabled);
	const double share = enabled > 0 ? running / enabled : 0;
	const double length = (double)in->lengths_ns[i];
	/* the smaller part of the window, or the time by which the counter ran too long */
	const double edge = math_smaller(running, fabs(enabled - (double)window->running_ns));

	s->awake += enabled > AWAKE_LEAST * length;
	s->partial_ns += share > PARTLY && share < 1 - PARTLY ? running : 0;
	s->length_ns += length;
	s->on_ns += length * share;
	s->enabled_ns += enabled;
	s->running_ns += running;
	s->raw += (double)window->raw;
	s->edge_ns += edge < EDGE_MOST * enabled ? edge : 0;
	if (in->companion) {
		s->companion += (double)in->companion[i].raw;
		s->companion_on += (double)in->companion[i].raw * share;
	}
}

/* Divide the windows into rounds. Returns the number of rounds. */
static size_t estimate_find_rounds(struct stratum *rounds, const struct sampled *in)
{
	const size_t n = (in->n + in->round - 1) / in->round;
	struct stratum *last = &rounds[n - 1];

	for (size_t i = 0; i < in->n; i++)
		estimate_add_window(&rounds[i / in->round], in, i);
	/* not every turn of the last round has come: those that have stand for the others */
	last->length_ns = last->on_ns * (double)in->round;
	return n;
}

/* How the event differs from what is known, per nanosecond of its turn. */
static double estimate_rate_of(const struct stratum *round, const struct known *known)
{
	const double part = known->is_companion ? round->companion_on : round->running_ns;

	return round->on_ns > 0 ? (round->raw - known->ratio * part) / round->on_ns : 0;
}

/* The variance of the estimate for round i, from its neighbours. */
static double estimate_variance_of(const struct stratum *rounds, size_t n, size_t i,
				   const struct known *known)
{
	const double rate = estimate_rate_of(&rounds[i], known);
	const double before = i > 0 ? estimate_rate_of(&rounds[i - 1], known) - rate : 0;
	const double after = i + 1 < n ? estimate_rate_of(&rounds[i + 1], known) - rate : 0;
	const double neighbours = i > 0 && i + 1 < n ? 2 : 1;

	if (rounds[i].length_ns <= rounds[i].on_ns)
		return 0; /* the event was on all the time */
	return (before * before + after * after) / (2 * neighbours) * rounds[i].length_ns *
	       rounds[i].length_ns;
}

/*
 * Whether the turns were those that pstat drew. They were not if many are partly on, or if the
 * event has a round without its turn, although tasks ran in each window of the round: another user
 * of the PMU took the counter. A round in which tasks slept may also lack the turn: that is no
 * loss. The last round may have ended while pstat switched the sets.
 */
static bool estimate_has_turns(const struct stratum *rounds, const struct stratum *all, size_t n,
			       size_t windows_of_round)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (rounds[i].running_ns <= 0 && rounds[i].awake == windows_of_round)
			return false;
	return all->partial_ns <= PARTIAL_MOST * all->running_ns;
}

static struct fit estimate_find_fit(const struct stratum *rounds, size_t n,
				    const struct known *known)
{
	struct fit fit = { .count = known->ratio * known->total, .variance = NAN };
	double sum = 0, squares = 0, effective;

	for (size_t i = 0; i < n; i++) {
		const double variance = estimate_variance_of(rounds, n, i, known);

		fit.count += estimate_rate_of(&rounds[i], known) * rounds[i].length_ns;
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

/*
 * Choose between the estimate from the time and the one from the companion. *apart gets their
 * difference, as far as it makes the choice uncertain: the closer their variances, the more.
 */
static struct fit estimate_choose_fit(const struct stratum *rounds, size_t n,
				      const struct stratum *all, double *apart)
{
	const struct known time = { false, all->raw / all->running_ns, all->enabled_ns };
	struct known companion = { true, 0, all->companion };
	const struct fit by_time = estimate_find_fit(rounds, n, &time);
	struct fit by_ratio;
	double least, most;

	if (all->companion_on <= 0 || all->raw <= 0)
		return by_time;
	companion.ratio = all->raw / all->companion_on;
	by_ratio = estimate_find_fit(rounds, n, &companion);
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

bool estimate_count(const struct counts *windows, const struct counts *companion,
		    const uint64_t *lengths_ns, size_t n, size_t round,
		    struct count_estimate *estimate, struct estimate_spread *spread)
{
	const struct sampled in = { windows, companion, lengths_ns, n, round };
	cleanup_free struct stratum *rounds = calloc(n + 1, sizeof(*rounds));
	struct stratum all = { 0 };
	double apart = 0, start = 0, per_ns;
	struct fit best;

	for (size_t i = 0; i < n; i++)
		estimate_add_window(&all, &in, i);
	if (!rounds || all.running_ns <= 0)
		return false;
	n = estimate_find_rounds(rounds, &in);
	if (!estimate_has_turns(rounds, &all, n, round))
		return false;
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
