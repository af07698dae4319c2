/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/samples.h"

/*
 * Without time there is no count, but for one whose clock the kernel has not switched on with it: that of
 * a cgroup on a CPU now and then (seen in Linux 6.18).
 */
static bool never_ran(const struct event *event, const struct counts *counts)
{
	if (counts->running_ns > 0)
		return false;
	return event->snapshot || counts->enabled_ns > 0 || counts->raw == 0;
}

static struct sample difference(const struct event *event, const struct sample *before,
				const struct sample *after)
{
	struct sample sample = { .state = FAILED };

	if (before->state == FAILED || after->state == FAILED)
		return sample;
	sample.counts.raw = after->counts.raw - (event->snapshot ? 0 : before->counts.raw);
	sample.counts.enabled_ns = after->counts.enabled_ns - before->counts.enabled_ns;
	sample.counts.running_ns = after->counts.running_ns - before->counts.running_ns;
	sample.state = sample.counts.running_ns < sample.counts.enabled_ns ? SCALED : COUNTED;
	if (never_ran(event, &sample.counts)) {
		sample.state = NOT_COUNTED;
		sample.counts.raw = 0;
	}
	return sample;
}

/* As perf does, the time that a clock of the tool's own has run is the time it shows. */
static bool is_clock(enum tool_event tool)
{
	return tool == TOOL_DURATION_TIME || tool == TOOL_USER_TIME || tool == TOOL_SYSTEM_TIME;
}

static struct sample tool_sample(enum tool_event tool, const struct run *run)
{
	uint64_t value = run->tool[tool];
	uint64_t ran_ns = is_clock(tool) ? value : run->tool[TOOL_DURATION_TIME];

	return (struct sample){ COUNTED, { value, ran_ns, ran_ns } };
}

static bool is_in_other_pass(const struct session *s, size_t event)
{
	size_t pass;

	if (!s->passes)
		return false;
	pass = s->passes[event_list_group_of(s->setup.events, event)];
	return pass != s->opener.pass && pass != PASS_ALL;
}

void samples_finish(const struct session *s, enum tools_known tools, const struct sample *before,
		    const struct sample *after, struct run *run)
{
	for (size_t i = 0; i < s->rows_n; i++) {
		size_t index = s->rows[i].event;
		const struct event *event = &s->setup.events->events[index];
		struct sample *sample = &run->samples[i];
		bool known = tools == TOOLS_ALL || event->tool == TOOL_DURATION_TIME;

		if (s->openings[index].refused)
			*sample = (struct sample){ .state = NOT_SUPPORTED };
		else if (event->tool != TOOL_NONE)
			*sample = known ? tool_sample(event->tool, run) :
					  (struct sample){ .state = NOT_COUNTED };
		else if (is_in_other_pass(s, index))
			*sample = (struct sample){ .state = ELSEWHERE };
		else
			*sample = difference(event, &before[i], &after[i]);
	}
}

void samples_limit_times(const struct session *s, uint64_t elapsed_ns, struct run *run)
{
	if (s->setup.target->cgroups_n == 0)
		return;
	for (size_t i = 0; i < s->rows_n; i++) {
		struct sample *sample = &run->samples[i];
		struct counts *counts = &sample->counts;
		uint64_t most_ns = s->rows[i].counters * elapsed_ns;

		if (most_ns == 0 || counts->enabled_ns <= most_ns)
			continue;
		counts->enabled_ns = most_ns;
		if (counts->running_ns >= most_ns) {
			counts->running_ns = most_ns;
			sample->state = COUNTED;
		}
	}
}
