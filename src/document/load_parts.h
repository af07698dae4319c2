/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a document, in the order in which they are read: each is checked against those
 * before it. The first error is kept (document/load_json.h). What was read can be released in any
 * case.
 */
#ifndef PSTAT_DOCUMENT_LOAD_PARTS_H
#define PSTAT_DOCUMENT_LOAD_PARTS_H

#include "document/load_json.h"
#include "document/saved.h"

/* In load.c: all of a result, whatever it is part of. */
void load_result(const struct load_value *top, struct document *document);

/* All of a comparison. */
void load_comparison(const struct load_value *top, struct saved *saved);

/* Of a result. */
void load_settings(const struct load_value *top, struct document *document);
void load_events(const struct load_value *top, struct document *document);
void load_groups(const struct load_value *top, struct document *document);
void load_metrics(const struct load_value *top, struct document *document);
void load_rows(const struct load_value *top, struct document *document);
void load_runs(const struct load_value *top, struct document *document);
void load_intervals(const struct load_value *top, struct document *document);
void load_provenance(const struct load_value *top, struct document *document);

#endif
