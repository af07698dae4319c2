/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explain why an event cannot be opened, and what to do about it. */
#ifndef PSTAT_COUNT_DIAGNOSE_H
#define PSTAT_COUNT_DIAGNOSE_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "count/target.h"
#include "event/event.h"
#include "machine/machine.h"

struct str;

/* The target on which the refused event should count. */
struct diagnose_context {
	const struct machine *machine;
	enum target_kind kind;
	size_t descriptors; /* the number of descriptors that the session needs */
};

/* Append why perf_event_open(2) refused this event with this (negative) errno. attr: the attr of
 * the last call. */
void diagnose_open(const struct diagnose_context *context, const struct event *event,
		   const struct perf_event_attr *attr, int error, struct str *out);

/* Append why perf_event_open(2) accepted the event in user mode only. */
void diagnose_narrowed(const struct machine *m, struct str *out);

/* A group that was refused, although the kernel accepts each of its events alone. */
struct diagnose_group {
	const char *first_pmu, *last_pmu; /* the PMUs of its first and last event */
	size_t needed; /* the number of counters that all its events need */
	size_t fitted; /* the number of these that were accepted together */
	size_t n; /* the number of its events */
	int error; /* -errno of an event that was refused in the group */
	bool implied; /* no option names its events */
};

void diagnose_group(const struct machine *m, const struct diagnose_group *group, struct str *out);

/* Append that the NMI watchdog may hold a counter, if it is on. */
void diagnose_watchdog(const struct machine *m, struct str *out);

#endif
