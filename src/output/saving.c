/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/why.h"
#include "document/write.h"
#include "format/format.h"
#include "output/message.h"
#include "output/print.h"
#include "output/saving.h"
#include "run/gather.h"

int saving_open(struct saving *s, const struct options *o, struct why *why)
{
	int err = o->save ? output_open(&s->output, o->save, OUTPUT_REPLACE, -1, why) : 0;

	s->options = o;
	s->wanted = o->save || options_format(o)->is_document;
	if (err < 0 || !o->html)
		return err;
	s->wanted = true;
	/* before anything runs, like the files */
	err = rmath_load(&s->math, why);
	return err < 0 ? err : output_open(&s->page, o->html, OUTPUT_REPLACE, -1, why);
}

int saving_begin(struct saving *s, const struct machine *m)
{
	const struct options *o = s->options;
	/* a page and the comparison with a baseline show parts of it, too */
	bool shown = options_format(o)->shows_provenance || o->html || o->compare_options.baseline;

	return s->wanted || shown ? gather_provenance(&s->provenance, o->argv, m, time(NULL)) : 0;
}

int saving_keep(struct saving *s, struct series *series, const struct interval *interval)
{
	if (s->wanted && s->err == 0)
		s->err = series_keep_interval(series, interval);
	return s->err;
}

/* Finish a file. err: 0, or the error of writing to it. A pipe without a reader is an error here:
 * message_of_lost_text() is silent only if the reader of the result itself has gone. */
static int finish(struct output *output, int err, struct why *why)
{
	err = err < 0 ? output_failed(output, err, why) : output_finish(output, why);
	return err == -EPIPE ? -EIO : err;
}

int saving_write(struct saving *s, const struct table *result, struct why *why)
{
	int err = s->err;

	if (!s->options->save)
		return 0;
	if (err == 0)
		err = output_begin(&s->output, why);
	return err < 0 ? err : finish(&s->output, write_result(result, s->output.stream), why);
}

static int write_page(struct saving *s, const struct comparison *c, struct why *why)
{
	const struct format_style style = { .numbers = print_numbers_grouped(s->options) };
	int err = output_begin(&s->page, why);

	if (err < 0)
		return err;
	return finish(&s->page, format_html.write(c->tables, c, &style, s->page.stream), why);
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

int saving_write_page(struct saving *s, const struct series *series, struct why *why)
{
	cleanup_with(comparison_release) struct comparison comparison = { 0 };
	cleanup_with(table_release) struct table result = { 0 };
	cleanup_free struct run *runs = NULL;
	struct series shown = *series;
	struct side_input side = { .series = &shown };
	struct comparison_input input = options_comparison_input(&s->options->compare_options);
	int err;

	if (!s->options->html)
		return 0;
	err = show_intervals_as_runs(&shown, &runs);
	if (err == 0)
		err = table_build(&result, &shown, NULL);
	if (err < 0)
		return err;
	side.name = result.command;
	input.sides = &side;
	input.sides_n = 1;
	input.math = &s->math;
	err = comparison_build(&comparison, &input, why);
	return err < 0 ? err : write_page(s, &comparison, why);
}

void saving_write_comparison(struct saving *s, const struct comparison *c)
{
	struct output *document = &s->output;
	cleanup_why struct why document_why = { 0 }, page_why = { 0 };
	int document_err = 0, page_err = 0;

	if (s->options->save)
		document_err = output_begin(document, &document_why);
	if (s->options->save && document_err == 0)
		document_err =
			finish(document, write_comparison(c, document->stream), &document_why);
	if (s->options->html)
		page_err = write_page(s, c, &page_why);
	if (document_err < 0)
		message_of_loss(why_text(&document_why, document_err));
	if (page_err < 0)
		message_of_loss(why_text(&page_why, page_err));
	s->err = document_err < 0 ? document_err : page_err;
}

void saving_release(struct saving *s)
{
	output_release(&s->output);
	output_release(&s->page);
	provenance_release(&s->provenance);
}
