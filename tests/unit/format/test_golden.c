/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every fixed report in every format, as it stands in golden/REPORT.FORMAT. `make update-golden` writes
 * these files anew and shows what has changed: to be read before it is committed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "unit/format/fixed.h"
#include "unit/format/golden.h"
#include "unit/test.h"

enum { LOOKS_MAX = 32, REPORTS_MAX = 128 };

/* A format, and how it is told to print: what an option chooses beside --format. */
struct look {
	const char *name; /* behind the dot of the file's name */
	const struct report_format *format;
	struct report_style style;
};

/* Those that --format does not name. */
static const struct look other_looks[] = {
	{ .name = "table-colour",
	  .format = &report_table,
	  .style = { .numbers = { .thousands = ",", .point = "." }, .colour = true } },
	{ .name = "table-metric-only",
	  .format = &report_table,
	  .style = { .numbers = { .thousands = ",", .point = "." }, .metric_only = true } },
	{ .name = "table-times",
	  .format = &report_table,
	  .style = { .numbers = { .thousands = ",", .point = "." }, .run_times = true } },
	{ .name = "perf-csv", .format = &report_perf_csv, .style = { .separator = "," } },
	{ .name = "perf-json", .format = &report_perf_json },
};

static struct look looks[LOOKS_MAX];
static size_t looks_n;

static struct golden golden;

static void add_looks(void)
{
	for (size_t i = 0; report_formats[i]; i++)
		looks[looks_n++] = (struct look){
			.name = report_formats[i]->name,
			.format = report_formats[i],
			.style.numbers = { .thousands = ",", .point = "." },
		};
	for (size_t i = 0; i < N_OF(other_looks); i++)
		looks[looks_n++] = other_looks[i];
}

static size_t compare(const struct fixed *f, const char *report, const struct look *look)
{
	cleanup_free char *text = fixed_print(f, look->format, look->style);
	cleanup_str struct str name = { 0 };

	str_addf(&name, "%s.%s", report, look->name);
	return !golden_holds(&golden, str_text(&name), text);
}

static void looks_as_in_its_files(void **state)
{
	const struct fixed_report *report = *state;
	cleanup_with(fixed_release) struct fixed f = { 0 };
	size_t others = 0;

	fixed_make(&f, report);
	for (size_t i = 0; i < looks_n; i++)
		others += compare(&f, report->name, &looks[i]);
	if (others && !golden.update)
		fail_msg("%s: %zu of %zu formats print something else; where that is right, "
			 "`make update-golden`",
			 report->name, others, looks_n);
}

/* Whether a golden file's name is that of a report and a look. */
static bool is_made(const char *file)
{
	for (const struct fixed_report *report = fixed_reports; report->name; report++) {
		size_t n = strlen(report->name);

		if (strncmp(file, report->name, n) != 0 || file[n] != '.')
			continue;
		for (size_t i = 0; i < looks_n; i++)
			if (strcmp(file + n + 1, looks[i].name) == 0)
				return true;
	}
	return false;
}

static void no_file_is_left_of_what_is_made_no_more(void **state)
{
	assert_int_equal(golden_strays(&golden, is_made), 0);
}

int main(void)
{
	struct CMUnitTest tests[REPORTS_MAX] = { cmocka_unit_test(
		no_file_is_left_of_what_is_made_no_more) };
	size_t n = 1;
	int failed;

	if (golden_open(&golden, "golden") < 0)
		return 99;
	add_looks();
	for (const struct fixed_report *report = fixed_reports; report->name; report++)
		tests[n++] = (struct CMUnitTest){ .name = report->name,
						  .test_func = looks_as_in_its_files,
						  .initial_state = (void *)(uintptr_t)report };
	failed = _cmocka_run_group_tests("golden", tests, n, NULL, NULL);
	golden_close(&golden);
	return failed;
}
