/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers from text and to text. Nothing here depends on the locale: pstat never calls setlocale(),
 * so strtod() and printf() use the C locale throughout, and what a person's locale wants (thousands
 * separators, the decimal point) is asked for and applied here, by name.
 */
#ifndef PSTAT_BASE_NUM_H
#define PSTAT_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/*
 * The whole of the n bytes at text as an unsigned number: 0x… hexadecimal, else decimal (a leading
 * 0 does not mean octal). 0, -EINVAL when it is no number, -ERANGE beyond 64 bits.
 */
int num_parse(const char *text, size_t n, uint64_t *out);

/* The same, hexadecimal digits with or without 0x. */
int num_parse_hex(const char *text, size_t n, uint64_t *out);

/* The whole of the n bytes at text as a decimal number from 0 on, "5" or "2.5". 0 or -EINVAL. */
int num_parse_decimal(const char *text, size_t n, double *out);

/* How a person reads numbers: strings, since both may be several bytes in UTF-8. */
struct num_style {
	char thousands[8]; /* "" for none */
	char point[8];
	char grouping[8]; /* as in localeconv(3): "\3\2" for 12,34,567; "" is "\3" */
};

/* "1234567.5", as machine formats want it. */
extern const struct num_style num_plain;

/* The style of the user's locale (LC_ALL, LC_NUMERIC, LANG), without touching the process's own. */
struct num_style num_style_of_user(void);

/* Append value with that many decimals. */
void num_add(struct str *out, long double value, int decimals, const struct num_style *style);

/* Whether value is a whole number that a uint64_t can hold. */
bool num_is_whole(long double value);

/* Append all digits of value. Much faster than printf(3): a document may hold millions of them. */
void num_add_unsigned(struct str *out, uint64_t value);

/* Append nanoseconds as seconds to their last digit, "1.500000000", those before the point at least width wide. */
void num_add_seconds(struct str *out, uint64_t ns, int width);

/* Append value with as many digits as it takes to read the same double again ("0.1", "2.3e-10"). value is
 * finite. */
void num_add_shortest(struct str *out, double value);

/* The same, but a whole number of up to 64 bits to its last digit. */
void num_add_exact(struct str *out, long double value);

#endif
