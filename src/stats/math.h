/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mathematical functions for comparisons. Only comparisons load the libraries, so that pstat starts
 * fast if it only counts. log and exp are from libm. The others are R's, from libRmath, with R's
 * names. Their arguments are x, the parameters, whether the lower tail is meant, and whether p is a
 * logarithm.
 */
#ifndef PSTAT_STATS_MATH_H
#define PSTAT_STATS_MATH_H

struct math {
	double (*log)(double x);
	double (*exp)(double x);
	double (*pt)(double t, double df, int lower, int is_log);
	double (*qt)(double p, double df, int lower, int is_log);
	double (*pnt)(double t, double df, double ncp, int lower, int is_log);
	double (*qchisq)(double p, double df, int lower, int is_log);
};

struct why;

/* Load libm and libRmath. They stay loaded until pstat exits. 0; -ELIBACC with why. */
int math_load(struct math *math, struct why *why);

#endif
