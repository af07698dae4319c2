/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The documents that pstat-result-2.schema.json and pstat-comparison-2.schema.json describe. They
 * also contain the finished numbers, for other programs. pstat does not read these numbers; it
 * recomputes them.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "base/clock.h"
#include "base/json.h"
#include "document/schema.h"
#include "document/write.h"
#include "result/comparison.h"
#include "result/process_rows.h"
#include "result/provenance.h"
#include "result/table.h"
#include "stats/interval.h"

/* ---- The fields of the tables. */

static void write_add_attr(struct json_out *j, const char *key, const struct event *event)
{
	const struct attr_field *field = NULL;

	if (event->tool != TOOL_NONE) {
		json_null(j, key);
		return;
	}
	json_object(j, key, JSON_FILL);
	for (enum attr_role role = ATTR_TYPE; role <= ATTR_PRECISION; role++)
		while ((field = attr_fields_next(field, role))) {
			/* the config1 of a probe is an address in this process */
			bool is_address = event->probed && strcmp(field->name, "config1") == 0;
			uint64_t value = is_address ? 0 : field->get(event);

			if (!value && schema_attr_is_optional(field))
				continue;
			if (role == ATTR_CONFIG)
				json_hex(j, field->name, value);
			else
				json_unsigned(j, field->name, value);
		}
	json_array(j, "flags", JSON_FILL);
	for (enum attr_role role = ATTR_MODE; role <= ATTR_SCHEDULING; role++)
		while ((field = attr_fields_next(field, role)))
			if (field->get(event))
				json_string(j, NULL, field->name);
	json_end(j);
	json_end(j);
}

static void write_add_list(struct json_out *j, const char *key, const struct str_list *list,
			   void (*add)(struct json_out *, const char *, const char *))
{
	json_array(j, key, JSON_FILL);
	for (size_t i = 0; i < list->n; i++)
		add(j, NULL, list->v[i]);
	json_end(j);
}

static bool is_set(const struct schema_field *field, const void *at)
{
	switch (field->kind) {
	case SCHEMA_BOOL:
		return *(const bool *)at;
	case SCHEMA_PLACE:
		return *(const size_t *)at != PLACE_NONE;
	case SCHEMA_SIZE:
		return *(const size_t *)at > 0;
	case SCHEMA_UINT:
		return *(const unsigned int *)at > 0;
	case SCHEMA_UNSIGNED:
		return *(const uint64_t *)at > 0;
	case SCHEMA_NUMBER:
		return *(const double *)at >= 0;
	case SCHEMA_STRING:
	case SCHEMA_TEXT:
		return *(char *const *)at;
	case SCHEMA_STRINGS:
	case SCHEMA_TEXTS:
		return ((const struct str_list *)at)->n > 0;
	case SCHEMA_WORD:
		return field->words[*(const unsigned int *)at];
	case SCHEMA_KNOWN_INT:
	case SCHEMA_KNOWN_BOOL:
		return ((const struct known_int *)at)->known;
	default:
		return true;
	}
}

static void write_add_field(struct json_out *j, const struct schema_field *field, const void *at)
{
	const char *key = field->key;

	switch (field->kind) {
	case SCHEMA_BOOL:
		json_bool(j, key, *(const bool *)at);
		break;
	case SCHEMA_SCALING:
		json_bool(j, key, *(const enum scaling *)at == SCALE_BY_TIME);
		break;
	case SCHEMA_SIZE:
	case SCHEMA_PLACE:
		json_unsigned(j, key, *(const size_t *)at);
		break;
	case SCHEMA_UINT:
		json_unsigned(j, key, *(const unsigned int *)at);
		break;
	case SCHEMA_UNSIGNED:
		json_unsigned(j, key, *(const uint64_t *)at);
		break;
	case SCHEMA_NUMBER:
		json_number(j, key, (long double)*(const double *)at);
		break;
	case SCHEMA_STRING:
		json_string(j, key, *(char *const *)at);
		break;
	case SCHEMA_TEXT:
		json_text(j, key, *(char *const *)at);
		break;
	case SCHEMA_STRINGS:
		write_add_list(j, key, at, json_string);
		break;
	case SCHEMA_TEXTS:
		write_add_list(j, key, at, json_text);
		break;
	case SCHEMA_WORD:
		json_string(j, key, field->words[*(const unsigned int *)at]);
		break;
	case SCHEMA_KNOWN_INT:
		json_int(j, key, ((const struct known_int *)at)->value);
		break;
	case SCHEMA_KNOWN_BOOL:
		json_bool(j, key, ((const struct known_int *)at)->value != 0);
		break;
	case SCHEMA_ATTR:
		write_add_attr(j, key, at);
		break;
	case SCHEMA_OTHER:
		break;
	}
}

static void write_add_fields(struct json_out *j, const struct schema_field *fields,
			     const void *from)
{
	for (const struct schema_field *field = fields; field->key; field++) {
		const void *at = (const char *)from + field->offset;

		if (field->presence == SCHEMA_REQUIRED || is_set(field, at))
			write_add_field(j, field, at);
		else if (field->presence == SCHEMA_NULLABLE && field->kind != SCHEMA_OTHER)
			json_null(j, field->key);
	}
}

/* Write a whole object. */
static void write_add_object(struct json_out *j, const char *key, enum json_layout layout,
			     const struct schema_field *fields, const void *from)
{
	json_object(j, key, layout);
	write_add_fields(j, fields, from);
	json_end(j);
}

/* An undefined number is null. */
static void write_add_defined(struct json_out *j, const char *key, bool defined, long double value)
{
	if (defined)
		json_number(j, key, value);
	else
		json_null(j, key);
}

/* ---- The parts of a result. */

static void write_add_pstat(struct json_out *j, const struct provenance *p)
{
	static char version[] = PACKAGE_VERSION;
	struct provenance maker = *p;

	if (!maker.pstat)
		maker.pstat = version;
	json_object(j, "pstat", JSON_FILL);
	write_add_fields(j, schema_pstat, &maker);
	if (p->has_seed)
		json_unsigned(j, "seed", p->seed);
	else
		json_null(j, "seed");
	json_end(j);
}

static void write_add_metric_requests(struct json_out *j, const struct series *series)
{
	json_array(j, "metrics", JSON_LINES);
	for (size_t i = 0; series->metrics && i < series->metrics->n; i++) {
		const struct metric_request *request = &series->metrics->v[i];

		json_object(j, NULL, JSON_FILL);
		json_text(j, "text", request->text);
		json_array(j, "events", JSON_FILL);
		for (size_t k = 0; k < request->expression.events_n; k++)
			json_unsigned(j, NULL, request->expression.events[k].index);
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

static void write_add_events(struct json_out *j, const struct series *series)
{
	json_array(j, "events", JSON_LINES);
	for (size_t i = 0; i < series->events->n; i++) {
		json_object(j, NULL, JSON_LINES);
		write_add_fields(j, schema_event, &series->events->events[i]);
		write_add_object(j, "opening", JSON_FILL, schema_opening, &series->openings[i]);
		json_end(j);
	}
	json_end(j);
}

static void write_add_groups(struct json_out *j, const struct series *series)
{
	json_array(j, "groups", JSON_LINES);
	for (size_t i = 0; i < series->events->groups_n; i++) {
		json_object(j, NULL, JSON_FILL);
		write_add_fields(j, schema_group, &series->events->groups[i]);
		write_add_defined(j, "pass", series->passes && series->passes[i] != SIZE_MAX,
				  series->passes ? series->passes[i] : 0);
		json_end(j);
	}
	json_end(j);
}

static void write_rows(struct json_out *j, const struct series *series)
{
	json_array(j, "rows", JSON_LINES);
	for (size_t i = 0; i < series->rows_n; i++) {
		const struct row *row = &series->rows[i];
		const struct schema_placed_row placed = { *row,
							  series->places[row->place_index].label };

		write_add_object(j, NULL, JSON_FILL, schema_row, &placed);
	}
	json_end(j);
}

/* An end that is not known, or that is the other kind of end, is null. */
static void write_add_end(struct json_out *j, bool known, int wait_status)
{
	write_add_defined(j, "exit_status", known && WIFEXITED(wait_status),
			  WEXITSTATUS(wait_status));
	write_add_defined(j, "signal", known && WIFSIGNALED(wait_status), WTERMSIG(wait_status));
}

static void write_add_processes(struct json_out *j, const struct series *series)
{
	size_t places_n = series_places_n(series);

	if (series->split != PLACE_PROCESS)
		return;
	json_array(j, "processes", JSON_LINES);
	for (size_t i = 0; i < places_n; i++) {
		const struct process *process = series->places[i].process;
		struct schema_placed_process placed = { .place_index = i };

		if (!process)
			continue;
		placed.process = *process;
		json_object(j, NULL, JSON_FILL);
		write_add_fields(j, schema_process, &placed);
		write_add_end(j, process->end == PROCESS_ENDED, process->wait_status);
		json_end(j);
	}
	json_end(j);
}

/* The estimates are those of scaled readings. They are absent if no reading has one. */
static void write_readings(struct json_out *j, const struct reading *readings, size_t n)
{
	bool has_estimate = false;

	json_array(j, "state", JSON_FILL);
	for (size_t i = 0; i < n; i++)
		json_string(j, NULL, schema_states[readings[i].state]);
	json_end(j);
	json_array(j, "raw", JSON_FILL);
	for (size_t i = 0; i < n; i++)
		json_unsigned(j, NULL, readings[i].counts.raw);
	json_end(j);
	json_array(j, "enabled_ns", JSON_FILL);
	for (size_t i = 0; i < n; i++)
		json_unsigned(j, NULL, readings[i].counts.enabled_ns);
	json_end(j);
	json_array(j, "running_ns", JSON_FILL);
	for (size_t i = 0; i < n; i++)
		json_unsigned(j, NULL, readings[i].counts.running_ns);
	json_end(j);
	for (size_t i = 0; i < n; i++)
		has_estimate |= readings[i].has_estimate;
	if (!has_estimate)
		return;
	json_array(j, "estimate", JSON_FILL);
	for (size_t i = 0; i < n; i++)
		write_add_defined(j, NULL, readings[i].has_estimate,
				  (long double)readings[i].estimate.count);
	json_end(j);
	json_array(j, "half_width", JSON_FILL);
	for (size_t i = 0; i < n; i++)
		write_add_defined(j, NULL, readings[i].has_estimate,
				  (long double)readings[i].estimate.half_width);
	json_end(j);
}

static void write_add_runs(struct json_out *j, const struct series *series)
{
	bool has_command = series->provenance && series->provenance->argv.n > 0;

	json_array(j, "runs", JSON_LINES);
	for (size_t i = 0; i < series->runs_n; i++) {
		const struct run *run = &series->runs[i];

		json_object(j, NULL, JSON_LINES);
		write_add_end(j, has_command, run->wait_status);
		if (run->timed_out)
			json_bool(j, "timed_out", true);
		for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
			/* a max_rss that is not above the floor may be pstat's own */
			if (tool == TOOL_MAX_RSS && series->max_rss_floor_kib > 0 &&
			    run->tool[tool] <= series->max_rss_floor_kib)
				json_null(j, event_tool_names[tool]);
			else
				json_unsigned(j, event_tool_names[tool], run->tool[tool]);
		write_readings(j, run->readings, series->rows_n);
		json_end(j);
	}
	json_end(j);
}

static void write_add_intervals(struct json_out *j, const struct series *series)
{
	json_array(j, "intervals", JSON_LINES);
	for (size_t i = 0; i < series->intervals_n; i++) {
		json_object(j, NULL, JSON_LINES);
		write_add_fields(j, schema_interval, &series->intervals[i]);
		write_readings(j, series->intervals[i].run.readings, series->rows_n);
		json_end(j);
	}
	json_end(j);
}

/* The distributions over the ranks: nothing if the series is not of several ranks. */
static void write_ranks(struct json_out *j, const struct series_ranks *ranks, size_t rows_n)
{
	if (!ranks)
		return;
	json_object(j, "ranks", JSON_LINES);
	json_unsigned(j, "n", ranks->n);
	json_array(j, "rows", JSON_LINES);
	for (size_t i = 0; i < rows_n; i++)
		write_add_object(j, NULL, JSON_FILL, schema_rank_summary, &ranks->v[i]);
	json_end(j);
	for (enum tool_event tool = TOOL_NONE + 1; tool <= TOOL_MAX_RSS; tool++)
		write_add_object(j, event_tool_names[tool], JSON_FILL, schema_rank_summary,
				 &ranks->v[rows_n + tool - 1]);
	json_end(j);
}

/* ---- The finished numbers of a result. */

static void write_distribution(struct json_out *j, const struct summary *s)
{
	json_unsigned(j, "n", s->n);
	write_add_defined(j, "mean", s->n > 0, s->mean);
	write_add_defined(j, "stddev", s->n > 1, (long double)summary_stddev(s));
	write_add_defined(j, "stderr", s->n > 1, (long double)summary_stderr(s));
	write_add_defined(j, "ci_half_width", s->n > 1,
			  (long double)interval_half(NULL, INTERVAL_CONFIDENCE, s, 0));
	write_add_defined(j, "median", s->n > 0, s->median);
	write_add_defined(j, "min", s->n > 0, s->min);
	write_add_defined(j, "max", s->n > 0, s->max);
}

static void write_time(struct json_out *j, const char *key, const struct summary *s)
{
	json_object(j, key, JSON_FILL);
	write_distribution(j, s);
	json_end(j);
}

/* Write the value of each run; null: there is none. The value of a single run is the mean. */
static void write_add_values(struct json_out *j, const struct table *table, const struct measure *m)
{
	if (table->runs_n < 2)
		return;
	json_array(j, "values", JSON_FILL);
	for (size_t run = 0; run < table->runs_n; run++)
		write_add_defined(j, NULL, reading_has_count(m->runs[run].state),
				  m->runs[run].count);
	json_end(j);
}

static void write_add_summary_row(struct json_out *j, const struct table *table,
				  const struct measure *row)
{
	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "row", row->index);
	json_text(j, "name", row->name);
	json_text(j, "unit", row->event->unit);
	json_string(j, "state", schema_states[row->state]);
	write_add_defined(j, "value", row->count.n > 0, row->value);
	write_add_defined(j, "value_low", row->bounds.known, row->bounds.low);
	write_add_defined(j, "value_high", row->bounds.known, row->bounds.high);
	json_string(j, "estimator", schema_estimators[row->estimator]);
	write_distribution(j, &row->count);
	write_add_values(j, table, row);
	json_unsigned(j, "running_ns", row->running_ns);
	json_number(j, "running_percent", (long double)row->running_percent);
	json_array(j, "metrics", JSON_FILL);
	for (size_t i = 0; i < row->metrics_n; i++) {
		const struct metric *metric = &row->metrics[i];
		const struct measure *m = metric->measure;

		json_object(j, NULL, JSON_FILL);
		json_number(j, "value", (long double)metric->value);
		json_text(j, "unit", metric->unit);
		if (m) {
			json_string(j, "state", schema_states[m->state]);
			write_add_defined(j, "value_low", m->bounds.known, m->bounds.low);
			write_add_defined(j, "value_high", m->bounds.known, m->bounds.high);
			write_distribution(j, &m->summary);
			write_add_values(j, table, m);
		}
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

/* The counts of each program by its name: for each, one value of each event. 0 or -errno. */
static int write_programs(struct json_out *j, const struct series *series)
{
	const struct process_view view = { .by = PROCESS_BY_NAME };
	const size_t events_n = series->events->n;
	cleanup_with(process_rows_release) struct process_rows programs = { 0 };
	cleanup_with(table_release) struct table table = { 0 };
	cleanup_free const struct measure **measures = NULL;
	cleanup_why struct why why = { 0 };
	int err = process_rows_build(&programs, series, &view, &why);

	if (err == 0)
		err = table_build(&table, &programs.series, NULL);
	if (err < 0)
		return err;
	measures = calloc(programs.series.rows_n + 1, sizeof(*measures));
	if (!measures)
		return -ENOMEM;
	for (size_t i = 0; i < table.events_n; i++)
		measures[table.v[i].index] = &table.v[i];
	json_array(j, "programs", JSON_LINES);
	for (size_t place = 0; place < series_places_n(&programs.series); place++) {
		const struct process *process = programs.places[place].process;

		json_object(j, NULL, JSON_FILL);
		json_text(j, "name", process->name);
		json_unsigned(j, "processes", process->processes_n);
		json_array(j, "values", JSON_FILL);
		for (size_t i = 0; i < events_n; i++) {
			const struct measure *m = measures[place * events_n + i];

			json_object(j, NULL, JSON_FILL);
			json_string(j, "state", schema_states[m ? m->state : NOT_COUNTED]);
			write_add_defined(j, "value", m && m->count.n > 0, m ? m->value : 0);
			json_end(j);
		}
		json_end(j);
		json_end(j);
	}
	json_end(j);
	return 0;
}

static void write_summary(struct json_out *j, const char *key, const struct table *table,
			  enum write_rows rows)
{
	const struct series *series = table->series;

	json_object(j, key, JSON_LINES);
	json_unsigned(j, "runs", series->runs_n);
	write_time(j, "duration_time", &table_own(table, TOOL_DURATION_TIME)->summary);
	if (series->has_usage) {
		write_time(j, "user_time", &table_own(table, TOOL_USER_TIME)->summary);
		write_time(j, "system_time", &table_own(table, TOOL_SYSTEM_TIME)->summary);
	} else {
		json_null(j, "user_time");
		json_null(j, "system_time");
	}
	if (series->has_usage && !table->max_rss_unknown)
		write_time(j, "max_rss", &table_own(table, TOOL_MAX_RSS)->summary);
	json_array(j, "rows", JSON_LINES);
	for (size_t i = 0; i < table->events_n; i++) {
		const struct process *process = table->v[i].place->process;

		if (rows == WRITE_ALL_ROWS || !process || process->pid == 0)
			write_add_summary_row(j, table, &table->v[i]);
	}
	json_end(j);
	if (series->split == PLACE_PROCESS && !process_rows_are_names(series) && j->err == 0)
		j->err = write_programs(j, series);
	json_end(j);
}

/* The numbers of the intervals, as if each interval were a run. */
static void write_add_interval_summary(struct json_out *j, const struct series *series)
{
	cleanup_with(table_release) struct table table = { 0 };
	cleanup_free struct run *runs = NULL;
	struct series intervals = *series;

	if (series->intervals_n == 0)
		return;
	runs = calloc(series->intervals_n, sizeof(*runs));
	for (size_t i = 0; runs && i < series->intervals_n; i++)
		runs[i] = series->intervals[i].run;
	intervals.runs = runs;
	intervals.runs_n = series->intervals_n;
	intervals.has_usage = false; /* of an interval, pstat itself knows only the duration */
	if (runs && table_build(&table, &intervals, NULL) == 0)
		write_summary(j, "interval_summary", &table, WRITE_ALL_ROWS);
	else
		j->err = -ENOMEM;
}

/* "parameters": { "level": "6" }, or nothing if there are none. */
static void write_add_parameters(struct json_out *j, const char *key,
				 const struct series_parameters *p)
{
	if (!p || p->names.n == 0)
		return;
	json_object(j, key, JSON_FILL);
	for (size_t i = 0; i < p->names.n; i++)
		json_text(j, p->names.v[i], p->values.v[i]);
	json_end(j);
}

/* key: NULL for an element of an array. */
static void write_add_result(struct json_out *j, const char *key, const struct table *table,
			     enum write_rows rows)
{
	static const struct provenance unknown;
	const struct series *series = table->series;
	const struct provenance *p = series->provenance ? series->provenance : &unknown;
	cleanup_str struct str started = { 0 };

	json_object(j, key, JSON_LINES);
	json_string(j, "schema", SCHEMA_NAME);
	json_int(j, "version", SCHEMA_VERSION);
	write_add_pstat(j, p);
	json_object(j, "target", JSON_LINES);
	json_text(j, "subject", series->subject);
	write_add_fields(j, schema_target, p);
	json_end(j);
	clock_add_date(&started, "T", "", series->started, p->zone_s); /* RFC 3339 */
	json_string(j, "started", str_text(&started));
	if (series->started_ns)
		json_unsigned(j, "started_ns", series->started_ns);
	write_add_parameters(j, "labels", series->labels);
	write_add_object(j, "host", JSON_LINES, schema_host, p);
	write_add_object(j, "settings", JSON_LINES, schema_settings, series);
	write_add_metric_requests(j, series);
	write_add_events(j, series);
	write_add_groups(j, series);
	write_rows(j, series);
	write_add_processes(j, series);
	write_add_runs(j, series);
	write_add_intervals(j, series);
	write_ranks(j, series->ranks, series->rows_n);
	write_summary(j, "summary", table, rows);
	write_add_interval_summary(j, series);
	json_end(j);
}

int write_result(const struct table *table, enum write_rows rows, FILE *out)
{
	struct json_out j = { .out = out };

	write_add_result(&j, NULL, table, rows);
	return json_finish(&j);
}

/* ---- Comparisons. */

/* runs_n: the number of runs of the side, also those without a value. */
static void write_add_row_side(struct json_out *j, const struct comparison_side *side,
			       size_t runs_n)
{
	const struct summary *s = &side->summary;

	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "n", side->n);
	json_string(j, "state", schema_states[side->state]);
	write_add_defined(j, "mean", side->n > 0, s->mean);
	write_add_defined(j, "ci_half_width", comparison_has_half(side), (long double)side->half);
	write_add_defined(j, "median", side->n > 0, s->median);
	write_add_defined(j, "stddev", side->n > 1, (long double)summary_stddev(s));
	write_add_defined(j, "min", side->n > 0, s->min);
	write_add_defined(j, "max", side->n > 0, s->max);
	json_unsigned(j, "outliers", side->outliers);
	json_array(j, "values", JSON_FILL);
	for (size_t run = 0, i = 0; run < runs_n; run++) {
		bool has_value = i < side->n && side->runs[i] == run;

		write_add_defined(j, NULL, has_value,
				  has_value ? (long double)side->values[i++] : 0);
	}
	json_end(j);
	json_end(j);
}

/* Nothing if there is no text. */
static void write_add_nonempty(struct json_out *j, const char *key, const char *text)
{
	if (*text)
		json_text(j, key, text);
}

static void write_contrast(struct json_out *j, const struct comparison_row *row, size_t side,
			   const char *text, const char *hint)
{
	const struct contrast *contrast = &row->contrasts[side];
	bool counted = row->sides[0].n > 0 && row->sides[side].n > 0;
	bool ratio = counted && !contrast->ratio.withheld;

	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "side", side);
	json_string(j, "verdict", comparison_verdict_text(comparison_verdict(row, side)));
	write_add_defined(j, "ratio", ratio, (long double)contrast->ratio.value);
	write_add_defined(j, "ratio_low", ratio, (long double)contrast->ratio.low);
	write_add_defined(j, "ratio_high", ratio, (long double)contrast->ratio.high);
	write_add_defined(j, "difference", counted, (long double)contrast->difference.value);
	write_add_defined(j, "difference_low", counted, (long double)contrast->difference.low);
	write_add_defined(j, "difference_high", counted, (long double)contrast->difference.high);
	write_add_defined(j, "p", counted, (long double)contrast->p);
	write_add_defined(j, "p_permutation", counted, (long double)contrast->permutation.p);
	write_add_nonempty(j, "text", text);
	write_add_nonempty(j, "hint", hint);
	json_end(j);
}

static void write_comparison_row(struct json_out *j, const struct comparison *c, size_t i,
				 const struct comparison_texts *texts)
{
	const struct comparison_row *row = &c->rows[i];
	const size_t sides_n = c->input.sides_n, first = i * (sides_n - 1);

	json_object(j, NULL, JSON_LINES);
	json_text(j, "name", row->name);
	json_text(j, "place", row->place);
	json_text(j, "cgroup", row->cgroup);
	json_text(j, "unit", row->unit);
	json_int(j, "decimals", row->decimals);
	json_bool(j, "asked", row->asked);
	json_bool(j, "more_is_better", row->better == BETTER_MORE);
	json_number(j, "minimum_effect", (long double)row->minimum_effect);
	json_array(j, "sides", JSON_LINES);
	for (size_t side = 0; side < sides_n; side++)
		write_add_row_side(j, &row->sides[side], c->tables[side].runs_n);
	json_end(j);
	json_array(j, "contrasts", JSON_LINES);
	for (size_t side = 1; side < sides_n; side++)
		write_contrast(j, row, side, texts->changes.v[first + side - 1],
			       texts->hints.v[first + side - 1]);
	json_end(j);
	json_end(j);
}

static void write_add_outcomes(struct json_out *j, const struct comparison *c,
			       const struct comparison_texts *texts)
{
	static const char *const words[] = {
		[GATE_KEPT] = "kept",
		[GATE_CROSSED] = "crossed",
		[GATE_UNCLEAR] = "unclear",
	};

	json_array(j, "outcomes", JSON_LINES);
	for (size_t i = 0; i < c->gates_n; i++) {
		json_object(j, NULL, JSON_FILL);
		json_unsigned(j, "gate", (uint64_t)(c->gates[i].request - c->input.gates));
		json_unsigned(j, "row", (uint64_t)(c->gates[i].row - c->rows));
		json_unsigned(j, "side", c->gates[i].side);
		json_string(j, "outcome", words[c->gates[i].evidence.outcome]);
		json_text(j, "text", texts->outcomes.v[i]);
		json_end(j);
	}
	json_end(j);
}

int write_comparison(const struct comparison *c, const struct comparison_texts *texts, FILE *out)
{
	const struct comparison_input *input = &c->input;
	struct json_out j = { .out = out };

	json_object(&j, NULL, JSON_LINES);
	json_string(&j, "schema", SCHEMA_COMPARISON_NAME);
	json_int(&j, "version", SCHEMA_COMPARISON_VERSION);
	write_add_fields(&j, schema_comparison, input);
	if (input->order) {
		json_array(&j, "order", JSON_FILL);
		for (size_t i = 0; i < input->order_n; i++)
			json_unsigned(&j, NULL, input->order[i]);
		json_end(&j);
	} else {
		json_null(&j, "order");
	}
	json_array(&j, "effects", JSON_LINES);
	for (size_t i = 0; i < input->effects_n; i++)
		write_add_object(&j, NULL, JSON_FILL, schema_effect, &input->effects[i]);
	json_end(&j);
	json_array(&j, "gates", JSON_LINES);
	for (size_t i = 0; i < input->gates_n; i++)
		write_add_object(&j, NULL, JSON_FILL, schema_gate, &input->gates[i]);
	json_end(&j);
	json_array(&j, "sides", JSON_LINES);
	for (size_t i = 0; i < input->sides_n; i++) {
		json_object(&j, NULL, JSON_LINES);
		json_text(&j, "name", input->sides[i].name);
		write_add_parameters(&j, "parameters", input->sides[i].series->parameters);
		write_add_result(&j, "result", &c->tables[i], WRITE_ALL_ROWS);
		json_end(&j);
	}
	json_end(&j);
	json_array(&j, "rows", JSON_LINES);
	for (size_t i = 0; i < c->rows_n; i++)
		write_comparison_row(&j, c, i, texts);
	json_end(&j);
	write_add_outcomes(&j, c, texts);
	write_add_list(&j, "conclusions", &texts->conclusions, json_text);
	write_add_list(&j, "remarks", &texts->remarks, json_text);
	write_add_list(&j, "notes", &texts->notes, json_text);
	json_end(&j);
	return json_finish(&j);
}
