/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "document/history_csv.h"
#include "document/schema.h"

enum { FILE_MAX = 1 << 28 }; /* bytes */

/* ---- CSV. */

/* The fields are stored in place of the text that was read, because a long history has millions of
 * them. */
struct csv {
	char *p; /* the rest of the text, which ends with '\0' */
	size_t line; /* of p, from 1 */
	size_t record_line; /* where the last record began */
	char **fields; /* owned: of the last record; they are parts of the text */
	size_t n, size;
};

static void csv_release(struct csv *csv)
{
	free(csv->fields);
}

static int read_text(FILE *in, struct str *text, struct why *why)
{
	int err = str_add_stream(text, in, FILE_MAX);

	if (err == 0 && strlen(str_text(text)) < text->len)
		return why_set(why, -EINVAL, "not a text file: it contains a zero byte");
	return err;
}

/* Read up to the closing quote. The field then ends with '\0'. */
static int read_quoted(struct csv *csv, struct why *why)
{
	char *end = csv->p + 1;

	for (csv->p++; *csv->p != '"' || csv->p[1] == '"'; csv->p++) {
		if (!*csv->p)
			return why_set(why, -EINVAL, "line %zu: a quote is not closed",
				       csv->record_line);
		csv->p += *csv->p == '"';
		csv->line += *csv->p == '\n';
		*end++ = *csv->p;
	}
	csv->p++;
	*end = '\0';
	return 0;
}

/* Read a field. *end: the character after it, which may be overwritten. */
static int read_field(struct csv *csv, char *end, struct why *why)
{
	bool quoted = *csv->p == '"';
	char *field = csv->p + quoted;
	int err = 0;

	if (array_grow(&csv->fields, csv->n, &csv->size, sizeof(*csv->fields)) < 0)
		return -ENOMEM;
	if (quoted)
		err = read_quoted(csv, why);
	else /* strcspn(3) is slower for short fields */
		while (*csv->p && *csv->p != ',' && *csv->p != '\n' && *csv->p != '\r' &&
		       *csv->p != '"')
			csv->p++;
	if (err < 0)
		return err;
	*end = *csv->p;
	if (*end && !strchr(",\r\n", *end))
		return why_set(why, -EINVAL, "line %zu: field %zu has text outside its quotes",
			       csv->record_line, csv->n + 1);
	csv->fields[csv->n++] = field;
	return 0;
}

/* Read the fields of the next record. 1; 0: the text has ended; -errno. */
static int read_record(struct csv *csv, struct why *why)
{
	char end = ',';

	csv->record_line = csv->line;
	csv->n = 0;
	if (!*csv->p)
		return 0;
	while (end == ',') {
		int err = read_field(csv, &end, why);

		if (err < 0)
			return err;
		*csv->p = '\0';
		csv->p += end == '\r' && csv->p[1] == '\n' ? 2 : end != '\0';
	}
	csv->line += end != '\0';
	return 1;
}

/* ---- The columns. */

static size_t find_column(const struct str_list *columns, const char *name)
{
	size_t i = 0;

	while (i < columns->n && strcmp(columns->v[i], name) != 0)
		i++;
	return i;
}

static int read_columns(struct csv *csv, struct str_list *columns, struct why *why)
{
	static const char *const needed[] = { HISTORY_TIME, HISTORY_COMMIT, HISTORY_COMMAND };
	int err = read_record(csv, why);

	if (err == -EINVAL)
		return why_set(why, err,
			       "not a history: line 1 is not CSV; --format history writes one");
	for (size_t i = 0; err >= 0 && i < csv->n; i++) {
		cleanup_free char *line = str_one_line(csv->fields[i]);

		err = line ? str_list_add(columns, line) : -ENOMEM;
	}
	if (err < 0)
		return err;
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (find_column(columns, needed[i]) == columns->n)
			return why_set(
				why, -EINVAL,
				"not a history: line 1 has no column '%s'; --format history writes one",
				needed[i]);
	for (size_t i = 0; i < columns->n; i++)
		if (find_column(columns, columns->v[i]) != i)
			return why_set(why, -EINVAL, "line 1: the column '%s' appears twice",
				       columns->v[i]);
	return 0;
}

int history_csv_columns(FILE *in, struct str_list *columns, struct why *why)
{
	cleanup_str struct str text = { 0 };
	cleanup_with(csv_release) struct csv csv = { .line = 1 };
	int err = read_text(in, &text, why);

	if (err < 0 || text.len == 0)
		return err;
	if (text.text[text.len - 1] != '\n')
		return why_set(why, -EINVAL,
			       "the last line has no line end; append one: echo >>FILE");
	csv.p = text.text;
	return read_columns(&csv, columns, why);
}

/* ---- The entries. */

/* The columns of a file, and where their values go. */
struct reader {
	struct csv csv;
	struct str_list columns;
	size_t time, commit, command;
	size_t *metrics; /* owned: of each column, the metric of the history; SIZE_MAX: none yet */
};

static void reader_release(struct reader *r)
{
	csv_release(&r->csv);
	str_list_release(&r->columns);
	free(r->metrics);
}

/* A column without any value is not a metric. */
static int read_value(struct reader *r, size_t column, struct history *history, struct why *why)
{
	const char *text = r->csv.fields[column];
	char *end;
	double value = strtod(text, &end);
	int err = 0;

	if (text[0] == '\0') /* there is no count */
		return 0;
	if (text[strspn(text, "0123456789+-.eE")] || *end || !(fabs(value) <= SCHEMA_LARGE))
		return why_set(why, -EINVAL, "line %zu: '%s' is not a number (column '%s')",
			       r->csv.record_line, text, r->columns.v[column]);
	if (r->metrics[column] == SIZE_MAX) {
		r->metrics[column] = history->metrics.n;
		err = history_add_metric(history, r->columns.v[column]);
	}
	if (err == 0)
		history->entries[history->n - 1].values[r->metrics[column]] = value;
	return err;
}

static int read_entry(struct reader *r, struct history *history, struct why *why)
{
	const struct csv *csv = &r->csv;
	time_t time;
	int zone_s, err;

	if (csv->n != r->columns.n)
		return why_set(why, -EINVAL,
			       "line %zu: expected %zu fields, as in line 1, but found %zu",
			       csv->record_line, r->columns.n, csv->n);
	if (!clock_parse_date(csv->fields[r->time], &time, &zone_s))
		return why_set(why, -EINVAL,
			       "line %zu: '%s' is not a time (example: 2026-02-28T13:05:59+01:00)",
			       csv->record_line, csv->fields[r->time]);
	err = history_add_entry(history, time, csv->fields[r->commit], csv->fields[r->command]);
	for (size_t i = r->command + 1; err == 0 && i < csv->n; i++)
		err = read_value(r, i, history, why);
	return err;
}

int history_csv_load(FILE *in, struct history *history, struct why *why)
{
	cleanup_with(reader_release) struct reader r = { .csv.line = 1 };
	cleanup_str struct str text = { 0 };
	int err = read_text(in, &text, why), more = 1;

	if (err == 0 && text.len == 0)
		err = why_set(why, -EINVAL, "the file is empty");
	if (err < 0)
		return err;
	r.csv.p = text.text;
	err = read_columns(&r.csv, &r.columns, why);
	if (err < 0)
		return err;
	r.time = find_column(&r.columns, HISTORY_TIME);
	r.commit = find_column(&r.columns, HISTORY_COMMIT);
	r.command = find_column(&r.columns, HISTORY_COMMAND);
	r.metrics = calloc(r.columns.n, sizeof(*r.metrics));
	if (!r.metrics)
		return -ENOMEM;
	for (size_t i = 0; i < r.columns.n; i++)
		r.metrics[i] = SIZE_MAX;
	while (err == 0 && more > 0) {
		more = read_record(&r.csv, why);
		err = more > 0 ? read_entry(&r, history, why) : more;
	}
	if (err == 0)
		history_sort(history); /* jobs may overlap, and a clock may step back */
	return err;
}
