/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of mathematics that comparisons need, from libraries that are loaded for comparisons
 * alone: a plain run of pstat does not pay for them. log, exp: libm; the others as R names them and
 * computes them (R's nmath: libRmath), with x, parameters, then whether the lower tail is meant and
 * whether p is a logarithm.
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

#endif
