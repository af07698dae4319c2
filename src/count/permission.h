/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why counting is forbidden, and what allows it: settings, capabilities, seccomp, security
 * modules.
 */
#ifndef PSTAT_COUNT_PERMISSION_H
#define PSTAT_COUNT_PERMISSION_H

#include <linux/perf_event.h>

#include "count/target.h"
#include "event/event.h"
#include "machine/machine.h"

struct str;

/*
 * Append why perf_event_open(2) refused this event with EACCES or EPERM. attr: the last one
 * tried.
 */
void permission_refused(const struct machine *m, enum target_kind kind, const struct event *event,
			const struct perf_event_attr *attr, struct str *out);

/* Append why perf_event_open(2) accepted the event in user mode only. */
void permission_narrowed(const struct machine *m, struct str *out);

/* Append why perf_event_open(2) answers ENOSYS. */
void permission_no_call(const struct machine *m, struct str *out);

#endif
