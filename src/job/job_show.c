/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --show: print saved documents again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/why.h"
#include "job/events.h"
#include "job/jobs.h"
#include "job/loading.h"
#include "job/saved_metrics.h"
#include "output/outputs.h"
#include "stats/rmath.h"

struct showing {
	const struct options *options;
	struct outputs outputs;
	struct loading loading;
	struct math math; /* for comparisons */
	struct str_list parameters; /* of all comparisons: the columns of CSV */
};

static void job_show_release(struct showing *s)
{
	outputs_release(&s->outputs);
	str_list_release(&s->parameters);
	loading_release(&s->loading);
}

static int job_show_series(struct showing *s, const struct series *series, struct why *why)
{
	cleanup_with(table_release) struct table table = { 0 };
	struct outputs *out = &s->outputs;
	bool replaced = out->format->intervals == INTERVALS_REPLACED;
	int err = notes_init(&out->notes, s->options, series->events, series->openings);

	if (err < 0)
		return err;
	notes_print_reasons(&out->notes);
	out->streams = series->interval_ms != 0 && out->format->intervals != INTERVALS_INSIDE;
	outputs_begin(out, series->started);
	for (size_t i = 0; err == 0 && i < series->intervals_n; i++) {
		cleanup_with(table_release) struct table interval = { 0 };

		/* of intervals that replace each other, print only the last one, and not even that
		 * one if the result would replace it */
		if (replaced &&
		    (i + 1 < series->intervals_n || outputs_print_result_of(out, series)))
			continue;
		err = table_build(&interval, series, &series->intervals[i]);
		if (err < 0)
			return err;
		outputs_interval(out, &interval);
		notes_print_gaps(&out->notes, &interval);
	}
	err = table_build(&table, series, NULL);
	if (err == 0)
		err = outputs_check_columns(out, series, why);
	if (err < 0)
		return err;
	outputs_result(out, &table);
	notes_print_gaps(&out->notes, &table);
	return 0;
}

static int job_show_comparison(struct showing *s, const struct saved *saved, struct why *why)
{
	cleanup_with(suite_release) struct suite suite = { 0 };
	struct comparison_input input = saved->comparison;
	const enum row_choice rows = s->options->compare_options.rows;
	struct notes *notes = &s->outputs.notes;
	int err;

	input.math = &s->math;
	if (rows != ROWS_AUTO)
		input.all_rows = rows == ROWS_ALL;
	err = outputs_check_cases(&s->outputs, input.cases_n, why);
	if (err == 0)
		err = suite_build(&suite, &input, why);
	if (err == 0)
		err = notes_init(notes, s->options, input.sides[0].series->events,
				 input.sides[0].series->openings);
	if (err < 0)
		return err;
	notes_print_reasons(notes);
	notes_print_gaps_of_sides(s->options, &suite);
	outputs_comparison(&s->outputs, &suite);
	return 0;
}

static int job_show_compare_start_times(const void *a, const void *b)
{
	const struct saved *left = a, *right = b;
	const struct series *x = &left->documents->series, *y = &right->documents->series;

	return clock_compare(x->started, x->started_ns, y->started, y->started_ns);
}

/* Whether the options fit the documents, and these fit together. 0; -EINVAL with why. */
static int job_show_check_documents(const struct options *o, const struct loading *loading,
				    struct why *why)
{
	const char *rows_option = options_of_processes(o);
	bool is_comparison = loading->v[0].is_comparison;
	int err = 0;

	for (size_t i = 1; i < loading->n; i++)
		if (loading->v[i].is_comparison != is_comparison)
			return why_set(
				why, -EINVAL,
				"--show: %s is a comparison, but %s is not: show them one after the other",
				loading->paths[is_comparison ? 0 : i],
				loading->paths[is_comparison ? i : 0]);
	err = options_check_kind(o, is_comparison ? KIND_COMPARISON : KIND_RESULT, why);
	for (size_t i = 0; err == 0 && i < loading->n; i++) {
		const char *name = file_name_shown(loading->paths[i]);
		enum place_kind split = loading->v[i].documents->series.split;
		const char *trouble =
			options_format(o)->has_no_tasks ? options_history_trouble(split) : NULL;

		if (rows_option && is_comparison)
			err = why_set(
				why, -EINVAL,
				"--%s needs the result of one command, but %s is a comparison",
				rows_option, name);
		else if (rows_option && split != PLACE_PROCESS)
			err = why_set(why, -EINVAL,
				      "--%s needs --per-process, but %s has no rows of processes",
				      rows_option, name);
		else if (trouble) /* all lines of a history have the same columns */
			err = why_set(why, -EINVAL, "--show %s: %s", name, trouble);
	}
	return err;
}

/* All texts in one CSV file have the same columns: those of all comparisons, and those of processes
 * if some result has processes. 0 or -ENOMEM. */
static int job_show_gather_columns(struct showing *s)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < s->loading.n; i++) {
		const struct saved *saved = &s->loading.v[i];
		const struct comparison_input input = saved->comparison;

		for (size_t side = 0; side < saved->n; side++)
			s->outputs.processes |=
				saved->documents[side].series.split == PLACE_PROCESS;
		if (saved->is_comparison)
			err = comparison_parameters(&input, &s->parameters);
	}
	if (s->loading.v[0].is_comparison)
		s->outputs.parameters = &s->parameters;
	return err;
}

int job_show(const struct options *o)
{
	cleanup_with(job_show_release) struct showing s = { .options = o,
							    .outputs = OUTPUTS_OF(o) };
	cleanup_why struct why why = { 0 };
	int err = loading_all(&s.loading, "--show", o->argv, &why);

	if (err == 0)
		err = job_show_check_documents(o, &s.loading, &why);
	if (err == 0 && (o->requests_n > 0 || o->metrics_files.n > 0))
		err = saved_metrics_add(o, &s.loading, &why);
	/* the oldest entry of a history is the first; the paths are not sorted */
	if (err == 0 && options_format(o)->is_history)
		qsort(s.loading.v, s.loading.n, sizeof(*s.loading.v), job_show_compare_start_times);
	if (err == 0 && s.loading.v[0].is_comparison)
		err = rmath_load(&s.math, &why);
	if (err == 0)
		err = job_show_gather_columns(&s);
	if (err == 0)
		err = outputs_open(&s.outputs, PRINT_RESULT, &why);
	for (size_t i = 0; err == 0 && !s.outputs.text_lost && i < s.loading.n; i++) {
		const struct saved *saved = &s.loading.v[i];

		err = saved->is_comparison ? job_show_comparison(&s, saved, &why) :
					     job_show_series(&s, &saved->documents->series, &why);
	}
	outputs_lose(&s.outputs, err, &why);
	return outputs_close(&s.outputs);
}
