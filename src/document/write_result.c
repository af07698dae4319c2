/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document that pstat-report-1.schema.json describes: the whole report, read back by --show. */
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "document/schema.h"
#include "document/write_result.h"
#include "result/provenance.h"
#include "result/result.h"

static void add_known(struct json_out *j, const char *key, const struct known_int *setting)
{
	if (setting->known)
		json_int(j, key, setting->value);
	else
		json_null(j, key);
}

static void add_strings(struct json_out *j, const char *key, const struct str_list *list)
{
	json_array(j, key, JSON_FILL);
	for (size_t i = 0; i < list->n; i++)
		json_string(j, NULL, list->v[i]);
	json_end(j);
}

static void add_maker(struct json_out *j, const struct provenance *p)
{
	json_object(j, "pstat", JSON_FILL);
	json_string(j, "version", p->pstat ? p->pstat : PACKAGE_VERSION);
	json_string(j, "libpfm4", p->libpfm4);
	if (p->has_seed)
		json_unsigned(j, "seed", p->seed);
	else
		json_null(j, "seed");
	json_end(j);
}

static void add_target(struct json_out *j, const char *subject, const struct provenance *p)
{
	json_object(j, "target", JSON_LINES);
	json_text(j, "subject", subject);
	if (p->argv.n) {
		json_array(j, "argv", JSON_FILL);
		for (size_t i = 0; i < p->argv.n; i++)
			json_text(j, NULL, p->argv.v[i]);
		json_end(j);
	} else {
		json_null(j, "argv");
	}
	json_text(j, "cwd", p->cwd);
	json_end(j);
}

/* RFC 3339 */
static void add_started(struct json_out *j, time_t started, int zone_s)
{
	cleanup_str struct str text = { 0 };

	clock_add_date(&text, "T", "", started, zone_s);
	json_string(j, "started", str_text(&text));
}

static void add_host(struct json_out *j, const struct provenance *p)
{
	json_object(j, "host", JSON_LINES);
	json_string(j, "name", p->host);
	json_string(j, "kernel", p->kernel);
	json_string(j, "machine", p->machine);
	json_string(j, "cpu_model", p->cpu_model);
	json_string(j, "cpus_online", p->cpus_online);
	add_strings(j, "pmus", &p->pmus);
	add_strings(j, "governors", &p->governors);
	if (p->turbo.known)
		json_bool(j, "turbo", p->turbo.value != 0);
	else
		json_null(j, "turbo");
	add_known(j, "aslr", &p->aslr);
	add_known(j, "perf_event_paranoid", &p->paranoid);
	json_end(j);
}

static void add_settings(struct json_out *j, const struct result_input *input)
{
	json_object(j, "settings", JSON_LINES);
	json_string(j, "split", schema_splits[input->split]);
	json_bool(j, "scaled", input->scaling == SCALE_BY_TIME);
	json_number(j, "min_running_percent", (long double)input->min_running);
	json_unsigned(j, "passes", input->passes_n);
	json_number(j, "cpus", (long double)input->cpus);
	json_unsigned(j, "cgroups", input->cgroups_n);
	json_bool(j, "null_run", input->null_run);
	json_bool(j, "only_counted", input->only_counted);
	json_bool(j, "has_usage", input->has_usage);
	if (input->max_rss_floor_kib)
		json_unsigned(j, "max_rss_floor", input->max_rss_floor_kib);
	json_unsigned(j, "interval_ms", input->interval_ms);
	json_bool(j, "summary_asked", input->summary_asked);
	json_end(j);
}

static void add_metric_requests(struct json_out *j, const struct result_input *input)
{
	const size_t *events = input->metric_events;

	json_array(j, "metrics", JSON_LINES);
	for (size_t i = 0; input->metrics && i < input->metrics->n; i++) {
		const struct metric_request *request = &input->metrics->v[i];

		json_object(j, NULL, JSON_FILL);
		json_text(j, "text", request->text);
		json_array(j, "events", JSON_FILL);
		for (size_t k = 0; k < request->expression.events_n; k++)
			json_unsigned(j, NULL, *events++);
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

static void add_attr(struct json_out *j, const struct event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	json_object(j, "attr", JSON_FILL);
	json_unsigned(j, "type", attr->type);
	json_hex(j, "config", attr->config);
	json_hex(j, "config1", event->probed ? 0 : attr->config1); /* an address of pstat's own */
	json_hex(j, "config2", attr->config2);
	if (event->config3)
		json_hex(j, "config3", event->config3);
	if (attr->bp_type)
		json_unsigned(j, "bp_type", attr->bp_type);
	json_unsigned(j, "precise_ip", attr->precise_ip);
	json_array(j, "flags", JSON_FILL);
#define ADD_FLAG(flag)                                                                             \
	if (attr->flag)                                                                            \
		json_string(j, NULL, #flag);
	SCHEMA_ATTR_FLAGS(ADD_FLAG)
#undef ADD_FLAG
	json_end(j);
	json_end(j);
}

static void add_opening(struct json_out *j, const struct opening *opening)
{
	json_object(j, "opening", JSON_FILL);
	json_bool(j, "refused", opening->refused);
	json_bool(j, "user_only", opening->user_only);
	json_bool(j, "apart", opening->apart);
	json_bool(j, "first_only", opening->first_only);
	json_text(j, "reason", opening->reason.text);
	json_end(j);
}

/* What most events have not. */
static void add_extras(struct json_out *j, const struct event *event)
{
	if (event->full_name)
		json_string(j, "full_name", event->full_name);
	if (event->probed)
		json_text(j, "probed", event->probed);
	if (event->filter)
		json_text(j, "filter", event->filter);
	if (event->symbol)
		json_text(j, "symbol", event->symbol);
	if (event->cgroup)
		json_text(j, "cgroup", event->cgroup);
	if (event->cpus)
		json_string(j, "cpus", event->cpus);
	if (event->merged)
		json_bool(j, "merged", true);
	if (event->snapshot)
		json_bool(j, "snapshot", true);
	if (event->has_modifiers)
		json_bool(j, "has_modifiers", true);
}

static void add_events(struct json_out *j, const struct result_input *input)
{
	json_array(j, "events", JSON_LINES);
	for (size_t i = 0; i < input->events->n; i++) {
		const struct event *event = &input->events->events[i];

		json_object(j, NULL, JSON_LINES);
		json_text(j, "name", event->name);
		json_string(j, "source", event->source);
		json_string(j, "pmu", event->pmu);
		json_text(j, "unit", event->unit);
		json_number(j, "factor", (long double)event->factor);
		json_string(j, "tool", event_tool_names[event->tool]);
		if (event->tool == TOOL_NONE)
			add_attr(j, event);
		else
			json_null(j, "attr");
		add_extras(j, event);
		add_opening(j, &input->openings[i]);
		json_end(j);
	}
	json_end(j);
}

static void add_groups(struct json_out *j, const struct result_input *input)
{
	json_array(j, "groups", JSON_LINES);
	for (size_t i = 0; i < input->events->groups_n; i++) {
		const struct event_group *group = &input->events->groups[i];

		json_object(j, NULL, JSON_FILL);
		json_text(j, "name", group->name);
		json_unsigned(j, "first", group->first);
		json_unsigned(j, "n", group->n);
		json_bool(j, "weak", group->weak);
		if (input->passes && input->passes[i] != SIZE_MAX)
			json_unsigned(j, "pass", input->passes[i]);
		else
			json_null(j, "pass");
		json_end(j);
	}
	json_end(j);
}

static void add_rows(struct json_out *j, const struct result_input *input)
{
	json_array(j, "rows", JSON_LINES);
	for (size_t i = 0; i < input->rows_n; i++) {
		json_object(j, NULL, JSON_FILL);
		json_unsigned(j, "event", input->rows[i].event);
		json_unsigned(j, "place", input->rows[i].place_index);
		json_text(j, "label", input->rows[i].place.label);
		json_unsigned(j, "counters", input->rows[i].counters);
		json_end(j);
	}
	json_end(j);
}

static void add_readings(struct json_out *j, const struct reading *readings, size_t n)
{
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
}

static void add_end(struct json_out *j, int wait_status, bool has_command)
{
	if (has_command && WIFEXITED(wait_status))
		json_int(j, "exit_status", WEXITSTATUS(wait_status));
	else
		json_null(j, "exit_status");
	if (has_command && WIFSIGNALED(wait_status))
		json_int(j, "signal", WTERMSIG(wait_status));
	else
		json_null(j, "signal");
}

static void add_runs(struct json_out *j, const struct result_input *input, bool has_command)
{
	json_array(j, "runs", JSON_LINES);
	for (size_t i = 0; i < input->runs_n; i++) {
		const struct run *run = &input->runs[i];

		json_object(j, NULL, JSON_LINES);
		add_end(j, run->wait_status, has_command);
		for (enum tool_event tool = TOOL_NONE + 1; tool < TOOL_N; tool++)
			json_unsigned(j, event_tool_names[tool], run->tool[tool]);
		add_readings(j, run->readings, input->rows_n);
		json_end(j);
	}
	json_end(j);
}

static void add_intervals(struct json_out *j, const struct result_input *input)
{
	json_array(j, "intervals", JSON_LINES);
	for (size_t i = 0; i < input->intervals_n; i++) {
		const struct interval *interval = &input->intervals[i];

		json_object(j, NULL, JSON_LINES);
		json_unsigned(j, "run", interval->of_run);
		json_unsigned(j, "at_ns", interval->at_ns);
		json_unsigned(j, "late", interval->missed);
		json_unsigned(j, "duration_time", interval->run.tool[TOOL_DURATION_TIME]);
		add_readings(j, interval->run.readings, input->rows_n);
		json_end(j);
	}
	json_end(j);
}

static void add_defined(struct json_out *j, const char *key, bool defined, long double value)
{
	if (defined)
		json_number(j, key, value);
	else
		json_null(j, key);
}

static void add_distribution(struct json_out *j, const struct summary *s)
{
	json_unsigned(j, "n", s->n);
	add_defined(j, "mean", s->n > 0, s->mean);
	add_defined(j, "stddev", s->n > 1, (long double)summary_stddev(s));
	add_defined(j, "stderr", s->n > 1, (long double)summary_stderr(s));
	add_defined(j, "median", s->n > 0, s->median);
	add_defined(j, "min", s->n > 0, s->min);
	add_defined(j, "max", s->n > 0, s->max);
}

static void add_time(struct json_out *j, const char *key, const struct summary *s)
{
	json_object(j, key, JSON_FILL);
	add_distribution(j, s);
	json_end(j);
}

static void add_summary_row(struct json_out *j, const struct result *result,
			    const struct result_row *row)
{
	json_object(j, NULL, JSON_FILL);
	json_unsigned(j, "row", (uint64_t)(row->row - result->input.rows));
	json_text(j, "name", row->name);
	json_text(j, "unit", row->event->unit);
	json_string(j, "state", schema_states[row->state]);
	add_defined(j, "value", row->count.n > 0, row->value);
	add_distribution(j, &row->count);
	json_unsigned(j, "running_ns", row->running_ns);
	json_number(j, "running_percent", (long double)row->running_percent);
	json_array(j, "metrics", JSON_FILL);
	for (size_t i = 0; i < row->metrics.n; i++) {
		json_object(j, NULL, JSON_FILL);
		json_number(j, "value", (long double)row->metrics.v[i].value);
		json_text(j, "unit", row->metrics.v[i].unit);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void add_summary(struct json_out *j, const struct result *result)
{
	const struct result_input *input = &result->input;

	json_object(j, "summary", JSON_LINES);
	json_unsigned(j, "runs", input->runs_n);
	add_time(j, "duration_time", &result->elapsed_ns);
	if (input->has_usage) {
		add_time(j, "user_time", &result->user_ns);
		add_time(j, "system_time", &result->system_ns);
	} else {
		json_null(j, "user_time");
		json_null(j, "system_time");
	}
	json_array(j, "rows", JSON_LINES);
	for (size_t i = 0; i < result->rows_n; i++)
		add_summary_row(j, result, &result->rows[i]);
	json_end(j);
	json_end(j);
}

void json_add_result(struct json_out *j, const char *key, const struct result *result)
{
	static const struct provenance unknown;
	const struct result_input *input = &result->input;
	const struct provenance *p = input->provenance ? input->provenance : &unknown;

	json_object(j, key, JSON_LINES);
	json_string(j, "schema", SCHEMA_NAME);
	json_int(j, "version", SCHEMA_VERSION);
	add_maker(j, p);
	add_target(j, input->subject, p);
	add_started(j, input->started, p->zone_s);
	add_host(j, p);
	add_settings(j, input);
	add_metric_requests(j, input);
	add_events(j, input);
	add_groups(j, input);
	add_rows(j, input);
	add_runs(j, input, p->argv.n > 0);
	add_intervals(j, input);
	add_summary(j, result);
	json_end(j);
}

static int json_write(const struct result *result, const struct result_style *style, FILE *out)
{
	struct json_out j = { .out = out };

	(void)style;
	json_add_result(&j, NULL, result);
	return json_finish(&j);
}

const struct result_format result_json = {
	.name = "json",
	.intervals = INTERVALS_INSIDE,
	.write = json_write,
};
