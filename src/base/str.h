/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing texts, lists of strings, and growing arrays. A struct str remembers a failed allocation,
 * so the caller can build the whole text and check once at the end.
 */
#ifndef PSTAT_BASE_STR_H
#define PSTAT_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A text that is being built. All zero is a valid empty text. text is NULL until something is
 * added.
 */
struct str {
	char *text;
	size_t len;
	size_t size;
	bool failed; /* an allocation failed: the text is incomplete */
};

/* Append. s->failed records a failed allocation. */
void str_add(struct str *s, const char *text);
void str_add_n(struct str *s, const char *text, size_t n);
void str_append(struct str *s, const struct str *text); /* if text has failed, s fails, too */
void str_fill(struct str *s, char c, size_t n); /* n times c */
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* If the text at start begins with "::", replace the first colon with \x3a. A CI service would take
 * the text as a command. */
void str_escape_command(struct str *s, size_t start);

/*
 * Append text so that it can neither break its line nor be taken as a command, see
 * str_escape_command(). Each byte of a control character becomes \xNN. Other characters do not
 * change.
 */
void str_add_escaped(struct str *s, const char *text);

/* Append a name to a list of names, which are separated by ", ". */
void str_add_listed(struct str *s, const char *name);

/* Whether the strings are equal, or both are NULL. */
bool str_equal(const char *a, const char *b);

/*
 * Whether an extended regular expression (regex(7)) matches the whole text. False if the expression
 * is not valid, if memory runs out, or if compiling could need much memory: it is longer than 1,000
 * bytes, has '{', or more than 8 '+'.
 */
bool str_matches(const char *text, const char *expression);

enum { STR_DISTANCE_MAX = 128 };

/*
 * The number of letters by which two texts differ: inserted, deleted, replaced, or swapped with
 * their neighbour. Upper and lower case are the same letter, and so are the separators "_-.:". Of
 * texts longer than STR_DISTANCE_MAX bytes, all letters differ.
 */
unsigned int str_distance(const char *a, size_t a_n, const char *b, size_t b_n);

/* The text built so far; never NULL. s owns it. */
const char *str_text(const struct str *s);

/* Write the text to a stream. 0; -ENOMEM: an allocation failed, and nothing is written; -errno. */
int str_print(const struct str *s, FILE *out);

/*
 * Append the rest of a stream, or its beginning up to the block that has the first zero byte: the
 * stream may be a device without an end. 0; -EFBIG: there are more than max bytes; -ENOMEM; or the
 * -errno of the read.
 */
int str_add_stream(struct str *s, FILE *in, size_t max);

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
/*
 * Append the items between the separators, including empty ones; at least one item. 0 or -ENOMEM.
 */
int str_list_split(struct str_list *list, const char *text, char separator);
bool str_list_has(const struct str_list *list, const char *text);
/* Sort. Numbers inside names are compared by value: imc_2 comes before imc_10. */
void str_list_sort(struct str_list *list);
void str_list_release(struct str_list *list);
#define cleanup_str_list cleanup_with(str_list_release)

/*
 * Make room for one more element in an array of n elements. array points to the variable that holds
 * the array, and *size is its capacity. 0; -ENOMEM, and nothing changes.
 */
int array_grow(void *array, size_t n, size_t *size, size_t element);

/* Append text. Each byte that is not UTF-8 becomes U+FFFD. */
void str_add_utf8(struct str *out, const char *text);

/* str_add_utf8(), but a control character of more than one byte becomes U+FFFD, too. */
void str_add_utf8_visible(struct str *out, const char *text);

/* A copy of text in which the two characters "\n" or "\r" replace each line break. NULL: out of
 * memory. The caller frees it. */
char *str_one_line(const char *text);

/*
 * Append text as a field of CSV, with quotes if it needs them (RFC 4180, section 2, rules 5 to 7),
 * or if a CI service could take it as a command. Line breaks are written as in str_one_line(), so
 * that each record is one line. Each byte that is not UTF-8 becomes U+FFFD.
 */
void str_add_csv(struct str *out, const char *text);

#endif
