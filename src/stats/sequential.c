/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "base/math.h"
#include "stats/sequential.h"

/* The share of the prior in n rounds. */
static double sequential_share_of_prior(size_t n)
{
	return SEQUENTIAL_G / (SEQUENTIAL_G + (double)n);
}

/*
 * With v = n - 1 and q the share of the prior, the evidence against the hypothesis is
 * E = √q ((1 + t²/v) / (1 + q t²/v))^((v + 1) / 2), and p = 1 / E.
 */
double sequential_p(const struct math *math, double t, size_t n)
{
	const double v = (double)n - 1, q = sequential_share_of_prior(n), square = t * t / v;
	double log_p;

	if (n < 2)
		return 1;
	if (!isfinite(square))
		return sequential_floor(math, n);
	log_p = -(math->log(q) + (v + 1) * math->log((1 + square) / (1 + q * square))) / 2;
	return log_p < 0 ? math->exp(log_p) : 1;
}

/* The same formula, solved for t. */
double sequential_t(const struct math *math, double alpha, size_t n)
{
	const double v = (double)n - 1, q = sequential_share_of_prior(n);
	double r;

	if (n < 2)
		return INFINITY;
	r = math->exp(-2 * math->log(alpha * sqrt(q)) / (v + 1));
	return r * q < 1 ? sqrt(v * (r - 1) / (1 - r * q)) : INFINITY;
}

size_t sequential_runs_min(const struct math *math, double level)
{
	size_t n = 2;

	while (n < SEQUENTIAL_RUNS_MAX && sequential_floor(math, n) > level)
		n++;
	return n;
}

/* The limit of p for t towards infinity: q^(v / 2). */
double sequential_floor(const struct math *math, size_t n)
{
	return n < 2 ? 1 : math->exp(((double)n - 1) / 2 * math->log(sequential_share_of_prior(n)));
}
