/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "base/why.h"
#include "cli/special.h"

#define RMATH_SONAME "libRmath.so.1"

static const struct {
	const char *name;
	size_t at;
} functions[] = {
	/* libRmath is linked with libm, whose functions are found through it */
	{ "log", offsetof(struct special, log) }, { "exp", offsetof(struct special, exp) },
	{ "pt", offsetof(struct special, pt) },	  { "qt", offsetof(struct special, qt) },
	{ "pnt", offsetof(struct special, pnt) }, { "qchisq", offsetof(struct special, qchisq) },
};

int special_load(struct special *special, struct why *why)
{
	void *library = dlopen(RMATH_SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return why_set(why, -ELIBACC,
			       "comparisons need R's mathematics, libRmath (%s); install it "
			       "(Debian: r-mathlib)",
			       dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function)
			return why_set(why, -ELIBACC, RMATH_SONAME " is not libRmath: %s",
				       dlerror());
		*(void **)((char *)special + functions[i].at) = function;
	}
	return 0;
}
