/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format markdown: a table to paste where GitHub's Markdown is read (github.github.com/gfm, "Tables").
 * Columns without anything in them are left out; the blocks of -I share one table, which has them all.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/put.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/markdown_text.h"
#include "result/report.h"

/* Which columns there are beside the event, its count and its unit. */
struct layout {
	const struct report *report;
	const struct num_style *numbers;
	bool counts_cpus, spread, running, derived;
};

static void add_percent(struct str *line, double percent, const struct num_style *numbers)
{
	num_add(line, percent, 2, numbers);
	str_add(line, " %");
}

static struct layout layout_of(const struct report *report, const struct num_style *numbers)
{
	const enum where_kind split = report->input.split;
	struct layout layout = {
		.report = report,
		.numbers = numbers,
		.counts_cpus = split != WHERE_TARGET && split != WHERE_CPU && split != WHERE_THREAD,
		.spread = report->is_series,
		.running = report->is_block,
		.derived = report->is_block,
	};

	for (size_t i = 0; i < report->rows_n; i++) {
		layout.running |= report->rows[i].state == SCALED;
		layout.derived |= report->rows[i].metrics.n > 0;
	}
	return layout;
}

static void add_header(struct str *text, const struct layout *layout)
{
	const struct report *report = layout->report;
	const struct {
		bool shown;
		const char *name, *rule;
	} columns[] = {
		{ report->is_block, "time", " ---: |" },
		{ report->input.split != WHERE_TARGET, schema_splits[report->input.split],
		  " :--- |" },
		{ layout->counts_cpus, "cpus", " ---: |" },
		{ true, "event", " :--- |" },
		{ report->has_cgroups, "cgroup", " :--- |" },
		{ true, "count", " ---: |" },
		{ true, "unit", " :--- |" },
		{ layout->spread, "±", " ---: |" },
		{ layout->running, "running", " ---: |" },
		{ layout->derived, "derived | ", " ---: | :--- |" },
	};

	str_add(text, "|");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (columns[i].shown)
			str_addf(text, " %s |", columns[i].name);
	str_add(text, "\n|");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (columns[i].shown)
			str_add(text, columns[i].rule);
	str_add(text, "\n");
}

/* What stands before the count. */
static void add_place(struct str *line, const struct layout *layout, const struct report_row *row)
{
	const struct report *report = layout->report;

	str_add(line, "|");
	if (report->is_block) {
		str_add(line, " ");
		num_add_seconds(line, report->at_ns, 0);
		str_add(line, " |");
	}
	if (report->input.split != WHERE_TARGET) {
		str_add(line, " ");
		markdown_code(line, row->row->where.label);
		str_add(line, " |");
	}
	if (layout->counts_cpus)
		str_addf(line, " %zu |", row->row->counters);
	str_add(line, " ");
	markdown_code(line, row->name);
	str_add(line, " |");
	if (!report->has_cgroups)
		return;
	str_add(line, " ");
	markdown_code(line, row->event->cgroup ? row->event->cgroup : "");
	str_add(line, " |");
}

static void add_count(struct str *line, const struct layout *layout, const struct report_row *row)
{
	bool absent = report_absent(row->state) != NULL;

	str_add(line, " ");
	if (absent)
		str_add(line, schema_states[row->state]);
	else
		num_add(line, row->value, row->decimals, layout->numbers);
	str_add(line, " | ");
	markdown_word(line, row->event->unit);
	str_add(line, " |");
	if (layout->spread) {
		str_add(line, " ");
		if (row->count.n > 1)
			add_percent(line, row->spread_percent, layout->numbers);
		str_add(line, " |");
	}
	if (layout->running) {
		str_add(line, " ");
		if (row->state == SCALED)
			add_percent(line, row->running_percent, layout->numbers);
		str_add(line, " |");
	}
}

static void add_metric(struct str *line, const struct metric *metric,
		       const struct num_style *numbers)
{
	bool percent = metric->kind == METRIC_PERCENT || metric->kind == METRIC_PERCENT_FINE;

	str_add(line, " ");
	num_add(line, metric->value, metric_decimals(metric->kind), numbers);
	str_addf(line, "%s | ", percent ? " %" : "");
	markdown_word(line, metric->unit);
	str_add(line, " |");
}

/* A line of its own for each metric but the first, its other cells empty. */
static void add_row(struct str *text, const struct layout *layout, const struct report_row *row)
{
	size_t cells = 3u + layout->report->is_block + layout->counts_cpus + layout->spread +
		       (layout->report->input.split != WHERE_TARGET) + layout->running +
		       layout->report->has_cgroups;

	add_place(text, layout, row);
	add_count(text, layout, row);
	if (layout->derived && row->metrics.n == 0)
		str_add(text, " | |");
	for (size_t i = 0; i < row->metrics.n; i++) {
		if (i > 0)
			str_add(text, "\n|");
		for (size_t cell = 0; i > 0 && cell < cells; cell++)
			str_add(text, " |");
		add_metric(text, &row->metrics.v[i], layout->numbers);
	}
	str_add(text, "\n");
}

static void add_title(struct str *text, const struct report *report)
{
	str_add(text, "\n");
	markdown_code(text, report->command);
	if (report->is_series)
		str_addf(text, ", %zu runs", report->input.runs_n);
	str_add(text, ":\n\n");
}

static void add_time(struct str *text, const struct summary *ns, const char *before,
		     const char *what, const struct num_style *numbers)
{
	str_add(text, before);
	num_add(text, ns->mean / 1000000000, 9, numbers);
	str_add(text, " s");
	if (ns->n > 1) {
		str_add(text, " ± ");
		add_percent(text, summary_stderr_percent(ns), numbers);
	}
	str_addf(text, " %s", what);
}

static void add_footer(struct str *text, const struct report *report,
		       const struct num_style *numbers)
{
	if (report->rows_n > 0)
		str_add(text, "\n");
	if (report->input.passes_n)
		str_addf(text, "%zu passes of the command for each measurement, ",
			 report->input.passes_n);
	add_time(text, &report->elapsed_ns, "", "elapsed", numbers);
	if (report->input.has_usage) {
		add_time(text, &report->user_ns, ", ", "user", numbers);
		add_time(text, &report->system_ns, ", ", "sys", numbers);
	}
	str_add(text, "\n");
}

static int markdown_write(const struct report *report, const struct report_style *style, FILE *out)
{
	const struct layout layout = layout_of(report, &style->numbers);
	cleanup_str struct str text = { 0 };

	if (!report->is_block || style->header) {
		add_title(&text, report);
		if (report->rows_n > 0 || report->is_block)
			add_header(&text, &layout);
	}
	for (size_t i = 0; i < report->rows_n; i++)
		add_row(&text, &layout, &report->rows[i]);
	if (!report->is_block)
		add_footer(&text, report, &style->numbers);
	return put_text(&text, out);
}

const struct report_format report_markdown = { .name = "markdown",
					       .grouped = true,
					       .write = markdown_write };
