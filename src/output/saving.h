/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files written in addition to the result: the document of --save and the page of --html. */
#ifndef PSTAT_OUTPUT_SAVING_H
#define PSTAT_OUTPUT_SAVING_H

#include "base/output.h"
#include "machine/machine.h"
#include "options/options.h"
#include "result/comparison.h"
#include "result/provenance.h"
#include "result/table.h"
#include "stats/contrast.h"

/* All zero, but SAVING_NONE before saving_open(). */
struct saving {
	const struct options *options;
	/* a document is shown or saved, or there is a page; otherwise intervals are not kept */
	bool wanted;
	struct output output, page; /* of --save and of --html */
	struct provenance provenance;
	struct math math; /* of the page of one command */
	int err; /* -errno of keeping an interval or writing a file; it was reported */
};

/* Without files. */
#define SAVING_NONE                                                                                \
	{                                                                                          \
		.output.fd = -1, .page.fd = -1                                                     \
	}

/*
 * Before anything runs, check that the files can be written. 0; -errno with why.
 */
int saving_open(struct saving *s, const struct options *o, struct why *why);

/*
 * Before anything is counted, record where the result comes from, if the result shows it. 0 or
 * -ENOMEM.
 */
int saving_begin(struct saving *s, const struct machine *m);

/* Keep a copy of the interval in its series if a document will show it. 0 or -ENOMEM. */
int saving_keep(struct saving *s, struct series *series, const struct interval *interval);

/* Write the file of --save. 0; -errno with why, and an old file is unchanged. */
int saving_write(struct saving *s, const struct table *result, struct why *why);

/* Write the page of --html for the runs of one command, or for their intervals if there are any. 0;
 * -errno with why, and an old file is unchanged. */
int saving_write_page(struct saving *s, const struct series *series, struct why *why);

/* Write both files, even if one of them fails. A failure is reported and goes to s->err. */
void saving_write_comparison(struct saving *s, const struct comparison *c);

void saving_release(struct saving *s);

#endif
