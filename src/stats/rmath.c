/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/dlopen.h"
#include "stats/rmath.h"

DLOPEN_LIBRARY(rmath_library, "libRmath.so.1", "libRmath, the mathematics of comparisons,",
	       "r-mathlib", "comparisons", "Computes p-values and confidence intervals");

int rmath_load(struct math *math, struct why *why)
{
	const struct dlopen_function functions[] = {
		/* libRmath is linked with libm, whose functions are found through it */
		DLOPEN_FUNCTION(math, log), DLOPEN_FUNCTION(math, exp),
		DLOPEN_FUNCTION(math, pt),  DLOPEN_FUNCTION(math, qt),
		DLOPEN_FUNCTION(math, pnt), DLOPEN_FUNCTION(math, qchisq),
	};

	return dlopen_load(&rmath_library, functions, sizeof(functions) / sizeof(functions[0]),
			   why);
}
