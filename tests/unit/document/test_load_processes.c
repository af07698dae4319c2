/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A document with processes is read only if its processes fit its places and each other.
 * test_round_trip.c checks that everything is read. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "document/load.h"
#include "unit/format/looks.h"
#include "unit/test.h"

struct changed {
	int line;
	const char *from, *to; /* the first occurrence is replaced */
	const char *why; /* NULL: the document is read */
};

/* Load the document of the fixed result after the change. */
static int load_changed(struct saved *saved, const char *name, const struct changed *change,
			struct why *why)
{
	cleanup_with(fixed_release) struct fixed f = { 0 };
	cleanup_free char *json = NULL;
	cleanup_str struct str text = { 0 };
	const char *found;
	FILE *in;
	int err;

	fixed_make(&f, find_fixed_result(name));
	json = look_print_result(find_report_look("json"), &f);
	found = strstr(json, change->from);
	row_true(change, found != NULL);
	str_add_n(&text, json, (size_t)(found - json));
	str_add(&text, change->to);
	str_add(&text, found + strlen(change->from));
	in = fmemopen(text.text, text.len, "r");
	assert_non_null(in);
	err = load_saved(saved, in, why);
	fclose(in);
	return err;
}

static void check(const char *name, const struct changed *change)
{
	cleanup_with(saved_release) struct saved saved = { 0 };
	cleanup_why struct why why = { 0 };
	int err = load_changed(&saved, name, change, &why);

	row_string(change, err < 0 ? why_text(&why, err) : "", change->why ? change->why : "");
	row_int(change, err, change->why ? -EINVAL : 0);
}

static const struct changed of_processes[] = {
	{ ROW, "\"processes\"", "\"x\"", "processes: missing" },
	{ ROW, "\"processes\": [", "\"processes\": [], \"x\": [",
	  "processes: no process has the place 0" },
	{ ROW,
	  ",\n    { \"place\": 5, \"pid\": 103, \"parent\": null, \"first\": 5, "
	  "\"name\": \"a|b \xc3\xa9\", \"command\": null, \"start_ns\": 500000000,\n"
	  "      \"end_ns\": 950000000, \"end\": \"running\", \"exit_status\": null, "
	  "\"signal\": null }",
	  "", "processes: no process has the place 5" },
	{ ROW, "\"place\": 5, \"pid\"", "\"place\": 6, \"pid\"",
	  "processes[5].place: not a place; the number of places is 6" },
	{ ROW, "\"place\": 2, \"pid\"", "\"place\": 1, \"pid\"",
	  "processes[2].place: not after the place of the previous process" },
	{ ROW, "\"pid\": 103", "\"pid\": 0", "processes[5].pid: not a process ID" },
	{ ROW, "\"pid\": 103", "\"pid\": 2147483648", "processes[5].pid: not a process ID" },
	{ ROW, "\"pid\": 103", "\"pid\": null", NULL },
	{ ROW, "\"parent\": 0, \"first\": 1", "\"parent\": 1, \"first\": 1",
	  "processes[1].parent: not the place of an earlier process" },
	{ ROW, "\"parent\": 3, \"first\": 4", "\"parent\": 2147483647, \"first\": 4",
	  "processes[4].parent: not the place of an earlier process" },
	{ ROW, "\"parent\": 0, \"first\": 1", "\"parent\": null, \"first\": 1", NULL },
	{ ROW, "\"parent\": 3, \"first\": 4", "\"parent\": 3, \"first\": 5",
	  "processes[4].first: not the first place of the same process" },
	{ ROW, "\"parent\": 3, \"first\": 4", "\"parent\": 3, \"first\": 3",
	  "processes[4].first: not the first place of the same process" },
	{ ROW, "\"place\": 3, \"pid\": 101, \"parent\": 0, \"first\": 1",
	  "\"place\": 3, \"pid\": 101, \"parent\": 0, \"first\": 2",
	  "processes[3].first: not the first place of the same process" },
	{ ROW, "\"place\": 3, \"pid\": 101, \"parent\": 0, \"first\": 1",
	  "\"place\": 3, \"pid\": 101, \"parent\": 0, \"first\": 3", NULL },
	{ ROW, "\"name\": \"as\"", "\"name\": null", "processes[4].name: not a string" },
	{ ROW, "\"command\": \"as -\"", "\"command\": 1", "processes[4].command: not a string" },
	{ ROW, "\"end_ns\": 390000000", "\"end_ns\": 309999999",
	  "processes[4].end_ns: less than start_ns" },
	{ ROW, "\"end\": \"executed\"", "\"end\": \"gone\"", "processes[1].end: unknown value" },
	{ ROW, "\"end\": \"executed\"", "\"end\": \"running\"", NULL },
	{ ROW, "\"end\": \"executed\"", "\"end\": \"ended\"",
	  "processes[1].end: contradicts exit_status and signal" },
	{ ROW, "\"end\": \"ended\"", "\"end\": \"running\"",
	  "processes[0].end: contradicts exit_status and signal" },
	{ ROW, "\"exit_status\": null, \"signal\": 9", "\"exit_status\": 0, \"signal\": 9",
	  "processes[4].exit_status: has to be null, because there is a signal" },
	{ ROW, "\"exit_status\": 2, ", "\"exit_status\": 256, ",
	  "processes[0].exit_status: not an integer from 0 to 255" },
};

/* Only the first of several places can be the sum of the others, which has no process. */
static const struct changed of_names[] = {
	{ ROW, "\"place\": 1, \"pid\"", "\"place\": 2, \"pid\"",
	  "processes[0].first: not the first place of the same process" },
	{ ROW, "\"place\": 1, \"pid\": null, \"parent\": null, \"first\": 1",
	  "\"place\": 0, \"pid\": null, \"parent\": null, \"first\": 0",
	  "processes: no process has the place 1" },
	{ ROW, "\"parent\": null, \"first\": 1", "\"parent\": 0, \"first\": 1",
	  "processes[0].parent: not the place of an earlier process" },
	{ ROW, "\"place_kind\": \"process\"", "\"place_kind\": \"thread\"", NULL },
};

static void processes_fit_the_places_and_each_other(void **state)
{
	for (size_t i = 0; i < N_OF(of_processes); i++)
		check("processes", &of_processes[i]);
}

static void names_of_programs_need_no_process_for_the_sum(void **state)
{
	for (size_t i = 0; i < N_OF(of_names); i++)
		check("program-names", &of_names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_fit_the_places_and_each_other),
		cmocka_unit_test(names_of_programs_need_no_process_for_the_sum),
	};

	if (!dlopen("libjansson.so.4", RTLD_LAZY)) {
		printf("skipped: jansson cannot be loaded\n");
		return 77;
	}
	return cmocka_run_group_tests_name("load processes", tests, NULL, NULL);
}
