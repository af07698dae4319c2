/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands between a user and counting: settings of the kernel, and what kind of machine it is. */
#ifndef PSTAT_MACHINE_LIMITS_H
#define PSTAT_MACHINE_LIMITS_H

#include <stdbool.h>

#include "machine/machine.h"

/*
 * kernel.perf_event_paranoid, -1 … 4 (Documentation/admin-guide/sysctl/kernel.rst; 3 and 4 are
 * Debian's and other distributions' additions). 0; -ENOENT: a kernel without perf events.
 */
int machine_paranoid(const struct machine *m, int *level);

/* kernel.randomize_va_space: 0 off, 1 without the heap, 2 all. 0 or -errno. */
int machine_aslr(const struct machine *m, int *level);

/* Whether the kernel knows the capability, by the number of its last one; true if that is unknown. More
 * exact than the kernel's version, because distributions add capabilities to older kernels. */
bool machine_knows_capability(const struct machine *m, int capability);

/* Whether the NMI watchdog is on: on x86 it holds one hardware counter. */
bool machine_nmi_watchdog(const struct machine *m);

/*
 * "a virtual machine (KVM)" and the like, or "a container", where this runs in one; NULL where
 * nothing says so. A static string.
 */
const char *machine_virtualization(const struct machine *m);

#endif
