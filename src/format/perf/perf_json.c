/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat's -j: one JSON object for each line and nothing else, with perf's keys in perf's order.
 * Where perf 6.1 writes invalid JSON or misleads, this follows later versions:
 * - metric-value is a string, and "0.000000" with an empty unit if there is no metric (6.1: a number,
 *   and "(null)");
 * - the number of CPUs is "counters" (6.12 and older: "aggregate-number");
 * - with --metric-only, a line is one object.
 */
#include "base/cleanup.h"
#include "base/str.h"
#include "format/format.h"
#include "format/perf/metric_only.h"
#include "format/perf/place.h"
#include "result/result.h"

enum { DECIMALS = 6 }; /* of values, as %f prints them */

/* Every key but the first of a line follows a comma. */
static void add_key(struct str *line, const char *key)
{
	bool first = line->len == 0 || line->text[line->len - 1] == '{';

	str_add(line, first ? "" : ", ");
	str_add_json(line, key);
	str_add(line, " : ");
}

static void add_text(struct str *line, const char *key, const char *text)
{
	add_key(line, key);
	str_add_json(line, text);
}

/* A number as a string. */
static void add_value(struct str *line, const char *key, long double value, int decimals)
{
	add_key(line, key);
	str_add(line, "\"");
	num_add(line, value, decimals, &num_plain);
	str_add(line, "\"");
}

/* The time and the place. */
static void add_place(struct str *line, const struct result *result, const struct result_row *row,
		      const struct format_style *style)
{
	const struct place_columns columns = place_columns(row->place->kind);

	str_add(line, "{");
	if (result->interval) {
		add_key(line, "interval");
		num_add_seconds(line, result->interval->at_ns, 0);
	}
	if (columns.key)
		add_text(line, columns.key, place_json_label(row->place));
	if (columns.has_cpus) {
		add_key(line, style->counters_key ? style->counters_key : "counters");
		str_addf(line, "%zu", row->row->counters);
	}
}

static void add_metric(struct str *line, const struct result_row *row, size_t i)
{
	bool has_metric = i < row->metrics.n;

	add_value(line, "metric-value", has_metric ? row->metrics.v[i].value : 0, DECIMALS);
	add_text(line, "metric-unit", has_metric ? row->metrics.v[i].unit : "");
}

static void add_count(struct str *line, const struct result *result, const struct result_row *row,
		      const struct format_style *style)
{
	const char *absent = result_absent(row->state);

	if (absent)
		add_text(line, "counter-value", absent);
	else
		add_value(line, "counter-value", result_perf_value(row), DECIMALS);
	add_text(line, "unit", row->event->unit);
	add_text(line, "event", row->name);
	if (result->has_cgroups)
		add_text(line, "cgroup", row->event->cgroup ? row->event->cgroup : "");
	if (style->repeated || result->is_series) {
		add_key(line, "variance");
		str_addf(line, "%.2f", row->spread_percent);
	}
	add_key(line, "event-runtime");
	str_addf(line, "%llu", (unsigned long long)row->running_ns);
	add_key(line, "pcnt-running");
	str_addf(line, "%.2f", row->running_percent);
}

/* Each further metric of the event has its own line, with only the time and the place. */
static void add_row(struct str *text, const struct result *result, const struct result_row *row,
		    const struct format_style *style)
{
	add_place(text, result, row, style);
	add_count(text, result, row, style);
	add_metric(text, row, 0);
	str_add(text, "}\n");
	for (size_t i = 1; i < row->metrics.n; i++) {
		add_place(text, result, row, style);
		add_metric(text, row, i);
		str_add(text, "}\n");
	}
}

/* One object for each place, with the names of the metrics as keys. */
static int add_metric_only(struct str *text, const struct result *result,
			   const struct format_style *style)
{
	cleanup_with(metric_only_release) struct metric_only m = { 0 };
	int err = metric_only_init(&m, result);

	for (size_t i = 0; err == 0 && i < m.lines_n; i++) {
		add_place(text, result, m.lines[i].at, style);
		if (m.by_cgroup)
			add_text(text, "cgroup", m.lines[i].at->event->cgroup);
		for (size_t j = 0; j < m.columns_n; j++) {
			const struct metric *metric = metric_only_value(&m.lines[i], &m.columns[j]);

			if (metric)
				add_value(text, m.columns[j].name, metric->value,
					  metric_decimals(metric));
			else
				add_text(text, m.columns[j].name, "none");
		}
		if (m.columns_n == 0)
			add_text(text, "metric-value", "none");
		str_add(text, "}\n");
	}
	return err;
}

static int write_result(const struct result *result, const struct format_style *style, FILE *out)
{
	cleanup_str struct str text = { 0 };
	int err = style->metric_only ? add_metric_only(&text, result, style) : 0;

	for (size_t i = 0; !style->metric_only && i < result->rows_n; i++)
		add_row(&text, result, &result->rows[i], style);
	return err < 0 ? err : str_print(&text, out);
}

const struct format format_perf_json = {
	.audience = AUDIENCE_PROGRAMS,
	.destination = DESTINATION_STDERR,
	.notes = NOTES_VERBOSE,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_TEXT,
	.locale = LOCALE_C,
	.has_no_sums = true,
	.write_result = write_result,
};
