/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same as perf (tools/perf/util/cpumap.c, aggr_cpu_id__*(); caches: builtin-stat.c, since 6.5),
 * except for unknown values. perf 6.1 treats a socket of -1 as no place, and shows all cores of the
 * machine as one "S-1-D-1-C-1". It also shows "N-1" if the kernel has no NUMA nodes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "machine/topology.h"

static const struct cpu_place nowhere = {
	.cpu = -1,
	.socket = -1,
	.die = -1,
	.cluster = -1,
	.core = -1,
	.node = -1,
	.cache_level = -1,
	.cache_id = -1,
};

/* The file is missing, is in place of a folder, or belongs to a CPU that just went offline. */
static bool topology_is_absent(int err)
{
	return err == -ENOENT || err == -ENOTDIR || err == -ENODEV;
}

static int topology_read_ids(const struct machine *m, unsigned int needs, struct cpu_place *place)
{
	const struct {
		enum topology_need need;
		const char *file;
		int unknown; /* the value if the file is missing or has -1 */
		int *id;
	} ids[] = {
		{ TOPOLOGY_SOCKET, "physical_package_id", 0, &place->socket },
		{ TOPOLOGY_DIE, "die_id", 0, &place->die },
		{ TOPOLOGY_CLUSTER, "cluster_id", 0, &place->cluster },
		{ TOPOLOGY_CORE, "core_id", -1, &place->core },
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		int err;

		if (!(needs & ids[i].need))
			continue;
		err = machine_read_int(m, ids[i].id, "/sys/devices/system/cpu/cpu%d/topology/%s",
				       place->cpu, ids[i].file);
		if (err < 0 && !topology_is_absent(err))
			return err;
		if (err < 0 || *ids[i].id < 0)
			*ids[i].id = ids[i].unknown;
	}
	return 0;
}

/* Find the cache of the wanted level (0: the last level). *cache: the N of its indexN; -1: none. */
static int topology_find_cache(const struct machine *m, int wanted, const struct cpu_place *place,
			       int *cache, int *found)
{
	*cache = -1;
	for (int i = 0;; i++) {
		cleanup_free char *type = NULL;
		int level;
		int err = machine_read_int(m, &level,
					   "/sys/devices/system/cpu/cpu%d/cache/index%d/level",
					   place->cpu, i);

		if (topology_is_absent(err))
			return 0;
		if (err < 0)
			return err;
		if (*cache >= 0 && level <= *found)
			continue;
		if (wanted && level != wanted)
			continue;
		/* an instruction cache has the same level as a data cache */
		if (machine_read(m, &type, "/sys/devices/system/cpu/cpu%d/cache/index%d/type",
				 place->cpu, i) == 0 &&
		    strcmp(type, "Instruction") == 0)
			continue;
		*cache = i;
		*found = level;
	}
}

/*
 * A cache is identified by the lowest CPU that shares it, as in perf. Some machines have no id
 * file, and an id is only unique for one level and type.
 */
static int topology_read_cache(const struct machine *m, int wanted, struct cpu_place *place)
{
	cleanup_with(cpulist_release) struct cpulist sharing = { 0 };
	cleanup_free char *text = NULL;
	int cache = -1, level = -1;
	int err = topology_find_cache(m, wanted, place, &cache, &level);

	place->cache_level = wanted ? wanted : -1;
	if (err < 0 || cache < 0)
		return err;
	place->cache_level = level;
	place->cache_id = place->cpu;
	err = machine_read(m, &text, "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list",
			   place->cpu, cache);
	if (topology_is_absent(err) || (err == 0 && *text == '\0'))
		return 0;
	if (err == 0)
		err = cpulist_parse(&sharing, text);
	if (err == 0)
		place->cache_id = sharing.v[0];
	return err;
}

static int topology_compare_cpu(const void *key, const void *place)
{
	return *(const int *)key - ((const struct cpu_place *)place)->cpu;
}

/*
 * Set the node of each place. The places are sorted by CPU. Going from the nodes to the CPUs reads
 * each list only once.
 */
static int topology_read_nodes(const struct machine *m, struct cpu_place *places, size_t n)
{
	cleanup_str_list struct str_list names = { 0 };
	int err = machine_list(m, &names, "/sys/devices/system/node");
	bool any = false;

	if (err < 0 && !topology_is_absent(err))
		return err;
	for (size_t i = 0; i < names.n; i++) {
		bool is_node = strncmp(names.v[i], "node", strlen("node")) == 0;
		const char *number = is_node ? names.v[i] + strlen("node") : "";
		cleanup_with(cpulist_release) struct cpulist cpus = { 0 };
		cleanup_free char *text = NULL;
		uint64_t node;

		if (num_parse(number, strlen(number), &node) < 0 || node > CPULIST_MAX)
			continue;
		any = true;
		err = machine_read(m, &text, "/sys/devices/system/node/%s/cpulist", names.v[i]);
		if (topology_is_absent(err) ||
		    (err == 0 && *text == '\0')) /* a node without CPUs */
			continue;
		if (err == 0)
			err = cpulist_parse(&cpus, text);
		if (err < 0)
			return err;
		for (size_t k = 0; k < cpus.n; k++) {
			struct cpu_place *place = bsearch(&cpus.v[k], places, n, sizeof(*places),
							  topology_compare_cpu);

			if (place)
				place->node = (int)node;
		}
	}
	for (size_t i = 0; i < n && !any; i++)
		places[i].node = 0;
	return 0;
}

int topology_read(const struct machine *m, const struct cpulist *cpus, unsigned int needs,
		  int cache_level, struct cpu_place **places)
{
	cleanup_free struct cpu_place *found = calloc(cpus->n ? cpus->n : 1, sizeof(*found));

	if (!found)
		return -ENOMEM;
	/* cores, clusters and caches are numbered within a die, dies within a socket */
	if (needs & (TOPOLOGY_CORE | TOPOLOGY_CLUSTER | TOPOLOGY_CACHE))
		needs |= TOPOLOGY_DIE;
	if (needs & TOPOLOGY_DIE)
		needs |= TOPOLOGY_SOCKET;
	for (size_t i = 0; i < cpus->n; i++) {
		int err;

		found[i] = nowhere;
		found[i].cpu = cpus->v[i];
		err = topology_read_ids(m, needs, &found[i]);
		if (err == 0 && (needs & TOPOLOGY_CACHE))
			err = topology_read_cache(m, cache_level, &found[i]);
		if (err < 0)
			return err;
	}
	if (needs & TOPOLOGY_NODE) {
		int err = topology_read_nodes(m, found, cpus->n);

		if (err < 0)
			return err;
	}
	*places = take_ptr(found);
	return 0;
}

int topology_label(enum topology_need split, const struct cpu_place *place, struct str *out)
{
	if (split == TOPOLOGY_NODE)
		str_addf(out, "N%d", place->node);
	else
		str_addf(out, "S%d", place->socket);
	if (split & (TOPOLOGY_DIE | TOPOLOGY_CLUSTER | TOPOLOGY_CORE | TOPOLOGY_CACHE))
		str_addf(out, "-D%d", place->die);
	if (split == TOPOLOGY_CLUSTER)
		str_addf(out, "-CLS%d", place->cluster);
	if (split == TOPOLOGY_CORE)
		str_addf(out, "-C%d", place->core);
	if (split == TOPOLOGY_CACHE)
		str_addf(out, "-L%d-ID%d", place->cache_level, place->cache_id);
	return out->failed ? -ENOMEM : 0;
}

/* No number is below -1, so no difference overflows. */
int topology_compare(enum topology_need split, const struct cpu_place *a, const struct cpu_place *b)
{
	int difference = a->socket - b->socket;

	if (split == TOPOLOGY_NODE)
		return a->node - b->node;
	if (difference == 0 && split != TOPOLOGY_SOCKET)
		difference = a->die - b->die;
	if (difference == 0 && split == TOPOLOGY_CLUSTER)
		difference = a->cluster - b->cluster;
	if (difference == 0 && split == TOPOLOGY_CORE)
		difference = a->core - b->core;
	if (difference == 0 && split == TOPOLOGY_CACHE)
		difference = a->cache_level - b->cache_level;
	if (difference == 0 && split == TOPOLOGY_CACHE)
		difference = a->cache_id - b->cache_id;
	return difference;
}
