/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of a comparison: it is written to its destination, saved, and made into a page. */
#ifndef PSTAT_CLI_COMPARE_OUTPUT_H
#define PSTAT_CLI_COMPARE_OUTPUT_H

#include "base/output.h"
#include "cli/print.h"
#include "cli/saving.h"

/* The page of --html. Without one all is zero but output.fd, which is -1. */
struct page {
	const struct options *options; /* NULL: no page */
	struct output output;
	int err; /* of writing it: -errno, reported by a message */
};

struct compare_output {
	const struct options *options;
	struct printing *printing;
	struct saving *saving;
	struct page *page;
};

/* Check before anything runs that the page, if there is one, can be written. 0; -errno with why. */
int page_open(struct page *page, const struct options *o, struct why *why);
void page_release(struct page *page);

/* Write the comparison (unless --quiet), its document and its page, even if one of them fails.
 * 0; -errno with why: the comparison was not written. Other failures are in saving->err and
 * page->err, after a message. */
int compare_output_write(const struct compare_output *output, const struct comparison *c,
			 struct why *why);

/* The exit status: pstat's own if a file was lost, otherwise that of all gates together. */
int compare_output_status(const struct compare_output *output, enum gate_outcome outcome);

#endif
