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

/* A file that is being read. The fields are stored in place of its text, because a long history has
 * millions of them. */
struct reader {
	struct str text; /* owned: the whole file */
	bool is_complete; /* its last line has a line end */
	char *p; /* the rest of the text, which ends with '\0' */
	size_t line; /* of p, from 1 */
	size_t record_line; /* where the last record began */
	char **fields; /* owned: of the last record; they are parts of the text */
	size_t n, size;
	struct str_list columns; /* of line 1 */
	size_t time, commit, command; /* the indices of these columns */
	size_t *metrics; /* owned: of each column, the metric of the history; SIZE_MAX: none yet */
};

static void history_csv_reader_release(struct reader *r)
{
	str_release(&r->text);
	free(r->fields);
	str_list_release(&r->columns);
	free(r->metrics);
}

/* ---- CSV. */

/* Read up to the closing quote. The field then ends with '\0'. */
static int history_csv_read_quoted(struct reader *r, struct why *why)
{
	char *end = r->p + 1;

	for (r->p++; *r->p != '"' || r->p[1] == '"'; r->p++) {
		if (!*r->p)
			return why_set(why, -EINVAL, "line %zu: a quote is not closed",
				       r->record_line);
		r->p += *r->p == '"';
		r->line += *r->p == '\n';
		*end++ = *r->p;
	}
	r->p++;
	*end = '\0';
	return 0;
}

/* Read a field. *end: the character after it, which may be overwritten. */
static int history_csv_read_field(struct reader *r, char *end, struct why *why)
{
	bool quoted = *r->p == '"';
	char *field = r->p + quoted;
	int err = 0;

	if (array_grow(&r->fields, r->n, &r->size, sizeof(*r->fields)) < 0)
		return -ENOMEM;
	if (quoted)
		err = history_csv_read_quoted(r, why);
	else /* strcspn(3) is slower for short fields */
		while (*r->p && *r->p != ',' && *r->p != '\n' && *r->p != '\r' && *r->p != '"')
			r->p++;
	if (err < 0)
		return err;
	*end = *r->p;
	if (*end && !strchr(",\r\n", *end))
		return why_set(why, -EINVAL, "line %zu: field %zu has text outside its quotes",
			       r->record_line, r->n + 1);
	r->fields[r->n++] = field;
	return 0;
}

/* Read the fields of the next record. 1; 0: the text has ended; -errno. */
static int history_csv_read_record(struct reader *r, struct why *why)
{
	char end = ',';

	r->record_line = r->line;
	r->n = 0;
	if (!*r->p)
		return 0;
	while (end == ',') {
		int err = history_csv_read_field(r, &end, why);

		if (err < 0)
			return err;
		*r->p = '\0';
		r->p += end == '\r' && r->p[1] == '\n' ? 2 : end != '\0';
	}
	r->line += end != '\0';
	return 1;
}

/* ---- The columns. */

static size_t history_csv_find_column(const struct str_list *columns, const char *name)
{
	size_t i = 0;

	while (i < columns->n && strcmp(columns->v[i], name) != 0)
		i++;
	return i;
}

/* Read the text and the columns. An empty file has no columns. */
static int history_csv_read_columns(struct reader *r, FILE *in, struct why *why)
{
	static const char *const needed[] = { HISTORY_TIME, HISTORY_COMMIT, HISTORY_COMMAND };
	int err = str_add_stream(&r->text, in, FILE_MAX);

	if (err < 0 || r->text.len == 0)
		return err;
	r->p = r->text.text;
	r->line = 1;
	r->is_complete = r->p[r->text.len - 1] == '\n';
	if (strlen(r->p) < r->text.len)
		return why_set(why, -EINVAL, "not a text file: it contains a zero byte");
	err = history_csv_read_record(r, why);
	if (err == -EINVAL)
		return why_set(why, err,
			       "not a history: line 1 is not CSV; --format history writes one");
	for (size_t i = 0; err >= 0 && i < r->n; i++) {
		cleanup_free char *line = str_one_line(r->fields[i]);

		err = line ? str_list_add(&r->columns, line) : -ENOMEM;
	}
	if (err < 0)
		return err;
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!str_list_has(&r->columns, needed[i]))
			return why_set(
				why, -EINVAL,
				"not a history: line 1 has no column '%s'; --format history writes one",
				needed[i]);
	for (size_t i = 0; i < r->columns.n; i++)
		if (history_csv_find_column(&r->columns, r->columns.v[i]) != i)
			return why_set(why, -EINVAL, "line 1: the column '%s' appears twice",
				       r->columns.v[i]);
	return 0;
}

int history_csv_columns(FILE *in, struct str_list *columns, struct why *why)
{
	cleanup_with(history_csv_reader_release) struct reader r = { 0 };
	int err = history_csv_read_columns(&r, in, why);

	if (err == 0 && r.text.len > 0 && !r.is_complete)
		return why_set(why, -EINVAL,
			       "the last line has no line end; append one: echo >>FILE");
	for (size_t i = 0; err == 0 && i < r.columns.n; i++)
		err = str_list_add(columns, r.columns.v[i]);
	return err;
}

/* ---- The entries. */

/* A column without any value is not a metric. */
static int history_csv_read_value(struct reader *r, size_t column, struct history *history,
				  struct why *why)
{
	const char *text = r->fields[column];
	char *end;
	double value = strtod(text, &end);
	int err = 0;

	if (text[0] == '\0') /* there is no count */
		return 0;
	if (text[strspn(text, "0123456789+-.eE")] || *end || !(fabs(value) <= SCHEMA_LARGE))
		return why_set(why, -EINVAL, "line %zu: '%s' is not a number (column '%s')",
			       r->record_line, text, r->columns.v[column]);
	if (r->metrics[column] == SIZE_MAX) {
		r->metrics[column] = history->metrics.n;
		err = history_add_metric(history, r->columns.v[column], NULL);
	}
	if (err == 0)
		history->entries[history->n - 1].values[r->metrics[column]] = value;
	return err;
}

static int history_csv_read_entry(struct reader *r, struct history *history, struct why *why)
{
	time_t time;
	int zone_s, err;

	if (r->n != r->columns.n)
		return why_set(why, -EINVAL,
			       "line %zu: expected %zu fields, as in line 1, but found %zu",
			       r->record_line, r->columns.n, r->n);
	if (!clock_parse_date(r->fields[r->time], &time, &zone_s))
		return why_set(why, -EINVAL,
			       "line %zu: '%s' is not a time (example: 2026-02-28T13:05:59+01:00)",
			       r->record_line, r->fields[r->time]);
	err = history_add_entry(history, time, r->fields[r->commit], r->fields[r->command]);
	for (size_t i = r->command + 1; err == 0 && i < r->n; i++)
		err = history_csv_read_value(r, i, history, why);
	return err;
}

int history_csv_load(FILE *in, struct history *history, struct why *why)
{
	cleanup_with(history_csv_reader_release) struct reader r = { 0 };
	int err = history_csv_read_columns(&r, in, why), more = 1;

	if (err == 0 && r.text.len == 0)
		err = why_set(why, -EINVAL, "the file is empty");
	if (err < 0)
		return err;
	r.time = history_csv_find_column(&r.columns, HISTORY_TIME);
	r.commit = history_csv_find_column(&r.columns, HISTORY_COMMIT);
	r.command = history_csv_find_column(&r.columns, HISTORY_COMMAND);
	r.metrics = calloc(r.columns.n, sizeof(*r.metrics));
	if (!r.metrics)
		return -ENOMEM;
	for (size_t i = 0; i < r.columns.n; i++)
		r.metrics[i] = SIZE_MAX;
	while (err == 0 && more > 0) {
		more = history_csv_read_record(&r, why);
		err = more > 0 ? history_csv_read_entry(&r, history, why) : more;
	}
	if (err == 0)
		history_sort(history); /* jobs may overlap, and a clock may step back */
	return err;
}
