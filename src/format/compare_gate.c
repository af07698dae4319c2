/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_gate.h"

void gate_add_subject(struct str *out, const struct comparison *c, const struct gate *gate)
{
	if (c->input.sides_n > 2)
		str_addf(out, "%s: ", c->input.sides[gate->side].name);
	text_add_name(out, gate->row);
}

/* The number of the limit, as it was written behind the name. */
static const char *number_of(const struct gate *gate, size_t *n)
{
	const char *number = gate->request->text + strlen(gate->request->text);

	while (number > gate->request->text && !strchr("<>", number[-1]))
		number--;
	number += strspn(number, " ");
	*n = strcspn(number, " %");
	return number;
}

/* "+0.5 %", "+1000 KiB" */
static void add_limit(struct str *out, const struct gate *gate, const struct text_style *text)
{
	size_t n;
	const char *number = number_of(gate, &n);

	str_add_n(out, number, n);
	if (gate->request->relative)
		str_add(out, " %");
	else if (*gate->row->unit)
		str_addf(out, " %s", text_unit(gate->row->unit, text));
}

/* What was seen is not to be rounded to the limit. */
static int decimals_of_limit(const struct gate *gate)
{
	size_t n;
	const char *number = number_of(gate, &n);
	const char *point = memchr(number, '.', n);

	return point ? (int)(number + n - point) - 1 : 0;
}

/* A difference of which there are no percents: what it is from. */
static void add_reference(struct str *out, const struct gate *gate, const struct text_style *text)
{
	double mean = (double)gate->row->sides[0].summary.mean;

	str_add(out, " from ");
	num_add(out, mean, mean > 0 ? gate->row->decimals + 2 : 0, text->numbers);
}

/* What was seen, in the terms of the limit. */
static void add_seen(struct str *out, const struct gate *gate, const struct text_style *text)
{
	const struct row_style plain = { .text = text,
					 .unit = gate->row->unit,
					 .factor = 1,
					 .decimals = gate->row->decimals,
					 .run_decimals = gate->row->decimals };
	const struct contrast *contrast = &gate->row->contrasts[gate->side];
	cleanup_str struct str interval = { 0 };

	if (!gate->request->relative) {
		text_add_difference(out, gate->row, contrast, decimals_of_limit(gate), text);
		return;
	}
	text_add_change(out, &plain, contrast);
	text_add_interval(&interval, &plain, contrast);
	out->failed |= interval.failed;
	if (interval.len > 0)
		str_addf(out, " %s", str_text(&interval));
	if (contrast->ratio.withheld)
		add_reference(out, gate, text);
}

/* What is beyond the limit: worse, or another thing than was meant to stay as it was. */
static const char *beyond(const struct gate *gate)
{
	if (gate->request->above == (gate->row->better == BETTER_LESS))
		return "worse";
	return gate->request->above ? "more" : "less";
}

/* Why it cannot be told, where the interval does not say it, and how many runs would. */
static void add_doubt(struct str *out, const struct gate *gate, const struct text_style *text)
{
	size_t n = gate->row->sides[gate->side].n;
	cleanup_str struct str doubt = { 0 };

	if (gate->disagree)
		str_add(&doubt, "t and permutation test disagree");
	else if (gate->limits_n)
		str_addf(&doubt, "as one of %zu limits", gate->limits_n);
	if (gate->runs_needed > n || gate->runs_least > n) {
		bool known = gate->runs_needed > n;

		str_addf(&doubt, "%s%s ", doubt.len ? "; " : "", known ? "about" : "no fewer than");
		num_add(&doubt, known ? gate->runs_needed : gate->runs_least, 0, text->numbers);
		str_addf(&doubt, " runs of each side %s", known ? "would" : "can");
	}
	out->failed |= doubt.failed;
	if (doubt.len)
		str_addf(out, " (%s)", str_text(&doubt));
}

static void add_judgement(struct str *out, const struct gate *gate, const struct text_style *text)
{
	switch (gate->evidence.outcome) {
	case GATE_CROSSED:
		str_addf(out, " %s than allowed ", beyond(gate));
		add_limit(out, gate, text);
		return;
	case GATE_KEPT:
		str_add(out, " within allowed ");
		add_limit(out, gate, text);
		return;
	case GATE_UNCLEAR:
		break;
	}
	str_addf(out, " cannot tell if %s than allowed ", beyond(gate));
	add_limit(out, gate, text);
	add_doubt(out, gate, text);
}

void gate_add_outcome(struct str *out, const struct gate *gate, const struct text_style *text)
{
	if (gate->state == GATE_ABSENT) {
		str_add(out, "not counted, allowed ");
		add_limit(out, gate, text);
		return;
	}
	add_seen(out, gate, text);
	if (gate->state == GATE_JUDGED) {
		add_judgement(out, gate, text);
		return;
	}
	str_add(out, " not judged, allowed ");
	add_limit(out, gate, text);
	if (gate->state == GATE_SCALED)
		str_add(out, " (scaled counts: estimates)");
	else
		str_addf(out, " (too few runs: it takes %zu)", gate->runs_least);
}

int gate_write_lines(const struct comparison *c, const struct text_style *text, FILE *out)
{
	for (size_t i = 0; i < c->gates_n; i++) {
		cleanup_str struct str sentence = { 0 }, line = { 0 };

		gate_add_subject(&sentence, c, &c->gates[i]);
		str_add(&sentence, " ");
		gate_add_outcome(&sentence, &c->gates[i], text);
		str_add_escaped(&line, str_text(&sentence));
		if (sentence.failed || line.failed)
			return -ENOMEM;
		if (fprintf(out, "pstat: %s\n", str_text(&line)) < 0)
			return -errno;
	}
	return 0;
}
