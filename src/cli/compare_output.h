/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of a comparison: it is shown, saved and made a page of, and its gates decide how pstat ends. */
#ifndef PSTAT_CLI_COMPARE_OUTPUT_H
#define PSTAT_CLI_COMPARE_OUTPUT_H

#include "cli/page.h"
#include "cli/print.h"
#include "cli/saving.h"

struct compare_output {
	const struct options *options;
	struct printing *printing;
	struct saving *saving;
	struct page *page;
};

/* Show it, unless --quiet; save it and write its page, whatever becomes of the others. 0; -errno with why: it
 * could not be shown. What else fails is told, and is in saving->err and page->err. */
int compare_output_write(const struct compare_output *output, const struct comparison *c,
			 struct why *why);

/* The exit status: pstat's own, if a file was lost; else that of all gates together, 0 where there are none. */
int compare_output_status(const struct compare_output *output, enum gate_outcome outcome);

#endif
