/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where each CPU is: its socket, die, cluster, core, cache and NUMA node, as sysfs tells (kernel:
 * Documentation/admin-guide/cputopology.rst, ABI/testing/sysfs-devices-system-cpu, ABI/stable/
 * sysfs-devices-node), and perf's names for these places.
 */
#ifndef PSTAT_MACHINE_TOPOLOGY_H
#define PSTAT_MACHINE_TOPOLOGY_H

#include <stdbool.h>

#include "machine/cpulist.h"
#include "machine/machine.h"

struct str;

/* What was not asked for is -1. */
struct cpu_place {
	int cpu;
	int socket; /* 0 where the kernel says nothing or -1, as on POWER's partitions */
	int die, cluster; /* 0 where the kernel says nothing or -1 */
	int core; /* -1 where the kernel says nothing, as of an offline CPU */
	int node; /* 0 where the kernel knows no nodes; -1: this CPU is in none of them */
	int cache_level; /* 1 …; where the CPU has no such cache the level that was asked for, or -1 */
	int cache_id; /* the lowest CPU that shares the cache; -1: the CPU has no such cache */
};

/* Ways to split a machine. One of them says which files are read: a core's place also has its
 * socket and die. */
enum topology_need {
	TOPOLOGY_SOCKET = 1 << 0,
	TOPOLOGY_DIE = 1 << 1,
	TOPOLOGY_CLUSTER = 1 << 2,
	TOPOLOGY_CORE = 1 << 3,
	TOPOLOGY_CACHE = 1 << 4,
	TOPOLOGY_NODE = 1 << 5,
};

/*
 * The places of cpus, in their order: *places is an array of cpus->n, the caller's to free. needs:
 * an OR of enum topology_need. cache_level: 1 …, or 0 for each CPU's last level. Files that are
 * missing are no error (struct cpu_place says what they count as). Time is linear in the number of
 * CPUs. 0; -EINVAL: sysfs holds what is no number or list; other -errno.
 */
int topology_read(const struct machine *m, const struct cpulist *cpus, unsigned int needs,
		  int cache_level, struct cpu_place **places);

/*
 * Append perf's name of the place: "S0", "S0-D0", "S0-D0-CLS0", "S0-D0-C0", "S0-D0-L3-ID0" or "N0".
 * split is one of enum topology_need, with which the place was read. 0 or -ENOMEM.
 */
int topology_label(enum topology_need split, const struct cpu_place *place, struct str *out);

/* Below, at or above 0, as qsort(3) wants it: perf's order, by socket, die, then cluster, cache or
 * core; by node. Places that differ only in what split leaves out are the same. */
int topology_compare(enum topology_need split, const struct cpu_place *a,
		     const struct cpu_place *b);

/* Whether two CPUs are in the same place, so that their counts are added up. */
bool topology_same(enum topology_need split, const struct cpu_place *a, const struct cpu_place *b);

#endif
