/* SPDX-License-Identifier: GPL-2.0-or-later */
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

size_t utf8_decode(const char *text, uint32_t *character)
{
	size_t n = utf8_length(text);
	uint32_t c = (unsigned char)*text;

	if (n == 0)
		return 0;
	if (n > 1)
		c &= 0x7fU >> n;
	for (size_t i = 1; i < n; i++)
		c = c << 6 | ((unsigned char)text[i] & 0x3f);
	*character = c;
	return n;
}

size_t utf8_plain_length(const char *text, size_t n)
{
	size_t plain = 0;

	while (plain < n && text[plain] >= ' ' && text[plain] <= '~')
		plain++;
	return plain;
}

bool utf8_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200e && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}
