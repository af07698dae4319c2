/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open the groups of an event list on the target, and explain what the kernel refuses. */
#ifndef PSTAT_COUNT_OPENER_H
#define PSTAT_COUNT_OPENER_H

#include "count/counters.h"
#include "count/open_event.h"
#include "count/plan.h"
#include "count/target.h"
#include "event/event.h"
#include "machine/machine.h"

/* A group with this number is counted in every pass. */
#define PASS_ALL SIZE_MAX

/* What to open, and what is known about this kernel. */
struct opener {
	const struct machine *machine;
	const struct event_list *events;
	struct target *target;
	struct row *rows; /* events->n for each place of the target */
	struct opening *openings; /* one for each event */
	enum plan_inherit inherit; /* of the counters on tasks */
	enum plan_start start;
	bool adds_scopes; /* not the first opening: the scopes were found later */
	bool stopped; /* the command stopped after its exec: open only what needs its address */
	const size_t *passes; /* of each group with --no-multiplex, or PASS_ALL; NULL: one pass */
	size_t pass; /* the one to open */
	struct event_opener event_opener;
};

/*
 * Open the groups that are due on the target's scopes first … first + n - 1. If an event cannot be
 * opened, its opening has the reason, and the other events are opened. A scope that no longer
 * exists is marked gone. 0 or -ENOMEM.
 */
int opener_open(struct opener *o, struct counters *c, size_t first, size_t n);

/* Whether an event uses a counter of the PMU. There are only a few. */
bool opener_needs_counter(const struct event *event);

/* Whether a group can be opened only when the load address of the command is known. */
bool opener_needs_address(const struct event_list *events, const struct event_group *group);

#endif
