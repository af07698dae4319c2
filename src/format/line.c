/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "format/line.h"

/* perf's three colours for numbers, and only the first eight colours: terminals let users choose
 * those. */
static const char *const codes[] = {
	[COLOUR_RAISED] = "\033[33m",  [COLOUR_HIGH] = "\033[35m",
	[COLOUR_SEVERE] = "\033[31m",  [COLOUR_ESTIMATE] = "\033[33m",
	[COLOUR_MISSING] = "\033[31m", [COLOUR_UNSUPPORTED] = "\033[2m",
	[COLOUR_NAME] = "\033[1m",     [COLOUR_BETTER] = "\033[32m",
	[COLOUR_WORSE] = "\033[31m",   [COLOUR_UNCLEAR] = "\033[33m",
	[COLOUR_ASIDE] = "\033[2m",
};

void colour_begin(struct str *out, enum colour colour)
{
	if (colour != COLOUR_NONE)
		str_add(out, codes[colour]);
}

void colour_end(struct str *out, enum colour colour)
{
	if (colour != COLOUR_NONE)
		str_add(out, "\033[m");
}

void line_add(struct line *line, const char *text)
{
	line->columns += ruler_add(line->style->ruler, &line->text, text);
}

void line_fill(struct line *line, int column)
{
	if (line->columns >= column)
		return;
	str_fill(&line->text, ' ', (size_t)(column - line->columns));
	line->columns = column;
}

void line_left(struct line *line, const char *text, int width)
{
	int end = line->columns + width;

	line_add(line, text);
	line_fill(line, end);
}

void line_right(struct line *line, const char *text, int width, enum colour colour)
{
	if (!line->style->colour)
		colour = COLOUR_NONE;
	line_fill(line, line->columns + width - ruler_measure(line->style->ruler, text));
	colour_begin(&line->text, colour);
	line_add(line, text);
	colour_end(&line->text, colour);
}

void line_cut(struct line *line, const char *text, int width, const char *ellipsis,
	      enum colour colour)
{
	int end = line->columns + width;

	if (!line->style->colour)
		colour = COLOUR_NONE;
	colour_begin(&line->text, colour);
	line->columns += ruler_add_cut(line->style->ruler, &line->text, text, width, ellipsis);
	colour_end(&line->text, colour);
	line_fill(line, end);
}

static void add_number(struct str *text, const struct line_style *style, long double value,
		       int decimals, const char *after)
{
	num_add(text, value, decimals, style->numbers);
	str_add(text, after);
}

void line_number(struct line *line, long double value, int decimals, const char *after, int width,
		 enum colour colour)
{
	cleanup_str struct str text = { 0 };

	add_number(&text, line->style, value, decimals, after);
	line->text.failed |= text.failed;
	line_right(line, str_text(&text), width, colour);
}

int line_number_columns(const struct line_style *style, long double value, int decimals,
			const char *after)
{
	cleanup_str struct str text = { 0 };

	add_number(&text, style, value, decimals, after);
	return ruler_measure(style->ruler, str_text(&text));
}

int line_put(struct line *line, FILE *out)
{
	struct str *text = &line->text;
	int err;

	while (text->len > 0 && text->text[text->len - 1] == ' ')
		text->len--;
	str_add(text, "\n");
	err = str_print(text, out);
	text->len = 0;
	line->columns = 0;
	return err;
}

void line_widen(int *width, int needed)
{
	if (needed > *width)
		*width = needed;
}

int line_put_empty(FILE *out)
{
	return putc('\n', out) == EOF ? -errno : 0;
}

void line_release(struct line *line)
{
	str_release(&line->text);
}
