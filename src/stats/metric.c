/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "stats/metric.h"

struct counts_of {
	const struct metric_input *inputs;
	size_t n;
	const struct metric_input *self;
	struct metric_result *result;
};

#define CACHE_READ(cache, result)                                                                  \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Events that are given in percent of another one. */
static const struct {
	__u32 type;
	__u64 part, whole;
	enum metric_kind kind;
	const char *unit;
} percentages[] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  METRIC_PERCENT, "of all branches" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES,
	  METRIC_PERCENT_FINE, "of all cache refs" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_CPU_CYCLES,
	  METRIC_PERCENT, "frontend cycles idle" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERF_COUNT_HW_CPU_CYCLES,
	  METRIC_PERCENT, "backend cycles idle" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(L1D, MISS), CACHE_READ(L1D, ACCESS), METRIC_PERCENT,
	  "of all L1-dcache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(L1I, MISS), CACHE_READ(L1I, ACCESS), METRIC_PERCENT,
	  "of all L1-icache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(DTLB, MISS), CACHE_READ(DTLB, ACCESS), METRIC_PERCENT,
	  "of all dTLB cache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(ITLB, MISS), CACHE_READ(ITLB, ACCESS), METRIC_PERCENT,
	  "of all iTLB cache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(LL, MISS), CACHE_READ(LL, ACCESS), METRIC_PERCENT,
	  "of all LL-cache accesses" },
};

/* On a hybrid machine the upper half of a generic event's config holds its PMU's type. */
static __u64 pmu_bits(const struct perf_event_attr *attr)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;

	return generic ? attr->config >> 32 << 32 : 0;
}

static bool event_is(const struct event *event, __u32 type, __u64 config)
{
	const struct perf_event_attr *attr = &event->attr;

	return event->tool == TOOL_NONE && attr->type == type &&
	       attr->config == (config | pmu_bits(attr));
}

static bool is(const struct metric_input *input, __u32 type, __u64 config)
{
	return event_is(input->event, type, config);
}

static bool is_clock(const struct metric_input *input)
{
	return is(input, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) ||
	       is(input, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
}

static bool same_modes(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return pmu_bits(a) == pmu_bits(b) && a->exclude_user == b->exclude_user &&
	       a->exclude_kernel == b->exclude_kernel && a->exclude_hv == b->exclude_hv &&
	       a->exclude_guest == b->exclude_guest && a->exclude_host == b->exclude_host;
}

static bool same_cgroup(const struct event *a, const struct event *b)
{
	return a->cgroup && b->cgroup ? strcmp(a->cgroup, b->cgroup) == 0 : a->cgroup == b->cgroup;
}

bool metric_together(const struct metric_input *a, const struct metric_input *b)
{
	bool same_run = a->in_all_passes || b->in_all_passes || a->pass == b->pass;

	return a->group == b->group || (same_run && a->whole && b->whole);
}

/* A hardware count that self may be divided by or with: one of the same modes, and from a counter that
 * was on the PMU together with it. */
static const struct metric_input *partner(const struct counts_of *of, __u32 type, __u64 config)
{
	const struct metric_input *found = NULL;
	bool apart = false;

	for (size_t i = 0; i < of->n; i++) {
		const struct metric_input *input = &of->inputs[i];

		if (!is(input, type, config) || !input->known || input->count == 0 ||
		    !same_modes(&input->event->attr, &of->self->event->attr) ||
		    !same_cgroup(input->event, of->self->event))
			continue;
		if (metric_together(input, of->self) && (!found || input->group == of->self->group))
			found = input;
		else
			apart = true;
	}
	of->result->withheld |= apart && !found;
	return found;
}

static const struct metric_input *task_clock(const struct counts_of *of)
{
	for (size_t i = 0; i < of->n; i++)
		if (is_clock(&of->inputs[i]) && of->inputs[i].known && of->inputs[i].count > 0 &&
		    same_cgroup(of->inputs[i].event, of->self->event))
			return &of->inputs[i];
	return NULL;
}

static void add(const struct counts_of *of, enum metric_kind kind, long double value,
		const char *unit)
{
	of->result->v[of->result->n++] =
		(struct metric){ .kind = kind, .value = (double)value, .unit = unit };
}

static void instructions_metrics(const struct counts_of *of)
{
	const struct metric_input *cycles =
		partner(of, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	const struct metric_input *front =
		partner(of, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	const struct metric_input *back =
		partner(of, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
	long double stalled = front ? front->count : 0;

	if (back && back->count > stalled)
		stalled = back->count;
	if (cycles)
		add(of, METRIC_RATIO, of->self->count / cycles->count, "insn per cycle");
	if (stalled > 0 && of->self->count > 0)
		add(of, METRIC_RATIO, stalled / of->self->count, "stalled cycles per insn");
}

static bool percentage_metric(const struct counts_of *of)
{
	for (size_t i = 0; i < sizeof(percentages) / sizeof(percentages[0]); i++) {
		const struct metric_input *whole;

		if (!is(of->self, percentages[i].type, percentages[i].part))
			continue;
		whole = partner(of, percentages[i].type, percentages[i].whole);
		if (whole)
			add(of, percentages[i].kind, 100 * of->self->count / whole->count,
			    percentages[i].unit);
		return true;
	}
	return false;
}

static void rate_metric(const struct counts_of *of, const struct metric_input *clock)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	long double rate =
		of->self->count * (long double)of->self->event->factor / clock->count * 1e9L;
	size_t i = 0;

	for (; rate > 1000 && i < 3; i++)
		rate /= 1000;
	add(of, METRIC_RATE, rate, units[i]);
}

/* Counts that are divided by cycles, which are no percentages of them. */
static bool is_per_cycle(const struct event *a, const struct event *b)
{
	return event_is(a, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS) &&
	       (event_is(b, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES) ||
		event_is(b, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND) ||
		event_is(b, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND));
}

static bool is_part_of(const struct event *a, const struct event *b)
{
	for (size_t i = 0; i < sizeof(percentages) / sizeof(percentages[0]); i++)
		if (event_is(a, percentages[i].type, percentages[i].part) &&
		    event_is(b, percentages[i].type, percentages[i].whole))
			return true;
	return is_per_cycle(a, b);
}

bool metric_are_partners(const struct event *a, const struct event *b)
{
	return same_modes(&a->attr, &b->attr) && (is_part_of(a, b) || is_part_of(b, a));
}

struct metric_result metric_derive(const struct metric_input *inputs, size_t n, size_t i,
				   double elapsed_ns)
{
	struct metric_result result = { 0 };
	const struct counts_of of = { inputs, n, &inputs[i], &result };
	const struct metric_input *clock = task_clock(&of);

	if (!of.self->known || of.self->event->tool != TOOL_NONE)
		return result;
	if (is_clock(of.self)) {
		if (elapsed_ns > 0)
			add(&of, METRIC_RATE, of.self->count / elapsed_ns, "CPUs utilized");
	} else if (is(of.self, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)) {
		instructions_metrics(&of);
	} else if (is(of.self, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)) {
		if (clock)
			add(&of, METRIC_RATE, of.self->count / clock->count, "GHz");
	} else if (!percentage_metric(&of) && clock) {
		rate_metric(&of, clock);
	}
	return result;
}
