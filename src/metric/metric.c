/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "metric/metric.h"

struct derivation {
	const struct metric_input *inputs;
	size_t n;
	const struct metric_input *self;
	struct metric_result *result;
};

#define CACHE_READ(cache, result)                                                                  \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Events that are shown as a percentage of another event. */
static const struct {
	__u32 type;
	__u64 part, whole;
	enum metric_kind kind;
	enum metric_limits limits;
	const char *unit;
} percentages[] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  METRIC_PERCENT, LIMITS_MISSES, "of all branches" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES,
	  METRIC_PERCENT_FINE, LIMITS_NONE, "of all cache refs" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_CPU_CYCLES,
	  METRIC_PERCENT, LIMITS_FRONTEND, "frontend cycles idle" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERF_COUNT_HW_CPU_CYCLES,
	  METRIC_PERCENT, LIMITS_BACKEND, "backend cycles idle" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(L1D, MISS), CACHE_READ(L1D, ACCESS), METRIC_PERCENT,
	  LIMITS_MISSES, "of all L1-dcache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(L1I, MISS), CACHE_READ(L1I, ACCESS), METRIC_PERCENT,
	  LIMITS_MISSES, "of all L1-icache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(DTLB, MISS), CACHE_READ(DTLB, ACCESS), METRIC_PERCENT,
	  LIMITS_MISSES, "of all dTLB cache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(ITLB, MISS), CACHE_READ(ITLB, ACCESS), METRIC_PERCENT,
	  LIMITS_MISSES, "of all iTLB cache accesses" },
	{ PERF_TYPE_HW_CACHE, CACHE_READ(LL, MISS), CACHE_READ(LL, ACCESS), METRIC_PERCENT,
	  LIMITS_MISSES, "of all LL-cache accesses" },
};

/* perf's get_ratio_color(), in percent. */
enum metric_level metric_level(enum metric_limits limits, double percent)
{
	static const double beyond[LIMITS_N][LEVEL_SEVERE] = {
		[LIMITS_FRONTEND] = { 10, 30, 50 },
		[LIMITS_BACKEND] = { 20, 50, 75 },
		[LIMITS_MISSES] = { 5, 10, 20 },
	};
	int level = LEVEL_USUAL;

	while (limits != LIMITS_NONE && level < LEVEL_SEVERE && percent > beyond[limits][level])
		level++;
	return (enum metric_level)level;
}

static const char *const rate_units[] = { "/sec", "K/sec", "M/sec", "G/sec" };

/* On a hybrid machine, the upper half of a generic event's config is the type of its PMU. */
static __u64 metric_pmu_bits(const struct perf_event_attr *attr)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;

	return generic ? attr->config >> EVENT_PMU_TYPE_SHIFT << EVENT_PMU_TYPE_SHIFT : 0;
}

static bool metric_event_is(const struct event *event, __u32 type, __u64 config)
{
	const struct perf_event_attr *attr = &event->attr;

	return event->tool == TOOL_NONE && attr->type == type &&
	       attr->config == (config | metric_pmu_bits(attr));
}

bool metric_is_restricted(const struct metric_input *input)
{
	const struct event *event = input->event;
	bool one_mode = event->attr.exclude_user || event->attr.exclude_kernel;

	return input->user_only || (one_mode && !event_is_clock(event));
}

/* Whether both events count the same kinds of cores in the same modes. */
static bool metric_same_modes(const struct event *left, const struct event *right)
{
	const struct perf_event_attr *a = &left->attr, *b = &right->attr;

	return left->summed == right->summed &&
	       (left->summed || metric_pmu_bits(a) == metric_pmu_bits(b)) &&
	       a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->exclude_guest == b->exclude_guest &&
	       a->exclude_host == b->exclude_host;
}

static bool metric_same_run(const struct metric_input *a, const struct metric_input *b)
{
	return a->in_all_passes || b->in_all_passes || a->pass == b->pass;
}

static bool metric_together(const struct metric_input *a, const struct metric_input *b)
{
	return a->group == b->group || (metric_same_run(a, b) && a->whole && b->whole);
}

bool metric_may_combine(const struct metric_input *a, const struct metric_input *b)
{
	return metric_together(a, b) ||
	       (metric_same_run(a, b) && !isnan(a->error) && !isnan(b->error));
}

/*
 * The count of this event that has the same modes as self and was counted together with self; NULL:
 * there is none.
 */
static const struct metric_input *metric_partner(const struct derivation *d, __u32 type,
						 __u64 config)
{
	const struct metric_input *found = NULL;
	bool apart = false;

	for (size_t i = 0; i < d->n; i++) {
		const struct metric_input *input = &d->inputs[i];

		if (!metric_event_is(input->event, type, config) || !input->known ||
		    input->count == 0 || !metric_same_modes(input->event, d->self->event) ||
		    !str_equal(input->event->cgroup, d->self->event->cgroup))
			continue;
		if (metric_together(input, d->self) && (!found || input->group == d->self->group))
			found = input;
		else
			apart = true;
	}
	d->result->withheld |= apart && !found;
	return found;
}

static const struct metric_input *metric_task_clock(const struct derivation *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (event_is_clock(d->inputs[i].event) && d->inputs[i].known &&
		    d->inputs[i].count > 0 &&
		    str_equal(d->inputs[i].event->cgroup, d->self->event->cgroup))
			return &d->inputs[i];
	return NULL;
}

static void metric_add(const struct derivation *d, enum metric_kind kind, long double value,
		       const char *unit)
{
	d->result->v[d->result->n++] =
		(struct metric){ .kind = kind, .value = (double)value, .unit = unit };
}

static void metric_of_instructions(const struct derivation *d)
{
	const struct metric_input *cycles =
		metric_partner(d, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	const struct metric_input *front =
		metric_partner(d, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	const struct metric_input *back =
		metric_partner(d, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
	long double stalled = front ? front->count : 0;

	if (back && back->count > stalled)
		stalled = back->count;
	if (cycles)
		metric_add(d, METRIC_RATIO, d->self->count / cycles->count, "insn per cycle");
	if (stalled > 0 && d->self->count > 0)
		metric_add(d, METRIC_RATIO, stalled / d->self->count, "stalled cycles per insn");
}

static bool metric_of_percentage(const struct derivation *d)
{
	for (size_t i = 0; i < sizeof(percentages) / sizeof(percentages[0]); i++) {
		const struct metric_input *whole;
		long double percent;

		if (!metric_event_is(d->self->event, percentages[i].type, percentages[i].part))
			continue;
		whole = metric_partner(d, percentages[i].type, percentages[i].whole);
		if (!whole)
			return true;
		percent = 100 * d->self->count / whole->count;
		metric_add(d, percentages[i].kind, percent, percentages[i].unit);
		d->result->v[d->result->n - 1].level =
			metric_level(percentages[i].limits, (double)percent);
		return true;
	}
	return false;
}

struct metric metric_unprefixed(const struct metric *metric)
{
	struct metric plain = *metric;
	double factor = 1;

	for (size_t i = 0; i < sizeof(rate_units) / sizeof(rate_units[0]); i++, factor *= 1000) {
		if (strcmp(metric->unit, rate_units[i]) != 0)
			continue;
		plain.value *= factor;
		plain.unit = rate_units[0];
	}
	return plain;
}

/*
 * Intel's parts of the slots (tools/perf/util/stat-shadow.c). The first four add up to all slots.
 * Each of the others is a part of one of the four; the rest of that one is a metric, too.
 */
static const struct {
	const char *event, *unit;
	double limit; /* in percent: perf highlights larger values; 100: none */
	const char *rest; /* the metric of the rest; NULL: none */
	size_t whole; /* the index of the part that this one belongs to */
} slots[] = {
	{ .event = "topdown-retiring", .unit = "Retiring", .limit = 100 },
	{ .event = "topdown-bad-spec", .unit = "Bad Speculation", .limit = 10 },
	{ .event = "topdown-fe-bound", .unit = "Frontend Bound", .limit = 20 },
	{ .event = "topdown-be-bound", .unit = "Backend Bound", .limit = 20 },
	{ "topdown-heavy-ops", "Heavy Operations", 100, "Light Operations", 0 },
	{ "topdown-br-mispredict", "Branch Mispredict", 5, "Machine Clears", 1 },
	{ "topdown-fetch-lat", "Fetch Latency", 15, "Fetch Bandwidth", 2 },
	{ "topdown-mem-bound", "Memory Bound", 20, "Core Bound", 3 },
};

enum { SLOTS_N = sizeof(slots) / sizeof(slots[0]), SLOTS_WHOLE = 4 };

const char *metric_slots_event(size_t i)
{
	return i < SLOTS_N ? slots[i].event : NULL;
}

/* The part of the slots that the event counts. SLOTS_N: none. */
static size_t metric_part_of_slots(const struct event *event)
{
	size_t i = 0;

	if (event->tool != TOOL_NONE || event->attr.type != PERF_TYPE_RAW)
		return SLOTS_N;
	while (i < SLOTS_N && !strstr(event->name, slots[i].event))
		i++;
	return i;
}

/* If the event counts a part of the slots, add its metrics, and return true. There are none unless
 * all four parts of the first level were counted together with it. */
static bool metric_of_slots(const struct derivation *d)
{
	const size_t part = metric_part_of_slots(d->self->event);
	long double counts[SLOTS_N] = { 0 }, total = 0, rest;
	bool found[SLOTS_N] = { false };

	if (part == SLOTS_N)
		return false;
	for (size_t i = 0; i < d->n; i++) {
		const struct metric_input *input = &d->inputs[i];
		const size_t k = input->known ? metric_part_of_slots(input->event) : SLOTS_N;

		if (k == SLOTS_N || !metric_together(input, d->self) ||
		    !metric_same_modes(input->event, d->self->event) ||
		    !str_equal(input->event->cgroup, d->self->event->cgroup))
			continue;
		counts[k] = input->count;
		found[k] = true;
	}
	for (size_t i = 0; i < SLOTS_WHOLE; i++) {
		if (!found[i])
			return true;
		total += counts[i];
	}
	if (total <= 0)
		return true;
	metric_add(d, METRIC_PART, 100 * d->self->count / total, slots[part].unit);
	d->result->v[0].level =
		d->result->v[0].value > slots[part].limit ? LEVEL_SEVERE : LEVEL_USUAL;
	if (!slots[part].rest)
		return true;
	rest = 100 * (counts[slots[part].whole] - d->self->count) / total;
	metric_add(d, METRIC_PART, rest > 0 ? rest : 0, slots[part].rest);
	return true;
}

static bool metric_counts_stalls(const struct event *event)
{
	return metric_event_is(event, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND) ||
	       metric_event_is(event, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
}

static bool metric_is_part_of(const struct event *a, const struct event *b)
{
	for (size_t i = 0; i < sizeof(percentages) / sizeof(percentages[0]); i++)
		if (metric_event_is(a, percentages[i].type, percentages[i].part) &&
		    metric_event_is(b, percentages[i].type, percentages[i].whole))
			return true;
	/* a ratio that is not shown as a percentage */
	return metric_event_is(a, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS) &&
	       (metric_event_is(b, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES) ||
		metric_counts_stalls(b));
}

bool metric_are_partners(const struct event *a, const struct event *b)
{
	return metric_same_modes(a, b) && (metric_is_part_of(a, b) || metric_is_part_of(b, a));
}

struct metric_result metric_derive(const struct metric_input *inputs, size_t n, size_t i,
				   double elapsed_ns)
{
	struct metric_result result = { 0 };
	const struct derivation d = { inputs, n, &inputs[i], &result };
	const struct metric_input *clock =
		metric_is_restricted(d.self) ? NULL : metric_task_clock(&d);

	if (!d.self->known || d.self->event->tool != TOOL_NONE)
		return result;
	if (event_is_clock(d.self->event)) {
		if (elapsed_ns > 0)
			metric_add(&d, METRIC_RATE, d.self->count / elapsed_ns, "CPUs utilized");
	} else if (metric_event_is(d.self->event, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)) {
		metric_of_instructions(&d);
	} else if (metric_event_is(d.self->event, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)) {
		if (clock)
			metric_add(&d, METRIC_RATE, d.self->count / clock->count, "GHz");
	} else if (!metric_of_slots(&d) && !metric_of_percentage(&d) && clock) {
		long double rate =
			d.self->count * (long double)d.self->event->factor / clock->count * 1e9L;
		size_t prefix = 0;

		for (; rate > 1000 && prefix < 3; prefix++)
			rate /= 1000;
		metric_add(&d, METRIC_RATE, rate, rate_units[prefix]);
	}
	return result;
}

size_t metric_units(const struct event *events, size_t n, size_t i,
		    const char *units[METRIC_UNITS_MAX])
{
	const struct event *self = &events[i];
	const size_t part = metric_part_of_slots(self);

	if (part < SLOTS_N) {
		units[0] = slots[part].unit;
		units[1] = slots[part].rest;
		return slots[part].rest ? 2 : 1;
	}
	if (metric_event_is(self, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)) {
		units[0] = "GHz";
		return 1;
	}
	if (!metric_event_is(self, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)) {
		for (size_t k = 0; k < sizeof(percentages) / sizeof(percentages[0]); k++)
			if (metric_event_is(self, percentages[k].type, percentages[k].part)) {
				units[0] = percentages[k].unit;
				return 1;
			}
		return 0;
	}
	units[0] = "insn per cycle";
	units[1] = "stalled cycles per insn";
	for (size_t other = 0; other < n; other++)
		if (metric_counts_stalls(&events[other]) && metric_same_modes(&events[other], self))
			return 2;
	return 1;
}

const char *metric_shown_unit(const struct metric *metric)
{
	const bool percent = metric->kind == METRIC_PERCENT ||
			     metric->kind == METRIC_PERCENT_FINE || metric->kind == METRIC_PART;

	return metric->scale ? metric->scale : percent ? "%" : "";
}

int metric_decimals(const struct metric *metric)
{
	enum { DECIMALS_MAX = 15 };
	double size = metric->value < 0 ? -metric->value : metric->value;
	int decimals = 3;

	if (metric->kind == METRIC_PART)
		return 1;
	if (metric->kind == METRIC_RATIO || metric->kind == METRIC_PERCENT)
		return 2;
	if (metric->kind == METRIC_OF_USER)
		for (; size > 0 && size < 0.1 && decimals < DECIMALS_MAX; size *= 10)
			decimals++;
	return decimals;
}
