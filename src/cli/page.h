/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of --html. */
#ifndef PSTAT_CLI_PAGE_H
#define PSTAT_CLI_PAGE_H

#include "cli/options.h"
#include "base/output.h"
#include "result/comparison.h"

/* All zero but for output.fd, -1, is no page. */
struct page {
	const struct options *options; /* NULL: none is wanted */
	struct output output;
	int err; /* it could not be written: -errno, which was told */
};

/* See whether it can be written, before anything runs, if it is wanted. 0; -errno with why. */
int page_open(struct page *page, const struct options *o, struct why *why);

/* Write it. 0; -errno with why, and an old file is as it was. */
int page_write(struct page *page, const struct comparison *c, struct why *why);

void page_release(struct page *page);

#endif
