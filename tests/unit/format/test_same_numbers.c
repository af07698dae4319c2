/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One result in all formats: each number is the result's own with as many digits as the format
 * shows, and a missing count has its state. The numbers are found as a program would find them: by
 * the event's name and, if several rows have that name, by their order. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "unit/format/looks.h"
#include "unit/test.h"

enum number { VALUE, SPREAD, RUNNING, METRIC, NUMBERS_N };

/* As perf writes them. */
static const char *const words[] = {
	[NOT_COUNTED] = "<not counted>",
	[NOT_SUPPORTED] = "<not supported>",
	[FAILED] = "<not counted>",
	[ELSEWHERE] = "<not counted>",
};

/* The position of an event's numbers in the text of a format. */
static const struct shape {
	const struct format *format;
	const char *begin; /* the text before the rows; NULL: the rows are the whole text */
	const char *row; /* the text that begins a row; NULL: a row is a line with the name */
	const char *name; /* of the event in the row */
	const char *name_ends; /* the name ends before one of these characters */
	char separator; /* of columns; 0: the format has none */
	/*
	 * The position of each number. With columns: their names in the header, their distance from
	 * the name, "+1", or ":2" from the end of the line. Otherwise the texts before the number,
	 * separated by '>', or after a '<' the last such text; "": the last number before the name.
	 * NULL: the number is not shown.
	 */
	const char *place[NUMBERS_N];
	const char *const *absent; /* by state: the text; NULL: the row is omitted */
	bool one_run_only; /* the format has no summary of several runs */
	bool no_intervals; /* intervals are part of the whole document */
} shapes[] = {
	{ .format = &format_table,
	  .absent = words,
	  .name = " ",
	  .name_ends = " \n",
	  .place = { "", "( +-", "<  (", "# " } },
	{ .format = &format_perf_csv,
	  .name = ",",
	  .name_ends = ",",
	  .separator = ',',
	  .absent = words,
	  .place = { "-2", "+1", ":3", ":2" } },
	{ .format = &format_perf_json,
	  .absent = words,
	  .name = "\"event\" : \"",
	  .name_ends = "\"",
	  .place = { "\"counter-value\" : \"",
		     "\"variance\" : ", "\"pcnt-running\" : ", "\"metric-value\" : \"" } },
	{ .format = &format_json,
	  .absent = schema_states,
	  .no_intervals = true,
	  .begin = "\"summary\":",
	  .row = "{ \"row\":",
	  .name = "\"name\": \"",
	  .name_ends = "\"",
	  .place = { "\"value\": ", NULL, "\"running_percent\": ", "\"metrics\": [>\"value\": " } },
	{ .format = &format_csv,
	  .absent = schema_states,
	  .name = ",",
	  .name_ends = ",",
	  .separator = ',',
	  .place = { "value", NULL, "running_percent", NULL },
	  .one_run_only = true },
	{ .format = &format_csv_summary,
	  .absent = schema_states,
	  .name = ",",
	  .name_ends = ",",
	  .separator = ',',
	  .place = { "mean", "stderr_percent", "running_percent", "metric_1" } },
	{ .format = &format_markdown,
	  .absent = schema_states,
	  .name = "| `",
	  .name_ends = "`",
	  .separator = '|',
	  .place = { " count ", " \u00b1 ", " running ", " derived " } },
	/* the other metrics are in base units */
	{ .format = &format_openmetrics,
	  .begin = "# TYPE pstat_event_value ",
	  .name = "event=\"",
	  .name_ends = "\"",
	  .place = { "} ", NULL, NULL, NULL } },
	{ .format = &format_bmf,
	  .name = "    \"",
	  .name_ends = "\" ",
	  .place = { "\"value\": ", NULL, NULL, NULL },
	  .no_intervals = true },
	{ .format = &format_benchmark_action,
	  .name = ": ",
	  .name_ends = "\" ",
	  .place = { "\"value\": ", NULL, NULL, NULL },
	  .no_intervals = true },
	{ .format = &format_influx,
	  .name = ",event=",
	  .name_ends = "\\, ",
	  .place = { " value=", NULL, NULL, NULL } },
};

/* Each format escapes these names differently, and numbers do not depend on names. The golden files
 * have them. */
static const char *const escaped[] = { "hostile-names", "unicode-names", "invalid-utf8-names" };

/* ---- Finding numbers. */

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

/* The name of the event in the row; NULL: the row is of another event. */
static const char *find_name(const struct shape *shape, const char *row, size_t n,
			     const char *event)
{
	cleanup_str struct str name = { 0 };
	const char *found;

	str_addf(&name, "%s%s", shape->name, event);
	if (shape->format == &format_table) { /* a metric can have the same name */
		const char *metric = memchr(row, '#', n);

		n = metric ? (size_t)(metric - row) : n;
	}
	found = memmem(row, n, str_text(&name), name.len);
	return found && strchr(shape->name_ends, found[name.len]) ? found : NULL;
}

/* A copy of the nth row of an event, from 0; NULL: there is none. */
static char *find_row(const struct shape *shape, const char *text, const char *event, size_t nth)
{
	const char *row = shape->begin ? strstr(text, shape->begin) : text;

	for (row = row && shape->row ? strstr(row, shape->row) : row; row && *row;
	     row = next_row(shape, row)) {
		size_t n = (size_t)(end_of_row(shape, row) - row) + 1;

		if (find_name(shape, row, n, event) && nth-- == 0)
			return strndup(row, n);
	}
	return NULL;
}

/* The beginning of a field of the line, counted from the end if at is negative; NULL: there is
 * none. */
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

/* The index of the column with that name; INT_MAX: there is none. */
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

/* The end of the last of these texts. */
static const char *after_last(const char *row, const char *text)
{
	const char *found = NULL;

	for (const char *next = row; (next = strstr(next, text)); next++)
		found = next + strlen(text);
	return found;
}

static const char *after(const char *row, const char *place)
{
	cleanup_str_list struct str_list texts = { 0 };

	if (place[0] == '<')
		return after_last(row, place + 1);
	assert_int_equal(str_list_split(&texts, place, '>'), 0);
	for (size_t i = 0; row && i < texts.n; i++) {
		row = strstr(row, texts.v[i]);
		row = row ? row + strlen(texts.v[i]) : NULL;
	}
	return row;
}

/* The last number before the name, which a unit may follow. */
static const char *before_name(const char *row, const char *name)
{
	const char *end = name;

	for (int words_n = 0; words_n < 2; words_n++) {
		while (end > row && end[-1] == ' ')
			end--;
		while (end > row && end[-1] != ' ')
			end--;
		if (*end >= '0' && *end <= '9')
			return end;
	}
	return NULL;
}

/* The column of the name. */
static int column_of_name(const struct shape *shape, const char *row, const char *name)
{
	int at = *shape->name == shape->separator;

	for (const char *p = row; p < name; p++)
		at += *p == shape->separator;
	return at;
}

static const char *find_number(const struct shape *shape, const char *text, const char *row,
			       const char *event, const char *place)
{
	const char *name = find_name(shape, row, strlen(row), event);
	int at, from;

	if (!shape->separator)
		return *place ? after(row, place) : before_name(row, name);
	if (*place == ':')
		return field(row, -atoi(place + 1), shape->separator);
	at = column_of_name(shape, row, name);
	if (*place == '-' || *place == '+')
		return field(row, at + atoi(place), shape->separator);
	/* The columns before the name may contain separators. */
	from = column(shape, text, shape->separator == '|' ? " event " : "event");
	if (column(shape, text, place) == INT_MAX)
		return NULL;
	return field(row, at + column(shape, text, place) - from, shape->separator);
}

/* ---- Comparing numbers. */

/* Read the number at the beginning of the text, which may have separators of thousands, and the
 * number of its decimals, or -1 if it has an exponent. False: there is no number. */
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

/* Set the number that the result has; false: it has none. */
static bool expected(const struct table *result, const struct measure *row, enum number number,
		     long double *value)
{
	switch (number) {
	case VALUE:
		*value = row->value;
		return !measure_absent(row->state);
	case SPREAD:
		*value = row->spread_percent;
		return result->is_series && row->spread_percent > 0;
	case RUNNING:
		*value = row->running_percent;
		return row->state == SCALED;
	case METRIC:
		*value = row->metrics_n ? row->metrics[0].value : 0;
		return row->metrics_n > 0;
	case NUMBERS_N:
		break;
	}
	return false;
}

/* The number of rows of the same name that the format shows before this one. */
static size_t count_before(const struct shape *shape, const struct table *result, size_t row)
{
	size_t n = 0;

	for (size_t i = 0; i < row; i++)
		n += strcmp(result->v[i].name, result->v[row].name) == 0 &&
		     (shape->absent || !measure_absent(result->v[i].state));
	return n;
}

static void compare_state(const struct shape *shape, const char *text, const struct measure *row,
			  const char *line)
{
	if (!line || !strstr(line, shape->absent[row->state]))
		fail_msg("%s is not '%s' in:\n%s", row->name, shape->absent[row->state],
			 line ? line : text);
}

/* These formats truncate scaled counts. */
static bool is_of_perf(const struct format *format)
{
	return format == &format_table || format == &format_perf_csv || format == &format_perf_json;
}

static void compare(const struct shape *shape, const char *text, const struct measure *row,
		    const char *line, enum number number, long double value)
{
	const char *found =
		line ? find_number(shape, text, line, row->name, shape->place[number]) : NULL;
	long double shown = 0, tolerance;
	int decimals = 0;

	if (number == VALUE && is_of_perf(shape->format))
		value = measure_perf_value(row);
	if (!found || !read_number(found, shape->separator != ',', &shown, &decimals))
		fail_msg("number %d of %s is not in:\n%s", number, row->name, line ? line : text);
	tolerance = decimals < 0 ? 0 : 0.5L * powl(10, -decimals);
	if (fabsl(shown - value) > tolerance * 1.000001L + fabsl(value) * 1e-15L)
		fail_msg("number %d of %s is %.17Lg, and not as in:\n%s", number, row->name, value,
			 line);
}

/* A metric of -M is not in the line of its event. */
static bool has_own_line(const struct shape *shape, const struct metric *metric)
{
	return shape->format == &format_csv_summary && metric->measure;
}

static size_t compare_all(const struct shape *shape, const struct table *result, const char *text)
{
	size_t compared = 0;

	for (size_t i = 0; i < result->events_n; i++) {
		const struct measure *row = &result->v[i];
		cleanup_free char *line =
			find_row(shape, text, row->name, count_before(shape, result, i));

		if (shape->absent && measure_absent(row->state)) {
			compare_state(shape, text, row, line);
			compared++;
		}
		for (int number = 0; number < NUMBERS_N; number++) {
			long double value;

			if (!shape->place[number] ||
			    !expected(result, row, (enum number)number, &value) ||
			    (number == METRIC && has_own_line(shape, &row->metrics[0])))
				continue;
			compare(shape, text, row, line, (enum number)number, value);
			compared++;
		}
	}
	return compared;
}

/* Compare in all formats. */
static void compare_result(const char *name, const struct series *series,
			   const struct interval *interval)
{
	const struct format_style style = { .numbers = { ",", "." },
					    .separator = ",",
					    .header = true };
	cleanup_with(table_release) struct table result = { 0 };

	assert_int_equal(table_build(&result, series, interval), 0);
	for (size_t i = 0; i < N_OF(shapes); i++) {
		cleanup_free char *text = NULL;
		size_t size;
		FILE *out;

		/* The table has a line for each process: see test_processes.c. The document has the
		 * counts of a process only in the run: see test_round_trip.c. */
		if ((shapes[i].format == &format_table || shapes[i].format == &format_json) &&
		    series->split == PLACE_PROCESS)
			continue;
		if ((shapes[i].one_run_only && result.runs_n > 1) ||
		    (shapes[i].no_intervals && interval))
			continue;
		out = open_memstream(&text, &size);
		assert_non_null(out);
		assert_int_equal(shapes[i].format->write(&result, &style, out), 0);
		assert_int_equal(fclose(out), 0);
		if (compare_all(&shapes[i], &result, text) == 0 && result.events_n > 0 &&
		    shapes[i].absent)
			fail_msg("%s: nothing was compared in\n%s", name, text);
	}
}

static bool is_escaped(const char *result)
{
	for (size_t i = 0; i < N_OF(escaped); i++)
		if (strcmp(escaped[i], result) == 0)
			return true;
	return false;
}

static void all_formats_show_the_numbers_of_the_result(void **state)
{
	for (const struct fixed_result *which = fixed_result; which->name; which++) {
		cleanup_with(fixed_release) struct fixed f = { 0 };

		if (is_escaped(which->name))
			continue;
		fixed_make(&f, which);
		compare_result(which->name, &f.series, NULL);
		for (size_t i = 0; i < f.series.intervals_n; i++)
			compare_result(which->name, &f.series, &f.intervals[i]);
	}
}

static void no_format_is_left_out(void **state)
{
	for (size_t i = 0; formats[i]; i++) {
		/* the numbers of --format history are below their names: see test_history_csv.c;
		 * the page contains the document */
		bool there =
			!formats[i]->write || formats[i]->add_columns || formats[i] == &format_html;

		for (size_t j = 0; j < N_OF(shapes); j++)
			there |= shapes[j].format == formats[i];
		if (!there)
			fail_msg("%s: say in shapes[] where its numbers are", formats[i]->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_formats_show_the_numbers_of_the_result),
		cmocka_unit_test(no_format_is_left_out),
	};

	return cmocka_run_group_tests_name("same numbers", tests, NULL, NULL);
}
