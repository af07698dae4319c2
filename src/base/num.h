/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers from text and to text. Nothing here depends on the process locale: pstat never calls
 * setlocale(), so strtod() and printf() always use the C locale. A struct num_style has the
 * thousands separator and decimal point of the user's locale.
 */
#ifndef PSTAT_BASE_NUM_H
#define PSTAT_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/*
 * Parse all n bytes at text as an unsigned number: hexadecimal after 0x, otherwise decimal (a
 * leading 0 does not mean octal). 0; -EINVAL: not a number; -ERANGE: more than 64 bits.
 */
int num_parse(const char *text, size_t n, uint64_t *out);

/* Parse hexadecimal digits, with or without 0x. Otherwise like num_parse(). */
int num_parse_hex(const char *text, size_t n, uint64_t *out);

/*
 * Parse all n bytes at text as a decimal number that is not negative, "5" or "2.5". 0 or -EINVAL.
 */
int num_parse_decimal(const char *text, size_t n, double *out);

/*
 * How people write numbers. The members are strings because one character may need several bytes.
 */
struct num_style {
	char thousands[8]; /* "" if there is none */
	char point[8];
	char grouping[8]; /* as in localeconv(3): "\3\2" for 12,34,567; "" means "\3" */
};

/* "1234567.5", for formats that programs read. */
extern const struct num_style num_plain;

/* The style of the user's locale (LC_ALL, LC_NUMERIC, LANG). The process locale does not change. */
struct num_style num_style_of_user(void);

/* Append value with this number of decimals. */
void num_add(struct str *out, long double value, int decimals, const struct num_style *style);

/*
 * Append all digits of value. This is much faster than printf(3): a document may have millions of
 * numbers.
 */
void num_add_unsigned(struct str *out, uint64_t value);

/*
 * Append nanoseconds as seconds with nine decimals, "1.500000000". The part before the point is
 * padded to width columns.
 */
void num_add_seconds(struct str *out, uint64_t ns, int width);

/*
 * Append the fewest digits that give the same double when they are read again ("0.1", "2.3e-10").
 * value must be finite.
 */
void num_add_shortest(struct str *out, double value);

/* num_add_shortest(), but append all digits of a whole number of up to 64 bits. */
void num_add_exact(struct str *out, long double value);

#endif
