/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exposition of every fixed result follows the rules that readers enforce. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/why.h"
#include "format/format.h"
#include "result/process_rows.h"
#include "unit/format/looks.h"
#include "unit/test.h"

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Leave the name and labels of a sample, without its value. */
static void cut_value(char *line)
{
	char *blank = strrchr(line, ' ');

	assert_non_null(blank);
	*blank = '\0';
}

/* The sample belongs to the family that was declared last. */
static void check_family(const char *name, const char *line, const char *family)
{
	size_t n = strcspn(line, "{");

	if (n != strlen(family) || strncmp(line, family, n) != 0)
		fail_msg("%s: not of %s: %s", name, family, line);
}

static void check_exposition(const char *name, char *text)
{
	cleanup_str_list struct str_list series = { 0 };
	char family[64] = "", last[8] = "";

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		snprintf(last, sizeof(last), "%s", line);
		if (sscanf(line, "# TYPE %63s gauge", family) == 1 || line[0] == '#')
			continue;
		check_family(name, line, family);
		cut_value(line);
		assert_int_equal(str_list_add(&series, line), 0);
	}
	assert_string_equal(last, "# EOF");
	qsort(series.v, series.n, sizeof(*series.v), compare_texts);
	for (size_t i = 1; i < series.n; i++)
		if (strcmp(series.v[i - 1], series.v[i]) == 0)
			fail_msg("%s: twice: %s", name, series.v[i]);
}

static void families_are_declared_and_no_series_is_there_twice(void **state)
{
	for (const struct fixed_result *result = fixed_result; result->name; result++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		cleanup_free char *text = NULL;

		fixed_make(&f, result);
		text = fixed_print(&f, &format_openmetrics, (struct format_style){ 0 });
		check_exposition(result->name, text);
	}
}

/* However its processes are added up. */
static void no_series_of_a_process_is_there_twice(void **state)
{
	const struct result_look *look = find_report_look("openmetrics");

	for (enum process_by by = PROCESS_BY_PROCESS; by <= PROCESS_BY_TREE; by++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		cleanup_with(process_rows_release) struct process_rows rows = { 0 };
		const struct process_view view = { .by = by };
		cleanup_why struct why why = { 0 };
		struct fixed of_view = { 0 };
		cleanup_free char *text = NULL;

		fixed_make(&f, find_fixed_result("processes"));
		assert_int_equal(process_rows_build(&rows, &f.series, &view, &why), 0);
		of_view.series = rows.series;
		text = look_print_result(look, &of_view);
		check_exposition("processes", text);
	}
}

static char event_name[] = "cs", other_name[] = "cs:u", no_unit[] = "", web[] = "web";
static char no_utf8[] = "\xff", nor_this[] = "\xfe";

/* Print two events with the counts 1, 2, … */
static char *print_two(struct event *pair, struct opening *openings)
{
	const struct event_list events = { .events = pair, .n = 2 };
	struct row rows[2] = { { .event = 0, .counters = 1 }, { .event = 1, .counters = 1 } };
	struct reading samples[2] = { { COUNTED, { 1, 9, 9 } }, { COUNTED, { 2, 9, 9 } } };
	struct run run = { .readings = samples };
	const struct series series = { .subject = "'a\\b \"c\"\nd\xff'",
				       .events = &events,
				       .openings = openings,
				       .places = &(const struct place){ .label = no_unit },
				       .rows = rows,
				       .rows_n = 2,
				       .runs = &run,
				       .runs_n = 1,
				       .cgroups_n = 1 };
	cleanup_with(table_release) struct table result = { 0 };
	const struct format_style style = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(table_build(&result, &series, NULL), 0);
	assert_int_equal(format_openmetrics.write(&result, &style, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

#define COMMAND "command=\"a\\\\b \\\"c\\\"\\nd\xef\xbf\xbd\""

static void names_are_escaped_and_copies_numbered(void **state)
{
	static const struct {
		int line;
		char *second, *cgroup;
		bool first_narrowed;
		const char *labels[2];
		char *first; /* NULL: event_name */
	} rows[] = {
		{ ROW, other_name, NULL, false, { "event=\"cs\"", "event=\"cs:u\"" } },
		{ ROW, event_name, NULL, false, { "event=\"cs\"", "event=\"cs\",copy=\"2\"" } },
		{ ROW, event_name, web, false, { "event=\"cs\"", "cgroup=\"web\",event=\"cs\"" } },
		{ ROW, other_name, NULL, true, { "event=\"cs:u\"", "event=\"cs:u\",copy=\"2\"" } },
		{ ROW, no_utf8, NULL, false, { "event=\"cs\"", "event=\"\xef\xbf\xbd\"" } },
		{ ROW,
		  no_utf8,
		  NULL,
		  false,
		  { "event=\"\xef\xbf\xbd\"", "event=\"\xef\xbf\xbd\",copy=\"2\"" },
		  nor_this },
	};

	for (size_t i = 0; i < N_OF(rows); i++) {
		struct event pair[2] = { { .name = rows[i].first ? rows[i].first : event_name,
					   .unit = no_unit,
					   .factor = 1 },
					 { .name = rows[i].second,
					   .unit = no_unit,
					   .factor = 1,
					   .cgroup = rows[i].cgroup } };
		struct opening openings[2] = { { .user_only = rows[i].first_narrowed }, { 0 } };
		cleanup_free char *text = print_two(pair, openings);

		for (int j = 0; j < 2; j++) {
			cleanup_str struct str sample = { 0 };

			str_addf(&sample, "\npstat_event_value{" COMMAND ",%s} %d\n",
				 rows[i].labels[j], j + 1);
			row_true(&rows[i], strstr(text, str_text(&sample)) != NULL);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(families_are_declared_and_no_series_is_there_twice),
		cmocka_unit_test(no_series_of_a_process_is_there_twice),
		cmocka_unit_test(names_are_escaped_and_copies_numbered),
	};

	return cmocka_run_group_tests_name("openmetrics", tests, NULL, NULL);
}
