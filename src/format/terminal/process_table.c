/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "count/reading.h"
#include "format/format.h"
#include "format/terminal/process_labels.h"
#include "format/terminal/process_table.h"
#include "format/terminal/terminal.h"
#include "result/table.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

enum {
	VALUE_WIDTH = 14, /* of pstat's own events, at least */
	SHARE_WIDTH = sizeof(" 100.0 %") - 1,
	COMMAND_LEAST = 16,
	COMMAND_WANTED = 24, /* other columns make room for so much of each command */
	COMMAND_MOST = 200, /* if the width is unknown */
	INDENT = 2, /* of each level of the tree */
	INDENT_WANTED = 16,
	INDENT_MOST = 80,
};

/* The columns before the numbers. */
enum attribute {
	ATTRIBUTE_PID,
	ATTRIBUTE_PARENT,
	ATTRIBUTE_PROCESSES,
	ATTRIBUTE_START,
	ATTRIBUTE_ELAPSED,
	ATTRIBUTE_STATUS,
	ATTRIBUTE_N,
};

static const char *const attribute_titles[] = {
	[ATTRIBUTE_PID] = "pid",
	[ATTRIBUTE_PARENT] = "parent",
	[ATTRIBUTE_PROCESSES] = "processes",
	[ATTRIBUTE_START] = "start s",
	[ATTRIBUTE_ELAPSED] = "elapsed s",
	[ATTRIBUTE_STATUS] = "status",
};

static const char with_children_title[] = "with children";

/* A column of numbers: an event, or a metric of -M. */
struct column {
	size_t event; /* index; for a metric, that of the row that has it */
	const char *metric; /* NULL: an event */
	struct str title; /* owned: "name (unit)" */
	int title_width, numbers_width;
	int sums_width; /* of the column with children */
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
	struct process_labels labels; /* owned */
	bool *is_whole; /* owned: for each program, whether its commands are shown as a whole */
	bool is_tree, has_pids;
	bool has_folds; /* some line stands for a process with its descendants */
	bool has_failures; /* a process did not end with status 0 */
	int attributes[ATTRIBUTE_N]; /* their widths; 0: not shown */
	int wanted; /* the room that the commands need to be told apart */
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

/* The metric of the column in this row; NULL: it has none. */
static const struct metric *process_table_metric_at(const struct column *column,
						    const struct measure *row)
{
	for (size_t i = 0; column->metric && row && i < row->metrics_n; i++)
		if (row->metrics[i].measure && strcmp(row->metrics[i].unit, column->metric) == 0)
			return &row->metrics[i];
	return NULL;
}

static int process_table_number_width(const struct process_table *t, const struct column *column,
				      size_t place_index)
{
	const struct measure *row = process_table_row_at(t, place_index, column->event);
	const struct metric *metric = process_table_metric_at(column, row);

	if (metric)
		return line_number_columns(t->style, metric->value, metric_decimals(metric), "");
	if (column->metric || !row)
		return 0;
	if (measure_absent(row->state))
		return (int)strlen(measure_absent(row->state));
	return line_number_columns(t->style, row->value, process_table_decimals_of(row),
				   process_table_mark_of(column, row));
}

static void process_table_measure(const struct process_table *t, struct column *column)
{
	column->sums_width = sizeof(with_children_title) - 1;
	for (size_t i = 0; i < t->places_n; i++) {
		int width = process_table_number_width(t, column, i);

		line_widen(&column->sums_width, width);
		if (process_table_begins_line(t, i))
			line_widen(&column->numbers_width, width);
	}
	if (!column->metric)
		line_widen(&column->numbers_width,
			   line_number_columns(t->style, column->total, 2,
					       process_table_total_mark(column)));
	column->width = column->numbers_width;
	line_widen(&column->width, column->title_width);
}

static bool process_table_has_shares(const struct process_table *t)
{
	return !t->has_pids;
}

static int process_table_attributes_width(const struct process_table *t)
{
	int width = 0;

	for (enum attribute i = 0; i < ATTRIBUTE_N; i++)
		width += t->attributes[i];
	return width;
}

static int process_table_columns_of(const struct process_table *t, const struct column *column)
{
	int width = 1 + column->width;

	if (process_table_has_shares(t) && !column->metric)
		width += SHARE_WIDTH;
	return t->is_tree ? width + 1 + column->sums_width : width;
}

/* The number of columns from first on that fit the terminal; at least one. */
static size_t process_table_fitting_columns(const struct process_table *t, size_t first)
{
	int width = process_table_attributes_width(t) + 2 + t->wanted;
	size_t n = 0;

	for (; first + n < t->columns_n; n++) {
		width += process_table_columns_of(t, &t->columns[first + n]);
		if (n > 0 && t->look->width > 0 && width > t->look->width)
			break;
	}
	return n;
}

/* The number of tables that all columns need. One that needs a title to be cut counts as more than
 * all, and so does one that is too wide even then. */
static size_t process_table_tables(const struct process_table *t)
{
	const int room = t->look->width - process_table_attributes_width(t) - 2 - t->wanted;
	size_t n, tables = 0;

	for (size_t first = 0; first < t->columns_n; first += n) {
		const struct column *column = &t->columns[first];
		int width = process_table_columns_of(t, column);

		n = process_table_fitting_columns(t, first);
		tables += 1 + (width > room ? t->columns_n : 0);
		if (width - column->width + column->numbers_width > room)
			tables += t->columns_n;
	}
	return tables;
}

/* On a terminal, omit columns if fewer tables are needed then. What tells least is the first: the
 * parent, a status that is 0 everywhere, the process. */
static void process_table_omit(struct process_table *t)
{
	static const enum attribute order[] = { ATTRIBUTE_PARENT, ATTRIBUTE_STATUS, ATTRIBUTE_PID };
	size_t fewest = process_table_tables(t);
	int best[ATTRIBUTE_N];

	memcpy(best, t->attributes, sizeof(best));
	for (size_t i = 0; i < N_OF(order); i++) {
		size_t tables;

		if (order[i] == ATTRIBUTE_STATUS && t->has_failures)
			continue;
		t->attributes[order[i]] = 0;
		tables = process_table_tables(t);
		if (tables >= fewest)
			continue;
		fewest = tables;
		memcpy(best, t->attributes, sizeof(best));
	}
	memcpy(t->attributes, best, sizeof(best));
}

/* Each line fits a terminal if it has only one column of numbers. If needed, titles are cut. */
static void process_table_fit(struct process_table *t)
{
	if (t->look->width == 0)
		return;
	process_table_omit(t);
	for (size_t i = 0; i < t->columns_n; i++) {
		struct column *column = &t->columns[i];
		int fixed = process_table_columns_of(t, column) - column->width;
		int room = t->look->width - process_table_attributes_width(t) - 2 - t->wanted;

		if (column->width > room - fixed)
			column->width = room - fixed;
		line_widen(&column->width, column->numbers_width);
	}
}

/* ---- The columns before the numbers */

static void process_table_add_attribute(const struct process_table *t,
					const struct process *process, enum attribute attribute,
					struct str *text)
{
	const int status = process->wait_status;

	if (t->has_pids && !process->pid) /* the sum of several */
		return;
	switch (attribute) {
	case ATTRIBUTE_PID:
		str_addf(text, "%d", process->pid);
		break;
	case ATTRIBUTE_PARENT:
		if (process->parent_pid)
			str_addf(text, "%d", process->parent_pid);
		else
			str_add(text, "-");
		break;
	case ATTRIBUTE_PROCESSES:
		str_addf(text, "%zu", process->processes_n);
		break;
	case ATTRIBUTE_START:
		num_add(text, process->start_ns / 1e9L, 3, t->style->numbers);
		break;
	case ATTRIBUTE_ELAPSED:
		num_add(text, process->elapsed_ns / 1e9L, 3, t->style->numbers);
		break;
	case ATTRIBUTE_STATUS:
		if (process->end != PROCESS_ENDED)
			str_add(text, process->end == PROCESS_RUNNING ? "-" : "exec");
		else if (WIFSIGNALED(status))
			str_addf(text, "signal %d", WTERMSIG(status));
		else
			str_addf(text, "%d", WEXITSTATUS(status));
		break;
	case ATTRIBUTE_N:
		break;
	}
}

/* Sums by name have a number of processes, and elapsed times if they are those of one run. */
static bool process_table_has_attribute(const struct process_table *t, enum attribute attribute)
{
	bool has = attribute != ATTRIBUTE_PROCESSES;

	if (t->has_pids || (attribute != ATTRIBUTE_PROCESSES && attribute != ATTRIBUTE_ELAPSED))
		return t->has_pids && has;
	for (size_t i = 0; i < t->places_n; i++) {
		const struct process *process = process_table_process_at(t, i);

		if (process && process->processes_n > 0)
			return true;
	}
	return false;
}

static int process_table_measure_attributes(struct process_table *t)
{
	for (enum attribute i = 0; i < ATTRIBUTE_N; i++) {
		int width = (int)strlen(attribute_titles[i]);

		if (!process_table_has_attribute(t, i))
			continue;
		for (size_t k = 0; k < t->places_n; k++) {
			const struct process *process = process_table_process_at(t, k);
			cleanup_str struct str text = { 0 };

			if (process)
				process_table_add_attribute(t, process, i, &text);
			if (text.failed)
				return -ENOMEM;
			line_widen(&width, (int)text.len);
		}
		t->attributes[i] = 1 + width;
	}
	return 0;
}

/* ---- Commands */

static int process_table_depth_indent(const struct process *process)
{
	return process->depth < INDENT_MOST / INDENT ? INDENT * (int)process->depth : INDENT_MOST;
}

/* The width of " +N" after the command of a process that includes N others. */
static int process_table_fold_width(const struct process *process)
{
	return process->folded_n > 0 ? snprintf(NULL, 0, " +%zu", process->folded_n) : 0;
}

/* How much room the commands need. */
static void process_table_measure_commands(struct process_table *t)
{
	t->wanted = sizeof("command") - 1;
	for (size_t i = 0; i < t->places_n; i++) {
		const struct process *process = process_table_process_at(t, i);
		int indent, width;

		if (!t->labels.v[i].whole)
			continue;
		indent = process_table_depth_indent(process);
		width = ruler_measure(t->style->ruler, str_text(&t->labels.v[i].brief)) +
			process_table_fold_width(process);
		line_widen(&t->wanted, (indent < INDENT_WANTED ? indent : INDENT_WANTED) +
					       (width < COMMAND_WANTED ? width : COMMAND_WANTED));
	}
}

/* How far a command is indented in a line that is so wide before it. */
static int process_table_indent(const struct process_table *t, size_t place_index, int columns)
{
	const struct process *process = process_table_process_at(t, place_index);
	const char *brief = str_text(&t->labels.v[place_index].brief);
	int label = ruler_measure(t->style->ruler, brief) + process_table_fold_width(process);
	int room = t->look->width - columns - 2 - (label < COMMAND_LEAST ? label : COMMAND_LEAST);
	int indent = process_table_depth_indent(process);

	if (t->look->width == 0 || t->look->full_commands || indent <= room)
		return indent;
	return room > 0 ? room : 0;
}

/* The room for this command. */
static int process_table_room(const struct process_table *t, size_t place_index, int columns)
{
	const struct process *process = process_table_process_at(t, place_index);
	int indent = process_table_indent(t, place_index, columns);
	int room = t->look->width - columns - 2 - indent;

	if (t->look->full_commands)
		return INT_MAX;
	if (t->look->width == 0)
		return COMMAND_MOST;
	if (t->look->width - columns - 2 < COMMAND_LEAST) /* the terminal is too narrow */
		room = COMMAND_LEAST;
	return room - process_table_fold_width(process);
}

/* The commands of a program are shown as a whole if all of them fit their room. */
static void process_table_choose_commands(const struct process_table *t, int columns)
{
	for (size_t i = 0; i < t->places_n; i++)
		t->is_whole[t->labels.v[i].program] = true;
	for (size_t i = 0; i < t->places_n; i++) {
		const struct process_label *label = &t->labels.v[i];

		if (label->whole && ruler_measure(t->style->ruler, label->whole) >
					    process_table_room(t, i, columns))
			t->is_whole[label->program] = false;
	}
}

static void process_table_add_command(struct line *line, const struct process_table *t,
				      size_t place_index)
{
	const struct process *process = process_table_process_at(t, place_index);
	const struct process_label *label = &t->labels.v[place_index];
	int room = process_table_room(t, place_index, line->columns);
	int indent = process_table_indent(t, place_index, line->columns);

	line_fill(line, line->columns + 2 + indent);
	if (t->is_whole[label->program])
		line_add(line, label->whole);
	else
		line_cut_middle(line, str_text(&label->brief), room, label->apart);
	if (process->folded_n > 0)
		line_addf(line, " +%zu", process->folded_n);
	line_end(line);
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
		t->has_folds |= process->folded_n > 0;
		t->has_failures |= process->end == PROCESS_ENDED && process->wait_status != 0;
	}
	for (size_t i = 0; err == 0 && i < events_n; i++)
		err = process_table_add_columns(t, i);
	for (size_t i = 0; i < t->columns_n; i++)
		process_table_measure(t, &t->columns[i]);
	if (err == 0)
		err = process_table_measure_attributes(t);
	if (err == 0)
		err = process_labels_make(&t->labels, series->places, t->places_n);
	t->is_whole = calloc(t->places_n + 1, sizeof(*t->is_whole));
	if (err < 0 || !t->is_whole)
		return -ENOMEM;
	process_table_measure_commands(t);
	process_table_fit(t);
	return 0;
}

static void process_table_release(struct process_table *t)
{
	for (size_t i = 0; i < t->columns_n; i++)
		str_release(&t->columns[i].title);
	free(t->columns);
	process_labels_release(&t->labels);
	free(t->is_whole);
}

/* ---- Lines */

static void process_table_add_attributes(struct line *line, const struct process_table *t,
					 const struct process *process)
{
	bool failed = process->end == PROCESS_ENDED && process->wait_status != 0;

	for (enum attribute i = 0; i < ATTRIBUTE_N; i++) {
		cleanup_str struct str text = { 0 };

		if (t->attributes[i] == 0)
			continue;
		process_table_add_attribute(t, process, i, &text);
		line->text.failed |= text.failed;
		line_right(line, str_text(&text), t->attributes[i],
			   failed && i == ATTRIBUTE_STATUS ? COLOUR_MISSING : COLOUR_NONE);
	}
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
				   const struct column *column, int width, size_t place_index)
{
	const struct measure *row = process_table_row_at(t, place_index, column->event);
	const struct metric *metric = process_table_metric_at(column, row);

	line_add(line, " ");
	if (metric)
		line_number(line, metric->value, metric_decimals(metric), "", width, COLOUR_NONE);
	else if (column->metric || !row)
		line_fill(line, line->columns + width);
	else if (measure_absent(row->state))
		line_right(line, measure_absent(row->state), width, COLOUR_MISSING);
	else
		line_number(line, row->value, process_table_decimals_of(row),
			    process_table_mark_of(column, row), width, COLOUR_NONE);
	if (!process_table_has_shares(t) || column->metric)
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
	for (enum attribute i = 0; i < ATTRIBUTE_N; i++)
		if (t->attributes[i] > 0)
			line_right(line, attribute_titles[i], t->attributes[i], COLOUR_NAME);
	for (size_t i = first; i < first + n; i++) {
		const struct column *column = &t->columns[i];

		line_add(line, " ");
		if (column->title_width > column->width)
			line_cut(line, str_text(&column->title), column->width, COLOUR_NAME);
		else
			line_right(line, str_text(&column->title), column->width, COLOUR_NAME);
		if (process_table_has_shares(t) && !column->metric)
			line_fill(line, line->columns + SHARE_WIDTH);
		if (!t->is_tree)
			continue;
		line_add(line, " ");
		line_right(line, with_children_title, column->sums_width, COLOUR_NAME);
	}
	process_table_choose_commands(t, line->columns);
	line_add(line, "  ");
	line_add(line, t->has_pids ? "command" : "program");
	line_end(line);
}

static void process_table_add_line(struct line *line, const struct process_table *t,
				   size_t place_index, size_t first, size_t n)
{
	size_t sum = place_index;

	if (place_index + 1 < t->places_n && !process_table_begins_line(t, place_index + 1))
		sum = place_index + 1;
	process_table_add_attributes(line, t, process_table_process_at(t, place_index));
	for (size_t i = first; i < first + n; i++) {
		process_table_add_cell(line, t, &t->columns[i], t->columns[i].width, place_index);
		if (t->is_tree)
			process_table_add_cell(line, t, &t->columns[i], t->columns[i].sums_width,
					       sum);
	}
	process_table_add_command(line, t, place_index);
}

static void process_table_add_total(struct line *line, const struct process_table *t, size_t first,
				    size_t n)
{
	line_fill(line, process_table_attributes_width(t));
	for (size_t i = first; i < first + n; i++) {
		const struct column *column = &t->columns[i];
		const struct measure *row = process_table_row_at(t, 0, column->event);

		line_add(line, " ");
		if (column->metric)
			line_fill(line, line->columns + column->width);
		else if (!column->counted)
			line_right(line, measure_absent(NOT_COUNTED), column->width,
				   COLOUR_MISSING);
		else
			line_number(line, column->total, row ? process_table_decimals_of(row) : 0,
				    process_table_total_mark(column), column->width, COLOUR_NONE);
		if (process_table_has_shares(t) && column->partial)
			line_right(line, column->counted ? "partial" : "", SHARE_WIDTH,
				   COLOUR_ASIDE);
		else if (process_table_has_shares(t) && !column->metric)
			process_table_add_share(line, column, column->total);
		if (t->is_tree)
			line_fill(line, line->columns + 1 + column->sums_width);
	}
	line_add(line, "  total");
	line_end(line);
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
	if (t.has_folds) {
		line_add(line, "+N: the row includes N descendants that have no row");
		line_end(line);
	}
	if (has_partial) {
		line_add(line,
			 "*: only the rows with a count; the shares are relative to this sum");
		line_end(line);
	}
	return 0;
}
