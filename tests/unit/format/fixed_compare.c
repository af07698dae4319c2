/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "format/format.h"
#include "stats/rmath.h"
#include "unit/format/fixed_compare.h"
#include "unit/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

#define SECOND UINT64_C(1000000000)

/* ---- The parts of a comparison. */

/* From -1 to 1, usually near 0. A function of run, row and side. */
static double noise(size_t run, size_t row, size_t side)
{
	uint64_t state = run * 1000003 + row * 7919 + side * 104729 + 12345;
	double sum = 0;

	for (size_t i = 0; i < 4; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += (double)(state >> 33) / (double)(UINT64_C(1) << 31);
	}
	return (sum - 2) / 2;
}

static char no_label[] = "";
static const struct place whole = { PLACE_TARGET, no_label };

static void start(struct fixed_comparison *f, const char *events)
{
	struct machine machine = { .root = tree_new() };
	cleanup_why struct why why = { 0 };

	resolve_on(&machine, events, &f->events);
	tree_remove(machine.root);
	f->openings = calloc(f->events.n + 1, sizeof(*f->openings));
	f->rows = calloc(f->events.n + 1, sizeof(*f->rows));
	assert_true(f->openings && f->rows);
	for (size_t i = 0; i < f->events.n; i++)
		f->rows[i] = (struct row){ .event = i, .counters = 1 };
	if (rmath_load(&f->math, &why) < 0)
		fail_msg("%s", why_text(&why, 0));
	f->input = (struct comparison_input){ .sides = f->sides,
					      .paired = true,
					      .confidence = 0.95,
					      .seed = 4711,
					      .math = &f->math };
}

/* Add a side whose counts are all 0. */
static void side(struct fixed_comparison *f, const char *name, const char *command, size_t runs_n)
{
	size_t i = f->input.sides_n++;

	assert_true(i < FIXED_SIDES_MAX);
	f->runs[i] = calloc(runs_n, sizeof(*f->runs[i]));
	assert_non_null(f->runs[i]);
	for (size_t run = 0; run < runs_n; run++) {
		f->runs[i][run].readings = calloc(f->events.n + 1, sizeof(struct reading));
		assert_non_null(f->runs[i][run].readings);
		for (size_t row = 0; row < f->events.n; row++)
			f->runs[i][run].readings[row] =
				(struct reading){ COUNTED, { 0, SECOND, SECOND } };
	}
	f->series[i] = (struct series){ .subject = command,
					.events = &f->events,
					.openings = f->openings,
					.places = &whole,
					.rows = f->rows,
					.rows_n = f->events.n,
					.runs = f->runs[i],
					.runs_n = runs_n,
					.min_running = 5,
					.cgroups_n = 1,
					.has_usage = true };
	f->sides[i] = (struct side_input){ .name = name, .series = &f->series[i] };
}

/* Set the counts of a row of a side: near the mean, at most this share away from it. */
static void count(struct fixed_comparison *f, size_t which, size_t row, double mean, double share)
{
	for (size_t i = 0; i < f->series[which].runs_n; i++)
		f->runs[which][i].readings[row].counts.raw =
			(uint64_t)(mean * (1 + share * noise(i, row, which)) + 0.5);
}

static void set_state(struct fixed_comparison *f, size_t which, size_t row, enum count_state state)
{
	for (size_t i = 0; i < f->series[which].runs_n; i++) {
		struct reading *reading = &f->runs[which][i].readings[row];

		reading->state = state;
		if (state == SCALED)
			reading->counts.running_ns = SECOND / 2;
	}
}

/* Set pstat's own counts for a side that takes this many milliseconds. */
static void times(struct fixed_comparison *f, size_t which, double msec, double share)
{
	for (size_t i = 0; i < f->series[which].runs_n; i++) {
		uint64_t *tool = f->runs[which][i].tool;

		tool[TOOL_DURATION_TIME] =
			(uint64_t)(msec * 1e6 * (1 + share * noise(i, 100, which)));
		tool[TOOL_USER_TIME] =
			(uint64_t)(msec * 0.8e6 * (1 + share * noise(i, 101, which)));
		tool[TOOL_SYSTEM_TIME] =
			(uint64_t)(msec * 0.1e6 * (1 + share * noise(i, 102, which)));
		tool[TOOL_MAX_RSS] = 3456;
	}
}

static void gate(struct fixed_comparison *f, const char *text, bool above, bool relative,
		 double limit)
{
	struct gate_request *request = &f->gates[f->input.gates_n++];

	assert_true(f->input.gates_n <= FIXED_GATES_MAX);
	*request = (struct gate_request){ .text = text,
					  .name = strndup(text, strcspn(text, "<>")),
					  .above = above,
					  .relative = relative,
					  .limit.value = limit };
	f->input.gates = f->gates;
}

static void old_and_new(struct fixed_comparison *f, size_t runs_n)
{
	side(f, "old", "'./build-old/prog --flag'", runs_n);
	side(f, "new", "'./build-new/prog --flag'", runs_n);
}

static char *words(const char *text)
{
	return (char *)(uintptr_t)text;
}

/* Set all provenance of a side, with names chosen by an attacker. */
static void know(struct fixed_comparison *f, size_t which, const char *host, const char *cpu)
{
	static char performance[] = "performance", powersave[] = "powersave";
	static char *governors[] = { performance, powersave };
	struct series *series = &f->series[which];

	f->provenance[which] = (struct provenance){
		.pstat = words("0.1"),
		.libpfm4 = words("4.13"),
		.cwd = words("/home/u/src"),
		.zone_s = -12600,
		.host = words(host),
		.kernel = words("6.1.0-42-amd64"),
		.machine = words("x86_64"),
		.cpu_model = words(cpu),
		.cpus_online = words("0-15"),
		.governors = { .v = governors, .n = which + 1 },
		.turbo = { true, 0 },
		.aslr = { true, 2 },
		.paranoid = { which == 0, 1 },
	};
	series->started = 1700000000 + (time_t)which * 86400;
	series->provenance = &f->provenance[which];
}

/* Order the runs in random rounds. */
static void take_turns(struct fixed_comparison *f)
{
	size_t n = f->input.sides_n;

	f->input.order_n = n * f->series[0].runs_n;
	f->order = calloc(f->input.order_n, sizeof(*f->order));
	assert_non_null(f->order);
	for (size_t i = 0; i < f->input.order_n; i++)
		f->order[i] = (i + (noise(i / n, 0, 0) > 0 ? 1 : 0)) % n;
	f->input.order = f->order;
}

/* ---- The comparisons. */

#define USUAL                                                                                      \
	"task-clock,context-switches,cpu-migrations,page-faults,cycles:u,instructions:u,"          \
	"branches:u,branch-misses:u"

static void usual_counts(struct fixed_comparison *f, size_t which, double factor)
{
	count(f, which, 0, 22.8e6 * factor, 0.05);
	count(f, which, 1, 3, 0.9);
	count(f, which, 2, 0, 0);
	count(f, which, 3, 345, 0.01);
	count(f, which, 4, 81234567 / factor, 0.02);
	count(f, which, 5, 200123456 * factor, 0.0001);
	count(f, which, 6, 40123456, 0.0001);
	count(f, which, 7, 123456, 0.1);
	times(f, which, 24.9 * factor, 0.06);
}

static void two_sides(struct fixed_comparison *f)
{
	start(f, USUAL);
	old_and_new(f, 20);
	usual_counts(f, 0, 1);
	usual_counts(f, 1, 1.0132);
	for (size_t i = 0; i < 2; i++)
		know(f, i, "build-7", "AMD EPYC 7763 64-Core Processor");
	f->provenance[1] = f->provenance[0];
	f->series[1].started = f->series[0].started;
	take_turns(f);
}

static void three_sides(struct fixed_comparison *f)
{
	start(f, "task-clock,instructions:u,page-faults");
	side(f, "gcc-12", "'./gcc-12/prog'", 30);
	side(f, "gcc-13", "'./gcc-13/prog'", 30);
	side(f, "clang", "'./clang/prog'", 30);
	for (size_t i = 0; i < 3; i++) {
		count(f, i, 0, 912345 * (1 + 0.08 * (double)i), 0.06);
		count(f, i, 1, 2000004 - 1000 * (double)i, 0);
		count(f, i, 2, 345, 0.01);
		times(f, i, 1.1 * (1 + 0.08 * (double)i), 0.2);
	}
	take_turns(f);
	gate(f, "instructions:u>+0.5%", true, true, 0.005);
	gate(f, "task-clock>+10%", true, true, 0.1);
}

static void exact(struct fixed_comparison *f)
{
	start(f, "instructions:u,branches:u,page-faults");
	old_and_new(f, 2);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 2000004 + 1000 * (double)i, 0);
		count(f, i, 1, 500001, 0);
		count(f, i, 2, 60 + (double)i, 0);
		times(f, i, 1.2, 0.1);
	}
	gate(f, "instructions:u>+0.01%", true, true, 0.0001);
	gate(f, "branches:u>+0%", true, true, 0);
	gate(f, "instructions:u>+2000", true, false, 2000);
}

static void unclear(struct fixed_comparison *f)
{
	start(f, "task-clock,cycles:u,context-switches");
	old_and_new(f, 8);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 3.21e9 * (1 + 0.01 * (double)i), 0.3);
		count(f, i, 1, 9876543210, 0.05);
		count(f, i, 2, 4, 0.9);
		times(f, i, 3300, 0.3);
	}
	gate(f, "cycles:u>+1%", true, true, 0.01);
}

static void zero_reference(struct fixed_comparison *f)
{
	start(f, "context-switches,cpu-migrations,major-faults,minor-faults");
	old_and_new(f, 10);
	count(f, 1, 0, 12, 0.3);
	count(f, 0, 2, 0.6, 0.9);
	count(f, 1, 2, 0.7, 0.9);
	count(f, 0, 3, 7, 0);
	for (size_t i = 0; i < 2; i++)
		times(f, i, 0.0005, 0.1);
	gate(f, "context-switches>+0%", true, true, 0);
	gate(f, "cpu-migrations>+5", true, false, 5);
}

static void too_few_runs(struct fixed_comparison *f)
{
	start(f, "task-clock,instructions:u");
	old_and_new(f, 3);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 22.8e6, 0.05);
		count(f, i, 1, 200123456, 0.001);
		times(f, i, 25, 0.05);
	}
	gate(f, "instructions:u>+0.5%", true, true, 0.005);
}

static void one_run(struct fixed_comparison *f)
{
	start(f, "task-clock,instructions:u");
	old_and_new(f, 1);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 22.8e6, 0.05);
		count(f, i, 1, 200123456, 0.001);
		times(f, i, 25, 0.05);
	}
}

/* An event without counts on both sides, on one side, and in some runs. */
static void not_counted(struct fixed_comparison *f)
{
	start(f, USUAL);
	old_and_new(f, 12);
	usual_counts(f, 0, 1);
	usual_counts(f, 1, 0.97);
	for (size_t i = 0; i < 2; i++) {
		set_state(f, i, 4, NOT_SUPPORTED);
		set_state(f, i, 6, NOT_SUPPORTED);
		set_state(f, i, 7, NOT_SUPPORTED);
	}
	set_state(f, 1, 5, NOT_COUNTED);
	f->runs[0][3].readings[3].state = NOT_COUNTED;
	f->runs[0][7].readings[3].state = NOT_COUNTED;
	gate(f, "instructions:u>+0.5%", true, true, 0.005);
}

static void far_outlier(struct fixed_comparison *f)
{
	start(f, "instructions:u,cycles:u,task-clock");
	old_and_new(f, 12);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 2000004, 0.01);
		count(f, i, 1, 3000000, 0.05);
		count(f, i, 2, 1234567, 0.02);
		times(f, i, 1.5, 0.1);
	}
	f->runs[1][4].readings[0].counts.raw = UINT64_C(1000000000000);
	f->runs[0][2].readings[1].counts.raw = 1;
	f->runs[0][3].readings[1].counts.raw = 2;
	f->runs[0][5].readings[2].counts.raw = 98765432;
}

static void thousand_runs(struct fixed_comparison *f)
{
	start(f, "task-clock,instructions:u,page-faults");
	old_and_new(f, 1000);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 456789 * (1 - 0.004 * (double)i), 0.08);
		count(f, i, 1, 1234567 * (1 + 0.0132 * (double)i), 0.003);
		count(f, i, 2, 49, 0.02);
		times(f, i, 0.52 * (1 - 0.03 * (double)i), 0.5);
	}
	take_turns(f);
	gate(f, "instructions:u>+0.5%", true, true, 0.005);
	gate(f, "duration_time>+1%", true, true, 0.01);
}

static void rename_event(struct fixed_comparison *f, size_t i, const char *name)
{
	free(f->events.events[i].name);
	f->events.events[i].name = strdup(name);
}

static void long_and_wide_names(struct fixed_comparison *f)
{
	start(f, "instructions:u,cycles:u,page-faults");
	rename_event(f, 0, "skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS_LOCAL_DRAM:SNP_NONE:u");
	rename_event(f, 1, "頁面錯誤と命令の数");
	rename_event(f, 2, "nai\xcc\x88ve|name\033[31m\n::error::");
	side(f, "./build/with/a/long/path/比較プログラム --mode=before --threads=4",
	     "'./build/with/a/long/path/比較プログラム --mode=before --threads=4'", 10);
	side(f, "./build/with/a/long/path/比較プログラム --mode=after --threads=4 `@someone`",
	     "'./build/with/a/long/path/比較プログラム --mode=after --threads=4 `@someone`'", 10);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 2000004, 0.01);
		count(f, i, 1, 3000000 * (1 - 0.1 * (double)i), 0.05);
		count(f, i, 2, 345, 0.02);
		times(f, i, 65000, 0.1);
	}
	know(f, 0, "<script>alert(1)</script>", "\"'&lt;\x01\xff\xc2\x85");
	know(f, 1, "\xe2\x80\xae&amp;", "a]]>b<!--");
	gate(f, "skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS_LOCAL_DRAM:SNP_NONE:u>+0.5%", true,
	     true, 0.005);
}

static void wide_sides(struct fixed_comparison *f)
{
	start(f, "task-clock,page-faults");
	side(f, "旧い", "'./旧/プログラム'", 10);
	side(f, "新しい", "'./新/プログラム'", 10);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 1.5e6 * (1 + 0.05 * (double)i), 0.05);
		count(f, i, 1, 345, 0.02);
		times(f, i, 1.7, 0.1);
	}
}

static void metrics(struct fixed_comparison *f)
{
	static const size_t indices[] = { 1, 0, 3, 2, 0, 1 };

	start(f, "{cycles:u,instructions:u,branches:u,branch-misses:u}");
	old_and_new(f, 12);
	resolve_metrics(&f->metrics, "ipc,branch-miss-rate,speed='instructions:u'/'cycles:u'",
			indices);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 3000000 * (1 - 0.06 * (double)i), 0.01);
		count(f, i, 1, 5000000, 0.0001);
		count(f, i, 2, 400000, 0.0001);
		count(f, i, 3, 4000 * (1 + 0.5 * (double)i), 0.1);
		times(f, i, 1.7, 0.1);
		f->series[i].metrics = &f->metrics;
	}
	f->effects[0] =
		(struct effect_request){ .name = "speed", .minimum = -1, .more_is_better = true };
	f->input.effects = f->effects;
	f->input.effects_n = 1;
	gate(f, "ipc<-2%", false, true, -0.02);
	gate(f, "ipc>+2%", true, true, 0.02);
}

static void scaled(struct fixed_comparison *f)
{
	start(f, "cycles:u,instructions:u");
	old_and_new(f, 10);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 3000000, 0.01);
		count(f, i, 1, 5000000 * (1 + 0.03 * (double)i), 0.002);
		times(f, i, 1.7, 0.1);
	}
	set_state(f, 0, 1, SCALED);
	gate(f, "instructions:u>+0.5%", true, true, 0.005);
}

/* Scaled counts that all have an interval, so that a gate judges them. */
static void estimated(struct fixed_comparison *f)
{
	scaled(f);
	for (size_t i = 0; i < f->series[0].runs_n; i++) {
		struct reading *reading = &f->runs[0][i].readings[1];

		reading->estimate = (struct count_estimate){
			2.0 * (double)reading->counts.raw * (1 + 0.004 * noise(i, 7, 0)), 30000.5
		};
		reading->has_estimate = true;
	}
}

/* Gates with every outcome. */
static void gates(struct fixed_comparison *f)
{
	start(f, USUAL);
	old_and_new(f, 20);
	usual_counts(f, 0, 1);
	usual_counts(f, 1, 1.0132);
	set_state(f, 1, 6, SCALED);
	for (size_t i = 0; i < 2; i++)
		set_state(f, i, 7, NOT_SUPPORTED);
	gate(f, "instructions:u>+0.5%", true, true, 0.005);
	gate(f, "cycles:u>+1%", true, true, 0.01);
	gate(f, "context-switches>+10%", true, true, 0.1);
	gate(f, "branches:u>+0.5%", true, true, 0.005);
	gate(f, "branch-misses:u>+5%", true, true, 0.05);
	gate(f, "instructions:u>+1000000", true, false, 1000000);
	gate(f, "task-clock>+0.25", true, false, 0.25);
	gate(f, "cycles:u<-0.5%", false, true, -0.005);
}

/* Separate series with different numbers of runs, as saved documents have them. */
static void apart(struct fixed_comparison *f)
{
	start(f, "task-clock,instructions:u");
	side(f, "old.json", "'./prog --flag'", 15);
	side(f, "new.json", "'./prog --flag'", 40);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 123.4e6 * (1 + 0.1 * (double)i), 0.05);
		count(f, i, 1, 200123456 * (1 + 0.0005 * (double)i), 0.00001);
		times(f, i, 130, 0.05);
	}
	know(f, 0, "build-6", "AMD EPYC 7763 64-Core Processor");
	know(f, 1, "build-7", "AMD EPYC 7763 64-Core Processor");
	f->input.paired = false;
}

/* The default events of a comparison, on a machine that does not count branch-misses. */
static void by_default(struct fixed_comparison *f)
{
	start(f, "task-clock,instructions:u,cycles:u,branch-misses:u,page-faults");
	for (size_t i = 0; i < f->events.n; i++)
		f->events.events[i].implied = true;
	side(f, "./old", "./old", 40);
	side(f, "./new", "./new", 40);
	for (size_t i = 0; i < 2; i++) {
		count(f, i, 0, 112e6 * (1 + 0.031 * (double)i), 0.03);
		count(f, i, 1, 400123456 * (1 + 0.02 * (double)i), 0.0001);
		count(f, i, 2, 300123456 * (1 + 0.03 * (double)i), 0.02);
		set_state(f, i, 3, NOT_SUPPORTED);
		count(f, i, 4, 345, 0.01);
		times(f, i, 122 * (1 + 0.025 * (double)i), 0.3);
	}
	take_turns(f);
}

/* The sequential test ended the rounds, and the outputs differed. */
static void any_time(struct fixed_comparison *f)
{
	static char sentence[] = "'./old' and './new' write different output (4 and 5 bytes); see "
				 "diff <(./old) <(./new)";
	static char *sentences[] = { sentence };

	by_default(f);
	for (size_t i = 0; i < 40; i++)
		f->runs[1][i].readings[0].counts.raw = f->runs[1][i].readings[0].counts.raw * 9 / 5;
	f->input.any_time = true;
	f->input.different_work = (struct str_list){ .v = sentences, .n = 1 };
}

/* All rows of the same comparison. */
static void all_rows(struct fixed_comparison *f)
{
	by_default(f);
	f->input.all_rows = true;
}

/* Five values of a parameter. */
static void matrix(struct fixed_comparison *f)
{
	static const char *const names[] = { "sort -j1", "sort -j2", "sort -j4", "sort -j8",
					     "sort -j16" };
	static const double share[] = { 1, 0.55, 0.31, 0.312, 0.4 };

	start(f, "task-clock,page-faults");
	for (size_t i = 0; i < f->events.n; i++)
		f->events.events[i].implied = true;
	for (size_t i = 0; i < 5; i++) {
		side(f, names[i], names[i], 12);
		count(f, i, 0, 912e6 * (1 + 0.3 * (double)i), 0.03);
		count(f, i, 1, 3456 * (1 + 0.1 * (double)i), 0.01);
		times(f, i, 912 * share[i], 0.03);
	}
	take_turns(f);
}

const struct fixed_comparison fixed_comparisons[] = {
	{ .name = "by-default", .make = by_default },
	{ .name = "any-time", .make = any_time },
	{ .name = "all-rows", .make = all_rows },
	{ .name = "matrix", .make = matrix },
	{ .name = "two-sides", .make = two_sides },
	{ .name = "three-sides", .make = three_sides },
	{ .name = "exact", .make = exact },
	{ .name = "unclear", .make = unclear },
	{ .name = "zero-reference", .make = zero_reference },
	{ .name = "too-few-runs", .make = too_few_runs },
	{ .name = "one-run", .make = one_run },
	{ .name = "not-counted", .make = not_counted },
	{ .name = "far-outlier", .make = far_outlier },
	{ .name = "thousand-runs", .make = thousand_runs },
	{ .name = "long-and-wide-names", .make = long_and_wide_names },
	{ .name = "wide-sides", .make = wide_sides },
	{ .name = "metrics", .make = metrics },
	{ .name = "scaled", .make = scaled },
	{ .name = "estimated", .make = estimated },
	{ .name = "gates", .make = gates },
	{ .name = "apart", .make = apart },
	{ .name = NULL },
};

struct fixed_comparison *fixed_comparison_new(const struct fixed_comparison *which)
{
	struct fixed_comparison *f = calloc(1, sizeof(*f));
	cleanup_why struct why why = { 0 };
	int err;

	assert_non_null(f);
	f->name = which->name;
	which->make(f);
	err = suite_build(&f->suite, &f->input, &why);
	if (err < 0)
		fail_msg("%s: %s", f->name, why_text(&why, err));
	f->comparison = f->suite.cases;
	return f;
}

void fixed_comparison_free(struct fixed_comparison *f)
{
	suite_release(&f->suite);
	for (size_t i = 0; i < f->input.sides_n; i++) {
		for (size_t run = 0; run < f->series[i].runs_n; run++)
			free(f->runs[i][run].readings);
		free(f->runs[i]);
	}
	for (size_t i = 0; i < f->input.gates_n; i++)
		free(f->gates[i].name);
	free(f->rows);
	free(f->order);
	free(f->openings);
	metric_list_release(&f->metrics);
	event_list_release(&f->events);
	free(f);
}

char *fixed_comparison_print(const struct fixed_comparison *f, const struct format *format,
			     const struct format_style *style)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(format->write_comparison(&f->suite, style, out), 0);
	fclose(out);
	return text;
}
