/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fixed results for tests of formats and documents. The counts are part of the code; nothing was
 * measured. */
#ifndef PSTAT_UNIT_REPORT_FIXED_H
#define PSTAT_UNIT_REPORT_FIXED_H

#include "event/event.h"
#include "format/format.h"
#include "metric/metric_list.h"
#include "result/table.h"

struct fixed {
	struct event_list events;
	struct opening *openings; /* owned: one for each event */
	struct row *rows; /* owned, with their labels: for each place, one for each event */
	size_t places_n;
	struct place *places;
	struct run *runs; /* owned */
	struct interval *intervals; /* owned; NULL: no -I */
	struct metric_request_list metrics;
	struct series series; /* of the whole run; with intervals, of the result after them */
};

struct fixed_result {
	const char *name;
	void (*make)(struct fixed *f);
};

/* Ends with an entry whose name is NULL. */
extern const struct fixed_result fixed_result[];

/* Make a result; release it. The test fails if that is impossible. */
void fixed_make(struct fixed *f, const struct fixed_result *result);
void fixed_release(struct fixed *f);

/* Print it as pstat would: the intervals, then the result. Returns the text; free it. This sets the
 * style's header and is_summary. */
char *fixed_print(const struct fixed *f, const struct format *format, struct format_style style);

#endif
