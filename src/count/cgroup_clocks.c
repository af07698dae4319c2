/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/str.h"
#include "count/cgroup_clocks.h"
#include "count/kernel.h"

int cgroup_clocks_start(struct counters *c, const struct target *target, size_t first, size_t n)
{
	const struct perf_event_attr nothing = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(nothing),
		.config = PERF_COUNT_SW_DUMMY,
	};

	for (size_t i = 0; i < target->cgroups_n; i++)
		for (size_t spot = first; spot < first + n; spot++) {
			if (array_grow(&c->clocks, c->clocks_n, &c->clocks_size,
				       sizeof(*c->clocks)) < 0)
				return -ENOMEM;
			c->clocks[c->clocks_n] =
				kernel_open(&nothing, target->cgroups[i].fd,
					    target->spots[spot].cpu, -1, PERF_FLAG_PID_CGROUP);
			c->clocks_n += c->clocks[c->clocks_n] >= 0;
		}
	return 0;
}
