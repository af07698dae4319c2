/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events the PMU can count together. pstat finds out by trial: it opens the events on itself,
 * enabled, and reads them. No table can tell how many counters the kernel, a hypervisor or the NMI
 * watchdog leaves free.
 */
#ifndef PSTAT_COUNT_PASSES_H
#define PSTAT_COUNT_PASSES_H

#include <stdbool.h>
#include <stddef.h>

#include "count/opener.h"

/* How the events of a command fit the counters of the PMU. If fits is true, the numbers may be
 * 0, because the search did not need them. */
struct budget {
	bool fits; /* the PMU counts all events at once */
	size_t events; /* the number of events that need a counter and are not refused */
	/* the number of these events that the PMU counts at once, without groups */
	size_t counters;
	size_t passes; /* the number of passes in which no event has to wait, at least 1 */
	/* A weak group is larger than the PMU: its events take turns even in a pass of their
	 * own. */
	bool too_large;
};

/*
 * Distribute the groups over passes: the largest units first, each into the first pass that has
 * room. units: groups with the same number are counted in one pass, unless the PMU cannot hold
 * them. *passes has the pass of each group, from 0, or PASS_ALL if the group does not need a
 * counter of the PMU. The caller frees *passes. The opening of each refused event gets the reason.
 * job: how the events will be opened on pstat itself. 0 or -ENOMEM.
 */
int passes_find(struct opener *o, const struct open_job *job, const size_t *units, size_t **passes,
		struct budget *budget);

/*
 * Whether all events fit the PMU at once, and if not, how many do, and how many passes
 * passes_find() would need. Makes one trial if they fit, and no system call if no event can be
 * multiplexed. On a machine with several kinds of cores, a trial on one CPU says nothing about the
 * other kinds: all events are then reported to fit. Does not change o. 0 or -ENOMEM.
 */
int passes_check(const struct opener *o, const struct open_job *job, const size_t *units,
		 struct budget *budget);

/*
 * Like passes_check(), but every group is a unit, and *passes has the pass of each group as in
 * passes_find(). These groups are in every pass (PASS_ALL):
 *	pinned groups; or the first single event, if none is pinned and there are at least four
 *	counters: it is counted all the time, as the companion of the others (estimate_count())
 *	each group that fits every other pass, because its events have counters of their own, or
 *	because the other passes have counters free
 * The passes are valid only if budget->fits is false. The caller frees *passes.
 */
int passes_take_turns(const struct opener *o, const struct open_job *job, size_t **passes,
		      struct budget *budget);

/* Whether the event is one of a PMU that is not a core, such as msr or that of an uncore unit. */
bool passes_is_outside_core(const struct opener *o, const struct event *event);

#endif
