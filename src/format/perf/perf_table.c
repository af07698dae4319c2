/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table for people, in perf stat's columns. A column grows with its widest cell, so that the
 * following columns stay aligned. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/format.h"
#include "format/perf/metric_only.h"
#include "format/perf/place.h"
#include "format/terminal/answer.h"
#include "format/terminal/history_table.h"
#include "format/terminal/process_table.h"
#include "format/terminal/terminal.h"
#include "metric/topdown.h"
#include "result/table.h"

/* The widths of perf's columns. */
enum {
	CPUS_WIDTH = 4,
	VALUE_WIDTH = 18,
	UNIT_WIDTH = 4,
	NAME_WIDTH = 32,
	NAME_WIDTH_WITHOUT_COUNT = 25, /* of perf 6.1; 32 in later versions */
	METRIC_WIDTH = 35, /* with the '#' */
	METRIC_ONLY_WIDTH = 20,
	SPREAD_WIDTH = 6,
	ERROR_WIDTH = 4, /* of the half-width of an interval, in percent */
};

/* For each kind of metric: the width of its number, and the text after it. */
static const struct {
	int width;
	const char *after;
} shapes[] = {
	[METRIC_RATE] = { 8, "" },     [METRIC_RATIO] = { 8, " " },
	[METRIC_PERCENT] = { 8, "%" }, [METRIC_PERCENT_FINE] = { 10, " %" },
	[METRIC_PART] = { 8, "%" },    [METRIC_OF_USER] = { 8, "" },
};

/* The widths of the columns that a narrow terminal shrinks. */
struct widths {
	int value, unit, name, metric;
};

/* The widths of the columns, which all rows share. */
struct layout {
	const struct table *table;
	const struct line_style *style;
	struct place_columns place; /* with the widths of all labels */
	int cpus, cgroup;
	int excess; /* the widest metric exceeds its shape by this */
	int spread; /* 0: no row has a spread */
	int error; /* 0: no row has the interval of an estimate */
	bool shares; /* intervals replace the spread, because there is no room for both */
	struct widths shown, used; /* used: of the widest cell */
	bool narrow; /* the terminal is too narrow for perf's columns */
};

/* ---- Widths. */

/* Widen all columns but that of the metrics. */
static void perf_table_fit_row(struct layout *layout, const struct measure *row)
{
	struct ruler *ruler = layout->style->ruler;
	cleanup_str struct str first = { 0 };
	const char *second = place_table_label(row->place, &first);
	const char *absent = measure_absent(row->state);

	line_widen(&layout->place.width, ruler_measure(ruler, str_text(&first)));
	line_widen(&layout->place.second_width, ruler_measure(ruler, second));
	line_widen(&layout->cpus, snprintf(NULL, 0, "%zu", row->counters));
	line_widen(&layout->used.value,
		   absent ? (int)strlen(absent) :
			    line_number_columns(layout->style, measure_perf_value(row),
						measure_shown_decimals(row), ""));
	line_widen(&layout->used.unit, ruler_measure(ruler, row->event->unit));
	line_widen(&layout->used.name, ruler_measure(ruler, row->name));
	if (row->event->cgroup)
		line_widen(&layout->cgroup, ruler_measure(ruler, row->event->cgroup));
	for (size_t i = 0; i < row->metrics_n; i++) {
		const struct metric *metric = &row->metrics[i];
		int width =
			line_number_columns(layout->style, metric->value, metric_decimals(metric),
					    shapes[metric->kind].after);

		line_widen(&layout->excess, width - shapes[metric->kind].width);
	}
	if (row->spread_percent > 0) {
		line_widen(&layout->spread, SPREAD_WIDTH);
		line_widen(&layout->spread,
			   line_number_columns(layout->style, row->spread_percent, 2, ""));
	}
	if (row->shows_error) {
		line_widen(&layout->error, ERROR_WIDTH);
		line_widen(&layout->error,
			   line_number_columns(layout->style, measure_shown_error(row),
					       MEASURE_ERROR_DECIMALS, ""));
	}
}

/* The text after the number. The interval or the spread of a metric of -M stands next to its name,
 * because those at the end of the row belong to the count. */
static void perf_table_add_metric_name(struct str *name, const struct layout *layout,
				       const struct metric *metric)
{
	const struct measure *m = metric->measure;

	if (metric->scale)
		str_addf(name, "%s  ", metric->scale);
	str_add(name, metric->unit);
	if (m && m->half_width != 0 && isfinite(measure_error_percent(m))) {
		str_add(name, layout->style->ascii ? " +- " : " ± ");
		num_add(name, measure_shown_error(m), MEASURE_ERROR_DECIMALS,
			layout->style->numbers);
		str_add(name, "%");
		return;
	}
	if (!m || summary_stderr(&m->summary) <= 0)
		return;
	str_add(name, " +- ");
	num_add(name, measure_spread_percent(m), 2, layout->style->numbers);
	str_add(name, "%");
}

/* Only the first metric of a row is followed by other columns. */
static void perf_table_fit_metrics(struct layout *layout, const struct measure *row)
{
	for (size_t i = 0; i < row->metrics_n; i++) {
		const struct metric *metric = &row->metrics[i];
		cleanup_str struct str name = { 0 };
		int width;

		perf_table_add_metric_name(&name, layout, metric);
		width = (int)strlen(" # ") + shapes[metric->kind].width + layout->excess + 1 +
			ruler_measure(layout->style->ruler, str_text(&name));
		line_widen(&layout->used.metric, width);
		if (i == 0)
			line_widen(&layout->shown.metric, width);
	}
}

static void perf_table_shrink(int *width, int least, int *excess)
{
	int cut = *width - least < *excess ? *width - least : *excess;

	if (cut <= 0)
		return;
	*width -= cut;
	*excess -= cut;
}

/* Where the value of a row begins. */
static int perf_table_columns_of_place(const struct layout *layout);

enum {
	NAME_LEAST = 12, /* of a name that is cut */
	RUNNING_WIDTH = sizeof("  (99.99%)") - 1,
	SPREAD_TEXT_WIDTH = sizeof("  ( +-% )") - 1,
};

static int perf_table_columns_of_spread(const struct layout *layout)
{
	return layout->spread ? SPREAD_TEXT_WIDTH + layout->spread : 0;
}

static const char *perf_table_error_sign(const struct layout *layout)
{
	return layout->style->ascii ? "  +- " : "  ± ";
}

static int perf_table_columns_of_error(const struct layout *layout)
{
	if (!layout->error)
		return 0;
	return ruler_measure(layout->style->ruler, perf_table_error_sign(layout)) + layout->error +
	       (int)strlen("%");
}

/* Fit the rows into a terminal: first drop the padding of the names, then that of the other
 * columns, and then show the intervals in the column of the spreads. If that is not enough, cut the
 * names. */
static void perf_table_fit_terminal(struct layout *layout, int width)
{
	const struct widths *used = &layout->used;
	struct widths *shown = &layout->shown;
	int spread = perf_table_columns_of_spread(layout),
	    error = perf_table_columns_of_error(layout);
	int excess = perf_table_columns_of_place(layout) + shown->value + 1 + shown->unit + 1 +
		     shown->name + (layout->table->has_cgroups ? 1 + layout->cgroup : 0) +
		     shown->metric + spread + error - width;

	for (size_t i = 0; i < layout->table->events_n; i++)
		if (layout->table->v[i].state == SCALED) {
			excess += RUNNING_WIDTH;
			break;
		}
	layout->narrow = excess > 0;
	perf_table_shrink(&shown->name, used->name, &excess);
	perf_table_shrink(&shown->metric, used->metric, &excess);
	perf_table_shrink(&shown->value, used->value, &excess);
	perf_table_shrink(&shown->unit, used->unit, &excess);
	if (excess > 0 && spread && error) {
		layout->shares = true;
		excess -= spread < error ? spread : error;
	}
	perf_table_shrink(&shown->name, NAME_LEAST, &excess);
}

static struct layout perf_table_layout_of(const struct table *table,
					  const struct format_style *look,
					  const struct line_style *style)
{
	struct layout layout = {
		.table = table,
		.style = style,
		.place = place_columns(table->series->split),
		.cpus = CPUS_WIDTH,
		.shown = { VALUE_WIDTH, UNIT_WIDTH, NAME_WIDTH, METRIC_WIDTH },
	};

	for (size_t i = 0; i < table->events_n; i++)
		perf_table_fit_row(&layout, &table->v[i]);
	for (size_t i = 0; i < table->events_n; i++)
		perf_table_fit_metrics(&layout, &table->v[i]);
	line_widen(&layout.shown.value, layout.used.value);
	line_widen(&layout.shown.unit, layout.used.unit);
	line_widen(&layout.shown.name, layout.used.name);
	if (look->width > 0 && table->events_n > 0)
		perf_table_fit_terminal(&layout, look->width);
	return layout;
}

/* ---- Rows. */

/* The names of threads end before their numbers. */
static void perf_table_add_label(struct line *line, const struct place_columns *columns,
				 const char *first, const char *second)
{
	if (columns->second_width)
		line_right(line, first, columns->width, COLOUR_NONE);
	else
		line_left(line, first, columns->width);
	line_left(line, second, columns->second_width);
}

/* The time of an interval, and the place. */
static void perf_table_add_place(struct line *line, const struct layout *layout,
				 const struct measure *row)
{
	cleanup_str struct str at = { 0 }, first = { 0 };
	const char *second = place_table_label(row->place, &first);

	if (layout->table->interval) {
		num_add_seconds(&at, layout->table->interval->at_ns, 6);
		str_add(&at, " ");
		line_append(line, &at);
	}
	line->text.failed |= first.failed;
	perf_table_add_label(line, &layout->place, str_text(&first), second);
	if (layout->place.has_cpus)
		line_addf(line, " %*zu ", layout->cpus, row->counters);
}

static void perf_table_add_count(struct line *line, const struct layout *layout,
				 const struct measure *row)
{
	const char *absent = measure_absent(row->state);

	if (absent)
		line_right(line, absent, layout->shown.value,
			   row->state == NOT_SUPPORTED ? COLOUR_UNSUPPORTED : COLOUR_MISSING);
	else
		line_number(line, measure_perf_value(row), measure_shown_decimals(row), "",
			    layout->shown.value, COLOUR_NONE);
	line_add(line, " ");
	line_left(line, row->event->unit, layout->shown.unit);
	line_add(line, " ");
	if (layout->narrow)
		line_cut(line, row->name, layout->shown.name, COLOUR_NONE);
	else
		line_left(line, row->name,
			  layout->shown.name -
				  (absent ? NAME_WIDTH - NAME_WIDTH_WITHOUT_COUNT : 0));
	if (!layout->table->has_cgroups)
		return;
	line_add(line, " ");
	line_left(line, row->event->cgroup ? row->event->cgroup : "", layout->cgroup);
}

static const enum colour level_colours[] = {
	[LEVEL_USUAL] = COLOUR_NONE,
	[LEVEL_RAISED] = COLOUR_RAISED,
	[LEVEL_HIGH] = COLOUR_HIGH,
	[LEVEL_SEVERE] = COLOUR_SEVERE,
};

static void perf_table_add_metric_value(struct line *line, const struct metric *metric, int width)
{
	line_number(line, metric->value, metric_decimals(metric), shapes[metric->kind].after, width,
		    level_colours[metric->level]);
}

static void perf_table_add_metric(struct line *line, const struct layout *layout,
				  const struct metric *metric)
{
	cleanup_str struct str name = { 0 };

	perf_table_add_metric_name(&name, layout, metric);
	line_add(line, " # ");
	perf_table_add_metric_value(line, metric, shapes[metric->kind].width + layout->excess);
	line_add(line, " ");
	line_append(line, &name);
}

static void perf_table_add_spread(struct line *line, double percent, int width)
{
	if (percent <= 0)
		return;
	line_add(line, "  ( +-");
	line_number(line, percent, 2, "", width, COLOUR_NONE);
	line_add(line, "% )");
}

/* Add the spread, and the half-width of the interval of an estimate in percent: "?" if there was
 * too little data. If any row has an interval, the columns after it are aligned. */
static void perf_table_add_precision(struct line *line, const struct layout *layout,
				     const struct measure *row)
{
	int spread = perf_table_columns_of_spread(layout),
	    error = perf_table_columns_of_error(layout);
	int at = line->columns;

	if (spread && !(layout->shares && row->shows_error))
		perf_table_add_spread(line, row->spread_percent, layout->spread);
	if (row->state != SCALED || error == 0)
		return;
	if (!layout->shares)
		line_fill(line, at += spread);
	if (row->shows_error)
		line_add(line, perf_table_error_sign(layout));
	if (row->shows_error && measure_shown_error(row) > 0)
		line_number(line, measure_shown_error(row), MEASURE_ERROR_DECIMALS, "%",
			    layout->error + (int)strlen("%"), COLOUR_NONE);
	else if (row->shows_error)
		line_add(line, "?");
	line_fill(line, at + (layout->shares && spread > error ? spread : error));
}

static int perf_table_columns_of_place(const struct layout *layout)
{
	cleanup_line struct line line = { .style = layout->style };

	perf_table_add_place(&line, layout, &layout->table->v[0]);
	return line.columns;
}

/* The blanks at the end of a row are those of perf: some programs search for one after the name. */
static void perf_table_end_row(struct line *line, const struct layout *layout)
{
	if (layout->narrow)
		line_end(line);
	else
		line_end_filled(line);
}

static void perf_table_add_row(struct line *line, const struct layout *layout,
			       const struct measure *row)
{
	int before;

	perf_table_add_place(line, layout, row);
	perf_table_add_count(line, layout, row);
	before = line->columns;
	if (row->metrics_n > 0)
		perf_table_add_metric(line, layout, &row->metrics[0]);
	line_fill(line, before + layout->shown.metric);
	perf_table_add_precision(line, layout, row);
	if (row->state == SCALED) {
		line_add(line, "  (");
		line_number(line, row->running_percent, 2, "%", 0, COLOUR_ESTIMATE);
		line_add(line, ")");
	}
	perf_table_end_row(line, layout);
	for (size_t i = 1; i < row->metrics_n; i++) {
		perf_table_add_place(line, layout, row);
		line_fill(line, before);
		perf_table_add_metric(line, layout, &row->metrics[i]);
		line_fill(line, before + layout->shown.metric);
		perf_table_end_row(line, layout);
	}
}

/* ---- Headers and footer. */

/* As perf: two significant digits more than the first digit of the standard error. */
static int perf_table_precision_of(double spread)
{
	int decimals = 2;

	if (spread <= 0)
		return 9;
	for (; spread < 1 && decimals < 9; spread *= 10)
		decimals++;
	return decimals;
}

static void perf_table_add_time(struct line *line, const struct summary *ns, const char *what)
{
	double spread = summary_stderr(ns) / 1e9;
	int precision = ns->n > 1 ? perf_table_precision_of(spread) : 9;

	line_add(line, " ");
	line_number(line, (double)ns->mean / 1e9, precision, "", 17, COLOUR_NONE);
	if (ns->n > 1) {
		line_add(line, " +- ");
		line_number(line, spread, precision, "", 0, COLOUR_NONE);
	}
	line_add(line, " seconds ");
	line_add(line, what);
	perf_table_add_spread(line, summary_stderr_percent(ns), SPREAD_WIDTH);
	line_end(line);
}

/* ---- --table: the time of each run. */

enum {
	TIME_WIDTH = 18,
	PERCENT_OF_BAR = 5, /* one '#' more for this distance from the mean */
	BARS_MAX = 60,
};

/* Append the time, right-aligned. Returns the number of blanks before it. */
static int perf_table_add_run_time(struct str *text, uint64_t ns, int decimals,
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

static void perf_table_add_run_times(struct str *text, const struct table *table,
				     const struct num_style *numbers)
{
	const struct summary *elapsed = &table_own(table, TOOL_DURATION_TIME)->summary;
	int decimals = perf_table_precision_of(summary_stderr(elapsed) / 1e9);
	cleanup_str struct str mean = { 0 };
	int indent = perf_table_add_run_time(&mean, (uint64_t)elapsed->mean, decimals, numbers);

	text->failed |= mean.failed;
	str_addf(text, "%*s# Table of individual measurements:\n", indent, "");
	for (size_t i = 0; i < table->runs_n; i++) {
		uint64_t ns = table->runs[i].tool[TOOL_DURATION_TIME];
		double over_ns = (double)(ns - elapsed->mean);
		double more = ns ? 100 * fabs(over_ns) / (double)ns / PERCENT_OF_BAR : 0;

		perf_table_add_run_time(text, ns, decimals, numbers);
		str_addf(text, " (%c", over_ns < 0 ? '-' : '+');
		num_add(text, fabs(over_ns) / 1e9, decimals, numbers);
		str_add(text, ") ");
		str_fill(text, '#', 1 + (more < BARS_MAX ? (size_t)more : BARS_MAX));
		str_add(text, "\n");
	}
	str_addf(text, "\n%*s# Final result:\n", indent, "");
}

/* As perf: without separators of thousands. */
static int perf_table_write_footer(const struct table *table, const struct format_style *look,
				   struct ruler *ruler, FILE *out)
{
	struct num_style numbers = look->numbers;
	const struct line_style style = { .ruler = ruler, .numbers = &numbers };
	cleanup_line struct line line = { .style = &style };
	size_t passes_n = table->series->passes_n;

	numbers.thousands[0] = '\0';
	if (!table->series->null_run)
		line_end(&line);
	if (passes_n)
		str_addf(&line.text, "%18zu %s of the command for each measurement\n\n", passes_n,
			 passes_n == 1 ? "pass" : "passes");
	if (look->run_times && table->is_series)
		perf_table_add_run_times(&line.text, table, &numbers);
	perf_table_add_time(&line, &table_own(table, TOOL_DURATION_TIME)->summary, "time elapsed");
	line_end(&line);
	if (table->series->has_usage && !event_list_counts_whole_cpus(table->series->events)) {
		perf_table_add_time(&line, &table_own(table, TOOL_USER_TIME)->summary, "user");
		perf_table_add_time(&line, &table_own(table, TOOL_SYSTEM_TIME)->summary, "sys");
		line_end(&line);
		line_end(&line);
	}
	return str_print(&line.text, out);
}

static void perf_table_add_metric_names(struct line *line, const struct metric_only *m)
{
	for (size_t i = 0; i < m->columns_n; i++) {
		line_right(line, m->columns[i].name, METRIC_ONLY_WIDTH, COLOUR_NONE);
		line_add(line, " ");
	}
}

/* The column names of intervals. m: of --metric-only, or NULL. */
static void perf_table_add_interval_header(struct line *line, const struct layout *layout,
					   const struct metric_only *m)
{
	const struct place_columns *place = &layout->place;

	line_add(line, "#           time ");
	perf_table_add_label(line, place, place->title, place->second_title);
	if (place->has_cpus) {
		line_add(line, " ");
		line_right(line, "cpus", layout->cpus, COLOUR_NONE);
		line_add(line, " ");
	}
	if (m && m->by_cgroup) {
		line_left(line, "cgroup", layout->cgroup);
		line_add(line, " ");
	}
	if (m) {
		perf_table_add_metric_names(line, m);
	} else {
		line_right(line, "counts", layout->shown.value, COLOUR_NONE);
		line_add(line, " ");
		line_right(line, "unit", layout->shown.unit, COLOUR_NONE);
		line_add(line, " events");
	}
	line_end(line);
}

/* ---- --metric-only: one line for each place. */

/* The place, and the cgroup if the lines have one. */
static void perf_table_add_metric_place(struct line *line, const struct layout *layout,
					const struct metric_only *m, const struct metric_line *at)
{
	perf_table_add_place(line, layout, at->at);
	if (!m->by_cgroup)
		return;
	line_left(line, at->at->event->cgroup, layout->cgroup);
	line_add(line, " ");
}

/* ---- --topdown: one line for each part of the slots. */

enum { PART_WIDTH = 10, PART_NAME_COLUMN = 21, PART_INDENT = 2 };

static bool perf_table_has_parts(const struct table *table)
{
	const struct metric_request_list *requests = table->series->metrics;

	for (size_t i = 0; requests && i < requests->n; i++)
		if (requests->v[i].topdown)
			return true;
	return false;
}

static const struct measure *perf_table_metric(const struct table *table,
					       const struct metric_request *request)
{
	for (size_t i = table->events_n; i < table->n; i++)
		if (table->v[i].kind == OF_METRIC && table->v[i].metric == request)
			return &table->v[i];
	return NULL;
}

/* " ± 3.0" after a known value whose interval is known. */
static void perf_table_add_half_width(struct line *line, const struct measure *m, int decimals)
{
	const struct series_bounds bounds = measure_interval(m);

	if (!bounds.known || bounds.high <= measure_mean(m))
		return;
	line_add(line, line->style->ascii ? " +- " : " ± ");
	line_number(line, (double)(bounds.high - measure_mean(m)), decimals, "", 0, COLOUR_NONE);
}

static void perf_table_add_part(struct line *line, const struct measure *m)
{
	const struct topdown_kind *kind = m->metric->topdown;
	const bool is_known = measure_is_known(m);
	const int decimals = kind ? 1 : m->decimals;

	if (is_known)
		line_number(line, m->value, decimals, "", PART_WIDTH - 2, level_colours[m->level]);
	else
		line_right(line, "?", PART_WIDTH - 2, COLOUR_MISSING);
	if (is_known && m->metric->scale)
		line_addf(line, " %s", m->metric->scale);
	line_fill(line, PART_WIDTH);
	if (is_known)
		perf_table_add_half_width(line, m, decimals);
	line_fill(line, PART_NAME_COLUMN - 1);
	line_add(line, " "); /* also after a wide number */
	if (kind)
		line_fill(line, line->columns + PART_INDENT * ((int)topdown_level(kind) - 1));
	line_add(line, m->name);
	line_end(line);
}

/* The largest remarkable part of the set whose parent this is. NULL: there is none. */
static const struct measure *perf_table_largest_part(const struct table *table, size_t set,
						     const struct topdown_kind *parent)
{
	const struct measure *largest = NULL;

	for (size_t i = table->events_n; i < table->n; i++) {
		const struct measure *m = &table->v[i];
		const struct topdown_kind *kind = m->metric ? m->metric->topdown : NULL;

		if (kind && m->metric->set == set && kind->parent == parent &&
		    measure_is_known(m) && topdown_is_remarkable(kind, (double)m->value) &&
		    (!largest || m->value > largest->value))
			largest = m;
	}
	return largest;
}

/* What the largest part means. with_pmu: there are several core PMUs. */
static void perf_table_add_explanation(struct line *line, const struct table *table, size_t set,
				       bool with_pmu)
{
	const struct measure *known = NULL, *m, *part;
	const char *pmu;

	for (size_t i = table->events_n; i < table->n; i++)
		if (table->v[i].metric && table->v[i].metric->set == set &&
		    measure_is_known(&table->v[i]))
			known = &table->v[i];
	if (!known)
		return;
	line_end(line);
	pmu = with_pmu ? strchr(known->name, '.') : NULL;
	if (pmu)
		line_addf(line, " %s:", pmu + 1);
	m = part = perf_table_largest_part(table, set, NULL);
	while (part) {
		m = part;
		part = perf_table_largest_part(table, set, m->metric->topdown);
	}
	if (m) {
		line_addf(line, " %s ", m->metric->topdown->title);
		line_number(line, m->value, 1, "", 0, COLOUR_NONE);
		line_add(line, " %");
		perf_table_add_half_width(line, m, 1);
		line_addf(line, ": %s", m->metric->topdown->meaning);
	} else
		line_add(line, " nothing stands out");
	line_end(line);
	if (m && m->metric->next) {
		line_addf(line, " next: pstat %s", m->metric->next);
		line_end(line);
	}
}

/* All metrics, what the largest parts mean, and the events of -e and -d. */
static void perf_table_add_parts(struct line *line, const struct layout *layout)
{
	const struct table *table = layout->table;
	const struct metric_request_list *requests = table->series->metrics;
	size_t sets = 0;
	bool has_events = false;

	for (size_t i = 0; i < requests->n; i++) {
		const struct measure *m = perf_table_metric(table, &requests->v[i]);

		if (m)
			perf_table_add_part(line, m);
		sets = requests->v[i].set > sets ? requests->v[i].set : sets;
	}
	for (size_t set = 1; set <= sets; set++)
		perf_table_add_explanation(line, table, set, sets > 1);
	for (size_t i = 0; i < table->events_n; i++) {
		if (table->v[i].event->implied)
			continue;
		if (!has_events)
			line_end(line);
		has_events = true;
		perf_table_add_row(line, layout, &table->v[i]);
	}
}

static int perf_table_add_metrics(struct line *line, const struct layout *layout,
				  const struct format_style *look)
{
	cleanup_with(metric_only_release) struct metric_only m = { 0 };
	cleanup_line struct line place = { .style = layout->style };
	int err = metric_only_init(&m, layout->table);

	if (err < 0 || m.columns_n == 0)
		return err;
	if (!layout->table->interval && layout->table->series->split == PLACE_TARGET &&
	    !m.by_cgroup && perf_table_has_parts(layout->table)) {
		perf_table_add_parts(line, layout);
		return 0;
	}
	if (!layout->table->interval) {
		/* the names above the numbers, after the columns of the place */
		if (m.lines_n > 0)
			perf_table_add_metric_place(&place, layout, &m, &m.lines[0]);
		line_fill(line, place.columns);
		perf_table_add_metric_names(line, &m);
		line_end(line);
	} else if (look->header) {
		perf_table_add_interval_header(line, layout, &m);
	}
	for (size_t i = 0; i < m.lines_n; i++) {
		perf_table_add_metric_place(line, layout, &m, &m.lines[i]);
		for (size_t k = 0; k < m.columns_n; k++) {
			const struct metric *metric = metric_only_value(&m.lines[i], &m.columns[k]);
			int width = METRIC_ONLY_WIDTH;

			line_widen(&width, ruler_measure(layout->style->ruler, m.columns[k].name));
			if (metric)
				perf_table_add_metric_value(line, metric, width);
			else
				line_right(line, "", width, COLOUR_NONE);
			line_add(line, " ");
		}
		line_end(line);
	}
	return 0;
}

/* ---- The result of several ranks: a line for each event, with the distribution over the ranks. */

enum { RANK_WIDTH = 8, IMBALANCE_WIDTH = 10 };

static const char largest_title[] = "largest";

/* A line of the table, with the numbers in this unit. */
struct rank_line {
	const struct rank_summary *ranks;
	const char *name, *unit;
	const char *absent; /* instead of the sum; NULL: there is a sum */
	double factor;
	int decimals;
};

struct rank_table {
	const struct table *table;
	const struct format_style *look;
	int number_width, largest_width;
	size_t lines_n; /* the events, then the times and the peak memory that are known */
};

static struct rank_line perf_table_rank_line(const struct rank_table *t, size_t i)
{
	/* as below the rows of another result */
	static const struct rank_line times[RANK_TIMES_N] = {
		{ NULL, "time elapsed", "s", NULL, 1e-9, 3 },
		{ NULL, "user", "s", NULL, 1e-9, 3 },
		{ NULL, "sys", "s", NULL, 1e-9, 3 },
		{ NULL, "max_rss", "KiB", NULL, 1, 0 },
	};
	const size_t events_n = t->table->events_n;
	const struct measure *m =
		i < events_n ? &t->table->v[i] : table_own(t->table, TOOL_NONE + 1 + i - events_n);
	struct rank_line line = {
		NULL, m->name, m->unit, measure_absent(m->state), 1, m->decimals
	};

	if (i >= events_n)
		line = times[i - events_n];
	line.ranks = m->ranks;
	return line;
}

static void perf_table_rank_measure(struct rank_table *t, const struct line_style *style)
{
	t->number_width = RANK_WIDTH;
	t->largest_width = (int)strlen(largest_title);
	for (size_t i = 0; i < t->lines_n; i++) {
		const struct rank_line it = perf_table_rank_line(t, i);

		if (it.absent)
			line_widen(&t->number_width, (int)strlen(it.absent));
		line_widen(&t->number_width,
			   line_number_columns(style,
					       (long double)(it.ranks->v[RANK_SUM] * it.factor),
					       it.decimals, ""));
		if (it.ranks->largest)
			line_widen(&t->largest_width,
				   ruler_measure(style->ruler, it.ranks->largest));
	}
}

static void perf_table_rank_add_line(struct line *line, const struct rank_table *t,
				     const struct rank_line *it)
{
	cleanup_str struct str name = { 0 };
	int name_width;

	for (enum rank_number i = RANK_SUM; i < RANK_NUMBERS; i++) {
		const double value = it->ranks->v[i];
		const bool has_unit = i != RANK_IMBALANCE;
		const int width = has_unit ? t->number_width : IMBALANCE_WIDTH;

		line_add(line, "  ");
		if (i == RANK_SUM && it->absent)
			line_right(line, it->absent, width, COLOUR_MISSING);
		else if (value < 0)
			line_right(line, "-", width, COLOUR_NONE);
		else
			line_number(line, (long double)(has_unit ? value * it->factor : value),
				    has_unit ? it->decimals : 2, "", width, COLOUR_NONE);
	}
	line_add(line, "  ");
	line_left(line, it->ranks->largest ? it->ranks->largest : "", t->largest_width);
	line_add(line, "  ");
	str_addf(&name, "%s%s%s", it->unit, *it->unit ? " " : "", it->name);
	line->text.failed |= name.failed;
	name_width = t->look->width - line->columns;
	if (t->look->width > 0)
		line_cut(line, str_text(&name), name_width > NAME_LEAST ? name_width : NAME_LEAST,
			 COLOUR_NONE);
	else
		line_add(line, str_text(&name));
	line_end(line);
}

static void perf_table_add_ranks(struct line *line, const struct table *table,
				 const struct format_style *look)
{
	static const char *const titles[RANK_NUMBERS] = { "sum", "min", "median", "max",
							  "max / mean" };
	struct rank_table t = {
		.table = table,
		.look = look,
		.lines_n = table->events_n + (table->series->has_usage ? RANK_TIMES_N : 1),
	};

	perf_table_rank_measure(&t, line->style);
	for (enum rank_number i = RANK_SUM; i < RANK_NUMBERS; i++) {
		line_add(line, "  ");
		line_right(line, titles[i], i == RANK_IMBALANCE ? IMBALANCE_WIDTH : t.number_width,
			   COLOUR_NAME);
	}
	line_add(line, "  ");
	line_left(line, largest_title, t.largest_width);
	line_add(line, "  event");
	line_end(line);
	for (size_t i = 0; i < t.lines_n; i++) {
		const struct rank_line it = perf_table_rank_line(&t, i);

		perf_table_rank_add_line(line, &t, &it);
	}
}

static int perf_table_write(const struct table *table, const struct format_style *style, FILE *out)
{
	const struct series *series = table->series;
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const struct line_style lines = { &ruler, &style->numbers, style->colour, style->ascii };
	const struct layout layout = perf_table_layout_of(table, style, &lines);
	cleanup_line struct line line = { .style = &lines };
	int err = 0;

	if (!table->interval) {
		line_end(&line);
		line_add(&line, " Performance counter stats for ");
		line_add(&line, series->has_usage && event_list_counts_whole_cpus(series->events) ?
					"'system wide'" :
					series->subject);
		if (table->is_series)
			line_addf(&line, " (%zu runs)", table->runs_n);
		if (series->ranks)
			line_addf(&line, " (%zu ranks)", series->ranks->n);
		line_add(&line, ":");
		line_end(&line);
		line_end(&line);
	}
	/* a saved --topdown is shown like the run itself */
	if (style->metric_only || (series->topdown && !series->ranks)) {
		err = perf_table_add_metrics(&line, &layout, style);
	} else if (series->ranks) {
		perf_table_add_ranks(&line, table, style);
	} else if (series->split == PLACE_PROCESS) {
		err = process_table_add(&line, table, style);
	} else {
		if (table->interval && style->header)
			perf_table_add_interval_header(&line, &layout, NULL);
		for (size_t i = 0; i < table->events_n; i++)
			perf_table_add_row(&line, &layout, &table->v[i]);
	}
	if (err == 0)
		err = str_print(&line.text, out);
	if (err < 0 || table->interval || series->ranks)
		return err;
	return perf_table_write_footer(table, style, &ruler, out);
}

const struct format format_table = {
	.name = "table",
	.audience = AUDIENCE_TERMINAL,
	.destination = DESTINATION_STDERR,
	.notes = NOTES_COMMENTS,
	.intervals = INTERVALS_STREAMED,
	.appendable = APPENDABLE_DATED,
	.locale = LOCALE_USER,
	.write = perf_table_write,
	.write_comparison = answer_write,
	.has_cases = true,
	.write_history = history_table_write,
};
