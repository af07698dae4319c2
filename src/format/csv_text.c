/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "document/schema.h"
#include "format/csv_text.h"

/* RFC 4180, section 2, rules 5 to 7. */
void csv_add_text(struct str *line, const char *text)
{
	cleanup_str struct str clean = { 0 };
	const char *rest;

	utf8_add(&clean, text);
	line->failed |= clean.failed;
	rest = str_text(&clean);
	if (rest[strcspn(rest, ",\"\r\n")] == '\0') {
		str_addf(line, "%s,", rest);
		return;
	}
	str_add(line, "\"");
	for (const char *quote; (quote = strchr(rest, '"')) != NULL; rest = quote + 1) {
		str_add_n(line, rest, (size_t)(quote - rest));
		str_add(line, "\"\"");
	}
	str_addf(line, "%s\",", rest);
}

void csv_add_whole(struct str *line, uint64_t value)
{
	str_addf(line, "%" PRIu64 ",", value);
}

void csv_add_number(struct str *line, long double value)
{
	num_add_exact(line, value);
	str_add(line, ",");
}

void csv_add_seconds(struct str *line, uint64_t ns)
{
	num_add_seconds(line, ns, 0);
	str_add(line, ",");
}

void csv_add_empty(struct str *line, size_t n)
{
	for (; n > 0; n--)
		str_add(line, ",");
}

void csv_end_header(struct str *line, const char *side)
{
	str_add(line, side ? ",side" CSV_END : CSV_END);
}

void csv_end_line(struct str *line, const char *side)
{
	if (side)
		csv_add_text(line, side);
	if (line->len > 0)
		line->len--;
	str_add(line, CSV_END);
}

void csv_add_place(struct str *line, const struct result_row *row)
{
	csv_add_text(line, schema_splits[row->row->place.kind]);
	csv_add_text(line, row->row->place.label);
	csv_add_whole(line, row->row->counters);
	csv_add_text(line, row->event->cgroup ? row->event->cgroup : "");
}

void csv_add_event(struct str *line, const struct result_row *row, enum count_state state)
{
	csv_add_text(line, row->name);
	csv_add_text(line, row->event->unit);
	csv_add_text(line, schema_states[state]);
}

int csv_put(struct str *line, FILE *out)
{
	int err = str_print(line, out);

	line->len = 0;
	return err;
}
