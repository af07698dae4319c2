/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clocks of cgroups that go right. The kernel keeps the time of a cgroup on a CPU while an event of it is
 * switched on there. The first one that is switched on again gets all that has passed meanwhile as time
 * enabled, sometimes as time running too (Linux 6.18, and whatever counts; perf_cgroup_info.active in
 * kernel/events/core.c is left set when the last event goes). So another event, which counts nothing, is
 * switched on before, and stays on.
 */
#ifndef PSTAT_COUNT_CGROUP_CLOCKS_H
#define PSTAT_COUNT_CGROUP_CLOCKS_H

#include "count/counters.h"
#include "count/target.h"

/*
 * Have one for each cgroup of the target on the CPU of each of its spots first … first + n - 1, until the
 * counters are closed. One that the kernel does not give is done without. 0 or -ENOMEM.
 */
int cgroup_clocks_start(struct counters *c, const struct target *target, size_t first, size_t n);

#endif
