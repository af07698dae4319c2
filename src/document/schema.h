/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of pstat-report-1.schema.json, which the writer and the reader of documents share. */
#ifndef PSTAT_DOCUMENT_SCHEMA_H
#define PSTAT_DOCUMENT_SCHEMA_H

#include "count/reading.h"
#include "event/event.h"

#define SCHEMA_NAME "pstat-report"
#define SCHEMA_COMPARISON_NAME "pstat-comparison" /* of pstat-comparison-1.schema.json */

enum { SCHEMA_VERSION = 1, SCHEMA_COMPARISON_VERSION = 1 };

extern const char *const schema_states[]; /* by enum count_state, up to ELSEWHERE */
extern const char *const schema_splits[PLACE_N]; /* by enum place_kind */

/* The switches of attr that a document holds: X(name of the field). */
#define SCHEMA_ATTR_FLAGS(X)                                                                       \
	X(exclude_user)                                                                            \
	X(exclude_kernel)                                                                          \
	X(exclude_hv)                                                                              \
	X(exclude_idle)                                                                            \
	X(exclude_host)                                                                            \
	X(exclude_guest)                                                                           \
	X(pinned)                                                                                  \
	X(exclusive)

#endif
