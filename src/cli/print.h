/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From reports to the output, as the options want it: the intervals as they come, and the result. */
#ifndef PSTAT_CLI_PRINT_H
#define PSTAT_CLI_PRINT_H

#include <time.h>

#include "cli/options.h"
#include "base/output.h"
#include "result/comparison.h"
#include "result/result.h"

struct printing {
	const struct options *options;
	const struct format *format;
	struct output output;
	bool streams; /* blocks are printed as they come */
	bool replaces; /* each of them as a file of its own, in the place of the one before */
	bool continued; /* the file held something, whose columns are those of what is appended to it */
	size_t lines; /* of intervals, since the header was printed last; SIZE_MAX: nothing was printed */
};

/* How numbers are written in what is pasted elsewhere. */
struct num_style print_numbers_grouped(const struct options *o);

/* See where the result goes. streams: there will be intervals. 0; -errno with why. */
int printing_open(struct printing *p, const struct options *o, bool streams, struct why *why);

/* Before the first block or the result, of each document where there are several. 0; -errno with why. */
int printing_begin(struct printing *p, time_t started, struct why *why);

/* Print an interval, unless the format has intervals in its one document. 0; -errno with why, and a file
 * that it should have replaced is as it was. */
int printing_interval(struct printing *p, const struct result *result, struct why *why);

/* Print the whole result. 0; -errno with why. */
int printing_result(struct printing *p, const struct result *result, struct why *why);

/* All was printed. 0; -errno with why. */
int printing_end(struct printing *p, struct why *why);

/* The same for comparisons: see where they go, and print one, before printing_end(). */
int printing_comparison(struct printing *p, const struct comparison *c, struct why *why);

#endif
