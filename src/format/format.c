/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "format/format.h"

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
