/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "document/schema.h"
#include "document/write.h"
#include "metric/topdown.h"
#include "result/comparison.h"
#include "result/series.h"

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

static bool write_is_set(const struct schema_field *field, const void *at)
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

/* Write a value, or null if it is unset. */
static void write_add_value(struct json_out *j, const char *key, const struct schema_field *field,
			    const void *at)
{
	if (field->presence != SCHEMA_REQUIRED && !write_is_set(field, at)) {
		json_null(j, key);
		return;
	}
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

		if (field->presence != SCHEMA_OPTIONAL || write_is_set(field, at))
			write_add_value(j, field->key, field, at);
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

/* The indices of the events of an expression. */
static void write_add_events_of(struct json_out *j, const struct expression *e)
{
	json_array(j, "events", JSON_FILL);
	for (size_t i = 0; i < e->events_n; i++)
		json_unsigned(j, NULL, e->events[i].index);
	json_end(j);
}

static void write_add_threshold(struct json_out *j, const struct expression *threshold)
{
	cleanup_str struct str text = { 0 };

	expression_add_text(&text, threshold);
	json_object(j, "threshold", JSON_FILL);
	json_text(j, "text", str_text(&text));
	write_add_events_of(j, threshold);
	json_end(j);
}

static void write_add_metric_requests(struct json_out *j, const struct series *series)
{
	json_array(j, "metrics", JSON_LINES);
	for (size_t i = 0; series->metrics && i < series->metrics->n; i++) {
		const struct metric_request *request = &series->metrics->v[i];

		json_object(j, NULL, JSON_FILL);
		json_text(j, "text", request->text);
		if (request->scale)
			json_text(j, "unit", request->scale);
		if (request->topdown) {
			json_text(j, "topdown", request->topdown->title);
			json_unsigned(j, "set", request->set);
			if (request->next)
				json_text(j, "next", request->next);
		}
		if (request->threshold.steps_n > 0)
			write_add_threshold(j, &request->threshold);
		write_add_events_of(j, &request->expression);
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
		json_known(j, "pass", series->passes && series->passes[i] != SIZE_MAX,
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
	json_known(j, "exit_status", known && WIFEXITED(wait_status), WEXITSTATUS(wait_status));
	json_known(j, "signal", known && WIFSIGNALED(wait_status), WTERMSIG(wait_status));
}

static void write_add_processes(struct json_out *j, const struct series *series)
{
	size_t places_n = series_places_n(series);

	if (series->split != PLACE_PROCESS)
		return;
	json_array(j, "processes", JSON_LINES);
	for (size_t i = 0; i < places_n; i++) {
		const struct process *process = series->places[i].process;

		if (!process)
			continue;
		json_object(j, NULL, JSON_FILL);
		json_unsigned(j, "place", i);
		write_add_fields(j, schema_process, process);
		write_add_end(j, process->end == PROCESS_ENDED, process->wait_status);
		json_end(j);
	}
	json_end(j);
}

/* The estimates are absent if no reading has one. */
static void write_readings(struct json_out *j, const struct reading *readings, size_t n)
{
	static const struct reading no_estimate = { .estimate = { -1, -1 } };
	bool has_estimate = false;

	for (size_t i = 0; i < n; i++)
		has_estimate |= readings[i].has_estimate;
	for (const struct schema_field *field = schema_reading; field->key; field++) {
		const bool optional = field->presence == SCHEMA_OPTIONAL;

		if (optional && !has_estimate)
			continue;
		json_array(j, field->key, JSON_FILL);
		for (size_t i = 0; i < n; i++) {
			const bool unset = optional && !readings[i].has_estimate;
			const struct reading *from = unset ? &no_estimate : &readings[i];

			write_add_value(j, NULL, field, (const char *)from + field->offset);
		}
		json_end(j);
	}
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

void write_series(struct json_out *j, const char *key, const struct series *series)
{
	static const struct provenance unknown;
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
}

/* ---- Comparisons. */

void write_comparison(struct json_out *j, const struct comparison_input *input)
{
	json_object(j, NULL, JSON_LINES);
	json_string(j, "schema", SCHEMA_COMPARISON_NAME);
	json_int(j, "version", SCHEMA_COMPARISON_VERSION);
	write_add_fields(j, schema_comparison, input);
	if (input->cases_n > 0)
		json_array(j, "cases", JSON_LINES);
	for (size_t i = 0; i < input->cases_n; i++)
		write_add_object(j, NULL, JSON_FILL, schema_case, &input->cases[i]);
	if (input->cases_n > 0)
		json_end(j);
	if (input->order) {
		json_array(j, "order", JSON_FILL);
		for (size_t i = 0; i < input->order_n; i++)
			json_unsigned(j, NULL, input->order[i]);
		json_end(j);
	} else {
		json_null(j, "order");
	}
	json_array(j, "effects", JSON_LINES);
	for (size_t i = 0; i < input->effects_n; i++)
		write_add_object(j, NULL, JSON_FILL, schema_effect, &input->effects[i]);
	json_end(j);
	json_array(j, "gates", JSON_LINES);
	for (size_t i = 0; i < input->gates_n; i++)
		write_add_object(j, NULL, JSON_FILL, schema_gate, &input->gates[i]);
	json_end(j);
}

void write_side(struct json_out *j, const struct side_input *side)
{
	json_object(j, NULL, JSON_LINES);
	json_text(j, "name", side->name);
	write_add_parameters(j, "parameters", side->series->parameters);
	write_series(j, "result", side->series);
}
