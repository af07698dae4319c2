/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table for people, in perf stat's columns. A column grows with its widest cell, so that the
 * following columns stay aligned. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_table.h"
#include "format/format.h"
#include "format/terminal.h"
#include "format/metric_only.h"
#include "result/result.h"

/* The widths of perf's columns. */
enum {
	COMM_WIDTH = 16,
	TID_WIDTH = 10, /* with the '-' before the number */
	COUNTERS_WIDTH = 4,
	VALUE_WIDTH = 18,
	UNIT_WIDTH = 4,
	NAME_WIDTH = 32,
	NAME_WIDTH_WITHOUT_COUNT = 25, /* of perf 6.1; 32 in later versions */
	METRIC_WIDTH = 35, /* with the '#' */
	METRIC_ONLY_WIDTH = 20,
	SPREAD_WIDTH = 6,
};

/* The columns before the count, for each kind of place. */
static const struct {
	int width; /* of the label */
	const char *header; /* of the label, above intervals */
} columns_of[PLACE_N] = {
	[PLACE_CPU] = { 11, "CPU" },	     [PLACE_CORE] = { 15, "core" },
	[PLACE_CLUSTER] = { 17, "cluster" }, [PLACE_CACHE] = { 19, "cache" },
	[PLACE_DIE] = { 12, "die" },	     [PLACE_SOCKET] = { 6, "socket" },
	[PLACE_NODE] = { 6, "node" },	     [PLACE_THREAD] = { COMM_WIDTH, "comm" },
};

/* For each kind of metric: the width of its number, and the text after it. */
static const struct {
	int width;
	const char *after;
} shapes[] = {
	[METRIC_RATE] = { 8, "" },
	[METRIC_RATIO] = { 8, " " },
	[METRIC_PERCENT] = { 8, "%" },
	[METRIC_PERCENT_FINE] = { 10, " %" },
};

/* The widths of the columns, which all rows share. */
struct layout {
	const struct result *result;
	const struct line_style *style;
	int label; /* of a thread: only its name */
	int tid, counters, value, unit, name, cgroup;
	int excess; /* the widest metric exceeds its shape by this */
	int metric;
	int spread; /* 0: no row has a spread */
};

/* ---- Widths. */

/* The "-TID" at the end of a thread's label. */
static const char *tid_of(const char *label)
{
	const char *dash = strrchr(label, '-');

	return dash ? dash : label + strlen(label);
}

static int measure_n(const struct layout *layout, const char *text, size_t n)
{
	cleanup_str struct str shown = { 0 };

	return ruler_add_n(layout->style->ruler, &shown, text, n);
}

static void fit_place(struct layout *layout, const struct result_row *row)
{
	const struct place *place = row->place;
	const char *tid = place->kind == PLACE_THREAD ? tid_of(place->label) : NULL;

	line_widen(&layout->label,
		   measure_n(layout, place->label,
			     tid ? (size_t)(tid - place->label) : strlen(place->label)));
	if (tid)
		line_widen(&layout->tid, (int)strlen(tid));
	line_widen(&layout->counters, snprintf(NULL, 0, "%zu", row->row->counters));
}

static void fit_count(struct layout *layout, const struct result_row *row)
{
	struct ruler *ruler = layout->style->ruler;

	if (!result_absent(row->state))
		line_widen(&layout->value,
			   line_number_columns(layout->style, result_perf_value(row), row->decimals,
					       ""));
	line_widen(&layout->unit, ruler_measure(ruler, row->event->unit));
	line_widen(&layout->name, ruler_measure(ruler, row->name));
	if (row->event->cgroup)
		line_widen(&layout->cgroup, ruler_measure(ruler, row->event->cgroup));
}

static int number_columns(const struct layout *layout, const struct metric *metric)
{
	return line_number_columns(layout->style, metric->value, metric_decimals(metric->kind),
				   shapes[metric->kind].after);
}

static void fit_numbers(struct layout *layout, const struct result_row *row)
{
	for (size_t i = 0; i < row->metrics.n; i++) {
		const struct metric *metric = &row->metrics.v[i];

		line_widen(&layout->excess,
			   number_columns(layout, metric) - shapes[metric->kind].width);
	}
	if (row->spread_percent > 0) {
		line_widen(&layout->spread, SPREAD_WIDTH);
		line_widen(&layout->spread,
			   line_number_columns(layout->style, row->spread_percent, 2, ""));
	}
}

/* The excess has to be known. */
static void fit_metric(struct layout *layout, const struct result_row *row)
{
	if (row->metrics.n > 0)
		line_widen(&layout->metric,
			   (int)strlen(" # ") + shapes[row->metrics.v[0].kind].width +
				   layout->excess + 1 +
				   ruler_measure(layout->style->ruler, row->metrics.v[0].unit));
}

static struct layout layout_of(const struct result *result, const struct line_style *style)
{
	struct layout layout = {
		.result = result,
		.style = style,
		.label = columns_of[result->series->split].width,
		.tid = TID_WIDTH,
		.counters = COUNTERS_WIDTH,
		.value = VALUE_WIDTH,
		.unit = UNIT_WIDTH,
		.name = NAME_WIDTH,
		.metric = METRIC_WIDTH,
	};

	for (size_t i = 0; i < result->rows_n; i++) {
		fit_place(&layout, &result->rows[i]);
		fit_count(&layout, &result->rows[i]);
		fit_numbers(&layout, &result->rows[i]);
	}
	for (size_t i = 0; i < result->rows_n; i++)
		fit_metric(&layout, &result->rows[i]);
	return layout;
}

/* ---- Rows. */

/* Align the numbers of the threads; the names end before them. */
static void add_thread(struct line *line, const struct layout *layout, const char *label)
{
	const char *tid = tid_of(label);
	cleanup_str struct str comm = { 0 };

	str_add_n(&comm, label, (size_t)(tid - label));
	line->text.failed |= comm.failed;
	line_right(line, str_text(&comm), layout->label, COLOUR_NONE);
	line_left(line, tid, layout->tid);
}

/* The time of an interval, and the place. */
static void add_place(struct line *line, const struct layout *layout, const struct result_row *row)
{
	const struct place *place = row->place;
	cleanup_str struct str at = { 0 };
	char counters[32];

	if (layout->result->interval) {
		num_add_seconds(&at, layout->result->interval->at_ns, 6);
		str_add(&at, " ");
		line_add(line, str_text(&at));
	}
	if (place->kind == PLACE_THREAD)
		add_thread(line, layout, place->label);
	else
		line_left(line, place->label, layout->label);
	if (place_sums_cpus(place->kind)) {
		snprintf(counters, sizeof(counters), " %*zu ", layout->counters,
			 row->row->counters);
		line_add(line, counters);
	}
}

static void add_count(struct line *line, const struct layout *layout, const struct result_row *row)
{
	const char *absent = result_absent(row->state);

	if (absent)
		line_right(line, absent, layout->value,
			   row->state == NOT_SUPPORTED ? COLOUR_UNSUPPORTED : COLOUR_MISSING);
	else
		line_number(line, result_perf_value(row), row->decimals, "", layout->value,
			    COLOUR_NONE);
	line_add(line, " ");
	line_left(line, row->event->unit, layout->unit);
	line_add(line, " ");
	line_left(line, row->name,
		  absent ? layout->name - NAME_WIDTH + NAME_WIDTH_WITHOUT_COUNT : layout->name);
	if (!layout->result->has_cgroups)
		return;
	line_add(line, " ");
	line_left(line, row->event->cgroup ? row->event->cgroup : "", layout->cgroup);
}

static void add_metric_value(struct line *line, const struct metric *metric, int width)
{
	static const enum colour colours[] = {
		[LEVEL_USUAL] = COLOUR_NONE,
		[LEVEL_RAISED] = COLOUR_RAISED,
		[LEVEL_HIGH] = COLOUR_HIGH,
		[LEVEL_SEVERE] = COLOUR_SEVERE,
	};

	line_number(line, metric->value, metric_decimals(metric->kind), shapes[metric->kind].after,
		    width, colours[metric->level]);
}

static void add_metric(struct line *line, const struct layout *layout, const struct metric *metric)
{
	line_add(line, " # ");
	add_metric_value(line, metric, shapes[metric->kind].width + layout->excess);
	line_add(line, " ");
	line_add(line, metric->unit);
}

static void add_spread(struct line *line, double percent, int width)
{
	if (percent <= 0)
		return;
	line_add(line, "  ( +-");
	line_number(line, percent, 2, "", width, COLOUR_NONE);
	line_add(line, "% )");
}

/* The blanks at the end of a row are those of perf: some programs search for one after the name. */
static int write_row(const struct layout *layout, const struct result_row *row, FILE *out)
{
	cleanup_line struct line line = { .style = layout->style };
	int before;
	int err;

	add_place(&line, layout, row);
	add_count(&line, layout, row);
	before = line.columns;
	if (row->metrics.n > 0)
		add_metric(&line, layout, &row->metrics.v[0]);
	line_fill(&line, before + layout->metric);
	if (layout->spread)
		add_spread(&line, row->spread_percent, layout->spread);
	if (row->state == SCALED) {
		line_add(&line, "  (");
		line_number(&line, row->running_percent, 2, "%", 0, COLOUR_ESTIMATE);
		line_add(&line, ")");
	}
	err = line_put_filled(&line, out);
	for (size_t i = 1; err == 0 && i < row->metrics.n; i++) {
		add_place(&line, layout, row);
		line_fill(&line, before);
		add_metric(&line, layout, &row->metrics.v[i]);
		line_fill(&line, before + layout->metric);
		err = line_put_filled(&line, out);
	}
	return err;
}

/* ---- Headers and footer. */

/* As perf: two significant digits more than the first digit of the standard error. */
static int precision_of(double spread)
{
	int decimals = 2;

	if (spread <= 0)
		return 9;
	for (; spread < 1 && decimals < 9; spread *= 10)
		decimals++;
	return decimals;
}

static struct num_style without_thousands(struct num_style numbers)
{
	numbers.thousands[0] = '\0';
	return numbers;
}

/* As perf: without separators of thousands. */
static int write_time(const struct summary *ns, const char *what, const struct line_style *style,
		      FILE *out)
{
	const struct num_style numbers = without_thousands(*style->numbers);
	const struct line_style plain = { .ruler = style->ruler, .numbers = &numbers };
	cleanup_line struct line line = { .style = &plain };
	double mean = (double)ns->mean / 1e9;
	double spread = summary_stderr(ns) / 1e9;
	int precision = ns->n > 1 ? precision_of(spread) : 9;

	line_add(&line, " ");
	line_number(&line, mean, precision, "", 17, COLOUR_NONE);
	if (ns->n > 1) {
		line_add(&line, " +- ");
		line_number(&line, spread, precision, "", 0, COLOUR_NONE);
	}
	line_add(&line, " seconds ");
	line_add(&line, what);
	add_spread(&line, summary_stderr_percent(ns), SPREAD_WIDTH);
	return line_put(&line, out);
}

/* ---- --table: the time of each run. */

enum {
	TIME_WIDTH = 18,
	PERCENT_OF_BAR = 5, /* one '#' more for this distance from the mean */
	BARS_MAX = 60,
};

/* Append the time, right-aligned. Returns the number of blanks before it. */
static int add_run_time(struct str *text, uint64_t ns, int decimals,
			const struct num_style *numbers)
{
	cleanup_str struct str number = { 0 };
	int width;

	num_add(&number, ns / 1e9L, decimals, numbers);
	width = TIME_WIDTH - (int)number.len;
	width = width > 0 ? width : 0;
	text->failed |= number.failed;
	str_addf(text, "%*s%s", width, "", str_text(&number));
	return width;
}

static void add_run(struct str *text, const struct result_time *time, int decimals,
		    const struct num_style *numbers)
{
	double more = fabs(time->over_percent) / PERCENT_OF_BAR;
	int bars = 1 + (more < BARS_MAX ? (int)more : BARS_MAX);

	add_run_time(text, time->elapsed_ns, decimals, numbers);
	str_addf(text, " (%c", time->over_ns < 0 ? '-' : '+');
	num_add(text, fabs(time->over_ns) / 1e9, decimals, numbers);
	str_add(text, ") ");
	for (; bars > 0; bars--)
		str_add(text, "#");
	str_add(text, "\n");
}

static int write_run_times(const struct result *result, int decimals,
			   const struct num_style *numbers, FILE *out)
{
	struct num_style style = *numbers;
	cleanup_str struct str text = { 0 };
	int indent;

	style.thousands[0] = '\0';
	indent = add_run_time(&text, (uint64_t)result->elapsed_ns.mean, decimals, &style);
	text.len = 0;
	str_addf(&text, "%*s# Table of individual measurements:\n", indent, "");
	for (size_t i = 0; i < result->runs_n; i++)
		add_run(&text, &result->times[i], decimals, &style);
	str_addf(&text, "\n%*s# Final result:\n", indent, "");
	return str_print(&text, out);
}

static int write_passes(const struct result *result, FILE *out)
{
	return fprintf(out, "%18zu %s of the command for each measurement\n\n",
		       result->series->passes_n,
		       result->series->passes_n == 1 ? "pass" : "passes") < 0 ?
		       -errno :
		       0;
}

static int write_usage(const struct result *result, const struct line_style *style, FILE *out)
{
	int err = write_time(&result->user_ns, "user", style, out);

	if (err == 0)
		err = write_time(&result->system_ns, "sys", style, out);
	for (int i = 0; err == 0 && i < 2; i++)
		err = line_put_empty(out);
	return err;
}

static int write_footer(const struct result *result, const struct format_style *look,
			const struct line_style *style, FILE *out)
{
	int err = result->series->null_run ? 0 : line_put_empty(out);

	if (err == 0 && result->series->passes_n)
		err = write_passes(result, out);
	if (err == 0 && look->run_times && result->is_series)
		err = write_run_times(result,
				      precision_of(summary_stderr(&result->elapsed_ns) / 1e9),
				      style->numbers, out);
	if (err == 0)
		err = write_time(&result->elapsed_ns, "time elapsed", style, out);
	if (err == 0)
		err = line_put_empty(out);
	return err == 0 && result->series->has_usage ? write_usage(result, style, out) : err;
}

static int write_header(const struct result *result, const struct line_style *style, FILE *out)
{
	cleanup_line struct line line = { .style = style };
	char runs[64];
	int err = line_put_empty(out);

	line_add(&line, " Performance counter stats for ");
	line_add(&line, result->series->subject);
	snprintf(runs, sizeof(runs), " (%zu runs)", result->runs_n);
	if (result->is_series)
		line_add(&line, runs);
	line_add(&line, ":");
	if (err == 0)
		err = line_put(&line, out);
	return err < 0 ? err : line_put_empty(out);
}

static void add_metric_names(struct line *line, const struct metric_only *m)
{
	for (size_t i = 0; i < m->columns_n; i++) {
		line_right(line, m->columns[i].name, METRIC_ONLY_WIDTH, COLOUR_NONE);
		line_add(line, " ");
	}
}

/* The column names of intervals. m: of --metric-only, or NULL. */
static int write_interval_header(const struct layout *layout, const struct metric_only *m,
				 FILE *out)
{
	cleanup_line struct line line = { .style = layout->style };
	enum place_kind split = layout->result->series->split;

	line_add(&line, "#           time ");
	if (split == PLACE_THREAD) {
		line_right(&line, columns_of[split].header, layout->label, COLOUR_NONE);
		line_left(&line, "-tid", layout->tid);
	} else if (split != PLACE_TARGET) {
		line_left(&line, columns_of[split].header, layout->label);
	}
	if (place_sums_cpus(split)) {
		line_add(&line, " ");
		line_right(&line, "cpus", layout->counters, COLOUR_NONE);
		line_add(&line, " ");
	}
	if (m && m->by_cgroup) {
		line_left(&line, "cgroup", layout->cgroup);
		line_add(&line, " ");
	}
	if (m) {
		add_metric_names(&line, m);
		return line_put(&line, out);
	}
	line_right(&line, "counts", layout->value, COLOUR_NONE);
	line_add(&line, " ");
	line_right(&line, "unit", layout->unit, COLOUR_NONE);
	line_add(&line, " events");
	return line_put(&line, out);
}

/* ---- --metric-only: one line for each place. */

/* The place, and the cgroup if the lines have one. */
static void add_metric_place(struct line *line, const struct layout *layout,
			     const struct metric_only *m, const struct metric_line *at)
{
	add_place(line, layout, at->at);
	if (!m->by_cgroup)
		return;
	line_left(line, at->at->event->cgroup, layout->cgroup);
	line_add(line, " ");
}

static int write_metric_line(const struct layout *layout, const struct metric_only *m,
			     const struct metric_line *at, FILE *out)
{
	cleanup_line struct line line = { .style = layout->style };

	add_metric_place(&line, layout, m, at);
	for (size_t i = 0; i < m->columns_n; i++) {
		const struct metric *metric = metric_only_value(at, &m->columns[i]);
		int width = METRIC_ONLY_WIDTH;

		line_widen(&width, ruler_measure(layout->style->ruler, m->columns[i].name));
		if (metric)
			add_metric_value(&line, metric, width);
		else
			line_right(&line, "", width, COLOUR_NONE);
		line_add(&line, " ");
	}
	return line_put(&line, out);
}

/* The names above the numbers, after the columns of the place. */
static int write_metric_names(const struct layout *layout, const struct metric_only *m, FILE *out)
{
	cleanup_line struct line place = { .style = layout->style };
	cleanup_line struct line line = { .style = layout->style };

	if (m->lines_n > 0)
		add_metric_place(&place, layout, m, &m->lines[0]);
	line_fill(&line, place.columns);
	add_metric_names(&line, m);
	return line_put(&line, out);
}

static int write_metrics(const struct layout *layout, const struct format_style *look, FILE *out)
{
	cleanup_with(metric_only_release) struct metric_only m = { 0 };
	int err = metric_only_init(&m, layout->result);

	if (err < 0 || m.columns_n == 0)
		return err;
	if (!layout->result->interval)
		err = write_metric_names(layout, &m, out);
	else if (look->header)
		err = write_interval_header(layout, &m, out);
	for (size_t i = 0; err == 0 && i < m.lines_n; i++)
		err = write_metric_line(layout, &m, &m.lines[i], out);
	return err;
}

static int write_rows(const struct layout *layout, const struct format_style *look, FILE *out)
{
	const struct result *result = layout->result;
	int err = 0;

	if (result->interval && look->header)
		err = write_interval_header(layout, NULL, out);
	for (size_t i = 0; err == 0 && i < result->rows_n; i++)
		err = write_row(layout, &result->rows[i], out);
	return err;
}

static int write_result(const struct result *result, const struct format_style *style, FILE *out)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style lines = { &ruler, &style->numbers, style->colour };
	const struct layout layout = layout_of(result, &lines);
	int err = 0;

	if (!result->interval)
		err = write_header(result, &lines, out);
	if (err == 0)
		err = style->metric_only ? write_metrics(&layout, style, out) :
					   write_rows(&layout, style, out);
	return err < 0 || result->interval ? err : write_footer(result, style, &lines, out);
}

const struct format format_table = {
	.name = "table",
	.audience = AUDIENCE_TERMINAL,
	.notes = NOTES_COMMENTS,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_DATED,
	.locale = LOCALE_USER,
	.write_result = write_result,
	.write_comparison = compare_table_write,
};
