/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "format/terminal/terminal.h"

enum { COLUMNS_OF_A_TERMINAL = 80 }; /* if there is no terminal */

bool terminal_obeys_escapes(int fd)
{
	const char *type = getenv("TERM");

	return type && type[0] && strcmp(type, "dumb") != 0 && isatty(fd);
}

int terminal_columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return COLUMNS_OF_A_TERMINAL;
}

/* ---- The width of text. */

void terminal_wrap(struct str *out, const char *text, int indent, int columns)
{
	cleanup_with(ruler_release) struct ruler ruler = { 0 };
	const char *between = "";
	int column = indent;

	for (;; text++) {
		size_t n = strcspn(text, " ");
		cleanup_str struct str word = { 0 };
		int width;

		str_add_n(&word, text, n);
		width = ruler_measure(&ruler, str_text(&word));
		if (columns > 0 && column > indent && column + 1 + width > columns) {
			str_addf(out, "\n%*s", indent, "");
			column = indent;
			between = "";
		}
		str_addf(out, "%s%s", between, str_text(&word));
		out->failed |= word.failed;
		column += (*between ? 1 : 0) + width;
		between = " ";
		text += n;
		if (*text == '\0')
			return;
	}
}

/* The width of a character; -1: it must not be shown. */
static int terminal_ruler_width_of(struct ruler *ruler, uint32_t c)
{
	locale_t before;
	int width;

	if (utf8_is_control(c))
		return -1;
	if (c < 0x7f)
		return 1;
	/* The C library knows the width of characters only in a UTF-8 locale. This one is used for
	 * nothing else: numbers stay those of the C locale. */
	if (!ruler->looked)
		ruler->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	ruler->looked = true;
	if (ruler->locale == (locale_t)0)
		return 1;
	before = uselocale(ruler->locale);
	width = wcwidth((wchar_t)c);
	uselocale(before);
	return width;
}

/* Append the first character of *text and move *text after it. Returns the width. */
static int terminal_add_character(struct ruler *ruler, struct str *out, const char **text)
{
	uint32_t c = 0;
	size_t length = utf8_decode(*text, &c);
	int width = length > 0 ? terminal_ruler_width_of(ruler, c) : -1;

	length = length > 0 ? length : 1;
	if (width >= 0) {
		str_add_n(out, *text, length);
	} else {
		for (size_t i = 0; i < length; i++)
			str_addf(out, "\\x%02x", (unsigned char)(*text)[i]);
		width = 4 * (int)length;
	}
	*text += length;
	return width;
}

int ruler_add(struct ruler *ruler, struct str *out, const char *text)
{
	const size_t plain = utf8_plain_length(text, strlen(text));
	int width = (int)plain;

	str_add_n(out, text, plain);
	for (text += plain; *text;)
		width += terminal_add_character(ruler, out, &text);
	return width;
}

/* Only whole characters are kept, with their combining characters. */
int ruler_add_cut(struct ruler *ruler, struct str *out, const char *text, int columns,
		  const char *ellipsis)
{
	int room, used = 0;

	if (ruler_measure(ruler, text) <= columns)
		return ruler_add(ruler, out, text);
	room = columns - ruler_measure(ruler, ellipsis); /* may load a locale */
	while (*text) {
		cleanup_str struct str character = { 0 };
		int width = terminal_add_character(ruler, &character, &text);

		if (used + width > room)
			break;
		str_add(out, str_text(&character));
		out->failed |= character.failed;
		used += width;
	}
	return used + (room < 0 ? 0 : ruler_add(ruler, out, ellipsis));
}

int ruler_measure(struct ruler *ruler, const char *text)
{
	cleanup_str struct str shown = { 0 };
	size_t n = strlen(text);

	if (utf8_plain_length(text, n) == n)
		return (int)n;
	return ruler_add(ruler, &shown, text);
}

void ruler_release(struct ruler *ruler)
{
	if (ruler->locale != (locale_t)0)
		freelocale(ruler->locale);
	*ruler = (struct ruler){ 0 };
}

/* ---- Lines. */

/* perf's three colours for numbers, and only the first eight colours: terminals let users choose
 * those. */
static const char *const codes[] = {
	[COLOUR_NONE] = NULL,
	[COLOUR_RAISED] = "\033[33m",
	[COLOUR_HIGH] = "\033[35m",
	[COLOUR_SEVERE] = "\033[31m",
	[COLOUR_ESTIMATE] = "\033[33m",
	[COLOUR_MISSING] = "\033[31m",
	[COLOUR_UNSUPPORTED] = "\033[2m",
	[COLOUR_NAME] = "\033[1m",
	[COLOUR_BETTER] = "\033[32m",
	[COLOUR_WORSE] = "\033[31m",
	[COLOUR_UNCLEAR] = "\033[33m",
	[COLOUR_ASIDE] = "\033[2m",
};

void line_add(struct line *line, const char *text)
{
	line->columns += ruler_add(line->style->ruler, &line->text, text);
}

void line_append(struct line *line, const struct str *text)
{
	line->text.failed |= text->failed;
	line_add(line, str_text(text));
}

void line_addf(struct line *line, const char *format, ...)
{
	cleanup_str struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	line_append(line, &text);
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
	int columns = ruler_measure(line->style->ruler, text);

	line_fill(line, line->columns + width - columns);
	line_cut(line, text, columns, colour);
}

/* The length of the text up to the next blank at which a line may end. */
static size_t terminal_line_word_length(const char *text)
{
	size_t n = strcspn(text, " ");

	while (text[n] && n > 0) {
		const char before = text[n - 1], after = text[n + strspn(text + n, " ")];
		bool number = before >= '0' && before <= '9' && after != '-' && after != '(';
		bool interval =
			before == ',' && memchr(text, '[', n) && strchr("+-0123456789", after);

		if (!number && !interval)
			break;
		n += strspn(text + n, " ");
		n += strcspn(text + n, " ");
	}
	return n;
}

void line_words(struct line *line, const char *text, int indent, int width)
{
	int begin = line->columns;

	while (*text) {
		size_t n = terminal_line_word_length(text);
		cleanup_str struct str word = { 0 };
		int columns;

		str_add_n(&word, text, n);
		columns = ruler_measure(line->style->ruler, str_text(&word));
		if (columns > width - indent) { /* for example a command with many numbers */
			n = strcspn(text, " ");
			str_release(&word);
			str_add_n(&word, text, n);
			columns = ruler_measure(line->style->ruler, str_text(&word));
		}
		line->text.failed |= word.failed;
		if (line->columns > begin && line->columns + 1 + columns > width) {
			line_end(line);
			begin = indent;
		}
		line_fill(line, line->columns > begin ? line->columns + 1 : begin);
		if (columns > width - line->columns)
			columns = width - line->columns;
		line_cut(line, str_text(&word), columns, COLOUR_NONE);
		text += n + strspn(text + n, " ");
	}
	line_end(line);
}

void line_rightf(struct line *line, int width, enum colour colour, const char *format, ...)
{
	cleanup_str struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	line->text.failed |= text.failed;
	line_right(line, str_text(&text), width, colour);
}

void line_cut(struct line *line, const char *text, int width, enum colour colour)
{
	const char *code = line->style->colour ? codes[colour] : NULL; /* takes no columns */
	int end = line->columns + width;

	if (code)
		str_add(&line->text, code);
	line->columns += ruler_add_cut(line->style->ruler, &line->text, text, width,
				       line->style->ascii ? "..." : "…");
	if (code)
		str_add(&line->text, "\033[m");
	line_fill(line, end);
}

/* Skip the characters that fit the columns. Returns the text after them. */
static const char *terminal_ruler_skip(struct ruler *ruler, const char *text, int *columns)
{
	while (*text) {
		cleanup_str struct str character = { 0 };
		const char *next = text;
		int width = terminal_add_character(ruler, &character, &next);

		if (width > *columns)
			break;
		*columns -= width;
		text = next;
	}
	return text;
}

void line_cut_middle(struct line *line, const char *text, int width, size_t stays)
{
	const char *ellipsis = line->style->ascii ? "..." : "…";
	struct ruler *ruler = line->style->ruler;
	cleanup_str struct str skipped = { 0 };
	int all = ruler_measure(ruler, text), gap = ruler_measure(ruler, ellipsis);
	int begin = (width - gap + 1) / 2, end = width - gap - begin, excess = all - end;
	const char *head_end, *tail;

	if (all <= width || begin <= 0) {
		line_cut(line, text, all < width ? all : width, COLOUR_NONE);
		return;
	}
	line->columns += ruler_add_cut(ruler, &line->text, text, begin + gap, ellipsis);
	head_end = terminal_ruler_skip(ruler, text, &begin);
	tail = terminal_ruler_skip(ruler, text, &excess);
	if (excess > 0) /* a wide character */
		terminal_add_character(ruler, &skipped, &tail);
	if (text + stays >= head_end && text + stays < tail)
		tail = text + stays;
	line->columns += ruler_add_cut(ruler, &line->text, tail, end, ellipsis);
}

void line_number(struct line *line, long double value, int decimals, const char *after, int width,
		 enum colour colour)
{
	cleanup_str struct str text = { 0 };

	num_add(&text, value, decimals, line->style->numbers);
	str_add(&text, after);
	line->text.failed |= text.failed;
	line_right(line, str_text(&text), width, colour);
}

int line_number_columns(const struct line_style *style, long double value, int decimals,
			const char *after)
{
	cleanup_str struct str text = { 0 };

	num_add(&text, value, decimals, style->numbers);
	str_add(&text, after);
	return ruler_measure(style->ruler, str_text(&text));
}

void line_end(struct line *line)
{
	struct str *text = &line->text;

	while (text->len > 0 && text->text[text->len - 1] == ' ')
		text->len--;
	line_end_filled(line);
}

void line_end_filled(struct line *line)
{
	const char *last = memrchr(str_text(&line->text), '\n', line->text.len);

	str_escape_command(&line->text, last ? (size_t)(last + 1 - line->text.text) : 0);
	str_add(&line->text, "\n");
	line->columns = 0;
}

void line_widen(int *width, int needed)
{
	if (needed > *width)
		*width = needed;
}

void line_release(struct line *line)
{
	str_release(&line->text);
}
