/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "event/repeatable.h"

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

static bool repeatable_is_listed(const char *text, size_t n, const char *const *words,
				 size_t words_n)
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
static bool is_retired_by_name(const char *name)
{
	const char *colons = strstr(name, "::"), *slash = strchr(name, '/');

	if (strpbrk(name, ",=") || strcasestr(name, "misp"))
		return false;
	if (colons)
		name = colons + 2;
	else if (slash)
		name = slash + 1;
	return repeatable_is_listed(name, strcspn(name, ":./"), retired,
				    sizeof(retired) / sizeof(retired[0]));
}

static bool has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/*
 * Event numbers of the core PMU: only the bits of the event and its unit mask. If a number has
 * different meanings on two architectures, the name of the PMU is compared, too.
 */
static bool is_retired_by_number(const struct event *event)
{
	const char *pmu = event->pmu ? event->pmu : "";
	unsigned long long config = event->attr.config;

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

static bool is_of_core(const struct event *event)
{
	const char *pmu = event->pmu ? event->pmu : "";

	return event->attr.type == PERF_TYPE_RAW || has_prefix(pmu, "cpu_") ||
	       strcmp(pmu, "cpum_cf") == 0 || has_prefix(pmu, "armv");
}

bool repeatable_is(const struct event *event)
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
		return !repeatable_is_listed(event->name, strcspn(event->name, ":"), outside,
					     sizeof(outside) / sizeof(outside[0]));
	case PERF_TYPE_HW_CACHE:
		return false;
	case PERF_TYPE_BREAKPOINT:
		return true;
	default:
		return event->probed || is_retired_by_name(event->name) ||
		       (is_of_core(event) && is_retired_by_number(event));
	}
}
