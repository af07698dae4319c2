/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/why.h"
#include "document/history_csv.h"
#include "document/schema.h"

enum { FILE_MAX = 1 << 28 }; /* bytes */

/* ---- CSV. */

struct csv {
	const char *p; /* the rest of the text, which ends with '\0' */
	size_t line; /* of p, from 1 */
	size_t record_line; /* where the last record began */
};

static int read_text(FILE *in, struct str *text, struct why *why)
{
	char part[16384];
	size_t n;

	while (!text->failed && (n = fread(part, 1, sizeof(part), in)) > 0) {
		if (text->len > FILE_MAX)
			return -EFBIG;
		if (memchr(part, '\0', n))
			return why_set(why, -EINVAL, "not a text file: it contains a zero byte");
		str_add_n(text, part, n);
	}
	if (ferror(in))
		return errno ? -errno : -EIO;
	return text->failed ? -ENOMEM : 0;
}

static int read_quoted(struct csv *csv, struct str *field, struct why *why)
{
	for (csv->p++; *csv->p != '"' || csv->p[1] == '"'; csv->p++) {
		if (!*csv->p)
			return why_set(why, -EINVAL, "line %zu: a quote is not closed",
				       csv->record_line);
		csv->p += *csv->p == '"';
		csv->line += *csv->p == '\n';
		str_add_n(field, csv->p, 1);
	}
	csv->p++;
	return 0;
}

static int read_field(struct csv *csv, struct str_list *fields, struct why *why)
{
	cleanup_str struct str field = { 0 };
	size_t n = strcspn(csv->p, ",\"\r\n");
	int err = 0;

	if (*csv->p == '"') {
		err = read_quoted(csv, &field, why);
	} else {
		str_add_n(&field, csv->p, n);
		csv->p += n;
	}
	if (err == 0 && *csv->p && !strchr(",\r\n", *csv->p))
		return why_set(why, -EINVAL, "line %zu: field %zu has text outside its quotes",
			       csv->record_line, fields->n + 1);
	if (err < 0)
		return err;
	return field.failed ? -ENOMEM : str_list_add(fields, str_text(&field));
}

/* Read the fields of the next record into the empty list. 1; 0: the text has ended; -errno. */
static int read_record(struct csv *csv, struct str_list *fields, struct why *why)
{
	int err = 0;

	csv->record_line = csv->line;
	if (!*csv->p)
		return 0;
	for (;;) {
		err = read_field(csv, fields, why);
		if (err < 0 || *csv->p != ',')
			break;
		csv->p++;
	}
	csv->p += *csv->p == '\r' && csv->p[1] == '\n';
	csv->line += *csv->p == '\n';
	csv->p += *csv->p == '\n' || *csv->p == '\r';
	return err < 0 ? err : 1;
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
	int err = read_record(csv, columns, why);

	if (err == -EINVAL)
		return why_set(why, err,
			       "not a history: line 1 is not CSV; --format history writes one");
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
	struct csv csv = { .line = 1 };
	int err = read_text(in, &text, why);

	if (err < 0 || text.len == 0)
		return err;
	if (text.text[text.len - 1] != '\n')
		return why_set(why, -EINVAL, "the last line is incomplete: it has no line end");
	csv.p = text.text;
	return read_columns(&csv, columns, why);
}

/* ---- The entries. */

static int read_value(const struct csv *csv, const char *column, const char *text,
		      struct history *history, struct why *why)
{
	char *end;
	double value = strtod(text, &end);

	if (text[0] == '\0') /* there is no count */
		return 0;
	if (text[strspn(text, "0123456789+-.eE")] || *end || !(fabs(value) <= SCHEMA_LARGE))
		return why_set(why, -EINVAL, "line %zu: '%s' is not a number (column '%s')",
			       csv->record_line, text, column);
	return history_set(history, column, value);
}

static int read_entry(const struct csv *csv, const struct str_list *columns,
		      const struct str_list *fields, struct history *history, struct why *why)
{
	const char *date;
	time_t time;
	int zone_s, err = 0;

	if (fields->n != columns->n)
		return why_set(why, -EINVAL,
			       "line %zu: expected %zu fields, as in line 1, but found %zu",
			       csv->record_line, columns->n, fields->n);
	date = fields->v[find_column(columns, HISTORY_TIME)];
	if (!clock_parse_date(date, &time, &zone_s))
		return why_set(why, -EINVAL,
			       "line %zu: '%s' is not a time (example: 2026-02-28T13:05:59+01:00)",
			       csv->record_line, date);
	if (history->n > 0 && time < history->entries[history->n - 1].time)
		return why_set(why, -EINVAL,
			       "line %zu is older than the line before it; sort the lines by time",
			       csv->record_line);
	err = history_add_entry(history, time, fields->v[find_column(columns, HISTORY_COMMIT)],
				fields->v[find_column(columns, HISTORY_COMMAND)]);
	for (size_t i = find_column(columns, HISTORY_COMMAND) + 1; err == 0 && i < columns->n; i++)
		err = read_value(csv, columns->v[i], fields->v[i], history, why);
	return err;
}

int history_csv_load(FILE *in, struct history *history, struct why *why)
{
	cleanup_str_list struct str_list columns = { 0 };
	cleanup_str struct str text = { 0 };
	struct csv csv = { .line = 1 };
	int err = read_text(in, &text, why), more = 1;

	if (err == 0 && text.len == 0)
		err = why_set(why, -EINVAL, "the file is empty");
	csv.p = str_text(&text);
	if (err == 0)
		err = read_columns(&csv, &columns, why);
	while (err == 0 && more > 0) {
		cleanup_str_list struct str_list fields = { 0 };

		more = read_record(&csv, &fields, why);
		err = more > 0 ? read_entry(&csv, &columns, &fields, history, why) : more;
	}
	return err;
}
