/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "run/stopping.h"
#include "stats/contrast.h"
#include "stats/interval.h"

void stopping_set_size(struct stopping *s, size_t verdicts_n, size_t limits_n)
{
	double alpha = 1 - s->confidence;
	double level = alpha / (double)(verdicts_n ? verdicts_n : 1);

	s->verdicts_n = verdicts_n;
	s->limits_n = limits_n;
	s->runs_min = contrast_runs_min(s->is_paired, s->reference_n, level,
					limits_n ? alpha / (double)limits_n : 0);
	s->runs_min_constant = contrast_runs_min_constant(level);
}

int stopping_init(struct stopping *s)
{
	s->sides = calloc(s->sides_n + 1, sizeof(*s->sides));
	return s->sides ? 0 : -ENOMEM;
}

void stopping_release(struct stopping *s)
{
	free(s->sides);
	*s = (struct stopping){ 0 };
}

bool stopping_is_short(const struct stopping *s)
{
	return s->runs_min == 0 || (s->runs && s->runs < s->runs_min);
}

/*
 * needed: the number of runs with a count. A run without a count (not supported, or below
 * --min-running) does not contribute to a verdict.
 */
static bool are_precise(const struct stopping *s, const struct summary *sides, size_t n,
			size_t needed)
{
	for (size_t i = 0; i < n; i++) {
		const struct summary *side = &sides[i];

		if (side->n < 2 || side->n < needed)
			return false;
		if (!(interval_half(s->math, s->confidence, side, 0) <=
		      s->precision * fabs((double)side->mean)))
			return false;
	}
	return s->precision > 0;
}

bool stopping_takes_too_long(const struct stopping *s, size_t needed, size_t runs_n,
			     uint64_t elapsed_ns)
{
	double whole = runs_n ? (double)elapsed_ns / (double)runs_n * (double)needed : 0;

	return elapsed_ns > s->limit_ns && whole > STOPPING_PATIENCE * (double)s->limit_ns;
}

/* How many runs of each of n sides a verdict needs. */
static size_t runs_needed(const struct stopping *s, const struct summary *sides, size_t n)
{
	bool constant = true;

	for (size_t i = 0; i < n; i++)
		constant &= sides[i].n >= 2 && !(sides[i].squares > 0);
	return constant ? s->runs_min_constant : s->runs_min;
}

/*
 * Decide after runs_n runs of each of n sides. elapsed_ns: the time of these runs. sides: the
 * values of the deciding event.
 */
static enum stop decide(const struct stopping *s, const struct summary *sides, size_t n,
			size_t runs_n, uint64_t elapsed_ns)
{
	size_t needed = runs_needed(s, sides, n);

	if (s->forever)
		return STOP_NOT;
	if (s->runs)
		return runs_n < s->runs ? STOP_NOT : STOP_RUNS;
	if (runs_n < needed)
		return stopping_takes_too_long(s, needed, runs_n, elapsed_ns) ? STOP_TOO_LONG :
										STOP_NOT;
	if (are_precise(s, sides, n, needed))
		return STOP_PRECISE;
	return elapsed_ns < s->limit_ns ? STOP_NOT : STOP_TIME;
}

bool stopping_value(const struct series *series, size_t row, size_t run, long double *value)
{
	struct series_value it;

	if (row == STOPPING_BY_TIME) {
		*value = series->runs[run].tool[TOOL_DURATION_TIME];
		return true;
	}
	it = series_value(series, row, &series->runs[run]);
	*value = it.in_unit;
	return reading_has_count(it.state);
}

static bool last_value(const struct side *side, size_t row, long double *value)
{
	return stopping_value(&side->series, row, side->series.runs_n - 1, value);
}

/*
 * The row of the first event that can be counted, at the first place where all n sides have counted
 * it. If there is no such place yet, take the first place of the event and wait for its counts.
 * Otherwise an event further down the list would decide when the runs end.
 */
static size_t choose_row(const struct side *sides, size_t n)
{
	const struct series *series = &sides->series;
	size_t chosen = STOPPING_BY_TIME;

	for (size_t row = 0; row < series->rows_n; row++) {
		size_t event = series->rows[row].event;
		bool counted = true; /* in the last run of each side */
		long double value;

		for (size_t i = 0; counted && i < n; i++)
			counted = last_value(&sides[i], row, &value);
		if (series_is_merged(series, row) || (!counted && series->openings[event].refused))
			continue;
		if (chosen == STOPPING_BY_TIME)
			chosen = row;
		if (counted && event == series->rows[chosen].event)
			return row;
	}
	return chosen;
}

bool stopping_is_enough(const struct rounds_done *done, void *stopping)
{
	struct stopping *s = stopping;
	struct stopping rule = *s;
	const struct side *first = &done->sides[done->first];
	long double value;
	enum stop stop;

	if (s->row_sides != first) {
		s->row = choose_row(first, done->n);
		s->row_sides = first;
	}
	for (size_t i = done->first; i < done->first + done->n; i++)
		if (last_value(&done->sides[i], s->row, &value))
			summary_add(&s->sides[i], value);
	rule.limit_ns = s->limit_ns / (s->sides_n / done->n);
	stop = decide(&rule, &s->sides[done->first], done->n, done->rounds_n, done->elapsed_ns);
	if (s->stop != STOP_TOO_LONG) /* STOP_TOO_LONG of any side is kept */
		s->stop = stop;
	return stop != STOP_NOT;
}

bool stopping_needs_more(const struct stopping *s, const struct rounds_done *done)
{
	return done->rounds_n < runs_needed(s, &s->sides[done->first], done->n);
}
