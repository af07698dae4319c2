/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain names: the generic events of the kernel in all spellings of perf, tool events, raw events.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "unit/test.h"

/* These names do not depend on the machine. */
static char nowhere[] = "/nonexistent";
static const struct machine machine = { .root = nowhere };

static const struct {
	int line;
	const char *name;
	unsigned int type;
	unsigned long long config;
	const char *source;
} names[] = {
	{ ROW, "cycles", 0, 0, "generic" },
	{ ROW, "cpu-cycles", 0, 0, "generic" },
	{ ROW, "instructions", 0, 1, "generic" },
	{ ROW, "cache-references", 0, 2, "generic" },
	{ ROW, "cache-misses", 0, 3, "generic" },
	{ ROW, "branches", 0, 4, "generic" },
	{ ROW, "branch-instructions", 0, 4, "generic" },
	{ ROW, "branch-misses", 0, 5, "generic" },
	{ ROW, "bus-cycles", 0, 6, "generic" },
	{ ROW, "stalled-cycles-frontend", 0, 7, "generic" },
	{ ROW, "idle-cycles-frontend", 0, 7, "generic" },
	{ ROW, "stalled-cycles-backend", 0, 8, "generic" },
	{ ROW, "idle-cycles-backend", 0, 8, "generic" },
	{ ROW, "ref-cycles", 0, 9, "generic" },
	{ ROW, "cpu-clock", 1, 0, "generic" },
	{ ROW, "task-clock", 1, 1, "generic" },
	{ ROW, "page-faults", 1, 2, "generic" },
	{ ROW, "faults", 1, 2, "generic" },
	{ ROW, "context-switches", 1, 3, "generic" },
	{ ROW, "cs", 1, 3, "generic" },
	{ ROW, "cpu-migrations", 1, 4, "generic" },
	{ ROW, "migrations", 1, 4, "generic" },
	{ ROW, "minor-faults", 1, 5, "generic" },
	{ ROW, "major-faults", 1, 6, "generic" },
	{ ROW, "alignment-faults", 1, 7, "generic" },
	{ ROW, "emulation-faults", 1, 8, "generic" },
	{ ROW, "dummy", 1, 9, "generic" },
	{ ROW, "bpf-output", 1, 10, "generic" },
	{ ROW, "cgroup-switches", 1, 11, "generic" },
	/* a cache alone means its loads */
	{ ROW, "branch", 3, 0x5, "cache" },
	{ ROW, "LLC", 3, 0x2, "cache" },
	{ ROW, "node", 3, 0x6, "cache" },
	{ ROW, "L1-dcache-misses", 3, 0x10000, "cache" },
	{ ROW, "l1d-misses-store", 3, 0x10100, "cache" },
	{ ROW, "dTLB-speculative-read-miss", 3, 0x10203, "cache" },
	/* raw events, and events by number */
	{ ROW, "r0", 4, 0, "raw" },
	{ ROW, "r1a2b", 4, 0x1a2b, "raw" },
	{ ROW, "r1A2B", 4, 0x1a2b, "raw" },
	{ ROW, "r0x1a2b", 4, 0x1a2b, "raw" },
	{ ROW, "rffffffffffffffff", 4, 0xffffffffffffffff, "raw" },
	{ ROW, "4:0x3c", 4, 0x3c, "raw" },
	{ ROW, "4:60", 4, 60, "raw" },
	{ ROW, "0:010", 0, 10, "raw" }, /* not octal */
	{ ROW, "4294967295:18446744073709551615", 4294967295, 0xffffffffffffffff, "raw" },
};

static void resolve_one(int line, const char *name, struct event_list *list)
{
	const struct {
		int line;
	} row = { line };
	cleanup_why struct why why = { 0 };
	int err = resolve_events(&machine, RESOLVE_BY_ALL, name, list, &why);

	if (err < 0)
		print_error("%s: %s\n", name, why_text(&why, err));
	row_int(&row, err, 0);
	row_int(&row, list->n, 1);
	row_int(&row, list->groups_n, 1);
}

static void every_spelling_has_its_encoding(void **state)
{
	for (size_t i = 0; i < N_OF(names); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_one(names[i].line, names[i].name, &list);
		row_string(&names[i], list.events[0].name, names[i].name);
		row_string(&names[i], list.events[0].source, names[i].source);
		row_int(&names[i], list.events[0].attr.type, names[i].type);
		row_int(&names[i], list.events[0].attr.config, names[i].config);
		row_int(&names[i], list.events[0].attr.exclude_guest, 1);
	}
}

static void both_names_of_an_event_are_known(void **state)
{
	static const struct {
		int line;
		const char *a, *b;
		bool is_same;
	} pairs[] = {
		{ ROW, "faults", "page-faults", true },
		{ ROW, "page-faults:u", "faults", true }, /* without the modifiers */
		{ ROW, "cs", "context-switches", true },
		{ ROW, "migrations", "cpu-migrations", true },
		{ ROW, "cycles", "cpu-cycles", true },
		{ ROW, "branch-instructions", "branches", true },
		{ ROW, "cs", "cs", true },
		{ ROW, "faults", "minor-faults", false },
		{ ROW, "faults", "fault", false },
		{ ROW, "unknown", "unknown", false },
		{ ROW, "", ":u", false },
	};

	for (size_t i = 0; i < N_OF(pairs); i++) {
		row_int(&pairs[i], source_generic_is_same(pairs[i].a, pairs[i].b),
			pairs[i].is_same);
		row_int(&pairs[i], source_generic_is_same(pairs[i].b, pairs[i].a),
			pairs[i].is_same);
	}
}

/* The spellings of each part in perf (perf-list(1)), and the operations of each cache. */
static const struct {
	unsigned int value;
	const char *texts[5];
	unsigned int operations; /* bits 0 load, 1 store, 2 prefetch */
} caches[] = {
	{ 0, { "L1-dcache", "l1-d", "l1d", "L1-data" }, 7 },
	{ 1, { "L1-icache", "l1-i", "l1i", "L1-instruction" }, 5 },
	{ 2, { "LLC", "L2" }, 7 },
	{ 3, { "dTLB", "d-tlb", "Data-TLB" }, 7 },
	{ 4, { "iTLB", "i-tlb", "Instruction-TLB" }, 1 },
	{ 5, { "branch", "branches", "bpu", "btb", "bpc" }, 1 },
	{ 6, { "node" }, 7 },
};

static const struct {
	unsigned int value;
	const char *text;
} operations[] = {
	{ 0, "load" }, { 0, "loads" }, { 0, "read" },	  { 1, "store" },
	{ 1, "stores" }, { 1, "write" }, { 2, "prefetch" }, { 2, "prefetches" },
	{ 2, "speculative-read" }, { 2, "speculative-load" },
}, results[] = {
	{ 0, "refs" }, { 0, "Reference" }, { 0, "ops" }, { 0, "access" },
	{ 1, "misses" }, { 1, "miss" },
};

static void check_cache(const char *text, unsigned int config, unsigned int possible)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };
	int err = resolve_events(&machine, RESOLVE_BY_ALL, text, &list, &why);

	if (!possible) {
		if (err != -EINVAL || !why.text || !strstr(why.text, "has no such operation"))
			fail_msg("%s: %d, not refused as it should be", text, err);
		return;
	}
	if (err < 0)
		fail_msg("%s: %s", text, why_text(&why, err));
	if (list.events[0].attr.type != 3 || list.events[0].attr.config != config)
		fail_msg("%s: %u:0x%llx, not 3:0x%x", text, list.events[0].attr.type,
			 (unsigned long long)list.events[0].attr.config, config);
}

static void check_results(const char *cache, size_t c, size_t o)
{
	for (size_t r = 0; r < N_OF(results); r++) {
		unsigned int config =
			caches[c].value | operations[o].value << 8 | results[r].value << 16;
		unsigned int possible = caches[c].operations & 1U << operations[o].value;
		cleanup_str struct str text = { 0 };
		cleanup_str struct str other_way = { 0 };

		str_addf(&text, "%s-%s-%s", cache, operations[o].text, results[r].text);
		check_cache(str_text(&text), config, possible);
		str_addf(&other_way, "%s-%s-%s", cache, results[r].text, operations[o].text);
		check_cache(str_text(&other_way), config, possible);
	}
}

static void every_spelling_of_a_cache_event_has_its_encoding(void **state)
{
	for (size_t c = 0; c < N_OF(caches); c++)
		for (size_t i = 0; i < N_OF(caches[c].texts) && caches[c].texts[i]; i++)
			for (size_t o = 0; o < N_OF(operations); o++)
				check_results(caches[c].texts[i], c, o);
}

static void cache_names_are_read_in_any_case(void **state)
{
	check_cache("l1-DCACHE-Load-MISSES", 0x10000, 1);
	check_cache("llc-LOADS", 0x2, 1);
	check_cache("dtlb-store-misses", 0x10103, 1);
}

static const struct {
	int line;
	const char *text;
	int error;
	size_t position;
	const char *why; /* the message, or the part of it that comes from this source */
} refused[] = {
	{ ROW, "cycles:uu", -EINVAL, 8, "modifier 'u' is given twice" },
	{ ROW, "cycles:", -EINVAL, 7, "modifiers are missing after ':'" },
	{ ROW, "cycles:u:k", -EINVAL, 9, "nothing may follow the modifiers" },
	{ ROW, "cs,LLC-loads:x", -EINVAL, 13, "unknown modifier 'x'" },
	{ ROW, "cs,iTLB-stores", -EINVAL, 3, "'iTLB-stores': iTLB has no such operation" },
	{ ROW, "r10000000000000000", -ERANGE, 0, "'r10000000000000000' does not fit in 64 bits" },
	{ ROW, "4294967296:0", -ERANGE, 0, "'4294967296' does not fit in 32 bits" },
	{ ROW, "4:0x10000000000000000", -ERANGE, 2,
	  "'0x10000000000000000' does not fit in 64 bits" },
	{ ROW, "cycle", -ENOENT, 0, "unknown event 'cycle'; did you mean 'cycles'" },
	{ ROW, "cycles;instructions", -ENOENT, 0,
	  "unknown event 'cycles;instructions'; events are separated by commas, not by ';'" },
	{ ROW, "cs,{faults,cycle}", -ENOENT, 11, "unknown event 'cycle'" },
	{ ROW, "L1-dcache-", -ENOENT, 0, "unknown event 'L1-dcache-'" },
	{ ROW, "L1-dcache--misses", -ENOENT, 0, "unknown event 'L1-dcache--misses'" },
	{ ROW, "L1-dcache-load-store", -ENOENT, 0, "unknown event 'L1-dcache-load-store'" },
	{ ROW, "L1-dcache-misses-refs", -ENOENT, 0, "unknown event" },
	{ ROW, "L1-dcachex", -ENOENT, 0, "unknown event" },
};

static void an_error_has_a_position(void **state)
{
	for (size_t i = 0; i < N_OF(refused); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };
		cleanup_why struct why why = { 0 };
		cleanup_free char *start = NULL;

		row_int(&refused[i],
			resolve_events(&machine, RESOLVE_BY_ALL, refused[i].text, &list, &why),
			refused[i].error);
		start = strndup(why_text(&why, refused[i].error), strlen(refused[i].why));
		row_string(&refused[i], start, refused[i].why);
		row_true(&refused[i], why.has_position);
		row_int(&refused[i], why.position, refused[i].position);
	}
}

static void tool_events_are_measured_by_pstat_itself(void **state)
{
	static const struct {
		int line;
		const char *name;
		enum tool_event tool;
		const char *unit;
	} tools[] = {
		{ ROW, "duration_time", TOOL_DURATION_TIME, "ns" },
		{ ROW, "user_time", TOOL_USER_TIME, "ns" },
		{ ROW, "system_time", TOOL_SYSTEM_TIME, "ns" },
		{ ROW, "max_rss", TOOL_MAX_RSS, "KiB" },
		{ ROW, "minor_faults_rusage", TOOL_MINOR_FAULTS, "" },
		{ ROW, "major_faults_rusage", TOOL_MAJOR_FAULTS, "" },
		{ ROW, "voluntary_switches", TOOL_VOLUNTARY_SWITCHES, "" },
		{ ROW, "involuntary_switches", TOOL_INVOLUNTARY_SWITCHES, "" },
		{ ROW, "in_block", TOOL_IN_BLOCK, "" },
		{ ROW, "out_block", TOOL_OUT_BLOCK, "" },
	};

	for (size_t i = 0; i < N_OF(tools); i++) {
		cleanup_with(event_list_release) struct event_list list = { 0 };

		resolve_one(tools[i].line, tools[i].name, &list);
		row_int(&tools[i], list.events[0].tool, tools[i].tool);
		row_string(&tools[i], list.events[0].unit, tools[i].unit);
		row_true(&tools[i], list.events[0].factor == 1);
	}
}

static void clocks_are_shown_in_milliseconds_and_counts_as_counts(void **state)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };

	assert_int_equal(resolve_events(&machine, RESOLVE_BY_ALL, "task-clock,cpu-clock,faults",
					&list, &why),
			 0);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(list.events[i].unit, "msec");
		assert_true(list.events[i].factor == 1e-6);
	}
	assert_string_equal(list.events[2].unit, "");
	assert_true(list.events[2].factor == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_spelling_has_its_encoding),
		cmocka_unit_test(both_names_of_an_event_are_known),
		cmocka_unit_test(every_spelling_of_a_cache_event_has_its_encoding),
		cmocka_unit_test(cache_names_are_read_in_any_case),
		cmocka_unit_test(an_error_has_a_position),
		cmocka_unit_test(tool_events_are_measured_by_pstat_itself),
		cmocka_unit_test(clocks_are_shown_in_milliseconds_and_counts_as_counts),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
