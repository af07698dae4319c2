/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat's -x, field for field (perf-stat(1), "CSV FORMAT"):
 *	[time or "summary",] [CPU, place and its number of CPUs, or thread,] value, unit, event,
 *	[cgroup,] [spread with -r,] run time in ns, running %, metric, unit of the metric
 * Always in the C locale. A second metric of an event has a line of its own, which says when and where
 * as well.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "report/report.h"

static void add_metric(struct str *line, const struct report_row *row, size_t i, const char *sep)
{
	static const int decimals[] = {
		[METRIC_RATE] = 3,
		[METRIC_RATIO] = 2,
		[METRIC_PERCENT] = 2,
		[METRIC_PERCENT_FINE] = 3,
	};

	str_add(line, sep);
	if (i < row->metrics.n)
		num_add(line, row->metrics.v[i].value, decimals[row->metrics.v[i].kind],
			&num_plain);
	str_addf(line, "%s%s\n", sep, i < row->metrics.n ? row->metrics.v[i].unit : "");
}

/* What stands before the count. */
static void add_place(struct str *line, const struct report *report, const struct report_row *row,
		      const struct report_style *style)
{
	const struct where *where = &row->row->where;
	const char *sep = style->separator;

	if (report->is_block)
		str_addf(line, "%6llu.%09llu%s", (unsigned long long)report->at_ns / 1000000000,
			 (unsigned long long)report->at_ns % 1000000000, sep);
	else if (style->is_summary)
		str_addf(line, "%16s%s", "summary", sep);
	if (where->kind == WHERE_TARGET)
		return;
	str_addf(line, "%s%s", where->label, sep);
	if (where->kind != WHERE_CPU && where->kind != WHERE_THREAD)
		str_addf(line, "%zu%s", row->row->counters, sep);
}

/* How many fields stand between the place and the metric. */
static int add_row(struct str *line, const struct report *report, const struct report_row *row,
		   const struct report_style *style)
{
	const char *absent = report_absent(row->state);
	const char *sep = style->separator;

	add_place(line, report, row, style);
	if (absent)
		str_add(line, absent);
	else
		num_add(line, row->value, row->decimals, &num_plain);
	str_addf(line, "%s%s%s%s", sep, row->event->unit, sep, row->name);
	if (report->has_cgroups)
		str_addf(line, "%s%s", sep, row->event->cgroup ? row->event->cgroup : "");
	if (report->is_series)
		str_addf(line, "%s%.2f%%", sep, row->spread_percent);
	str_addf(line, "%s%llu%s%.2f", sep, (unsigned long long)row->running_ns, sep,
		 row->running_percent);
	add_metric(line, row, 0, sep);
	return 5 + report->has_cgroups + report->is_series;
}

/* Empty fields between the place and the metric, as perf prints what would be a second line of the
 * table. */
static void add_second(struct str *line, const struct report *report, const struct report_row *row,
		       size_t i, const struct report_style *style, int fields)
{
	add_place(line, report, row, style);
	for (int field = 1; field < fields; field++)
		str_add(line, style->separator);
	add_metric(line, row, i, style->separator);
}

static int perf_csv_write(const struct report *report, const struct report_style *style, FILE *out)
{
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < report->rows_n; i++) {
		int fields = add_row(&text, report, &report->rows[i], style);

		for (size_t j = 1; j < report->rows[i].metrics.n; j++)
			add_second(&text, report, &report->rows[i], j, style, fields);
	}
	if (text.failed)
		return -ENOMEM;
	return fwrite(str_text(&text), 1, text.len, out) < text.len ? -errno : 0;
}

const struct report_format report_perf_csv = { .name = "perf-csv", .write = perf_csv_write };
