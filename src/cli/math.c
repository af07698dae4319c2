/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/module.h"
#include "cli/math.h"

int math_load(struct math *math, struct why *why)
{
	static const struct module module = { "libRmath.so.1",
					      "libRmath, the mathematics of comparisons,",
					      "r-mathlib" };
	const struct module_function functions[] = {
		/* libRmath is linked with libm, whose functions are found through it */
		MODULE_FUNCTION(math, log), MODULE_FUNCTION(math, exp),
		MODULE_FUNCTION(math, pt),  MODULE_FUNCTION(math, qt),
		MODULE_FUNCTION(math, pnt), MODULE_FUNCTION(math, qchisq),
	};

	return module_load(&module, functions, sizeof(functions) / sizeof(functions[0]), why);
}
