/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of the JSON documents, which --format json prints and --save saves. */
#ifndef PSTAT_DOCUMENT_WRITE_H
#define PSTAT_DOCUMENT_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"
#include "result/comparison.h"

/* Write one document. 0; -ENOMEM or -errno of the write. */
int write_result(const struct result *result, FILE *out);
int write_comparison(const struct comparison *c, FILE *out);

/* ---- The writer of JSON (RFC 8259). Only write.c and tests use it. */

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

/* Above 2^63 - 1, the limit of most readers, the value is a string of its digits. */
void write_unsigned(struct json_out *j, const char *key, uint64_t value);

/*
 * A whole number below 2^63 has all its digits. Any other number has as many digits as it takes to
 * read the same double again. NaN, infinity and numbers that do not fit a double become null.
 */
void write_number(struct json_out *j, const char *key, long double value);

/*
 * Write text so that a reader gets back every byte. Text that is not UTF-8 becomes an object with
 * the hexadecimal digits and the string: "text" in pstat-result-2.schema.json. NULL becomes null.
 */
void write_text(struct json_out *j, const char *key, const char *value);

/* Write the rest and a newline, and release text. 0, or the first write error (negative errno). */
int write_finish(struct json_out *j);

#endif
