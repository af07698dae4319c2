/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "unit/format/looks.h"
#include "unit/test.h"

#define NUMBERS .numbers = { .thousands = ",", .point = "." }

const struct result_look result_looks[] = {
	{ "table", &format_table, { NUMBERS } },
	{ "table-colour", &format_table, { NUMBERS, .colour = true } },
	{ "table-metric-only", &format_table, { NUMBERS, .metric_only = true } },
	{ "table-times", &format_table, { NUMBERS, .run_times = true } },
	{ "perf-csv", &format_perf_csv, { .separator = "," } },
	{ "perf-csv-metric-only", &format_perf_csv, { .separator = ",", .metric_only = true } },
	{ "perf-json", &format_perf_json, { .separator = NULL } },
	{ "perf-json-metric-only", &format_perf_json, { .metric_only = true } },
	{ "json", &format_json, { NUMBERS } },
	{ "csv", &format_csv, { NUMBERS } },
	{ "csv-summary", &format_csv_summary, { NUMBERS } },
	{ "markdown", &format_markdown, { NUMBERS } },
	{ "openmetrics", &format_openmetrics, { NUMBERS } },
	{ "bmf", &format_bmf, { NUMBERS } },
	{ "benchmark-action", &format_benchmark_action, { NUMBERS } },
	{ "influx", &format_influx, { NUMBERS } },
	{ "history", &format_history, { NUMBERS } },
	{ "html", &format_html, { NUMBERS } },
	{ .name = NULL },
};

#define OF_REPORT NUMBERS, .header = true
#define EVERYTHING OF_REPORT, .draw = true, .details = true

const struct comparison_look comparison_looks[] = {
	{ "answer-40", &format_table, { OF_REPORT, .width = 40 } },
	{ "answer-80", &format_table, { OF_REPORT, .width = 80 } },
	{ "answer-80-ascii", &format_table, { OF_REPORT, .width = 80, .ascii = true } },
	{ "answer-80-colour", &format_table, { OF_REPORT, .width = 80, .colour = true } },
	{ "table-60", &format_table, { EVERYTHING, .width = 60 } },
	{ "table-80", &format_table, { EVERYTHING, .width = 80 } },
	{ "table-100", &format_table, { EVERYTHING, .width = 100 } },
	{ "table-200", &format_table, { EVERYTHING, .width = 200 } },
	{ "table-80-ascii", &format_table, { EVERYTHING, .width = 80, .ascii = true } },
	{ "table-80-colour", &format_table, { EVERYTHING, .width = 80, .colour = true } },
	{ "json", &format_json, { OF_REPORT } },
	{ "csv", &format_csv, { OF_REPORT } },
	{ "csv-summary", &format_csv_summary, { OF_REPORT } },
	{ "markdown", &format_markdown, { OF_REPORT } },
	{ "github", &format_github, { OF_REPORT } },
	{ "bmf", &format_bmf, { OF_REPORT } },
	{ "benchmark-action", &format_benchmark_action, { OF_REPORT } },
	{ "influx", &format_influx, { OF_REPORT } },
	{ "html", &format_html, { OF_REPORT } },
	{ .name = NULL },
};

/* The entry of that name; the table ends with an entry without a name. */
#define RETURN_ENTRY(table, wanted)                                                                \
	for (size_t i_ = 0; (table)[i_].name; i_++)                                                \
		if (strcmp((table)[i_].name, wanted) == 0)                                         \
			return &(table)[i_];                                                       \
	fail_msg("there is no '%s'", wanted);                                                      \
	return NULL

const struct result_look *find_report_look(const char *name)
{
	RETURN_ENTRY(result_looks, name);
}

const struct comparison_look *find_comparison_look(const char *name)
{
	RETURN_ENTRY(comparison_looks, name);
}

const struct fixed_result *find_fixed_result(const char *name)
{
	RETURN_ENTRY(fixed_result, name);
}

const struct fixed_comparison *find_fixed_comparison(const char *name)
{
	RETURN_ENTRY(fixed_comparisons, name);
}

char *look_print_result(const struct result_look *look, const struct fixed *f)
{
	return fixed_print(f, look->format, look->style);
}

char *look_print_comparison(const struct comparison_look *look, const struct fixed_comparison *f)
{
	return fixed_comparison_print(f, look->format, &look->style);
}
