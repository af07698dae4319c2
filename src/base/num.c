/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <float.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/num.h"
#include "base/str.h"

const struct num_style num_plain = { .thousands = "", .point = "." };

static int num_digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static int num_parse_digits(const char *text, size_t n, unsigned int base, uint64_t *out)
{
	uint64_t value = 0;

	if (n == 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (num_digit_value(text[i]) >= (int)base)
			return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)num_digit_value(text[i]), &value))
			return -ERANGE;
	*out = value;
	return 0;
}

static int num_has_hex_prefix(const char *text, size_t n)
{
	return n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

int num_parse(const char *text, size_t n, uint64_t *out)
{
	if (num_has_hex_prefix(text, n))
		return num_parse_digits(text + 2, n - 2, 16, out);
	return num_parse_digits(text, n, 10, out);
}

int num_parse_hex(const char *text, size_t n, uint64_t *out)
{
	if (num_has_hex_prefix(text, n))
		return num_parse_digits(text + 2, n - 2, 16, out);
	return num_parse_digits(text, n, 16, out);
}

int num_parse_decimal(const char *text, size_t n, double *out)
{
	char copy[32];
	size_t whole = strspn(text, "0123456789");
	size_t part = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;

	if (whole == 0 || n >= sizeof(copy) || whole + (part ? part + 1 : 0) != n)
		return -EINVAL;
	memcpy(copy, text, n);
	copy[n] = '\0';
	*out = strtod(copy, NULL);
	return 0;
}

static void num_copy_item(char to[8], const char *from, const char *otherwise)
{
	size_t n = strlen(from);

	if (n == 0 || n >= 8)
		from = otherwise;
	strcpy(to, from);
}

/*
 * Whether the user's locale writes numbers in the same way as the C locale. Most containers and CI
 * jobs use C.UTF-8, for which newlocale() would read four files.
 */
static bool num_locale_is_c(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_NUMERIC", "LANG" };
	static const char *const names[] = { "C", "POSIX", "C.UTF-8", "C.utf8" };
	const char *name = NULL;

	for (size_t i = 0; !(name && *name) && i < sizeof(variables) / sizeof(*variables); i++)
		name = getenv(variables[i]);
	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

struct num_style num_style_of_user(void)
{
	struct num_style style = num_plain;
	locale_t locale = (locale_t)0;

	if (!num_locale_is_c())
		locale = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);
	if (locale == (locale_t)0)
		return style;
	num_copy_item(style.thousands, nl_langinfo_l(THOUSEP, locale), "");
	num_copy_item(style.point, nl_langinfo_l(RADIXCHAR, locale), ".");
	num_copy_item(style.grouping, nl_langinfo_l(GROUPING, locale), "");
	freelocale(locale);
	/* The locale has a separator but does not use it, for example pt_PT. */
	if (style.grouping[0] <= 0 || style.grouping[0] == CHAR_MAX)
		style.thousands[0] = style.grouping[0] = '\0';
	return style;
}

/* Whether a separator precedes the last n digits. */
static bool num_ends_group(const char *grouping, size_t n)
{
	const char *size = grouping[0] ? grouping : "\3";
	size_t sum = 0;

	while (sum<n && * size> 0 && *size != CHAR_MAX) {
		sum += (size_t)*size;
		size += size[1] != '\0'; /* the last size applies to all further groups */
	}
	return sum == n;
}

/* Large enough for the largest double, which has 309 digits before the point. */
typedef char number_text[512];

/* Print the decimal digits of value. Returns their number. */
static size_t num_print_whole(number_text text, uint64_t value)
{
	char reversed[20];
	size_t n = 0;

	do
		reversed[n++] = (char)('0' + value % 10);
	while (value /= 10);
	for (size_t i = 0; i < n; i++)
		text[i] = reversed[n - 1 - i];
	return n;
}

void num_add_unsigned(struct str *out, uint64_t value)
{
	number_text digits;

	str_add_n(out, digits, num_print_whole(digits, value));
}

/*
 * Print the same text as printf(3) in the C locale. printf(3) takes ten times as long for whole
 * numbers, which are the most frequent ones. Returns the length, or -1 if the number does not fit.
 */
static int num_print_number(number_text text, long double value, int decimals)
{
	bool whole = math_is_whole(value) && !signbit(value);
	size_t n;
	int printed;

	if (!whole || decimals < 0 || decimals > DBL_DECIMAL_DIG) {
		printed = snprintf(text, sizeof(number_text), "%.*Lf", decimals, value);
		return (size_t)printed < sizeof(number_text) ? printed : -1;
	}
	n = num_print_whole(text, (uint64_t)value);
	if (decimals > 0)
		text[n++] = '.';
	memset(text + n, '0', (size_t)decimals);
	text[n + (size_t)decimals] = '\0';
	return (int)n + decimals;
}

/* The index of the next separator after index i in a number of n digits; n if there is none. */
static size_t num_next_separator(const struct num_style *style, size_t i, size_t n)
{
	if (!style->thousands[0])
		return n;
	for (i++; i < n && !num_ends_group(style->grouping, n - i); i++)
		;
	return i;
}

void num_add(struct str *out, long double value, int decimals, const struct num_style *style)
{
	number_text plain;
	const char *p = plain;
	size_t digits, next;
	int n = num_print_number(plain, value, decimals);

	if (n < 0) {
		str_addf(out, "%Lg", value);
		return;
	}
	if (*p == '-')
		str_add_n(out, p++, 1);
	digits = strspn(p, "0123456789");
	for (size_t i = 0; i < digits; i = next) {
		if (i > 0)
			str_add(out, style->thousands);
		next = num_next_separator(style, i, digits);
		str_add_n(out, p + i, next - i);
	}
	p += digits;
	if (*p == '.') {
		str_add(out, style->point);
		p++;
	}
	str_add_n(out, p, (size_t)(plain + n - p));
}

void num_add_seconds(struct str *out, uint64_t ns, int width)
{
	const uint64_t second = 1000000000;
	number_text digits;
	size_t n = num_print_whole(digits, ns / second);

	for (int column = (int)n; column < width; column++)
		str_add(out, " ");
	str_add_n(out, digits, n);
	str_add(out, ".");
	n = num_print_whole(digits, second + ns % second); /* ten digits; the first one is 1 */
	str_add_n(out, digits + 1, n - 1);
}

/* 15 digits are enough for most values, and 17 for all (IEEE 754). */
void num_add_shortest(struct str *out, double value)
{
	char text[32] = "";

	for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	str_add(out, text);
}

void num_add_exact(struct str *out, long double value)
{
	if (math_is_whole(value < 0 ? -value : value)) {
		num_add(out, value, 0, &num_plain);
		return;
	}
	num_add_shortest(out, (double)value);
}
