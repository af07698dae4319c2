/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values that pstat measures itself: the elapsed time of a run, and the resources from wait4(2). */
#include <errno.h>

#include "base/str.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"

static const struct {
	const char *unit;
	const char *description;
	const char *aliases; /* as in struct event_info */
} events[TOOL_N] = {
	[TOOL_DURATION_TIME] = { "ns",
				 "the elapsed time from before the exec to the end of the command",
				 "elapsed-time wall-time wall-clock real-time" },
	[TOOL_USER_TIME] = { "ns", "CPU time in user mode", NULL },
	[TOOL_SYSTEM_TIME] = { "ns", "CPU time in the kernel", NULL },
	[TOOL_MAX_RSS] = { "KiB", "largest resident set of one process", "memory" },
	[TOOL_MINOR_FAULTS] = { "", "page faults without disk", NULL },
	[TOOL_MAJOR_FAULTS] = { "", "page faults that read the disk", NULL },
	[TOOL_VOLUNTARY_SWITCHES] = { "", "voluntary context switches", NULL },
	[TOOL_INVOLUNTARY_SWITCHES] = { "", "involuntary context switches", NULL },
	[TOOL_IN_BLOCK] = { "", "reads of the disk", NULL },
	[TOOL_OUT_BLOCK] = { "", "writes to the disk", NULL },
};

static int tool_resolve(const struct machine *m, const struct event_spec *spec,
			struct event_list *out, struct why *why)
{
	size_t first = out->n;
	struct event *event;
	enum tool_event i = TOOL_NONE + 1;

	(void)m;
	while (i < TOOL_N && !spec_word_is(&spec->words[0], event_tool_names[i]))
		i++;
	if (i == TOOL_N)
		return -ENOENT;
	if (spec->terms_n > 0)
		return why_at(why, -EINVAL, spec->terms[0].name.at, "'%s' takes no terms",
			      event_tool_names[i]);
	event = event_list_add(out, source_tool.name, "tool");
	if (!event)
		return -ENOMEM;
	event->tool = i;
	if (event_set_unit(event, events[i].unit, 1) < 0)
		return -ENOMEM;
	return modifiers_apply_spec(spec, out, first, why);
}

static int tool_list(const struct event_listing *l)
{
	for (enum tool_event i = TOOL_NONE + 1; i < TOOL_N; i++) {
		const struct event_info info = {
			.name = event_tool_names[i],
			.source = source_tool.name,
			.pmu = "tool",
			.description = events[i].description,
			.aliases = events[i].aliases,
			.present = true,
		};
		int stop = l->visit(&info, l->data);

		if (stop)
			return stop;
	}
	return 0;
}

static int tool_describe(const struct machine *m, const struct event *event, struct str *out)
{
	(void)m;
	str_add(out, events[event->tool].description);
	return 0;
}

const struct event_source source_tool = {
	.name = "tool",
	.forms = FORM(SPEC_NAME) | FORM(SPEC_PMU),
	.resolve = tool_resolve,
	.list = tool_list,
	.describe = tool_describe,
};
