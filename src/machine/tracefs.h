/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's tracepoints, as tracefs shows them (Documentation/trace/ftrace.rst). */
#ifndef PSTAT_MACHINE_TRACEFS_H
#define PSTAT_MACHINE_TRACEFS_H

#include <stdint.h>

#include "machine/machine.h"

struct str_list;
struct why;

/*
 * Where tracefs's events/ is, wherever it is mounted: *events, the caller's to free, is a path for
 * machine_read() and machine_list(). 0; -ENOENT: it is not mounted; -EACCES: not for this user; why
 * then says what to do.
 */
int tracefs_events(const struct machine *m, char **events, struct why *why);

/* A tracepoint's number. 0; -ENOENT: there is none of that name; other -errno. */
int tracefs_id(const struct machine *m, const char *events, const char *system, const char *name,
	       uint64_t *id);

/*
 * Open a control file of tracefs, such as uprobe_events, for tracefs_append(). To open such a file
 * with O_TRUNC would remove the events of all users. events: the path that tracefs_events() gave.
 * The descriptor, which the caller closes, or -errno.
 */
int tracefs_open(const struct machine *m, const char *events, const char *file);

/* Append one line to a control file. Takes no memory. 0 or -errno. */
int tracefs_append(int fd, const char *line);

/*
 * Append "system:name" for each tracepoint that both patterns (fnmatch(3)) match, sorted. 0 or -errno.
 */
int tracefs_match(const struct machine *m, const char *events, const char *system, const char *name,
		  struct str_list *list);

#endif
