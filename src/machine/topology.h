/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The socket, die, cluster, core, cache and NUMA node of each CPU, from sysfs (kernel:
 * Documentation/admin-guide/cputopology.rst, ABI/testing/sysfs-devices-system-cpu,
 * ABI/stable/sysfs-devices-node), and perf's names for them.
 */
#ifndef PSTAT_MACHINE_TOPOLOGY_H
#define PSTAT_MACHINE_TOPOLOGY_H

#include <stdbool.h>

#include "machine/cpulist.h"
#include "machine/machine.h"

struct str;

/* The members that topology_read() did not have to read are -1. */
struct cpu_place {
	int cpu;
	int socket; /* 0 if unknown or -1, for example in POWER partitions */
	int die, cluster; /* 0 if unknown or -1 */
	int core; /* -1 if unknown, for example of an offline CPU */
	int node; /* 0 if the kernel has no nodes; -1: this CPU is not in a node */
	int cache_level; /* 1 …; without such a cache, the requested level or -1 */
	int cache_id; /* the lowest CPU that shares the cache; -1: no such cache */
};

/*
 * Ways to split a machine into places. They determine the files that are read.
 */
enum topology_need {
	TOPOLOGY_SOCKET = 1 << 0,
	TOPOLOGY_DIE = 1 << 1,
	TOPOLOGY_CLUSTER = 1 << 2,
	TOPOLOGY_CORE = 1 << 3,
	TOPOLOGY_CACHE = 1 << 4,
	TOPOLOGY_NODE = 1 << 5,
};

/*
 * Find the places of cpus, in the same order. *places is an array of cpus->n elements; the caller
 * frees it. needs: an OR of enum topology_need. cache_level: 1 …, or 0 for the last level of each
 * CPU. Missing files are not an error; struct cpu_place documents the values. The time is linear in
 * the number of CPUs. 0; -EINVAL: a file does not hold a number or list; another -errno.
 */
int topology_read(const struct machine *m, const struct cpulist *cpus, unsigned int needs,
		  int cache_level, struct cpu_place **places);

/*
 * Append perf's name of the place: "S0", "S0-D0", "S0-D0-CLS0", "S0-D0-C0", "S0-D0-L3-ID0" or "N0".
 * split: one of the needs of topology_read(). 0 or -ENOMEM.
 */
int topology_label(enum topology_need split, const struct cpu_place *place, struct str *out);

/*
 * Compare in the order of perf, for qsort(3): by socket, die, then cluster, cache or core; or by
 * node. The result is 0 if the places differ only in members that split does not use.
 */
int topology_compare(enum topology_need split, const struct cpu_place *a,
		     const struct cpu_place *b);

#endif
