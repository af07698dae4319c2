/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"

int array_grow(void *array, size_t n, size_t *size, size_t element)
{
	void **base = array;
	size_t wanted = *size ? *size * 2 : 8;
	void *grown;

	if (n < *size)
		return 0;
	grown = reallocarray(*base, wanted, element);
	if (!grown)
		return -ENOMEM;
	*base = grown;
	*size = wanted;
	return 0;
}

/* The size of the first allocation. Most texts never need a larger one. */
enum { FIRST_SIZE = 64 };

/* Make room for n more bytes and the final NUL. */
static bool str_reserve(struct str *s, size_t n)
{
	size_t wanted = s->len + n + 1;
	char *grown;

	if (s->failed)
		return false;
	if (wanted <= s->size)
		return true;
	if (wanted < s->size * 2)
		wanted = s->size * 2;
	if (wanted < FIRST_SIZE)
		wanted = FIRST_SIZE;
	grown = realloc(s->text, wanted);
	if (!grown) {
		s->failed = true;
		return false;
	}
	s->text = grown;
	s->size = wanted;
	return true;
}

void str_add_n(struct str *s, const char *text, size_t n)
{
	if (!str_reserve(s, n))
		return;
	memcpy(s->text + s->len, text, n);
	s->len += n;
	s->text[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_add_n(s, text, strlen(text));
}

void str_append(struct str *s, const struct str *text)
{
	s->failed |= text->failed;
	str_add_n(s, str_text(text), text->len);
}

void str_fill(struct str *s, char c, size_t n)
{
	if (!str_reserve(s, n))
		return;
	memset(s->text + s->len, c, n);
	s->len += n;
	s->text[s->len] = '\0';
}

void str_vaddf(struct str *s, const char *format, va_list args)
{
	va_list again;
	size_t room;
	int n;

	/*
	 * Most texts fit the allocated memory. Measuring each of them first would take twice as
	 * long.
	 */
	if (!str_reserve(s, 0))
		return;
	va_copy(again, args);
	room = s->size - s->len;
	n = vsnprintf(s->text + s->len, room, format, again);
	va_end(again);
	if (n >= 0 && (size_t)n >= room && str_reserve(s, (size_t)n))
		n = vsnprintf(s->text + s->len, (size_t)n + 1, format, args);
	if (n < 0 || s->failed) {
		s->text[s->len] = '\0';
		s->failed = true;
		return;
	}
	s->len += (size_t)n;
}

void str_addf(struct str *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_vaddf(s, format, args);
	va_end(args);
}

/*
 * Whether the log of a CI service may take a line that begins with this text as a command:
 * "::error::" (docs.github.com, "Workflow commands for GitHub Actions").
 */
static bool str_is_command(const char *text)
{
	/* GitHub ignores leading blanks, including those that are not ASCII */
	while (*text && (*text <= ' ' || *text > '~'))
		text++;
	return strncmp(text, "::", 2) == 0;
}

void str_escape_command(struct str *s, size_t start)
{
	cleanup_str struct str rest = { 0 };
	const char *colons;

	if (s->failed || !str_is_command(str_text(s) + start))
		return;
	colons = strstr(s->text + start, "::");
	str_add(&rest, colons + 1);
	s->len = (size_t)(colons - s->text);
	str_add(s, "\\x3a");
	str_append(s, &rest);
}

static void str_add_visible(struct str *s, const char *text)
{
	for (;;) {
		size_t plain = utf8_plain_length(text, SIZE_MAX), n;
		uint32_t c;
		bool control;

		str_add_n(s, text, plain);
		text += plain;
		if (!*text)
			return;
		/* a single byte that is a C1 control character in Latin-1 counts as one, too */
		c = (unsigned char)*text;
		n = utf8_decode(text, &c);
		n = n ? n : 1;
		control = utf8_is_control(c);
		if (!control)
			str_add_n(s, text, n);
		for (size_t i = 0; control && i < n; i++)
			str_addf(s, "\\x%02x", (unsigned char)text[i]);
		text += n;
	}
}

void str_add_escaped(struct str *s, const char *text)
{
	size_t start = s->len;

	str_add_visible(s, text);
	str_escape_command(s, start);
}

void str_add_listed(struct str *s, const char *name)
{
	str_addf(s, "%s%s", s->len ? ", " : "", name);
}

bool str_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool str_matches(const char *text, const char *expression)
{
	size_t repetitions_n = 0;
	regmatch_t match;
	regex_t regex;
	bool matches;

	for (const char *p = expression; *p; p++)
		repetitions_n += *p == '{' ? 9 : *p == '+';
	if (strlen(expression) > 1000 || repetitions_n > 8 ||
	    regcomp(&regex, expression, REG_EXTENDED) != 0)
		return false;
	matches = regexec(&regex, text, 1, &match, 0) == 0 && match.rm_so == 0 &&
		  text[match.rm_eo] == '\0';
	regfree(&regex);
	return matches;
}

static bool str_is_same_letter(char a, char b)
{
	static const char separators[] = "_-.:";

	return tolower((unsigned char)a) == tolower((unsigned char)b) ||
	       (a && b && strchr(separators, a) && strchr(separators, b));
}

unsigned int str_distance(const char *a, size_t a_n, const char *b, size_t b_n)
{
	unsigned int rows[3][STR_DISTANCE_MAX + 1];

	if (a_n > STR_DISTANCE_MAX || b_n > STR_DISTANCE_MAX)
		return (unsigned int)(a_n > b_n ? a_n : b_n);
	for (size_t j = 0; j <= b_n; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 0; i < a_n; i++) {
		const unsigned int *above2 = rows[(i + 2) % 3], *above = rows[i % 3];
		unsigned int *row = rows[(i + 1) % 3];

		row[0] = (unsigned int)i + 1;
		for (size_t j = 0; j < b_n; j++) {
			unsigned int least = above[j] + !str_is_same_letter(a[i], b[j]);

			if (least > above[j + 1] + 1)
				least = above[j + 1] + 1;
			if (least > row[j] + 1)
				least = row[j] + 1;
			if (i > 0 && j > 0 && str_is_same_letter(a[i], b[j - 1]) &&
			    str_is_same_letter(a[i - 1], b[j]) && least > above2[j - 1] + 1)
				least = above2[j - 1] + 1;
			row[j + 1] = least;
		}
	}
	return rows[a_n % 3][b_n];
}

const char *str_text(const struct str *s)
{
	return s->text ? s->text : "";
}

int str_print(const struct str *s, FILE *out)
{
	if (s->failed)
		return -ENOMEM;
	return fwrite(str_text(s), 1, s->len, out) < s->len ? -errno : 0;
}

int str_add_stream(struct str *s, FILE *in, size_t max)
{
	char part[16384];
	size_t n;

	while (!s->failed && (n = fread(part, 1, sizeof(part), in)) > 0) {
		if (s->len + n > max)
			return -EFBIG;
		str_add_n(s, part, n);
		if (memchr(part, '\0', n))
			break;
	}
	if (ferror(in))
		return errno ? -errno : -EIO;
	return s->failed ? -ENOMEM : 0;
}

void str_release(struct str *s)
{
	free(s->text);
	*s = (struct str){ 0 };
}

int str_list_add(struct str_list *list, const char *text)
{
	char *copy;

	if (array_grow(&list->v, list->n, &list->size, sizeof(*list->v)) < 0)
		return -ENOMEM;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	list->v[list->n++] = copy;
	return 0;
}

int str_list_split(struct str_list *list, const char *text, char separator)
{
	const char *end;

	for (;; text = end + 1) {
		char *item;
		int err;

		end = strchrnul(text, separator);
		item = strndup(text, (size_t)(end - text));
		err = item ? str_list_add(list, item) : -ENOMEM;
		free(item);
		if (err < 0 || !*end)
			return err;
	}
}

bool str_list_has(const struct str_list *list, const char *text)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->v[i], text) == 0)
			return true;
	return false;
}

static int str_compare_text(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void str_list_sort(struct str_list *list)
{
	if (list->n > 1)
		qsort(list->v, list->n, sizeof(*list->v), str_compare_text);
}

void str_list_release(struct str_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
	*list = (struct str_list){ 0 };
}

#define REPLACEMENT "\xef\xbf\xbd"

void str_add_utf8(struct str *out, const char *text)
{
	while (*text) {
		size_t n = utf8_length(text);

		if (n)
			str_add_n(out, text, n);
		else
			str_add(out, REPLACEMENT);
		text += n ? n : 1;
	}
}

void str_add_utf8_visible(struct str *out, const char *text)
{
	while (*text) {
		uint32_t c = 0;
		size_t n = utf8_decode(text, &c);

		if (n == 0 || (n > 1 && utf8_is_control(c)))
			str_add(out, REPLACEMENT);
		else
			str_add_n(out, text, n);
		text += n ? n : 1;
	}
}

char *str_one_line(const char *text)
{
	cleanup_str struct str line = { 0 };

	for (;;) {
		size_t n = strcspn(text, "\r\n");

		str_add_n(&line, text, n);
		if (!text[n])
			return line.failed ? NULL : take_ptr(line.text);
		str_add(&line, text[n] == '\n' ? "\\n" : "\\r");
		text += n + 1;
	}
}

void str_add_csv(struct str *out, const char *text)
{
	cleanup_free char *line = str_one_line(text);
	cleanup_str struct str clean = { 0 };
	const char *rest;

	str_add_utf8(&clean, line ? line : "");
	out->failed |= !line || clean.failed;
	rest = str_text(&clean);
	if (!strpbrk(rest, ",\"") && !str_is_command(rest)) {
		str_add(out, rest);
		return;
	}
	str_add(out, "\"");
	for (const char *quote; (quote = strchr(rest, '"')) != NULL; rest = quote + 1) {
		str_add_n(out, rest, (size_t)(quote - rest));
		str_add(out, "\"\"");
	}
	str_addf(out, "%s\"", rest);
}
