/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format history: CSV with one line for each invocation. The columns are the time, the label
 * "commit", the other labels, the command, and each number. Every reader of CSV can read it, for
 * example Apache Otava; --history reads it, too. Lines end in LF, because such files are kept in
 * git.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/num.h"
#include "base/str.h"
#include "document/history_csv.h"
#include "format/format.h"
#include "result/table.h"

static int history_format_add_columns(const struct table *table, struct str_list *columns)
{
	const struct series_parameters *labels = table->series->labels;
	int err = str_list_add(columns, HISTORY_TIME);

	if (err == 0)
		err = str_list_add(columns, HISTORY_COMMIT);
	for (size_t i = 0; err == 0 && labels && i < labels->names.n; i++)
		if (strcmp(labels->names.v[i], HISTORY_COMMIT) != 0)
			err = str_list_add(columns, labels->names.v[i]);
	if (err == 0)
		err = str_list_add(columns, HISTORY_COMMAND);
	for (size_t i = 0; err == 0 && i < table->n; i++) {
		cleanup_str struct str name = { 0 };
		cleanup_free char *line = NULL;

		if (!table->v[i].listed)
			continue;
		measure_add_name(&name, &table->v[i]);
		line = name.failed ? NULL : str_one_line(str_text(&name));
		err = line ? str_list_add(columns, line) : -ENOMEM;
	}
	return err;
}

static int history_write(const struct table *table, const struct format_style *style, FILE *out)
{
	const struct series_parameters *labels = table->series->labels;
	const char *commit = series_parameter(labels, HISTORY_COMMIT);
	cleanup_str_list struct str_list columns = { 0 };
	cleanup_str struct str text = { 0 };
	int err = style->header ? history_format_add_columns(table, &columns) : 0;

	for (size_t i = 0; i < columns.n; i++) {
		str_add(&text, i ? "," : "");
		str_add_csv(&text, columns.v[i]);
	}
	str_add(&text, columns.n ? "\n" : "");
	clock_add_date(&text, "T", "", table->series->started, 0); /* UTC: the lines sort as text */
	str_add(&text, ",");
	str_add_csv(&text, commit ? commit : "");
	for (size_t i = 0; labels && i < labels->names.n; i++) {
		if (strcmp(labels->names.v[i], HISTORY_COMMIT) == 0)
			continue;
		str_add(&text, ",");
		str_add_csv(&text, labels->values.v[i]);
	}
	str_add(&text, ",");
	str_add_csv(&text, table->command);
	for (size_t i = 0; i < table->n; i++) {
		if (!table->v[i].listed)
			continue;
		str_add(&text, ",");
		if (measure_is_known(&table->v[i]))
			num_add_exact(&text, measure_mean(&table->v[i]));
	}
	str_add(&text, "\n");
	return err < 0 ? err : str_print(&text, out);
}

const struct format format_history = {
	.name = "history",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_TERMINAL,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_LINES,
	.locale = LOCALE_C,
	.is_history = true,
	.has_no_tasks = true,
	.has_no_sums = true,
	.add_columns = history_format_add_columns,
	.read_columns = history_csv_columns,
	.write = history_write,
};
