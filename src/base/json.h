/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer of JSON (RFC 8259). Each function writes one value, or begins one. key is the name of
 * the value in an object, and NULL in an array or for a whole text. The bytes are the same in every
 * locale. An object or array that is not inside another one ends with a newline.
 */
#ifndef PSTAT_BASE_JSON_H
#define PSTAT_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

/* How the members of an object or array are arranged. */
enum json_layout {
	JSON_LINES, /* each starts a new line, indented by two spaces for each level */
	JSON_FILL, /* each line holds as many as fit */
	JSON_LINE, /* all on one line */
	/* as perf does: {"key" : 1, "key" : 2}; the members of an array start lines without
	 * indent */
	JSON_PERF,
};

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
	/* The first error, a negative errno. After it, nothing is written; the caller may set
	 * it. */
	int err;
};

/* Begin an object or array. json_end() closes the one that was begun last. */
void json_object(struct json_out *j, const char *key, enum json_layout layout);
void json_array(struct json_out *j, const char *key, enum json_layout layout);
void json_end(struct json_out *j);

void json_null(struct json_out *j, const char *key);
void json_bool(struct json_out *j, const char *key, bool value);
void json_int(struct json_out *j, const char *key, int value);

/* Above 2^63 - 1, the limit of most readers, the value is a string of its digits. */
void json_unsigned(struct json_out *j, const char *key, uint64_t value);

/*
 * A whole number below 2^63 has all its digits. Any other number has as many digits as it takes to
 * read the same double again. NaN, infinity and numbers that do not fit a double become null.
 */
void json_number(struct json_out *j, const char *key, long double value);

/* A number that is unknown is null, whatever its value. */
void json_known(struct json_out *j, const char *key, bool known, long double value);

/* Write a number as a hexadecimal string, for example "0x3c". */
void json_hex(struct json_out *j, const char *key, uint64_t value);

/* Each byte of value that is not UTF-8 becomes U+FFFD. NULL becomes null. */
void json_string(struct json_out *j, const char *key, const char *value);

/*
 * Write text so that a reader gets back every byte. Text that is not UTF-8 becomes an object with
 * the hexadecimal digits and the string: "text" in pstat-result-2.schema.json. NULL becomes null.
 */
void json_text(struct json_out *j, const char *key, const char *value);

/* Begin a value. The caller appends it to the text that is returned; j owns the text. */
struct str *json_value(struct json_out *j, const char *key);

/* Write the rest, and release text. 0; -ENOMEM, or -errno of the first write that failed. */
int json_finish(struct json_out *j);

#endif
