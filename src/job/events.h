/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the options, and the saved reference of --baseline, to the events to count. */
#ifndef PSTAT_JOB_EVENTS_H
#define PSTAT_JOB_EVENTS_H

#include "document/load.h"
#include "event/event.h"
#include "event/resolve.h"
#include "machine/machine.h"
#include "metric/metric_list.h"
#include "options/options.h"

/* What to count. All zero is empty. */
struct wanted {
	struct event_list events;
	struct metric_request_list metrics;
	size_t copies; /* number of cgroups that the events are repeated for; 0: not repeated */
	size_t cgroups_n; /* number of names that -G has given a cgroup, or none */
};

/*
 * The events of -e and -M, or the default ones, and those of -d. --all-user, --all-kernel and the
 * cgroups are applied. The caller releases wanted in any case. 0; -errno after a message.
 */
int events_of_options(const struct options *o, const struct machine *m, struct wanted *wanted);

/*
 * For --no-multiplex: for each group, the number of its unit. Groups of one unit are counted in the
 * same pass, because ratios are computed from their events. The caller frees the result; NULL: out
 * of memory.
 */
size_t *events_units(const struct event_list *events);

void wanted_release(struct wanted *wanted);

/* Restrict the events to --all-user or --all-kernel, if one of them was given. */
void events_choose_modes(const struct options *o, struct event_list *list);

/*
 * Append the events of text, the argument of option. 0; -errno after a message.
 */
int events_add(const struct machine *m, enum resolve_by by, const char *option, const char *text,
	       struct event_list *list);

/* All zero: there is no baseline. */
struct baseline {
	const char *option; /* "--baseline", for messages */
	const char *path;
	struct saved saved;
	const struct document *document; /* of the reference, in saved; NULL: none */
	const char *name; /* of the reference, in saved, or the path */
};

/* Read the baseline. 0; -errno after a message. The caller releases b in any case. */
int baseline_load(struct baseline *b, const struct options *o);

void baseline_release(struct baseline *b);

/*
 * The events of a comparison: those of events_of_options(), or those of the baseline if the options
 * name none, and the events of --fail-if. Refuses breakpoints on symbols, and names that nothing
 * here or in the baseline has. baseline: NULL for none. 0; -errno after a message.
 */
int events_of_comparison(const struct options *o, const struct machine *m,
			 const struct baseline *baseline, struct wanted *wanted);

/*
 * Add the events of --fail-if that are not there yet. baseline: NULL for none. 0; -errno after a
 * message.
 */
int events_add_of_gates(const struct options *o, const struct machine *m,
			const struct baseline *baseline, struct wanted *wanted);

#endif
