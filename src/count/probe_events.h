/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function probes in a form that new threads and processes inherit. The kernel opens an inherited
 * event again in the task that forks. There, the kernel would read the probe's name at the address
 * in attr.config1. That address is valid only in pstat, so fork(2) would fail. Two forms need no
 * name: an event in tracefs, which is a tracepoint (Documentation/trace/uprobetracer.rst,
 * kprobetrace.rst), and a kprobe at an address from /proc/kallsyms. The events in tracefs are in
 * the group pstat_PID_STARTED_NAMESPACE, with the PID, the start time and the PID namespace of the
 * pstat that created them. If a pstat was killed, the next pstat in the same namespace recognizes
 * its group and removes it.
 */
#ifndef PSTAT_COUNT_PROBE_EVENTS_H
#define PSTAT_COUNT_PROBE_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "event/event.h"
#include "machine/machine.h"

struct probe_form;

/* All zero: there are no inheritable probes. */
struct probe_events {
	const struct machine *machine;
	const struct event_list *events;
	struct probe_form *forms; /* owned: one for each event; NULL: no event is a probe */
	char *tracefs; /* owned: the path of events/ in tracefs; NULL: unusable */
	char *group; /* owned */
	/*
	 * Owned: the files in tracefs that create and remove probes; -1: not open. They stay open,
	 * so that pstat can remove its probes even without free memory or descriptors.
	 */
	int uprobes_fd, kprobes_fd;
};

/*
 * Find an inheritable form for each probe. A probe without such a form is not an error, see
 * probe_events_obstacle(). The list has to outlive p. 0 or -ENOMEM. Call probe_events_remove() in
 * either case.
 */
int probe_events_create(struct probe_events *p, const struct machine *m,
			const struct event_list *events);

/* Whether an event of the list is a probe that is not inherited. */
bool probe_events_first_only(const struct probe_events *p, const struct event *event);

/* Why the probe is not inherited, as text. Owned by p; NULL: unknown. */
const char *probe_events_obstacle(const struct probe_events *p, const struct event *event);

/* Change the attr of an event of the list to the form that is inherited, if the event has one. */
void probe_events_apply(const struct probe_events *p, const struct event *event,
			struct perf_event_attr *attr);

/*
 * Remove the events from tracefs. All counters have to be closed: the kernel keeps events in use.
 */
void probe_events_remove(struct probe_events *p);

#endif
