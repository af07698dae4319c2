/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an errno and its circumstances to what stood in the way and what to do about it. */
#ifndef PSTAT_COUNT_DIAGNOSE_H
#define PSTAT_COUNT_DIAGNOSE_H

#include <linux/perf_event.h>
#include <stddef.h>

#include "count/reading.h"
#include "count/target.h"
#include "event/event.h"
#include "machine/machine.h"

struct str;

/* Where an event was to be counted. */
struct diagnose_context {
	const struct machine *machine;
	enum target_kind kind;
	size_t descriptors; /* how many the whole session needs */
};

/* Append why perf_event_open(2) refused this event with this (negative) errno. attr: as it was tried. */
void diagnose_open(const struct diagnose_context *context, const struct event *event,
		   const struct perf_event_attr *attr, int error, struct str *out);

/*
 * Append why a group was refused though each of its events alone is accepted. first_pmu, last_pmu:
 * where its first and last event are counted; needed: how many counters it takes; fitted: how many
 * of its events that need one were accepted together.
 */
void diagnose_group(const struct machine *m, const char *first_pmu, const char *last_pmu,
		    size_t needed, size_t fitted, struct str *out);

/* Append why an event that was opened was not enabled for a moment. waited: --control or a delay
 * was to switch it on, and never did. */
void diagnose_never_enabled(enum target_kind kind, const struct event *event, bool waited,
			    struct str *out);

/* Append why an event that was opened and enabled has never run. rivals: how many events of its PMU
 * were to be counted at once, with itself; pinned: so was its group. */
void diagnose_never_ran(const struct machine *m, const struct event *event, size_t rivals,
			bool pinned, struct str *out);

/* Append why a counter that was opened has no count. reading: has a reason whose cause is not
 * CAUSE_NONE. place: the label of its row. user_ns: the user time of its run. */
void diagnose_reading(const struct reading *reading, const char *place, uint64_t user_ns,
		      struct str *out);

#endif
