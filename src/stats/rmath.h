/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mathematical functions of comparisons. */
#ifndef PSTAT_STATS_RMATH_H
#define PSTAT_STATS_RMATH_H

struct why;

/*
 * Mathematical functions for comparisons. Only comparisons load the libraries, so that pstat starts
 * fast if it only counts. log and exp are from libm. The others are R's, from libRmath, with R's
 * names. Their arguments are x, the parameters, whether the lower tail is meant, and whether p is a
 * logarithm.
 */
struct math {
	double (*log)(double x);
	double (*exp)(double x);
	double (*pt)(double t, double df, int lower, int is_log);
	double (*qt)(double p, double df, int lower, int is_log);
	double (*pnt)(double t, double df, double ncp, int lower, int is_log);
	double (*qchisq)(double p, double df, int lower, int is_log);
};

/* Load libm and libRmath. They stay loaded until pstat exits. 0; -ELIBACC with why. */
int rmath_load(struct math *math, struct why *why);

#endif
