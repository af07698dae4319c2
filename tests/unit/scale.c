/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "count/run_readings.h"
#include "event/resolve.h"
#include "format/format.h"
#include "unit/fake_kernel.h"
#include "unit/scale.h"
#include "unit/test.h"
#include "unit/tree.h"

const char scale_singles[] = "cpu-clock,cs,migrations,faults,cycles,instructions,branches,"
			     "branch-misses,r1,r2,r3,r4,r5,r6,r7,r8";
const char scale_groups[] = "{cpu-clock,cs,migrations,faults},{cycles,instructions,branches,"
			    "branch-misses},{r1,r2,r3,r4},{r5,r6,r7,r8}";

static void add_number(const char *root, int cpu, const char *name, int number)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
	snprintf(text, sizeof(text), "%d\n", number);
	tree_add(root, path, text);
}

void scale_make_machine(struct scale *s, int n)
{
	char list[32];

	*s = (struct scale){ .machine = { .root = tree_new() } };
	snprintf(list, sizeof(list), "0-%d\n", n - 1);
	tree_add(s->machine.root, "sys/devices/system/cpu/online", list);
	tree_add(s->machine.root, "sys/devices/system/cpu/present", list);
	for (int cpu = 0; cpu < n; cpu++) {
		add_number(s->machine.root, cpu, "physical_package_id", cpu / CPUS_PER_SOCKET);
		add_number(s->machine.root, cpu, "die_id", 0);
		add_number(s->machine.root, cpu, "core_id", cpu % CPUS_PER_SOCKET / 2);
	}
}

void scale_remove_machine(struct scale *s)
{
	tree_remove(s->machine.root);
}

void scale_find_cpus(struct scale *s, enum place_kind split)
{
	const struct target_request request = { .all_cpus = true, .split = split };
	cleanup_why struct why why = { 0 };
	int err = target_init(&s->target, &s->machine, &request, &why);

	if (err < 0)
		fail_msg("%s", why_text(&why, err));
}

void scale_open(struct scale *s, const char *events)
{
	const struct session_setup setup = {
		.machine = &s->machine,
		.events = &s->events,
		.target = &s->target,
		.inherit = COUNTER_ALL_TASKS,
		.perf_scaling = true, /* no trial: only the counters are open */
	};
	cleanup_why struct why why = { 0 };
	int err = resolve_events(&s->machine, RESOLVE_BY_ALL, events, &s->events, &why);

	if (err == 0)
		err = session_open(&s->session, &setup, &why);
	if (err < 0)
		fail_msg("%s", why_text(&why, err));
	s->before = calloc(s->session.rows_n, sizeof(*s->before));
	s->after = calloc(s->session.rows_n, sizeof(*s->after));
	s->run.readings = calloc(s->session.rows_n, sizeof(*s->run.readings));
	assert_true(s->before && s->after && s->run.readings);
}

void scale_switch(struct scale *s, bool on)
{
	counters_switch(&s->session.counters, on ? KERNEL_ON : KERNEL_OFF);
}

void scale_read(struct scale *s, struct reading *readings)
{
	counters_read(&s->session.counters, readings);
}

void scale_aggregate(struct scale *s)
{
	s->series = (struct series){
		.subject = "'system wide'",
		.events = &s->events,
		.openings = s->session.openings,
		.places = s->target.places,
		.rows = s->session.rows,
		.rows_n = s->session.rows_n,
		.split = s->target.split,
		.runs = &s->run,
		.runs_n = 1,
		.cgroups_n = 1,
		.cpus = (double)s->target.scopes_n,
	};

	s->run.tool[TOOL_DURATION_TIME] = SCALE_NS;
	run_readings_fill(&s->session, TOOLS_CLOCK_ONLY, s->before, s->after, &s->run);
	assert_int_equal(table_build(&s->result, &s->series, NULL), 0);
}

void scale_format(struct scale *s, const struct format *format, FILE *out)
{
	const struct format_style style = { .numbers = num_plain, .separator = "," };

	assert_int_equal(format->write(&s->result, &style, out), 0);
}

void scale_close(struct scale *s)
{
	table_release(&s->result);
	run_release(&s->run);
	free(s->before);
	free(s->after);
	session_close(&s->session);
	target_release(&s->target);
	event_list_release(&s->events);
}
