/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format json: the document that --save writes, too. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "document/write.h"
#include "format/format.h"
#include "format/terminal/compare_text.h"

static void comparison_texts_release(struct comparison_texts *texts)
{
	str_list_release(&texts->changes);
	str_list_release(&texts->hints);
	str_list_release(&texts->outcomes);
	str_list_release(&texts->conclusions);
	str_list_release(&texts->remarks);
	str_list_release(&texts->notes);
}

/* Move a text that was built to the list. 0 or -ENOMEM. */
static int json_take_text(struct str_list *list, struct str *text)
{
	int err = text->failed ? -ENOMEM : str_list_add(list, str_text(text));

	str_release(text);
	return err;
}

/* The change of one side and the hint to its verdict. 0 or -ENOMEM. */
static int json_add_contrast(struct comparison_texts *texts, const struct comparison *c,
			     const struct comparison_row *row, size_t side,
			     const struct text_style *text)
{
	const struct row_style style = row_style_of(row, c->input.sides_n, text);
	cleanup_str struct str change = { 0 }, hint = { 0 };
	int err;

	if (comparison_verdict(row, side) != VERDICT_ABSENT) {
		text_add_contrast(&change, &style, &row->contrasts[side]);
		text_add_hint(&hint, row, side, text);
	}
	err = json_take_text(&texts->changes, &change);
	return err < 0 ? err : json_take_text(&texts->hints, &hint);
}

/* The texts are the same in every locale, like the rest of the document. 0 or -ENOMEM. */
static int json_gather_texts(struct comparison_texts *texts, const struct comparison *c)
{
	static const struct num_style numbers = { .thousands = ",", .point = "." };
	static const struct text_style text = { .numbers = &numbers };
	cleanup_str struct str sentence = { 0 };
	int err = 0;

	for (size_t i = 0; i < c->rows_n; i++)
		for (size_t side = 1; err == 0 && side < c->input.sides_n; side++)
			err = json_add_contrast(texts, c, &c->rows[i], side, &text);
	for (size_t i = 0; err == 0 && i < c->gates_n; i++) {
		gate_add_sentence(&sentence, c, &c->gates[i], &text);
		err = json_take_text(&texts->outcomes, &sentence);
	}
	for (size_t side = 1; err == 0 && side < c->input.sides_n; side++) {
		text_add_conclusion(&sentence, c, side, &text);
		err = json_take_text(&texts->conclusions, &sentence);
	}
	if (err == 0)
		err = text_remarks(&texts->remarks, c, &text);
	return err < 0 ? err : text_notes(&texts->notes, c, &text);
}

static int json_write(const struct table *tables, const struct comparison *c,
		      const struct format_style *style, FILE *out)
{
	cleanup_with(comparison_texts_release) struct comparison_texts texts = { 0 };
	int err;

	if (!c)
		return write_result(tables, style->only_sums ? WRITE_SUMS : WRITE_ALL_ROWS, out);
	err = json_gather_texts(&texts, c);
	return err < 0 ? err : write_comparison(c, &texts, out);
}

const struct format format_json = {
	.name = "json",
	.audience = AUDIENCE_PROGRAMS,
	.notes = NOTES_NEVER,
	.intervals = INTERVALS_INSIDE,
	.appendable = APPENDABLE_NEVER,
	.locale = LOCALE_C,
	.is_document = true,
	.has_results = true,
	.has_comparisons = true,
	.write = json_write,
};
