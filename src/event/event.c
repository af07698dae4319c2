/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/why.h"
#include "event/event.h"

const char *const event_tool_names[TOOL_N] = {
	[TOOL_DURATION_TIME] = "duration_time",
	[TOOL_USER_TIME] = "user_time",
	[TOOL_SYSTEM_TIME] = "system_time",
	[TOOL_MAX_RSS] = "max_rss",
	[TOOL_MINOR_FAULTS] = "minor_faults_rusage",
	[TOOL_MAJOR_FAULTS] = "major_faults_rusage",
	[TOOL_VOLUNTARY_SWITCHES] = "voluntary_switches",
	[TOOL_INVOLUNTARY_SWITCHES] = "involuntary_switches",
	[TOOL_IN_BLOCK] = "in_block",
	[TOOL_OUT_BLOCK] = "out_block",
};

bool event_is_kprobe(const struct event *event)
{
	return event->probed && strcmp(event->pmu, "kprobe") == 0;
}

bool event_is_uprobe(const struct event *event)
{
	return event->probed && strcmp(event->pmu, "uprobe") == 0;
}

void event_release(struct event *event)
{
	free(event->name);
	free(event->kind_name);
	free(event->pmu);
	free(event->full_name);
	free(event->probed);
	free(event->symbol);
	free(event->filter);
	free(event->cpus);
	free(event->cgroup);
	free(event->unit);
}

struct event *event_list_add(struct event_list *list, const char *source, const char *pmu)
{
	struct event event = {
		.source = source,
		.pmu = strdup(pmu),
		.unit = strdup(""),
		.factor = 1,
		.attr = { .size = sizeof(event.attr), .exclude_guest = 1 },
	};

	if (!event.pmu || !event.unit ||
	    array_grow(&list->events, list->n, &list->size, sizeof(*list->events)) < 0) {
		event_release(&event);
		return NULL;
	}
	list->events[list->n] = event;
	return &list->events[list->n++];
}

int event_set_unit(struct event *event, const char *unit, double factor)
{
	char *copy = strdup(unit);

	if (!copy)
		return -ENOMEM;
	free(event->unit);
	event->unit = copy;
	event->factor = factor;
	return 0;
}

bool event_is_clock(const struct event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	return event->tool == TOOL_NONE && attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

__u32 event_pmu_type(const struct event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;

	return generic ? (__u32)(attr->config >> EVENT_PMU_TYPE_SHIFT) : attr->type;
}

bool event_is_of_kind(const struct event *event)
{
	return event->one_of_several && !event->cpus;
}

int event_list_add_group(struct event_list *list, size_t first, size_t n)
{
	struct event_group group = { .first = first, .n = n };

	if (array_grow(&list->groups, list->groups_n, &list->groups_size, sizeof(*list->groups)) <
	    0)
		return -ENOMEM;
	list->groups[list->groups_n++] = group;
	return 0;
}

void event_list_remove(struct event_list *list, size_t event)
{
	size_t kept = 0;

	event_release(&list->events[event]);
	list->n--;
	memmove(&list->events[event], &list->events[event + 1],
		(list->n - event) * sizeof(*list->events));
	for (size_t i = 0; i < list->groups_n; i++) {
		struct event_group group = list->groups[i];

		if (group.first > event)
			group.first--;
		else if (event < group.first + group.n)
			group.n--;
		if (group.n > 0)
			list->groups[kept++] = group;
		else
			free(group.name);
	}
	list->groups_n = kept;
}

int event_list_filter(struct event_list *list, const char *filter, struct why *why)
{
	const size_t name = list->names_n - 1; /* its events may have been left out */

	for (size_t i = 0; i < list->n; i++) {
		struct event *event = &list->events[i];

		if (event->name_index != name)
			continue;
		if (event->attr.type != PERF_TYPE_TRACEPOINT)
			return why_set(why, -EINVAL, "the preceding event '%s' is not a tracepoint",
				       event->name);
		free(event->filter);
		event->filter = strdup(filter);
		if (!event->filter)
			return -ENOMEM;
	}
	return 0;
}

/* Copy event, with its own copies of all strings. On failure the copy owns nothing. */
static int event_copy(struct event *copy, const struct event *event, const char *cgroup)
{
	char **const texts[] = { &copy->name,	&copy->kind_name, &copy->pmu,  &copy->full_name,
				 &copy->probed, &copy->filter,	  &copy->unit, &copy->cpus,
				 &copy->symbol, &copy->cgroup };
	bool failed = false;

	*copy = *event;
	copy->cgroup = NULL;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *text = texts[i] == &copy->cgroup ? cgroup : *texts[i];

		*texts[i] = text && !failed ? strdup(text) : NULL;
		failed |= text && !*texts[i];
	}
	if (!failed)
		return 0;
	event_release(copy);
	return -ENOMEM;
}

int event_list_for_cgroups(struct event_list *list, char *const *cgroups, size_t n)
{
	size_t events = list->n, groups = list->groups_n;

	for (size_t i = 0; i < events; i++) {
		free(list->events[i].cgroup);
		list->events[i].cgroup = strdup(cgroups[0]);
		if (!list->events[i].cgroup)
			return -ENOMEM;
	}
	for (size_t c = 1; c < n; c++) {
		size_t first = list->n;

		for (size_t i = 0; i < events; i++) {
			if (array_grow(&list->events, list->n, &list->size, sizeof(*list->events)) <
				    0 ||
			    event_copy(&list->events[list->n], &list->events[i], cgroups[c]) < 0)
				return -ENOMEM;
			list->n++;
		}
		for (size_t i = 0; i < groups; i++) {
			struct event_group group = list->groups[i];
			char *name = group.name ? strdup(group.name) : NULL;

			if ((group.name && !name) ||
			    event_list_add_group(list, first + group.first, group.n) < 0) {
				free(name);
				return -ENOMEM;
			}
			group.first += first;
			group.name = name;
			list->groups[list->groups_n - 1] = group;
		}
	}
	return 0;
}

size_t event_list_group_of(const struct event_list *list, size_t event)
{
	size_t low = 0, high = list->groups_n;

	while (low < high) { /* the groups are sorted */
		size_t middle = low + (high - low) / 2;
		const struct event_group *group = &list->groups[middle];

		if (event >= group->first && event < group->first + group->n)
			return middle;
		if (event < group->first)
			high = middle;
		else
			low = middle + 1;
	}
	return list->groups_n;
}

bool event_list_counts_whole_cpus(const struct event_list *list)
{
	bool found = false;

	for (size_t i = 0; i < list->n; i++) {
		const struct event *event = &list->events[i];

		if (!event->cpus && event->tool != TOOL_DURATION_TIME)
			return false;
		found |= event->cpus != NULL;
	}
	return found;
}

bool event_list_is_pinned(const struct event_list *list, size_t event)
{
	size_t group = event_list_group_of(list, event);

	return group < list->groups_n && list->groups[group].pinned;
}

bool event_list_has_kinds(const struct event_list *list, size_t i, size_t j)
{
	const struct event_group *a = &list->groups[i], *b = &list->groups[j];

	for (size_t left = a->first; left < a->first + a->n; left++)
		for (size_t right = b->first; right < b->first + b->n; right++)
			if (event_is_of_kind(&list->events[left]) &&
			    list->events[left].name_index == list->events[right].name_index)
				return true;
	return false;
}

size_t event_group_leader(const struct event_list *list, const struct event_group *group)
{
	for (size_t i = group->first; i < group->first + group->n; i++)
		if (list->events[i].tool == TOOL_NONE)
			return i;
	return group->first;
}

void event_list_release(struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		event_release(&list->events[i]);
	for (size_t i = 0; i < list->groups_n; i++)
		free(list->groups[i].name);
	free(list->events);
	free(list->groups);
	str_list_release(&list->left_out);
	*list = (struct event_list){ 0 };
}

/* ---- Repeatable events */

enum { HARDWARE_IDS = 0xffffffff }; /* the upper bits hold the PMU of a hybrid machine */

/* Names of retired instructions and branches in processor manuals, sysfs and libpfm4. */
static const char *const retired[] = {
	/* the kernel, in events/ of a PMU */
	"instructions",
	"branches",
	"branch-instructions",
	/* Intel */
	"INST_RETIRED",
	"INSTR_RETIRED",
	"INSTRUCTION_RETIRED",
	"INSTRUCTIONS_RETIRED",
	"BR_INST_RETIRED",
	"BRANCH_INSTRUCTIONS_RETIRED",
	/* AMD */
	"RETIRED_INSTRUCTIONS",
	"RETIRED_BRANCH_INSTRUCTIONS",
	"RETIRED_TAKEN_BRANCH_INSTRUCTIONS",
	"RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS",
	/* Arm */
	"BR_RETIRED",
	/* POWER */
	"PM_INST_CMPL",
	"PM_RUN_INST_CMPL",
	"PM_BR_CMPL",
	/* s390 */
	"PROBLEM_STATE_INSTRUCTIONS",
};

/* Tracepoint systems whose counts depend on other activity of the machine. */
static const char *const outside[] = { "irq", "irq_vectors", "power", "sched", "timer" };

static bool event_is_listed(const char *text, size_t n, const char *const *words, size_t words_n)
{
	for (size_t i = 0; i < words_n; i++)
		if (strlen(words[i]) == n && strncasecmp(text, words[i], n) == 0)
			return true;
	return false;
}

/*
 * "INST_RETIRED:ANY_P:u", "skl::INST_RETIRED.ANY", "cpu/instructions/u". An event with a term or an
 * attribute may count something else, for example cycles that retire instructions. In that case,
 * the event number decides.
 */
static bool event_is_retired_by_name(const char *name)
{
	const char *colons = strstr(name, "::"), *slash = strchr(name, '/');

	if (strpbrk(name, ",=") || strcasestr(name, "misp"))
		return false;
	if (colons)
		name = colons + 2;
	else if (slash)
		name = slash + 1;
	return event_is_listed(name, strcspn(name, ":./"), retired,
			       sizeof(retired) / sizeof(retired[0]));
}

/*
 * Numbers of events of the core PMU: only the bits of the event and its unit mask. If a number has
 * different meanings on two architectures, the name of the PMU is compared, too.
 */
static bool event_is_retired_by_number(const struct event *event)
{
	const char *pmu = event->pmu ? event->pmu : "";
	unsigned long long config = event->attr.config;

	if (event->attr.type != PERF_TYPE_RAW && strncmp(pmu, "cpu_", 4) != 0 &&
	    strcmp(pmu, "cpum_cf") != 0 && strncmp(pmu, "armv", 4) != 0)
		return false; /* not of a core PMU */
	if (strcmp(pmu, "cpum_cf") == 0)
		return config == 0x1 || config == 0x21;
	if (strcmp(pmu, "cpu") == 0 && config == 0x2) /* POWER: PM_INST_CMPL */
		return true;
	switch (config) {
	case 0x8: /* Arm: INST_RETIRED, BR_RETIRED */
	case 0x21:
	case 0xc2: /* AMD: branches */
	case 0x100: /* Intel: instructions, on the fixed counter */
	case 0x4d05e: /* POWER: PM_BR_CMPL, PM_RUN_INST_CMPL */
	case 0x500fa:
		return true;
	default: /* x86: instructions; branches, with Intel's unit masks for kinds of branches */
		return config <= 0xffff && ((config & 0xff) == 0xc0 || (config & 0xff) == 0xc4);
	}
}

bool event_is_repeatable(const struct event *event)
{
	unsigned long long config = event->attr.config;

	if (event->tool != TOOL_NONE)
		return event->tool == TOOL_MINOR_FAULTS;
	switch (event->attr.type) {
	case PERF_TYPE_HARDWARE:
		config &= HARDWARE_IDS;
		return config == PERF_COUNT_HW_INSTRUCTIONS ||
		       config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	case PERF_TYPE_SOFTWARE:
		return config == PERF_COUNT_SW_PAGE_FAULTS ||
		       config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       config == PERF_COUNT_SW_ALIGNMENT_FAULTS ||
		       config == PERF_COUNT_SW_EMULATION_FAULTS;
	case PERF_TYPE_TRACEPOINT:
		return !event_is_listed(event->name, strcspn(event->name, ":"), outside,
					sizeof(outside) / sizeof(outside[0]));
	case PERF_TYPE_HW_CACHE:
		return false;
	case PERF_TYPE_BREAKPOINT:
		return true;
	default:
		return event->probed || event_is_retired_by_name(event->name) ||
		       event_is_retired_by_number(event);
	}
}
