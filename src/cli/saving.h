/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document of a result: what it holds beside what is shown, and the file of --save. */
#ifndef PSTAT_CLI_SAVING_H
#define PSTAT_CLI_SAVING_H

#include "cli/options.h"
#include "base/output.h"
#include "machine/machine.h"
#include "result/comparison.h"
#include "result/provenance.h"
#include "result/result.h"

/* All zero but for output.fd, -1, is no document. */
struct saving {
	bool wanted; /* a document is shown or saved: only then intervals are kept */
	const char *file; /* of --save; NULL: none */
	struct output output;
	struct provenance provenance;
	struct interval *intervals; /* owned: those of -I */
	size_t intervals_n, intervals_size;
	size_t last_run; /* how many of them are of runs before the last one */
	int err; /* an interval could not be kept, or the file not be written: -errno, which was told */
};

/* See whether the file of --save can be written, and is not shown's, where the result is shown. 0;
 * -errno with why. */
int saving_open(struct saving *s, const struct options *o, struct why *why);

/* Gather where the result comes from, if that is to be shown, saved or compared, before anything is counted. 0 or
 * -ENOMEM. */
int saving_begin(struct saving *s, const struct options *o, const struct machine *m);

/* The next run begins; its intervals may be left out again. */
void saving_begin_run(struct saving *s);
void saving_leave_out_run(struct saving *s);

/* Keep a copy of the interval, which has a reading for each of rows_n rows. 0 or -ENOMEM. */
int saving_keep(struct saving *s, const struct interval *interval, size_t rows_n);

/* Write the file of --save. 0; -errno with why, and an old file is as it was. */
int saving_write(struct saving *s, const struct result *result, struct why *why);
int saving_write_comparison(struct saving *s, const struct comparison *c, struct why *why);

void saving_release(struct saving *s);

#endif
