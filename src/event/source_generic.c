/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generic hardware events and the software events of the kernel (perf_event_open(2), "config"),
 * by all names that perf stat accepts.
 */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "event/modifier.h"
#include "event/source.h"
#include "machine/pmu.h"

static const struct {
	const char *names[2];
	enum perf_type_id type;
	__u64 config;
} events[] = {
	{ { "cycles", "cpu-cycles" }, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ { "instructions" }, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ { "cache-references" }, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ { "cache-misses" }, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ { "branches", "branch-instructions" },
	  PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ { "branch-misses" }, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ { "bus-cycles" }, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ { "stalled-cycles-frontend", "idle-cycles-frontend" },
	  PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ { "stalled-cycles-backend", "idle-cycles-backend" },
	  PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ { "ref-cycles" }, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ { "cpu-clock" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ { "task-clock" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ { "page-faults", "faults" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ { "context-switches", "cs" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ { "cpu-migrations", "migrations" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ { "minor-faults" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ { "major-faults" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ { "alignment-faults" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ { "emulation-faults" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ { "dummy" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ { "bpf-output" }, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT },
	{ { "cgroup-switches" }, PERF_TYPE_SOFTWARE, EVENT_SW_CGROUP_SWITCHES },
};

enum { EVENTS_N = sizeof(events) / sizeof(events[0]) };

static bool has_name(size_t i, const struct spec_word *word)
{
	return spec_word_is(word, events[i].names[0]) ||
	       (events[i].names[1] && spec_word_is(word, events[i].names[1]));
}

static size_t find_event(const struct spec_word *name)
{
	size_t i = 0;

	while (i < EVENTS_N && !has_name(i, name))
		i++;
	return i;
}

bool source_generic_hardware(const struct spec_word *name, struct perf_event_attr *attr)
{
	size_t i = find_event(name);

	if (i == EVENTS_N || events[i].type != PERF_TYPE_HARDWARE)
		return false;
	attr->type = events[i].type;
	attr->config = events[i].config;
	return true;
}

/* The clocks count nanoseconds. They are shown in milliseconds, as in perf. */
static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

char *source_generic_name(const char *pmu, const struct event_spec *spec)
{
	const struct spec_word *word = &spec->words[0];
	const struct spec_word modifiers = modifiers_of_spec(spec);
	char *name;

	return asprintf(&name, "%s/%.*s/%.*s", pmu, (int)word->len, word->text, (int)modifiers.len,
			modifiers.len ? modifiers.text : "") < 0 ?
		       NULL :
		       name;
}

static int add_on_pmu(const struct machine *m, const char *pmu, const struct event *generic,
		      const struct event_spec *spec, struct event_list *out)
{
	struct event *event = event_list_add(out, generic->source, pmu);
	uint32_t type;

	if (!event || pmu_type(m, pmu, &type) < 0)
		return -ENOMEM;
	event->attr = generic->attr;
	if (generic->attr.type == PERF_TYPE_RAW)
		event->attr.type = type;
	else
		event->attr.config |= (__u64)type << SOURCE_PMU_TYPE_SHIFT;
	event->one_of_several = true;
	event->name = source_generic_name(pmu, spec);
	return event->name ? 0 : -ENOMEM;
}

int source_generic_spread(const struct machine *m, const struct event_spec *spec,
			  struct event_list *out)
{
	cleanup_str_list struct str_list pmus = { 0 };
	struct event generic = out->events[out->n - 1];
	int err = pmu_hybrid(m, &pmus);

	if (err < 0 || pmus.n == 0)
		return err;
	out->n--;
	for (size_t i = 0; err == 0 && i < pmus.n; i++)
		err = add_on_pmu(m, pmus.v[i], &generic, spec, out);
	event_release(&generic);
	return err;
}

static int generic_resolve(const struct machine *m, const struct event_spec *spec,
			   struct event_list *out, struct why *why)
{
	size_t first = out->n;
	struct event *event;
	size_t i = find_event(&spec->words[0]);

	if (i == EVENTS_N)
		return -ENOENT;
	event = event_list_add(out, source_generic.name,
			       events[i].type == PERF_TYPE_HARDWARE ? "hardware" : "software");
	if (!event)
		return -ENOMEM;
	event->attr.type = events[i].type;
	event->attr.config = events[i].config;
	if (is_clock(&event->attr) && event_set_unit(event, "msec", 1e-6) < 0)
		return -ENOMEM;
	if (events[i].type == PERF_TYPE_HARDWARE && source_generic_spread(m, spec, out) < 0)
		return -ENOMEM;
	return modifiers_apply_spec(spec, out, first, why);
}

static int list_type(enum perf_type_id type, const char *pmu, bool present, event_visit *visit,
		     void *data)
{
	for (size_t i = 0; i < EVENTS_N; i++)
		for (size_t j = 0; events[i].type == type && j < 2 && events[i].names[j]; j++) {
			const struct event_info info = {
				.name = events[i].names[j],
				.source = source_generic.name,
				.pmu = pmu,
				.description = j ? events[i].names[0] : "",
				.present = present,
			};
			int stop = visit(&info, data);

			if (stop)
				return stop;
		}
	return 0;
}

static int generic_list(const struct machine *m, enum list_scope scope, event_visit *visit,
			void *data, struct why *why)
{
	int present = pmu_any_core(m);
	int stop = 0;

	(void)why;
	if (present < 0)
		return present;
	if (present || scope != LIST_USABLE)
		stop = list_type(PERF_TYPE_HARDWARE, "hardware", present, visit, data);
	return stop ? stop : list_type(PERF_TYPE_SOFTWARE, "software", true, visit, data);
}

const struct event_source source_generic = {
	.name = "generic",
	.forms = FORM(SPEC_NAME),
	.resolve = generic_resolve,
	.list = generic_list,
};
