/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "document/write.h"
#include "format/format.h"

/* --format json: the document that --save writes, too. */
static int format_json_write(const struct table *tables, const struct comparison *c,
			     const struct format_style *style, FILE *out)
{
	(void)style;
	return c ? write_comparison(c, out) : write_result(tables, out);
}

const struct format format_json = {
	.name = "json",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.is_document = true,
	.has_results = true,
	.has_comparisons = true,
	.write = format_json_write,
};

const struct format *const formats[] = {
	&format_table,
	&format_json,
	&format_csv,
	&format_csv_summary,
	&format_markdown,
	&format_openmetrics,
	&format_github,
	&format_bmf,
	&format_benchmark_action,
	&format_influx,
	&format_history,
	&format_html,
	NULL,
};

const struct format *format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->destination != DESTINATION_FILE &&
		    strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}
