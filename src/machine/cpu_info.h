/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the CPUs are and how fast they are let run: what a result has to be compared with in mind. */
#ifndef PSTAT_MACHINE_CPU_INFO_H
#define PSTAT_MACHINE_CPU_INFO_H

#include <stdbool.h>

#include "machine/machine.h"

struct str_list;

/*
 * The model in the words of /proc/cpuinfo: x86 "model name", POWER "cpu", s390 the machine type; arm64
 * has numbers, "implementer 0x41 part 0xd0c", each that there is once. *model is the caller's to free.
 * 0; -ENOENT: it is not told; other -errno.
 */
int cpu_info_model(const struct machine *m, char **model);

/* Append the governors of the CPUs' frequency (kernel: admin-guide/pm/cpufreq.rst), each once: none
 * where the kernel has no say in it. 0 or -ENOMEM. */
int cpu_info_governors(const struct machine *m, struct str_list *list);

/* Whether CPUs may go above their nominal frequency (intel_pstate's no_turbo, cpufreq's boost). 0;
 * -ENOENT: it is not told. */
int cpu_info_turbo(const struct machine *m, bool *on);

#endif
