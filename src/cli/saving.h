/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files written in addition to the result, and the document of --save. */
#ifndef PSTAT_CLI_SAVING_H
#define PSTAT_CLI_SAVING_H

#include "base/output.h"
#include "cli/options.h"
#include "machine/machine.h"
#include "result/comparison.h"
#include "result/provenance.h"
#include "result/result.h"

/* A file written in addition to the result. Nothing else may write to it. */
struct extra_file {
	const char *option; /* the option that names it, for messages: "--save" */
	const char *path;
	const char *what; /* its content, for messages: "document" */
};

/*
 * Check that the file can be replaced and is neither the file of -o nor the one that the result's
 * descriptor or standard error writes to. 0; -errno with why.
 */
int saving_open_extra(struct output *output, const struct extra_file *file, const struct options *o,
		      struct why *why);

/* Whether the two paths are one file, or will be. Two writers may share devices and pipes. */
bool saving_is_same(const char *a, const char *b);

/* The document of a result. Without one, all is zero but output.fd, which is -1. */
struct saving {
	bool wanted; /* a document is shown or saved; otherwise intervals are not kept */
	const char *file; /* of --save; NULL: none */
	struct output output;
	struct provenance provenance;
	struct interval *intervals; /* owned: those of -I */
	size_t intervals_n, intervals_size;
	size_t last_run; /* the number of intervals before the last run */
	int err; /* -errno of keeping an interval or writing the file; it was reported */
};

/*
 * Check before anything runs that the file of --save can be written, if there is one. 0; -errno
 * with why.
 */
int saving_open(struct saving *s, const struct options *o, struct why *why);

/*
 * Before anything is counted, record where the result comes from, if the result shows it. 0 or
 * -ENOMEM.
 */
int saving_begin(struct saving *s, const struct options *o, const struct machine *m);

/* A run begins. saving_leave_out_run() drops the intervals since then. */
void saving_begin_run(struct saving *s);
void saving_leave_out_run(struct saving *s);

/* Keep a copy of the interval, which has rows_n readings. 0 or -ENOMEM. */
int saving_keep(struct saving *s, const struct interval *interval, size_t rows_n);

/* Write the file of --save. 0; -errno with why, and an old file is unchanged. */
int saving_write(struct saving *s, const struct result *result, struct why *why);
int saving_write_comparison(struct saving *s, const struct comparison *c, struct why *why);

void saving_release(struct saving *s);

#endif
