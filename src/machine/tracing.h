/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel can trace: tracepoints and probes in tracefs (Documentation/trace/ftrace.rst),
 * and kernel functions in /proc/kallsyms.
 */
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
 * Open a control file of tracefs, for example uprobe_events, for tracing_append(). Opening such a
 * file with O_TRUNC would remove the events of all users. events: the path from tracing_events().
 * The caller closes the descriptor. It or -errno.
 */
int tracing_open(const struct machine *m, const char *events, const char *file);

/* Append one line. This needs no memory. 0 or -errno. */
int tracing_append(int fd, const char *line);

/*
 * Append "system:name" for each tracepoint that both patterns (fnmatch(3)) match, sorted. 0 or
 * -errno.
 */
int tracing_match(const struct machine *m, const char *events, const char *system, const char *name,
		  struct str_list *list);

struct tracing_function {
	const char *name; /* set by the caller */
	size_t found; /* the number of kernel functions with this name */
	uint64_t address; /* of the last one; 0: the kernel hides it (kptr_restrict) */
};

/* Find n kernel functions in one pass over /proc/kallsyms, which takes about 50 ms. 0 or -errno. */
int tracing_find_functions(const struct machine *m, struct tracing_function *functions, size_t n);

#endif
