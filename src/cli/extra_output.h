/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is written beside what is shown: nothing else may write to it. */
#ifndef PSTAT_CLI_EXTRA_OUTPUT_H
#define PSTAT_CLI_EXTRA_OUTPUT_H

#include "cli/options.h"
#include "base/output.h"

struct extra_output {
	const char *option; /* that names it, for messages: "--save" */
	const char *file;
	const char *what; /* is in it: "document" */
};

/* See whether it can be written, as a whole, and is neither the file of -o nor the one that what is
 * shown, or messages, go to anyway. 0; -errno with why. */
int extra_output_open(struct output *output, const struct extra_output *extra_output,
		      const struct options *o, struct why *why);

/* Whether the two are one file, or will be. Devices and pipes may well have two writers. */
bool extra_output_is_same(const char *a, const char *b);

#endif
