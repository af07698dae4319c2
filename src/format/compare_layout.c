/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_layout.h"

enum {
	WIDTH_USUAL = 80, /* where nobody knows it */
	WIDTH_MIN = 40, /* in less, what does not fit is left to the terminal */
	LABEL_MIN = 12, /* so much of a name is shown, wherever */
	INDENT = 2, /* of the sides below their row */
};

static void widen(int *width, int needed)
{
	if (needed > *width)
		*width = needed;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int measure(const struct compare_layout *layout, const struct str *text)
{
	return ruler_measure(layout->lines.ruler, str_text(text));
}

void layout_add_side(struct str *out, const struct compare_layout *layout, size_t side)
{
	if (layout->numbered)
		str_addf(out, "#%zu ", side + 1);
	str_add(out, layout->c->input.sides[side].name);
}

void layout_add_name(struct str *out, const struct compare_layout *layout, size_t row)
{
	text_add_name(out, &layout->c->rows[row]);
	if (*layout->rows[row].unit)
		str_addf(out, " (%s)", layout->rows[row].unit);
}

static void fit_sides(struct compare_layout *layout)
{
	int most = layout->width / 5 < LABEL_MIN ? LABEL_MIN : layout->width / 5;

	for (size_t i = 0; i < layout->c->input.sides_n; i++)
		widen(&layout->side,
		      ruler_measure(layout->lines.ruler, layout->c->input.sides[i].name));
	layout->numbered = layout->side > most;
	layout->side = least(layout->side, most);
}

/* What is said of a side. */
static void fit_contrast(struct compare_layout *layout, size_t row, size_t side)
{
	const struct contrast *contrast = &layout->c->rows[row].contrasts[side];
	enum verdict word = comparison_verdict(&layout->c->rows[row], side);
	cleanup_str struct str change = { 0 }, interval = { 0 };

	widen(&layout->word, (int)strlen(comparison_verdict_text(word)));
	if (word == VERDICT_ABSENT)
		return;
	text_add_change(&change, &layout->rows[row], contrast);
	text_add_interval(&interval, &layout->rows[row], contrast);
	widen(&layout->change, measure(layout, &change));
	widen(&layout->interval, measure(layout, &interval));
}

static void fit_row(struct compare_layout *layout, size_t row)
{
	const struct comparison_row *it = &layout->c->rows[row];
	size_t sides_n = layout->c->input.sides_n;
	cleanup_str struct str name = { 0 };

	layout->rows[row] = row_style_of(it, sides_n, &layout->text);
	if (!text_has_counts(it, sides_n))
		return;
	layout_add_name(&name, layout, row);
	widen(&layout->name, measure(layout, &name));
	for (size_t i = 0; i < sides_n; i++)
		columns_fit(&layout->columns, &layout->rows[row], &it->sides[i],
			    layout->lines.ruler);
	for (size_t i = 1; i < sides_n; i++)
		fit_contrast(layout, row, i);
}

/* Names and words beside one another, if so much of a name finds room there. */
static void share_width(struct compare_layout *layout)
{
	int said = 2 + layout->word + 2 + layout->change + 1 + layout->interval;
	int room = layout->width - said;

	layout->strip_name = least(layout->name, layout->width / 3);
	widen(&layout->strip_name, INDENT + layout->side);
	layout->stacked = room < least(layout->name, LABEL_MIN) || layout->c->input.sides_n > 2;
	layout->name = least(layout->name, layout->stacked ? layout->width : room);
	columns_choose(&layout->columns, layout->width - INDENT - layout->side);
}

int layout_make(struct compare_layout *layout, const struct comparison *c,
		const struct comparison_style *style, struct ruler *ruler)
{
	int width = style->width > 0 ? style->width : WIDTH_USUAL;

	*layout = (struct compare_layout){
		.c = c,
		.text = { &style->result.numbers, style->ascii },
		.lines = { ruler, &style->result.numbers, style->colour },
		.ellipsis = style->ascii ? "..." : "…",
		.width = width < WIDTH_MIN ? WIDTH_MIN : width,
		.rows = calloc(c->rows_n + 1, sizeof(*layout->rows)),
		.columns = { .ascii = style->ascii },
	};
	if (!layout->rows)
		return -ENOMEM;
	snprintf(layout->confidence, sizeof(layout->confidence), "%.6g %%",
		 c->input.confidence * 100);
	layout->columns.confidence = layout->confidence;
	fit_sides(layout);
	for (size_t i = 0; i < c->rows_n; i++)
		fit_row(layout, i);
	share_width(layout);
	return 0;
}

void layout_release(struct compare_layout *layout)
{
	free(layout->rows);
}
