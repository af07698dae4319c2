/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format markdown: a table to paste where GitHub's Markdown is read (github.github.com/gfm, "Tables").
 * Columns without anything in them are left out; the intervals share one table, which has them all.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/schema.h"
#include "format/markdown_text.h"
#include "result/result.h"

/* Which columns there are beside the event, its count and its unit. */
struct layout {
	const struct result *result;
	const struct num_style *numbers;
	bool counts_cpus, spread, running, derived;
};

static void add_percent(struct str *line, double percent, const struct num_style *numbers)
{
	num_add(line, percent, 2, numbers);
	str_add(line, " %");
}

static struct layout layout_of(const struct result *result, const struct num_style *numbers)
{
	const enum place_kind split = result->input.split;
	struct layout layout = {
		.result = result,
		.numbers = numbers,
		.counts_cpus = split != PLACE_TARGET && split != PLACE_CPU && split != PLACE_THREAD,
		.spread = result->is_series,
		.running = result->is_interval,
		.derived = result->is_interval,
	};

	for (size_t i = 0; i < result->rows_n; i++) {
		layout.running |= result->rows[i].state == SCALED;
		layout.derived |= result->rows[i].metrics.n > 0;
	}
	return layout;
}

static void add_header(struct str *text, const struct layout *layout)
{
	const struct result *result = layout->result;
	const struct {
		bool shown;
		const char *name, *rule;
	} columns[] = {
		{ result->is_interval, "time", " ---: |" },
		{ result->input.split != PLACE_TARGET, schema_splits[result->input.split],
		  " :--- |" },
		{ layout->counts_cpus, "cpus", " ---: |" },
		{ true, "event", " :--- |" },
		{ result->has_cgroups, "cgroup", " :--- |" },
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
static void add_place(struct str *line, const struct layout *layout, const struct result_row *row)
{
	const struct result *result = layout->result;

	str_add(line, "|");
	if (result->is_interval) {
		str_add(line, " ");
		num_add_seconds(line, result->at_ns, 0);
		str_add(line, " |");
	}
	if (result->input.split != PLACE_TARGET) {
		str_add(line, " ");
		markdown_code(line, row->row->place.label);
		str_add(line, " |");
	}
	if (layout->counts_cpus)
		str_addf(line, " %zu |", row->row->counters);
	str_add(line, " ");
	markdown_code(line, row->name);
	str_add(line, " |");
	if (!result->has_cgroups)
		return;
	str_add(line, " ");
	markdown_code(line, row->event->cgroup ? row->event->cgroup : "");
	str_add(line, " |");
}

static void add_count(struct str *line, const struct layout *layout, const struct result_row *row)
{
	bool absent = result_absent(row->state) != NULL;

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
static void add_row(struct str *text, const struct layout *layout, const struct result_row *row)
{
	size_t cells = 3u + layout->result->is_interval + layout->counts_cpus + layout->spread +
		       (layout->result->input.split != PLACE_TARGET) + layout->running +
		       layout->result->has_cgroups;

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

static void add_title(struct str *text, const struct result *result)
{
	str_add(text, "\n");
	markdown_code(text, result->command);
	if (result->is_series)
		str_addf(text, ", %zu runs", result->input.runs_n);
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

static void add_footer(struct str *text, const struct result *result,
		       const struct num_style *numbers)
{
	if (result->rows_n > 0)
		str_add(text, "\n");
	if (result->input.passes_n)
		str_addf(text, "%zu passes of the command for each measurement, ",
			 result->input.passes_n);
	add_time(text, &result->elapsed_ns, "", "elapsed", numbers);
	if (result->input.has_usage) {
		add_time(text, &result->user_ns, ", ", "user", numbers);
		add_time(text, &result->system_ns, ", ", "sys", numbers);
	}
	str_add(text, "\n");
}

static int markdown_write(const struct result *result, const struct result_style *style, FILE *out)
{
	const struct layout layout = layout_of(result, &style->numbers);
	cleanup_str struct str text = { 0 };

	if (!result->is_interval || style->header) {
		add_title(&text, result);
		if (result->rows_n > 0 || result->is_interval)
			add_header(&text, &layout);
	}
	for (size_t i = 0; i < result->rows_n; i++)
		add_row(&text, &layout, &result->rows[i]);
	if (!result->is_interval)
		add_footer(&text, result, &style->numbers);
	return str_print(&text, out);
}

const struct result_format result_markdown = { .name = "markdown",
					       .grouped = true,
					       .write = markdown_write };
