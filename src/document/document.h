/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What document/load.h reads from a file: one result, or a comparison of several. */
#ifndef PSTAT_DOCUMENT_DOCUMENT_H
#define PSTAT_DOCUMENT_DOCUMENT_H

#include "base/str.h"
#include "result/comparison.h"
#include "result/provenance.h"
#include "result/result.h"

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
	size_t *metric_events; /* owned */
	struct provenance provenance;
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

void document_release(struct document *document);

/*
 * The input of the comparison, without the functions of stats/math.h. It is valid as long as saved.
 */
struct comparison_input saved_comparison(const struct saved *saved);

void saved_release(struct saved *saved);

#endif
