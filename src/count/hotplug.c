/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/hotplug.h"
#include "count/kernel.h"
#include "machine/cpulist.h"

static int open_probe(int cpu)
{
	const struct perf_event_attr nothing = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(nothing),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
	};

	return kernel_open(&nothing, -1, cpu, -1, 0);
}

/* How long the probe was enabled. Whether it is alive: that has grown. */
static bool is_alive(struct probe *probe)
{
	uint64_t values[2];
	bool grown;

	if (kernel_read(probe->fd, values, sizeof(values)) != (ssize_t)sizeof(values))
		return false;
	grown = values[1] > probe->enabled_ns;
	probe->enabled_ns = values[1];
	return grown;
}

/* A probe for the CPU, in its place in the order; *index is where. */
static int add(struct hotplug *h, size_t index, int cpu)
{
	if (array_grow(&h->probes, h->n, &h->size, sizeof(*h->probes)) < 0)
		return -ENOMEM;
	memmove(&h->probes[index + 1], &h->probes[index], (h->n - index) * sizeof(*h->probes));
	h->probes[index] = (struct probe){ .cpu = cpu, .fd = -1 };
	h->n++;
	return 0;
}

static int compare_probes(const void *a, const void *b)
{
	const struct probe *left = a, *right = b;

	return left->cpu - right->cpu;
}

int hotplug_open(struct hotplug *h, const struct machine *m, const int *cpus, size_t n, bool all)
{
	*h = (struct hotplug){ .machine = m, .all = all };
	for (size_t i = 0; i < n; i++) {
		int fd = open_probe(cpus[i]);

		if (fd < 0 && fd != -ENODEV) /* it has just gone */
			break;
		if (add(h, i, cpus[i]) < 0) {
			if (fd >= 0)
				close(fd);
			return -ENOMEM;
		}
		h->probes[i].fd = fd < 0 ? -1 : fd;
	}
	if (h->n < n) {
		hotplug_release(h);
		return 0;
	}
	qsort(h->probes, n, sizeof(*h->probes), compare_probes);
	return cpulist_online(m, &h->online) == -ENOMEM ? -ENOMEM : 0;
}

static int see_gone(struct probe *probe, const struct cpulist *online, hotplug_tell *tell,
		    void *data)
{
	bool is_online = cpulist_has(online, probe->cpu);

	if (probe->fd < 0 || (is_alive(probe) && is_online))
		return 0;
	close(take_fd(&probe->fd));
	probe->enabled_ns = 0;
	return tell(probe->cpu, HOTPLUG_GONE, data);
}

static int see_online(struct hotplug *h, size_t index, int cpu, hotplug_tell *tell, void *data)
{
	struct probe *probe;

	if (index == h->n || h->probes[index].cpu != cpu) {
		if (!h->all)
			return 0;
		if (add(h, index, cpu) < 0)
			return -ENOMEM;
	}
	probe = &h->probes[index];
	if (probe->fd >= 0)
		return 0;
	probe->fd = open_probe(cpu);
	h->waits |= probe->fd < 0;
	return probe->fd < 0 ? 0 : tell(cpu, HOTPLUG_CAME, data);
}

static int look(struct hotplug *h, const struct cpulist *online, hotplug_tell *tell, void *data)
{
	size_t index = 0;
	int err = 0;

	for (size_t i = 0; err == 0 && i < h->n; i++)
		err = see_gone(&h->probes[i], online, tell, data);
	for (size_t i = 0; err == 0 && i < online->n; i++) {
		while (index < h->n && h->probes[index].cpu < online->v[i])
			index++;
		err = see_online(h, index, online->v[i], tell, data);
	}
	return err;
}

int hotplug_check(struct hotplug *h, hotplug_tell *tell, void *data)
{
	struct cpulist online = { 0 };
	bool as_before;

	if (h->n == 0 || cpulist_online(h->machine, &online) < 0)
		return 0;
	as_before = online.n == h->online.n &&
		    memcmp(online.v, h->online.v, online.n * sizeof(*online.v)) == 0;
	cpulist_release(&h->online);
	h->online = online;
	if (as_before && !h->waits && ++h->checks < HOTPLUG_ROUND)
		return 0;
	h->checks = 0;
	h->waits = false;
	return look(h, &h->online, tell, data);
}

void hotplug_release(struct hotplug *h)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->probes[i].fd >= 0)
			close(h->probes[i].fd);
	free(h->probes);
	cpulist_release(&h->online);
	*h = (struct hotplug){ 0 };
}
