/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of saved documents, in the order in which they are written. The writer and the reader
 * follow these tables. A test compares the files *.schema.json with them.
 */
#ifndef PSTAT_DOCUMENT_SCHEMA_H
#define PSTAT_DOCUMENT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "count/reading.h"
#include "event/attr_fields.h"
#include "result/series.h"

#define SCHEMA_NAME "pstat-result"
#define SCHEMA_COMPARISON_NAME "pstat-comparison"

/* The largest factor or limit. A product of it and a count, squared, still fits a double. */
#define SCHEMA_LARGE 1e100

/* pstat reads and writes this version only. */
enum { SCHEMA_VERSION = 2, SCHEMA_COMPARISON_VERSION = 2 };

extern const char *const schema_states[ELSEWHERE + 1]; /* by enum count_state */
extern const char *const schema_splits[PLACE_N]; /* by enum place_kind */
extern const char *const schema_ends[PROCESS_ENDED + 1]; /* by enum process_end */
/* By enum estimator. NULL: there is no value. */
extern const char *const schema_estimators[ESTIMATOR_UNSCALED + 1];

/* How JSON shows a field, and its type in C. */
enum schema_kind {
	SCHEMA_BOOL, /* true or false: bool */
	SCHEMA_SCALING, /* true or false: enum scaling, true is SCALE_BY_TIME */
	SCHEMA_SIZE, /* an integer: size_t */
	SCHEMA_PLACE, /* the index of a place: size_t */
	SCHEMA_UINT, /* an integer: unsigned int */
	SCHEMA_UNSIGNED, /* an integer, or its digits as a string: uint64_t */
	SCHEMA_NUMBER, /* a number from low to high: double */
	SCHEMA_STRING, /* UTF-8: char *, owned */
	SCHEMA_TEXT, /* UTF-8 or any bytes: char *, owned */
	SCHEMA_STRINGS, /* an array of UTF-8 strings: struct str_list */
	SCHEMA_TEXTS, /* an array of texts: struct str_list */
	SCHEMA_WORD, /* one of words: an enum */
	SCHEMA_KNOWN_INT, /* an integer from low to high, or null: struct known_int */
	SCHEMA_KNOWN_BOOL, /* true, false or null: struct known_int */
	SCHEMA_ATTR, /* the fields of attr_fields.h, in struct event; null: no counter */
	SCHEMA_OTHER, /* the reader and the writer have special code for the field */
};

/* A value is unset if it is NULL, 0, false, unknown, an empty list, a negative number or
 * PLACE_NONE. */
enum schema_presence {
	SCHEMA_REQUIRED,
	SCHEMA_NULLABLE, /* null if it is unset */
	SCHEMA_OPTIONAL, /* absent if it is unset */
};

struct schema_field {
	const char *key;
	enum schema_kind kind;
	enum schema_presence presence;
	size_t offset; /* offset in the struct of the table */
	double low, high; /* of SCHEMA_NUMBER and SCHEMA_KNOWN_INT */
	const char *const *words; /* of SCHEMA_WORD; a NULL word is null */
	size_t words_n;
};

/* A row with the label of its place. */
struct schema_placed_row {
	struct row row;
	char *label; /* see struct place */
};

/* Each table ends with a NULL key. */
extern const struct schema_field schema_pstat[]; /* struct provenance */
extern const struct schema_field schema_target[]; /* struct provenance */
extern const struct schema_field schema_host[]; /* struct provenance */
extern const struct schema_field schema_settings[]; /* struct series */
extern const struct schema_field schema_event[]; /* struct event */
extern const struct schema_field schema_opening[]; /* struct opening */
extern const struct schema_field schema_group[]; /* struct event_group */
extern const struct schema_field schema_row[]; /* struct schema_placed_row */
extern const struct schema_field schema_process[]; /* struct process */
extern const struct schema_field schema_reading[]; /* struct reading; each field is an array */
extern const struct schema_field schema_interval[]; /* struct interval */
extern const struct schema_field schema_rank_summary[]; /* struct rank_summary */
extern const struct schema_field schema_comparison[]; /* struct comparison_input */
extern const struct schema_field schema_case[]; /* struct comparison_case */
extern const struct schema_field schema_effect[]; /* struct effect_request */
extern const struct schema_field schema_gate[]; /* struct gate_request */

/* Whether a document omits this field of an attr if its value is 0. */
bool schema_attr_is_optional(const struct attr_field *field);

#endif
