/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of CPUs as the kernel and people write them, "0-3,7" (cpuset(7), "List format"), and the
 * lists of this machine's CPUs (kernel: Documentation/admin-guide/cputopology.rst).
 */
#ifndef PSTAT_MACHINE_CPULIST_H
#define PSTAT_MACHINE_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/machine.h"

struct str;
struct why;

/*
 * The highest CPU number of a list. It is higher than any Linux kernel supports (CONFIG_NR_CPUS);
 * the limit keeps a typing error from using a lot of time and memory.
 */
enum { CPULIST_MAX = (1 << 14) - 1 };

/* All zero is a valid empty list. */
struct cpulist {
	int *v; /* owned; sorted, without duplicates */
	size_t n, size;
};

/* Append the CPUs of text. 0; -EINVAL: text is not a list of CPUs; -ENOMEM. */
int cpulist_parse(struct cpulist *list, const char *text);

/*
 * cpulist_parse() for a list that the user wrote: why explains -EINVAL, with the position in text.
 */
int cpulist_parse_user(struct cpulist *list, const char *text, struct why *why);

/*
 * Append the online CPUs. Without sysfs (a container may hide it), and on this machine only, they
 * are the CPUs from 0 on, as many as sysconf(3) counts. 0; -ENOENT: the root does not have the
 * file; -EINVAL: the file is not a list; another -errno.
 */
int cpulist_online(const struct machine *m, struct cpulist *list);

/* Append the present CPUs, online or offline. 0 or -errno as for cpulist_online(). */
int cpulist_present(const struct machine *m, struct cpulist *list);

bool cpulist_has(const struct cpulist *list, int cpu);

/* Append the list in the form that cpulist_parse() reads, "0-3,7". 0 or -ENOMEM. */
int cpulist_format(const struct cpulist *list, struct str *out);

void cpulist_release(struct cpulist *list);

#endif
