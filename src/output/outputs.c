/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "format/format.h"
#include "format/terminal/history_table.h"
#include "output/message.h"
#include "output/outputs.h"
#include "output/same_file.h"
#include "run/gather.h"

int outputs_open(struct outputs *out, enum print_parts parts, struct why *why)
{
	const struct options *o = out->options;
	int err = same_file_check(o, why);

	out->keeps_intervals = o->save || o->html || options_format(o)->is_document;
	out->prints = !o->quiet && (!o->compare_options.bisect || o->verbose || o->format ||
				    options_has_destination(o));
	if (err == 0 && out->prints)
		err = printing_open(&out->printing, o, parts, why);
	if (err == 0 && o->save)
		err = output_open(&out->document, o->save, OUTPUT_REPLACE, -1, why);
	if (err < 0 || !o->html)
		return err;
	err = rmath_load(&out->math, why);
	return err < 0 ? err : output_open(&out->page, o->html, OUTPUT_REPLACE, -1, why);
}

int outputs_gather(struct outputs *out, const struct machine *m)
{
	const struct options *o = out->options;
	/* the comparison with a baseline shows parts of it, too */
	bool shown = options_format(o)->shows_provenance || o->compare_options.baseline;

	if (!out->keeps_intervals && !shown)
		return 0;
	return gather_provenance(&out->provenance, o->argv, m, time(NULL));
}

/* ---- Losing a result. */

/* A job that only prints is silent if the reader of its text has gone. */
static void report_loss(struct outputs *out, int err, const struct why *why)
{
	int status = STATUS_PSTAT;

	if (out->options->job == JOB_COUNT)
		message_of_loss(why_text(why, err));
	else
		status = message_of_lost_text(err, why_text(why, err));
	if (out->status == 0)
		out->status = status;
}

void outputs_lose(struct outputs *out, int err, const struct why *why)
{
	if (err == 0)
		return;
	out->text_lost = true;
	report_loss(out, err, why);
}

void outputs_keep(struct outputs *out, struct series *series, const struct interval *interval)
{
	const struct why none = { 0 };
	int err = out->keeps_intervals ? series_keep_interval(series, interval) : 0;

	if (err == 0)
		return;
	out->keeps_intervals = false;
	out->files_lost = true;
	report_loss(out, err, &none);
}

/* ---- The text. */

static bool writes_text(const struct outputs *out)
{
	return out->prints && !out->text_lost;
}

void outputs_begin(struct outputs *out, time_t started)
{
	cleanup_why struct why why = { 0 };

	if (writes_text(out))
		outputs_lose(out, printing_begin(&out->printing, started, &why), &why);
}

void outputs_interval(struct outputs *out, const struct table *result)
{
	cleanup_why struct why why = { 0 };

	if (writes_text(out))
		outputs_lose(out, printing_interval(&out->printing, result, &why), &why);
}

void outputs_run(struct outputs *out, const struct table *result)
{
	cleanup_why struct why why = { 0 };

	if (writes_text(out))
		outputs_lose(out, printing_run(&out->printing, result, &why), &why);
}

bool outputs_print_result_of(const struct outputs *out, const struct series *series)
{
	return writes_text(out) && !out->printing.each_run &&
	       (!out->printing.streams || series->summary_asked || out->options->summary);
}

int outputs_close(struct outputs *out)
{
	cleanup_why struct why why = { 0 };

	if (writes_text(out))
		outputs_lose(out, printing_end(&out->printing, &why), &why);
	/* the status of a command that failed says it by itself */
	if (out->status == 0 && out->printing.withheld && out->options->job != JOB_COUNT)
		out->status = STATUS_PSTAT;
	return out->status;
}

/* ---- The document and the page. */

/*
 * Write a result, or the tables of all sides of a comparison. A pipe without a reader is an error here:
 * message_of_lost_text() is silent only if the reader of the text itself has gone.
 */
static void write_file(struct outputs *out, struct output *file, const struct format *format,
		       const struct table *tables, const struct comparison *c)
{
	const struct format_style style = { .numbers = print_numbers_grouped(out->options) };
	cleanup_why struct why why = { 0 };
	int err = output_begin(file, &why);

	if (err == 0) {
		err = format->write(tables, c, &style, file->stream);
		err = err < 0 ? output_failed(file, err, &why) : output_finish(file, &why);
	}
	if (err < 0)
		report_loss(out, err == -EPIPE ? -EIO : err, &why);
}

/*
 * A page shows runs. A series of intervals becomes a series with each interval as a run. *runs:
 * room for them, which the caller frees; they keep the readings of the intervals. 0 or -ENOMEM.
 */
static int show_intervals_as_runs(struct series *shown, struct run **runs)
{
	if (shown->intervals_n == 0) {
		shown->interval_ms = 0;
		return 0;
	}
	*runs = calloc(shown->intervals_n, sizeof(**runs));
	if (!*runs)
		return -ENOMEM;
	for (size_t i = 0; i < shown->intervals_n; i++)
		(*runs)[i] = shown->intervals[i].run;
	shown->runs = *runs;
	shown->runs_n = shown->intervals_n;
	shown->has_usage = false; /* of an interval, pstat itself knows only the duration */
	return 0;
}

static void write_page_of_series(struct outputs *out, const struct series *series)
{
	cleanup_with(comparison_release) struct comparison comparison = { 0 };
	cleanup_with(table_release) struct table result = { 0 };
	cleanup_free struct run *runs = NULL;
	cleanup_why struct why why = { 0 };
	struct series shown = *series;
	struct side_input side = { .series = &shown };
	struct comparison_input input = options_comparison_input(&out->options->compare_options);
	int err = show_intervals_as_runs(&shown, &runs);

	if (err == 0)
		err = table_build(&result, &shown, NULL);
	side.name = result.command;
	input.sides = &side;
	input.sides_n = 1;
	input.math = &out->math;
	if (err == 0)
		err = comparison_build(&comparison, &input, &why);
	if (err < 0)
		report_loss(out, err, &why);
	else
		write_file(out, &out->page, &format_html, comparison.tables, &comparison);
}

/* ---- All of them. */

void outputs_result(struct outputs *out, const struct table *result)
{
	cleanup_why struct why why = { 0 };

	if (outputs_print_result_of(out, result->series)) {
		if (!out->printing.output.stream && !out->printing.streams)
			outputs_begin(out, result->series->started);
		if (writes_text(out))
			outputs_lose(out, printing_result(&out->printing, result, &why), &why);
	}
	if (out->options->save && !out->files_lost)
		write_file(out, &out->document, &format_json, result, NULL);
	if (out->options->html && !out->files_lost)
		write_page_of_series(out, result->series);
}

void outputs_comparison(struct outputs *out, const struct comparison *c)
{
	cleanup_why struct why why = { 0 };

	if (writes_text(out))
		outputs_lose(out, printing_comparison(&out->printing, c, &why), &why);
	if (out->options->save)
		write_file(out, &out->document, &format_json, c->tables, c);
	if (out->options->html)
		write_file(out, &out->page, &format_html, c->tables, c);
}

void outputs_history(struct outputs *out, const struct history *history)
{
	const struct num_style numbers = print_numbers_grouped(out->options);
	struct output *text = &out->printing.output;
	cleanup_why struct why why = { 0 };
	int err = output_begin(text, &why);

	if (err == 0) {
		err = history_table_write(history, &numbers, text->stream);
		err = err < 0 ? output_failed(text, err, &why) : 0;
	}
	outputs_lose(out, err, &why);
}

void outputs_release(struct outputs *out)
{
	notes_release(&out->notes);
	printing_release(&out->printing);
	output_release(&out->document);
	output_release(&out->page);
	provenance_release(&out->provenance);
}
