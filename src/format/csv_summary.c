/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format csv-summary: a line for each row, with what its runs come to; with -I for each interval and row.
 * A number that there is not is an empty field.
 */
#include "base/cleanup.h"
#include "base/str.h"
#include "format/csv_text.h"

/* They stay what and where they are: new ones come at the end. Behind them are METRICS_MAX times
 * "metric_N,metric_N_unit". */
static const char header[] = "command,run,time_s," CSV_PLACE "," CSV_EVENT
			     ",runs,n,mean,stddev,stderr,stderr_percent,median,min,max"
			     ",running_ns,running_percent"
			     ",elapsed_s,elapsed_stderr_s,user_s,user_stderr_s"
			     ",system_s,system_stderr_s";

enum { FIELDS_OF_ROW = 17 }; /* place, event and counts, without the runs */

static void add_header(struct str *line, const char *side)
{
	str_add(line, header);
	for (int i = 1; i <= METRICS_MAX; i++)
		str_addf(line, ",metric_%d,metric_%d_unit", i, i);
	csv_end_header(line, side);
}

/* Of a interval, its run; the whole has none. */
static void add_interval(struct str *line, const struct result *result)
{
	csv_add_text(line, result->command);
	if (!result->is_interval) {
		csv_add_empty(line, 2);
		return;
	}
	csv_add_whole(line, result->input.interval->of_run + 1);
	csv_add_seconds(line, result->at_ns);
}

static void add_spread(struct str *line, const struct result_row *row)
{
	if (row->count.n < 2) {
		csv_add_empty(line, 3);
		return;
	}
	csv_add_number(line, summary_stddev(&row->in_unit));
	csv_add_number(line, summary_stderr(&row->in_unit));
	csv_add_number(line, row->spread_percent);
}

static void add_counts(struct str *line, const struct result_row *row)
{
	csv_add_whole(line, row->runs_n);
	csv_add_whole(line, row->count.n);
	if (row->count.n == 0) {
		csv_add_empty(line, 9);
		return;
	}
	csv_add_number(line, row->in_unit.mean);
	add_spread(line, row);
	csv_add_number(line, row->in_unit.median);
	csv_add_number(line, row->in_unit.min);
	csv_add_number(line, row->in_unit.max);
	csv_add_whole(line, row->running_ns);
	csv_add_number(line, row->running_percent);
}

/* The mean and its standard error. */
static void add_time(struct str *line, const struct summary *ns)
{
	const struct summary seconds = summary_times(ns, 1e-9);

	num_add(line, seconds.mean, 9, &num_plain);
	str_add(line, ",");
	if (ns->n < 2)
		csv_add_empty(line, 1);
	else
		csv_add_number(line, summary_stderr(&seconds));
}

static void add_times(struct str *line, const struct result *result)
{
	add_time(line, &result->elapsed_ns);
	if (!result->input.has_usage || result->is_interval) {
		csv_add_empty(line, 4);
		return;
	}
	add_time(line, &result->user_ns);
	add_time(line, &result->system_ns);
}

static void add_metrics(struct str *line, const struct metric_result *metrics)
{
	for (size_t i = 0; i < metrics->n; i++) {
		csv_add_number(line, metrics->v[i].value);
		csv_add_text(line, metrics->v[i].unit);
	}
	csv_add_empty(line, 2 * (METRICS_MAX - metrics->n));
}

/* row: NULL for a result without any. */
static int write_line(const struct result *result, const struct result_row *row, const char *side,
		      FILE *out)
{
	static const struct metric_result none;
	cleanup_str struct str line = { 0 };

	add_interval(&line, result);
	if (row) {
		csv_add_place(&line, row);
		csv_add_event(&line, row, row->state);
		add_counts(&line, row);
	} else {
		csv_add_empty(&line, 7);
		csv_add_whole(&line, result->input.runs_n);
		csv_add_empty(&line, FIELDS_OF_ROW - 7);
	}
	add_times(&line, result);
	add_metrics(&line, row ? &row->metrics : &none);
	csv_end_line(&line, side);
	return csv_put(&line, out);
}

static int csv_summary_write(const struct result *result, const struct result_style *style,
			     FILE *out)
{
	cleanup_str struct str names = { 0 };
	int err = 0;

	if (style->header) {
		add_header(&names, style->side);
		err = csv_put(&names, out);
	}
	if (err == 0 && result->rows_n == 0)
		err = write_line(result, NULL, style->side, out);
	for (size_t i = 0; err == 0 && i < result->rows_n; i++)
		err = write_line(result, &result->rows[i], style->side, out);
	return err;
}

const struct result_format result_csv_summary = { .name = "csv-summary",
						  .continuous = true,
						  .write = csv_summary_write };
