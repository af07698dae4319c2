/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences between two results in how they were measured. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "result/differences.h"
#include "result/series.h"
#include "unit/result/counted.h"
#include "unit/test.h"

#define TEXT(text) ((char *)(uintptr_t)(text))

/* A line for each difference: "kernel: 6.1 | 6.6". */
static void assert_differ(const struct counted *reference, const struct counted *other,
			  const char *expected)
{
	cleanup_with(table_release) struct table left = { 0 }, right = { 0 };
	cleanup_with(differences_release) struct differences list = { 0 };
	cleanup_str struct str text = { 0 };

	assert_int_equal(table_build(&left, &reference->series, NULL), 0);
	assert_int_equal(table_build(&right, &other->series, NULL), 0);
	assert_int_equal(differences_find(&list, &left, &right), 0);
	for (size_t i = 0; i < list.n; i++)
		str_addf(&text, "%s: %s | %s\n", list.v[i].what, list.v[i].reference,
			 list.v[i].other);
	assert_string_equal(str_text(&text), expected);
}

static void the_same_does_not_differ(void **state)
{
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };

	counted_whole(&old, "cs,page-faults:u,duration_time", 2);
	counted_whole(&new, "page-faults:u,cs,duration_time", 3);
	counted_set(&new, 0, 5);
	assert_differ(&old, &new, "");
}

static void the_machine_is_compared(void **state)
{
	static char *governors[] = { TEXT("performance"), TEXT("powersave") };
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };

	counted_whole(&old, "cs", 1);
	counted_whole(&new, "cs", 1);
	old.provenance = (struct provenance){ .pstat = TEXT("0.1"),
					      .libpfm4 = TEXT("4.12"),
					      .cwd = TEXT("/old"),
					      .host = TEXT("a"),
					      .kernel = TEXT("6.1.0"),
					      .machine = TEXT("x86_64"),
					      .cpu_model = TEXT("X"),
					      .cpus_online = TEXT("0-3"),
					      .governors = { governors, 1, 0 },
					      .turbo = { true, 0 },
					      .aslr = { true, 2 },
					      .paranoid = { true, 2 } };
	assert_differ(&old, &old, "");
	new.provenance = (struct provenance){ .pstat = TEXT("0.2"),
					      .libpfm4 = TEXT("4.13"),
					      .cwd = TEXT("/new"),
					      .host = TEXT("b"),
					      .kernel = TEXT("6.6.2"),
					      .machine = TEXT("aarch64"),
					      .cpu_model = TEXT("Y"),
					      .cpus_online = TEXT("0-7"),
					      .governors = { governors, 2, 0 },
					      .turbo = { true, 1 },
					      .aslr = { true, 0 },
					      .paranoid = { true, -1 } };
	assert_differ(&old, &new,
		      "host: a | b\n"
		      "kernel: 6.1.0 | 6.6.2\n"
		      "architecture: x86_64 | aarch64\n"
		      "processor: X | Y\n"
		      "CPUs online: 0-3 | 0-7\n"
		      "frequency governor: performance | performance, powersave\n"
		      "turbo: off | on\n"
		      "ASLR: on (randomize_va_space 2) | off (randomize_va_space 0)\n"
		      "version of pstat: 0.1 | 0.2\n");
}

static void an_unknown_fact_is_not_a_difference(void **state)
{
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };

	counted_whole(&old, "cs", 1);
	counted_whole(&new, "cs", 1);
	old.provenance = (struct provenance){ .kernel = TEXT("6.1.0"), .turbo = { true, 0 } };
	assert_differ(&old, &new, "");
	assert_differ(&new, &old, "");
	new.series.provenance = NULL;
	assert_differ(&old, &new, "");
}

static void the_command_is_compared(void **state)
{
	static char *words[] = { TEXT("sleep"), TEXT("1") };
	static char *others[] = { TEXT("sleep"), TEXT("2") };
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };

	counted_whole(&old, "cs", 1);
	counted_whole(&new, "cs", 1);
	old.provenance.argv = (struct str_list){ words, 2, 0 };
	new.provenance.argv = (struct str_list){ others, 2, 0 };
	assert_differ(&old, &new, "command: 'sleep 1' | 'sleep 2'\n");
	others[1] = words[1]; /* two builds: only the program name differs */
	others[0] = TEXT("/bin/sleep");
	assert_differ(&old, &new, "");
	new.provenance.argv.n = 1;
	assert_differ(&old, &new, "command: 'sleep 1' | '/bin/sleep'\n");
	new.provenance.argv.n = 0;
	new.series.has_usage = false;
	new.series.subject = "'system wide'";
	assert_differ(&old, &new, "target: a command | 'system wide'\n");
}

static void the_settings_are_compared(void **state)
{
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };

	counted_whole(&old, "cs", 1);
	counted_whole(&new, "cs", 1);
	new.series.scaling = SCALE_NOT;
	old.series.min_running = 12.5;
	assert_differ(&old, &new,
		      "counts of multiplexed events: scaled | not scaled\n"
		      "--min-running: 12.5 % | 5 %\n");
}

static void events_of_one_name_are_compared(void **state)
{
	static const char *const cpus[] = { "CPU0", "CPU1", NULL };
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };
	struct event *event;

	counted_init(&old, "cycles,cs,task-clock,r1a2b", cpus, 1);
	counted_init(&new, "cycles,cs,task-clock,r1a2b", cpus, 1);
	event = new.events.events;
	event[0].attr.exclude_kernel = 1;
	event[0].attr.precise_ip = 2;
	free(event[2].unit);
	event[2].unit = strdup("sec");
	event[3].attr.config1 = 7;
	event[3].config3 = 9;
	assert_differ(&old, &new,
		      "event cycles: hardware/config=0x0/ exclude_guest | "
		      "hardware/config=0x0/ exclude_kernel exclude_guest precise_ip=2\n"
		      "event task-clock: software/config=0x1/ exclude_guest in msec | "
		      "software/config=0x1/ exclude_guest in sec\n"
		      "event r1a2b: core/config=0x1a2b/ exclude_guest | "
		      "core/config=0x1a2b,config1=0x7,config3=0x9/ exclude_guest\n");
}

static void numbers_that_the_kernel_gives_are_not_compared(void **state)
{
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };

	counted_whole(&old, "cs,faults", 1);
	counted_whole(&new, "cs,faults", 1);
	for (size_t i = 0; i < 2; i++) {
		struct counted *it = i ? &new : &old;

		it->events.events[0].attr.type = PERF_TYPE_TRACEPOINT;
		it->events.events[0].attr.config = 300 + i;
		it->events.events[1].attr.type = (__u32)(20 + i);
		it->events.events[1].attr.config2 = 4096 * i;
		it->events.events[1].probed = strdup("./prog");
	}
	assert_differ(&old, &new, "");
	new.events.events[0].filter = strdup("prio < 100");
	old.events.events[0].filter = strdup("prio < 50");
	assert_differ(&old, &new,
		      "event cs: software// exclude_guest filter 'prio < 50' | "
		      "software// exclude_guest filter 'prio < 100'\n");
}

static void metrics_of_one_name_are_compared(void **state)
{
	cleanup_with(counted_release) struct counted old = { 0 }, new = { 0 };

	counted_whole(&old, "cs,faults", 1);
	counted_whole(&new, "cs,faults", 1);
	counted_add_metric(&old, "x=cs/faults", (const size_t[]){ 0, 1 });
	counted_add_metric(&old, "y=cs", (const size_t[]){ 0 });
	counted_add_metric(&new, "y=cs", (const size_t[]){ 0 });
	counted_add_metric(&new, "x=faults/cs", (const size_t[]){ 1, 0 });
	assert_differ(&old, &new, "metric x: x=cs/faults | x=faults/cs\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_does_not_differ),
		cmocka_unit_test(the_machine_is_compared),
		cmocka_unit_test(an_unknown_fact_is_not_a_difference),
		cmocka_unit_test(the_command_is_compared),
		cmocka_unit_test(the_settings_are_compared),
		cmocka_unit_test(events_of_one_name_are_compared),
		cmocka_unit_test(numbers_that_the_kernel_gives_are_not_compared),
		cmocka_unit_test(metrics_of_one_name_are_compared),
	};

	return cmocka_run_group_tests_name("differences", tests, NULL, NULL);
}
