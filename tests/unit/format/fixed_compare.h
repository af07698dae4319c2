/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fixed comparisons for tests of formats. The counts follow a rule in the code; nothing was
 * measured. */
#ifndef PSTAT_UNIT_REPORT_FIXED_COMPARE_H
#define PSTAT_UNIT_REPORT_FIXED_COMPARE_H

#include "format/format.h"
#include "metric/metric_list.h"
#include "result/suite.h"
#include "result/series.h"

enum {
	FIXED_SIDES_MAX = 8,
	FIXED_GATES_MAX = 8,
	FIXED_EFFECTS_MAX = 4,
};

struct fixed_comparison {
	const char *name;
	void (*make)(struct fixed_comparison *f);
	/* Owned once the comparison is made: */
	struct math math;
	struct event_list events;
	struct opening *openings; /* for each event; the sides share them */
	struct row *rows;
	struct run *runs[FIXED_SIDES_MAX];
	struct metric_request_list metrics;
	struct series series[FIXED_SIDES_MAX];
	struct side_input sides[FIXED_SIDES_MAX];
	struct gate_request gates[FIXED_GATES_MAX];
	struct effect_request effects[FIXED_EFFECTS_MAX];
	struct provenance provenance[FIXED_SIDES_MAX];
	size_t *order; /* of all runs; NULL: unknown */
	struct comparison_input input;
	struct suite suite;
	struct comparison *comparison; /* that of the suite */
};

/* Ends with an entry whose name is NULL. */
extern const struct fixed_comparison fixed_comparisons[];

/* Make a comparison from its name and rule; free it. The test fails if that is impossible. */
struct fixed_comparison *fixed_comparison_new(const struct fixed_comparison *which);
void fixed_comparison_free(struct fixed_comparison *f);

/* Print it. Returns the text; free it. */
char *fixed_comparison_print(const struct fixed_comparison *f, const struct format *format,
			     const struct format_style *style);

#endif
