/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about the machine: its CPUs, the kernel settings that restrict counting, and whether it is
 * virtual. Results of machines that differ in these facts may not be comparable.
 */
#ifndef PSTAT_MACHINE_HOST_H
#define PSTAT_MACHINE_HOST_H

#include <stdbool.h>

#include "machine/machine.h"

struct perf_object;
struct str_list;

/*
 * The CPU model as in /proc/cpuinfo: "model name" on x86, "cpu" on POWER, the machine type on s390.
 * arm64 has numbers, "implementer 0x41 part 0xd0c"; each kind of core is listed once. The caller
 * frees *model. 0; -ENOENT: the file does not name a model; another -errno.
 */
int host_cpu_model(const struct machine *m, char **model);

/* arm64: the MIDR, a hexadecimal number. */
#define HOST_MIDR "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"

/*
 * The model of the CPU as perf identifies it: "GenuineIntel-6-8F-4" (vendor, family, model and
 * stepping, the last two in hexadecimal), or the MIDR of arm64 without variant and revision. The
 * caller frees it. NULL: it is unknown, or there is no memory.
 */
char *host_cpu_id(const struct machine *m);

/* Read perf's tables of this CPU, if they are installed and were not read before. If they cannot be
 * read, m->tables->trouble has the reason. */
void host_complete_tables(const struct machine *m);

/*
 * Whether an object of perf's tables is for this machine. False if the object has a Compat, and no
 * PMU of its Unit has a matching identifier, or on an error.
 */
bool host_suits_object(const struct machine *m, const struct perf_object *object);

/* The frequency of the time stamp counter of x86 in Hz, as perf finds it: from CPUID leaf 15H of
 * this machine, or from the name of the model. 0: it is unknown. */
double host_tsc_hz(const struct machine *m);

/*
 * Append the CPU frequency governors, each once (kernel: admin-guide/pm/cpufreq.rst). There are
 * none if the kernel does not control the frequency. 0 or -ENOMEM.
 */
int host_cpu_governors(const struct machine *m, struct str_list *list);

/*
 * Whether CPUs may exceed their nominal frequency (no_turbo of intel_pstate, boost of cpufreq). 0;
 * -ENOENT: unknown.
 */
int host_cpu_turbo(const struct machine *m, bool *on);

/*
 * kernel.perf_event_paranoid, -1 … 4 (Documentation/admin-guide/sysctl/kernel.rst; Debian and other
 * distributions added 3 and 4). 0; -ENOENT: the kernel has no perf events.
 */
int host_paranoid(const struct machine *m, int *level);

/*
 * Whether the kernel has the capability: whether its number is at most that of the kernel's last
 * one. True if that is unknown. The version of the kernel would be less exact, because
 * distributions add capabilities to older kernels.
 */
bool host_knows_capability(const struct machine *m, int capability);

/* kernel.randomize_va_space: 0 off, 1 without the heap, 2 everything. 0 or -errno. */
int host_aslr(const struct machine *m, int *level);

/*
 * Whether the NMI watchdog is on and may occupy a hardware counter. It usually does so on x86,
 * whose core PMU is cpu or cpu_core. On arm64, and since Linux 6.5 with some configurations of x86,
 * the CPUs watch each other, without a counter.
 */
bool host_nmi_watchdog(const struct machine *m);

/*
 * "a virtual machine (KVM)", "a container" and so on: a static string. NULL if pstat finds no sign
 * of virtualization.
 */
const char *host_virtualization(const struct machine *m);

#endif
