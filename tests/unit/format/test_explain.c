/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text and the JSON of --explain, character by character. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "event/resolve.h"
#include "format/terminal/describe.h"
#include "unit/build.h"
#include "unit/test.h"
#include "unit/tree.h"

#define DEVICES "sys/bus/event_source/devices/"

static struct machine machine;

static int set_up(void **state)
{
	machine.root = tree_new();
	tree_add(machine.root, DEVICES "kprobe/type", "6\n");
	tree_add(machine.root, DEVICES "kprobe/format/retprobe", "config:0\n");
	tree_add(machine.root, DEVICES "power/type", "26\n");
	tree_add(machine.root, DEVICES "power/cpumask", "0,18\n");
	tree_add(machine.root, DEVICES "power/events/energy-pkg", "config=0x2\n");
	tree_add(machine.root, DEVICES "power/events/energy-pkg.unit", "Joules\n");
	tree_add(machine.root, DEVICES "power/events/energy-pkg.scale", "0.25\n");
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(machine.root);
	return 0;
}

static char *explain_as(struct explanation e, const char *event, enum describe_format format)
{
	cleanup_with(event_list_release) struct event_list list = { 0 };
	cleanup_why struct why why = { 0 };
	cleanup_str struct str meaning = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err = resolve_events(&machine, RESOLVE_BY_ALL, event, &list, &why);

	if (err < 0)
		fail_msg("%s: %s", event, why_text(&why, err));
	assert_non_null(out);
	e.event = &list.events[0];
	e.attr = list.events[0].attr;
	e.attr.read_format = 3;
	assert_int_equal(resolve_meaning(&machine, e.event, &meaning), 0);
	e.meaning = str_text(&meaning);
	assert_int_equal(describe_event(&e, format, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static char *explain(const char *event, const char *group, enum describe_format format)
{
	return explain_as((struct explanation){ .group = group, .kernel = "accepts it" }, event,
			  format);
}

static char *explain_first_only(const char *event, const char *reason)
{
	return explain_as((struct explanation){ .kernel = "accepts it", .first_only = reason },
			  event, DESCRIBE_TEXT);
}

static void each_field_is_a_line(void **state)
{
	cleanup_free char *text = explain("power/energy-pkg/", NULL, DESCRIBE_ALL);

	assert_string_equal(text,
			    "event           power/energy-pkg/\n"
			    "kernel          accepts it\n"
			    "counts          power/energy-pkg/ of PMU power, for CPU 0,18 as a "
			    "whole, regardless of what runs there\n"
			    "source          sysfs\n"
			    "pmu             power\n"
			    "type            26\n"
			    "config          0x2\n"
			    "config1         0x0\n"
			    "config2         0x0\n"
			    "config3         0x0\n"
			    "read_format     0x3\n"
			    "exclude_user    0\n"
			    "exclude_kernel  0\n"
			    "exclude_hv      0\n"
			    "exclude_idle    0\n"
			    "exclude_host    0\n"
			    "exclude_guest   0\n"
			    "precise         0\n"
			    "pinned          0\n"
			    "exclusive       0\n"
			    "cpus            0,18\n"
			    "unit            Joules\n"
			    "scale           0.25\n");
}

static void people_see_what_differs_from_most_events(void **state)
{
	cleanup_free char *text =
		explain_as((struct explanation){ .kernel = "accepts it", .columns = 50 },
			   "power/energy-pkg/", DESCRIBE_TEXT);

	assert_string_equal(text, "event           power/energy-pkg/\n"
				  "kernel          accepts it\n"
				  "counts          power/energy-pkg/ of PMU power,\n"
				  "                for CPU 0,18 as a whole,\n"
				  "                regardless of what runs there\n"
				  "source          sysfs\n"
				  "cpus            0,18\n"
				  "unit            Joules\n");
}

/* What to count instead of an event that is refused. */
static void a_refused_event_has_a_substitute(void **state)
{
	static const struct {
		int line;
		const char *event, *instead;
	} rows[] = {
		{ ROW, "cycles", "task-clock, the CPU time\n" },
		{ ROW, "branch-misses",
		  "task-clock, the CPU time, which varies more between runs; " },
		{ ROW, "LLC-loads:u",
		  "task-clock, the CPU time, which varies more between runs; " },
		{ ROW, "r1a", "task-clock, the CPU time, which varies more between runs; " },
		{ ROW, "cs", "voluntary_switches and involuntary_switches\n" },
		{ ROW, "page-faults", NULL },
		{ ROW, "kprobe:do_exit", NULL },
	};
	const struct explanation refused = { .kernel = "not here", .refused = true };

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_free char *text = explain_as(refused, rows[i].event, DESCRIBE_TEXT);
		const char *instead = strstr(text, "\ninstead         ");

		row_true(&rows[i], !instead == !rows[i].instead);
		if (instead)
			row_int(&rows[i],
				strncmp(instead + strlen("\ninstead         "), rows[i].instead,
					strlen(rows[i].instead)),
				0);
	}
}

static void json_has_the_same_fields_in_one_object(void **state)
{
	cleanup_free char *text = explain("cycles:uD", "instructions", DESCRIBE_JSON);

	assert_string_equal(
		text,
		"{\"event\" : \"cycles:uD\", "
		"\"meaning\" : \"clock cycles of the CPU; their length follows its frequency\", "
		"\"kernel\" : \"accepts it\", \"counts\" : \"cycles:uD of PMU hardware in user "
		"mode, for the command and everything it starts, together with instructions\", "
		"\"source\" : \"generic\", \"pmu\" : \"hardware\", "
		"\"type\" : \"0\", \"config\" : \"0x0\", \"config1\" : \"0x0\", "
		"\"config2\" : \"0x0\", \"config3\" : \"0x0\", \"read_format\" : \"0x3\", "
		"\"exclude_user\" : \"0\", \"exclude_kernel\" : \"1\", \"exclude_hv\" : \"1\", "
		"\"exclude_idle\" : \"0\", \"exclude_host\" : \"0\", \"exclude_guest\" : \"1\", "
		"\"precise\" : \"0\", \"pinned\" : \"1\", \"exclusive\" : \"0\", "
		"\"cpus\" : \"any\", \"unit\" : \"count\", \"scale\" : \"1\"}\n");
}

/* What is counted, for events of each kind. */
static void one_line_says_it_in_words(void **state)
{
	static const struct {
		int line;
		const char *event, *words;
	} rows[] = {
		{ ROW, "cs",
		  "cs of PMU software in user mode, the kernel, the hypervisor, for the command "
		  "and everything it starts" },
		{ ROW, "cs:k",
		  "cs:k of PMU software in the kernel, for the command and everything it starts" },
		{ ROW, "user_time", "user_time, measured by pstat itself for each run" },
		{ ROW, "mem:counter:w:u",
		  "mem:counter:w:u of PMU breakpoint in user mode, for the command and everything "
		  "it starts, at the address of 'counter'" },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_free char *text = explain(rows[i].event, NULL, DESCRIBE_TEXT);
		char *words = strstr(text, "\ncounts          ");

		row_true(&rows[i], words != NULL);
		words += strlen("\ncounts          ");
		words[strcspn(words, "\n")] = '\0';
		row_string(&rows[i], words, rows[i].words);
	}
}

static void the_second_line_is_the_meaning(void **state)
{
	static const struct {
		int line;
		const char *event, *second;
	} rows[] = {
		{ ROW, "cs:k", "meaning         switches of a CPU from one task to another\n" },
		{ ROW, "LLC-stores", "meaning         stores to the last-level cache\n" },
		{ ROW, "dTLB-load-misses",
		  "meaning         loads from the TLB of data addresses that missed\n" },
		{ ROW, "user_time", "meaning         CPU time in user mode\n" },
		{ ROW, "r1a", "kernel          accepts it\n" }, /* a number has no meaning */
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		cleanup_free char *text = explain(rows[i].event, NULL, DESCRIBE_TEXT);
		const char *second = strchr(text, '\n') + 1;

		if (strncmp(second, rows[i].second, strlen(rows[i].second)) != 0)
			fail_msg("row of line %d: %s", rows[i].line, second);
	}
}

static void an_event_that_is_not_inherited_says_why(void **state)
{
	cleanup_free char *text = explain_first_only("kprobe:do_exit", "tracefs is not mounted");

	assert_non_null(strstr(text,
			       "the hypervisor, for the first task of the command only (tracefs "
			       "is not mounted)\n"));
}

static void an_event_that_is_refused_counts_no_tasks(void **state)
{
	cleanup_free char *text = explain_as(
		(struct explanation){ .kernel = "kernel probes need CAP_PERFMON", .refused = true },
		"kprobe:do_exit", DESCRIBE_ALL);

	assert_non_null(strstr(text, "\nhere            cannot be counted: kernel probes need "
				     "CAP_PERFMON\nkernel          kernel probes"));
	assert_non_null(strstr(text, "\nwould count     kprobe:do_exit of PMU "));
	assert_non_null(strstr(text, "kprobe in user mode, the kernel, the hypervisor\n"));
}

/* A probe's config1 is an address in pstat, so the name at that address is shown. */
static void a_probe_shows_its_file_or_function(void **state)
{
	cleanup_free char *text = explain("kretprobe:do_exit+4", NULL, DESCRIBE_ALL);

	assert_non_null(strstr(text, "\nconfig          0x1\n"
				     "config1         do_exit\n"
				     "config2         0x4\n"));
}

/* An independent JSON parser reads the output. */
static void json_is_read_by_another_program(void **state)
{
	static const char *const events[] = { "cs:u", "kprobe:a\\\\b\\:\"c\"", "user_time",
					      "kprobe:caf\303\251\377", "power/energy-pkg/" };

	if (!build_run("/", "python3 -c 'import json'"))
		skip(); /* python3 is missing */
	for (size_t i = 0; i < N_OF(events); i++) {
		cleanup_free char *text = explain(events[i], "'\"\t", DESCRIBE_JSON);

		tree_add(machine.root, "explained", text);
		assert_true(build_run(machine.root,
				      "python3 -c 'import json; "
				      "o = json.load(open(\"explained\", encoding=\"utf-8\")); "
				      "assert o[\"counts\"].endswith(chr(34) + chr(9))'"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field_is_a_line),
		cmocka_unit_test(people_see_what_differs_from_most_events),
		cmocka_unit_test(a_refused_event_has_a_substitute),
		cmocka_unit_test(json_has_the_same_fields_in_one_object),
		cmocka_unit_test(one_line_says_it_in_words),
		cmocka_unit_test(the_second_line_is_the_meaning),
		cmocka_unit_test(an_event_that_is_not_inherited_says_why),
		cmocka_unit_test(an_event_that_is_refused_counts_no_tasks),
		cmocka_unit_test(a_probe_shows_its_file_or_function),
		cmocka_unit_test(json_is_read_by_another_program),
	};

	return cmocka_run_group_tests_name("explain", tests, set_up, tear_down);
}
