/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format csv and csv-summary, as RFC 4180 defines CSV: one line for each reading, or for each row
 * of the result. A number that does not exist is an empty field. A comparison has the lines of all
 * its sides, each with the name of its side in a last column. */
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "result/comparison.h"

#define LINE_END "\r\n"

/* The column names of add_place() and add_event(). */
#define PLACE_HEADER "place_kind,place,counters,cgroup"
#define EVENT_HEADER "event,unit,state"

/* RFC 4180, section 2, rules 5 to 7. */
static void add_text(struct str *line, const char *text)
{
	cleanup_str struct str clean = { 0 };
	const char *rest;

	str_add_utf8(&clean, text);
	line->failed |= clean.failed;
	rest = str_text(&clean);
	if (rest[strcspn(rest, ",\"\r\n")] == '\0') {
		str_addf(line, "%s,", rest);
		return;
	}
	str_add(line, "\"");
	for (const char *quote; (quote = strchr(rest, '"')) != NULL; rest = quote + 1) {
		str_add_n(line, rest, (size_t)(quote - rest));
		str_add(line, "\"\"");
	}
	str_addf(line, "%s\",", rest);
}

static void add_whole(struct str *line, uint64_t value)
{
	str_addf(line, "%" PRIu64 ",", value);
}

static void add_number(struct str *line, long double value)
{
	num_add_exact(line, value);
	str_add(line, ",");
}

static void add_seconds(struct str *line, uint64_t ns)
{
	num_add_seconds(line, ns, 0);
	str_add(line, ",");
}

static void add_empty(struct str *line, size_t n)
{
	for (; n > 0; n--)
		str_add(line, ",");
}

static void end_header(struct str *line, const char *side)
{
	str_add(line, side ? ",side" LINE_END : LINE_END);
}

static void end_line(struct str *line, const char *side)
{
	if (side)
		add_text(line, side);
	if (line->len > 0)
		line->len--;
	str_add(line, LINE_END);
}

static void add_place(struct str *line, const struct result_row *row)
{
	add_text(line, schema_splits[row->place->kind]);
	add_text(line, row->place->label);
	add_whole(line, row->row->counters);
	add_text(line, row->event->cgroup ? row->event->cgroup : "");
}

static void add_event(struct str *line, const struct result_row *row, enum count_state state)
{
	add_text(line, row->name);
	add_text(line, row->event->unit);
	add_text(line, schema_states[state]);
}

static int put_line(struct str *line, FILE *out)
{
	int err = str_print(line, out);

	line->len = 0;
	return err;
}

/* ---- csv: every reading. */

/* Programs depend on the position of a column: add new ones at the end. */
static const char reading_header[] = "command,run,time_s," PLACE_HEADER "," EVENT_HEADER
				     ",value,raw,enabled_ns,running_ns,running_percent"
				     ",elapsed_s,user_s,system_s,max_rss_kib,exit_status,signal";

enum { READING_FIELDS = 12 }; /* the fields of place, event and count */

static void add_run(struct str *line, const struct result *result, size_t run)
{
	add_text(line, result->command);
	add_whole(line, (result->interval ? result->interval->of_run : run) + 1);
	if (result->interval)
		add_seconds(line, result->interval->at_ns);
	else
		add_empty(line, 1);
}

static void add_count(struct str *line, const struct series_value *value)
{
	if (result_absent(value->state)) {
		add_empty(line, 2);
	} else {
		add_number(line, value->in_unit);
		add_whole(line, value->counts.raw);
	}
	if (value->state == NOT_SUPPORTED || value->state == FAILED) {
		add_empty(line, 3);
		return;
	}
	add_whole(line, value->counts.enabled_ns);
	add_whole(line, value->counts.running_ns);
	add_number(line, value->running_percent);
}

/* The times and the end of the run. An interval has only its duration. */
static void add_ending(struct str *line, const struct result *result, const struct run *run)
{
	add_seconds(line, run->tool[TOOL_DURATION_TIME]);
	if (!result->series->has_usage || result->interval) {
		add_empty(line, 5);
		return;
	}
	add_seconds(line, run->tool[TOOL_USER_TIME]);
	add_seconds(line, run->tool[TOOL_SYSTEM_TIME]);
	add_whole(line, run->tool[TOOL_MAX_RSS]);
	if (WIFSIGNALED(run->wait_status)) {
		add_empty(line, 1);
		add_whole(line, (uint64_t)WTERMSIG(run->wait_status));
	} else {
		add_whole(line, (uint64_t)WEXITSTATUS(run->wait_status));
		add_empty(line, 1);
	}
}

/* row: NULL for a run without rows. */
static int write_reading(const struct result *result, const struct result_row *row, size_t run,
			 const char *side, FILE *out)
{
	cleanup_str struct str line = { 0 };

	add_run(&line, result, run);
	if (row) {
		const struct series_value value = result_value(result, row, run);

		if (value.state == ELSEWHERE)
			return 0;
		add_place(&line, row);
		add_event(&line, row, value.state);
		add_count(&line, &value);
	} else {
		add_empty(&line, READING_FIELDS);
	}
	add_ending(&line, result, &result->runs[run]);
	end_line(&line, side);
	return put_line(&line, out);
}

static int write_readings(const struct result *result, const struct format_style *style, FILE *out)
{
	cleanup_str struct str names = { 0 };
	int err = 0;

	if (style->header) {
		str_add(&names, reading_header);
		end_header(&names, style->side);
		err = put_line(&names, out);
	}
	for (size_t run = 0; err == 0 && run < result->runs_n; run++) {
		if (result->rows_n == 0)
			err = write_reading(result, NULL, run, style->side, out);
		for (size_t i = 0; err == 0 && i < result->rows_n; i++)
			err = write_reading(result, &result->rows[i], run, style->side, out);
	}
	return err;
}

/* ---- csv-summary: every row. */

/* Programs depend on the position of a column: add new ones at the end. After these follow
 * METRICS_MAX times "metric_N,metric_N_unit". */
static const char summary_header[] = "command,run,time_s," PLACE_HEADER "," EVENT_HEADER
				     ",runs,n,mean,stddev,stderr,stderr_percent,median,min,max"
				     ",running_ns,running_percent"
				     ",elapsed_s,elapsed_stderr_s,user_s,user_stderr_s"
				     ",system_s,system_stderr_s";

/* the fields of place, event and counts, but not the number of runs */
enum { SUMMARY_FIELDS = 17 };

static void add_summary_header(struct str *line, const char *side)
{
	str_add(line, summary_header);
	for (int i = 1; i <= METRICS_MAX; i++)
		str_addf(line, ",metric_%d,metric_%d_unit", i, i);
	end_header(line, side);
}

/* The run and end of an interval. The whole result has neither. */
static void add_interval(struct str *line, const struct result *result)
{
	add_text(line, result->command);
	if (!result->interval) {
		add_empty(line, 2);
		return;
	}
	add_whole(line, result->interval->of_run + 1);
	add_seconds(line, result->interval->at_ns);
}

static void add_spread(struct str *line, const struct result_row *row)
{
	if (row->count.n < 2) {
		add_empty(line, 3);
		return;
	}
	add_number(line, summary_stddev(&row->in_unit));
	add_number(line, summary_stderr(&row->in_unit));
	add_number(line, row->spread_percent);
}

static void add_counts(struct str *line, const struct result_row *row)
{
	add_whole(line, row->runs_n);
	add_whole(line, row->count.n);
	if (row->count.n == 0) {
		add_empty(line, 9);
		return;
	}
	add_number(line, row->in_unit.mean);
	add_spread(line, row);
	add_number(line, row->in_unit.median);
	add_number(line, row->in_unit.min);
	add_number(line, row->in_unit.max);
	add_whole(line, row->running_ns);
	add_number(line, row->running_percent);
}

/* The mean and its standard error. */
static void add_time(struct str *line, const struct summary *ns)
{
	const struct summary seconds = summary_times(ns, 1e-9);

	num_add(line, seconds.mean, 9, &num_plain);
	str_add(line, ",");
	if (ns->n < 2)
		add_empty(line, 1);
	else
		add_number(line, summary_stderr(&seconds));
}

static void add_times(struct str *line, const struct result *result)
{
	add_time(line, &result->elapsed_ns);
	if (!result->series->has_usage || result->interval) {
		add_empty(line, 4);
		return;
	}
	add_time(line, &result->user_ns);
	add_time(line, &result->system_ns);
}

static void add_metrics(struct str *line, const struct metric_result *metrics)
{
	for (size_t i = 0; i < metrics->n; i++) {
		add_number(line, metrics->v[i].value);
		add_text(line, metrics->v[i].unit);
	}
	add_empty(line, 2 * (METRICS_MAX - metrics->n));
}

/* row: NULL for a result without rows. */
static int write_summary_line(const struct result *result, const struct result_row *row,
			      const char *side, FILE *out)
{
	static const struct metric_result none;
	cleanup_str struct str line = { 0 };

	add_interval(&line, result);
	if (row) {
		add_place(&line, row);
		add_event(&line, row, row->state);
		add_counts(&line, row);
	} else {
		add_empty(&line, 7);
		add_whole(&line, result->runs_n);
		add_empty(&line, SUMMARY_FIELDS - 7);
	}
	add_times(&line, result);
	add_metrics(&line, row ? &row->metrics : &none);
	end_line(&line, side);
	return put_line(&line, out);
}

static int write_summary(const struct result *result, const struct format_style *style, FILE *out)
{
	cleanup_str struct str names = { 0 };
	int err = 0;

	if (style->header) {
		add_summary_header(&names, style->side);
		err = put_line(&names, out);
	}
	if (err == 0 && result->rows_n == 0)
		err = write_summary_line(result, NULL, style->side, out);
	for (size_t i = 0; err == 0 && i < result->rows_n; i++)
		err = write_summary_line(result, &result->rows[i], style->side, out);
	return err;
}

/* ---- Comparisons. */

static int write_sides(const struct comparison *c, const struct format_style *style,
		       int (*write)(const struct result *, const struct format_style *, FILE *),
		       FILE *out)
{
	struct format_style of_side = *style;
	int err = 0;

	for (size_t i = 0; err == 0 && i < c->input.sides_n; i++) {
		of_side.side = c->input.sides[i].name;
		err = write(&c->results[i], &of_side, out);
		of_side.header = false;
	}
	return err;
}

static int write_sides_readings(const struct comparison *c, const struct format_style *style,
				FILE *out)
{
	return write_sides(c, style, write_readings, out);
}

static int write_sides_summaries(const struct comparison *c, const struct format_style *style,
				 FILE *out)
{
	return write_sides(c, style, write_summary, out);
}

const struct format format_csv = {
	.name = "csv",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_LINES,
	.locale = LOCALE_C,
	.write_result = write_readings,
	.write_comparison = write_sides_readings,
};

const struct format format_csv_summary = {
	.name = "csv-summary",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_LINES,
	.locale = LOCALE_C,
	.write_result = write_summary,
	.write_comparison = write_sides_summaries,
};
