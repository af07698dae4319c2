/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/module.h"
#include "base/why.h"

int module_load(const struct module *module, const struct module_function *functions, size_t n,
		struct why *why)
{
	void *library = dlopen(module->soname, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return why_set(why, -ELIBACC, "%s cannot be loaded (%s); install it (Debian: %s)",
			       module->name, dlerror(), module->package);
	for (size_t i = 0; i < n; i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function)
			return why_set(why, -ELIBACC, "%s is not %s: %s", module->soname,
				       module->name, dlerror());
		/* POSIX: dlsym() gives functions as void *, of the same representation */
		memcpy(functions[i].pointer, &function, sizeof(function));
	}
	return 0;
}
