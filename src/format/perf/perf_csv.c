/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of perf stat -x (perf-stat(1), "CSV FORMAT"):
 *	[time or "summary",] [CPU, place and its number of CPUs, or thread,] value, unit, event,
 *	[cgroup,] [spread with -r,] run time in ns, running %, metric, unit of the metric
 * Names and units are unchanged, except that control characters become \xNN: a row is always one
 * line. A further metric of an event has its own line, which repeats the time and the place, except
 * a second part of the slots ("Light Operations"): perf appends it to the line. With --metric-only
 * there is one line for each place, after a line with the names of the fields.
 */
#include "base/cleanup.h"
#include "base/str.h"
#include "format/format.h"
#include "format/perf/metric_only.h"
#include "format/perf/place.h"
#include "result/table.h"

static void perf_csv_add_metric(struct str *line, const struct measure *row, size_t i,
				const char *sep)
{
	str_add(line, sep);
	if (i < row->metrics_n)
		num_add(line, row->metrics[i].value, metric_decimals(&row->metrics[i]), &num_plain);
	str_add(line, sep);
	if (i < row->metrics_n && row->metrics[i].scale)
		str_addf(line, "%s  ", row->metrics[i].scale);
	str_add_escaped(line, i < row->metrics_n ? row->metrics[i].unit : "");
}

/* The fields before the count. */
static void perf_csv_add_place(struct str *line, const struct table *table,
			       const struct measure *row, const struct format_style *style)
{
	const struct place_columns columns = place_columns(row->place->kind);
	const char *sep = style->separator;

	if (table->interval)
		num_add_seconds(line, table->interval->at_ns, 6);
	else if (style->is_summary)
		str_addf(line, "%16s", "summary");
	if (table->interval || style->is_summary)
		str_add(line, sep);
	if (!columns.key)
		return;
	str_add_escaped(line, row->place->label);
	str_add(line, sep);
	if (columns.has_cpus)
		str_addf(line, "%zu%s", row->counters, sep);
}

/* Each further metric has its own line. Its fields between place and metric are empty, as in perf.
 * A part of the slots (METRIC_PART) is appended to the line instead. */
static void perf_csv_add_row(struct str *line, const struct table *table, const struct measure *row,
			     const struct format_style *style)
{
	const char *absent = measure_absent(row->state);
	const char *sep = style->separator;
	bool repeated = style->repeated || table->is_series;
	int fields = 5 + table->has_cgroups + repeated;

	perf_csv_add_place(line, table, row, style);
	if (absent)
		str_add(line, absent);
	else
		num_add(line, measure_perf_value(row), row->decimals, &num_plain);
	str_add(line, sep);
	str_add_escaped(line, row->event->unit);
	str_add(line, sep);
	str_add_escaped(line, row->name);
	if (table->has_cgroups) {
		str_add(line, sep);
		str_add_escaped(line, row->event->cgroup ? row->event->cgroup : "");
	}
	if (repeated)
		str_addf(line, "%s%.2f%%", sep, row->spread_percent);
	str_add(line, sep);
	num_add_unsigned(line, row->running_ns);
	str_add(line, sep);
	num_add(line, row->running_percent, 2, &num_plain);
	perf_csv_add_metric(line, row, 0, sep);
	for (size_t i = 1; i < row->metrics_n; i++) {
		if (row->metrics[i].kind != METRIC_PART) {
			str_add(line, "\n");
			perf_csv_add_place(line, table, row, style);
			for (int field = 1; field < fields; field++)
				str_add(line, sep);
		}
		perf_csv_add_metric(line, row, i, sep);
	}
	str_add(line, "\n");
}

/* One line for each place, after the names of the fields. As perf: a separator after each field,
 * including the last. */
static int perf_csv_add_metric_only(struct str *text, const struct table *table,
				    const struct format_style *style)
{
	const struct place_columns columns = place_columns(table->series->split);
	const char *sep = style->separator;
	cleanup_with(metric_only_release) struct metric_only m = { 0 };
	int err = metric_only_init(&m, table);

	if (err < 0 || m.columns_n == 0)
		return err;
	if (style->header) {
		if (table->interval)
			str_addf(text, "time%s", sep);
		if (columns.key)
			str_addf(text, "%s%s", columns.csv_key, sep);
		if (columns.has_cpus)
			str_addf(text, "cpus%s", sep);
		if (m.by_cgroup)
			str_addf(text, "cgroup%s", sep);
		for (size_t i = 0; i < m.columns_n; i++) {
			str_add_escaped(text, m.columns[i].name);
			str_add(text, sep);
		}
		str_add(text, "\n");
	}
	for (size_t i = 0; i < m.lines_n; i++) {
		perf_csv_add_place(text, table, m.lines[i].at, style);
		if (m.by_cgroup) {
			str_add_escaped(text, m.lines[i].at->event->cgroup);
			str_add(text, sep);
		}
		for (size_t k = 0; k < m.columns_n; k++) {
			const struct metric *metric = metric_only_value(&m.lines[i], &m.columns[k]);

			if (metric)
				num_add(text, metric->value, metric_decimals(metric), &num_plain);
			str_add(text, sep);
		}
		str_add(text, "\n");
	}
	return 0;
}

static int perf_csv_write(const struct table *table, const struct format_style *style, FILE *out)
{
	cleanup_str struct str text = { 0 };
	int err = style->metric_only ? perf_csv_add_metric_only(&text, table, style) : 0;

	for (size_t i = 0; !style->metric_only && i < table->events_n; i++)
		perf_csv_add_row(&text, table, &table->v[i], style);
	return err < 0 ? err : str_print(&text, out);
}

const struct format format_perf_csv = {
	.audience = AUDIENCE_PROGRAMS,
	.destination = DESTINATION_STDERR,
	.notes = NOTES_VERBOSE,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_DATED,
	.locale = LOCALE_C,
	.has_no_sums = true,
	.write = perf_csv_write,
};
