/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table for people, in perf stat's columns. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "report/report.h"

enum {
	VALUE_WIDTH = 18,
	UNIT_WIDTH = 4,
	NAME_WIDTH = 32,
	METRIC_WIDTH = 35, /* with its '#' */
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

static int unit_width(const struct report *report)
{
	int width = UNIT_WIDTH;

	for (size_t i = 0; i < report->rows_n; i++)
		if (columns(report->rows[i].event->unit) > width)
			width = columns(report->rows[i].event->unit);
	return width;
}

static void add_count(struct str *line, const struct report_row *row, int unit,
		      const struct num_style *style)
{
	const char *absent = report_absent(row->state);

	if (absent)
		add_right(line, absent, VALUE_WIDTH);
	else
		add_number(line, row->value, row->decimals, VALUE_WIDTH, style);
	str_add(line, " ");
	add_left(line, row->event->unit, unit);
	str_add(line, " ");
	add_left(line, row->name, NAME_WIDTH);
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

static int write_row(const struct report_row *row, int unit, const struct num_style *style,
		     FILE *out)
{
	cleanup_str struct str line = { 0 };
	int err;

	add_count(&line, row, unit, style);
	if (row->metrics.n > 0)
		add_metric(&line, &row->metrics.v[0], style);
	else
		add_spaces(&line, METRIC_WIDTH);
	add_spread(&line, row->spread_percent, style);
	if (row->state == SCALED) {
		str_add(&line, "  (");
		num_add(&line, row->running_percent, 2, style);
		str_add(&line, "%)");
	}
	err = put_line(&line, out);
	for (size_t i = 1; err == 0 && i < row->metrics.n; i++) {
		add_spaces(&line, VALUE_WIDTH + 1 + unit + 1 + NAME_WIDTH);
		add_metric(&line, &row->metrics.v[i], style);
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

static int write_footer(const struct report *report, const struct num_style *style, FILE *out)
{
	int err;

	if (!report->null_run && putc('\n', out) == EOF)
		return -errno;
	err = write_time(&report->elapsed_ns, "time elapsed", style, out);
	if (err == 0 && putc('\n', out) == EOF)
		err = -errno;
	if (err == 0)
		err = write_time(&report->user_ns, "user", style, out);
	if (err == 0)
		err = write_time(&report->system_ns, "sys", style, out);
	if (err == 0 && putc('\n', out) == EOF)
		err = -errno;
	return err;
}

static int write_header(const struct report *report, FILE *out)
{
	cleanup_str struct str line = { 0 };

	str_addf(&line, "\n Performance counter stats for '%s'", report->command);
	if (report->runs_n > 1)
		str_addf(&line, " (%zu runs)", report->runs_n);
	str_add(&line, ":\n");
	return put_line(&line, out);
}

static int table_write(const struct report *report, const struct report_style *style, FILE *out)
{
	int unit = unit_width(report);
	int err = write_header(report, out);

	for (size_t i = 0; err == 0 && i < report->rows_n; i++)
		err = write_row(&report->rows[i], unit, &style->numbers, out);
	return err < 0 ? err : write_footer(report, &style->numbers, out);
}

const struct report_format report_table = { .name = "table", .write = table_write };
