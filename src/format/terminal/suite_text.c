/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/str.h"
#include "format/terminal/suite_text.h"

struct contrast suite_text_contrast_of(const struct suite_side *mean)
{
	return (struct contrast){ .by_ratio = true, .ratio = mean->ratio };
}

/* The order in which verdicts are listed. */
static const enum verdict suite_verdicts[] = { VERDICT_WORSE,	VERDICT_BETTER,	 VERDICT_SAME,
					       VERDICT_UNCLEAR, VERDICT_TOO_FEW, VERDICT_ABSENT };

/* Append the number of cases with each verdict: "2 worse, 9 same". */
static void suite_text_add_verdicts(struct str *out, const struct suite_side *side)
{
	const char *before = "";

	for (size_t i = 0; i < sizeof(suite_verdicts) / sizeof(suite_verdicts[0]); i++) {
		const enum verdict verdict = suite_verdicts[i];

		if (side->verdicts[verdict] == 0)
			continue;
		str_addf(out, "%s%zu %s", before, side->verdicts[verdict],
			 verdict == VERDICT_TOO_FEW ? "with too few runs" :
						      comparison_verdict_text(verdict));
		before = ", ";
	}
}

void suite_text_add_conclusion(struct str *out, const struct suite *suite, size_t side,
			       const struct text_style *text)
{
	const struct side_input *sides = suite->input.sides;
	const struct suite_row *row = suite->leading;

	str_addf(out, "%s against %s in %zu cases: ", sides[side].name, sides[0].name, suite->n);
	if (!row) {
		str_add(out, "no measure was counted in all of them");
		return;
	}
	text_add_label(out, row->cases[0]);
	str_add(out, " ");
	suite_text_add_verdicts(out, &row->sides[side]);
	if (!row->sides[side].ratio.withheld) {
		const struct contrast mean = suite_text_contrast_of(&row->sides[side]);
		const struct row_style style =
			text_row_style_of(row->cases[0], suite->sides_n, text);

		str_add(out, "; geometric mean ");
		text_add_contrast(out, &style, &mean);
		str_addf(out, ", %s", comparison_verdict_text(row->sides[side].verdict));
	}
}

void suite_text_add_rounds(struct str *out, const struct suite *suite,
			   const struct num_style *numbers)
{
	const bool paired = suite->input.paired;
	size_t least = SIZE_MAX, most = 0;

	for (size_t i = 0; i < suite->input.sides_n; i++) {
		const size_t n = suite->input.sides[i].series->runs_n;

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	num_add(out, (long double)least, 0, numbers);
	if (most > least) {
		str_add(out, " to ");
		num_add(out, (long double)most, 0, numbers);
	}
	str_addf(out, " %s%s of each %s", paired ? "round" : "run", most == 1 ? "" : "s",
		 paired ? "case" : "side");
}

/* ---- Gates. */

/* Take over a sentence. 0 or -ENOMEM. */
static int suite_text_add_sentence(struct str_list *sentences, struct str *sentence)
{
	const int err = sentence->failed ? -ENOMEM : str_list_add(sentences, str_text(sentence));

	str_release(sentence);
	return err;
}

static int suite_text_add_case_gates(struct str_list *sentences, const struct suite *suite,
				     const struct text_style *text)
{
	struct str sentence = { 0 };
	size_t kept = 0, all = 0;
	int err = 0;

	for (size_t i = 0; i < suite->n; i++) {
		const struct comparison *c = &suite->cases[i];

		all += c->gates_n;
		for (size_t k = 0; err == 0 && k < c->gates_n; k++) {
			const struct gate *gate = &c->gates[k];

			if (gate->state == GATE_JUDGED && gate->evidence.outcome == GATE_KEPT) {
				kept++;
				continue;
			}
			str_addf(&sentence, "%s: ", suite->input.cases[i].name);
			text_gate_add_sentence(&sentence, c, gate, text);
			err = suite_text_add_sentence(sentences, &sentence);
		}
	}
	if (err < 0 || kept == 0)
		return err;
	str_addf(&sentence, "%zu of %zu limits of the cases: kept", kept, all);
	return suite_text_add_sentence(sentences, &sentence);
}

void suite_text_add_gate_sentence(struct str *out, const struct suite *suite,
				  const struct suite_gate *gate, const struct text_style *text)
{
	const struct comparison_row *row = gate->row->cases[0];
	const struct row_style style = text_row_style_of(row, suite->sides_n, text);
	const struct contrast mean = suite_text_contrast_of(&gate->row->sides[gate->side]);

	if (suite->sides_n > 2)
		str_addf(out, "%s: ", suite->input.sides[gate->side].name);
	str_add(out, "geometric mean of ");
	text_add_name(out, row);
	str_add(out, " ");
	if (mean.ratio.withheld)
		str_add(out, "unknown");
	else
		text_add_contrast(out, &style, &mean);
	str_addf(out, ", limit %c", gate->request->above ? '+' : '-');
	num_add_exact(out,
		      (long double)(100 * (gate->request->above ? gate->request->limit.value :
								  -gate->request->limit.value)));
	str_addf(out, " %%: %s",
		 gate->state == GATE_JUDGED  ? comparison_outcome_text(gate->evidence.outcome) :
		 gate->state == GATE_TOO_FEW ? "not judged (too few runs)" :
					       "not judged");
}

int suite_text_gates(struct str_list *sentences, const struct suite *suite,
		     const struct text_style *text)
{
	int err = suite_text_add_case_gates(sentences, suite, text);

	for (size_t i = 0; err == 0 && i < suite->gates_n; i++) {
		struct str sentence = { 0 };

		suite_text_add_gate_sentence(&sentence, suite, &suite->gates[i], text);
		err = suite_text_add_sentence(sentences, &sentence);
	}
	return err;
}

int suite_text_warnings(struct str_list *warnings, const struct suite *suite,
			const struct text_style *text)
{
	size_t n = 0; /* cases that are valid at any time */
	int err = 0;

	for (size_t i = 0; err == 0 && i < suite->n; i++) {
		const struct comparison *c = &suite->cases[i];
		cleanup_str_list struct str_list list = { 0 };

		n += c->input.any_time && c->input.paired;
		err = text_row_warnings(&list, c, text);
		for (size_t k = 0; err == 0 && k < list.n; k++)
			if (!str_list_has(warnings, list.v[k]))
				err = str_list_add(warnings, list.v[k]);
	}
	return err < 0 ? err : text_warn_any_time(warnings, n, suite->n);
}
