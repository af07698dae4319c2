/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events fit the PMU together, for --no-multiplex: found out by opening and scheduling them,
 * since no table knows what the kernel, a hypervisor or the NMI watchdog has left of the counters.
 */
#ifndef PSTAT_COUNT_PASSES_H
#define PSTAT_COUNT_PASSES_H

#include "count/opener.h"

/*
 * Distribute the groups over as few passes as first-fit finds. units: groups of the same number stay
 * together, unless that is more than the PMU holds. *passes, the caller's to free, has the pass of each group, counted from 0, or PASS_ALL
 * for one that needs no counter of the PMU; *n is how many passes there are, 1 at least. What the
 * kernel refuses is marked in its opening. o is then ready to open one pass after the other. 0 or
 * -ENOMEM.
 */
int passes_find(struct opener *o, const size_t *units, size_t **passes, size_t *n);

#endif
