/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format csv and csv-summary, as RFC 4180 defines CSV: one line for each reading, or for each row
 * of the result, and after them the same for the metrics of -M. A number that does not exist is an
 * empty field. A comparison has the lines of all its sides, with the name of the side and a column
 * for each parameter of -L. The ends of the confidence intervals and the columns of --per-process
 * come last, so that the older columns keep their positions. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "result/comparison.h"

#define LINE_END "\r\n"

/* The column names of csv_add_place() and csv_add_measure(). */
#define PLACE_HEADER "place_kind,place,counters,cgroup"
#define EVENT_HEADER "event,unit,state"

static void csv_add_text(struct str *line, const char *text)
{
	str_add_csv(line, text);
	str_add(line, ",");
}

static void csv_add_whole(struct str *line, uint64_t value)
{
	str_addf(line, "%" PRIu64 ",", value);
}

static void csv_add_number(struct str *line, long double value)
{
	num_add_exact(line, value);
	str_add(line, ",");
}

static void csv_add_seconds(struct str *line, uint64_t ns)
{
	num_add_seconds(line, ns, 0);
	str_add(line, ",");
}

static void csv_add_empty(struct str *line, size_t n)
{
	for (; n > 0; n--)
		str_add(line, ",");
}

/* The bounds of a value, and how it was estimated. */
struct quality {
	enum estimator estimator; /* ESTIMATOR_NONE: there is no value */
	struct series_bounds bounds;
};

static void csv_add_quality(struct str *line, const struct quality *quality)
{
	const char *estimator = schema_estimators[quality->estimator];

	if (quality->bounds.known) {
		csv_add_number(line, quality->bounds.low);
		csv_add_number(line, quality->bounds.high);
	} else {
		csv_add_empty(line, 2);
	}
	str_add(line, estimator ? estimator : "");
}

static uint64_t csv_parent_pid(const struct series *series, const struct process *process)
{
	const struct process *parent = NULL;

	if (process->parent_pid)
		return (uint64_t)process->parent_pid;
	if (process->parent != PLACE_NONE)
		parent = series->places[process->parent].process;
	return parent ? (uint64_t)parent->pid : 0;
}

static void csv_add_known(struct str *line, uint64_t value)
{
	if (value)
		csv_add_whole(line, value);
	else
		csv_add_empty(line, 1);
}

/* The exit status and the signal of a process. */
static void csv_add_process_end(struct str *line, const struct process *process)
{
	int status = process->wait_status;
	bool killed = WIFSIGNALED(status);

	if (process->end != PROCESS_ENDED) {
		csv_add_empty(line, 2);
		return;
	}
	csv_add_empty(line, killed);
	csv_add_whole(line, (uint64_t)(killed ? WTERMSIG(status) : WEXITSTATUS(status)));
	csv_add_empty(line, !killed);
}

static const char process_header[] = ",pid,parent_pid,program,program_command,start_s"
				     ",process_elapsed_s,process_exit_status,process_signal"
				     ",processes,with_children";

enum { PROCESS_FIELDS = 10 };

/* The times of a sum of processes do not exist. */
static void csv_add_process(struct str *line, const struct series *series,
			    const struct process *process)
{
	str_add(line, ",");
	if (!process) {
		csv_add_empty(line, PROCESS_FIELDS - 1);
		return;
	}
	csv_add_known(line, (uint64_t)process->pid);
	csv_add_known(line, csv_parent_pid(series, process));
	csv_add_text(line, process->name);
	csv_add_text(line, process->command ? process->command : "");
	if (process->pid) {
		csv_add_seconds(line, process->start_ns);
		csv_add_seconds(line, process->end_ns - process->start_ns);
	} else {
		csv_add_empty(line, 2);
	}
	csv_add_process_end(line, process);
	csv_add_known(line, process->processes_n);
	str_add(line, process->with_children ? "1" : "0");
}

static bool has_process_columns(const struct table *table, const struct format_style *style)
{
	return style->processes || table->series->split == PLACE_PROCESS;
}

static void csv_end_header(struct str *line, const struct table *table,
			   const struct format_style *style)
{
	const struct str_list *names = style->parameters;

	str_add(line, style->side ? ",side," : ",");
	for (size_t i = 0; names && i < names->n; i++) {
		cleanup_str struct str name = { 0 };

		str_addf(&name, "param_%s", names->v[i]);
		line->failed |= name.failed;
		csv_add_text(line, str_text(&name));
	}
	str_add(line, "value_low,value_high,estimator");
	if (has_process_columns(table, style))
		str_add(line, process_header);
	if (table->series->ranks)
		str_add(line, ",ranks,rank_min,rank_median,rank_max,largest_rank,imbalance");
	str_add(line, LINE_END);
}

/* The distribution of the row over the ranks. row: NULL if the line is not about an event. */
static void csv_add_ranks(struct str *line, const struct table *table, const struct measure *row)
{
	const struct series_ranks *ranks = table->series->ranks;
	const struct rank_summary *summary = row ? row->ranks : NULL;

	str_add(line, ",");
	csv_add_whole(line, ranks->n);
	if (!summary || !summary->largest) {
		csv_add_empty(line, 4);
		return;
	}
	for (enum rank_number i = RANK_MIN; i <= RANK_MAX; i++)
		csv_add_number(line, (long double)summary->v[i]);
	csv_add_text(line, summary->largest);
	if (summary->v[RANK_IMBALANCE] >= 0)
		num_add_exact(line, (long double)summary->v[RANK_IMBALANCE]);
}

/* row: NULL if there is none. quality: NULL if the line is not about an event. */
static void csv_end_line(struct str *line, const struct table *table, const struct measure *row,
			 const struct format_style *style, const struct quality *quality)
{
	static const struct quality none;
	const struct str_list *names = style->parameters;

	if (style->side)
		csv_add_text(line, style->side);
	for (size_t i = 0; names && i < names->n; i++) {
		const char *value = series_parameter(table->series->parameters, names->v[i]);

		csv_add_text(line, value ? value : "");
	}
	csv_add_quality(line, quality ? quality : &none);
	if (has_process_columns(table, style))
		csv_add_process(line, table->series, row ? row->place->process : NULL);
	if (table->series->ranks)
		csv_add_ranks(line, table, row);
	str_add(line, LINE_END);
}

static void csv_add_place(struct str *line, const struct measure *row)
{
	csv_add_text(line, schema_splits[row->place->kind]);
	csv_add_text(line, row->place->label);
	csv_add_whole(line, row->row->counters);
	csv_add_text(line, row->event->cgroup ? row->event->cgroup : "");
}

static void csv_add_measure(struct str *line, const struct measure *m, enum count_state state)
{
	const struct metric_request *request = m->metric;
	bool percent = request &&
		       (request->kind == METRIC_PERCENT || request->kind == METRIC_PERCENT_FINE);

	csv_add_text(line, m->name);
	csv_add_text(line, percent ? "%" : m->unit);
	csv_add_text(line, schema_states[state]);
}

/* ---- csv: every reading. */

/* Programs depend on the positions of the columns: add new columns at the end, as in
 * csv_add_process(). */
static const char reading_header[] = "command,run,time_s," PLACE_HEADER "," EVENT_HEADER
				     ",value,raw,enabled_ns,running_ns,running_percent"
				     ",elapsed_s,user_s,system_s,max_rss_kib,exit_status,signal";

enum { READING_FIELDS = 12 }; /* the fields of place, event and count */

static void csv_add_count(struct str *line, const struct series_value *value)
{
	if (measure_absent(value->state)) {
		csv_add_empty(line, 2);
	} else {
		csv_add_number(line, value->in_unit);
		csv_add_whole(line, value->counts.raw);
	}
	if (value->state == NOT_SUPPORTED || value->state == FAILED) {
		csv_add_empty(line, 3);
		return;
	}
	csv_add_whole(line, value->counts.enabled_ns);
	csv_add_whole(line, value->counts.running_ns);
	if (value->counts.enabled_ns > 0)
		csv_add_number(line, value->running_percent);
	else
		csv_add_empty(line, 1);
}

/* The times and the end of the run. An interval has only its duration. */
static void csv_add_ending(struct str *line, const struct table *table, const struct run *run)
{
	csv_add_seconds(line, run->tool[TOOL_DURATION_TIME]);
	if (!table->series->has_usage || table->interval) {
		csv_add_empty(line, 5);
		return;
	}
	csv_add_seconds(line, run->tool[TOOL_USER_TIME]);
	csv_add_seconds(line, run->tool[TOOL_SYSTEM_TIME]);
	if (table->max_rss_unknown)
		csv_add_empty(line, 1);
	else
		csv_add_whole(line, run->tool[TOOL_MAX_RSS]);
	if (WIFSIGNALED(run->wait_status)) {
		csv_add_empty(line, 1);
		csv_add_whole(line, (uint64_t)WTERMSIG(run->wait_status));
	} else {
		csv_add_whole(line, (uint64_t)WEXITSTATUS(run->wait_status));
		csv_add_empty(line, 1);
	}
}

static void csv_add_run(struct str *text, const struct table *table, size_t run)
{
	csv_add_text(text, table->command);
	csv_add_whole(text, (table->interval ? table->interval->of_run : run) + 1);
	if (table->interval)
		csv_add_seconds(text, table->interval->at_ns);
	else
		csv_add_empty(text, 1);
}

/* m: NULL for a run without events. */
static void csv_add_reading(struct str *text, const struct table *table, const struct measure *m,
			    size_t run, const struct format_style *style)
{
	struct series_value value = { .state = COUNTED };
	struct quality quality;

	if (m)
		value = table_value(table, m, run);
	if (value.state == ELSEWHERE)
		return;
	quality = (struct quality){ value.estimator, value.bounds };
	csv_add_run(text, table, run);
	if (m) {
		csv_add_place(text, m);
		csv_add_measure(text, m, value.state);
		if (m->kind == OF_EVENT)
			csv_add_count(text, &value);
		else if (reading_has_count(value.state))
			csv_add_number(text, value.in_unit);
		if (m->kind != OF_EVENT)
			csv_add_empty(text, reading_has_count(value.state) ? 4 : 5);
	} else {
		csv_add_empty(text, READING_FIELDS);
	}
	csv_add_ending(text, table, &table->runs[run]);
	csv_end_line(text, table, m, style, &quality);
}

static void csv_add_readings(struct str *text, const struct table *table,
			     const struct format_style *style)
{
	if (style->header) {
		str_add(text, reading_header);
		csv_end_header(text, table, style);
	}
	for (size_t run = 0; run < table->runs_n; run++) {
		if (table->events_n == 0)
			csv_add_reading(text, table, NULL, run, style);
		for (size_t i = 0; i < table->events_n; i++)
			csv_add_reading(text, table, &table->v[i], run, style);
	}
	for (size_t i = table->events_n; i < table->n; i++)
		for (size_t run = 0; table->v[i].defined && run < table->runs_n; run++)
			csv_add_reading(text, table, &table->v[i], run, style);
}

/* ---- csv-summary: every row. */

/* Programs depend on the positions of the columns: add new columns at the end, as in
 * csv_add_process(). These columns are followed by METRICS_DERIVED_MAX pairs
 * "metric_N,metric_N_unit". */
static const char summary_header[] = "command,run,time_s," PLACE_HEADER "," EVENT_HEADER
				     ",runs,n,mean,stddev,stderr,stderr_percent,median,min,max"
				     ",running_ns,running_percent"
				     ",elapsed_s,elapsed_stderr_s,user_s,user_stderr_s"
				     ",system_s,system_stderr_s";

/* the fields of place, event and counts, but not the number of runs */
enum { SUMMARY_FIELDS = 17 };

/* From n to max. */
static void csv_add_distribution(struct str *line, const struct summary *s)
{
	csv_add_whole(line, s->n);
	if (s->n == 0) {
		csv_add_empty(line, 7);
		return;
	}
	csv_add_number(line, s->mean);
	if (s->n < 2) {
		csv_add_empty(line, 3);
	} else {
		csv_add_number(line, summary_stddev(s));
		csv_add_number(line, summary_stderr(s));
		csv_add_number(line, summary_stderr_percent(s));
	}
	csv_add_number(line, s->median);
	csv_add_number(line, s->min);
	csv_add_number(line, s->max);
}

static void csv_add_running(struct str *line, const struct measure *m)
{
	if (m->count.n == 0) {
		csv_add_empty(line, 2);
		return;
	}
	csv_add_whole(line, m->running_ns);
	csv_add_number(line, m->running_percent);
}

/* The mean and its standard error. */
static void csv_add_time(struct str *line, const struct summary *ns)
{
	const struct summary seconds = summary_times(ns, 1e-9);

	num_add(line, seconds.mean, 9, &num_plain);
	str_add(line, ",");
	if (ns->n < 2)
		csv_add_empty(line, 1);
	else
		csv_add_number(line, summary_stderr(&seconds));
}

static void csv_begin_summary_line(struct str *text, const struct table *table)
{
	csv_add_text(text, table->command);
	if (table->interval) {
		csv_add_whole(text, table->interval->of_run + 1);
		csv_add_seconds(text, table->interval->at_ns);
	} else {
		csv_add_empty(text, 2);
	}
}

static void csv_add_times(struct str *text, const struct table *table)
{
	csv_add_time(text, &table_own(table, TOOL_DURATION_TIME)->summary);
	if (!table->series->has_usage || table->interval) {
		csv_add_empty(text, 4);
	} else {
		csv_add_time(text, &table_own(table, TOOL_USER_TIME)->summary);
		csv_add_time(text, &table_own(table, TOOL_SYSTEM_TIME)->summary);
	}
}

/* The metrics of perf's column. row: NULL for a line that is not of an event. */
static void csv_add_derived(struct str *line, const struct measure *row)
{
	size_t n = 0;

	for (size_t i = 0; row && i < row->metrics_n; i++) {
		if (row->metrics[i].measure)
			continue;
		csv_add_number(line, row->metrics[i].value);
		csv_add_text(line, row->metrics[i].unit);
		n++;
	}
	csv_add_empty(line, 2 * (METRICS_DERIVED_MAX - n));
}

/* m: NULL for a table without events. */
static void csv_add_summary_line(struct str *text, const struct table *table,
				 const struct measure *m, const struct format_style *style)
{
	struct quality quality = { .estimator = ESTIMATOR_NONE };

	csv_begin_summary_line(text, table);
	if (m) {
		const bool known = m->summary.n > 0;

		if (known)
			quality = (struct quality){ m->estimator, m->bounds };
		csv_add_place(text, m);
		csv_add_measure(text, m, known || m->kind == OF_EVENT ? m->state : NOT_COUNTED);
		csv_add_whole(text, m->runs_n);
		csv_add_distribution(text, &m->summary);
		csv_add_running(text, m);
	} else {
		csv_add_empty(text, 7);
		csv_add_whole(text, table->runs_n);
		csv_add_empty(text, SUMMARY_FIELDS - 7);
	}
	csv_add_times(text, table);
	csv_add_derived(text, m);
	csv_end_line(text, table, m, style, &quality);
}

static void csv_add_summary(struct str *text, const struct table *table,
			    const struct format_style *style)
{
	if (style->header) {
		str_add(text, summary_header);
		for (int i = 1; i <= METRICS_DERIVED_MAX; i++)
			str_addf(text, ",metric_%d,metric_%d_unit", i, i);
		csv_end_header(text, table, style);
	}
	if (table->events_n == 0)
		csv_add_summary_line(text, table, NULL, style);
	for (size_t i = 0; i < table->n; i++)
		if (i < table->events_n || table->v[i].defined)
			csv_add_summary_line(text, table, &table->v[i], style);
}

/* ---- Results and comparisons. */

/* add: appends the lines of one table. */
static int csv_write(const struct table *tables, const struct comparison *c,
		     const struct format_style *style,
		     void (*add)(struct str *, const struct table *, const struct format_style *),
		     FILE *out)
{
	struct format_style of_side = *style;
	cleanup_str_list struct str_list parameters = { 0 };
	cleanup_str struct str text = { 0 };
	int err = c && !style->parameters ? comparison_parameters(&c->input, &parameters) : 0;

	if (c && !style->parameters)
		of_side.parameters = &parameters;
	for (size_t i = 0; c && i < c->input.sides_n; i++)
		of_side.processes |= tables[i].series->split == PLACE_PROCESS;
	for (size_t i = 0; err == 0 && i < (c ? c->input.sides_n : 1); i++) {
		if (c)
			of_side.side = c->input.sides[i].name;
		add(&text, &tables[i], &of_side);
		of_side.header = false;
	}
	return err < 0 ? err : str_print(&text, out);
}

static int csv_write_readings(const struct table *tables, const struct comparison *c,
			      const struct format_style *style, FILE *out)
{
	return csv_write(tables, c, style, csv_add_readings, out);
}

static int csv_write_summaries(const struct table *tables, const struct comparison *c,
			       const struct format_style *style, FILE *out)
{
	return csv_write(tables, c, style, csv_add_summary, out);
}

const struct format format_csv = {
	.name = "csv",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_LINES,
	.locale = LOCALE_C,
	.has_max_rss = true,
	.has_results = true,
	.has_comparisons = true,
	.write = csv_write_readings,
};

const struct format format_csv_summary = {
	.name = "csv-summary",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_LINES,
	.locale = LOCALE_C,
	.has_results = true,
	.has_comparisons = true,
	.write = csv_write_summaries,
};
