/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the values of a JSON text with jansson. Only available if pstat is built with it.
 *
 * The functions check the value that they return. After an error, a function returns 0, false or
 * NULL. The first error is kept with the path of its value, and all later members and elements are
 * missing. A caller may therefore read the whole text and check for an error once, at the end.
 */
#ifndef PSTAT_BASE_JSON_LOAD_H
#define PSTAT_BASE_JSON_LOAD_H

#include <stdbool.h>
#include <stddef.h>

struct json_t;
struct why;

/* A text. All zero is empty. */
struct load {
	struct json_t *root; /* owned */
	struct why *why; /* the caller's */
	int err; /* 0, or the first -errno */
};

/* A value and its path. It is valid as long as its parent, which is not copied. */
struct load_value {
	struct load *load;
	const struct load_value *parent; /* NULL: the whole text */
	const char *key; /* its key in the parent; NULL: an element of an array */
	size_t index;
	const struct json_t *value; /* NULL: it is missing */
};

/*
 * Load jansson, and parse the n bytes at text, which the values do not point into. *top is the
 * whole text.
 *
 * Returns 0 or:
 * - -EINVAL with why: not JSON
 * - -ELIBACC with why: jansson is not installed
 * - -ENOMEM
 */
int load_begin(struct load *load, const char *text, size_t n, struct load_value *top,
	       struct why *why);

void load_release(struct load *load);

/* Report an error in a value, unless an earlier error is kept: "runs[3].raw[2]: not …". */
void load_refuse(struct load_value value, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void load_no_memory(struct load *load);

/* Allocate n + 1 elements of size bytes, all zero. Returns NULL after an error. */
void *load_calloc(struct load *load, size_t n, size_t size);

/* Whether the value is neither missing nor null. */
bool load_is_there(struct load_value value);

bool load_is_null(struct load_value value);

/* Whether the value is an object. */
bool load_is_object(struct load_value value);

/* A member of an object. If it is missing, the functions that read it report an error. */
struct load_value load_member(const struct load_value *object, const char *key);

/* The first member of an object, and the one after it; missing after the last one. */
struct load_value load_first_member(const struct load_value *object);
void load_next_member(struct load_value *member);

/* The number of elements of an array. */
size_t load_length(struct load_value array);

/* An element of an array; missing after the last one. */
struct load_value load_element(const struct load_value *array, size_t index);

/* The element after this one. */
void load_next(struct load_value *element);

/* The text of a string; NULL: the value is not a string. */
const char *load_string_of(struct load_value value);

/* These store the value if it has the type. */
bool load_integer_of(struct load_value value, long long *integer);
bool load_number_of(struct load_value value, double *number);
bool load_bool_of(struct load_value value, bool *is_true);

#endif
