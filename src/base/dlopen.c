/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/dlopen.h"
#include "base/why.h"

int dlopen_load(const struct dlopen_library *library, const struct dlopen_function *functions,
		size_t n, struct why *why)
{
	void *handle = dlopen(library->soname, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return why_set(why, -ELIBACC, "%s cannot be loaded (%s); install it (Debian: %s)",
			       library->name, dlerror(), library->package);
	for (size_t i = 0; i < n; i++) {
		void *function = dlsym(handle, functions[i].name);

		if (!function)
			return why_set(why, -ELIBACC, "%s lacks a function that pstat needs: %s",
				       library->soname, dlerror());
		/* POSIX: function pointers from dlsym() have the representation of void * */
		memcpy(functions[i].pointer, &function, sizeof(function));
	}
	return 0;
}
