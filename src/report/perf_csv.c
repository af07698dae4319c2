/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat's -x, field for field (perf-stat(1), "CSV FORMAT"):
 *	value, unit, event, [spread with -r,] run time in ns, running %, metric, unit of the metric
 * Always in the C locale. A second metric of an event has a line of its own.
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

static void add_row(struct str *line, const struct report *report, const struct report_row *row,
		    const char *sep)
{
	const char *absent = report_absent(row->state);

	if (absent)
		str_add(line, absent);
	else
		num_add(line, row->value, row->decimals, &num_plain);
	str_addf(line, "%s%s%s%s", sep, row->event->unit, sep, row->name);
	if (report->runs_n > 1)
		str_addf(line, "%s%.2f%%", sep, row->spread_percent);
	str_addf(line, "%s%llu%s%.2f", sep, (unsigned long long)row->running_ns, sep,
		 row->running_percent);
	add_metric(line, row, 0, sep);
}

/* Empty fields up to the metric, as perf prints what would be a second line of the table. */
static void add_second(struct str *line, const struct report *report, const struct report_row *row,
		       size_t i, const char *sep)
{
	int fields = report->runs_n > 1 ? 5 : 4;

	for (int field = 0; field < fields; field++)
		str_add(line, sep);
	add_metric(line, row, i, sep);
}

static int perf_csv_write(const struct report *report, const struct report_style *style, FILE *out)
{
	cleanup_str struct str text = { 0 };

	for (size_t i = 0; i < report->rows_n; i++) {
		add_row(&text, report, &report->rows[i], style->separator);
		for (size_t j = 1; j < report->rows[i].metrics.n; j++)
			add_second(&text, report, &report->rows[i], j, style->separator);
	}
	if (text.failed)
		return -ENOMEM;
	return fwrite(str_text(&text), 1, text.len, out) < text.len ? -errno : 0;
}

const struct report_format report_perf_csv = { .name = "perf-csv", .write = perf_csv_write };
