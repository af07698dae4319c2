/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "report/json_text.h"

/* How many bytes the UTF-8 character at p has; 0 for what is none (RFC 3629, section 4). */
static size_t utf8_length(const unsigned char *p)
{
	static const struct {
		unsigned char first_low, first_high, second_low, second_high;
		size_t n;
	} forms[] = {
		{ 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (p[0] < forms[i].first_low || p[0] > forms[i].first_high)
			continue;
		if (forms[i].n > 1 && (p[1] < forms[i].second_low || p[1] > forms[i].second_high))
			return 0;
		for (size_t j = 2; j < forms[i].n; j++)
			if ((p[j] & 0xc0) != 0x80)
				return 0;
		return forms[i].n;
	}
	return 0;
}

void json_add_string(struct str *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	str_add(out, "\"");
	while (*p) {
		size_t n = utf8_length(p);

		if (n == 0)
			str_add(out, "\\ufffd");
		else if (*p == '"' || *p == '\\')
			str_addf(out, "\\%c", *p);
		else if (*p < 0x20 || *p == 0x7f)
			str_addf(out, "\\u%04x", *p);
		else
			str_add_n(out, (const char *)p, n);
		p += n ? n : 1;
	}
	str_add(out, "\"");
}
