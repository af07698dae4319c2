/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <unistd.h>

#include "count/counters.h"
#include "count/kernel.h"

/* A row has a counter on each of the CPUs it is counted on: their sum. */
static void add_to_sample(struct sample *samples, const struct counter *counter, uint64_t value,
			  uint64_t enabled_ns, uint64_t running_ns)
{
	struct sample *sample = &samples[counter->row];

	sample->counts.raw += value;
	sample->counts.enabled_ns += enabled_ns;
	sample->counts.running_ns += running_ns;
}

/*
 * The kernel takes a CPU's groups apart when the CPU goes offline (perf_event_exit_cpu() in
 * kernel/events/core.c): each event then reads as a group of its own.
 */
static void read_detached(const struct counters *c, const struct counter_group *group,
			  struct sample *samples)
{
	for (size_t i = group->first; i < group->first + group->n; i++) {
		uint64_t values[COUNTERS_VALUES_OF_GROUP(1)];
		ssize_t n = kernel_read(c->v[i].fd, values, sizeof(values));

		if (n == (ssize_t)sizeof(values) && values[0] == 1)
			add_to_sample(samples, &c->v[i], values[3], values[1], values[2]);
		else
			samples[c->v[i].row].state = FAILED;
	}
}

/* perf_event_open(2), PERF_FORMAT_GROUP */
static void read_together(const struct counters *c, const struct counter_group *group,
			  struct sample *samples)
{
	uint64_t *values = c->values;
	ssize_t size = (ssize_t)(COUNTERS_VALUES_OF_GROUP(group->n) * sizeof(*values));
	ssize_t n = kernel_read(c->v[group->first].fd, values, (size_t)size);

	if (n == (ssize_t)(COUNTERS_VALUES_OF_GROUP(1) * sizeof(*values)) && group->n > 1 &&
	    values[0] == 1) {
		read_detached(c, group, samples);
		return;
	}
	for (size_t i = 0; i < group->n; i++) {
		const struct counter *counter = &c->v[group->first + i];

		if (n == size && values[0] == group->n)
			add_to_sample(samples, counter, values[3 + 2 * i], values[1], values[2]);
		else
			samples[counter->row].state = FAILED;
	}
}

/* "value, time_enabled, time_running" */
static void read_apart(const struct counters *c, const struct counter_group *group,
		       struct sample *samples)
{
	for (size_t i = group->first; i < group->first + group->n; i++) {
		uint64_t values[3];

		if (kernel_read(c->v[i].fd, values, sizeof(values)) == (ssize_t)sizeof(values))
			add_to_sample(samples, &c->v[i], values[0], values[1], values[2]);
		else
			samples[c->v[i].row].state = FAILED;
	}
}

void counters_read(const struct counters *c, struct sample *samples)
{
	for (size_t i = 0; i < c->groups_n; i++)
		if (c->groups[i].one_read)
			read_together(c, &c->groups[i], samples);
		else
			read_apart(c, &c->groups[i], samples);
}

void counters_switch(const struct counters *c, bool on)
{
	for (size_t i = 0; i < c->groups_n; i++)
		kernel_switch(c->v[c->groups[i].first].fd, on);
}

void counters_cut(struct counters *c, size_t n, size_t groups_n)
{
	while (c->n > n)
		close(c->v[--c->n].fd);
	c->groups_n = groups_n;
}

void counters_close(struct counters *c)
{
	counters_cut(c, 0, 0);
	for (size_t i = 0; i < c->sentinels_n; i++)
		close(c->sentinels[i].fd);
	free(c->v);
	free(c->groups);
	free(c->sentinels);
	free(c->values);
	*c = (struct counters){ 0 };
}
