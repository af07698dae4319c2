/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <wchar.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/ruler.h"

/* The C library knows the width of characters only in a UTF-8 locale. This one is used for nothing
 * else: numbers stay those of the C locale. */
static locale_t locale_of(struct ruler *ruler)
{
	if (!ruler->looked)
		ruler->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	ruler->looked = true;
	return ruler->locale;
}

/* The width of a character; -1: it must not be shown. */
static int width_of(struct ruler *ruler, uint32_t c)
{
	locale_t locale, before;
	int width;

	if (utf8_is_control(c))
		return -1;
	if (c < 0x7f)
		return 1;
	locale = locale_of(ruler);
	if (locale == (locale_t)0)
		return 1;
	before = uselocale(locale);
	width = wcwidth((wchar_t)c);
	uselocale(before);
	return width;
}

static int add_escaped(struct str *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addf(out, "\\x%02x", (unsigned char)text[i]);
	return 4 * (int)n;
}

/* Append the first character of *text and move *text after it. Returns the width. */
static int add_character(struct ruler *ruler, struct str *out, const char **text, size_t *n)
{
	uint32_t c = 0;
	size_t length = utf8_decode(*text, &c);
	bool whole = length > 0 && length <= *n;
	int width = whole ? width_of(ruler, c) : -1;

	length = whole ? length : 1;
	if (width >= 0)
		str_add_n(out, *text, length);
	else
		width = add_escaped(out, *text, length);
	*text += length;
	*n -= length;
	return width;
}

int ruler_add_n(struct ruler *ruler, struct str *out, const char *text, size_t n)
{
	int columns = 0;

	while (n > 0) {
		size_t plain = utf8_plain_length(text, n);

		str_add_n(out, text, plain);
		columns += (int)plain;
		text += plain;
		n -= plain;
		if (n > 0)
			columns += add_character(ruler, out, &text, &n);
	}
	return columns;
}

int ruler_add(struct ruler *ruler, struct str *out, const char *text)
{
	return ruler_add_n(ruler, out, text, strlen(text));
}

/* Only whole characters are kept, with their combining characters. */
int ruler_add_cut(struct ruler *ruler, struct str *out, const char *text, int columns,
		  const char *ellipsis)
{
	int room = columns - ruler_measure(ruler, ellipsis);
	int used = 0;
	size_t n = strlen(text);

	if (ruler_measure(ruler, text) <= columns)
		return ruler_add(ruler, out, text);
	while (n > 0) {
		cleanup_str struct str character = { 0 };
		int width = add_character(ruler, &character, &text, &n);

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
	return ruler_add_n(ruler, &shown, text, n);
}

void ruler_release(struct ruler *ruler)
{
	if (ruler->locale != (locale_t)0)
		freelocale(ruler->locale);
	*ruler = (struct ruler){ 0 };
}
