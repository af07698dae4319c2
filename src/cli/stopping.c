/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "cli/stopping.h"
#include "stats/contrast.h"

void stopping_need(struct stopping *s, bool paired, size_t reference_n, size_t limits_n)
{
	s->runs_min = contrast_runs_min(paired, reference_n, s->confidence, limits_n);
	s->runs_min_constant = contrast_runs_min_constant(s->confidence);
}

bool stopping_is_short(const struct stopping *s)
{
	return s->runs_min == 0 || (s->runs && s->runs < s->runs_min);
}

static bool are_constant(const struct summary *sides, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sides[i].n < 2 || sides[i].squares > 0)
			return false;
	return true;
}

/*
 * A run without a count (not supported, or below --min-running) does not contribute to a verdict.
 */
static bool is_precise(const struct stopping *s, const struct summary *side, size_t needed)
{
	double t;

	if (side->n < 2 || side->n < needed)
		return false;
	if (!(side->squares > 0))
		return true;
	t = s->math->qt((1 - s->confidence) / 2, (double)side->n - 1, 0, 0);
	return t * summary_stderr(side) <= s->precision * fabs((double)side->mean);
}

static bool are_precise(const struct stopping *s, const struct summary *sides, size_t n,
			size_t needed)
{
	for (size_t i = 0; i < n; i++)
		if (!is_precise(s, &sides[i], needed))
			return false;
	return s->precision > 0;
}

/* Over the limit already, and too far to the end. */
static bool takes_too_long(const struct stopping *s, size_t needed, size_t runs_n,
			   uint64_t elapsed_ns)
{
	double whole = runs_n ? (double)elapsed_ns / (double)runs_n * (double)needed : 0;

	return elapsed_ns > s->limit_ns && whole > STOPPING_PATIENCE * (double)s->limit_ns;
}

enum stop stopping_decide(const struct stopping *s, const struct summary *sides, size_t n,
			  size_t runs_n, uint64_t elapsed_ns)
{
	size_t needed = are_constant(sides, n) ? s->runs_min_constant : s->runs_min;

	if (s->forever)
		return STOP_NOT;
	if (s->runs)
		return runs_n < s->runs ? STOP_NOT : STOP_RUNS;
	if (runs_n < needed)
		return takes_too_long(s, needed, runs_n, elapsed_ns) ? STOP_TOO_LONG : STOP_NOT;
	if (are_precise(s, sides, n, needed))
		return STOP_PRECISE;
	return elapsed_ns < s->limit_ns ? STOP_NOT : STOP_TIME;
}
