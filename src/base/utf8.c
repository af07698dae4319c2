/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/str.h"
#include "base/utf8.h"

size_t utf8_length(const char *text)
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
	const unsigned char *p = (const unsigned char *)text;

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

void utf8_add(struct str *out, const char *text)
{
	while (*text) {
		size_t n = utf8_length(text);

		if (n)
			str_add_n(out, text, n);
		else
			str_add(out, "\xef\xbf\xbd");
		text += n ? n : 1;
	}
}
