/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CSV of every fixed result follows RFC 4180 and has the columns of the manual. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/format.h"
#include "unit/format/fixed.h"
#include "unit/test.h"

/* Programs depend on names and positions of the columns: add new ones at the end. */
static const char csv_header[] =
	"command,run,time_s,place_kind,place,counters,cgroup,event,unit,state,value,raw,enabled_ns,"
	"running_ns,running_percent,elapsed_s,user_s,system_s,max_rss_kib,exit_status,signal,"
	"value_low,value_high,estimator\r\n";
static const char csv_summary_header[] =
	"command,run,time_s,place_kind,place,counters,cgroup,event,unit,state,runs,n,mean,stddev,"
	"stderr,stderr_percent,median,min,max,running_ns,running_percent,elapsed_s,"
	"elapsed_stderr_s,user_s,user_stderr_s,system_s,system_stderr_s,metric_1,metric_1_unit,"
	"metric_2,metric_2_unit,value_low,value_high,estimator\r\n";

static void the_columns_stay_where_they_are(void **state)
{
	cleanup_with(fixed_release) struct fixed f = { 0 };
	const struct format_style style = { .header = true };
	cleanup_free char *csv = NULL, *summary = NULL;

	fixed_make(&f, &fixed_result[0]);
	csv = fixed_print(&f, &format_csv, style);
	summary = fixed_print(&f, &format_csv_summary, style);
	assert_memory_equal(csv, csv_header, strlen(csv_header));
	assert_memory_equal(summary, csv_summary_header, strlen(csv_summary_header));
}

/* The end of the field at p: its comma or the end of its line; NULL: there is no field. */
static const char *end_of_field(const char *p)
{
	if (*p != '"')
		return p + strcspn(p, ",\"\r\n");
	for (p++; *p; p++) {
		if (*p != '"')
			continue;
		if (p[1] != '"')
			return p + 1;
		p++;
	}
	return NULL;
}

/* Returns the number of fields of the line at *text, and moves *text after it; 0: there is no
 * line. */
static size_t take_line(const char **text)
{
	size_t fields = 0;

	for (const char *p = *text; p; p++) {
		p = end_of_field(p);
		fields++;
		if (!p || strncmp(p, "\r\n", 2) == 0) {
			*text = p ? p + 2 : NULL;
			return p ? fields : 0;
		}
		if (*p != ',')
			break;
	}
	return 0;
}

static void check_lines(const char *name, const char *text)
{
	size_t columns = take_line(&text);

	assert_true(columns > 1);
	for (size_t line = 2; *text; line++) {
		size_t fields = take_line(&text);

		if (fields != columns)
			fail_msg("%s: line %zu has %zu fields, not %zu", name, line, fields,
				 columns);
	}
}

static void every_line_has_the_fields_of_the_header(void **state)
{
	for (const struct fixed_result *result = fixed_result; result->name; result++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		const struct format_style style = { .header = true };
		cleanup_free char *csv = NULL, *summary = NULL;

		fixed_make(&f, result);
		csv = fixed_print(&f, &format_csv, style);
		summary = fixed_print(&f, &format_csv_summary, style);
		check_lines(result->name, csv);
		check_lines(result->name, summary);
	}
}

static void text_is_quoted_if_necessary(void **state)
{
	static const struct {
		int line;
		const char *text, *field;
	} rows[] = {
		{ ROW, "", "" },
		{ ROW, "cycles:u", "cycles:u" },
		{ ROW, " a b ", " a b " },
		{ ROW, "a;b\tc'd\\e#", "a;b\tc'd\\e#" },
		{ ROW, "a,b", "\"a,b\"" },
		{ ROW, "a\nb", "a\\nb" },
		{ ROW, "a\rb", "a\\rb" },
		{ ROW, "\"", "\"\"\"\"" },
		{ ROW, "say \"yes\"", "\"say \"\"yes\"\"\"" },
		{ ROW, "\xc3\xa9", "\xc3\xa9" },
		{ ROW, "\xff,", "\"\xef\xbf\xbd,\"" },
	};
	cleanup_with(fixed_release) struct fixed f = { 0 };

	fixed_make(&f, &fixed_result[0]);
	for (size_t i = 0; i < N_OF(rows); i++) {
		const struct format_style style = { .side = rows[i].text };
		cleanup_free char *text = fixed_print(&f, &format_csv, style);
		cleanup_str struct str end = { 0 };

		str_addf(&end, ",%s,23456,23456,exact\r\n", rows[i].field);
		assert_true(strlen(text) >= end.len);
		row_string(&rows[i], text + strlen(text) - end.len, str_text(&end));
	}
}

/* The interval columns come last, because other columns keep their positions. */
static void the_bounds_are_after_the_columns_of_a_comparison(void **state)
{
	char level[] = "level", *names[] = { level };
	const struct str_list parameters = { names, N_OF(names), 0 };
	const struct format_style style = { .header = true,
					    .side = "A",
					    .parameters = &parameters };
	cleanup_with(fixed_release) struct fixed f = { 0 };
	cleanup_free char *text = NULL;

	fixed_make(&f, &fixed_result[0]);
	text = fixed_print(&f, &format_csv, style);
	assert_non_null(
		strstr(text, ",signal,side,param_level,value_low,value_high,estimator\r\n"));
	assert_non_null(strstr(text, ",A,,23456,23456,exact\r\n"));
}

static void columns_are_not_named_again_when_appending(void **state)
{
	static const struct format *const both[] = { &format_csv, &format_csv_summary };
	cleanup_with(fixed_release) struct fixed f = { 0 };

	fixed_make(&f, &fixed_result[0]);
	for (size_t i = 0; i < N_OF(both); i++) {
		cleanup_with(table_release) struct table result = { 0 };
		const struct format_style style = { .header = false };
		cleanup_free char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		assert_non_null(out);
		assert_int_equal(table_build(&result, &f.series, NULL), 0);
		assert_int_equal(both[i]->write(&result, &style, out), 0);
		assert_int_equal(fclose(out), 0);
		assert_null(strstr(text, "command"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_columns_stay_where_they_are),
		cmocka_unit_test(every_line_has_the_fields_of_the_header),
		cmocka_unit_test(text_is_quoted_if_necessary),
		cmocka_unit_test(the_bounds_are_after_the_columns_of_a_comparison),
		cmocka_unit_test(columns_are_not_named_again_when_appending),
	};

	return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
