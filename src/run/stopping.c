/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "run/stopping.h"
#include "stats/contrast.h"
#include "stats/interval.h"
#include "stats/sequential.h"

void stopping_set_plan(struct stopping *s, const struct comparison_plan *plan)
{
	const size_t verdicts_n = plan->verdicts_n ? plan->verdicts_n : 1;
	const double alpha = 1 - s->confidence, level = alpha / (double)verdicts_n;
	struct comparison_plan before = s->plan;
	bool has_values = false;

	for (size_t i = 0; s->watched && i < s->sides_n * COMPARISON_FIRSTS_MAX; i++)
		has_values |= s->watched[i].values.n > 0;
	s->plan = has_values ? before : *plan;
	s->plan.verdicts_n = plan->verdicts_n;
	s->plan.limits_n = plan->limits_n;
	s->runs_min = contrast_runs_min(s->is_paired, s->reference_n, level,
					plan->limits_n ? alpha / (double)plan->limits_n : 0);
	s->runs_min_constant = contrast_runs_min_constant(level);
	s->runs_min_different = sequential_runs_min(s->math, level);
	if (s->until_gates) { /* the limits may be on means of several cases */
		const size_t n =
			plan->limits_n ?
				sequential_runs_min(s->math, alpha / (double)plan->limits_n) :
				s->runs_min_different;

		s->runs_min = s->runs_min > n ? s->runs_min : n;
	}
	if (plan->has_others || plan->limits_n) /* their values may vary */
		s->runs_min_constant = s->runs_min;
}

int stopping_init(struct stopping *s)
{
	s->watched = calloc((s->sides_n + 1) * COMPARISON_FIRSTS_MAX, sizeof(*s->watched));
	return s->watched ? 0 : -ENOMEM;
}

void stopping_release(struct stopping *s)
{
	free(s->watched);
	*s = (struct stopping){ 0 };
}

static struct watched *stopping_watched(const struct stopping *s, size_t side, size_t first)
{
	return &s->watched[side * COMPARISON_FIRSTS_MAX + first];
}

bool stopping_is_short(const struct stopping *s)
{
	return s->runs_min == 0 || (s->runs && s->runs < s->runs_min);
}

/* The sides that a rule looks at: all, or the one that runs now. */
struct sides_now {
	size_t first, n;
};

/* How many runs of each side a verdict on this first row needs. */
static size_t stopping_needed(const struct stopping *s, struct sides_now sides, size_t row)
{
	bool constant = true;

	for (size_t i = sides.first; i < sides.first + sides.n; i++) {
		const struct summary *values = &stopping_watched(s, i, row)->values;

		constant &= values->n >= 2 && !(values->squares > 0);
	}
	return constant ? s->runs_min_constant : s->runs_min;
}

/* Whether the mean of each side is known as --precision asks. A run without a count (not supported,
 * or below --min-running) does not contribute to a verdict. */
static bool stopping_is_precise(const struct stopping *s, struct sides_now sides)
{
	const size_t needed = stopping_needed(s, sides, 0);

	for (size_t i = sides.first; i < sides.first + sides.n; i++) {
		const struct summary *side = &stopping_watched(s, i, 0)->values;

		if (side->n < 2 || side->n < needed)
			return false;
		if (!(interval_half(s->math, s->confidence, side, 0) <=
		      s->precision * fabs((double)side->mean)))
			return false;
	}
	return s->precision > 0;
}

/* Whether the change of a side from the reference is known in a first row: STOP_PRECISE,
 * STOP_DIFFERENT or STOP_NOT. */
static enum stop stopping_knows(const struct stopping *s, size_t side, size_t first)
{
	const struct watched *it = stopping_watched(s, side, first);
	const double effect = s->plan.firsts[first].effect;
	const double alpha = (1 - s->plan.confidence) / (double)(s->sides_n - 1);
	const bool by_ratio = it->logs.n == it->differences.n;
	const struct summary *change = by_ratio ? &it->logs : &it->differences;
	const double error = summary_stderr(change);
	double enough; /* half of the interval's width: half of the minimum effect */

	if (change->n < 2)
		return STOP_NOT;
	if (by_ratio)
		enough = s->math->log(1 + effect) / 2;
	else
		enough = effect * fabs((double)stopping_watched(s, 0, first)->values.mean) / 2;
	if (interval_t(s->math, 1 - alpha, (double)change->n - 1) * error <= enough)
		return STOP_PRECISE;
	/* with gates, the caller ends the runs, see until_gates */
	if (s->plan.limits_n == 0 && change->n >= s->runs_min_different &&
	    fabs((double)change->mean) >=
		    error * sequential_t(s->math, alpha / STOPPING_STRICTNESS, change->n))
		return STOP_DIFFERENT;
	return STOP_NOT;
}

/* Whether some first row is known on all sides. */
static enum stop stopping_knows_all(const struct stopping *s)
{
	const struct sides_now all = { 0, s->sides_n };
	enum stop stop = STOP_NOT;

	for (size_t first = 0; stop != STOP_PRECISE && first < s->plan.firsts_n; first++) {
		enum stop row = STOP_PRECISE;

		for (size_t i = 1; row != STOP_NOT && i < s->sides_n; i++) {
			enum stop side = stopping_knows(s, i, first);

			if (stopping_watched(s, i, first)->differences.n <
			    stopping_needed(s, all, first))
				side = STOP_NOT;
			if (side != STOP_PRECISE)
				row = side;
		}
		if (row != STOP_NOT)
			stop = row;
	}
	return stop;
}

bool stopping_takes_too_long(const struct stopping *s, size_t needed, size_t runs_n,
			     uint64_t elapsed_ns)
{
	double whole = runs_n ? (double)elapsed_ns / (double)runs_n * (double)needed : 0;

	return elapsed_ns > s->limit_ns && whole > STOPPING_PATIENCE * (double)s->limit_ns;
}

/* Decide after runs_n runs of each of these sides. elapsed_ns: the time of these runs. */
static enum stop stopping_decide(const struct stopping *s, struct sides_now sides, size_t runs_n,
				 uint64_t elapsed_ns)
{
	const bool by_change = s->is_paired && s->precision <= 0;
	const size_t needed = stopping_needed(s, sides, 0);
	enum stop known;

	if (s->forever)
		return STOP_NOT;
	if (s->runs)
		return runs_n < s->runs ? STOP_NOT : STOP_RUNS;
	known = by_change		      ? stopping_knows_all(s) :
		stopping_is_precise(s, sides) ? STOP_PRECISE :
						STOP_NOT;
	/* a difference that is found in a moment is still worth a useful interval */
	if (known == STOP_PRECISE ||
	    (known == STOP_DIFFERENT && elapsed_ns >= s->limit_ns / STOPPING_EARLIEST))
		return known;
	if (runs_n < needed)
		return stopping_takes_too_long(s, needed, runs_n, elapsed_ns) ? STOP_TOO_LONG :
										STOP_NOT;
	return elapsed_ns < s->limit_ns ? STOP_NOT : STOP_TIME;
}

bool stopping_value(const struct series *series, size_t row, size_t run, long double *value)
{
	struct series_value it;

	if (row == COMPARISON_ELAPSED) {
		*value = series->runs[run].tool[TOOL_DURATION_TIME];
		return true;
	}
	it = series_value(series, row, &series->runs[run]);
	*value = it.in_unit;
	return reading_has_count(it.state);
}

/* Add the values of the round. */
static void stopping_add_round(struct stopping *s, const struct rounds_done *done)
{
	for (size_t first = 0; first < s->plan.firsts_n; first++) {
		const size_t row = s->plan.firsts[first].row;
		long double reference = 0, value;
		bool has_reference = false;

		for (size_t i = done->first; i < done->first + done->n; i++) {
			const struct series *series = &done->sides[i].series;
			struct watched *it = stopping_watched(s, i, first);

			if (!stopping_value(series, row, series->runs_n - 1, &value))
				continue;
			summary_add(&it->values, value);
			if (i == 0) {
				reference = value;
				has_reference = true;
			} else if (has_reference) {
				summary_add(&it->differences, value - reference);
				if (value > 0 && reference > 0)
					summary_add(&it->logs,
						    s->math->log((double)(value / reference)));
			}
		}
	}
}

bool stopping_is_enough(const struct rounds_done *done, void *stopping)
{
	struct stopping *s = stopping;
	struct stopping rule = *s;
	enum stop stop;

	stopping_add_round(s, done);
	rule.limit_ns = s->limit_ns / (s->sides_n / done->n);
	stop = stopping_decide(&rule, (struct sides_now){ done->first, done->n }, done->rounds_n,
			       done->elapsed_ns);
	if (s->stop != STOP_TOO_LONG) /* STOP_TOO_LONG of any side is kept */
		s->stop = stop;
	return stop != STOP_NOT;
}

bool stopping_needs_more(const struct stopping *s, const struct rounds_done *done)
{
	return done->rounds_n < stopping_needed(s, (struct sides_now){ done->first, done->n }, 0);
}
