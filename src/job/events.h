/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the options, and the saved reference of --baseline, to the events to count. */
#ifndef PSTAT_JOB_EVENTS_H
#define PSTAT_JOB_EVENTS_H

#include "count/session.h"
#include "document/load.h"
#include "event/event.h"
#include "event/resolve.h"
#include "job/history_gates.h"
#include "machine/machine.h"
#include "metric/metric_list.h"
#include "options/options.h"

struct why;

/* What to count. The caller sets the options and the machine; the rest begins as zero. */
struct wanted {
	const struct options *options;
	const struct machine *machine;
	struct event_list events;
	struct metric_request_list metrics;
	struct gate_list gates;
	size_t copies; /* number of cgroups that the events are repeated for; 0: not repeated */
	size_t cgroups_n; /* number of names that -G has given a cgroup, or none */
};

/*
 * The events of -e and -M, or the default ones, and those of -d. --all-user, --all-kernel and the
 * cgroups are applied. The caller releases wanted in any case. 0; -errno with why.
 */
int events_of_options(struct wanted *wanted, struct why *why);

/*
 * For --no-multiplex: for each group, the number of its unit. Groups of one unit are counted in the
 * same pass, because ratios are computed from their events. metrics: those that use these events,
 * or NULL. The caller frees the result; NULL: out of memory.
 */
size_t *events_units(const struct event_list *events, const struct metric_request_list *metrics);

void wanted_release(struct wanted *wanted);

/* Restrict the events to --all-user or --all-kernel, if one of them was given. */
void events_choose_modes(struct wanted *wanted);

/* Append the events of text, the argument of option. 0; -errno with why. */
int events_add(struct wanted *wanted, enum resolve_by by, const char *option, const char *text,
	       struct why *why);

/*
 * Open the events on the target of the options, to see whether the kernel accepts them, then close
 * them. session->openings keeps the answers. 0; -errno with why. The caller closes the session and
 * then releases the target, in any case.
 */
int events_try(const struct wanted *wanted, const struct event_list *events, struct target *target,
	       struct session *session, struct why *why);

/*
 * Open the events of a metric in their groups, as for -M, and close them. *counters: the number of
 * counters that they need at once; 0: none, or some event is unknown. here gets what the kernel
 * says, or stays empty with --sysroot. 0 or -ENOMEM.
 */
int events_try_metric(const struct wanted *wanted, struct metric_request *metric, size_t *counters,
		      struct str *here);

/* Whether a breakpoint has no address yet: the program is missing, or position-independent. */
bool events_lack_address(const struct event *event);

/* All zero: there is no baseline. */
struct baseline {
	const char *path;
	struct saved saved;
	const struct document *document; /* of the reference, in saved; NULL: none */
	const char *name; /* of the reference, in saved, or the path */
};

/* Read the baseline. 0; -errno with why. The caller releases b in any case. */
int baseline_load(struct baseline *b, const struct options *o, struct why *why);

void baseline_release(struct baseline *b);

/*
 * The events of a comparison: those of events_of_options(), or those of the baseline if the options
 * name none, and the events of --fail-if. Refuses breakpoints on symbols, and names that nothing
 * here or in the baseline has. b: NULL for none. 0; -errno with why.
 */
int events_of_comparison(struct wanted *wanted, const struct baseline *b, struct why *why);

/*
 * Choose the gates of --fail-if, and add their events that are not there yet. A gate whose event
 * the kernel refuses is an error, unless an alternative can be counted. b: NULL for none. 0; -errno
 * with why.
 */
int events_add_of_gates(struct wanted *wanted, const struct baseline *b, struct why *why);

/* Whether this machine knows the events of a metric of a group. 0; -errno, and reason says why the
 * metric is left out; -ENOMEM. */
int events_find_unknown(const struct machine *m, const struct metric_request *metric,
			struct str *reason);

/* Print a note if the threshold of a metric is ignored because it is not valid, or because this
 * machine does not know one of its events. not_counted: an event of the threshold that is not
 * counted, or NULL; the note on it needs -v. */
void events_note_threshold(const struct wanted *wanted, const struct metric_request *metric,
			   const char *not_counted);

/* Let event i of an expression be this one of the list, with the instances merged into it. */
void events_bind(struct expression *e, size_t i, size_t index, const struct event_list *list);

#endif
