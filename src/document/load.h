/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of saved documents: of one result, or of a comparison of several. */
#ifndef PSTAT_DOCUMENT_LOAD_H
#define PSTAT_DOCUMENT_LOAD_H

#include <stdio.h>

#include "base/str.h"
#include "metric/metric_list.h"
#include "result/comparison.h"
#include "result/provenance.h"
#include "result/table.h"

/* One result. All zero is empty. Do not copy or move it, because the series points into it. */
struct document {
	struct series series; /* it points to the other members */
	struct event_list events; /* the source of each event is one of sources */
	struct str_list sources;
	struct opening *openings; /* owned, with their reasons: one for each event */
	size_t *passes; /* owned: the pass of each group; SIZE_MAX: all passes */
	struct place *places; /* owned, with their labels */
	size_t places_n;
	struct row *rows; /* owned */
	struct metric_request_list metrics;
	struct provenance provenance;
	struct series_parameters parameters, labels;
	struct series_ranks ranks;
};

/* A whole file. All zero is empty. */
struct saved {
	bool is_comparison;
	struct document *documents; /* owned: one result, or one for each side */
	struct side_input *sides; /* owned, with their names; NULL unless it is a comparison */
	size_t n; /* the number of documents and sides */
	struct comparison_input
		settings; /* only the numbers; saved_comparison() adds the pointers */
	size_t *order; /* owned */
	struct effect_request *effects; /* owned, with their names */
	struct gate_request *gates; /* owned, with their names and texts */
};

/*
 * The input of the comparison; the caller sets the member math. It is valid as long as saved.
 */
struct comparison_input saved_comparison(const struct saved *saved);

void saved_release(struct saved *saved);

/*
 * Read a file from a stream: a document, or a page of --html that contains one. After success, the
 * result can be built and printed. A comparison can be built and printed unless it has a gate on a
 * row that no side has.
 *
 * Returns 0 or, with *saved empty:
 * - -EINVAL with why and the position: not JSON, not a document, damaged, or of a later version
 * - -ELIBACC with why: jansson is not installed
 * - -ENOSYS with why: this pstat was built without jansson
 * - -ENOMEM, or the -errno of the read
 */
int load_saved(struct saved *saved, FILE *in, struct why *why);

/*
 * ---- The values of a JSON text. Only load.c and tests use them, and only if there is jansson.
 *
 * Each function checks the value that it returns. After an error, a function returns 0, false or
 * NULL. The first error is kept with the path of its value, and all later members and elements are
 * missing. A caller may therefore read the whole document and check for an error once, at the end.
 */

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
 * Load jansson, and parse the n bytes at text, which need not outlive the call. *top is the whole
 * document. Returns 0; -EINVAL with why and the line: not JSON; -ELIBACC with why: there is no
 * jansson; -ENOMEM.
 */
int load_begin(struct load *load, const char *text, size_t n, struct load_value *top,
	       struct why *why);
void load_release(struct load *load);

/* Whether the value is neither missing nor null. */
bool load_is_there(struct load_value value);

/* A member of an object. If it is missing, the functions below report an error. */
struct load_value load_member(const struct load_value *object, const char *key);

/* The number of elements of an array. */
size_t load_length(struct load_value array);
struct load_value load_element(const struct load_value *array, size_t index);

/* A number from low to high. */
double load_number(struct load_value value, double low, double high);

bool load_bool(struct load_value value);

/* A string. The caller frees it. */
char *load_string(struct load_value value);

/* A string, or an object that holds bytes that are not UTF-8. The caller frees it. */
char *load_text(struct load_value value);

#endif
