/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section for each row: its verdicts and its drawings. */
#include "base/cleanup.h"
#include "base/str.h"
#include "format/html/drawing.h"

static void add_title(struct html_page *page, size_t row, const struct row_style *style)
{
	cleanup_str struct str name = { 0 };
	struct str *out = page->out;

	text_add_name(&name, &page->c->rows[row]);
	out->failed |= name.failed;
	str_addf(out, "<h3 id=\"e%zu\">", row);
	html_add_name(out, str_text(&name));
	if (*style->unit) {
		str_add(out, " <span class=\"unit\">");
		html_add(out, style->unit);
		str_add(out, "</span>");
	}
	str_add(out, "</h3>\n");
}

/* "new ✓ better -3.1 % [-3.4, -2.8]", for each side. */
static void add_verdicts(struct html_page *page, size_t row, const struct row_style *style)
{
	const struct comparison_row *it = &page->c->rows[row];
	struct str *out = page->out;

	str_add(out, "<p class=\"summary\">");
	for (size_t i = 1; i < page->c->input.sides_n; i++) {
		cleanup_str struct str text = { 0 };
		enum verdict word = comparison_verdict(it, i);

		str_add(out, "<span class=\"one\">");
		html_add_mark(out, i);
		str_add(out, " ");
		html_add_name(out, page->c->input.sides[i].name);
		str_add(out, " ");
		html_add_verdict(out, word);
		if (word != VERDICT_ABSENT) {
			text_add_change(&text, style, &it->contrasts[i]);
			str_add(&text, " ");
			text_add_interval(&text, style, &it->contrasts[i]);
		}
		str_add(out, " <span class=\"figures\">");
		html_add_str(out, &text);
		str_add(out, "</span></span>\n");
	}
	str_add(out, "</p>\n");
}

static size_t count_beyond(const struct html_drawing *drawing)
{
	const struct comparison *c = drawing->page->c;
	size_t n = 0;

	for (size_t side = 0; side < c->input.sides_n; side++) {
		const struct comparison_side *it = &c->rows[drawing->row].sides[side];

		for (size_t i = 0; i < it->n; i++)
			n += it->values[i] < drawing->span.low ||
			     it->values[i] > drawing->span.high;
	}
	return n;
}

static int add_drawings(const struct html_drawing *drawing)
{
	struct str *out = drawing->page->out;
	size_t beyond = count_beyond(drawing);
	int err;

	str_add(out, "<div class=\"drawings\">\n<div class=\"scroll\">\n");
	err = html_add_strip(drawing);
	str_add(out, "</div>\n<div class=\"scroll\">\n");
	if (err == 0)
		err = html_add_order(drawing);
	str_add(out, "</div>\n</div>\n");
	if (beyond > 0) {
		str_add(out, "<p class=\"hint\">Outside the axis, which leaves out distant runs: ");
		text_add_runs(out, beyond, drawing->page->text.numbers);
		str_add(out, ".</p>\n");
	}
	return err;
}

static int add_plot(struct html_page *page, size_t row)
{
	const struct comparison_row *it = &page->c->rows[row];
	const size_t sides_n = page->c->input.sides_n;
	struct html_drawing drawing = { .page = page,
					.row = row,
					.style = row_style_of(it, sides_n, &page->text),
					.height = html_strip_height(sides_n) };
	struct str *out = page->out;
	int err = 0;

	str_add(out, "<article>\n");
	add_title(page, row, &drawing.style);
	add_verdicts(page, row, &drawing.style);
	if (html_span_init(&drawing.span, it, sides_n, &drawing.style))
		err = add_drawings(&drawing);
	else
		str_add(out, "<p class=\"hint\">The runs of each side are equal, so there is no "
			     "drawing.</p>\n");
	str_add(out, "</article>\n");
	return err;
}

int html_add_plots(struct html_page *page)
{
	int err = 0;

	str_add(page->out,
		"<section class=\"runs\">\n<h2>Runs</h2>\n<p class=\"hint\">"
		"On the left, the runs of each side share one axis. Below them is the mean with its "
		"interval; the dashed line is the mean of the reference. On the right are the same runs "
		"in the order of time.</p>\n");
	for (size_t i = 0; err == 0 && i < page->c->rows_n; i++)
		if (text_has_counts(&page->c->rows[i], page->c->input.sides_n))
			err = add_plot(page, i);
	str_add(page->out, "</section>\n");
	return err;
}
