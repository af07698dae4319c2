/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "format/terminal/compare_text.h"
#include "format/terminal/suite_text.h"
#include "job/compare.h"
#include "output/message.h"
#include "output/notes.h"
#include "result/differences.h"
#include "result/series.h"
#include "stats/contrast.h"

/* ---- The estimate so far. */

/* The runs of a side or of the baseline, and the row that holds the deciding event, or
 * COMPARISON_ELAPSED. */
struct runs {
	const struct series *series;
	size_t row;
};

static bool compare_value_of(const struct runs *runs, size_t i, double *value)
{
	long double exact;
	bool known = stopping_value(runs->series, runs->row, i, &exact);

	*value = (double)exact;
	return known;
}

/*
 * Compare two sides. If they are paired, take only the rounds in which both have a value. False if
 * they have too few values.
 */
static bool compare_estimate_contrast(const struct stopping *s, const struct runs *reference,
				      const struct runs *other, struct contrast *contrast)
{
	size_t reference_n = reference->series->runs_n, other_n = other->series->runs_n;
	size_t n = reference_n + other_n + 2;
	cleanup_free double *values = calloc(3 * n, sizeof(*values));
	double *references = values, *others = values ? values + reference_n : NULL, a, b;
	struct contrast_input in = { .reference = references,
				     .other = others,
				     .paired = s->is_paired,
				     .any_time = s->is_paired, /* the user may interrupt now */
				     .confidence = s->plan.confidence };

	if (!values)
		return false;
	for (size_t i = 0; i < reference_n || i < other_n; i++) {
		bool has_a = i < reference_n && compare_value_of(reference, i, &a);
		bool has_b = i < other_n && compare_value_of(other, i, &b);

		if (has_a && (has_b || !in.paired))
			references[in.reference_n++] = a;
		if (has_b && (has_a || !in.paired))
			others[in.other_n++] = b;
	}
	if (in.reference_n < 2 || in.other_n < 2)
		return false;
	*contrast = contrast_estimate(&in, s->math, values + n);
	return true;
}

/*
 * Find the runs of the baseline. False if the baseline did not count the event. The values are
 * scaled as the document of the baseline says.
 */
static bool compare_find_in_baseline(const struct counting *counting, const struct event *event,
				     struct runs *runs)
{
	const struct series *series = &counting->baseline->document->series;

	*runs = (struct runs){ series, event ? 0 : COMPARISON_ELAPSED };
	if (!event)
		return true;
	for (; runs->row < series->rows_n; runs->row++)
		if (strcmp(series->events->events[series->rows[runs->row].event].name,
			   event->name) == 0)
			return true;
	return false;
}

void compare_add_estimate(struct str *out, const struct counting *counting,
			  const struct stopping *stopping)
{
	static const struct text_style text = { .numbers = &num_plain };
	const struct session *session = &counting->runner.session;
	const struct side *sides = counting->sides.v;
	const struct event *event = NULL; /* the deciding event; NULL: duration_time */
	const size_t row = stopping->plan.firsts[0].row;
	size_t first = counting->baseline ? 0 : 1; /* after the reference */
	struct runs reference = { &sides[0].series, row };
	cleanup_free char *name = NULL;
	cleanup_str struct str changes = { 0 };

	if (!stopping->watched->values.n)
		return;
	if (row < session->rows_n)
		event = &session->setup.events->events[session->rows[row].event];
	if (counting->baseline && !compare_find_in_baseline(counting, event, &reference))
		return;
	for (size_t i = first; i < counting->sides.n; i++) {
		const struct runs runs = { &sides[i].series, row };
		const struct row_style style = { .text = &text,
						 .unit = event ? event->unit : "ns",
						 .factor = 1 };
		struct contrast contrast;

		if (!compare_estimate_contrast(stopping, &reference, &runs, &contrast))
			continue;
		if (counting->sides.n - first > 1)
			str_addf(&changes, " %s", sides[i].name);
		str_add(&changes, " ");
		text_add_contrast(&changes, &style, &contrast);
	}
	if (changes.len == 0)
		return;
	if (event)
		name = measure_event_name(event, &session->openings[session->rows[row].event]);
	str_addf(out, "; %s%s", name ? name : "duration_time", str_text(&changes));
}

/* ---- The finished comparison. */

int compare_print_differences(const struct options *o, const struct comparison *c, const size_t *of)
{
	const struct side_input *sides = c->input.sides;
	cleanup_str_list struct str_list noted = { 0 };
	int err = 0;

	for (size_t side = 1; err == 0 && side < c->input.sides_n; side++) {
		cleanup_with(differences_release) struct differences list = { 0 };

		if (of[side] == of[0])
			continue;
		err = differences_find(&list, &c->tables[0], &c->tables[side]);
		for (size_t i = 0; err == 0 && i < list.n; i++) {
			const struct difference *it = &list.v[i];
			cleanup_str struct str what = { 0 }, mark = { 0 };

			str_addf(&what, "differ in %s: %s and %s", it->what, it->reference,
				 it->other);
			/* once for all sides of a measurement */
			str_addf(&mark, "%zu %s", of[side], str_text(&what));
			if (what.failed || mark.failed)
				return -ENOMEM;
			if (str_list_has(&noted, str_text(&mark)))
				continue;
			note_print(o, "%s and %s %s", sides[0].name, sides[side].name,
				   str_text(&what));
			err = str_list_add(&noted, str_text(&mark));
		}
	}
	return err;
}

/* Print the gates that are not kept, with --bisect also the kept ones. 0 or -ENOMEM. */
static int compare_print_gates(const struct options *o, const struct comparison *c,
			       const struct text_style *style)
{
	for (size_t i = 0; i < c->gates_n; i++) {
		const struct gate *gate = &c->gates[i];
		bool kept = gate->state == GATE_JUDGED && gate->evidence.outcome == GATE_KEPT;
		cleanup_str struct str text = { 0 };

		if (kept && (!o->compare_options.bisect || o->quiet))
			continue;
		text_gate_add_sentence(&text, c, gate, style);
		if (text.failed)
			return -ENOMEM;
		message("%s", str_text(&text));
	}
	return 0;
}

/* The same for several cases. */
static int compare_print_gates_of_cases(const struct suite *suite, const struct text_style *style)
{
	cleanup_str_list struct str_list gates = { 0 };
	int err = suite_outcome(suite) == GATE_KEPT ? 0 : suite_text_gates(&gates, suite, style);

	for (size_t i = 0; err == 0 && i < gates.n; i++)
		message("%s", gates.v[i]);
	return err;
}

int compare_write(struct outputs *out, const struct suite *suite)
{
	static const struct text_style style = { .numbers = &num_plain, .ascii = true };
	const struct options *o = out->options;

	outputs_comparison(out, suite);
	outputs_close(out);
	if (out->text_lost || (out->prints && notes_share_result(o)))
		return 0;
	return suite_has_cases(suite) ? compare_print_gates_of_cases(suite, &style) :
					compare_print_gates(o, suite->cases, &style);
}

int compare_status(enum gate_outcome outcome)
{
	switch (outcome) {
	case GATE_KEPT:
		return 0;
	case GATE_CROSSED:
		return 1;
	case GATE_UNCLEAR:
		break;
	}
	return 2;
}
