/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of a JSON text. Each function checks the value that it returns. After an error, a
 * function returns 0, false or NULL. The first error is kept with the path of its value, and all
 * later members and elements are missing. A caller may therefore read the whole document and check
 * for an error once, at the end.
 *
 * jansson, which is loaded at the first use, parses the text.
 */
#ifndef PSTAT_DOCUMENT_LOAD_JSON_H
#define PSTAT_DOCUMENT_LOAD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t; /* a type of jansson */
struct why;

struct load {
	struct jansson *library; /* owned: the functions of jansson */
	struct json_t *root; /* owned */
	struct why *why; /* the caller's */
	int err; /* 0, or the first -errno */
};

/* A value and its path. It is valid as long as its parent, which is not copied. */
struct load_value {
	struct load *load;
	const struct load_value *parent; /* NULL: the document itself */
	const char *key; /* its key in the parent; NULL: an element of an array */
	size_t index;
	const struct json_t *value; /* NULL: it is missing */
};

/*
 * Parse the n bytes at text, which need not outlive the call. *top is the whole document. Returns 0;
 * -EINVAL with why and the line: not JSON; -ELIBACC with why: there is no jansson; -ENOMEM.
 */
int load_begin(struct load *load, const char *text, size_t n, struct load_value *top,
	       struct why *why);
void load_release(struct load *load);

/*
 * Report an error in a value, unless an earlier error is kept: "runs[3].raw[2]: not …". Returns the
 * first -errno.
 */
int load_refuse(const struct load_value *value, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Report that an allocation failed. Returns the first -errno. */
int load_no_memory(struct load *load);

/* Allocate n + 1 elements of size bytes, all zero. Returns NULL after load_no_memory(). */
void *load_calloc(struct load *load, size_t n, size_t size);

/* Whether the value is neither missing nor null. */
bool load_is_there(struct load_value value);

/* A member of an object. If it is missing, the functions below report an error. */
struct load_value load_member(const struct load_value *object, const char *key);

/* The number of elements of an array. */
size_t load_length(struct load_value array);
struct load_value load_element(const struct load_value *array, size_t index);

/* An integer from 0 to 2^64-1. Above 2^63-1 it is a string of digits. */
uint64_t load_unsigned(struct load_value value);

/* An integer from low to high. */
long long load_integer(struct load_value value, long long low, long long high);

/* An integer from 0 to SSIZE_MAX. */
size_t load_size(struct load_value value);

/* A number from low to high. */
double load_number(struct load_value value, double low, double high);

bool load_bool(struct load_value value);

/* A string such as "0x1f". */
uint64_t load_hexadecimal(struct load_value value);

/* The index of a string in words. A NULL word does not match any string. */
size_t load_word(struct load_value value, const char *const *words, size_t n);

/* A string. The caller frees it. */
char *load_string(struct load_value value);

/* A string, or an object that holds bytes that are not UTF-8. The caller frees it. */
char *load_text(struct load_value value);

#endif
