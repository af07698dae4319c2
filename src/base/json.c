/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
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

enum { LINE_LENGTH = 96, CHUNK = 1 << 16 };

static void flush_text(struct json_out *j)
{
	if (j->err == 0)
		j->err = str_print(&j->text, j->out);
	j->line -= j->text.len;
	j->text.len = 0;
}

static void new_line(struct json_out *j)
{
	str_add(&j->text, "\n");
	j->line = j->text.len;
	for (size_t i = 0; i < j->depth; i++)
		str_add(&j->text, "  ");
}

/*
 * Write everything that precedes a value: the comma after the previous value, white space, the key.
 */
static void begin_value(struct json_out *j, const char *key)
{
	struct json_level *level = j->depth ? &j->levels[j->depth - 1] : NULL;

	if (j->text.len >= CHUNK)
		flush_text(j);
	if (level) {
		if (level->begun)
			str_add(&j->text, ",");
		if (level->layout == JSON_LINES ||
		    (level->begun && j->text.len - j->line >= LINE_LENGTH))
			new_line(j);
		else if (level->begun || level->close == '}')
			str_add(&j->text, " ");
		level->begun = true;
	}
	if (key) {
		json_add_string(&j->text, key);
		str_add(&j->text, ": ");
	}
}

static void begin_level(struct json_out *j, const char *key, const char *brackets,
			enum json_layout layout)
{
	begin_value(j, key);
	str_add_n(&j->text, brackets, 1);
	j->levels[j->depth++] = (struct json_level){ brackets[1], layout, false };
}

void json_object(struct json_out *j, const char *key, enum json_layout layout)
{
	begin_level(j, key, "{}", layout);
}

void json_array(struct json_out *j, const char *key, enum json_layout layout)
{
	begin_level(j, key, "[]", layout);
}

void json_end(struct json_out *j)
{
	struct json_level level = j->levels[--j->depth];

	if (level.begun && level.layout == JSON_LINES)
		new_line(j);
	else if (level.begun && level.close == '}')
		str_add(&j->text, " ");
	str_add_n(&j->text, &level.close, 1);
}

void json_null(struct json_out *j, const char *key)
{
	begin_value(j, key);
	str_add(&j->text, "null");
}

void json_bool(struct json_out *j, const char *key, bool value)
{
	begin_value(j, key);
	str_add(&j->text, value ? "true" : "false");
}

void json_unsigned(struct json_out *j, const char *key, uint64_t value)
{
	const char *quote = value > INT64_MAX ? "\"" : "";

	begin_value(j, key);
	str_add(&j->text, quote);
	num_add_unsigned(&j->text, value);
	str_add(&j->text, quote);
}

void json_int(struct json_out *j, const char *key, int value)
{
	begin_value(j, key);
	str_addf(&j->text, "%d", value);
}

void json_number(struct json_out *j, const char *key, long double value)
{
	const long double limit = 9223372036854775808.0L; /* 2^63 */
	const long double magnitude = fabsl(value);

	begin_value(j, key);
	if (!isfinite((double)value)) {
		str_add(&j->text, "null");
	} else if (magnitude < limit && num_is_whole(magnitude)) {
		str_add(&j->text, value < 0 ? "-" : "");
		num_add_unsigned(&j->text, (uint64_t)magnitude);
	} else {
		num_add_shortest(&j->text, (double)value);
	}
}

void json_hex(struct json_out *j, const char *key, uint64_t value)
{
	begin_value(j, key);
	str_addf(&j->text, "\"0x%llx\"", (unsigned long long)value);
}

void json_string(struct json_out *j, const char *key, const char *value)
{
	begin_value(j, key);
	if (value)
		json_add_string(&j->text, value);
	else
		str_add(&j->text, "null");
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

void json_text(struct json_out *j, const char *key, const char *value)
{
	if (!value || is_utf8(value)) {
		json_string(j, key, value);
		return;
	}
	begin_value(j, key);
	str_add(&j->text, "{ \"bytes\": \"");
	for (const char *p = value; *p; p++)
		str_addf(&j->text, "%02x", (unsigned char)*p);
	str_add(&j->text, "\", \"text\": ");
	json_add_string(&j->text, value);
	str_add(&j->text, " }");
}

int json_finish(struct json_out *j)
{
	str_add(&j->text, "\n");
	flush_text(j);
	str_release(&j->text);
	return j->err;
}
