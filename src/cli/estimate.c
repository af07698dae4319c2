/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "cli/estimate.h"
#include "report/compare_text.h"
#include "stats/contrast.h"
#include "stats/scale.h"

/* The runs of a side, or of the baseline. */
struct runs {
	const struct run *v;
	size_t n;
	size_t row; /* of the event among the samples */
	bool by_clock; /* duration_time instead */
	double factor; /* a count times this is in the event's unit */
};

/* The event that decides; NULL: the clock does. */
static const struct event *event_of(const struct turns *t)
{
	const struct session *s = &t->job->session;

	return t->row < s->rows_n ? &s->setup.events->events[s->rows[t->row].event] : NULL;
}

static bool value_of(const struct runs *runs, size_t i, double *value)
{
	const struct run *run = &runs->v[i];
	const struct sample *sample;

	if (runs->by_clock) {
		*value = (double)run->tool[TOOL_DURATION_TIME];
		return true;
	}
	sample = &run->samples[runs->row];
	*value = (double)scale_count(&sample->counts, SCALE_BY_TIME) * runs->factor;
	return sample->state == COUNTED || sample->state == SCALED;
}

/* The values of both sides; of those in blocks, of the blocks that both have. */
static void gather(struct contrast_input *in, const struct runs *reference,
		   const struct runs *other, double *values)
{
	double *references = values, *others = values + reference->n, a, b;

	in->reference = references;
	in->other = others;
	for (size_t i = 0; in->paired && i < reference->n && i < other->n; i++)
		if (value_of(reference, i, &a) && value_of(other, i, &b)) {
			references[in->reference_n++] = a;
			others[in->other_n++] = b;
		}
	if (in->paired)
		return;
	for (size_t i = 0; i < reference->n; i++)
		in->reference_n += value_of(reference, i, &references[in->reference_n]);
	for (size_t i = 0; i < other->n; i++)
		in->other_n += value_of(other, i, &others[in->other_n]);
}

/* Whether there is one. */
static bool compare(const struct turns *t, const struct runs *reference, const struct runs *other,
		    struct contrast *contrast)
{
	size_t n = reference->n + other->n + 2;
	cleanup_free double *values = calloc(3 * n, sizeof(*values));
	struct contrast_input in = { .paired = t->in_blocks && !t->job->baseline,
				     .confidence = t->stopping.confidence,
				     .estimate_only = true };

	if (!values)
		return false;
	gather(&in, reference, other, values);
	if (in.reference_n < 2 || in.other_n < 2)
		return false;
	*contrast = contrast_of(&in, t->stopping.special, values + n);
	return true;
}

/* Where the baseline has counted what row of the session counts now. */
static bool find_in_baseline(const struct turns *t, struct runs *runs)
{
	const struct document *document = t->job->baseline->document;
	size_t rows_n = document->settings.rows_n;

	runs->v = document->runs;
	runs->n = document->settings.runs_n;
	if (runs->by_clock)
		return true;
	for (runs->row = 0; runs->row < rows_n; runs->row++)
		if (strcmp(document->events.events[document->rows[runs->row].event].name,
			   event_of(t)->name) == 0)
			return true;
	return false;
}

static struct runs runs_of_side(const struct turns *t, size_t side)
{
	const struct side *s = &t->job->sides.v[side];
	const struct event *event = event_of(t);

	return (struct runs){ s->runs, s->runs_n, t->row, !event, event ? event->factor : 1 };
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
		name = report_row_name(event, &s->openings[s->rows[t->row].event]);
	str_addf(out, "; %s%s", name ? name : "duration_time", str_text(&changes));
}
