/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/compare_strips.h"
#include "format/strip.h"

enum { GAP = 2 }; /* between the labels and the axis */

/* The row's name, and the ends of the axis above those, where they find room. */
static int write_title(const struct compare_layout *layout, size_t row, const struct strip *strip,
		       FILE *out)
{
	cleanup_line struct line line = { .style = &layout->lines };
	cleanup_str struct str name = { 0 }, low = { 0 }, high = { 0 };
	int high_width;

	layout_add_name(&name, layout, row);
	text_add_run(&low, &layout->rows[row], strip->low);
	text_add_run(&high, &layout->rows[row], strip->high);
	line.text.failed = name.failed || low.failed || high.failed;
	line_cut(&line, str_text(&name), layout->strip_name, layout->ellipsis, COLOUR_NAME);
	line_fill(&line, layout->strip_name + GAP + strip->before);
	high_width = ruler_measure(layout->lines.ruler, str_text(&high));
	if (ruler_measure(layout->lines.ruler, str_text(&low)) + GAP + high_width > strip->width)
		return line_put(&line, out);
	line_left(&line, str_text(&low), strip->width - high_width);
	line_add(&line, str_text(&high));
	return line_put(&line, out);
}

static int write_side(const struct compare_layout *layout, size_t row, size_t side,
		      const struct strip *strip, FILE *out)
{
	const struct comparison_side *it = &layout->c->rows[row].sides[side];
	cleanup_line struct line line = { .style = &layout->lines };
	cleanup_str struct str label = { 0 }, runs = { 0 }, mean = { 0 };
	int err = strip_add_runs(&runs, strip, it);

	if (err < 0)
		return err;
	layout_add_side(&label, layout, side);
	line.text.failed = label.failed || runs.failed;
	line_add(&line, "  ");
	line_cut(&line, str_text(&label), layout->side, layout->ellipsis, COLOUR_NONE);
	line_fill(&line, layout->strip_name + GAP);
	line_add(&line, str_text(&runs));
	err = line_put(&line, out);
	if (err < 0 || it->n < 2)
		return err;
	strip_add_mean(&mean, strip, it);
	line.text.failed |= mean.failed;
	line_fill(&line, layout->strip_name + GAP);
	line_add(&line, str_text(&mean));
	return line_put(&line, out);
}

static int write_strip(const struct compare_layout *layout, size_t row, const struct strip *strip,
		       FILE *out)
{
	int err = write_title(layout, row, strip, out);

	for (size_t i = 0; err == 0 && i < layout->c->input.sides_n; i++)
		if (layout->c->rows[row].sides[i].n > 0)
			err = write_side(layout, row, i, strip, out);
	return err;
}

int strips_write(const struct compare_layout *layout, FILE *out)
{
	int width = layout->width - layout->strip_name - GAP;
	size_t sides_n = layout->c->input.sides_n;
	bool any = false;
	int err = 0;

	for (size_t i = 0; err == 0 && i < layout->c->rows_n; i++) {
		struct strip strip;

		if (!strip_of(&strip, &layout->c->rows[i], sides_n, width, layout->text.ascii))
			continue;
		err = write_strip(layout, i, &strip, out);
		any = true;
	}
	if (err == 0 && any && putc('\n', out) == EOF)
		return -errno;
	return err;
}
