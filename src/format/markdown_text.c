/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/markdown_text.h"

/* Whether it can stand between backticks, where everything is taken as it is. */
static bool is_plain_code(const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		if (text[i] == '`' || text[i] == '|' || iscntrl((unsigned char)text[i]))
			return false;
	return text[0] != ' ' && text[n - 1] != ' ';
}

/* What has a meaning somewhere in Markdown, or around it at GitHub. */
static const char math[] = "\\`*_[]<>&|~#$@!";

/* One byte of <code>. */
static void add_reference(struct str *out, char c)
{
	if (strchr(math, c) || c == '\n' || c == '\t')
		str_addf(out, "&#%d;", c);
	else if (iscntrl((unsigned char)c))
		str_add(out, "\xef\xbf\xbd");
	else
		str_add_n(out, &c, 1);
}

void markdown_code(struct str *out, const char *text)
{
	cleanup_str struct str clean = { 0 };
	const char *p;

	utf8_add_visible(&clean, text);
	out->failed |= clean.failed;
	p = str_text(&clean);
	if (*p == '\0')
		return;
	if (is_plain_code(p)) {
		str_addf(out, "`%s`", p);
		return;
	}
	str_add(out, "<code>");
	for (; *p; p++)
		add_reference(out, *p);
	str_add(out, "</code>");
}

void markdown_word(struct str *out, const char *text)
{
	cleanup_str struct str clean = { 0 };

	utf8_add_visible(&clean, text);
	out->failed |= clean.failed;
	for (const char *p = str_text(&clean); *p; p++) {
		if (strchr(math, *p))
			str_add(out, "\\");
		str_add_n(out, iscntrl((unsigned char)*p) ? " " : p, 1);
	}
}
