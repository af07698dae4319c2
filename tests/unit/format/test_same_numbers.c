/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One report in all formats: each number that a format shows is the report's own, to as many digits as
 * it shows. The numbers are found in the text as a program would find them.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "unit/format/fixed.h"
#include "unit/test.h"

enum number { VALUE, SPREAD, RUNNING, METRIC, NUMBERS_N };

/* Where the numbers of an event's row are in the text of a format. */
static const struct shape {
	const struct report_format *format;
	const char *begin; /* what the rows stand behind; NULL: they are all of the text */
	const char *row; /* what begins the row; NULL: the line that has name in it */
	const char *name; /* of the event in the row */
	const char *behind; /* name may be followed by one of these alone */
	char separator; /* of columns; 0: there are none */
	/* What the number stands behind, one text behind the other with '>' between them, or with a
	 * '<' before it the last one; with columns,
	 * their names in the header, or their numbers. NULL: it is not shown. */
	const char *where[NUMBERS_N];
	bool one_run_only; /* it shows no summary of several */
} shapes[] = {
	{ .format = &report_table,
	  .name = " ",
	  .behind = " \n",
	  .where = { "", "( +-", "<  (", "# " } },
	{ .format = &report_perf_csv,
	  .name = ",",
	  .behind = ",",
	  .separator = ',',
	  .where = { "0", "3", "-3", "-2" } },
	{ .format = &report_perf_json,
	  .name = "\"event\" : \"",
	  .behind = "\"",
	  .where = { "\"counter-value\" : \"",
		     "\"variance\" : ", "\"pcnt-running\" : ", "\"metric-value\" : \"" } },
	{ .format = &report_json,
	  .begin = "\"summary\":",
	  .row = "{ \"row\":",
	  .name = "\"name\": \"",
	  .behind = "\"",
	  .where = { "\"value\": ", NULL, "\"running_percent\": ", "\"metrics\": [>\"value\": " } },
	{ .format = &report_csv,
	  .name = ",",
	  .behind = ",",
	  .separator = ',',
	  .where = { "value", NULL, "running_percent", NULL },
	  .one_run_only = true },
	{ .format = &report_csv_summary,
	  .name = ",",
	  .behind = ",",
	  .separator = ',',
	  .where = { "mean", "stderr_percent", "running_percent", "metric_1" } },
	{ .format = &report_markdown,
	  .name = "| `",
	  .behind = "`",
	  .separator = '|',
	  .where = { " count ", " \u00b1 ", " running ", " derived " } },
	/* the others are in base units there */
	{ .format = &report_openmetrics,
	  .begin = "# TYPE pstat_event_value ",
	  .name = "event=\"",
	  .behind = "\"",
	  .where = { "} ", NULL, NULL, NULL } },
};

/* Reports whose events have names of their own, without blanks and commas. */
static const char *const names[] = {
	"one-run",     "five-runs",  "thousand-runs", "some-runs-without-a-count",
	"multiplexed", "not-scaled", "large-counts",  "units",
	"tool-events", "passes",     "derived",	      "requested-metrics",
	"user-only",   "zero",	     "system-wide",
};

/* ---- Finding. */

static const char *end_of_row(const struct shape *shape, const char *row)
{
	const char *end = shape->row ? strstr(row + 1, shape->row) : strchr(row, '\n');

	return end ? end : row + strlen(row);
}

static const char *next_row(const struct shape *shape, const char *row)
{
	const char *end = end_of_row(shape, row);

	return *end == '\n' ? end + 1 : end;
}

static bool is_of(const struct shape *shape, const char *row, size_t n, const char *event)
{
	cleanup_str struct str name = { 0 };
	const char *found;

	str_addf(&name, "%s%s", shape->name, event);
	found = memmem(row, n, str_text(&name), name.len);
	return found && strchr(shape->behind, found[name.len]);
}

/* The row of an event, a copy; NULL: there is none. */
static char *find_row(const struct shape *shape, const char *text, const char *event)
{
	const char *row = shape->begin ? strstr(text, shape->begin) : text;

	for (row = row && shape->row ? strstr(row, shape->row) : row; row && *row;
	     row = next_row(shape, row)) {
		size_t n = (size_t)(end_of_row(shape, row) - row) + 1;

		if (is_of(shape, row, n, event))
			return strndup(row, n);
	}
	return NULL;
}

/* Where field number at of line begins, from its end on where at is negative; NULL: it is not there. */
static const char *field(const char *line, int at, char separator)
{
	int n = 0;

	for (const char *p = line; at < 0 && *p; p++)
		n += *p == separator;
	at = at < 0 ? n + 1 + at : at;
	for (; line && at > 0; at--) {
		line = strchr(line, separator);
		line = line ? line + 1 : NULL;
	}
	return line;
}

/* The number of the header's column of that name; INT_MAX: there is none. */
static int column(const struct shape *shape, const char *text, const char *name)
{
	size_t n = strlen(name);
	const char *header = strstr(text, shape->separator == '|' ? "| event" : "command,");

	assert_non_null(header);
	for (int at = 0; *header != '\n'; at++) {
		if (strncmp(header, name, n) == 0 && strchr("|,\r\n", header[n]))
			return at;
		header += strcspn(header, "|,\n");
		header += *header != '\n';
	}
	return INT_MAX;
}

/* Behind the last one of them. */
static const char *behind_last(const char *row, const char *text)
{
	const char *found = NULL;

	for (const char *next = row; (next = strstr(next, text)); next++)
		found = next + strlen(text);
	return found;
}

static const char *behind(const char *row, const char *where)
{
	cleanup_str_list struct str_list texts = { 0 };

	if (where[0] == '<')
		return behind_last(row, where + 1);
	assert_int_equal(str_list_split(&texts, where, '>'), 0);
	for (size_t i = 0; row && i < texts.n; i++) {
		row = strstr(row, texts.v[i]);
		row = row ? row + strlen(texts.v[i]) : NULL;
	}
	return row;
}

static const char *find_number(const struct shape *shape, const char *text, const char *row,
			       const char *where)
{
	int at;

	if (!shape->separator)
		return behind(row, where);
	at = strspn(where, "-0123456789") == strlen(where) ? atoi(where) :
							     column(shape, text, where);
	return at == INT_MAX ? NULL : field(row, at, shape->separator);
}

/* ---- Comparing. */

/* The number that text begins with, which may have separators of thousands; its digits behind the point, or
 * -1 where it has an exponent. False: there is none. */
static bool read_number(const char *text, bool thousands, long double *value, int *decimals)
{
	char plain[64];
	size_t n = 0;
	const char *point;

	text += strspn(text, " ");
	for (; n + 1 < sizeof(plain) && strchr("0123456789.-+e,", *text) && *text; text++)
		if (*text != ',')
			plain[n++] = *text;
		else if (!thousands || strspn(text + 1, "0123456789") != 3)
			break;
	plain[n] = '\0';
	point = strchr(plain, '.');
	*decimals = strchr(plain, 'e') ? -1 : point ? (int)strlen(point + 1) : 0;
	*value = strtold(plain, NULL);
	return n > 0;
}

/* What the report says; false: it says nothing of this. */
static bool expected(const struct report *report, const struct report_row *row, enum number number,
		     long double *value)
{
	switch (number) {
	case VALUE:
		*value = row->value;
		return !report_absent(row->state);
	case SPREAD:
		*value = row->spread_percent;
		return report->is_series && row->spread_percent > 0;
	case RUNNING:
		*value = row->running_percent;
		return row->state == SCALED;
	case METRIC:
		*value = row->metrics.n ? row->metrics.v[0].value : 0;
		return row->metrics.n > 0;
	case NUMBERS_N:
		break;
	}
	return false;
}

static void compare(const struct shape *shape, const char *text, const struct report_row *row,
		    enum number number, long double value)
{
	cleanup_free char *line = find_row(shape, text, row->name);
	const char *found = line ? find_number(shape, text, line, shape->where[number]) : NULL;
	long double shown = 0, tolerance;
	int decimals = 0;

	if (!found || !read_number(found, shape->separator != ',', &shown, &decimals))
		fail_msg("number %d of %s is not in:\n%s", number, row->name, line ? line : text);
	tolerance = decimals < 0 ? 0 : 0.5L * powl(10, -decimals);
	if (fabsl(shown - value) > tolerance * 1.000001L + fabsl(value) * 1e-15L)
		fail_msg("number %d of %s is %.17Lg, and not as in:\n%s", number, row->name, value,
			 line);
}

static size_t compare_all(const struct shape *shape, const struct report *report, const char *text)
{
	size_t compared = 0;

	for (size_t i = 0; i < report->rows_n; i++) {
		for (int number = 0; number < NUMBERS_N; number++) {
			long double value;

			if (!shape->where[number] ||
			    !expected(report, &report->rows[i], (enum number)number, &value))
				continue;
			compare(shape, text, &report->rows[i], (enum number)number, value);
			compared++;
		}
	}
	return compared;
}

static const struct fixed_report *find_report(const char *name)
{
	const struct fixed_report *report = fixed_reports;

	while (report->name && strcmp(report->name, name) != 0)
		report++;
	assert_non_null(report->name);
	return report;
}

static void all_formats_show_the_numbers_of_the_report(void **state)
{
	const struct report_style style = { .numbers = { ",", "." }, .separator = "," };

	for (size_t i = 0; i < N_OF(names); i++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };
		cleanup_with(report_release) struct report report = { 0 };

		fixed_make(&f, find_report(names[i]));
		assert_int_equal(report_build(&report, &f.input), 0);
		for (size_t j = 0; j < N_OF(shapes); j++) {
			cleanup_free char *text = fixed_print(&f, shapes[j].format, style);

			if (shapes[j].one_run_only && f.input.runs_n > 1)
				continue;
			assert_true(compare_all(&shapes[j], &report, text) > 0);
		}
	}
}

static void no_format_is_left_out(void **state)
{
	for (size_t i = 0; report_formats[i]; i++) {
		bool there = false;

		for (size_t j = 0; j < N_OF(shapes); j++)
			there |= shapes[j].format == report_formats[i];
		if (!there)
			fail_msg("%s: say in shapes[] where its numbers are",
				 report_formats[i]->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_formats_show_the_numbers_of_the_report),
		cmocka_unit_test(no_format_is_left_out),
	};

	return cmocka_run_group_tests_name("same numbers", tests, NULL, NULL);
}
