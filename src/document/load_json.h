/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of a JSON text, each checked as it is taken. The first that is not what it has to be is
 * remembered, with its way through the document as why; from then on all that is taken is 0, false or
 * NULL, so that a caller may take everything and ask once at the end.
 *
 * The text is read by jansson, which is loaded for it.
 */
#ifndef PSTAT_DOCUMENT_LOAD_JSON_H
#define PSTAT_DOCUMENT_LOAD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t; /* jansson's */
struct why;

struct load {
	struct jansson *library; /* owned: its functions */
	struct json_t *root; /* owned */
	struct why *why; /* the caller's */
	int err; /* 0, or the first -errno */
};

/* A value, and how it was come by: for as long as what it is part of. */
struct load_value {
	struct load *load;
	const struct load_value *parent; /* NULL: the document itself */
	const char *key; /* in its parent; NULL: it is an array's element */
	size_t index;
	const struct json_t *value; /* NULL: it is not there */
};

/* Read the n bytes at text, which need not outlive the call; *top is the whole of it. 0; -EINVAL with
 * why and the line: this is no JSON; -ELIBACC with why: without jansson; -ENOMEM. */
int load_begin(struct load *load, const char *text, size_t n, struct load_value *top,
	       struct why *why);
void load_release(struct load *load);

/* Say, where no trouble was before, what is wrong with a value: "runs[3].raw[2]: …". Returns the first
 * trouble's -errno. */
int load_refuse(const struct load_value *value, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* An allocation failed. Returns the first trouble's -errno. */
int load_no_memory(struct load *load);

/* Whether it is there, and not null. */
bool load_is_there(struct load_value value);

/* What an object holds. Unlike all other functions, it takes what is not there. */
struct load_value load_member(const struct load_value *object, const char *key);

/* How many elements an array has. */
size_t load_length(struct load_value array);
struct load_value load_element(const struct load_value *array, size_t index);

/* An integer, or above 2^63-1 a string of digits. */
uint64_t load_unsigned(struct load_value value);

/* An integer from low to high. */
long long load_integer(struct load_value value, long long low, long long high);

/* An integer from 0 on that a size_t holds. */
size_t load_size(struct load_value value);

/* Any finite number from low on. */
double load_number(struct load_value value, double low, double high);

bool load_bool(struct load_value value);

/* "0x…" */
uint64_t load_hexadecimal(struct load_value value);

/* The index of a string in words; NULL words are none. */
size_t load_word(struct load_value value, const char *const *words, size_t n);

/* A string: the caller's to free. */
char *load_string(struct load_value value);

/* The same; NULL where it is not there. */
char *load_string_or_null(struct load_value value);

/* A string, or an object with the bytes of what is no UTF-8: the caller's to free. */
char *load_text(struct load_value value);

/* The same; NULL where it is not there. */
char *load_text_or_null(struct load_value value);

#endif
