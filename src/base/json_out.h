/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON on its way to a stream, laid out for people: the members of what is large stand on lines of
 * their own, indented by two spaces; the others fill lines. Little of it is in memory at a time.
 */
#ifndef PSTAT_BASE_JSON_OUT_H
#define PSTAT_BASE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

enum json_layout { JSON_LINES, JSON_FILL };

enum { JSON_DEPTH_MAX = 12 };

/* All zero but for out is nothing written yet. */
struct json_out {
	FILE *out; /* the caller's */
	struct str text; /* not yet written; owned */
	size_t line; /* where in text the line begins, modulo SIZE_MAX + 1 */
	size_t depth;
	struct json_level {
		char close; /* '}' or ']' */
		enum json_layout layout;
		bool begun; /* something is in it */
	} levels[JSON_DEPTH_MAX];
	int err; /* the first -errno of a write */
};

/* Each of these writes one value. key: its name in the object it is in, NULL in an array. */
void json_object(struct json_out *j, const char *key, enum json_layout layout);
void json_array(struct json_out *j, const char *key, enum json_layout layout);
void json_end(struct json_out *j); /* of the object or array that was begun last */
void json_null(struct json_out *j, const char *key);
void json_bool(struct json_out *j, const char *key, bool value);
void json_unsigned(struct json_out *j, const char *key, uint64_t value);
void json_int(struct json_out *j, const char *key, int value);
void json_number(struct json_out *j, const char *key, long double value); /* json_add_number() */
void json_hex(struct json_out *j, const char *key, uint64_t value); /* as a string, "0x3c" */
void json_string(struct json_out *j, const char *key, const char *value); /* NULL: null */
void json_text(struct json_out *j, const char *key,
	       const char *value); /* json_add_text(), or null */

/* All is said: write what is left, and a newline. 0; -errno of the first write that failed. */
int json_finish(struct json_out *j);

#endif
