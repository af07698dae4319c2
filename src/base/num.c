/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <float.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

const struct num_style num_plain = { .thousands = "", .point = "." };

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static int parse_digits(const char *text, size_t n, unsigned int base, uint64_t *out)
{
	uint64_t value = 0;

	if (n == 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (digit_value(text[i]) >= (int)base)
			return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit_value(text[i]), &value))
			return -ERANGE;
	*out = value;
	return 0;
}

static int has_hex_prefix(const char *text, size_t n)
{
	return n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

int num_parse(const char *text, size_t n, uint64_t *out)
{
	if (has_hex_prefix(text, n))
		return parse_digits(text + 2, n - 2, 16, out);
	return parse_digits(text, n, 10, out);
}

int num_parse_hex(const char *text, size_t n, uint64_t *out)
{
	if (has_hex_prefix(text, n))
		return parse_digits(text + 2, n - 2, 16, out);
	return parse_digits(text, n, 16, out);
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

static void copy_item(char to[8], const char *from, const char *otherwise)
{
	size_t n = strlen(from);

	if (n == 0 || n >= 8)
		from = otherwise;
	strcpy(to, from);
}

struct num_style num_style_of_user(void)
{
	struct num_style style = num_plain;
	locale_t locale = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);

	if (locale == (locale_t)0)
		return style;
	copy_item(style.thousands, nl_langinfo_l(THOUSEP, locale), "");
	copy_item(style.point, nl_langinfo_l(RADIXCHAR, locale), ".");
	copy_item(style.grouping, nl_langinfo_l(GROUPING, locale), "");
	freelocale(locale);
	/* a separator that is not used, as in pt_PT */
	if (style.grouping[0] <= 0 || style.grouping[0] == CHAR_MAX)
		style.thousands[0] = style.grouping[0] = '\0';
	return style;
}

/* Whether a separator stands before the last n digits. */
static bool ends_group(const char *grouping, size_t n)
{
	const char *size = grouping[0] ? grouping : "\3";
	size_t sum = 0;

	while (sum<n && * size> 0 && *size != CHAR_MAX) {
		sum += (size_t)*size;
		size += size[1] != '\0'; /* the last one is that of all the others */
	}
	return sum == n;
}

void num_add(struct str *out, long double value, int decimals, const struct num_style *style)
{
	char plain[512]; /* the largest double has 309 digits before the point */
	int n = snprintf(plain, sizeof(plain), "%.*Lf", decimals, value);
	size_t digits;
	const char *p = plain;

	if (n < 0 || (size_t)n >= sizeof(plain)) {
		str_addf(out, "%Lg", value);
		return;
	}
	if (*p == '-')
		str_add_n(out, p++, 1);
	digits = strspn(p, "0123456789");
	for (size_t i = 0; i < digits; i++) {
		if (i > 0 && style->thousands[0] && ends_group(style->grouping, digits - i))
			str_add(out, style->thousands);
		str_add_n(out, p + i, 1);
	}
	p += digits;
	if (*p == '.') {
		str_add(out, style->point);
		p++;
	}
	str_add(out, p);
}

/* 15 digits are enough for most, 17 for every one (IEEE 754). */
void num_add_seconds(struct str *out, uint64_t ns, int width)
{
	str_addf(out, "%*llu.%09llu", width, (unsigned long long)ns / 1000000000,
		 (unsigned long long)ns % 1000000000);
}

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
	const long double size = value < 0 ? -value : value;

	/* floorl() would be all that pstat loads libm for */
	if (size < 0x1p64L && (long double)(uint64_t)size == size) {
		num_add(out, value, 0, &num_plain);
		return;
	}
	num_add_shortest(out, (double)value);
}
