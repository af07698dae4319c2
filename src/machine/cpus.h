/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs that a machine has, and those of them that run (kernel: Documentation/admin-guide/
 * cputopology.rst).
 */
#ifndef PSTAT_MACHINE_CPUS_H
#define PSTAT_MACHINE_CPUS_H

#include "machine/cpulist.h"
#include "machine/machine.h"

/*
 * Append the CPUs that are online. Where sysfs is not there (a container may hide it) they are taken
 * to be those from 0 on, as many as sysconf(3) counts: on this machine alone. 0; -ENOENT: the root
 * does not say; -EINVAL: it says what is no list; other -errno.
 */
int cpus_online(const struct machine *m, struct cpulist *list);

/* Append the CPUs that are there, online or not. 0 or -errno, as of cpus_online(). */
int cpus_present(const struct machine *m, struct cpulist *list);

#endif
