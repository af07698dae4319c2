/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For fuzz targets that resolve events without libpfm4 and libelf. The libraries take long for
 * unknown names, and have their own targets. These functions replace those in
 * src/event/source_pfm.c and src/base/dlopen.c.
 */
#ifndef PSTAT_TESTS_FUZZ_NO_LIBRARIES_H
#define PSTAT_TESTS_FUZZ_NO_LIBRARIES_H

#include <errno.h>

#include "base/dlopen.h"
#include "base/why.h"
#include "event/source.h"

static int resolve_no_name(const struct machine *m, const struct event_spec *spec,
			   struct event_list *out, struct why *why)
{
	(void)m, (void)spec, (void)out, (void)why;
	return -ENOENT;
}

const struct event_source source_pfm = { .name = "libpfm4", .resolve = resolve_no_name };

char *source_pfm_version(void)
{
	return NULL;
}

int dlopen_load(const struct dlopen_library *library, const struct dlopen_function *functions,
		size_t n, struct why *why)
{
	(void)functions, (void)n;
	return why_set(why, -ELIBACC, "%s cannot be loaded", library->name);
}

#endif
