/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/module.h"
#include "cli/special.h"

int special_load(struct special *special, struct why *why)
{
	static const struct module module = { "libRmath.so.1",
					      "libRmath, the mathematics of comparisons,",
					      "r-mathlib" };
	const struct module_function functions[] = {
		/* libRmath is linked with libm, whose functions are found through it */
		MODULE_FUNCTION(special, log), MODULE_FUNCTION(special, exp),
		MODULE_FUNCTION(special, pt),  MODULE_FUNCTION(special, qt),
		MODULE_FUNCTION(special, pnt), MODULE_FUNCTION(special, qchisq),
	};

	return module_load(&module, functions, sizeof(functions) / sizeof(functions[0]), why);
}
