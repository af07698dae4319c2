/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/json_text.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

void json_add_string(struct str *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	str_add(out, "\"");
	while (*p) {
		size_t n = utf8_length((const char *)p);

		if (n == 0)
			str_add(out, "\xef\xbf\xbd");
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

static bool is_utf8(const char *text)
{
	while (*text) {
		size_t n = utf8_length(text);

		if (n == 0)
			return false;
		text += n;
	}
	return true;
}

void json_add_text(struct str *out, const char *text)
{
	if (is_utf8(text)) {
		json_add_string(out, text);
		return;
	}
	str_add(out, "{ \"bytes\": \"");
	for (const char *p = text; *p; p++)
		str_addf(out, "%02x", (unsigned char)*p);
	str_add(out, "\", \"text\": ");
	json_add_string(out, text);
	str_add(out, " }");
}

void json_add_unsigned(struct str *out, uint64_t value)
{
	if (value <= INT64_MAX) {
		num_add_unsigned(out, value);
		return;
	}
	str_add(out, "\"");
	num_add_unsigned(out, value);
	str_add(out, "\"");
}

void json_add_number(struct str *out, long double value)
{
	const long double limit = 9223372036854775808.0L; /* 2^63 */
	const long double magnitude = fabsl(value);

	if (!isfinite((double)value)) {
		str_add(out, "null");
	} else if (magnitude < limit && num_is_whole(magnitude)) {
		str_add(out, value < 0 ? "-" : "");
		num_add_unsigned(out, (uint64_t)magnitude);
	} else {
		num_add_shortest(out, (double)value);
	}
}
