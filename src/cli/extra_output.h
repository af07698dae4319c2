/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file written in addition to the result. Nothing else may write to it. */
#ifndef PSTAT_CLI_EXTRA_OUTPUT_H
#define PSTAT_CLI_EXTRA_OUTPUT_H

#include "cli/options.h"
#include "base/output.h"

struct extra_output {
	const char *option; /* the option that names it, for messages: "--save" */
	const char *file;
	const char *what; /* its content, for messages: "document" */
};

/* Check that the file can be replaced and is neither the file of -o nor the one that the result's
 * descriptor or standard error writes to. 0; -errno with why. */
int extra_output_open(struct output *output, const struct extra_output *extra_output,
		      const struct options *o, struct why *why);

/* Whether the two paths are one file, or will be. Two writers may share devices and pipes. */
bool extra_output_is_same(const char *a, const char *b);

#endif
