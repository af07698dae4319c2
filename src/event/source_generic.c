/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generic hardware events and the software events of the kernel (perf_event_open(2), "config"),
 * under all names that perf stat accepts; the cache events; and events by number.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "base/why.h"
#include "event/modifiers.h"
#include "event/source.h"
#include "machine/pmu.h"

#define HARDWARE(id) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id
#define SOFTWARE(id) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id

static const struct {
	const char *names[2];
	enum perf_type_id type;
	__u64 config;
	const char *meaning;
} events[] = {
	{ { "cycles", "cpu-cycles" },
	  HARDWARE(CPU_CYCLES),
	  "clock cycles of the CPU; their length follows its frequency" },
	{ { "instructions" }, HARDWARE(INSTRUCTIONS), "instructions that the CPU has completed" },
	{ { "cache-references" },
	  HARDWARE(CACHE_REFERENCES),
	  "accesses to a cache, on most CPUs the last level" },
	{ { "cache-misses" },
	  HARDWARE(CACHE_MISSES),
	  "accesses that missed a cache, on most CPUs the last level" },
	{ { "branches", "branch-instructions" },
	  HARDWARE(BRANCH_INSTRUCTIONS),
	  "branch instructions that the CPU has completed" },
	{ { "branch-misses" }, HARDWARE(BRANCH_MISSES), "branches that the CPU predicted wrongly" },
	{ { "bus-cycles" }, HARDWARE(BUS_CYCLES), "cycles of a bus; which bus depends on the CPU" },
	{ { "stalled-cycles-frontend", "idle-cycles-frontend" },
	  HARDWARE(STALLED_CYCLES_FRONTEND),
	  "cycles in which no instruction was ready to be issued" },
	{ { "stalled-cycles-backend", "idle-cycles-backend" },
	  HARDWARE(STALLED_CYCLES_BACKEND),
	  "cycles in which instructions waited, for example for memory" },
	{ { "ref-cycles" },
	  HARDWARE(REF_CPU_CYCLES),
	  "cycles at a fixed frequency, while the CPU is not idle" },
	{ { "cpu-clock" },
	  SOFTWARE(CPU_CLOCK),
	  "the time for which the counter was on, by the clock of the CPU" },
	{ { "task-clock" }, SOFTWARE(TASK_CLOCK), "CPU time of the counted tasks" },
	{ { "page-faults", "faults" },
	  SOFTWARE(PAGE_FAULTS),
	  "accesses to pages that were not mapped yet, minor and major" },
	{ { "context-switches", "cs" },
	  SOFTWARE(CONTEXT_SWITCHES),
	  "switches of a CPU from one task to another" },
	{ { "cpu-migrations", "migrations" },
	  SOFTWARE(CPU_MIGRATIONS),
	  "moves of a task to another CPU" },
	{ { "minor-faults" }, SOFTWARE(PAGE_FAULTS_MIN), "page faults that needed no disk" },
	{ { "major-faults" },
	  SOFTWARE(PAGE_FAULTS_MAJ),
	  "page faults that had to read from a disk" },
	{ { "alignment-faults" },
	  SOFTWARE(ALIGNMENT_FAULTS),
	  "unaligned accesses that the kernel had to handle; always 0 on x86" },
	{ { "emulation-faults" },
	  SOFTWARE(EMULATION_FAULTS),
	  "instructions that the kernel had to emulate; always 0 on x86" },
	{ { "dummy" }, SOFTWARE(DUMMY), "nothing; it stays 0" },
	{ { "bpf-output" },
	  SOFTWARE(BPF_OUTPUT),
	  "writes of BPF programs to this event; 0 without such a program" },
	{ { "cgroup-switches" },
	  PERF_TYPE_SOFTWARE,
	  EVENT_SW_CGROUP_SWITCHES,
	  "switches of a CPU to a task of another cgroup" },
};

enum { EVENTS_N = sizeof(events) / sizeof(events[0]) };

static size_t generic_find(const struct spec_word *name)
{
	size_t i = 0;

	while (i < EVENTS_N && !spec_word_is(name, events[i].names[0]) &&
	       !(events[i].names[1] && spec_word_is(name, events[i].names[1])))
		i++;
	return i;
}

static struct spec_word generic_word(const char *name)
{
	return (struct spec_word){ .text = name, .len = source_generic_length(name) };
}

size_t source_generic_length(const char *name)
{
	return strcspn(name, ": ");
}

bool source_generic_is_same(const char *a, const char *b)
{
	const struct spec_word left = generic_word(a), right = generic_word(b);
	size_t i = generic_find(&left);

	return i < EVENTS_N && i == generic_find(&right);
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

/*
 * On a hybrid machine, replace the last event of out, a generic event, with one event for each core
 * PMU. The type of the PMU goes into the upper half of config. A hardware event, such as cycles,
 * means the same on every kind of core, so its instances share one row. Every instance of another
 * event has its own row, which is named as in perf: "cpu_core/LLC-loads/". 0 or -ENOMEM.
 */
static int generic_spread_over_pmus(const struct machine *m, const struct event_spec *spec,
				    struct event_list *out)
{
	cleanup_str_list struct str_list pmus = { 0 };
	struct event generic = out->events[out->n - 1];
	const bool same = generic.attr.type == PERF_TYPE_HARDWARE;
	int err = pmu_hybrid(m, &pmus);

	if (err < 0 || pmus.n == 0)
		return err;
	out->n--;
	for (size_t i = 0; err == 0 && i < pmus.n; i++) {
		struct event *event = event_list_add(out, generic.source, pmus.v[i]);
		uint32_t type;

		if (!event || pmu_type(m, pmus.v[i], &type) < 0) {
			err = -ENOMEM;
			break;
		}
		event->attr = generic.attr;
		event->config3 = generic.config3;
		event->config4 = generic.config4;
		event->has_ignored_terms = generic.has_ignored_terms;
		if (generic.attr.type == PERF_TYPE_RAW)
			event->attr.type = type;
		else
			event->attr.config |= (__u64)type << EVENT_PMU_TYPE_SHIFT;
		event->one_of_several = true;
		event->summed = same;
		event->merged = same && i > 0;
		if (generic.name)
			err = (event->name = strdup(generic.name)) ? 0 : -ENOMEM;
		else {
			char *name = source_generic_name(pmus.v[i], spec);

			*(same ? &event->kind_name : &event->name) = name;
			err = name ? 0 : -ENOMEM;
		}
	}
	event_release(&generic);
	return err;
}

/* Apply the terms and modifiers of the spec to the last event of out. 0; -errno with why. */
static int generic_apply_spec(const struct machine *m, const struct event_spec *spec,
			      struct event_list *out, struct why *why)
{
	size_t first = out->n - 1;
	struct event *event = &out->events[first];

	for (size_t i = 0; i < spec->terms_n; i++) {
		const struct spec_term *term = &spec->terms[i];
		int err = term_apply(term, event, why);

		if (err == -ENOENT)
			return why_at(
				why, -EINVAL, term->name.at,
				"unknown term '%.*s'; after '%.*s', choose from name, config, "
				"config1, config2, config3, config4, period, freq, percore and "
				"metric-id",
				(int)term->name.len, term->name.text, (int)spec->words[0].len,
				spec->words[0].text);
		if (err < 0)
			return err;
	}
	/* a type that the user wrote is that of one PMU */
	if (event->attr.type != PERF_TYPE_SOFTWARE && spec->form != SPEC_NUMBERED &&
	    generic_spread_over_pmus(m, spec, out) < 0)
		return -ENOMEM;
	return modifiers_apply_spec(spec, out, first, why);
}

static int generic_resolve(const struct machine *m, const struct event_spec *spec,
			   struct event_list *out, struct why *why)
{
	size_t i = generic_find(&spec->words[0]);
	struct event *event;

	if (i == EVENTS_N)
		return -ENOENT;
	event = event_list_add(out, source_generic.name,
			       events[i].type == PERF_TYPE_HARDWARE ? "hardware" : "software");
	if (!event)
		return -ENOMEM;
	event->attr.type = events[i].type;
	event->attr.config = events[i].config;
	return generic_apply_spec(m, spec, out, why);
}

static int generic_list(const struct event_listing *l)
{
	int has_core_pmu = pmu_any_core(l->machine);

	if (has_core_pmu < 0)
		return has_core_pmu;
	for (size_t i = 0; i < EVENTS_N; i++) {
		bool hardware = events[i].type == PERF_TYPE_HARDWARE;

		if (hardware && !has_core_pmu && l->scope == LIST_USABLE)
			continue;
		for (size_t j = 0; j < 2 && events[i].names[j]; j++) {
			const struct event_info info = {
				.name = events[i].names[j],
				.source = source_generic.name,
				.pmu = hardware ? "hardware" : "software",
				.description = events[i].meaning,
				.present = !hardware || has_core_pmu,
			};
			int stop = l->visit(&info, l->data);

			if (stop)
				return stop;
		}
	}
	return 0;
}

static int generic_describe(const struct machine *m, const struct event *event, struct str *out)
{
	__u64 config = event->attr.config;

	(void)m;
	if (event->attr.type == PERF_TYPE_HARDWARE)
		config &= (1ULL << EVENT_PMU_TYPE_SHIFT) - 1;
	for (size_t i = 0; i < EVENTS_N; i++)
		if (events[i].type == event->attr.type && events[i].config == config)
			str_add(out, events[i].meaning);
	return 0;
}

const struct event_source source_generic = {
	.name = "generic",
	.forms = FORM(SPEC_NAME) | FORM(SPEC_PMU),
	.resolve = generic_resolve,
	.list = generic_list,
	.describe = generic_describe,
};

/* ---- Caches */

/*
 * Hardware cache events: a cache, an operation and a result, joined by '-'
 * ("L1-dcache-load-misses"). Operation and result are optional and in any order; the defaults are
 * load and access, as in perf. All aliases of perf are accepted, in upper or lower case. An
 * operation that the cache does not have is refused. config = cache | operation << 8 | result << 16
 * (perf_event_open(2)).
 */

/* The spellings of a value. */
struct spelling {
	const char *text;
	unsigned int value;
};

static const struct spelling caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D }, { "l1-d", PERF_COUNT_HW_CACHE_L1D },
	{ "l1d", PERF_COUNT_HW_CACHE_L1D },	  { "L1-data", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I }, { "l1-i", PERF_COUNT_HW_CACHE_L1I },
	{ "l1i", PERF_COUNT_HW_CACHE_L1I },	  { "L1-instruction", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", PERF_COUNT_HW_CACHE_LL },	  { "L2", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB },	  { "d-tlb", PERF_COUNT_HW_CACHE_DTLB },
	{ "Data-TLB", PERF_COUNT_HW_CACHE_DTLB }, { "iTLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "i-tlb", PERF_COUNT_HW_CACHE_ITLB },	  { "Instruction-TLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch", PERF_COUNT_HW_CACHE_BPU },	  { "branches", PERF_COUNT_HW_CACHE_BPU },
	{ "bpu", PERF_COUNT_HW_CACHE_BPU },	  { "btb", PERF_COUNT_HW_CACHE_BPU },
	{ "bpc", PERF_COUNT_HW_CACHE_BPU },	  { "node", PERF_COUNT_HW_CACHE_NODE },
};

static const struct spelling operations[] = {
	{ "load", PERF_COUNT_HW_CACHE_OP_READ },
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ },
	{ "read", PERF_COUNT_HW_CACHE_OP_READ },
	{ "store", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "write", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-read", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "speculative-load", PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

static const struct spelling results[] = {
	{ "refs", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "Reference", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "ops", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "access", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "misses", PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "miss", PERF_COUNT_HW_CACHE_RESULT_MISS },
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))
#define OP(name) (1U << PERF_COUNT_HW_CACHE_OP_##name)

/*
 * The operations of each cache (tools/perf/util/evsel.c, evsel__hw_cache_stat), and the name that
 * --list shows.
 */
static const struct {
	unsigned int operations;
	const char *name;
	const char *meaning;
} kinds[] = {
	[PERF_COUNT_HW_CACHE_L1D] = { OP(READ) | OP(WRITE) | OP(PREFETCH), "L1-dcache",
				      "the first-level data cache" },
	[PERF_COUNT_HW_CACHE_L1I] = { OP(READ) | OP(PREFETCH), "L1-icache",
				      "the first-level instruction cache" },
	[PERF_COUNT_HW_CACHE_LL] = { OP(READ) | OP(WRITE) | OP(PREFETCH), "LLC",
				     "the last-level cache" },
	[PERF_COUNT_HW_CACHE_DTLB] = { OP(READ) | OP(WRITE) | OP(PREFETCH), "dTLB",
				       "the TLB of data addresses" },
	[PERF_COUNT_HW_CACHE_ITLB] = { OP(READ), "iTLB", "the TLB of instruction addresses" },
	[PERF_COUNT_HW_CACHE_BPU] = { OP(READ), "branch", "the branch predictor" },
	[PERF_COUNT_HW_CACHE_NODE] = { OP(READ) | OP(WRITE) | OP(PREFETCH), "node",
				       "the memory of the NUMA node" },
};

/*
 * The length of the longest spelling that text begins with. A '-' or the end of text has to follow
 * it. 0 if there is none.
 */
static size_t generic_longest_spelling(const struct spelling *spellings, size_t n, const char *text,
				       size_t len, unsigned int *value)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++) {
		size_t size = strlen(spellings[i].text);

		if (size > best && size <= len && strncasecmp(spellings[i].text, text, size) == 0 &&
		    (size == len || text[size] == '-')) {
			best = size;
			*value = spellings[i].value;
		}
	}
	return best;
}

struct cache_name {
	unsigned int cache, operation, result;
};

static bool generic_read_cache_name(const struct spec_word *word, struct cache_name *name)
{
	size_t used =
		generic_longest_spelling(caches, N_OF(caches), word->text, word->len, &name->cache);
	bool operation_given = false, result_given = false;

	if (used == 0)
		return false;
	name->operation = PERF_COUNT_HW_CACHE_OP_READ;
	name->result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	while (used < word->len) {
		const char *text = word->text + used + 1;
		size_t len = word->len - used - 1, part = 0;

		if (!operation_given) {
			part = generic_longest_spelling(operations, N_OF(operations), text, len,
							&name->operation);
			operation_given = part > 0;
		}
		if (part == 0 && !result_given) {
			part = generic_longest_spelling(results, N_OF(results), text, len,
							&name->result);
			result_given = part > 0;
		}
		if (part == 0)
			return false;
		used += 1 + part;
	}
	return true;
}

static bool generic_cache_has_operation(const struct cache_name *name)
{
	return kinds[name->cache].operations & 1U << name->operation;
}

static void generic_set_cache_attr(const struct cache_name *name, struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_HW_CACHE;
	attr->config = name->cache | name->operation << 8 | name->result << 16;
}

static int generic_cache_resolve(const struct machine *m, const struct event_spec *spec,
				 struct event_list *out, struct why *why)
{
	const struct spec_word *word = &spec->words[0];
	struct cache_name name = { 0 };
	struct event *event;

	if (!generic_read_cache_name(word, &name))
		return -ENOENT;
	if (!generic_cache_has_operation(&name))
		return why_at(why, -EINVAL, word->at, "'%.*s': %s has no such operation",
			      (int)word->len, word->text, kinds[name.cache].name);
	event = event_list_add(out, source_cache.name, "hardware cache");
	if (!event)
		return -ENOMEM;
	generic_set_cache_attr(&name, &event->attr);
	return generic_apply_spec(m, spec, out, why);
}

/* "loads from the last-level cache that missed" */
static void generic_add_meaning(struct str *out, size_t cache, size_t operation, size_t result)
{
	static const char *const verbs[] = {
		[PERF_COUNT_HW_CACHE_OP_READ] = "loads from",
		[PERF_COUNT_HW_CACHE_OP_WRITE] = "stores to",
		[PERF_COUNT_HW_CACHE_OP_PREFETCH] = "prefetches into",
	};

	str_addf(out, "%s %s%s", verbs[operation], kinds[cache].meaning,
		 result == PERF_COUNT_HW_CACHE_RESULT_MISS ? " that missed" : "");
}

static int generic_cache_describe(const struct machine *m, const struct event *event,
				  struct str *out)
{
	size_t cache = event->attr.config & 0xff;
	size_t operation = event->attr.config >> 8 & 0xff;
	size_t result = event->attr.config >> 16 & 0xff;

	(void)m;
	if (event->attr.type == PERF_TYPE_HW_CACHE && cache < N_OF(kinds) &&
	    operation < PERF_COUNT_HW_CACHE_OP_MAX)
		generic_add_meaning(out, cache, operation, result);
	return 0;
}

static int generic_cache_list(const struct event_listing *l)
{
	static const char *const endings[][2] = {
		[PERF_COUNT_HW_CACHE_OP_READ] = { "loads", "load-misses" },
		[PERF_COUNT_HW_CACHE_OP_WRITE] = { "stores", "store-misses" },
		[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetches", "prefetch-misses" },
	};
	int present = pmu_any_core(l->machine);

	if (present < 0)
		return present;
	if (!present && l->scope == LIST_USABLE)
		return 0;
	for (size_t cache = 0; cache < N_OF(kinds); cache++)
		for (size_t i = 0; i < N_OF(endings) * 2; i++) {
			char text[64];
			cleanup_str struct str meaning = { 0 };
			struct event_info info = {
				.name = text,
				.source = source_cache.name,
				.pmu = "hardware cache",
				.present = present,
			};
			int stop;

			if (!(kinds[cache].operations & 1U << i / 2))
				continue;
			snprintf(text, sizeof(text), "%s-%s", kinds[cache].name,
				 endings[i / 2][i % 2]);
			generic_add_meaning(&meaning, cache, i / 2, i % 2);
			if (meaning.failed)
				return -ENOMEM;
			info.description = str_text(&meaning);
			stop = l->visit(&info, l->data);
			if (stop)
				return stop;
		}
	return 0;
}

const struct event_source source_cache = {
	.name = "cache",
	.forms = FORM(SPEC_NAME) | FORM(SPEC_PMU),
	.resolve = generic_cache_resolve,
	.list = generic_cache_list,
	.describe = generic_cache_describe,
};

bool source_generic_hardware(const struct spec_word *name, struct perf_event_attr *attr)
{
	struct cache_name cache = { 0 };
	size_t i = generic_find(name);

	if (i < EVENTS_N && events[i].type == PERF_TYPE_HARDWARE) {
		attr->type = events[i].type;
		attr->config = events[i].config;
		return true;
	}
	if (!generic_read_cache_name(name, &cache) || !generic_cache_has_operation(&cache))
		return false;
	generic_set_cache_attr(&cache, attr);
	return true;
}

/* ---- Events by number: "rHEX", the encoding of the core PMU, and "type:config". */

static int generic_raw_number(const struct spec_word *word, size_t skip, uint64_t max,
			      uint64_t *out, struct why *why)
{
	int err = skip ? num_parse_hex(word->text + skip, word->len - skip, out) :
			 num_parse(word->text, word->len, out);

	if (err == 0 && *out > max)
		err = -ERANGE;
	if (err < 0)
		return why_at(why, err, word->at, "'%.*s' does not fit in %d bits", (int)word->len,
			      word->text, max == UINT64_MAX ? 64 : 32);
	return 0;
}

static const char *generic_type_name(uint64_t type)
{
	static const char *const names[] = {
		[PERF_TYPE_HARDWARE] = "hardware",
		[PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint",
		[PERF_TYPE_HW_CACHE] = "hardware cache",
		[PERF_TYPE_RAW] = "core",
		[PERF_TYPE_BREAKPOINT] = "breakpoint",
	};

	return type < sizeof(names) / sizeof(names[0]) ? names[type] : "dynamic";
}

static int generic_raw_resolve(const struct machine *m, const struct event_spec *spec,
			       struct event_list *out, struct why *why)
{
	uint64_t type = PERF_TYPE_RAW;
	struct event *event;
	uint64_t config;
	int err;

	if (spec->form == SPEC_RAW) {
		err = generic_raw_number(&spec->words[0], 1, UINT64_MAX, &config, why);
	} else {
		err = generic_raw_number(&spec->words[0], 0, UINT32_MAX, &type, why);
		if (err == 0)
			err = generic_raw_number(&spec->words[1], 0, UINT64_MAX, &config, why);
	}
	if (err < 0)
		return err;
	event = event_list_add(out, source_raw.name, generic_type_name(type));
	if (!event)
		return -ENOMEM;
	event->attr.type = (uint32_t)type;
	event->attr.config = config;
	if (type == PERF_TYPE_TRACEPOINT && source_tracepoint_place(m, event) < 0)
		return -ENOMEM;
	return generic_apply_spec(m, spec, out, why);
}

const struct event_source source_raw = {
	.name = "raw",
	.forms = FORM(SPEC_RAW) | FORM(SPEC_NUMBERED),
	.resolve = generic_raw_resolve,
};
