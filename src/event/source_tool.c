/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pstat measures itself: the clock around a run, and what wait4(2) says of it. */
#include <errno.h>

#include "event/source.h"

static const struct {
	const char *name;
	enum tool_event tool;
	const char *unit;
	const char *description;
} events[] = {
	{ "duration_time", TOOL_DURATION_TIME, "ns",
	  "from before the exec to the end of the command" },
	{ "user_time", TOOL_USER_TIME, "ns", "CPU time in user mode" },
	{ "system_time", TOOL_SYSTEM_TIME, "ns", "CPU time in the kernel" },
	{ "max_rss", TOOL_MAX_RSS, "KiB", "largest resident set of one process" },
	{ "minor_faults_rusage", TOOL_MINOR_FAULTS, "", "page faults without disk" },
	{ "major_faults_rusage", TOOL_MAJOR_FAULTS, "", "page faults that read the disk" },
	{ "voluntary_switches", TOOL_VOLUNTARY_SWITCHES, "", "context switches to wait" },
	{ "involuntary_switches", TOOL_INVOLUNTARY_SWITCHES, "", "context switches by preemption" },
	{ "in_block", TOOL_IN_BLOCK, "", "reads of the disk" },
	{ "out_block", TOOL_OUT_BLOCK, "", "writes to the disk" },
};

enum { EVENTS_N = sizeof(events) / sizeof(events[0]) };

static int tool_resolve(const struct machine *m, const struct event_spec *spec,
			struct event_list *out, struct why *why)
{
	size_t first = out->n;
	struct event *event;
	size_t i = 0;

	(void)m;
	while (i < EVENTS_N && !spec_word_is(&spec->words[0], events[i].name))
		i++;
	if (i == EVENTS_N)
		return -ENOENT;
	event = event_list_add(out, source_tool.name, "tool");
	if (!event)
		return -ENOMEM;
	event->tool = events[i].tool;
	if (event_set_unit(event, events[i].unit, 1) < 0)
		return -ENOMEM;
	return source_apply_modifiers(spec, out, first, why);
}

static int tool_list(const struct machine *m, enum list_scope scope, event_visit *visit, void *data)
{
	(void)m;
	(void)scope;
	for (size_t i = 0; i < EVENTS_N; i++) {
		const struct event_info info = { events[i].name, source_tool.name, "tool",
						 events[i].description, true };
		int stop = visit(&info, data);

		if (stop)
			return stop;
	}
	return 0;
}

const struct event_source source_tool = {
	.name = "tool",
	.forms = FORM(SPEC_NAME),
	.resolve = tool_resolve,
	.list = tool_list,
};
