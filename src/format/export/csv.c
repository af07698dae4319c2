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
#include "base/clock.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/format.h"
#include "result/history.h"
#include "result/suite.h"

#define LINE_END "\r\n"

/* The columns with which both begin. */
#define HEADER_BEGIN "command,run,time_s,place_kind,place,counters,cgroup,event,unit,state"

static void csv_add_text(struct str *line, const char *text)
{
	str_add_csv(line, text);
	str_add(line, ",");
}

static void csv_add_whole(struct str *line, uint64_t value)
{
	str_addf(line, "%" PRIu64 ",", value);
}

/* NAN: the number does not exist. */
static void csv_add_number(struct str *line, long double value)
{
	if (!isnan(value))
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

/* 0: the number does not exist. */
static void csv_add_known(struct str *line, uint64_t value)
{
	if (value)
		csv_add_whole(line, value);
	else
		csv_add_empty(line, 1);
}

/* The exit status and the signal, one of which is empty. */
static void csv_add_end(struct str *line, int wait_status)
{
	const bool killed = WIFSIGNALED(wait_status);

	csv_add_empty(line, killed);
	csv_add_whole(line, (uint64_t)(killed ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status)));
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
	pid_t parent_pid;

	str_add(line, ",");
	if (!process) {
		csv_add_empty(line, PROCESS_FIELDS - 1);
		return;
	}
	parent_pid = process->parent_pid;
	if (!parent_pid && process->parent != PLACE_NONE && series->places[process->parent].process)
		parent_pid = series->places[process->parent].process->pid;
	csv_add_known(line, (uint64_t)process->pid);
	csv_add_known(line, (uint64_t)parent_pid);
	csv_add_text(line, process->name);
	csv_add_text(line, process->command ? process->command : "");
	if (process->pid) {
		csv_add_seconds(line, process->start_ns);
		csv_add_seconds(line, process->end_ns - process->start_ns);
	} else {
		csv_add_empty(line, 2);
	}
	if (process->end == PROCESS_ENDED)
		csv_add_end(line, process->wait_status);
	else
		csv_add_empty(line, 2);
	csv_add_known(line, process->processes_n);
	str_add(line, process->with_children ? "1" : "0");
}

static bool csv_has_process_columns(const struct table *table, const struct format_style *style)
{
	return style->processes || table->series->split == PLACE_PROCESS;
}

static void csv_end_header(struct str *line, const struct table *table,
			   const struct format_style *style)
{
	const struct str_list *names = style->parameters;

	str_add(line, style->side ? ",side," : ",");
	str_add(line, style->case_name ? "case," : "");
	for (size_t i = 0; names && i < names->n; i++) {
		cleanup_str struct str name = { 0 };

		str_addf(&name, "param_%s", names->v[i]);
		line->failed |= name.failed;
		csv_add_text(line, str_text(&name));
	}
	str_add(line, "value_low,value_high,estimator");
	if (csv_has_process_columns(table, style))
		str_add(line, process_header);
	if (table->series->ranks)
		str_add(line, ",ranks,rank_min,rank_median,rank_max,largest_rank,imbalance");
	str_add(line, LINE_END);
}

/* What a line is about, and how exact its value is. */
struct csv_line {
	const struct table *table;
	const struct measure *m; /* NULL: the table has no events */
	const struct format_style *style;
	size_t run; /* counted from 1; 0: all of them */
	enum count_state state;
	enum estimator estimator; /* ESTIMATOR_NONE: there is no value */
	struct series_bounds bounds;
};

static void csv_begin_line(struct str *text, const struct csv_line *line)
{
	const struct interval *interval = line->table->interval;
	const struct measure *m = line->m;

	csv_add_text(text, line->table->command);
	csv_add_known(text, interval ? interval->of_run + 1 : line->run);
	if (interval)
		csv_add_seconds(text, interval->at_ns);
	else
		csv_add_empty(text, 1);
	if (!m) {
		csv_add_empty(text, 7);
		return;
	}
	csv_add_text(text, schema_splits[m->place->kind]);
	csv_add_text(text, m->place->label);
	csv_add_whole(text, m->counters);
	csv_add_text(text, m->event->cgroup ? m->event->cgroup : "");
	csv_add_text(text, m->name);
	csv_add_text(text, m->unit);
	csv_add_text(text, schema_states[line->state]);
}

static void csv_end_line(struct str *text, const struct csv_line *line)
{
	const struct series *series = line->table->series;
	const struct str_list *names = line->style->parameters;
	const struct series_bounds bounds = line->bounds;
	const char *estimator = schema_estimators[line->estimator];

	if (line->style->side)
		csv_add_text(text, line->style->side);
	if (line->style->case_name)
		csv_add_text(text, line->style->case_name);
	for (size_t i = 0; names && i < names->n; i++) {
		const char *value = series_parameter(series->parameters, names->v[i]);

		csv_add_text(text, value ? value : "");
	}
	csv_add_number(text, bounds.known ? bounds.low : NAN);
	csv_add_number(text, bounds.known ? bounds.high : NAN);
	str_add(text, estimator ? estimator : "");
	if (csv_has_process_columns(line->table, line->style))
		csv_add_process(text, series, line->m ? line->m->place->process : NULL);
	if (series->ranks) {
		const struct rank_summary *ranks = line->m ? line->m->ranks : NULL;
		const bool known = ranks && ranks->largest;

		str_add(text, ",");
		csv_add_whole(text, series->ranks->n);
		for (enum rank_number i = RANK_MIN; i <= RANK_MAX; i++)
			csv_add_number(text, known ? ranks->v[i] : (double)NAN);
		csv_add_text(text, known ? ranks->largest : "");
		if (known && ranks->v[RANK_IMBALANCE] >= 0) /* otherwise it is unknown */
			num_add_exact(text, (long double)ranks->v[RANK_IMBALANCE]);
	}
	str_add(text, LINE_END);
}

/* ---- csv: every reading. */

/* Programs depend on the positions of the columns: add new columns at the end, as in
 * csv_add_process(). */
static const char reading_header[] =
	HEADER_BEGIN ",value,raw,enabled_ns,running_ns,running_percent"
		     ",elapsed_s,user_s,system_s,max_rss_kib,exit_status,signal";

static void csv_add_count(struct str *line, const struct measure *m,
			  const struct series_value *value)
{
	const bool known = reading_has_count(value->state);

	csv_add_number(line, known ? value->in_unit : NAN);
	if (m->kind != OF_EVENT) {
		csv_add_empty(line, 4);
		return;
	}
	if (known)
		csv_add_whole(line, value->counts.raw);
	else
		csv_add_empty(line, 1);
	if (value->state == NOT_SUPPORTED || value->state == FAILED) {
		csv_add_empty(line, 3);
		return;
	}
	csv_add_whole(line, value->counts.enabled_ns);
	csv_add_whole(line, value->counts.running_ns);
	csv_add_number(line, value->counts.enabled_ns > 0 ? value->running_percent : (double)NAN);
}

/* m: NULL for a run without events. */
static void csv_add_reading(struct str *text, const struct table *table, const struct measure *m,
			    size_t run, const struct format_style *style)
{
	const struct run *of = &table->runs[run];
	const struct series_value value =
		m ? m->runs[run] : (struct series_value){ .state = COUNTED };
	const struct csv_line line = { table,		m,	     style, run + 1, value.state,
				       value.estimator, value.bounds };

	if (value.state == ELSEWHERE)
		return;
	csv_begin_line(text, &line);
	if (m)
		csv_add_count(text, m, &value);
	else
		csv_add_empty(text, 5);
	csv_add_seconds(text, of->tool[TOOL_DURATION_TIME]);
	if (!table->series->has_usage || table->interval) { /* an interval has only a duration */
		csv_add_empty(text, 5);
	} else {
		csv_add_seconds(text, of->tool[TOOL_USER_TIME]);
		csv_add_seconds(text, of->tool[TOOL_SYSTEM_TIME]);
		if (table->max_rss_unknown)
			csv_add_empty(text, 1);
		else
			csv_add_whole(text, of->tool[TOOL_MAX_RSS]);
		csv_add_end(text, of->wait_status);
	}
	csv_end_line(text, &line);
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
static const char summary_header[] =
	HEADER_BEGIN ",runs,n,mean,stddev,stderr,stderr_percent,median,min,max"
		     ",running_ns,running_percent"
		     ",elapsed_s,elapsed_stderr_s,user_s,user_stderr_s"
		     ",system_s,system_stderr_s";

/* The mean and its standard error. */
static void csv_add_time(struct str *line, const struct summary *ns)
{
	const struct summary seconds = summary_times(ns, 1e-9);

	num_add(line, seconds.mean, 9, &num_plain);
	str_add(line, ",");
	csv_add_number(line, ns->n < 2 ? (double)NAN : summary_stderr(&seconds));
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
	const bool known = m && m->summary.n > 0;
	struct csv_line line = { .table = table, .m = m, .style = style };

	if (m)
		line.state = known || m->kind == OF_EVENT ? m->state : NOT_COUNTED;
	if (known) {
		line.estimator = m->estimator;
		line.bounds = measure_bounds_of_mean(m);
	}
	csv_begin_line(text, &line);
	csv_add_whole(text, m ? m->runs_n : table->runs_n);
	if (m) {
		const struct summary *s = &m->summary;
		const bool spread = s->n > 1;

		csv_add_whole(text, s->n);
		csv_add_number(text, known ? s->mean : NAN);
		csv_add_number(text, spread ? summary_stddev(s) : (double)NAN);
		csv_add_number(text, spread ? summary_stderr(s) : (double)NAN);
		csv_add_number(text, spread ? summary_stderr_percent(s) : (double)NAN);
		csv_add_number(text, known ? s->median : NAN);
		csv_add_number(text, known ? s->min : NAN);
		csv_add_number(text, known ? s->max : NAN);
	} else {
		csv_add_empty(text, 8);
	}
	if (m && m->count.n > 0) {
		csv_add_whole(text, m->running_ns);
		csv_add_number(text, m->running_percent);
	} else {
		csv_add_empty(text, 2);
	}
	csv_add_time(text, &table_own(table, TOOL_DURATION_TIME)->summary);
	if (!table->series->has_usage || table->interval) {
		csv_add_empty(text, 4);
	} else {
		csv_add_time(text, &table_own(table, TOOL_USER_TIME)->summary);
		csv_add_time(text, &table_own(table, TOOL_SYSTEM_TIME)->summary);
	}
	csv_add_derived(text, m);
	csv_end_line(text, &line);
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

/* Appends the lines of one table. */
typedef void csv_add(struct str *, const struct table *, const struct format_style *);

static int csv_write_table(const struct table *table, const struct format_style *style,
			   csv_add *add, FILE *out)
{
	cleanup_str struct str text = { 0 };

	add(&text, table, style);
	return str_print(&text, out);
}

/* Write the lines of all sides, of each case. */
static int csv_write_comparison(const struct suite *suite, const struct format_style *style,
				csv_add *add, FILE *out)
{
	const struct comparison_input *input = &suite->input;
	struct format_style of_side = *style;
	cleanup_str_list struct str_list parameters = { 0 };
	cleanup_str struct str text = { 0 };
	int err = style->parameters ? 0 : comparison_parameters(input, &parameters);

	if (!style->parameters)
		of_side.parameters = &parameters;
	for (size_t i = 0; i < input->sides_n; i++)
		of_side.processes |= input->sides[i].series->split == PLACE_PROCESS;
	for (size_t i = 0; err == 0 && i < input->sides_n; i++) {
		const size_t of_case = i / suite->sides_n;

		of_side.side = input->sides[i].name;
		if (input->cases_n > 0)
			of_side.case_name = input->cases[of_case].name;
		add(&text, &suite->cases[of_case].tables[i % suite->sides_n], &of_side);
		of_side.header = false;
	}
	return err < 0 ? err : str_print(&text, out);
}

static int csv_write_readings(const struct table *table, const struct format_style *style,
			      FILE *out)
{
	return csv_write_table(table, style, csv_add_readings, out);
}

static int csv_write_readings_of_sides(const struct suite *suite, const struct format_style *style,
				       FILE *out)
{
	return csv_write_comparison(suite, style, csv_add_readings, out);
}

static int csv_write_summaries(const struct table *table, const struct format_style *style,
			       FILE *out)
{
	return csv_write_table(table, style, csv_add_summary, out);
}

static int csv_write_summaries_of_sides(const struct suite *suite, const struct format_style *style,
					FILE *out)
{
	return csv_write_comparison(suite, style, csv_add_summary, out);
}

/* ---- --history alone: a line for each value. Changes and limits are shares, 0.01 for 1 %. */

static void csv_add_history_value(struct str *text, const struct history *history, size_t metric,
				  size_t i, const struct limit *limit)
{
	const struct history_entry *entry = &history->entries[i];
	bool known, exceeded;
	double change;

	clock_add_date(text, "T", "", entry->time, 0);
	str_add(text, ",");
	csv_add_text(text, entry->commit);
	csv_add_text(text, entry->command);
	csv_add_text(text, history->metrics.v[metric]);
	csv_add_text(text, history->units.v[metric]);
	num_add_exact(text, (long double)entry->values[metric]);
	known = i > 0 && history_change(history, metric, i, &change);
	exceeded = known && history_exceeds(history, metric, i, limit, &change);
	str_add(text, ",");
	if (known)
		num_add_exact(text, (long double)change);
	str_add(text, ",");
	if (limit->source == LIMIT_HISTORY)
		num_add_exact(text, (long double)limit->value);
	str_add(text, exceeded ? ",true" LINE_END : ",false" LINE_END);
}

static int csv_write_history(const struct history *history, const struct format_style *style,
			     FILE *out)
{
	cleanup_free struct limit *limits = history_all_limits(history);
	cleanup_str struct str text = { 0 };

	(void)style;
	if (!limits)
		return -ENOMEM;
	str_add(&text, "time,commit,command,metric,unit,value,change,limit,exceeded" LINE_END);
	for (size_t i = 0; i < history->n; i++)
		for (size_t k = 0; k < history->metrics.n; k++)
			if (!isnan(history->entries[i].values[k]))
				csv_add_history_value(&text, history, k, i,
						      history_limits_of(history, limits, k) + i);
	return str_print(&text, out);
}

const struct format format_csv = {
	.name = "csv",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_LINES,
	.locale = LOCALE_C,
	.write = csv_write_readings,
	.write_comparison = csv_write_readings_of_sides,
	.has_cases = true,
	.write_history = csv_write_history,
};

const struct format format_csv_summary = {
	.name = "csv-summary",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_LINES,
	.locale = LOCALE_C,
	.write = csv_write_summaries,
	.write_comparison = csv_write_summaries_of_sides,
	.has_cases = true,
};
