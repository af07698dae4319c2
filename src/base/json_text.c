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

/* By hand, since a document may hold millions of them. */
static void add_digits(struct str *out, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	str_add_n(out, &digits[at], sizeof(digits) - at);
}

void json_add_unsigned(struct str *out, uint64_t value)
{
	if (value <= INT64_MAX) {
		add_digits(out, value);
		return;
	}
	str_add(out, "\"");
	add_digits(out, value);
	str_add(out, "\"");
}

void json_add_number(struct str *out, long double value)
{
	const long double limit = 9223372036854775808.0L; /* 2^63 */
	const long double size = fabsl(value);

	/* No truncl(): clang calls it in libm, which pstat does not load. */
	if (!isfinite((double)value)) {
		str_add(out, "null");
	} else if (size < limit && size == (long double)(uint64_t)size) {
		str_add(out, value < 0 ? "-" : "");
		add_digits(out, (uint64_t)size);
	} else {
		num_add_shortest(out, (double)value);
	}
}
