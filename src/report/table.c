/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table for people, in perf stat's columns. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "report/report.h"

enum {
	VALUE_WIDTH = 18,
	UNIT_WIDTH = 4,
	NAME_WIDTH = 32,
	NAME_WIDTH_BESIDE_CGROUP = 25,
	METRIC_WIDTH = 35, /* with its '#' */
	COMM_WIDTH = 16,
};

/* The columns before the count, of each way to split the rows: as perf prints them. */
static const struct {
	int width; /* of the label */
	bool counts_cpus; /* a column with their number stands behind it */
	const char *header; /* of an interval, all as wide as the columns */
} columns_of[WHERE_N] = {
	[WHERE_CPU] = { 11, false, "CPU        " },
	[WHERE_CORE] = { 15, true, "core            cpus " },
	[WHERE_CLUSTER] = { 17, true, "cluster           cpus " },
	[WHERE_CACHE] = { 19, true, "cache               cpus " },
	[WHERE_DIE] = { 12, true, "die          cpus " },
	[WHERE_SOCKET] = { 6, true, "socket cpus " },
	[WHERE_NODE] = { 6, true, "node   cpus " },
	[WHERE_THREAD] = { 26, false, "            comm-tid      " },
};

/* What is the same for all rows. */
struct layout {
	const struct report *report;
	const struct num_style *numbers;
	int unit_width, cgroup_width, comm_width;
};

/* How many columns a UTF-8 text takes, one for each character. */
static int columns(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void add_spaces(struct str *line, int n)
{
	for (; n > 0; n--)
		str_add(line, " ");
}

static void add_left(struct str *line, const char *text, int width)
{
	str_add(line, text);
	add_spaces(line, width - columns(text));
}

static void add_right(struct str *line, const char *text, int width)
{
	add_spaces(line, width - columns(text));
	str_add(line, text);
}

static void add_number(struct str *line, long double value, int decimals, int width,
		       const struct num_style *style)
{
	cleanup_str struct str number = { 0 };

	num_add(&number, value, decimals, style);
	line->failed |= number.failed;
	add_right(line, str_text(&number), width);
}

static void add_metric(struct str *line, const struct metric *metric, const struct num_style *style)
{
	static const struct {
		int width, decimals;
		const char *after;
	} shapes[] = {
		[METRIC_RATE] = { 8, 3, "" },
		[METRIC_RATIO] = { 7, 2, " " },
		[METRIC_PERCENT] = { 7, 2, "%" },
		[METRIC_PERCENT_FINE] = { 8, 3, " %" },
	};
	size_t start = line->len;

	str_add(line, " # ");
	add_number(line, metric->value, shapes[metric->kind].decimals, shapes[metric->kind].width,
		   style);
	str_addf(line, "%s %s", shapes[metric->kind].after, metric->unit);
	add_spaces(line, METRIC_WIDTH - (int)(line->len - start));
}

/* What a line ends with must not be blanks. */
static int put_line(struct str *line, FILE *out)
{
	while (line->len > 0 && line->text[line->len - 1] == ' ')
		line->len--;
	if (line->failed)
		return -ENOMEM;
	if (fwrite(str_text(line), 1, line->len, out) < line->len || putc('\n', out) == EOF)
		return -errno;
	line->len = 0;
	return 0;
}

/* How many columns the name of a thread takes, before its number. */
static int comm_columns(const char *label)
{
	const char *number = strrchr(label, '-');

	return columns(label) - (number ? columns(number) : 0);
}

static struct layout layout_of(const struct report *report, const struct num_style *numbers)
{
	struct layout layout = { .report = report,
				 .numbers = numbers,
				 .unit_width = UNIT_WIDTH,
				 .comm_width = COMM_WIDTH };

	for (size_t i = 0; i < report->rows_n; i++) {
		const struct event *event = report->rows[i].event;
		const struct where *where = &report->rows[i].row->where;
		int comm = where->kind == WHERE_THREAD ? comm_columns(where->label) : 0;

		if (columns(event->unit) > layout.unit_width)
			layout.unit_width = columns(event->unit);
		if (event->cgroup && columns(event->cgroup) > layout.cgroup_width)
			layout.cgroup_width = columns(event->cgroup);
		if (comm > layout.comm_width)
			layout.comm_width = comm;
	}
	return layout;
}

/* The numbers of threads below one another, their names on the left of them. */
static void add_thread(struct str *line, const char *label, int comm_width)
{
	add_spaces(line, comm_width - comm_columns(label));
	add_left(line, label, comm_columns(label) + columns_of[WHERE_THREAD].width - COMM_WIDTH);
}

/* When, and where. */
static void add_place(struct str *line, const struct layout *layout, const struct report_row *row)
{
	const struct where *where = &row->row->where;

	if (layout->report->is_block) {
		str_addf(line, "%6llu.%09llu ",
			 (unsigned long long)layout->report->at_ns / 1000000000,
			 (unsigned long long)layout->report->at_ns % 1000000000);
	}
	if (where->kind == WHERE_THREAD)
		add_thread(line, where->label, layout->comm_width);
	else
		add_left(line, where->label, columns_of[where->kind].width);
	if (columns_of[where->kind].counts_cpus)
		str_addf(line, " %4zu ", row->row->counters);
}

static void add_count(struct str *line, const struct layout *layout, const struct report_row *row)
{
	const char *absent = report_absent(row->state);

	if (absent)
		add_right(line, absent, VALUE_WIDTH);
	else
		add_number(line, row->value, row->decimals, VALUE_WIDTH, layout->numbers);
	str_add(line, " ");
	add_left(line, row->event->unit, layout->unit_width);
	str_add(line, " ");
	if (!layout->report->has_cgroups) {
		add_left(line, row->name, NAME_WIDTH);
		return;
	}
	add_left(line, row->name, NAME_WIDTH_BESIDE_CGROUP);
	str_add(line, " ");
	add_left(line, row->event->cgroup ? row->event->cgroup : "", layout->cgroup_width);
}

/* Nothing where there is none, as perf does. */
static void add_spread(struct str *line, double percent, const struct num_style *style)
{
	if (percent <= 0)
		return;
	str_add(line, "  ( +-");
	add_number(line, percent, 2, 6, style);
	str_add(line, "% )");
}

static int write_row(const struct layout *layout, const struct report_row *row, FILE *out)
{
	cleanup_str struct str line = { 0 };
	int before;
	int err;

	add_place(&line, layout, row);
	add_count(&line, layout, row);
	before = columns(str_text(&line));
	if (row->metrics.n > 0)
		add_metric(&line, &row->metrics.v[0], layout->numbers);
	else
		add_spaces(&line, METRIC_WIDTH);
	add_spread(&line, row->spread_percent, layout->numbers);
	if (row->state == SCALED) {
		str_add(&line, "  (");
		num_add(&line, row->running_percent, 2, layout->numbers);
		str_add(&line, "%)");
	}
	err = put_line(&line, out);
	for (size_t i = 1; err == 0 && i < row->metrics.n; i++) {
		add_place(&line, layout, row);
		add_spaces(&line, before - columns(str_text(&line)));
		add_metric(&line, &row->metrics.v[i], layout->numbers);
		err = put_line(&line, out);
	}
	return err;
}

/* Decimals that show two digits more than the first one of the standard error, as perf does. */
static int precision_of(double spread)
{
	int decimals = 2;

	if (spread <= 0)
		return 9;
	for (; spread < 1 && decimals < 9; spread *= 10)
		decimals++;
	return decimals;
}

/* Without separators of thousands, as perf. */
static int write_time(const struct summary *ns, const char *what, const struct num_style *numbers,
		      FILE *out)
{
	struct num_style style = *numbers;
	cleanup_str struct str line = { 0 };
	double mean = (double)ns->mean / 1e9;
	double spread = summary_stderr(ns) / 1e9;
	int precision = ns->n > 1 ? precision_of(spread) : 9;

	style.thousands[0] = '\0';
	str_add(&line, " ");
	add_number(&line, mean, precision, 17, &style);
	if (ns->n > 1) {
		str_add(&line, " +- ");
		num_add(&line, spread, precision, &style);
	}
	str_addf(&line, " seconds %s", what);
	add_spread(&line, summary_stderr_percent(ns), &style);
	return put_line(&line, out);
}

static int put_empty_line(FILE *out)
{
	return putc('\n', out) == EOF ? -errno : 0;
}

static int write_passes(const struct report *report, FILE *out)
{
	cleanup_str struct str line = { 0 };

	str_addf(&line, "%18zu %s of the command for each measurement", report->passes_n,
		 report->passes_n == 1 ? "pass" : "passes");
	str_add(&line, "\n");
	return put_line(&line, out);
}

static int write_usage(const struct report *report, const struct num_style *style, FILE *out)
{
	int err = write_time(&report->user_ns, "user", style, out);

	if (err == 0)
		err = write_time(&report->system_ns, "sys", style, out);
	return err < 0 ? err : put_empty_line(out);
}

static int write_footer(const struct report *report, const struct num_style *style, FILE *out)
{
	int err = report->null_run ? 0 : put_empty_line(out);

	if (err == 0 && report->passes_n)
		err = write_passes(report, out);
	if (err == 0)
		err = write_time(&report->elapsed_ns, "time elapsed", style, out);
	if (err == 0)
		err = put_empty_line(out);
	return err == 0 && report->has_usage ? write_usage(report, style, out) : err;
}

static int write_header(const struct report *report, FILE *out)
{
	cleanup_str struct str line = { 0 };

	str_addf(&line, "\n Performance counter stats for %s", report->subject);
	if (report->is_series)
		str_addf(&line, " (%zu runs)", report->runs_n);
	str_add(&line, ":\n");
	return put_line(&line, out);
}

/* Above the blocks of -I. */
static int write_block_header(const struct layout *layout, FILE *out)
{
	cleanup_str struct str line = { 0 };

	str_add(&line, "#           time ");
	if (layout->report->split == WHERE_THREAD)
		add_spaces(&line, layout->comm_width - COMM_WIDTH);
	if (layout->report->split != WHERE_TARGET)
		str_add(&line, columns_of[layout->report->split].header);
	add_right(&line, "counts", VALUE_WIDTH);
	str_add(&line, " ");
	add_right(&line, "unit", layout->unit_width);
	str_add(&line, " events");
	return put_line(&line, out);
}

static int table_write(const struct report *report, const struct report_style *style, FILE *out)
{
	const struct layout layout = layout_of(report, &style->numbers);
	int err = 0;

	if (!report->is_block)
		err = write_header(report, out);
	else if (style->header)
		err = write_block_header(&layout, out);
	for (size_t i = 0; err == 0 && i < report->rows_n; i++)
		err = write_row(&layout, &report->rows[i], out);
	return err < 0 || report->is_block ? err : write_footer(report, &style->numbers, out);
}

const struct report_format report_table = { .name = "table", .write = table_write };
