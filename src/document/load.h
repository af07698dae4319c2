/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of saved documents: of one result, or of a comparison of several. */
#ifndef PSTAT_DOCUMENT_LOAD_H
#define PSTAT_DOCUMENT_LOAD_H

#include <stdio.h>

#include "base/str.h"
#include "metric/metric_list.h"
#include "result/comparison.h"
#include "result/series.h"
#include "result/table.h"

/* One result. All zero is empty. Do not copy or move it, because the series points into it. */
struct document {
	struct series series; /* it points to the other members */
	struct event_list events; /* also the sources of the events are owned */
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
	struct document *documents; /* owned: one result, or one for each side */
	size_t n;
	bool is_comparison;
	/* Of a comparison; the caller sets the member math of a copy. All that it points to is
	 * owned, and valid as long as this struct. */
	struct comparison_input comparison;
};

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

#endif
