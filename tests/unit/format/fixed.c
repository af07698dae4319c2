/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "format/format.h"
#include "result/series.h"
#include "unit/format/fixed.h"
#include "unit/resolve.h"
#include "unit/test.h"
#include "unit/tree.h"

#define SECOND UINT64_C(1000000000)
#define THE_START 1700000000 /* 2023-11-14T22:13:20Z */

/* ---- The parts of a result. */

static void resolve(struct fixed *f, const char *list)
{
	static const char pmu[] = "sys/bus/event_source/devices/power/";
	struct machine machine = { .root = tree_new() };
	static const char *const files[][2] = {
		{ "type", "26\n" },
		{ "events/energy-pkg", "config=0x2\n" },
		{ "events/energy-pkg.unit", "Joules\n" },
		{ "events/energy-pkg.scale", "2.3283064365386962890625e-10\n" },
		{ "events/read", "config=0x3\n" },
		{ "events/read.unit", "MiB\n" },
		{ "events/read.scale", "6.103515625e-5\n" },
	};

	for (size_t i = 0; i < N_OF(files); i++) {
		char path[128];

		snprintf(path, sizeof(path), "%s%s", pmu, files[i][0]);
		tree_add(machine.root, path, files[i][1]);
	}
	resolve_on(&machine, list, &f->events);
	tree_remove(machine.root);
}

static char *words[] = { (char[]){ "prog" }, (char[]){ "--flag" } };
static char *pmus[] = { (char[]){ "cpu" }, (char[]){ "power" }, (char[]){ "software" } };
static char *governors[] = { (char[]){ "performance" } };

#define THE_HOST                                                                                   \
	.pstat = (char[]){ "0.0" }, .cwd = (char[]){ "/home/\xff" }, .zone_s = 5400,               \
	.host = (char[]){ "host" }, .kernel = (char[]){ "6.1.0" },                                 \
	.machine = (char[]){ "x86_64" }, .cpu_model = (char[]){ "A \"CPU\"" },                     \
	.cpus_online = (char[]){ "0-3,7" }, .pmus = { pmus, N_OF(pmus), 0 },                       \
	.governors = { governors, N_OF(governors), 0 }, .turbo = { true, 0 }, .aslr = { true, 2 }, \
	.paranoid = { true, -1 }

static const struct provenance of_command = { THE_HOST, .argv = { words, N_OF(words), 0 },
					      .libpfm4 = (char[]){ "4.13.0" }, .has_seed = true,
					      .seed = UINT64_MAX };
static const struct provenance of_system = { THE_HOST };

/* The readings of one run: every event ran all the time, and every count differs. */
static struct run make_run(const struct fixed *f, size_t number)
{
	struct run run = { .readings = calloc(f->series.rows_n + 1, sizeof(*run.readings)),
			   .tool = { [TOOL_DURATION_TIME] = SECOND + number * (SECOND / 100),
				     [TOOL_USER_TIME] = 900000000 + number * 1000000,
				     [TOOL_SYSTEM_TIME] = 34567000,
				     [TOOL_MAX_RSS] = 1234 + number } };

	assert_non_null(run.readings);
	for (size_t i = 0; i < f->series.rows_n; i++)
		run.readings[i] = (struct reading){
			COUNTED, { 1000003 * (i + 1) + number * 1000 * i, SECOND, SECOND }
		};
	return run;
}

/* The rows of the events at these places, with one run. NULL: one place, the whole target. */
static void start(struct fixed *f, const char *list, enum place_kind kind,
		  const char *const *labels, size_t places)
{
	if (list)
		resolve(f, list);
	f->places_n = places;
	f->places = calloc(places, sizeof(*f->places));
	assert_non_null(f->places);
	for (size_t i = 0; i < places; i++)
		f->places[i] = (struct place){ kind, strdup(labels ? labels[i] : "") };
	f->openings = calloc(f->events.n + 1, sizeof(*f->openings));
	f->rows = calloc(f->events.n * places + 1, sizeof(*f->rows));
	f->runs = calloc(1, sizeof(*f->runs));
	assert_true(f->openings && f->rows && f->runs);
	for (size_t i = 0; i < f->events.n * places; i++) {
		f->rows[i] =
			(struct row){ .event = i % f->events.n,
				      .place_index = i / f->events.n,
				      .counters = kind > PLACE_CPU && kind < PLACE_THREAD ? 2 : 1 };
	}
	f->series = (struct series){ .subject = "'prog --flag'",
				     .started = THE_START,
				     .events = &f->events,
				     .openings = f->openings,
				     .places = f->places,
				     .rows = f->rows,
				     .rows_n = f->events.n * places,
				     .split = kind,
				     .runs = f->runs,
				     .runs_n = 1,
				     .min_running = 5,
				     .cgroups_n = 1,
				     .has_usage = true,
				     .provenance = &of_command };
	f->runs[0] = make_run(f, 0);
}

static void command(struct fixed *f, const char *list)
{
	start(f, list, PLACE_TARGET, NULL, 1);
}

static void whole_system(struct fixed *f, const char *list, enum place_kind kind,
			 const char *const *labels, size_t places)
{
	start(f, list, kind, labels, places);
	f->series.subject = "'system wide'";
	f->series.provenance = &of_system;
	f->series.has_usage = false;
}

static void repeat(struct fixed *f, size_t n)
{
	f->runs = realloc(f->runs, n * sizeof(*f->runs));
	assert_non_null(f->runs);
	for (size_t i = 1; i < n; i++)
		f->runs[i] = make_run(f, i);
	f->series.runs = f->runs;
	f->series.runs_n = n;
}

/* Divide the run into intervals of one second, as -I 1000 does. */
static void divide(struct fixed *f, size_t n)
{
	f->intervals = calloc(n, sizeof(*f->intervals));
	assert_non_null(f->intervals);
	for (size_t i = 0; i < n; i++) {
		f->intervals[i] =
			(struct interval){ .run = make_run(f, 0), .at_ns = (i + 1) * SECOND + i };
		for (size_t row = 0; row < f->series.rows_n; row++)
			f->intervals[i].run.readings[row].counts.raw += i * 10;
		f->intervals[i].run.tool[TOOL_DURATION_TIME] = SECOND;
	}
	f->series.intervals = f->intervals;
	f->series.intervals_n = n;
	f->series.interval_ms = 1000;
}

static void set(struct fixed *f, size_t row, struct reading reading)
{
	for (size_t i = 0; i < f->series.runs_n; i++)
		f->runs[i].readings[row] = reading;
}

static void count(struct fixed *f, size_t row, uint64_t raw)
{
	set(f, row, (struct reading){ COUNTED, { raw, SECOND, SECOND } });
}

static void call(struct fixed *f, size_t event, const char *name)
{
	free(f->events.events[event].name);
	f->events.events[event].name = strdup(name);
}

static void give_cgroup(struct fixed *f, size_t event, const char *cgroup)
{
	f->events.events[event].cgroup = strdup(cgroup);
}

static void refuse(struct fixed *f, size_t event, const char *reason)
{
	f->openings[event].refused = true;
	f->openings[event].reason.text = strdup(reason);
	for (size_t row = event; row < f->series.rows_n; row += f->events.n) {
		f->rows[row].counters = 0;
		set(f, row, (struct reading){ .state = NOT_SUPPORTED });
	}
}

/* indices: for each metric in turn, those of its events. */
static void ask(struct fixed *f, const char *list, const size_t *indices)
{
	resolve_metrics(&f->metrics, list, indices);
	f->series.metrics = &f->metrics;
}

/* ---- The results of one command. */

#define USUAL                                                                                      \
	"task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,"     \
	"branch-misses"

static void usual_counts(struct fixed *f)
{
	static const uint64_t counts[] = { 1234567890, 12,	   0,	    345,
					   3703703670, 7407407340, 1000000, 23456 };

	for (size_t i = 0; i < N_OF(counts); i++)
		count(f, i, counts[i]);
}

static void one_run(struct fixed *f)
{
	command(f, USUAL);
	f->runs[0].tool[TOOL_DURATION_TIME] = 1300000000;
	usual_counts(f);
}

static void five_runs(struct fixed *f)
{
	command(f, "task-clock,cs,cycles,instructions");
	repeat(f, 5);
}

static void constant_runs(struct fixed *f)
{
	command(f, USUAL);
	repeat(f, 3);
	usual_counts(f);
	for (size_t i = 0; i < 3; i++)
		f->runs[i].tool[TOOL_DURATION_TIME] = SECOND;
}

static void thousand_runs(struct fixed *f)
{
	command(f, "cycles,page-faults");
	repeat(f, 1000);
}

static void some_runs_without_a_count(struct fixed *f)
{
	command(f, "cycles,instructions");
	repeat(f, 4);
	f->runs[1].readings[0] = (struct reading){ NOT_COUNTED, { 0, SECOND, 0 } };
	f->runs[2].readings[1] = (struct reading){ SCALED, { 500000, SECOND, SECOND / 2 } };
	f->runs[3].readings[1] = (struct reading){ SCALED, { 5, SECOND, SECOND / 1000 } };
	f->runs[1].wait_status = 3 << 8; /* exit status 3 */
	f->runs[2].wait_status = 9; /* killed by signal 9 */
}

static void multiplexed(struct fixed *f)
{
	command(f, "{cycles,instructions},{branches,branch-misses},cs");
	set(f, 0, (struct reading){ SCALED, { 1000000, 3 * SECOND, SECOND } });
	set(f, 1, (struct reading){ SCALED, { 2500000, 3 * SECOND, SECOND } });
	set(f, 2, (struct reading){ SCALED, { 999, 100000, 99999 } });
	set(f, 3, (struct reading){ SCALED, { 9, 100000, 99999 } });
}

/* An exact count, an estimate, an estimate without an interval, and a count that is only scaled. */
static void estimated(struct fixed *f)
{
	command(f, "cs,cycles,instructions,branches,power/read/");
	set(f, 1,
	    (struct reading){ SCALED,
			      { 1000000, 3 * SECOND, SECOND },
			      .estimate = { 3100000.75, 65100.5 },
			      .has_estimate = true });
	set(f, 2,
	    (struct reading){ SCALED,
			      { 2500000, 3 * SECOND, SECOND },
			      .estimate = { 7400000, NAN },
			      .has_estimate = true });
	set(f, 3, (struct reading){ SCALED, { 999, 100000, 50000 } });
	set(f, 4,
	    (struct reading){ SCALED,
			      { 163840000, 4 * SECOND, SECOND },
			      .estimate = { 655360000, 700000000 },
			      .has_estimate = true });
}

/* Estimates with an interval, and without; and one run of three that is only scaled. */
static void estimated_runs(struct fixed *f)
{
	command(f, "cs,cycles,instructions,branches");
	repeat(f, 3);
	for (size_t i = 0; i < 3; i++) {
		struct reading *readings = f->runs[i].readings;

		readings[1] = (struct reading){ SCALED,
						{ 1000000 + i, 3 * SECOND, SECOND },
						.estimate = { 3000000 + 5000.5 * (double)i, 90000 },
						.has_estimate = true };
		readings[2] = (struct reading){ SCALED,
						{ 2500000 + i, 3 * SECOND, SECOND },
						.estimate = { 7400000 + 9000 * (double)i, NAN },
						.has_estimate = true };
	}
	f->runs[1].readings[3] = (struct reading){ SCALED, { 1500000, 3 * SECOND, SECOND } };
}

static void not_scaled(struct fixed *f)
{
	multiplexed(f);
	f->series.scaling = SCALE_NOT;
}

static void not_supported(struct fixed *f)
{
	command(f, "cycles,instructions,cs");
	refuse(f, 0, "no PMU of this machine counts it");
	refuse(f, 1, "no PMU of this machine counts it");
}

static void not_counted(struct fixed *f)
{
	command(f, "cycles,instructions,branches,cs");
	set(f, 0, (struct reading){ NOT_COUNTED, { 0, SECOND, 0 } });
	set(f, 1, (struct reading){ .state = FAILED });
	set(f, 2, (struct reading){ SCALED, { 12, SECOND, SECOND / 100 } });
}

static void large_counts(struct fixed *f)
{
	command(f, "r1,cycles,instructions,cpu-clock,cs");
	count(f, 0, UINT64_MAX);
	count(f, 1, UINT64_C(1000000000000000));
	count(f, 2, (UINT64_C(1) << 53) + 1);
	count(f, 3, UINT64_C(18000000000000000000));
	count(f, 4, 1);
	f->runs[0].tool[TOOL_DURATION_TIME] = UINT64_C(18000000000000000000);
}

static void zero(struct fixed *f)
{
	command(f, USUAL);
	for (size_t i = 0; i < f->events.n; i++)
		count(f, i, 0);
	for (size_t i = 0; i < TOOL_N; i++)
		f->runs[0].tool[i] = 0;
}

static void null_run(struct fixed *f)
{
	command(f, NULL);
	f->series.null_run = true;
}

static void null_runs(struct fixed *f)
{
	null_run(f);
	repeat(f, 10);
}

static void units(struct fixed *f)
{
	command(f, "task-clock,power/energy-pkg/,power/read/,cs");
	count(f, 0, 1500000);
	count(f, 1, UINT64_C(4294967296000));
	count(f, 2, 163840000);
}

static void tool_events(struct fixed *f)
{
	command(f, "duration_time,user_time,system_time,max_rss,major_faults_rusage,cs");
	repeat(f, 2);
}

static void passes(struct fixed *f)
{
	static const size_t of_group[] = { 0, 1, SIZE_MAX };

	command(f, "{cycles,instructions},{branches,branch-misses},cs");
	repeat(f, 2);
	f->runs[0].readings[2] = f->runs[0].readings[3] = (struct reading){ .state = ELSEWHERE };
	f->runs[1].readings[0] = f->runs[1].readings[1] = (struct reading){ .state = ELSEWHERE };
	f->series.passes = of_group;
	f->series.passes_n = 2;
}

/* ---- Metrics. */

static void derived(struct fixed *f)
{
	command(f, "task-clock,cycles,stalled-cycles-frontend,stalled-cycles-backend,instructions,"
		   "branches,branch-misses,cache-references,cache-misses,L1-dcache-loads,"
		   "L1-dcache-load-misses,LLC-loads,LLC-load-misses,dTLB-loads,dTLB-load-misses");
	for (size_t i = 1; i < f->events.n; i++)
		count(f, i, 100000000 / i);
	count(f, 0, SECOND);
	count(f, 6, 40000000); /* a high share of missed branches */
	count(f, 8, 9000000);
}

static void requested_metrics(struct fixed *f)
{
	static const size_t indices[] = { 1, 0, 3, 2, 0, 1, 3 };

	command(f, "{cycles,instructions,branches,branch-misses}");
	ask(f,
	    "ipc,branch-miss-rate,per_insn=(cycles-2)/instructions,branch-misses.per.s="
	    "'branch-misses'/time",
	    indices);
}

static void withheld_metrics(struct fixed *f)
{
	static const size_t indices[] = { 1, 0, 0, 2 };

	command(f, "cycles,instructions,branches");
	set(f, 1, (struct reading){ SCALED, { 1000, SECOND, SECOND / 2 } });
	set(f, 2, (struct reading){ NOT_COUNTED, { 0, SECOND, 0 } });
	ask(f, "ipc,mine=cycles/branches", indices);
}

/* ---- Names. */

static void user_only(struct fixed *f)
{
	command(f, "cycles,cs,power/energy-pkg/");
	for (size_t i = 0; i < f->events.n; i++)
		f->openings[i].user_only = true;
}

static void long_names(struct fixed *f)
{
	command(f, "cycles,instructions,branches,cs");
	call(f, 1, "skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS_LOCAL_DRAM:SNP_NONE_OR_MISS:u");
	call(f, 2, "a_name_one_longer_than_its_column");
	count(f, 3, UINT64_C(1234567890123456789));
	set(f, 2, (struct reading){ SCALED, { 1000, SECOND, SECOND / 2 } });
}

static void hostile_names(struct fixed *f)
{
	command(f, "r1,r2,r3,r4,r5,r6,r7,r8");
	call(f, 0, "a,b;c|d\te");
	call(f, 1, "say \"yes\", or 'no'");
	call(f, 2, "two\nlines\r\n");
	call(f, 3, "{brace}[bracket]<angle>&amp;");
	call(f, 4, "\033[31mred\033[0m\033]0;title\a");
	call(f, 5, "back\\slash\\n`tick`*star*_under_");
	call(f, 6, "# no comment");
	call(f, 7, " blanks ");
	f->series.subject = "'prog \"a,b\" \n{x} \033[2J'";
}

static void unicode_names(struct fixed *f)
{
	command(f, "r1,r2,r3,r4,r5");
	call(f, 0, "énergie·é");
	call(f, 1, "命令数");
	call(f, 2, "e\u0301nergie combine\u0301e");
	call(f, 3, "🚀launch\u200d");
	call(f, 4, "\u202eright-to-left\u202c\302\23331m");
	f->series.subject = "'größe 大'";
}

static void invalid_utf8_names(struct fixed *f)
{
	command(f, "r1,r2,r3,r4");
	call(f, 0, "latin1 \xe9t\xe9");
	call(f, 1, "cut \xe5\x91");
	call(f, 2, "long \xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80");
	f->series.subject = "'prog \xff\xfe'";
}

/* ---- Places. */

static const char *const cpus[] = { "CPU0", "CPU1", "CPU2", "CPU127" };

static void system_wide(struct fixed *f)
{
	whole_system(f, "task-clock,cs,cycles", PLACE_TARGET, NULL, 1);
	count(f, 0, 4 * SECOND);
}

static void per_cpu(struct fixed *f)
{
	whole_system(f, "cs,cycles,instructions", PLACE_CPU, cpus, N_OF(cpus));
}

static void per_core_on_128_cpus(struct fixed *f)
{
	char labels[64][16];
	const char *list[64];

	for (unsigned int i = 0; i < N_OF(labels); i++) {
		snprintf(labels[i], sizeof(labels[i]), "S%u-D0-C%u", i / 32, i % 32);
		list[i] = labels[i];
	}
	whole_system(f, "cycles,instructions", PLACE_CORE, list, N_OF(list));
}

static void per_cluster(struct fixed *f)
{
	static const char *const labels[] = { "S0-D0-CLS0", "S0-D0-CLS64" };

	whole_system(f, "cs", PLACE_CLUSTER, labels, N_OF(labels));
}

static void per_cache(struct fixed *f)
{
	static const char *const labels[] = { "S0-D0-L3-ID0", "S0-D0-L3-ID16" };

	whole_system(f, "cs", PLACE_CACHE, labels, N_OF(labels));
}

static void per_die(struct fixed *f)
{
	static const char *const labels[] = { "S0-D0", "S0-D1", "S1-D0" };

	whole_system(f, "cs,cycles", PLACE_DIE, labels, N_OF(labels));
}

static void per_socket(struct fixed *f)
{
	static const char *const labels[] = { "S0", "S1" };

	whole_system(f, "cs,power/energy-pkg/,cycles", PLACE_SOCKET, labels, N_OF(labels));
	repeat(f, 3);
	refuse(f, 2, "no PMU of this machine counts it");
}

static void per_node(struct fixed *f)
{
	static const char *const labels[] = { "N0", "N1" };

	whole_system(f, "cs,cycles", PLACE_NODE, labels, N_OF(labels));
}

static void per_thread(struct fixed *f)
{
	static const char *const labels[] = { "prog-1234",   "命令-1235", "cafe\u0301-1236",
					      "🚀-99999",     "a-b-7",	  "\033[31mred-8",
					      "new\nline-9", "caf\xe9-10" };

	whole_system(f, "task-clock,cs", PLACE_THREAD, labels, N_OF(labels));
	f->series.subject = "process id '1234'";
	set(f, 3, (struct reading){ NOT_COUNTED, { 0, SECOND, 0 } });
}

static void long_threads(struct fixed *f)
{
	static const char *const labels[] = { "kworker/u8:2-events_unbound-2440", "sh-1234567890" };

	whole_system(f, "cs", PLACE_THREAD, labels, N_OF(labels));
	f->series.subject = "process id '1234', thread id '7'";
}

static void no_thread(struct fixed *f)
{
	static const char *const labels[] = { "idle-1" };

	whole_system(f, "cs", PLACE_THREAD, labels, N_OF(labels));
	f->series.only_counted = true;
	count(f, 0, 0);
}

static void cgroups(struct fixed *f)
{
	whole_system(f, "cs,cycles,instructions,cs", PLACE_TARGET, NULL, 1);
	give_cgroup(f, 0, "system.slice/sshd.service");
	give_cgroup(f, 1, "a");
	give_cgroup(f, 2, "a");
	set(f, 0, (struct reading){ NOT_COUNTED, { 0, SECOND, 0 } });
}

static void cgroups_per_cpu(struct fixed *f)
{
	whole_system(f, "cycles,instructions,cycles,instructions", PLACE_CPU, cpus, 2);
	f->series.cgroups_n = 2;
	for (size_t i = 0; i < f->events.n; i++)
		give_cgroup(f, i, i < 2 ? "größe/大" : "b,c");
}

static void merged_instances(struct fixed *f)
{
	static const char *const labels[] = { "S0", "S1" };

	whole_system(f, "r1,r1,cs", PLACE_SOCKET, labels, N_OF(labels));
	f->events.events[1].merged = true;
	f->events.events[1].name_index = f->events.events[0].name_index;
}

/* ---- Intervals. */

static void intervals(struct fixed *f)
{
	command(f, "task-clock,cycles,instructions");
	divide(f, 3);
	f->intervals[1].run.readings[1] = (struct reading){ NOT_COUNTED, { 0, SECOND, 0 } };
	f->intervals[2].run.readings[1] = (struct reading){ SCALED, { 1000, SECOND, SECOND / 4 } };
}

static void intervals_and_summary(struct fixed *f)
{
	command(f, "cs,cycles");
	divide(f, 2);
	f->series.summary_asked = true;
}

static void intervals_per_cpu(struct fixed *f)
{
	whole_system(f, "cs,cycles", PLACE_CPU, cpus, 2);
	divide(f, 2);
}

static void intervals_per_core(struct fixed *f)
{
	static const char *const labels[] = { "S0-D0-C0", "S0-D0-C1" };

	whole_system(f, "cycles,instructions,stalled-cycles-frontend", PLACE_CORE, labels,
		     N_OF(labels));
	divide(f, 2);
}

static void intervals_per_thread(struct fixed *f)
{
	static const char *const labels[] = { "prog-1234", "kworker/u8:2-events_unbound-2440" };

	whole_system(f, "cs", PLACE_THREAD, labels, N_OF(labels));
	divide(f, 2);
}

static void late_intervals(struct fixed *f)
{
	command(f, "cs,power/energy-pkg/");
	divide(f, 2);
	f->intervals[0].at_ns = 999999 * SECOND;
	f->intervals[1].at_ns = 12345678 * SECOND + 9;
	f->intervals[1].missed = 3;
}

static void set_process(struct fixed *f, size_t place_index, struct process process)
{
	struct process *made = malloc(sizeof(*made));

	assert_non_null(made);
	*made = process;
	made->name = strdup(process.name);
	made->command = process.command ? strdup(process.command) : NULL;
	assert_non_null(made->name);
	f->places[place_index].process = made;
}

/* A process for each way to end. Process 101 executes cc1 twice. */
static void processes(struct fixed *f)
{
	const struct process all[] = {
		{ .pid = 100,
		  .first = 0,
		  .parent = PLACE_NONE,
		  .processes_n = 1,
		  .name = (char[]){ "make" },
		  .command = (char[]){ "make -j2" },
		  .end_ns = 950000000,
		  .end = PROCESS_ENDED,
		  .wait_status = 2 << 8 },
		{ .pid = 101,
		  .first = 1,
		  .parent = 0,
		  .processes_n = 1,
		  .name = (char[]){ "make" },
		  .command = (char[]){ "make -j2" },
		  .start_ns = 10000000,
		  .end_ns = 11000000,
		  .end = PROCESS_EXECUTED },
		{ .pid = 101,
		  .first = 1,
		  .continues = true,
		  .parent = 0,
		  .processes_n = 1,
		  .name = (char[]){ "cc1" },
		  .command = (char[]){ "cc1 -DA=\"x,y\" a.c" },
		  .start_ns = 11000000,
		  .end_ns = 300000000,
		  .end = PROCESS_EXECUTED },
		{ .pid = 101,
		  .first = 1,
		  .continues = true,
		  .parent = 0,
		  .processes_n = 1,
		  .name = (char[]){ "cc1" },
		  .command = (char[]){ "cc1 b.c" },
		  .start_ns = 300000000,
		  .end_ns = 400000001,
		  .end = PROCESS_ENDED },
		{ .pid = 102,
		  .first = 4,
		  .parent = 3,
		  .processes_n = 1,
		  .name = (char[]){ "as" },
		  .command = (char[]){ "as -" },
		  .start_ns = 310000000,
		  .end_ns = 390000000,
		  .end = PROCESS_ENDED,
		  .wait_status = 9 },
		{ .pid = 103,
		  .first = 5,
		  .parent = PLACE_NONE,
		  .processes_n = 1,
		  .name = (char[]){ "a|b é" },
		  .start_ns = 500000000,
		  .end_ns = 950000000 },
	};
	static const char *const labels[] = { "make-100", "make-101", "cc1-101",
					      "cc1-101",  "as-102",   "a|b é-103" };

	start(f, "task-clock,cycles", PLACE_PROCESS, labels, N_OF(all));
	for (size_t i = 0; i < N_OF(all); i++)
		set_process(f, i, all[i]);
	set(f, 11, (struct reading){ .state = FAILED });
}

/* A build of four files: the compiler, which runs cc1 and as. */
static void build(struct fixed *f)
{
	enum { FILES_N = 4, PROCESSES_N = 1 + 3 * FILES_N };
	static const char *const names[] = { "as", "gcc", "cc1" };
	const char *labels[PROCESSES_N];
	char made[PROCESSES_N][sizeof("make-4711")];

	for (size_t i = 0; i < PROCESSES_N; i++) {
		snprintf(made[i], sizeof(made[i]), "%s-%zu", i == 0 ? "make" : names[i % 3],
			 4711 + i);
		labels[i] = made[i];
	}
	start(f, "task-clock", PLACE_PROCESS, labels, PROCESSES_N);
	set_process(f, 0,
		    (struct process){ .pid = 4711,
				      .parent = PLACE_NONE,
				      .processes_n = 1,
				      .name = (char[]){ "make" },
				      .command = (char[]){ "make -j2" },
				      .end_ns = 2950000000,
				      .end = PROCESS_ENDED });
	for (size_t i = 1; i < PROCESSES_N; i++) {
		static const char *const before[] = {
			"as -I . -I ./include --64 -o ", "gcc -O2 -I. -I./include -c -o ",
			"/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -I . -I ./include -O2 -o "
		};
		const size_t number = (i + 2) / 3, step = i % 3;
		cleanup_str struct str all = { 0 };
		char name[sizeof("gcc")];

		str_addf(&all, "%sf%zu.o src/f%zu.c", before[step], number, number);
		snprintf(name, sizeof(name), "%s", names[step]);
		set_process(f, i,
			    (struct process){ .pid = 4711 + (pid_t)i,
					      .first = i,
					      .parent = step == 1 ? 0 : i - (step == 2 ? 1 : 2),
					      .processes_n = 1,
					      .name = name,
					      .command = all.text,
					      .start_ns = i * 100000000,
					      .end_ns = i * 200000000,
					      .end = PROCESS_ENDED });
	}
}

/* The places of several runs: the sum, and the names of programs. */
static void program_names(struct fixed *f)
{
	static const char *const labels[] = { "", "make", "cc1" };

	start(f, "task-clock,cycles", PLACE_PROCESS, labels, N_OF(labels));
	for (size_t i = 1; i < N_OF(labels); i++)
		set_process(f, i,
			    (struct process){
				    .first = i, .parent = PLACE_NONE, .name = f->places[i].label });
	repeat(f, 3);
	for (size_t i = 0; i < 3; i++)
		for (size_t row = 0; row < 2; row++)
			f->runs[i].readings[row].counts.raw =
				f->runs[i].readings[row + 2].counts.raw +
				f->runs[i].readings[row + 4].counts.raw;
}

const struct fixed_result fixed_result[] = {
	{ "one-run", one_run },
	{ "five-runs", five_runs },
	{ "constant-runs", constant_runs },
	{ "thousand-runs", thousand_runs },
	{ "some-runs-without-a-count", some_runs_without_a_count },
	{ "multiplexed", multiplexed },
	{ "estimated", estimated },
	{ "estimated-runs", estimated_runs },
	{ "not-scaled", not_scaled },
	{ "not-supported", not_supported },
	{ "not-counted", not_counted },
	{ "large-counts", large_counts },
	{ "zero", zero },
	{ "null-run", null_run },
	{ "null-runs", null_runs },
	{ "units", units },
	{ "tool-events", tool_events },
	{ "passes", passes },
	{ "derived", derived },
	{ "requested-metrics", requested_metrics },
	{ "withheld-metrics", withheld_metrics },
	{ "user-only", user_only },
	{ "long-names", long_names },
	{ "hostile-names", hostile_names },
	{ "unicode-names", unicode_names },
	{ "invalid-utf8-names", invalid_utf8_names },
	{ "system-wide", system_wide },
	{ "per-cpu", per_cpu },
	{ "per-core-on-128-cpus", per_core_on_128_cpus },
	{ "per-cluster", per_cluster },
	{ "per-cache", per_cache },
	{ "per-die", per_die },
	{ "per-socket", per_socket },
	{ "per-node", per_node },
	{ "per-thread", per_thread },
	{ "long-threads", long_threads },
	{ "no-thread", no_thread },
	{ "cgroups", cgroups },
	{ "cgroups-per-cpu", cgroups_per_cpu },
	{ "merged-instances", merged_instances },
	{ "processes", processes },
	{ "program-names", program_names },
	{ "build", build },
	{ "intervals", intervals },
	{ "intervals-and-summary", intervals_and_summary },
	{ "intervals-per-cpu", intervals_per_cpu },
	{ "intervals-per-core", intervals_per_core },
	{ "intervals-per-thread", intervals_per_thread },
	{ "late-intervals", late_intervals },
	{ .name = NULL },
};

void fixed_make(struct fixed *f, const struct fixed_result *result)
{
	*f = (struct fixed){ 0 };
	result->make(f);
}

void fixed_release(struct fixed *f)
{
	for (size_t i = 0; i < f->places_n; i++)
		place_release(&f->places[i]);
	free(f->places);
	for (size_t i = 0; i < f->events.n; i++)
		free(f->openings[i].reason.text);
	for (size_t i = 0; i < f->series.runs_n; i++)
		free(f->runs[i].readings);
	for (size_t i = 0; i < f->series.intervals_n; i++)
		free(f->intervals[i].run.readings);
	free(f->rows);
	free(f->openings);
	free(f->runs);
	free(f->intervals);
	metric_list_release(&f->metrics);
	event_list_release(&f->events);
}

static void print(const struct series *series, const struct interval *interval,
		  const struct format *format, const struct format_style *style, FILE *out)
{
	cleanup_with(table_release) struct table result = { 0 };

	assert_int_equal(table_build(&result, series, interval), 0);
	assert_int_equal(format->write(&result, style, out), 0);
}

char *fixed_print(const struct fixed *f, const struct format *format, struct format_style style)
{
	bool streams = f->intervals && format->intervals != INTERVALS_INSIDE;
	bool replaces = format->intervals == INTERVALS_REPLACED;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	style.header = true;
	for (size_t i = 0; streams && i < f->series.intervals_n; i++) {
		bool replaced =
			replaces && (f->series.summary_asked || i + 1 < f->series.intervals_n);

		if (!replaced)
			print(&f->series, &f->intervals[i], format, &style, out);
		style.header = false;
	}
	style.is_summary = streams;
	if (!streams || f->series.summary_asked)
		print(&f->series, NULL, format, &style, out);
	assert_int_equal(fclose(out), 0);
	return text;
}
