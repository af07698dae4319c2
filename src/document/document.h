/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document of a result, as it was read back: all that a result is made of. */
#ifndef PSTAT_DOCUMENT_DOCUMENT_H
#define PSTAT_DOCUMENT_DOCUMENT_H

#include "base/str.h"
#include "result/provenance.h"
#include "result/result.h"

/* All zero is none. */
struct document {
	struct result_input settings; /* its numbers; for what it points to, see document_input() */
	char *subject; /* owned */
	struct event_list events; /* each event's source is one of sources */
	struct str_list sources;
	struct opening *openings; /* owned, as their reasons: one for each event */
	size_t *passes; /* owned: of each group, SIZE_MAX for one that is in all */
	struct row *rows; /* owned, as their labels */
	struct run *runs; /* owned, as their readings */
	struct interval *intervals; /* owned, as their readings */
	struct metric_request_list metrics;
	size_t *metric_events; /* owned */
	struct provenance provenance;
};

/* What its report is made of, valid as long as the document. */
struct result_input document_input(const struct document *document);

/* The same of its block i of -I alone. */
struct result_input document_interval_input(const struct document *document, size_t i);

void document_release(struct document *document);

#endif
