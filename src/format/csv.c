/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --format csv: a table of all samples, for statistics and databases. A line for each run and row; with
 * -I for each block and row. A number that there is not is an empty field.
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

static void add_run(struct str *line, const struct report *report, size_t run)
{
	csv_add_text(line, report->command);
	csv_add_whole(line, (report->is_block ? report->input.block->of_run : run) + 1);
	if (report->is_block)
		csv_add_seconds(line, report->at_ns);
	else
		csv_add_empty(line, 1);
}

static void add_count(struct str *line, const struct series_value *value)
{
	if (report_absent(value->state)) {
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

/* What the clock and wait4(2) say: of a block it is only the clock. */
static void add_ending(struct str *line, const struct report *report, const struct run *run)
{
	csv_add_seconds(line, run->tool[TOOL_DURATION_TIME]);
	if (!report->input.has_usage || report->is_block) {
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
static int write_line(const struct report *report, const struct report_row *row, size_t run,
		      const char *side, FILE *out)
{
	cleanup_str struct str line = { 0 };

	add_run(&line, report, run);
	if (row) {
		const struct series_value value = report_value(report, row, run);

		if (value.state == ELSEWHERE)
			return 0;
		csv_add_place(&line, row);
		csv_add_event(&line, row, value.state);
		add_count(&line, &value);
	} else {
		csv_add_empty(&line, FIELDS_OF_ROW);
	}
	add_ending(&line, report, &report->input.runs[run]);
	csv_end_line(&line, side);
	return csv_put(&line, out);
}

static int csv_write(const struct report *report, const struct report_style *style, FILE *out)
{
	cleanup_str struct str names = { 0 };
	int err = 0;

	if (style->header) {
		str_add(&names, header);
		csv_end_header(&names, style->side);
		err = csv_put(&names, out);
	}
	for (size_t run = 0; err == 0 && run < report->input.runs_n; run++) {
		if (report->rows_n == 0)
			err = write_line(report, NULL, run, style->side, out);
		for (size_t i = 0; err == 0 && i < report->rows_n; i++)
			err = write_line(report, &report->rows[i], run, style->side, out);
	}
	return err;
}

const struct report_format report_csv = { .name = "csv", .continuous = true, .write = csv_write };
