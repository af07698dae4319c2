/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparisons that are always the same, for tests of what prints them: their counts are made by a rule
 * that stands in the code, and none of them was measured. */
#ifndef PSTAT_UNIT_REPORT_FIXED_COMPARE_H
#define PSTAT_UNIT_REPORT_FIXED_COMPARE_H

#include "format/format.h"
#include "result/comparison.h"
#include "result/provenance.h"

enum {
	FIXED_SIDES_MAX = 8,
	FIXED_GATES_MAX = 8,
	FIXED_EFFECTS_MAX = 4,
	FIXED_INDICES_MAX = 8,
};

struct fixed_comparison {
	const char *name;
	void (*make)(struct fixed_comparison *f);
	/* Owned by it once it is made: */
	struct math math;
	struct event_list events;
	struct opening *openings; /* of each event; of all sides alike */
	struct row *rows;
	struct run *runs[FIXED_SIDES_MAX];
	struct metric_request_list metrics;
	size_t metric_events[FIXED_INDICES_MAX];
	struct side_input sides[FIXED_SIDES_MAX];
	struct gate_request gates[FIXED_GATES_MAX];
	struct effect_request effects[FIXED_EFFECTS_MAX];
	struct provenance provenance[FIXED_SIDES_MAX];
	size_t *order; /* of all runs; NULL: not known */
	struct comparison_input input;
	struct comparison comparison;
};

/* Ends in one whose name is NULL. */
extern const struct fixed_comparison fixed_comparisons[];

/* Make one of them of its name and rule alone, to be released. The test fails where it cannot. */
struct fixed_comparison *fixed_comparison_new(const struct fixed_comparison *which);
void fixed_comparison_free(struct fixed_comparison *f);

/* Print it: the text, to be freed. */
char *fixed_comparison_print(const struct fixed_comparison *f, const struct format *format,
			     const struct format_style *style);

#endif
