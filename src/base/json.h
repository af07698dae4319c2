/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing JSON (RFC 8259) to a stream. The bytes are the same in every locale. The layout is made
 * for people: with JSON_LINES, each member of an object or array starts a line, indented by two
 * spaces; with JSON_FILL, the members fill lines.
 */
#ifndef PSTAT_BASE_JSON_H
#define PSTAT_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

/* Append text as a JSON string with its quotes. Each byte that is not UTF-8 becomes U+FFFD. */
void json_add_string(struct str *out, const char *text);

enum json_layout { JSON_LINES, JSON_FILL };

enum { JSON_DEPTH_MAX = 12 };

/* Before the first value, set out and make all other members zero. */
struct json_out {
	FILE *out; /* owned by the caller */
	struct str text; /* not yet written; owned */
	size_t line; /* where the current line begins in text, modulo SIZE_MAX + 1 */
	size_t depth;
	struct json_level {
		char close; /* '}' or ']' */
		enum json_layout layout;
		bool begun; /* it has at least one member */
	} levels[JSON_DEPTH_MAX];
	int err; /* the first write error, a negative errno */
};

/* Each function writes one value. key: its name in an object; NULL in an array. */
void json_object(struct json_out *j, const char *key, enum json_layout layout);
void json_array(struct json_out *j, const char *key, enum json_layout layout);
void json_end(struct json_out *j); /* close the object or array that was begun last */
void json_null(struct json_out *j, const char *key);
void json_bool(struct json_out *j, const char *key, bool value);
void json_int(struct json_out *j, const char *key, int value);
void json_hex(struct json_out *j, const char *key, uint64_t value); /* a string, "0x3c" */
void json_string(struct json_out *j, const char *key, const char *value); /* NULL: null */

/* Above 2^63 - 1, the limit of most readers, the value is a string of its digits. */
void json_unsigned(struct json_out *j, const char *key, uint64_t value);

/*
 * A whole number below 2^63 has all its digits. Any other number has as many digits as it takes to
 * read the same double again. NaN, infinity and numbers that do not fit a double become null.
 */
void json_number(struct json_out *j, const char *key, long double value);

/*
 * Write text so that a reader gets back every byte. Text that is not UTF-8 becomes an object with
 * the hexadecimal digits and the string: "text" in pstat-result-2.schema.json. NULL becomes null.
 */
void json_text(struct json_out *j, const char *key, const char *value);

/* Write the rest and a newline, and release text. 0, or the first write error (negative errno). */
int json_finish(struct json_out *j);

#endif
