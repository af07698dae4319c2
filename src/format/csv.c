/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format csv: a table of all readings, for statistics and databases. A line for each run and row; with
 * -I for each interval and row. A number that there is not is an empty field.
 */
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/csv_text.h"

/* They stay what and where they are: new ones come at the end. */
static const char header[] = "command,run,time_s," CSV_PLACE "," CSV_EVENT
			     ",value,raw,enabled_ns,running_ns,running_percent"
			     ",elapsed_s,user_s,system_s,max_rss_kib,exit_status,signal";

enum { FIELDS_OF_ROW = 12 }; /* place, event and count */

static void add_run(struct str *line, const struct result *result, size_t run)
{
	csv_add_text(line, result->command);
	csv_add_whole(line, (result->is_interval ? result->input.interval->of_run : run) + 1);
	if (result->is_interval)
		csv_add_seconds(line, result->at_ns);
	else
		csv_add_empty(line, 1);
}

static void add_count(struct str *line, const struct series_value *value)
{
	if (result_absent(value->state)) {
		csv_add_empty(line, 2);
	} else {
		csv_add_number(line, value->in_unit);
		csv_add_whole(line, value->counts.raw);
	}
	if (value->state == NOT_SUPPORTED || value->state == FAILED) {
		csv_add_empty(line, 3);
		return;
	}
	csv_add_whole(line, value->counts.enabled_ns);
	csv_add_whole(line, value->counts.running_ns);
	csv_add_number(line, value->running_percent);
}

/* What the clock and wait4(2) say: of a interval it is only the clock. */
static void add_ending(struct str *line, const struct result *result, const struct run *run)
{
	csv_add_seconds(line, run->tool[TOOL_DURATION_TIME]);
	if (!result->input.has_usage || result->is_interval) {
		csv_add_empty(line, 5);
		return;
	}
	csv_add_seconds(line, run->tool[TOOL_USER_TIME]);
	csv_add_seconds(line, run->tool[TOOL_SYSTEM_TIME]);
	csv_add_whole(line, run->tool[TOOL_MAX_RSS]);
	if (WIFSIGNALED(run->wait_status)) {
		csv_add_empty(line, 1);
		csv_add_whole(line, (uint64_t)WTERMSIG(run->wait_status));
	} else {
		csv_add_whole(line, (uint64_t)WEXITSTATUS(run->wait_status));
		csv_add_empty(line, 1);
	}
}

/* row: NULL for a run without any. */
static int write_line(const struct result *result, const struct result_row *row, size_t run,
		      const char *side, FILE *out)
{
	cleanup_str struct str line = { 0 };

	add_run(&line, result, run);
	if (row) {
		const struct series_value value = result_value(result, row, run);

		if (value.state == ELSEWHERE)
			return 0;
		csv_add_place(&line, row);
		csv_add_event(&line, row, value.state);
		add_count(&line, &value);
	} else {
		csv_add_empty(&line, FIELDS_OF_ROW);
	}
	add_ending(&line, result, &result->input.runs[run]);
	csv_end_line(&line, side);
	return csv_put(&line, out);
}

static int csv_write(const struct result *result, const struct result_style *style, FILE *out)
{
	cleanup_str struct str names = { 0 };
	int err = 0;

	if (style->header) {
		str_add(&names, header);
		csv_end_header(&names, style->side);
		err = csv_put(&names, out);
	}
	for (size_t run = 0; err == 0 && run < result->input.runs_n; run++) {
		if (result->rows_n == 0)
			err = write_line(result, NULL, run, style->side, out);
		for (size_t i = 0; err == 0 && i < result->rows_n; i++)
			err = write_line(result, &result->rows[i], run, style->side, out);
	}
	return err;
}

const struct result_format result_csv = { .name = "csv", .continuous = true, .write = csv_write };
