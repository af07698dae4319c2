/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of comparisons by name. */
#include <string.h>

#include "result/comparison.h"

const struct comparison_format *const comparison_formats[] = { &comparison_table,
							       &comparison_json,
							       &comparison_csv,
							       &comparison_csv_summary,
							       &comparison_markdown,
							       &comparison_github,
							       NULL };

const struct comparison_format *comparison_format_find(const char *name)
{
	for (size_t i = 0; comparison_formats[i]; i++)
		if (strcmp(comparison_formats[i]->name, name) == 0)
			return comparison_formats[i];
	return NULL;
}
