/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/math.h"
#include "base/num.h"
#include "base/utf8.h"

enum { LINE_LENGTH = 96, CHUNK = 1 << 16 };

static void json_flush(struct json_out *j)
{
	if (j->err == 0)
		j->err = str_print(&j->text, j->out);
	j->line -= j->text.len;
	j->text.len = 0;
}

static void json_add_quoted(struct str *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	str_add(out, "\"");
	while (*p) {
		size_t n = utf8_length((const char *)p);

		if (n == 0)
			str_add(out, "\xef\xbf\xbd"); /* U+FFFD */
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

static bool json_has_lines(const struct json_level *level)
{
	return level->layout == JSON_LINES || (level->layout == JSON_PERF && level->close == ']');
}

/* Begin the line of a member of level, or that of its closing bracket. */
static void json_new_line(struct json_out *j, const struct json_level *level)
{
	str_add(&j->text, "\n");
	j->line = j->text.len;
	for (size_t i = 0; level->layout != JSON_PERF && i < j->depth; i++)
		str_add(&j->text, "  ");
}

struct str *json_value(struct json_out *j, const char *key)
{
	struct json_level *level = j->depth ? &j->levels[j->depth - 1] : NULL;

	if (j->text.len >= CHUNK)
		json_flush(j);
	if (level) {
		if (level->begun)
			str_add(&j->text, ",");
		if (json_has_lines(level) || (level->layout == JSON_FILL && level->begun &&
					      j->text.len - j->line >= LINE_LENGTH))
			json_new_line(j, level);
		else if (level->begun || (level->close == '}' && level->layout != JSON_PERF))
			str_add(&j->text, " ");
		level->begun = true;
	}
	if (key) {
		json_add_quoted(&j->text, key);
		str_add(&j->text, level && level->layout == JSON_PERF ? " : " : ": ");
	}
	return &j->text;
}

static void json_begin(struct json_out *j, const char *key, const char *brackets,
		       enum json_layout layout)
{
	str_add_n(json_value(j, key), brackets, 1);
	j->levels[j->depth++] = (struct json_level){ brackets[1], layout, false };
}

void json_object(struct json_out *j, const char *key, enum json_layout layout)
{
	json_begin(j, key, "{}", layout);
}

void json_array(struct json_out *j, const char *key, enum json_layout layout)
{
	json_begin(j, key, "[]", layout);
}

void json_end(struct json_out *j)
{
	struct json_level level = j->levels[--j->depth];

	if (level.begun && json_has_lines(&level))
		json_new_line(j, &level);
	else if (level.begun && level.close == '}' && level.layout != JSON_PERF)
		str_add(&j->text, " ");
	str_add_n(&j->text, &level.close, 1);
	if (j->depth == 0)
		str_add(&j->text, "\n");
}

void json_null(struct json_out *j, const char *key)
{
	str_add(json_value(j, key), "null");
}

void json_bool(struct json_out *j, const char *key, bool value)
{
	str_add(json_value(j, key), value ? "true" : "false");
}

void json_int(struct json_out *j, const char *key, int value)
{
	str_addf(json_value(j, key), "%d", value);
}

void json_unsigned(struct json_out *j, const char *key, uint64_t value)
{
	const char *quote = value > INT64_MAX ? "\"" : "";
	struct str *text = json_value(j, key);

	str_add(text, quote);
	num_add_unsigned(text, value);
	str_add(text, quote);
}

void json_number(struct json_out *j, const char *key, long double value)
{
	const long double limit = 9223372036854775808.0L; /* 2^63 */
	const long double magnitude = fabsl(value);
	struct str *text = json_value(j, key);

	if (!isfinite((double)value)) {
		str_add(text, "null");
	} else if (magnitude < limit && math_is_whole(magnitude)) {
		str_add(text, value < 0 ? "-" : "");
		num_add_unsigned(text, (uint64_t)magnitude);
	} else {
		num_add_shortest(text, (double)value);
	}
}

void json_known(struct json_out *j, const char *key, bool known, long double value)
{
	json_number(j, key, known ? value : NAN);
}

void json_hex(struct json_out *j, const char *key, uint64_t value)
{
	str_addf(json_value(j, key), "\"0x%llx\"", (unsigned long long)value);
}

void json_string(struct json_out *j, const char *key, const char *value)
{
	if (value)
		json_add_quoted(json_value(j, key), value);
	else
		json_null(j, key);
}

void json_text(struct json_out *j, const char *key, const char *value)
{
	const char *end = value;
	struct str *text;

	for (size_t n = 1; n > 0 && end && *end; end += n)
		n = utf8_length(end);
	if (!end || !*end) { /* all of it is UTF-8 */
		json_string(j, key, value);
		return;
	}
	text = json_value(j, key);
	str_add(text, "{ \"bytes\": \"");
	for (const char *p = value; *p; p++)
		str_addf(text, "%02x", (unsigned char)*p);
	str_add(text, "\", \"text\": ");
	json_add_quoted(text, value);
	str_add(text, " }");
}

int json_finish(struct json_out *j)
{
	json_flush(j);
	str_release(&j->text);
	return j->err;
}
