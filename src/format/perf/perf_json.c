/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat's -j: one JSON object for each line and nothing else, with perf's keys in perf's order.
 * If perf 6.1 writes invalid JSON or misleads, pstat follows later versions:
 * - metric-value is a string, and "0.000000" with an empty unit if there is no metric (6.1: a
 *   number, and "(null)");
 * - the number of CPUs is "counters" (6.12 and older: "aggregate-number");
 * - with --metric-only, a line is one object.
 */
#include "base/cleanup.h"
#include "base/json.h"
#include "base/num.h"
#include "base/str.h"
#include "format/format.h"
#include "format/perf/metric_only.h"
#include "format/perf/place.h"
#include "result/table.h"

enum { DECIMALS = 6 }; /* of values, as %f prints them */

/* A number as a string. */
static void perf_json_value(struct json_out *j, const char *key, long double value, int decimals)
{
	struct str *text = json_value(j, key);

	str_add(text, "\"");
	num_add(text, value, decimals, &num_plain);
	str_add(text, "\"");
}

/* Begin an object with the time and the place. */
static void perf_json_begin(struct json_out *j, const struct table *table,
			    const struct measure *row, const struct format_style *style)
{
	const struct place_columns columns = place_columns(row->place->kind);

	json_object(j, NULL, JSON_PERF);
	if (table->interval)
		num_add_seconds(json_value(j, "interval"), table->interval->at_ns, 0);
	if (columns.key)
		json_string(j, columns.key, place_json_label(row->place));
	if (columns.has_cpus)
		json_unsigned(j, style->counters_key ? style->counters_key : "counters",
			      row->counters);
}

static void perf_json_metric(struct json_out *j, const struct measure *row, size_t i)
{
	bool has_metric = i < row->metrics_n;
	cleanup_str struct str unit = { 0 };

	perf_json_value(j, "metric-value", has_metric ? row->metrics[i].value : 0, DECIMALS);
	if (has_metric && row->metrics[i].scale)
		str_addf(&unit, "%s  ", row->metrics[i].scale);
	str_add(&unit, has_metric ? row->metrics[i].unit : "");
	json_string(j, "metric-unit", str_text(&unit));
}

/* Each further metric of the event has its own line, with only the time and the place. */
static void perf_json_row(struct json_out *j, const struct table *table, const struct measure *row,
			  const struct format_style *style)
{
	const char *absent = measure_absent(row->state);

	perf_json_begin(j, table, row, style);
	if (absent)
		json_string(j, "counter-value", absent);
	else
		perf_json_value(j, "counter-value", measure_perf_value(row), DECIMALS);
	json_string(j, "unit", row->event->unit);
	json_string(j, "event", row->name);
	if (table->has_cgroups)
		json_string(j, "cgroup", row->event->cgroup ? row->event->cgroup : "");
	if (style->repeated || table->is_series)
		str_addf(json_value(j, "variance"), "%.2f", row->spread_percent);
	num_add_unsigned(json_value(j, "event-runtime"), row->running_ns);
	str_addf(json_value(j, "pcnt-running"), "%.2f", row->running_percent);
	perf_json_metric(j, row, 0);
	json_end(j);
	for (size_t i = 1; i < row->metrics_n; i++) {
		perf_json_begin(j, table, row, style);
		perf_json_metric(j, row, i);
		json_end(j);
	}
}

/* One object for each place, with the names of the metrics as keys. */
static int perf_json_metric_only(struct json_out *j, const struct table *table,
				 const struct format_style *style)
{
	cleanup_with(metric_only_release) struct metric_only m = { 0 };
	int err = metric_only_init(&m, table);

	for (size_t i = 0; err == 0 && i < m.lines_n; i++) {
		perf_json_begin(j, table, m.lines[i].at, style);
		if (m.by_cgroup)
			json_string(j, "cgroup", m.lines[i].at->event->cgroup);
		for (size_t k = 0; k < m.columns_n; k++) {
			const struct metric *metric = metric_only_value(&m.lines[i], &m.columns[k]);

			if (metric)
				perf_json_value(j, m.columns[k].name, metric->value,
						metric_decimals(metric));
			else
				json_string(j, m.columns[k].name, "none");
		}
		if (m.columns_n == 0)
			json_string(j, "metric-value", "none");
		json_end(j);
	}
	return err;
}

static int perf_json_write(const struct table *table, const struct format_style *style, FILE *out)
{
	struct json_out j = { .out = out };

	if (style->metric_only)
		j.err = perf_json_metric_only(&j, table, style);
	for (size_t i = 0; !style->metric_only && i < table->events_n; i++)
		perf_json_row(&j, table, &table->v[i], style);
	return json_finish(&j);
}

const struct format format_perf_json = {
	.audience = AUDIENCE_PROGRAMS,
	.destination = DESTINATION_STDERR,
	.notes = NOTES_VERBOSE,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_TEXT,
	.locale = LOCALE_C,
	.has_no_sums = true,
	.write = perf_json_write,
};
