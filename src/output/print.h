/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write results and comparisons to their destination, in the format and style of the options. */
#ifndef PSTAT_OUTPUT_PRINT_H
#define PSTAT_OUTPUT_PRINT_H

#include <time.h>

#include "base/output.h"
#include "options/options.h"
#include "result/comparison.h"
#include "result/table.h"

struct printing {
	const struct options *options;
	const struct format *format;
	struct output output;
	bool streams; /* intervals are written as they end */
	bool each_run; /* each run is a result of its own, which is written when the run ends */
	bool replaces; /* each interval replaces the file of the previous one */
	bool continued; /* the file already had text, so the column names are there */
	const struct str_list *parameters; /* of all comparisons; NULL: there is one comparison */
	bool processes; /* some result has processes, so all have their columns */
	struct str_list columns; /* owned: of the file, see printing_check_columns() */
	bool withheld; /* a result was not written, because the command failed */
	size_t lines; /* of intervals since the last column names; SIZE_MAX: nothing was written */
};

/* The style of numbers with grouped thousands. */
struct num_style print_numbers_grouped(const struct options *o);

/* What is printed: the result, possibly after intervals, or a result for each run. */
enum print_parts { PRINT_RESULT, PRINT_INTERVALS, PRINT_RUNS };

/* Check the destination. 0; -errno with why. */
int printing_open(struct printing *p, const struct options *o, enum print_parts parts,
		  struct why *why);

/*
 * If the format has columns that depend on the result: check that they are those of the file that
 * --append continues, and of the results before this one. The series may lack its runs. 0; -errno
 * with why.
 */
int printing_check_columns(struct printing *p, const struct series *series, struct why *why);

void printing_release(struct printing *p);

/* Call this before the first interval or the result, once for each document. 0; -errno with why. */
int printing_begin(struct printing *p, time_t started, struct why *why);

/*
 * Write an interval, unless the format keeps intervals for its one document. In perf's formats,
 * only the intervals of the first run are written, as in perf. 0; -errno with why: a file to be
 * replaced is then unchanged.
 */
int printing_interval(struct printing *p, const struct table *result, struct why *why);

/* Write the result of one run at once. 0; -errno with why. */
int printing_run(struct printing *p, const struct table *result, struct why *why);

/* Write the whole result, unless the command failed and the format does not write failed results.
 * 0; -errno with why. */
int printing_result(struct printing *p, const struct table *result, struct why *why);

/* Add the notes that belong into the file, and finish the output. 0; -errno with why. */
int printing_end(struct printing *p, struct why *why);

/* Write a comparison. 0; -errno with why. */
int printing_comparison(struct printing *p, const struct comparison *c, struct why *why);

#endif
