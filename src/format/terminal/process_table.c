/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "format/format.h"
#include "format/terminal/process_table.h"
#include "format/terminal/terminal.h"
#include "result/table.h"

enum {
	PID_WIDTH = 8,
	TIME_WIDTH = 10,
	END_WIDTH = 10,
	PROCESSES_WIDTH = 10,
	VALUE_WIDTH = 14, /* at least */
	SHARE_WIDTH = sizeof(" 100.0 %") - 1,
	COMMAND_LEAST = 16,
	INDENT = 2, /* of each level of the tree */
	INDENT_MOST = 80,
};

/* A column of numbers: an event, or a metric of -M. */
struct column {
	size_t event; /* index; for a metric, that of the row that has it */
	const char *metric; /* NULL: an event */
	struct str title; /* owned: "name (unit)" */
	int title_width, numbers_width;
	long double total; /* of the lines with a count */
	bool counted; /* some line has a count */
	bool partial; /* some line has no count, or not in all runs */
	bool scaled; /* some count is scaled */
	int width;
};

struct process_table {
	const struct table *table;
	const struct format_style *look;
	const struct line_style *style;
	size_t places_n;
	struct column *columns; /* owned */
	size_t columns_n, columns_size;
	bool is_tree, has_processes, has_pids;
	bool has_times; /* the terminal is wide enough for when each process ran */
};

static const struct process *process_table_process_at(const struct process_table *t,
						      size_t place_index)
{
	return t->table->series->places[place_index].process;
}

/* Whether the place is a line of its own, and not the sum of the line before it or of all. */
static bool process_table_begins_line(const struct process_table *t, size_t place_index)
{
	const struct process *process = process_table_process_at(t, place_index);

	return process && !process->with_children;
}

static const struct measure *process_table_row_at(const struct process_table *t, size_t place_index,
						  size_t event)
{
	return t->table->rows[place_index * t->table->series->events->n + event];
}

/* ---- Columns */

/* Takes the title over. */
static int process_table_add_column(struct process_table *t, struct column *column)
{
	if (column->title.failed ||
	    array_grow(&t->columns, t->columns_n, &t->columns_size, sizeof(*t->columns)) < 0) {
		str_release(&column->title);
		return -ENOMEM;
	}
	column->title_width = ruler_measure(t->style->ruler, str_text(&column->title));
	t->columns[t->columns_n++] = *column;
	return 0;
}

static bool process_table_has_metric(const struct process_table *t, const char *metric)
{
	for (size_t i = 0; i < t->columns_n; i++)
		if (t->columns[i].metric && strcmp(t->columns[i].metric, metric) == 0)
			return true;
	return false;
}

/* The columns of an event: its counts, and the metrics of -M that belong to its rows. */
static int process_table_add_columns(struct process_table *t, size_t event)
{
	struct column counts = { .event = event };
	int err = 0;

	for (size_t i = 0; i < t->places_n; i++) {
		const struct measure *row = process_table_row_at(t, i, event);

		if (!row || row->event->tool != TOOL_NONE || row->state == NOT_SUPPORTED)
			continue;
		if (counts.title.len == 0) {
			str_add(&counts.title, row->name);
			if (*row->event->unit)
				str_addf(&counts.title, " (%s)", row->event->unit);
		}
		counts.scaled |= row->state == SCALED;
		if (!process_table_begins_line(t, i))
			continue;
		counts.total += row->value;
		counts.counted |= row->count.n > 0;
		counts.partial |= row->count.n < row->runs_n;
	}
	if (counts.title.len > 0 || counts.title.failed)
		err = process_table_add_column(t, &counts);
	for (size_t i = 0; i < t->places_n; i++) {
		const struct measure *row = process_table_row_at(t, i, event);

		for (size_t j = 0; err == 0 && row && j < row->metrics_n; j++) {
			const char *metric = row->metrics[j].unit;
			struct column column = { .event = event, .metric = metric };

			if (!row->metrics[j].measure || process_table_has_metric(t, metric))
				continue;
			str_add(&column.title, metric);
			err = process_table_add_column(t, &column);
		}
	}
	return err;
}

static const char *process_table_mark_of(const struct column *column, const struct measure *row)
{
	if (row->state == SCALED)
		return "~";
	return column->scaled || column->partial ? " " : "";
}

static const char *process_table_total_mark(const struct column *column)
{
	if (column->partial)
		return "*";
	return column->scaled ? "~" : "";
}

static int process_table_decimals_of(const struct measure *row)
{
	return row->event->factor == 1 ? 0 : row->decimals;
}

static void process_table_measure(const struct process_table *t, struct column *column)
{
	column->numbers_width = VALUE_WIDTH;
	for (size_t i = 0; !column->metric && i < t->places_n; i++) {
		const struct measure *row = process_table_row_at(t, i, column->event);

		if (row && !measure_absent(row->state))
			line_widen(&column->numbers_width,
				   line_number_columns(t->style, row->value,
						       process_table_decimals_of(row),
						       process_table_mark_of(column, row)));
	}
	if (!column->metric)
		line_widen(&column->numbers_width,
			   line_number_columns(t->style, column->total, 2,
					       process_table_total_mark(column)));
	column->width = column->numbers_width;
	line_widen(&column->width, column->title_width);
}

static bool has_shares(const struct process_table *t)
{
	return !t->has_pids;
}

static int columns_of_process(const struct process_table *t)
{
	if (t->has_pids)
		return 2 * PID_WIDTH + END_WIDTH + (t->has_times ? 2 * TIME_WIDTH : 0);
	return t->has_processes ? PROCESSES_WIDTH : 0;
}

static int process_table_columns_of(const struct process_table *t, const struct column *column)
{
	int width = 2 + column->width;

	if (has_shares(t) && !column->metric)
		width += SHARE_WIDTH;
	return t->is_tree ? 2 * width : width;
}

/* On a terminal, each line fits its width if it has only one column of numbers. Titles are cut for
 * that. */
static void process_table_measure_all(struct process_table *t)
{
	int most = t->look->width > 0 ? t->look->width - 2 - COMMAND_LEAST : INT_MAX;
	int title_most;

	t->has_times = true;
	for (size_t i = 0; i < t->columns_n; i++) {
		process_table_measure(t, &t->columns[i]);
		if (columns_of_process(t) + process_table_columns_of(t, &t->columns[i]) > most)
			t->has_times = false;
	}
	if (t->look->width == 0 || (t->has_times && t->has_pids))
		return;
	title_most = most - columns_of_process(t);
	title_most = (t->is_tree ? title_most / 2 : title_most) - 2;
	if (has_shares(t))
		title_most -= SHARE_WIDTH;
	for (size_t i = 0; i < t->columns_n; i++) {
		int title = t->columns[i].title_width;

		t->columns[i].width = t->columns[i].numbers_width;
		line_widen(&t->columns[i].width, title < title_most ? title : title_most);
	}
}

static int process_table_init(struct process_table *t)
{
	const struct series *series = t->table->series;
	size_t events_n = series->events->n;
	int err = 0;

	t->places_n = series_places_n(series);
	for (size_t i = 0; i < t->places_n; i++) {
		const struct process *process = process_table_process_at(t, i);

		if (!process)
			continue;
		t->is_tree |= process->with_children;
		t->has_pids |= process->pid != 0;
		t->has_processes |= process->processes_n > 0 && !process->pid;
	}
	for (size_t i = 0; err == 0 && i < events_n; i++)
		err = process_table_add_columns(t, i);
	process_table_measure_all(t);
	return err;
}

static void process_table_release(struct process_table *t)
{
	for (size_t i = 0; i < t->columns_n; i++)
		str_release(&t->columns[i].title);
	free(t->columns);
}

/* ---- Lines */

static void process_table_add_process(struct line *line, const struct process_table *t,
				      const struct process *process)
{
	const int status = process->wait_status;

	if (!t->has_pids) {
		if (t->has_processes)
			line_rightf(line, PROCESSES_WIDTH, COLOUR_NONE, "%zu",
				    process->processes_n);
		return;
	}
	if (!process->pid) { /* the sum of several */
		line_fill(line, columns_of_process(t));
		return;
	}
	line_rightf(line, PID_WIDTH, COLOUR_NONE, "%d", process->pid);
	if (process->parent_pid)
		line_rightf(line, PID_WIDTH, COLOUR_NONE, "%d", process->parent_pid);
	else
		line_right(line, "-", PID_WIDTH, COLOUR_NONE);
	if (t->has_times) {
		uint64_t elapsed_ns = process->end_ns - process->start_ns;

		line_number(line, process->start_ns / 1e9L, 3, "", TIME_WIDTH, COLOUR_NONE);
		line_number(line, elapsed_ns / 1e9L, 3, "", TIME_WIDTH, COLOUR_NONE);
	}
	if (process->end != PROCESS_ENDED)
		line_right(line, process->end == PROCESS_RUNNING ? "-" : "exec", END_WIDTH,
			   COLOUR_NONE);
	else if (WIFSIGNALED(status))
		line_rightf(line, END_WIDTH, COLOUR_MISSING, "signal %d", WTERMSIG(status));
	else
		line_rightf(line, END_WIDTH, status ? COLOUR_MISSING : COLOUR_NONE, "%d",
			    WEXITSTATUS(status));
}

static void process_table_add_share(struct line *line, const struct column *column,
				    long double value)
{
	if (column->total > 0)
		line_rightf(line, SHARE_WIDTH, COLOUR_ASIDE, "%.1f %%",
			    (double)(100 * value / column->total));
	else
		line_right(line, "", SHARE_WIDTH, COLOUR_ASIDE);
}

static void process_table_add_cell(struct line *line, const struct process_table *t,
				   const struct column *column, size_t place_index)
{
	const struct measure *row = process_table_row_at(t, place_index, column->event);
	const struct metric *metric = NULL;

	for (size_t i = 0; column->metric && row && !metric && i < row->metrics_n; i++)
		if (row->metrics[i].measure && strcmp(row->metrics[i].unit, column->metric) == 0)
			metric = &row->metrics[i];
	line_add(line, "  ");
	if (metric)
		line_number(line, metric->value, metric_decimals(metric), "", column->width,
			    COLOUR_NONE);
	else if (column->metric || !row)
		line_fill(line, line->columns + column->width);
	else if (measure_absent(row->state))
		line_right(line, measure_absent(row->state), column->width, COLOUR_MISSING);
	else
		line_number(line, row->value, process_table_decimals_of(row),
			    process_table_mark_of(column, row), column->width, COLOUR_NONE);
	if (!has_shares(t) || column->metric)
		return;
	if (row && !measure_absent(row->state))
		process_table_add_share(line, column, row->value);
	else
		line_fill(line, line->columns + SHARE_WIDTH);
}

/* The columns first to first + n - 1 of one table. */
static void process_table_add_titles(struct line *line, const struct process_table *t, size_t first,
				     size_t n)
{
	if (t->has_pids) {
		line_right(line, "pid", PID_WIDTH, COLOUR_NAME);
		line_right(line, "parent", PID_WIDTH, COLOUR_NAME);
		if (t->has_times) {
			line_right(line, "start s", TIME_WIDTH, COLOUR_NAME);
			line_right(line, "elapsed s", TIME_WIDTH, COLOUR_NAME);
		}
		line_right(line, "status", END_WIDTH, COLOUR_NAME);
	} else if (t->has_processes) {
		line_right(line, "processes", PROCESSES_WIDTH, COLOUR_NAME);
	}
	for (size_t i = first; i < first + n; i++) {
		const struct column *column = &t->columns[i];

		line_add(line, "  ");
		if (column->title_width > column->width)
			line_cut(line, str_text(&column->title), column->width, COLOUR_NAME);
		else
			line_right(line, str_text(&column->title), column->width, COLOUR_NAME);
		if (has_shares(t) && !column->metric)
			line_fill(line, line->columns + SHARE_WIDTH);
		if (!t->is_tree)
			continue;
		line_add(line, "  ");
		line_right(line, "with children", column->width, COLOUR_NAME);
	}
	line_add(line, "  ");
	line_left(line, t->has_pids ? "command" : "program", 0);
	line_end(line);
}

static void process_table_add_command(struct line *line, const struct process_table *t,
				      const struct process *process)
{
	const char *text = t->has_pids && process->command && *process->command ? process->command :
										  process->name;
	int width = t->look->width - line->columns - 2;
	int indent =
		process->depth < INDENT_MOST / INDENT ? INDENT * (int)process->depth : INDENT_MOST;

	if (width < COMMAND_LEAST)
		width = COMMAND_LEAST;
	if (t->look->width > 0 && indent > width - COMMAND_LEAST)
		indent = width - COMMAND_LEAST;
	line_add(line, "  ");
	line_fill(line, line->columns + indent);
	if (t->look->width > 0)
		line_cut(line, text, width - indent, COLOUR_NONE);
	else
		line_add(line, text);
	line_end(line);
}

static void process_table_add_line(struct line *line, const struct process_table *t,
				   size_t place_index, size_t first, size_t n)
{
	const struct process *process = process_table_process_at(t, place_index);
	size_t sum = place_index;

	if (place_index + 1 < t->places_n && !process_table_begins_line(t, place_index + 1))
		sum = place_index + 1;
	process_table_add_process(line, t, process);
	for (size_t i = first; i < first + n; i++) {
		process_table_add_cell(line, t, &t->columns[i], place_index);
		if (t->is_tree)
			process_table_add_cell(line, t, &t->columns[i], sum);
	}
	process_table_add_command(line, t, process);
}

static void process_table_add_total(struct line *line, const struct process_table *t, size_t first,
				    size_t n)
{
	line_fill(line, columns_of_process(t));
	for (size_t i = first; i < first + n; i++) {
		const struct column *column = &t->columns[i];
		const struct measure *row = process_table_row_at(t, 0, column->event);

		line_add(line, "  ");
		if (column->metric)
			line_fill(line, line->columns + column->width);
		else if (!column->counted)
			line_right(line, measure_absent(NOT_COUNTED), column->width,
				   COLOUR_MISSING);
		else
			line_number(line, column->total, row ? process_table_decimals_of(row) : 0,
				    process_table_total_mark(column), column->width, COLOUR_NONE);
		if (has_shares(t) && column->partial)
			line_right(line, column->counted ? "partial" : "", SHARE_WIDTH,
				   COLOUR_ASIDE);
		else if (has_shares(t) && !column->metric)
			process_table_add_share(line, column, column->total);
		if (t->is_tree)
			line_fill(line, line->columns + 2 + column->width);
	}
	line_add(line, "  total");
	line_end(line);
}

/* The number of columns from first on that fit the terminal; at least one. */
static size_t process_table_fitting_columns(const struct process_table *t, size_t first)
{
	int width = columns_of_process(t) + 2 + COMMAND_LEAST;
	size_t n = 0;

	for (; first + n < t->columns_n; n++) {
		width += process_table_columns_of(t, &t->columns[first + n]);
		if (n > 0 && t->look->width > 0 && width > t->look->width)
			break;
	}
	return n;
}

int process_table_add(struct line *line, const struct table *table, const struct format_style *look)
{
	cleanup_with(process_table_release) struct process_table t = { .table = table,
								       .look = look,
								       .style = line->style };
	bool has_scaled = false, has_partial = false;
	size_t n, first = 0;
	int err = process_table_init(&t);

	if (err < 0)
		return err;
	if (t.places_n == 0) /* no events */
		return 0;
	do {
		n = process_table_fitting_columns(&t, first);
		process_table_add_titles(line, &t, first, n);
		for (size_t i = 0; i < t.places_n; i++)
			if (process_table_begins_line(&t, i))
				process_table_add_line(line, &t, i, first, n);
		if (t.places_n > 1)
			process_table_add_total(line, &t, first, n);
		first += n;
		if (first < t.columns_n)
			line_end(line);
	} while (first < t.columns_n);
	for (size_t i = 0; i < table->events_n; i++) {
		const struct measure *row = &table->v[i];

		if (row->event->tool == TOOL_NONE || measure_absent(row->state))
			continue;
		line_number(line, row->value, row->decimals, "", VALUE_WIDTH, COLOUR_NONE);
		line_addf(line, " %s%s%s", row->event->unit, *row->event->unit ? " " : "",
			  row->name);
		line_end(line);
	}
	for (size_t i = 0; i < t.columns_n; i++) {
		has_scaled |= t.columns[i].scaled;
		has_partial |= t.columns[i].partial && t.columns[i].counted && t.places_n > 1;
	}
	if (has_scaled) {
		line_add(line, "~: scaled, because the events shared the counters");
		line_end(line);
	}
	if (has_partial) {
		line_add(line,
			 "*: only the rows with a count; the shares are relative to this sum");
		line_end(line);
	}
	return 0;
}
