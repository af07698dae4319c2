/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --show: print saved documents again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/why.h"
#include "job/events.h"
#include "job/jobs.h"
#include "job/loading.h"
#include "job/table_metrics.h"
#include "output/outputs.h"
#include "stats/rmath.h"

struct showing {
	const struct options *options;
	struct outputs outputs;
	struct loading loading;
	struct math math; /* for comparisons */
	struct str_list parameters; /* of all comparisons: the columns of CSV */
};

static void showing_release(struct showing *s)
{
	outputs_release(&s->outputs);
	str_list_release(&s->parameters);
	loading_release(&s->loading);
}

/* ---- -M: metrics of the saved counts. */

/* The number of events of the document, without the copies for other cgroups. */
static size_t saved_events_n(const struct document *d)
{
	return d->events.n / d->series.cgroups_n;
}

/* Whether the name means the saved event. A clock has no modes, so it matches exactly or not. */
static bool means(const struct event *event, const char *name, enum name_match match)
{
	if (event->merged)
		return false;
	if (event->tool != TOOL_NONE || event_is_clock(event))
		match = NAME_EXACT;
	return comparison_is_named(event->name, name, match) ||
	       (match == NAME_EXACT && strcasecmp(event->name, name) == 0);
}

/* The saved event that the name means: of the cgroup of the event `like`, if possible also of its
 * group. saved_events_n(): there is none. */
static size_t find_saved(const struct document *d, const char *name, enum name_match match,
			 size_t like)
{
	const struct event *events = d->events.events;
	const size_t n = saved_events_n(d), group = event_list_group_of(&d->events, like);
	size_t found = n;

	for (size_t i = 0; i < n; i++) {
		if (!means(&events[i], name, match) ||
		    !str_equal(events[i].cgroup, events[like].cgroup))
			continue;
		if (event_list_group_of(&d->events, i) == group)
			return i;
		found = found == n ? i : found;
	}
	return found;
}

/* Let the events of the expression be saved ones of one cgroup, and of the same modes unless the
 * names have modifiers. False: there are none. */
static bool use_saved(struct expression *e, const struct document *d)
{
	const size_t n = saved_events_n(d);

	for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
		for (size_t first = 0; first < n; first++) {
			size_t i = 0, index = first;

			if (e->events_n > 0 &&
			    !means(&d->events.events[first], e->events[0].text, match))
				continue;
			for (; i < e->events_n && index < n; i++) {
				index = i == 0 ? first :
						 find_saved(d, e->events[i].text, match, first);
				if (index < n)
					events_bind(e, i, index, &d->events);
			}
			if (index < n)
				return true;
		}
	return false;
}

/* Append why the events of the metric are not there. */
static void add_missing(struct str *out, const struct metric_request *metric,
			const struct document *d)
{
	const struct expression *e = &metric->expression;
	const size_t n = saved_events_n(d);
	cleanup_str struct str names = { 0 };

	for (size_t i = 0; i < e->events_n; i++) {
		bool is_there = false;

		for (enum name_match match = NAME_EXACT; match < NAME_MATCHES_N; match++)
			for (size_t k = 0; k < n; k++)
				is_there |= means(&d->events.events[k], e->events[i].text, match);
		if (is_there)
			continue;
		for (size_t k = 0; k < n; k++)
			if (!d->events.events[k].merged)
				str_add_listed(&names, d->events.events[k].name);
		str_addf(out, "'%s' was not counted; the result has %s", e->events[i].text,
			 str_text(&names));
		out->failed |= names.failed;
		return;
	}
	str_add(out, "its events were counted in different modes or cgroups");
}

/* Add the metrics of text, the argument of -M, to the document. A metric of a group is left out,
 * with a note, if one of its events was not counted. 0; -errno with why. */
static int add_saved_metrics(const struct options *o, struct document *d,
			     const struct metric_tables *tables, const char *text, struct why *why)
{
	struct metric_request_list *list = &d->metrics;
	const size_t first = list->n;
	int err;

	list->keeps_known = true;
	err = metric_list_parse_with(list, text, tables, why);
	for (size_t i = list->n; err == 0 && i-- > first;) {
		struct metric_request *metric = &list->v[i];
		cleanup_str struct str reason = { 0 };

		if (use_saved(&metric->expression, d)) {
			if (!use_saved(&metric->threshold, d))
				expression_release(&metric->threshold);
			err = metric->of_table ? metric_list_set_text(metric) : 0;
			if (err == 0)
				err = expression_settle_events(&metric->threshold);
			continue;
		}
		str_addf(&reason, "metric '%s' is left out: ", metric->name);
		add_missing(&reason, metric, d);
		err = reason.failed ? -ENOMEM : 0;
		if (err == 0 && !metric->of_group)
			return why_set(why, -ENOENT, "%s", strchr(reason.text, ':') + 2);
		if (err == 0)
			err = str_list_add(&list->notes, reason.text);
		metric_list_remove(list, i);
	}
	for (size_t i = 0; err == 0 && i < list->notes.n; i++)
		note_print(o, "%s", list->notes.v[i]);
	if (err == 0 && list->n == first && list->notes.n > 0)
		err = why_set(why, -ENOENT, "the result has none of these metrics");
	str_list_release(&list->notes);
	return err;
}

/* 0; -errno with why. */
static int add_metrics(struct showing *s, struct why *why)
{
	const struct options *o = s->options;
	cleanup_with(machine_release) struct machine machine = { 0 };
	struct table_metrics of_tables = { .machine = &machine, .of_result = true };
	const struct metric_tables tables = table_metrics_of(&of_tables);
	int err = table_metrics_machine(&machine, o, why);

	for (size_t i = 0; err == 0 && i < s->loading.n; i++) {
		struct saved *saved = &s->loading.v[i];

		for (size_t r = 0; err == 0 && r < o->requests_n; r++) {
			const char *text = o->requests[r].text;
			cleanup_why struct why trouble = { 0 };

			for (size_t k = 0; err == 0 && k < saved->n; k++)
				err = add_saved_metrics(o, &saved->documents[k], &tables, text,
							&trouble);
			if (err < 0)
				why_of_argument(why, err, "-M", text, &trouble);
		}
	}
	return err;
}

static int show_series(struct showing *s, const struct series *series, struct why *why)
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

static int show_comparison(struct showing *s, const struct saved *saved, struct why *why)
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

static int compare_start_times(const void *a, const void *b)
{
	const struct saved *left = a, *right = b;
	const struct series *x = &left->documents->series, *y = &right->documents->series;

	return clock_compare(x->started, x->started_ns, y->started, y->started_ns);
}

/* Whether the options fit the documents, and these fit together. 0; -EINVAL with why. */
static int check_documents(const struct options *o, const struct loading *loading, struct why *why)
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
static int gather_columns(struct showing *s)
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
	cleanup_with(showing_release) struct showing s = { .options = o, .outputs = OUTPUTS_OF(o) };
	cleanup_why struct why why = { 0 };
	int err = loading_all(&s.loading, "--show", o->argv, &why);

	if (err == 0)
		err = check_documents(o, &s.loading, &why);
	if (err == 0 && (o->requests_n > 0 || o->metrics_files.n > 0))
		err = add_metrics(&s, &why);
	/* the oldest entry of a history is the first; the paths are not sorted */
	if (err == 0 && options_format(o)->is_history)
		qsort(s.loading.v, s.loading.n, sizeof(*s.loading.v), compare_start_times);
	if (err == 0 && s.loading.v[0].is_comparison)
		err = rmath_load(&s.math, &why);
	if (err == 0)
		err = gather_columns(&s);
	if (err == 0)
		err = outputs_open(&s.outputs, PRINT_RESULT, &why);
	for (size_t i = 0; err == 0 && !s.outputs.text_lost && i < s.loading.n; i++) {
		const struct saved *saved = &s.loading.v[i];

		err = saved->is_comparison ? show_comparison(&s, saved, &why) :
					     show_series(&s, &saved->documents->series, &why);
	}
	outputs_lose(&s.outputs, err, &why);
	return outputs_close(&s.outputs);
}
