/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The turns of a counter are a random sample of the run if pstat draws their order (count/turns.h).
 * The count is then estimated as in a survey, from the rate in the turns or from the ratio to a
 * companion, and the variance follows from the turns (Cochran, Sampling Techniques, chapters 5 and
 * 6). No model of the program is needed.
 */
#include "stats/estimate.h"

#include <math.h>

#include "base/math.h"
#include "stats/interval.h"

/* With fewer turns, there is no interval. */
enum { TURNS_MIN = 3 };

/* Use the ratio to the companion if its scatter is less than this share of the scatter by time. */
#define RATIO_GAIN 0.5

/* Widen the interval by this factor, because few turns may have missed a part of the program. */
#define WIDENING 1.1

/* A program loads its libraries during this time; its rate then says nothing about the rest. */
#define START_NS 2e6

/*
 * A turn begins and ends between the readings of other counters, so the windows at its ends are not
 * quite on or off. Only the time tells how much of their count belongs to the turn, so an error as
 * large as the smaller part is possible. A part above this share of the window means that the
 * kernel rotates: the other terms then cover this error.
 */
#define EDGE_MOST 0.1

/* An estimate: the count is proportional to the time, or to the count of the companion. */
struct fit {
	double count, variance;
	double scatter; /* the sum of the squared differences between the turns and the fit */
	double df; /* degrees of freedom of the variance */
	double edges; /* the largest error of the count that the ends of the turns can cause */
};

/* The sums over all turns. A turn: windows without a time off the PMU between them. */
struct turn_sums {
	size_t n;
	double squares, fourth; /* of the differences between the counts and the expected counts */
	double expected; /* sum of the squares of the expected counts */
};

/* The share of the window in which the counter was on. */
static double share_on(const struct counts *window)
{
	if (window->running_ns >= window->enabled_ns)
		return window->running_ns > 0;
	return (double)window->running_ns / (double)window->enabled_ns;
}

/* The share of the window in which the counter was off, or in which it ran too long. */
static double edge_of(const struct counts *window)
{
	return window->enabled_ns > 0 ?
		       fabs(1 - (double)window->running_ns / (double)window->enabled_ns) :
		       0;
}

/* The size of window i, to which the count is proportional: the time or the companion's count. */
static double size_of(const struct counts *windows, const struct counts *companion, size_t i)
{
	return companion ? (double)companion[i].raw : (double)windows[i].enabled_ns;
}

static void end_turn(struct turn_sums *turns, double *difference, double *expected)
{
	double square = *difference * *difference;

	turns->n++;
	turns->squares += square;
	turns->fourth += square * square;
	turns->expected += *expected * *expected;
	*difference = *expected = 0;
}

static struct turn_sums find_turns(const struct counts *windows, const struct counts *companion,
				   size_t n, double rate)
{
	struct turn_sums turns = { 0 };
	double difference = 0, expected = 0;
	bool was_on = false;

	for (size_t i = 0; i < n; i++) {
		double on = share_on(&windows[i]);
		double part = rate * size_of(windows, companion, i) * on;

		if (was_on && on == 0)
			end_turn(&turns, &difference, &expected);
		was_on = on > 0;
		difference += (double)windows[i].raw - part;
		expected += part;
	}
	if (was_on)
		end_turn(&turns, &difference, &expected);
	return turns;
}

/* The sum of the squares of the expected counts in the time off the PMU, which is divided into
 * parts as long as an average turn. */
static double squares_off(const struct counts *windows, const struct counts *companion, size_t n,
			  double rate, double turn_ns)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double off = 1 - share_on(&windows[i]);
		double part = rate * size_of(windows, companion, i) * off;

		if (off > 0 && windows[i].enabled_ns > 0)
			sum += part * part * turn_ns / (off * (double)windows[i].enabled_ns);
	}
	return sum;
}

/*
 * The effective number of turns in the variance, minus one. One outlier among equal turns gives a
 * small number, because the kurtosis, which is 3 for a normal variable, is large.
 */
static double degrees_of_freedom(const struct turn_sums *turns)
{
	double effective = (double)turns->n;

	if (turns->fourth > 0)
		effective = math_smaller(effective,
					 3 * turns->squares * turns->squares / turns->fourth);
	return math_larger(effective - 1, 1);
}

/* False: the size of the windows in which the event was on is 0. */
static bool find_fit(const struct counts *windows, const struct counts *companion, size_t n,
		     const struct counts *sum, struct fit *fit)
{
	double on = 0, all = 0, edges = 0, rate, off_of_on, per_turn;
	struct turn_sums turns;

	for (size_t i = 0; i < n; i++) {
		double size = size_of(windows, companion, i), share = share_on(&windows[i]);
		double part = math_smaller(share, edge_of(&windows[i]));

		all += size;
		on += size * share;
		edges += part < EDGE_MOST ? size * part : 0;
	}
	if (on <= 0)
		return false;
	rate = (double)sum->raw / on;
	off_of_on = (all - on) / on;
	turns = find_turns(windows, companion, n, rate);
	*fit = (struct fit){ .count = rate * all,
			     .variance = NAN,
			     .df = degrees_of_freedom(&turns),
			     .edges = rate * edges * all / on };
	if (turns.n < TURNS_MIN || turns.expected <= 0)
		return true;
	per_turn = (double)turns.n / (double)(turns.n - 1);
	fit->scatter = turns.squares;
	/* of the counts while the event was off, and of the rate itself */
	fit->variance = per_turn * turns.squares *
			(squares_off(windows, companion, n, rate,
				     (double)sum->running_ns / (double)turns.n) /
				 turns.expected +
			 off_of_on * off_of_on);
	return true;
}

bool estimate_count(const struct counts *windows, const struct counts *companion, size_t n,
		    struct count_estimate *estimate)
{
	struct counts sum = { 0 };
	struct fit by_time, by_ratio, *best = &by_time;
	double apart = 0, start = 0, width;

	for (size_t i = 0; i < n; i++) {
		sum.raw += windows[i].raw;
		sum.enabled_ns += windows[i].enabled_ns;
		sum.running_ns += windows[i].running_ns;
	}
	if (sum.running_ns == 0 || !find_fit(windows, NULL, n, &sum, &by_time))
		return false;
	if (companion && sum.raw > 0 && find_fit(windows, companion, n, &sum, &by_ratio)) {
		double least = math_smaller(by_ratio.scatter, by_time.scatter);
		double most = math_larger(by_ratio.scatter, by_time.scatter);

		if (by_ratio.scatter < RATIO_GAIN * by_time.scatter)
			best = &by_ratio;
		/* the closer the scatters, the less certain the choice: the difference counts more */
		if (most > 0)
			apart = (by_ratio.count - by_time.count) * sqrt(least / most);
	}
	width = WIDENING * interval_t(NULL, INTERVAL_CONFIDENCE, best->df);
	*estimate = (struct count_estimate){ best->count, NAN };
	if (share_on(&windows[0]) == 0)
		start = START_NS * (double)sum.raw / (double)sum.running_ns;
	if (sum.raw > 0)
		estimate->half_width =
			sqrt(width * width * best->variance + apart * apart + start * start) +
			best->edges;
	return true;
}
