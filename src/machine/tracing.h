/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracepoints in tracefs (Documentation/trace/ftrace.rst). */
#ifndef PSTAT_MACHINE_TRACING_H
#define PSTAT_MACHINE_TRACING_H

#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

struct str_list;
struct why;

/*
 * Find the events/ folder of tracefs, wherever tracefs is mounted. *events is a path for
 * machine_read() and machine_list(); the caller frees it. 0; -ENOENT: tracefs is not mounted;
 * -EACCES: this user may not read it; why then names a remedy.
 */
int tracing_events(const struct machine *m, char **events, struct why *why);

/* The number of a tracepoint. 0; -ENOENT: there is no such tracepoint; another -errno. */
int tracing_id(const struct machine *m, const char *events, const char *system, const char *name,
	       uint64_t *id);

/*
 * Append "system:name" for each tracepoint that both patterns (fnmatch(3)) match, sorted. 0 or
 * -errno.
 */
int tracing_match(const struct machine *m, const char *events, const char *system, const char *name,
		  struct str_list *list);

#endif
