/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events the PMU can count together, for --no-multiplex. This is found by trial: no table
 * says how many counters the kernel, a hypervisor or the NMI watchdog has left.
 */
#ifndef PSTAT_COUNT_PASSES_H
#define PSTAT_COUNT_PASSES_H

#include <stddef.h>

#include "count/opener.h"

/*
 * Distribute the groups over passes with the first-fit algorithm. units: groups with the same
 * number are counted in one pass, unless the PMU cannot hold them. *passes has the pass of each
 * group, from 0, or PASS_ALL if the group does not need a counter of the PMU. The caller frees
 * *passes. *n is the number of passes, at least 1. The opening of each refused event gets the
 * reason. Afterwards, o->pass selects the pass that opener_open() opens. 0 or -ENOMEM.
 */
int passes_find(struct opener *o, const size_t *units, size_t **passes, size_t *n);

#endif
