/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "cli/estimate.h"
#include "format/compare_text.h"
#include "result/series.h"
#include "stats/contrast.h"

/* The runs of a side, or of the baseline, and the row of the event that decides when to stop. */
struct runs {
	struct series series;
	size_t row;
	bool by_clock; /* duration_time instead */
};

/* The event that decides; NULL: the clock does. */
static const struct event *event_of(const struct turns *t)
{
	const struct session *s = &t->job->session;

	return t->row < s->rows_n ? &s->setup.events->events[s->rows[t->row].event] : NULL;
}

static bool value_of(const struct runs *runs, size_t i, double *value)
{
	struct series_value it;

	if (runs->by_clock) {
		*value = (double)runs->series.runs[i].tool[TOOL_DURATION_TIME];
		return true;
	}
	it = series_value(&runs->series, runs->row, i);
	*value = (double)it.in_unit;
	return series_has_count(it.state);
}

/* Collect the values of both sides. If paired, take only the rounds in which both have a value. */
static void gather(struct contrast_input *in, const struct runs *reference,
		   const struct runs *other, double *values)
{
	size_t reference_n = reference->series.runs_n, other_n = other->series.runs_n;
	double *references = values, *others = values + reference_n, a, b;

	in->reference = references;
	in->other = others;
	for (size_t i = 0; in->paired && i < reference_n && i < other_n; i++)
		if (value_of(reference, i, &a) && value_of(other, i, &b)) {
			references[in->reference_n++] = a;
			others[in->other_n++] = b;
		}
	if (in->paired)
		return;
	for (size_t i = 0; i < reference_n; i++)
		in->reference_n += value_of(reference, i, &references[in->reference_n]);
	for (size_t i = 0; i < other_n; i++)
		in->other_n += value_of(other, i, &others[in->other_n]);
}

/* Whether there is one. */
static bool compare(const struct turns *t, const struct runs *reference, const struct runs *other,
		    struct contrast *contrast)
{
	size_t n = reference->series.runs_n + other->series.runs_n + 2;
	cleanup_free double *values = calloc(3 * n, sizeof(*values));
	struct contrast_input in = { .paired = t->in_rounds && !t->job->baseline,
				     .confidence = t->stopping.confidence };

	if (!values)
		return false;
	gather(&in, reference, other, values);
	if (in.reference_n < 2 || in.other_n < 2)
		return false;
	*contrast = contrast_estimate(&in, t->stopping.math, values + n);
	return true;
}

/* Find the runs of the baseline. False if the baseline did not count the event. The values are
 * scaled as the document of the baseline says. */
static bool find_in_baseline(const struct turns *t, struct runs *runs)
{
	const struct result_input input = document_input(t->job->baseline->document);
	const struct event *event = event_of(t);

	*runs = (struct runs){ result_series(&input), 0, !event };
	if (!event)
		return true;
	for (; runs->row < input.rows_n; runs->row++)
		if (strcmp(input.events->events[input.rows[runs->row].event].name, event->name) ==
		    0)
			return true;
	return false;
}

static struct runs runs_of_side(const struct turns *t, size_t side)
{
	return (struct runs){ turns_series(t, side), t->row, !event_of(t) };
}

static void add_contrast(struct str *out, const char *unit, const struct contrast *contrast)
{
	const struct text_style text = { .numbers = &num_plain };
	const struct row_style style = { .text = &text, .unit = unit, .factor = 1 };

	text_add_change(out, &style, contrast);
	str_add(out, " ");
	text_add_interval(out, &style, contrast);
}

static void add_side(struct str *out, const struct turns *t, const struct runs *reference,
		     size_t side, const char *unit)
{
	bool alone = t->job->sides.n - (t->job->baseline ? 0 : 1) == 1;
	struct runs runs = runs_of_side(t, side);
	struct contrast contrast;

	if (!compare(t, reference, &runs, &contrast))
		return;
	if (!alone)
		str_addf(out, " %s", t->job->sides.v[side].name);
	str_add(out, " ");
	add_contrast(out, unit, &contrast);
}

void estimate_add(struct str *out, const struct turns *t)
{
	const struct session *s = &t->job->session;
	const struct event *event = event_of(t);
	cleanup_free char *name = NULL;
	cleanup_str struct str changes = { 0 };
	struct runs reference;

	if (!t->row_known)
		return;
	reference = runs_of_side(t, 0);
	if (t->job->baseline && !find_in_baseline(t, &reference))
		return;
	for (size_t i = t->job->baseline ? 0 : 1; i < t->job->sides.n; i++)
		add_side(&changes, t, &reference, i, event ? event->unit : "ns");
	if (changes.len == 0)
		return;
	if (event)
		name = result_row_name(event, &s->openings[s->rows[t->row].event]);
	str_addf(out, "; %s%s", name ? name : "duration_time", str_text(&changes));
}
