/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing text and lists of strings. Both remember a failed allocation, so that a caller may build
 * the whole and ask once at the end.
 */
#ifndef PSTAT_BASE_STR_H
#define PSTAT_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A text being built. All zero is a valid empty text; text is NULL until something was added. */
struct str {
	char *text;
	size_t len;
	size_t size;
	bool failed; /* an allocation failed: what was built is not to be used */
};

/* Append; a failed allocation is remembered in s->failed. */
void str_add(struct str *s, const char *text);
void str_add_n(struct str *s, const char *text, size_t n);
void str_append(struct str *s, const struct str *text); /* and its failure */
void str_fill(struct str *s, char c, size_t n); /* c, n times */
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Append text that cannot break its line: each byte of a control character (utf8_is_control())
 * becomes \xNN, and all other characters stay. */
void str_add_escaped(struct str *s, const char *text);

/* Append a name to a list of some: a comma stands between each two. */
void str_add_listed(struct str *s, const char *name);

/* Whether the two are the same, or both NULL. */
bool str_equal(const char *a, const char *b);

/* The text built so far, never NULL; owned by s. */
const char *str_text(const struct str *s);

void str_release(struct str *s);
#define cleanup_str cleanup_with(str_release)

/* A list of owned strings. All zero is a valid empty list. */
struct str_list {
	char **v;
	size_t n;
	size_t size;
};

/* Append a copy. 0 or -ENOMEM. */
int str_list_add(struct str_list *list, const char *text);
/* Append what stands between the separators, empty items too: one at least. 0 or -ENOMEM. */
int str_list_split(struct str_list *list, const char *text, char separator);
bool str_list_has(const struct str_list *list, const char *text);
/* Numbers inside names in the order of their value: imc_2 before imc_10. */
void str_list_sort(struct str_list *list);
void str_list_release(struct str_list *list);
#define cleanup_str_list cleanup_with(str_list_release)

/*
 * Make room for one more element of an array of n elements. array points to the array's pointer,
 * size to the number of elements there is room for. 0, or -ENOMEM and everything as before.
 */
int array_grow(void *array, size_t n, size_t *size, size_t element);

#endif
