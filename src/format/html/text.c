/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/html/text.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* What stands for a character that is markup; NULL: it is none. */
static const char *reference_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* U+FFFE and U+FFFF are not allowed in a document. */
static bool is_forbidden(const char *text)
{
	return text[0] == '\xef' && text[1] == '\xbf' && (unsigned char)text[2] >= 0xbe;
}

void html_add(struct str *out, const char *text)
{
	cleanup_str struct str visible = { 0 }, clean = { 0 };

	str_add_escaped(&visible, text);
	utf8_add(&clean, str_text(&visible));
	out->failed |= visible.failed || clean.failed;
	for (const char *p = str_text(&clean); *p;) {
		const char *reference = reference_of(*p);
		size_t n = utf8_length(p);

		if (reference)
			str_add(out, reference);
		else if (n > 1 && is_forbidden(p))
			str_add(out, REPLACEMENT);
		else
			str_add_n(out, p, n);
		p += n;
	}
}

void html_add_name(struct str *out, const char *name)
{
	str_add(out, "<bdi>");
	html_add(out, name);
	str_add(out, "</bdi>");
}
