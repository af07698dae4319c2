/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of pstat-report-1.schema.json, which the writer and the reader of documents share. */
#ifndef PSTAT_DOCUMENT_SCHEMA_H
#define PSTAT_DOCUMENT_SCHEMA_H

#include "count/reading.h"
#include "event/attr_fields.h"

#define SCHEMA_NAME "pstat-report"
#define SCHEMA_COMPARISON_NAME "pstat-comparison" /* of pstat-comparison-1.schema.json */

enum { SCHEMA_VERSION = 1, SCHEMA_COMPARISON_VERSION = 1 };

extern const char *const schema_states[]; /* by enum count_state, up to ELSEWHERE */
extern const char *const schema_splits[PLACE_N]; /* by enum place_kind */

/* Whether a document leaves out this field of an attr if it is 0. */
bool schema_attr_is_optional(const struct attr_field *field);

#endif
