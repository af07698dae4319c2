/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of JSON (RFC 8259). Each appends one value; the bytes are the same in every locale. */
#ifndef PSTAT_BASE_JSON_TEXT_H
#define PSTAT_BASE_JSON_TEXT_H

#include <stdint.h>

struct str;

/* Text as a JSON string, quotes and all. What is no UTF-8 becomes U+FFFD. */
void json_add_string(struct str *out, const char *text);

/* The same where each byte has to be read back: what is no UTF-8 becomes an object of the hexadecimal
 * digits and of the string, "text" in pstat-report-1.schema.json. */
void json_add_text(struct str *out, const char *text);

/* A number, or above 2^63 - 1, where most readers end, its digits in a string. */
void json_add_unsigned(struct str *out, uint64_t value);

/*
 * A whole number below 2^63 with all its digits; another one with as many digits as it takes to read
 * the same double again. null for what is infinite, NaN or more than a double holds.
 */
void json_add_number(struct str *out, long double value);

#endif
