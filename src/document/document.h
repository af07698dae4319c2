/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What document/load.h reads from a file: one result, or a comparison of several. */
#ifndef PSTAT_DOCUMENT_DOCUMENT_H
#define PSTAT_DOCUMENT_DOCUMENT_H

#include "base/str.h"
#include "result/comparison.h"
#include "result/provenance.h"
#include "result/result.h"

/* One result. All zero is empty. It stays where it was loaded, because the series points into it. */
struct document {
	struct series series; /* the rest is what it points to */
	struct event_list events; /* the source of each event is one of sources */
	struct str_list sources;
	struct opening *openings; /* owned, with their reasons: one for each event */
	size_t *passes; /* owned: of each group; SIZE_MAX: the group is in all passes */
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
	struct document *documents; /* owned: one result, or those of the sides of a comparison */
	struct side_input *sides; /* owned, with their names; NULL unless it is a comparison */
	size_t n; /* how many documents and sides there are */
	struct comparison_input
		settings; /* only the numbers; saved_comparison() adds the pointers */
	size_t *order; /* owned */
	struct effect_request *effects; /* owned, with their names */
	struct gate_request *gates; /* owned, with their names and texts */
};

void document_release(struct document *document);

/* The input of the comparison, without the mathematics. It is valid as long as saved. */
struct comparison_input saved_comparison(const struct saved *saved);

void saved_release(struct saved *saved);

#endif
